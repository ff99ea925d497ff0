#!/usr/bin/env bash
# What action.yml runs: lint, prove, verify, and the difference from the base of a pull request. It fails where lint finds an error, a
# proof or a package does not hold, or a program could not do its work; a difference is news, and no failure.
set -uo pipefail
: "${BNFCHECK:?}" "${GRAMMARS:?}" "${SARIF:?}" "${GITHUB_STEP_SUMMARY:?}"
failed=0

# shellcheck disable=SC2206 # words and patterns
files=($GRAMMARS)
"$BNFCHECK" lint --format sarif "${files[@]}" >"$SARIF"
if [ $? -eq 2 ] || grep -q '"level": *"error"' "$SARIF"; then failed=1; fi
{
	echo '## bnfcheck lint'
	echo '```'
	"$BNFCHECK" lint "${files[@]}" 2>&1 || true
	echo '```'
} >>"$GITHUB_STEP_SUMMARY"

while read -r grammar transcription; do
	if [ -z "$grammar" ]; then continue; fi
	said=$("$BNFCHECK" prove "$grammar" "$transcription" 2>&1) || failed=1
	printf '## bnfcheck prove %s %s\n```\n%s\n```\n' "$grammar" "$transcription" "$said" >>"$GITHUB_STEP_SUMMARY"
done <<<"${PROVE:-}"

if [ -n "${VERIFY:-}" ]; then
	# shellcheck disable=SC2086 # words
	said=$("$BNFCHECK" verify $VERIFY 2>&1) || failed=1
	printf '## bnfcheck verify\n```\n%s\n```\n' "$said" >>"$GITHUB_STEP_SUMMARY"
fi

if [ -n "${BASE:-}" ]; then
	git fetch --quiet --depth=1 origin "$BASE" 2>/dev/null || true # checkout may have fetched one commit alone
	git update-ref refs/base "$BASE" || failed=1 # the name that the summary has for it
	for file in "${files[@]}"; do
		if ! git cat-file -e "base:./$file" 2>/dev/null; then
			printf '## %s is new\n' "$file" >>"$GITHUB_STEP_SUMMARY"
			continue
		fi
		said=$("$BNFCHECK" diff --against base --full "$file" 2>&1)
		status=$?
		if [ $status -gt 1 ] && [ $status -ne 3 ]; then failed=1; fi
		title="$file derives the same strings as before"
		if [ $status -eq 1 ]; then title="This pull request changes which strings $file derives"; fi
		if [ $status -eq 3 ]; then title="Whether $file derives the same strings is not decided"; fi
		printf '## %s\n```\n%s\n```\n' "$title" "$said" >>"$GITHUB_STEP_SUMMARY"
	done
fi
exit $failed
