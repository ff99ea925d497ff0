package bnf

import "strings"

// RightSide returns a printed production in one line, without its name and the sign that defines it. The notation of
// RFC 1630 has no such sign: there an "=" is a terminal, which "reserved" begins with.
func RightSide(notation, name, printed string) string {
	text := strings.Join(strings.Fields(printed), " ")
	text = strings.TrimSpace(strings.TrimPrefix(text, name))
	if notation != RFC1630 {
		text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "::"), "="))
	}
	return text
}
