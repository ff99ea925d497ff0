package quote

import "strings"

// Shell returns s as an argument of a command for the shell of Unix: in single quotes, unless it consists of letters,
// digits and signs that have no meaning there.
func Shell(s string) string {
	if s != "" && strings.TrimLeftFunc(s, isPlainInShell) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// isPlainInShell reports whether a shell reads c as itself wherever it stands in an argument.
func isPlainInShell(c rune) bool {
	isLetter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	return isLetter || c >= '0' && c <= '9' || strings.ContainsRune("-_./=:,+@%", c)
}
