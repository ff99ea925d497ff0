package bnf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// GBNF is the notation of llama.cpp (grammars/README.md there), whose grammars constrain the output of a language
// model:
//
//	production   = name "::=" alternatives
//	alternatives = alternative *( "|" alternative )
//	alternative  = *( element [ "*" / "+" / "?" / "{" count "}" ] )
//	count        = min / min "," [ max ]
//	element      = name / literal / class / "." / "(" alternatives ")"
//	literal      = %x22 *character %x22
//	class        = "[" [ "^" ] *( character [ "-" character ] ) "]"
//
// Values are code points, and a backslash begins an escape: \n, \r, \t, \xHH, \uHHHH, \UHHHHHHHH, or the sign after
// it. "." is any character, a line feed too. "#" begins a comment. The grammar starts at "root".
const GBNF = "gbnf"

// RootGBNF is where a grammar in [GBNF] starts.
const RootGBNF = "root"

func init() {
	notations[GBNF] = notation{
		production: readProductionGBNF, right: readRightGBNF, split: splitGBNF, codePoints: true,
		inDocuments: true,
	}
	marksOf[GBNF] = []string{"gbnf"}
}

// HasGBNF reports whether a document defines the production that a grammar in [GBNF] starts at.
func HasGBNF(src []byte) bool { return rootGBNF().Match(src) }

var (
	rootGBNF   = pattern(`(?m)^root[ \t]*::=`)
	beginsGBNF = pattern(`(?m)^[ \t]*([A-Za-z0-9_-]+)[ \t]*::=`)
)

// splitGBNF takes a document apart into its productions: each begins at a line with a name and "::=", and ends where
// the next begins. Comments are blanked, and before them the lines that n.Lines excludes, unless n has from. The
// outline has no name and no title. It fails if anything but comments stands before the first production, or if there
// are no productions and anything but comments.
func splitGBNF(file string, lines []string, n reading) (*outline, error) {
	if n.from == nil {
		lines = n.Lines.Of(lines)
	}
	text := strings.Join(lines, "\n")
	whole := printed{text: text, pos: expr.Pos{File: file, Line: 1, Col: 1}, from: n.from}.indexed()
	plain := withoutCommentsGBNF(text)
	begins := beginsGBNF().FindAllStringSubmatchIndex(plain, -1)
	first := strings.TrimLeft(plain, " \t\n") // the text from its first byte that is no comment
	if first != "" && (len(begins) == 0 || strings.TrimSpace(plain[:begins[0][0]]) != "") {
		return nil, expr.Errorf(whole.at(len(text)-len(first)),
			`unexpected %s; expected a production such as "name ::= expression"`, quote(firstWord(first)))
	}
	l := &outline{notation: GBNF, parts: []*part{{}}}
	for i, m := range begins {
		end := len(plain)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		p := printed{
			part: l.parts[0], text: strings.TrimRight(plain[m[2]:end], " \t\n"), pos: whole.inText(m[2]),
			from: n.from,
		}
		l.productions = append(l.productions, p.indexed())
	}
	l.blocks = blocksOf(l.productions)
	return l, nil
}

// withoutCommentsGBNF returns a text with blanks in place of its comments, so that places stay. A "#" in a literal or
// a class begins none. Both end with their line, unless a backslash stands before the line end.
func withoutCommentsGBNF(text string) string {
	plain := []byte(text)
	for i := 0; i < len(plain); i++ {
		switch c := plain[i]; c {
		case '#':
			for ; i < len(plain) && plain[i] != '\n'; i++ {
				plain[i] = ' '
			}
		case '"', '[': // a sign in a literal or a class begins no comment
			shut := byte('"')
			if c == '[' {
				shut = ']'
			}
			for i++; i < len(plain) && plain[i] != shut && plain[i] != '\n'; i++ {
				if plain[i] == '\\' {
					i++
				}
			}
		}
	}
	return string(plain)
}

// A readerGBNF reads one production, or one right-hand side.
type readerGBNF struct{ descent }

// readProductionGBNF reads one production, a name, "::=" and alternatives; p must begin with the first two. After an
// error made has the name alone.
func readProductionGBNF(p printed, n reading) (made production, err error) {
	defer made.inError(&err)
	defer expr.Catch(&err)
	r := &readerGBNF{descent{reading: n, printed: p}}
	made.name = p.text[:span(p.text, isNameByte)]
	r.offset = strings.Index(p.text, "::=") + len("::=")
	made.right = r.whole()
	return made, nil
}

// readRightGBNF reads a right-hand side without a name.
func readRightGBNF(p printed, n reading) (e *expr.Expr, err error) {
	defer expr.Catch(&err)
	return (&readerGBNF{descent{reading: n, printed: p}}).whole(), nil
}

// whole reads alternatives up to the end of the text, and panics with the error if something else follows.
func (r *readerGBNF) whole() *expr.Expr {
	e := r.alternatives()
	if r.next() != 0 {
		panic(r.unexpected(`a name, a literal, a class, "(", "|" or the end of the production`))
	}
	return e
}

// next goes past blanks, and returns the byte that follows, 0 at the end. It does not consume it.
func (r *readerGBNF) next() byte {
	for ; r.offset < len(r.text); r.offset++ {
		if c := r.text[r.offset]; strings.IndexByte(blanks, c) < 0 {
			return c
		}
	}
	return 0
}

// alternatives reads one or more alternatives with "|" between them, up to ")" or the end. It panics as element and
// repeated do.
func (r *readerGBNF) alternatives() *expr.Expr {
	var alts []*expr.Expr
	for {
		if alts = append(alts, r.alternative()); r.next() != '|' {
			return expr.Or(alts...)
		}
		r.offset++
	}
}

// alternative reads repeated elements up to "|", ")" or the end. Without any it is the empty word. It panics as
// element and repeated do.
func (r *readerGBNF) alternative() *expr.Expr {
	var seq []*expr.Expr
	r.next() // so that pos is that of the first element
	pos := r.here()
	for {
		if c := r.next(); c == 0 || c == '|' || c == ')' {
			return placed(expr.Cat(seq...), pos)
		}
		seq = append(seq, r.repeated(r.element()))
	}
}

// repeated reads any number of quantifiers after e, and returns e with them. At most zero times e is the empty word.
// It panics as count does.
func (r *readerGBNF) repeated(e *expr.Expr) *expr.Expr {
	for {
		least, most := 0, expr.Unbounded
		switch r.next() {
		case '?':
			most = 1
		case '+':
			least = 1
		case '*':
		case '{':
			least, most = r.count()
		default:
			return e
		}
		pos := e.Pos
		if e = expr.Times(e, least, most); most == 0 {
			e = &expr.Expr{Op: expr.Empty}
		}
		e = placed(e, pos)
		r.offset++
	}
}

var countGBNF = pattern(`^\{[ \t]*([0-9]+)[ \t]*(,?)[ \t]*([0-9]*)[ \t]*\}`)

// count reads a count in braces from the opening brace, where the reader must be, up to its closing brace, which it
// does not consume. most is expr.Unbounded for "{2,}". It panics with the error if no count follows, or one that
// bounds refuses.
func (r *readerGBNF) count() (least, most int) {
	m := countGBNF().FindStringSubmatch(r.rest())
	if m == nil || m[2] == "" && m[3] != "" {
		panic(r.unexpected("a count such as {2}, {2,} or {2,4}"))
	}
	count := m[1] + "*" + m[3]
	if m[2] == "" {
		count = m[1]
	}
	least, most = bounds(count, r.here())
	r.offset += len(m[0]) - 1
	return least, most
}

// element reads a group, a literal, a class, "." or a name. The text must not be at its end. It panics with the error
// for anything else and for a group that is not closed, with a refusal for the tokens of a model, and as enter,
// string and class do.
func (r *readerGBNF) element() *expr.Expr {
	pos, rest := r.here(), r.rest()
	switch c := rest[0]; {
	case c == '(':
		r.enter(1)
		e := r.alternatives()
		if r.next() != ')' {
			panic(r.unexpected(`")", which closes the bracket at ` + pos.String()))
		}
		r.leave(1)
		return e
	case c == '"':
		return r.string()
	case c == '[':
		return r.class()
	case c == '.':
		r.offset++
		return r.set(runes.Of(0, r.last()), ".", pos)
	case c == '<', strings.HasPrefix(rest, "!<"):
		panic(expr.Refusef(pos, "%s stands for a token of a model, and for no characters", quote(firstWord(rest))))
	case isNameByte(c):
		n := span(rest, isNameByte)
		r.offset += n
		return placed(expr.To(rest[:n]), pos)
	}
	panic(r.unexpected(`a name, a literal, a class, "." or "("`))
}

// string reads a literal with its escapes, from the quotation mark at the offset past the closing one. It panics with
// an error if no closing mark follows on the line, and where character does.
func (r *readerGBNF) string() *expr.Expr {
	pos := r.here()
	var text strings.Builder
	for r.offset++; ; {
		rest := r.rest()
		if rest == "" || rest[0] == '\n' {
			panic(expr.Errorf(pos, "unclosed literal; it ends on its line, with a \""))
		}
		if rest[0] == '"' {
			r.offset++
			return r.literal(text.String(), pos)
		}
		text.WriteRune(r.character())
	}
}

// digitsOf has the number of hexadecimal digits that follow a backslash and this letter.
var digitsOf = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// character reads a character of a literal or a class, or an escape for one. The text must not be at its end; a
// backslash that is its last byte stands for itself. It panics with the error for an unknown escape, for one that
// lacks digits and for a byte that is not UTF-8, and with a refusal for an escape whose value is above r.last(). A
// character that is no escape may be above it.
func (r *readerGBNF) character() rune {
	rest := r.rest()
	if rest[0] != '\\' || len(rest) < 2 {
		c, size := utf8.DecodeRuneInString(rest)
		if c == utf8.RuneError && size < 2 {
			panic(r.unexpected("a character in UTF-8"))
		}
		r.offset += size
		return c
	}
	n := digitsOf[rest[1]]
	if n == 0 {
		if strings.IndexByte("nrt\\\"[]-^", rest[1]) < 0 {
			panic(r.unexpected(`one of the escapes \n, \r, \t, \x, \u, \U, \\, \", \[, \], \- and \^`))
		}
		r.offset += 2
		return escaped(rest[1])
	}
	digits := rest[2:min(2+n, len(rest))]
	value, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) < n {
		panic(r.unexpected(strconv.Itoa(n) + " hexadecimal digits"))
	}
	if rune(value) > r.last() || value > utf8.MaxRune {
		panic(expr.Refusef(r.here(), "unexpected value %s; expected a code point", quote(rest[:2+n])))
	}
	r.offset += 2 + n
	return rune(value)
}

// class reads a class, from the bracket at the offset past the closing one. Unlike a class of EBNF it may be empty: []
// derives nothing, and [^] every character. It panics with the error if it is not closed on its line, if a range ends
// below its beginning, and where character does.
func (r *readerGBNF) class() *expr.Expr {
	from, pos := r.offset, r.here()
	r.offset++
	not := strings.HasPrefix(r.rest(), "^")
	if not {
		r.offset++
	}
	var ranges runes.Set
	for {
		rest := r.rest()
		if rest == "" || rest[0] == '\n' {
			panic(expr.Errorf(pos, "unclosed %s; a class ends on its line, with a ]", quote(r.text[from:r.offset])))
		}
		if rest[0] == ']' {
			r.offset++
			break
		}
		lo := r.character()
		hi := lo
		if rest := r.rest(); len(rest) > 1 && rest[0] == '-' && rest[1] != ']' { // at the end a "-" is a character
			r.offset++
			at := r.here()
			if hi = r.character(); hi < lo {
				panic(expr.Errorf(at, "unexpected end of a range below its beginning"))
			}
		}
		ranges = append(ranges, runes.Span{Lo: lo, Hi: hi})
	}
	if ranges = ranges.Clean(); not {
		ranges = ranges.Not(r.last())
	}
	return r.set(ranges, r.text[from:r.offset], pos)
}
