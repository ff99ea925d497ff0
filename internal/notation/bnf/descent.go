package bnf

import (
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// A descent reads one production, or one right-hand side, by recursive descent. It serves the notations whose values
// are characters: their readers embed it, and add the syntax. It looks at each byte once.
type descent struct {
	reading
	printed
	offset int
	depth  int // of brackets
}

// rest returns the text that is not read yet.
func (d *descent) rest() string { return d.text[d.offset:] }

// here returns the place of the next byte.
func (d *descent) here() expr.Pos { return d.at(d.offset) }

// unexpected returns the error for the character that follows, or the end; expected says what may stand there.
func (d *descent) unexpected(expected string) error {
	what := "end of the production"
	if rest := d.rest(); rest != "" {
		what = quoteRune(rest)
	}
	return expr.Errorf(d.here(), "unexpected %s; expected %s", what, expected)
}

// enter goes past an opening bracket of size bytes. It panics with a refusal if brackets are nested more than
// maxNesting deep, which keeps the recursion of the readers within their stack.
func (d *descent) enter(size int) {
	if d.depth++; d.depth > maxNesting {
		panic(expr.Refusef(d.here(), "brackets are nested more than %d deep", maxNesting))
	}
	d.offset += size
}

// leave goes past the closing bracket, of size bytes.
func (d *descent) leave(size int) {
	d.depth--
	d.offset += size
}

// literal returns the literal for text exactly as it is written. Bytes that are not UTF-8 become U+FFFD, unless values
// are octets.
func (d *descent) literal(text string, pos expr.Pos) *expr.Expr {
	if d.Values != Octets {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	return placed(expr.Lit(text), pos)
}

// quoted reads a literal from the quotation mark at the offset past the next one like it, and panics with the error
// if none follows on its line. There are no escapes.
func (d *descent) quoted() *expr.Expr {
	pos, rest := d.here(), d.rest()
	n := strings.IndexByte(rest[1:], rest[0])
	if n < 0 || strings.Contains(rest[1:1+n], "\n") {
		line, _, _ := strings.Cut(rest, "\n")
		panic(expr.Errorf(pos, "unclosed %s; a literal ends on its line, with a %c", quote(line), rest[0]))
	}
	d.offset += n + 2
	return d.literal(rest[1:1+n], pos)
}

// last returns the highest value of a character.
func (d *descent) last() rune {
	if d.codePoints {
		return utf8.MaxRune
	}
	return 255
}

// set returns the expression for the characters in ranges: octets, or the encodings of code points. text is how the
// document writes them, for messages.
func (d *descent) set(ranges runes.Set, text string, pos expr.Pos) *expr.Expr {
	limit := rune(utf8.RuneSelf)
	if !d.codePoints {
		limit = 256
	}
	return encodings(ranges.Clean().Encodings(limit), text, pos)
}

// allBut returns the expression for all characters but those of e: a difference, which exclude computes later. text is
// how the document writes it.
func (d *descent) allBut(e *expr.Expr, text string, pos expr.Pos) *expr.Expr {
	any := &expr.Expr{Op: expr.Ref, Name: anyCharacter, Pos: pos}
	return &expr.Expr{Op: expr.Ref, Name: minus, Lit: text, Sub: []*expr.Expr{any, e}, Pos: pos}
}

// followsBlank reports whether an offset in a text is at the beginning of the text or of a line, or after a
// blank.
func followsBlank(text string, at int) bool {
	return at == 0 || strings.IndexByte(blanks, text[at-1]) >= 0
}

// standsAlone reports whether a sign is at an offset in a text, with a blank or an end of the text on either side.
func standsAlone(text string, at int, sign string) bool {
	after, ok := strings.CutPrefix(text[at:], sign)
	return ok && followsBlank(text, at) && (after == "" || strings.IndexByte(blanks, after[0]) >= 0)
}

// blanks are those that separate words, with the ends of lines.
const blanks = " \t\n\r"

// class returns the expression for a class such as [^a-z\n]; text is all of it, with the brackets, and pos its place.
// A backslash begins an escape, as escaped has it, and a "-" at the end is a character. Bytes that are not UTF-8
// become U+FFFD; among octets, a character above 255 is its encoding. class reads nothing of the production: the
// caller goes past the class. A class that begins with "^" becomes a difference, as allBut returns it. class panics
// with the error for a range that ends below its beginning.
func (d *descent) class(text string, pos expr.Pos) *expr.Expr {
	inner := text[1 : len(text)-1]
	rest, not := strings.CutPrefix(inner, "^")
	var ranges runes.Set
	next := func() rune {
		c, size := utf8.DecodeRuneInString(rest)
		if c == '\\' && len(rest) > 1 {
			rest = rest[1:]
			if c, size = utf8.DecodeRuneInString(rest); c < utf8.RuneSelf {
				c = escaped(byte(c))
			}
		}
		rest = rest[size:]
		return c
	}
	for rest != "" {
		lo := next()
		hi := lo
		if len(rest) > 1 && rest[0] == '-' {
			rest = rest[1:]
			if hi = next(); hi < lo {
				panic(expr.Errorf(pos, "unexpected end of a range below its beginning in %s", quote(text)))
			}
		}
		ranges = append(ranges, runes.Span{Lo: lo, Hi: hi})
	}
	e := d.set(ranges, text, pos)
	if not {
		return d.allBut(e, text, pos)
	}
	return e
}

// escaped returns the character that is written with a backslash before c: a control character for n, r and t, and
// otherwise c itself.
func escaped(c byte) rune {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return rune(c)
}

// blocksOf returns the one block of a file that holds nothing but these productions; nil if there are none.
func blocksOf(all []printed) []Block {
	if len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	return []Block{{First: all[0].at(0).Line, Last: last.at(len(last.text)).Line, Productions: len(all)}}
}
