package bnf

import "strings"

// RightSide returns a printed production in one line, without comments, its name, and the sign "=" or "::=" that
// defines it. Any other sign stays, and of "=/" the slash. The production must begin with name or with another
// spelling of it, in another case or in angle brackets, which stays, with its sign. The notation of RFC 1630 has no
// such sign: there an "=" is a terminal, which "reserved" begins with. It has no comments either: ";" is a terminal.
// Comments are taken out in ABNF and in RFC 822's notation alone.
func RightSide(notation, name, printed string) string {
	if notation == ABNF || notation == RFC822 {
		printed = uncommented(printed)
	}
	text := strings.Join(strings.Fields(printed), " ")
	text = strings.TrimSpace(strings.TrimPrefix(text, name))
	if notation != RFC1630 {
		text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "::"), "="))
	}
	return text
}

// uncommented returns ABNF without its comments. A line that had one still ends in a line feed.
func uncommented(printed string) string {
	var b strings.Builder
	for line := range strings.Lines(printed) {
		if i := commentStart(line); i >= 0 {
			line = line[:i] + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// commentStart returns where the comment of a line begins: at the first ";" outside of quotes and of prose. It is -1
// where there is none.
func commentStart(line string) int {
	until := byte(0) // the character that ends the quoted string or the prose; 0 outside of both
	for i, c := range []byte(line) {
		switch {
		case until != 0:
			if c == until {
				until = 0
			}
		case c == '"':
			until = '"'
		case c == '<':
			until = '>'
		case c == ';':
			return i
		}
	}
	return -1
}
