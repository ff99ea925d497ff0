package regex

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// Functions that several rows of the table have, and those that do nothing.

var newline, cr = chars("\n"), chars("\r")

// beginNothing is for flavors that have no flags of the whole expression.
func beginNothing(*parser, *literal) int { return 0 }

// finishNothing is for flavors whose expressions rest on nothing more.
func finishNothing(*parser, *node) {}

// noFlag says that no flag stands after a literal.
func noFlag(*parser, rune, int) bool { return false }

// isWordName is dialect.isName for engines whose names have letters and "_", and digits except at the beginning.
func isWordName(_ *runes.Unicode, c rune, first bool) bool {
	return c == '_' || unicode.IsLetter(c) || !first && unicode.IsDigit(c)
}

// nameAsWritten is dialect.plainName for engines whose names have no escapes.
func nameAsWritten(symbols []rune) []rune { return symbols }

// asciiSpace returns the white space of ASCII.
func asciiSpace(*runes.Unicode) set { return chars("\t\n\v\f\r ") }

// asciiWord returns the word characters of ASCII.
func asciiWord(*runes.Unicode) set { return word }

// lettersAndNumbers returns \w of engines that take all letters and numbers of Unicode, and "_".
func lettersAndNumbers(u *runes.Unicode) set { return u.Table("L", "N").Or(word) }

// typedBoundary returns the word characters of a \b that is that of \w.
func typedBoundary(p *parser) set { return p.typeSet('w') }

// asciiClass returns the class of ASCII with a POSIX name; false for any other name.
func asciiClass(_ *parser, _ int, name string, _ bool) (s set, ok bool) {
	s, ok = map[string]set{
		"alpha": of('A', 'Z', 'a', 'z'), "alnum": of('0', '9', 'A', 'Z', 'a', 'z'), "digit": digits, "xdigit": xdigits,
		"cntrl": of(0, 0x1f, 0x7f, 0x7f), "upper": of('A', 'Z'), "lower": of('a', 'z'), "ascii": of(0, 0x7f),
		"space": chars("\t\n\v\f\r "), "blank": chars("\t "), "punct": of('!', '/', ':', '@', '[', '`', '{', '~'),
		"word": word, "graph": of('!', '~'), "print": of(' ', '~'),
	}[name]
	return s, ok
}

// hexadecimal reads from least to most hexadecimal digits of the escape c, and returns the symbol with that number: 0
// without digits. It fails if there are fewer than least, and where checkedSymbol does.
func (p *parser) hexadecimal(at int, c rune, least, most int) rune {
	v, n := p.number(16, most)
	if n < least {
		p.fail(at, "\\%c needs %d hexadecimal digits", c, least)
	}
	return p.checkedSymbol(at, v)
}

// braced reads the digits of a base up to and past "}", and returns the symbol with that number. It refuses anything
// else in the braces, no digits among it, and stops the parser as checkedSymbol does.
func (p *parser) braced(at int, base rune) rune {
	v, n := p.number(base, 1<<30)
	if n == 0 || !p.next("}") {
		p.refuse(at, "one number was expected in the braces")
	}
	return p.checkedSymbol(at, v)
}

// paired returns v or, where v is the first half of a surrogate pair and its second half follows as another \u, the
// character that the two make; it goes past the second half then. Where symbols are not code points it returns v and
// reads nothing: over UTF-16 units the halves stay apart.
func (p *parser) paired(v rune) rune {
	start := p.index
	if p.last == lastPoint && v >= 0xd800 && v < 0xdc00 && p.next(`\u`) {
		if low, n := p.number(16, 4); n == 4 && low >= 0xdc00 && low < 0xe000 {
			return 0x10000 + (v-0xd800)<<10 + low - 0xdc00
		}
		p.index = start
	}
	return v
}

// The largest octal numbers.
const (
	byteOctal    = 0o377
	unicodeOctal = 0o777
)

// octal reads an octal number of up to most digits; the first has been passed. It refuses a number above largest, and
// an 8 or 9 as the first digit.
func (p *parser) octal(at, most int, largest rune) rune {
	p.index--
	if c := p.src[p.index]; c >= '8' {
		p.refuse(at, "\\%c is not supported here", c)
	}
	v, _ := p.number(8, most)
	if v > largest {
		p.refuse(at, "an octal number above %o", largest)
	}
	return v
}

// seesLetter reports whether the next symbol is a letter of ASCII.
func (p *parser) seesLetter() bool {
	return p.more() && unicode.IsLetter(p.src[p.index]) && p.src[p.index] < utf8.RuneSelf
}

// lookarounds reports whether an expression has lookarounds besides those of ^ and $: written ones, or those of \b
// and of multiline anchors. inside reports whether a lookaround or an anchor stands below n in any other place than ^
// at the beginning, or $ at the end, of the expression or of one of its branches. In the flavor of n a $ must not be
// made of several lookarounds, as with finalNewline.
func lookarounds(n *node) (looks, inside bool) {
	looks = (n.op == opAhead || n.op == opBehind) && n.anchor == 0
	n.walk(func(s *node) {
		for i, c := range s.sub {
			if c.op == opAhead || c.op == opBehind {
				looks = looks || s.anchor == 0 && c.anchor == 0 // ^ and $ are lookarounds, too, and do not count
				// c is a part of the expression itself or of one of its branches.
				outer := s == n || n.op == opAlt && slices.Contains(n.sub, s)
				alone := s.op == opAlt // a branch that is an anchor alone is at both of its ends
				atEnd := c.anchor == '^' && (alone || i == 0) || c.anchor == '$' && (alone || i == len(s.sub)-1)
				inside = inside || !outer || !atEnd
			}
		}
	})
	return looks, inside
}

// asItIs returns an expression without delimiters.
func asItIs(text, _ string) string { return text }

// javascriptPoint writes a character by its number as JavaScript has it.
func javascriptPoint(r rune) string {
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02X`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04X`, r)
	}
	return fmt.Sprintf(`\u{%X}`, r)
}

// bracedPoint writes a character by its number as most engines have it.
func bracedPoint(r rune) string {
	if r <= 0xff {
		return fmt.Sprintf(`\x%02X`, r)
	}
	return fmt.Sprintf(`\x{%X}`, r)
}
