package bnf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// RightSide returns a printed production in one line, for people to read: without comments, its name, and the sign "="
// or "::=" that defines it. Any other sign stays, and of "=/" the slash. Outside of quotes each run of white space is
// one blank. The production must begin with name or with another spelling of it, in another case or in angle brackets,
// which stays, with its sign. The notation of RFC 1630 has no such sign: there an "=" is a terminal, which "reserved"
// begins with. It has no comments and no quotes either. Comments are taken out in ABNF and in RFC 822's notation alone.
func RightSide(notation, name, printed string) string {
	text := inOneLine(notation, printed)
	text = strings.TrimSpace(strings.TrimPrefix(text, name))
	if notation != RFC1630 {
		text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "::"), "="))
	}
	return text
}

// inOneLine returns a text of this notation with one blank for each run of white space, except in quotes, and none at
// its ends. In ABNF and in RFC 822's notation a comment counts as white space, and prose in angle brackets has single
// blanks, too, and none at its ends. notation is "" where it is not known.
func inOneLine(notation, text string) string {
	hasComments := notation == ABNF || notation == RFC822
	var b strings.Builder
	afterBlank := false
	for rest := text; rest != ""; {
		c, size := utf8.DecodeRuneInString(rest)
		n := quotedAt(notation, rest)
		switch {
		case n > 0:
			size = n
		case hasComments && c == ';':
			line, _, _ := strings.Cut(rest, "\n")
			afterBlank, rest = true, rest[len(line):]
			continue
		case unicode.IsSpace(c):
			afterBlank, rest = true, rest[size:]
			continue
		}
		if afterBlank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		if c == '<' { // prose, which may go over several lines
			b.WriteString(strings.Join(strings.Fields(rest[:size]), " "))
		} else {
			b.WriteString(rest[:size])
		}
		afterBlank, rest = false, rest[size:]
	}
	return b.String()
}

// longestClass caps the bytes of a class that quotedAt finds.
const longestClass = 256

// quotedAt returns the length of what text begins with if that is a string in quotes, which must end on its line, or
// in ABNF and RFC 822's notation prose in angle brackets, or in another notation a class of characters without
// blanks, which may have a quotation mark in it. It is 0 for anything else, and in RFC 1630's notation. text must not
// be empty.
func quotedAt(notation, text string) int {
	likeABNF := notation == ABNF || notation == RFC822
	switch c := text[0]; {
	case notation == RFC1630:
		return 0
	case likeABNF && c == '<':
		return proseLength(text)
	case likeABNF && (c == '\'' || c == '`'):
		return singleQuoted(text)
	case c == '"', c == '\'', c == '`':
		for i := 1; i < len(text) && text[i] != '\n'; i++ {
			switch {
			case text[i] == c:
				return i + 1
			case text[i] == '\\' && notation == GBNF:
				i++
			}
		}
		return 0
	case !likeABNF && c == '[':
		text = text[:min(len(text), longestClass)] // so that many brackets take no time
		if n := 1 + span(text[1:], func(c byte) bool { return c > ' ' && c != ']' }); n < len(text) && text[n] == ']' {
			return n + 1
		}
		return 0
	}
	return curlyLength(text)
}
