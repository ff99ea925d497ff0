package quote

import "strings"

// Shell returns s as an argument of a command for the shell of Unix: in single quotes, unless it consists of letters,
// digits and signs that have no meaning there.
func Shell(s string) string {
	isComment := strings.HasPrefix(s, "#") // elsewhere in a word # has no meaning
	if s != "" && !isComment && strings.TrimLeftFunc(s, isPlainInShell) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ShellWords returns words as the arguments of a command for the shell of Unix, with spaces between them.
func ShellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Shell(w)
	}
	return strings.Join(quoted, " ")
}

// isPlainInShell reports whether a shell reads c as itself in an argument, except for a # that begins it.
func isPlainInShell(c rune) bool {
	isLetter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	return isLetter || c >= '0' && c <= '9' || strings.ContainsRune("-_./=:,+@%#", c)
}
