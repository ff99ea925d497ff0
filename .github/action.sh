#!/usr/bin/env bash
# What action.yml runs: lint, fmt, prove, verify, and the difference from the base of a pull request. It fails where lint finds an error, a
# proof or a package does not hold, or a program could not do its work; a difference is news, and no failure.
#
# The names of files come from the pull request, and so may be anything: they stand behind --, never begin with a dash, and are no
# part of what a shell, the runner or Markdown reads.
set -uo pipefail
: "${BNFCHECK:?}" "${GRAMMARS:?}" "${SARIF:?}" "${GITHUB_STEP_SUMMARY:?}"
failed=0

# The runner obeys lines of the log that begin with ::, until this word comes again.
word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$word"
trap 'printf "\n::%s::\n" "$word"' EXIT

# ticks TEXT: a run of backticks that is longer than any in the text, and at least three.
ticks() {
	local run=\`\`\`
	while [[ $1 == *"$run"* ]]; do run+=\`; done
	printf %s "$run"
}

# title TEXT NAME TEXT: a heading with a name in it, in one line, as code.
title() {
	local name=${2//[[:cntrl:]]/?} run
	run=$(ticks "$name")
	printf '## %s%s %s %s%s\n' "$1" "$run" "$name" "$run" "$3" >>"$GITHUB_STEP_SUMMARY"
}

# block TEXT: what a program has said, as code.
block() {
	local run
	run=$(ticks "$1")
	printf '%s\n%s\n%s\n' "$run" "$1" "$run" >>"$GITHUB_STEP_SUMMARY"
}

# refuse NAME REASON
refuse() {
	failed=1
	printf 'not read: %q, %s\n' "$1" "$2" >&2
	title '' "$1" " is not read: $2"
}

# Words and patterns. A name that could be something else than a file, such as js:a.abnf, is written as a path.
files=()
# shellcheck disable=SC2206
for file in $GRAMMARS; do
	case $file in
	-*) refuse "$file" 'its name begins with a dash' ;;
	*'#'*) if [ -e "$file" ]; then refuse "$file" 'its name has a #, behind which a production stands'; else files+=("$file"); fi ;;
	*/*) files+=("$file") ;;
	*[!A-Za-z0-9_.-]*) files+=("./$file") ;;
	*) files+=("$file") ;;
	esac
done

echo '## bnfcheck lint' >>"$GITHUB_STEP_SUMMARY"
if [ ${#files[@]} -gt 0 ]; then
	"$BNFCHECK" lint --format sarif -- "${files[@]}" >"$SARIF"
	case $? in 0 | 1 | 3) ;; *) failed=1 ;; esac
	if grep -q '"level": *"error"' "$SARIF"; then failed=1; fi
	block "$("$BNFCHECK" lint -- "${files[@]}" 2>&1)"
fi

if [ "${FORMAT:-false}" = true ]; then
	for file in ${files[@]+"${files[@]}"}; do
		said=$("$BNFCHECK" fmt -d -- "${file%%#*}" 2>&1) && continue
		failed=1
		title '' "$file" ' is not as bnfcheck fmt lays it out'
		block "$said"
	done
fi

while read -r grammar transcription; do
	case $grammar in
	'') continue ;;
	-*) refuse "$grammar" 'its name begins with a dash'; continue ;;
	esac
	said=$("$BNFCHECK" prove -- "$grammar" "$transcription" 2>&1) || failed=1
	title 'bnfcheck prove ' "$grammar $transcription" ''
	block "$said"
done <<<"${PROVE:-}"

if [ -n "${VERIFY:-}" ]; then
	# shellcheck disable=SC2086 # words
	said=$("$BNFCHECK" verify -- $VERIFY 2>&1) || failed=1
	echo '## bnfcheck verify' >>"$GITHUB_STEP_SUMMARY"
	block "$said"
fi

case ${BASE:-} in
'') exit $failed ;;
-*) refuse "$BASE" 'no name of a revision begins with a dash'; exit 1 ;;
esac
git fetch --quiet --depth=1 -- origin "$BASE" 2>/dev/null || true # checkout may have fetched one commit alone
git update-ref refs/base "$BASE" || failed=1 # the name that the summary has for it
for file in ${files[@]+"${files[@]}"}; do
	if ! git cat-file -e "base:./${file%%#*}" 2>/dev/null; then
		title '' "$file" ' is new'
		continue
	fi
	said=$("$BNFCHECK" diff --against base --full -- "$file" 2>&1)
	case $? in
	0) title '' "$file" ' derives the same strings as before' ;;
	1) title 'This pull request changes which strings ' "$file" ' derives' ;;
	3) title 'Whether ' "$file" ' derives the same strings is not decided' ;;
	*)
		title '' "$file" ' cannot be compared with the base'
		failed=1
		;;
	esac
	block "$said"
done
exit $failed
