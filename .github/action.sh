#!/usr/bin/env bash
# What action.yml runs: lint, fmt, prove, verify, and the difference from the base of a pull request. It fails where lint
# finds an error, a proof or a package does not hold, or a program could not do its work; a difference is news, and no
# failure.
#
# The names of files come from the pull request, and so may be anything. They stand after --, never begin with a dash, and
# no shell, runner or Markdown reads them as anything but names. Nothing outside of the checkout is shown, whether a link
# leads there or the record of a package (BNFCHECK_WITHIN). A text is cut where the runner would otherwise drop the whole
# summary.
set -uo pipefail
: "${BNFCHECK:?}" "${GRAMMARS:?}" "${SARIF:?}" "${GITHUB_STEP_SUMMARY:?}"
failed=0

# The runner obeys lines of the log that begin with ::, until this word comes again.
word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$word"
trap 'printf "\n::%s::\n" "$word"' EXIT

# ticks TEXT: a run of backticks that is longer than any in the text, and at least three. Trying one length after the other would be
# quadratic in a text of 100 KB.
ticks() {
	local longest
	longest=$(LC_ALL=C grep -ao '``*' <<<"$1" | LC_ALL=C awk '{ if (length > n) n = length } END { print (n < 2 ? 2 : n) + 1 }')
	printf %"$longest"s '' | tr ' ' '`'
}

# The runner drops a summary of more than 1 MiB as a whole, and so one text must not hide the others.
room=$((900 * 1024)) most=$((100 * 1024))

# tell TEXT: adds a text to the summary, as long as there is room.
tell() {
	local size
	size=$(wc -c <<<"$1")
	if [ "$size" -le "$room" ]; then
		printf '%s\n' "$1" >>"$GITHUB_STEP_SUMMARY"
	elif [ "$room" -gt 0 ]; then
		size=$room # then no room is left, and this is said once
		echo '## More does not fit into a summary' >>"$GITHUB_STEP_SUMMARY"
	fi
	room=$((room - size))
}

# title TEXT NAME TEXT: a heading with a name in it, in one line, as code. A character outside of printable ASCII becomes "?": U+202E, for
# one, would reverse the line.
title() {
	local name run
	name=$(printf %s "$2" | LC_ALL=C tr -c ' -~' '?')
	run=$(ticks "$name")
	tell "## $1$run $name $run$3"
}

# block TEXT: what a program has said, as code.
block() {
	local text=$1 run
	if [ "$(wc -c <<<"$text")" -gt $most ]; then
		text=$(head -c $most <<<"$text" | sed '$d')$'\n... and more, which is left out'
	fi
	run=$(ticks "$text")
	tell "$run"$'\n'"$text"$'\n'"$run"
}

# refuse NAME REASON
refuse() {
	failed=1
	printf 'not read: %q, %s\n' "$1" "$2" >&2
	title '' "$1" " is not read: $2"
}

# leads_out NAME: succeeds if a file below this folder is, through links, outside of the checkout, or in what git keeps in
# it. The program would not read it either (BNFCHECK_WITHIN), but then fails for all files together: leads_out names the
# one, so that the others are still checked. Absolute names and those that begin with .. come from the workflow, not from
# the pull request, and are let through. A production after # and the flavor of an expression in a file are no part of its
# name.
top=$(realpath -- "$(git rev-parse --show-toplevel 2>/dev/null || pwd)")
leads_out() {
	local name=$1 to
	[ -e "$name" ] || name=${name%#*}
	[ -e "$name" ] || name=${name#*:@}
	case $name in /* | .. | ../*) return 1 ;; esac
	to=$(realpath -- "$name" 2>/dev/null) || return 1
	case $to in
	"$top"/.git/*) return 0 ;;
	"$top" | "$top"/*) return 1 ;;
	*) return 0 ;;
	esac
}

# The program reads no file outside of the checkout, whatever names it, and none that git keeps. Only the folders that the
# workflow itself names are allowed, too. A pattern of verify stands for the folder before its dots.
export BNFCHECK_WITHIN=$top
# shellcheck disable=SC2086 # words and patterns
for name in $GRAMMARS ${PROVE:-} ${VERIFY:-}; do
	name=${name%...}
	[ -d "$name" ] || name=$(dirname -- "$name")
	case $name in
	/ | *:*) ;;
	/* | .. | ../*) BNFCHECK_WITHIN=$BNFCHECK_WITHIN:$name ;;
	esac
done

# Words and patterns. A name that could be something else than a file, such as js:a.abnf or rfc1738, is written as a path.
files=()
# shellcheck disable=SC2206
for file in $GRAMMARS; do
	case $file in
	-*) refuse "$file" 'its name begins with a dash'; continue ;;
	esac
	if leads_out "$file"; then
		refuse "$file" 'it is a link that leads out of the checkout'
		continue
	fi
	case $file in
	*'#'*) if [ -e "$file" ] || [ -L "$file" ]; then refuse "$file" 'its name has a #, behind which a production stands'; else files+=("$file"); fi ;;
	*/*) files+=("$file") ;;
	*[!A-Za-z0-9_.-]*) files+=("./$file") ;;
	*.*) files+=("$file") ;;
	*) files+=("./$file") ;;
	esac
done

tell '## bnfcheck lint'
if [ ${#files[@]} -gt 0 ]; then
	"$BNFCHECK" lint --format sarif -- "${files[@]}" >"$SARIF"
	case $? in 0 | 1 | 3) ;; *) failed=1 ;; esac
	# It also ends with 3 where it has printed nothing, because of a limit that one file passes or of a fault.
	if [ "$(tail -n 1 -- "$SARIF")" != '}' ]; then failed=1; fi
	if grep -q '"level": *"error"' "$SARIF"; then failed=1; fi
	block "$("$BNFCHECK" lint -- "${files[@]}" 2>&1)"
fi

if [ "${FORMAT:-false}" = true ]; then
	for file in ${files[@]+"${files[@]}"}; do
		said=$("$BNFCHECK" fmt -d -- "${file%#*}" 2>&1) && continue
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
	if leads_out "$grammar" || leads_out "$transcription"; then
		refuse "$grammar $transcription" 'one is a link that leads out of the checkout'
		continue
	fi
	said=$("$BNFCHECK" prove -- "$grammar" "$transcription" 2>&1) || failed=1
	title 'bnfcheck prove ' "$grammar $transcription" ''
	block "$said"
done <<<"${PROVE:-}"

if [ -n "${VERIFY:-}" ]; then
	# shellcheck disable=SC2086 # words
	said=$("$BNFCHECK" verify -- $VERIFY 2>&1) || failed=1
	tell '## bnfcheck verify'
	block "$said"
fi

case ${BASE:-} in
'') exit $failed ;;
-*) refuse "$BASE" 'no name of a revision begins with a dash'; exit 1 ;;
esac
git fetch --quiet --depth=1 -- origin "$BASE" 2>/dev/null || true # checkout may have fetched one commit alone
git update-ref refs/base "$BASE" || failed=1 # the name that the summary has for it
for file in ${files[@]+"${files[@]}"}; do
	if ! git cat-file -e "base:./${file%#*}" 2>/dev/null; then
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
