package bnf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A readerABNF reads one production, or one right-hand side, of RFC 5234 section 4 with the quoted strings of RFC
// 7405 and the lists of RFC 7230 section 7. It looks at each byte once.
type readerABNF struct {
	reading
	lexerABNF
	token tokenABNF   // the one at hand
	open  []tokenABNF // the brackets that are not closed yet
}

// newReaderABNF returns a reader with the first token at hand. Like next it panics with an error for the first text
// that begins no token.
func newReaderABNF(p printed, n reading) *readerABNF {
	r := &readerABNF{reading: n, lexerABNF: lexerABNF{text: p.text, pos: p.pos, from: p.from, note: n.note()}}
	r.next()
	return r
}

// next goes to the next token, and panics with an error if there is none.
func (r *readerABNF) next() {
	var err error
	if r.token, err = r.scan(); err != nil {
		panic(err)
	}
}

// quoteMark is the quote character, as RFC 822 and RFC 2616 write it. They have a production of that name, too.
const quoteMark = `<">`

// readProductionABNF reads one production, name ( "=" / "=/" ) alternatives. The name may stand in angle brackets,
// and quoteMark is one, too; a "_" in it is noticed. With ProseNames, a comment that is all of the right-hand side
// becomes prose, which is noticed. After an error on the right-hand side made has the name and adds; after an earlier
// one it is empty.
func readProductionABNF(p printed, n reading) (made production, err error) {
	defer made.inError(&err)
	defer expr.Catch(&err)
	r := newReaderABNF(p, n)
	name := r.token
	if inner, ok := proseName(name.text); ok && name.kind == proseToken {
		name.kind, name.text = nameToken, inner
	}
	if name.kind != nameToken && name.text != quoteMark {
		panic(r.unexpected("a name"))
	}
	r.next()
	sign, behind := r.token, r.at
	if sign.kind != '=' && sign.kind != addsToken {
		panic(r.unexpected(`"=" or "=/"; a line that goes on with a production is indented`))
	}
	r.noteUnderscore(name)
	r.skip()
	// A comment is all that follows the sign.
	if comment := strings.Trim(p.text[behind:], "; \t\r\n"); r.at == len(p.text) && comment != "" && r.ProseNames {
		prose := "<" + strings.Join(strings.Fields(strings.ReplaceAll(comment, ";", " ")), " ") + ">"
		n.note().add(commentNotice, sign.pos, prose)
		return production{name.text, sign.kind == addsToken, placed(expr.To(prose), sign.pos)}, nil
	}
	made.name, made.adds = name.text, sign.kind == addsToken
	r.next()
	made.right = r.whole()
	return made, nil
}

// readRightABNF reads a right-hand side without a name.
func readRightABNF(p printed, n reading) (e *expr.Expr, err error) {
	defer expr.Catch(&err)
	return newReaderABNF(p, n).whole(), nil
}

// whole reads alternatives up to the end of the text.
func (r *readerABNF) whole() *expr.Expr {
	e := r.alternatives(endToken)
	if r.token.kind != endToken {
		panic(r.unexpectedAfter(endToken))
	}
	return e
}

// alternatives reads up to the token shut, which it leaves; endToken stands for the end of the production. A "|"
// counts as "/", with a notice: alternatives = concatenation *( "/" concatenation ). It panics as concatenation does.
func (r *readerABNF) alternatives(shut kindABNF) *expr.Expr {
	var alts []*expr.Expr
	for {
		alts = append(alts, r.concatenation(shut))
		switch r.token.kind {
		case '|':
			r.lexerABNF.note.add(barNotice, r.token.pos, "")
		case '/':
		default:
			return expr.Or(alts...)
		}
		r.next()
	}
}

// concatenation reads 1*( [ count ] element ) up to "/", "|" or the token shut, which it leaves. It panics with the
// error if there is no element, or another token follows, and as repetition does.
func (r *readerABNF) concatenation(shut kindABNF) *expr.Expr {
	var seq []*expr.Expr
	for {
		switch r.token.kind {
		case nameToken, quotedToken, valueToken, proseToken, countToken, listToken, '(', '[':
		default:
			switch {
			case len(seq) == 0:
				panic(r.unexpected(`a name, a quoted string, a value, a count, "(" or "["`))
			case r.token.kind != shut && r.token.kind != '/' && r.token.kind != '|':
				panic(r.unexpectedAfter(shut))
			}
			return expr.Cat(seq...)
		}
		seq = append(seq, r.repetition())
	}
}

// asHex matches what follows the 0 of a character, or of two with a hyphen between them, as programming languages
// write it.
var asHex = pattern(`^x[0-9A-Fa-f]+(-(0x)?[0-9A-Fa-f]+)?$`)

// repetition reads an element with the count before it, if there is one, and returns the element, its repetition, or
// the list that 1#element means. It notices 0x41, which repeats x41 and is probably meant as a character. It panics
// with the error if nothing follows the count, and as element, bounds and list do.
func (r *readerABNF) repetition() *expr.Expr {
	count := r.token
	if count.kind != countToken && count.kind != listToken {
		return r.element()
	}
	if r.next(); r.token.kind == endToken || r.token.kind == '/' || r.token.kind == '|' {
		panic(expr.Errorf(count.pos,
			"unexpected %s with nothing behind it; a count stands in front of what it repeats", count))
	}
	if name := r.token.text; count.text == "0" && asHex().MatchString(name) {
		r.lexerABNF.note.add(hexNotice, count.pos, name)
	}
	e := r.element()
	if count.kind == listToken {
		return r.list(e, count)
	}
	return repeat(e, count.text, count.pos)
}

// element reads a name, a quoted string, a value, prose or a group, and goes past it. A "_" in the name is noticed.
// If ProseNames is set, prose becomes what described returns for it; otherwise only quoteMark is read, and other
// prose is refused. element panics with the error for any other token, and as value and group do.
func (r *readerABNF) element() (e *expr.Expr) {
	t := r.token
	switch t.kind {
	case nameToken:
		r.noteUnderscore(t)
		e = expr.To(t.text)
	case quotedToken:
		e = quotedABNF(t.text, t.pos)
	case valueToken:
		e = r.value(t)
	case proseToken:
		switch {
		case t.text == quoteMark:
			e = expr.Lit(`"`)
		case r.ProseNames:
			e = r.described(t)
		default:
			panic(proseAt(t.pos, t.text))
		}
	case '(', '[':
		return r.group()
	default:
		panic(r.unexpected(`a name, a quoted string, a value, "(" or "["`))
	}
	r.next()
	return placed(e, t.pos)
}

// group reads a group or an option, from the opening bracket, which is the token at hand, past the closing one: group
// = "(" alternatives ")" / "[" alternatives "]". It panics with a refusal if brackets nest more than maxNesting deep,
// with the error if the closing bracket is missing, and as alternatives does.
func (r *readerABNF) group() *expr.Expr {
	open, shut := r.token, kindABNF(')')
	if open.kind == '[' {
		shut = ']'
	}
	if r.open = append(r.open, open); len(r.open) > maxNesting {
		panic(expr.Refusef(open.pos, "brackets are nested more than %d deep", maxNesting))
	}
	r.next()
	e := r.alternatives(shut)
	r.open = r.open[:len(r.open)-1]
	if open.kind == '[' {
		e = placed(expr.Opt(e), open.pos)
	}
	r.next()
	return e
}

// noteUnderscore notices a name with "_", which RFC 5234 does not have.
func (r *readerABNF) noteUnderscore(name tokenABNF) {
	if strings.Contains(name.text, "_") {
		r.lexerABNF.note.add(underscoreNotice, name.pos, name.text)
	}
}

// unexpected returns the error for the token at hand; expected says what may stand there.
func (r *readerABNF) unexpected(expected string) error {
	return expr.Errorf(r.token.pos, "unexpected %s; expected %s", r.token, expected)
}

// unexpectedAfter returns the error for a token that cannot follow an element, in alternatives that the token shut
// ends. At the end of the production, the error is that the innermost open bracket is not closed, and has the place
// of that.
func (r *readerABNF) unexpectedAfter(shut kindABNF) error {
	if n := len(r.open); n > 0 && r.token.kind == endToken { // what is missing is farther up
		return expr.Errorf(r.open[n-1].pos, "unclosed %s; expected \"%c\" before the %s", r.open[n-1], shut, r.token)
	}
	switch shut {
	case ')':
		return r.unexpected(`a name, a quoted string, a value, a count, "(", ")", "[" or "/"`)
	case ']':
		return r.unexpected(`a name, a quoted string, a value, a count, "(", "[", "]" or "/"`)
	}
	return r.unexpected(`a name, a quoted string, a value, a count, "(", "[", "/" or the end of the production`)
}

// proseAt is the error for a description in angle brackets.
func proseAt(pos expr.Pos, prose string) error {
	return &expr.Error{
		Pos: pos, Message: fmt.Sprintf("unexpected prose %q, which says nothing to a program", prose),
		Refused: true, Prose: true,
	}
}

// inError enters p's name in *err, if that is a refusal, as the production that the refusal is about; other errors stay
// as they are. Defer it before expr.Catch is deferred, so that *err is set when it runs.
func (p *production) inError(err *error) {
	if e, ok := errors.AsType[*expr.Error](*err); ok && e.Refused {
		e.Production = p.name
	}
}

// quotedABNF returns the expression for a quoted string, which has its quotation marks and perhaps %s or %i before
// them. Its letters match either case, unless it begins with %s (RFC 7405 section 2.1).
func quotedABNF(quoted string, pos expr.Pos) *expr.Expr {
	kind, text, _ := strings.Cut(quoted, `"`)
	e := placed(expr.Lit(strings.TrimSuffix(text, `"`)), pos)
	if strings.EqualFold(kind, "%s") {
		return e
	}
	return foldLiterals(e)
}

// value returns the expression that t stands for, a value such as %x41, %x41-5A or %x41.42 (RFC 5234 sections 2.3 and
// 3.4). It moves past no token. A value above the last code point is refused, and so is one above 255, unless values
// are code points, or may turn out to be: then it sets r.state.wide, and ReadDocument reads everything again. Where
// values are code points, a range leaves surrogates out, and a string with one derives nothing, as a whole; either is
// noticed. value panics with the error for digits of another base, a range that ends below its beginning and a value
// that is refused.
func (r *readerABNF) value(t tokenABNF) *expr.Expr {
	base := map[byte]int{'b': 2, 'd': 10, 'x': 16}[t.text[1]|0x20]
	number := func(digits string) rune {
		n, err := strconv.ParseUint(digits, base, 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			panic(expr.Errorf(t.pos, "unexpected %q in %q; expected a number to base %d", digits, t.text, base))
		case n > utf8.MaxRune:
			panic(expr.Refusef(t.pos, "unexpected value %q; expected one up to %%x10FFFF, the last code point", t.text))
		case n > 255 && !r.codePoints && r.Values == Octets:
			panic(expr.Refusef(t.pos,
				"unexpected value %q; expected one up to 255: terminals are octets, as asked for; --values "+
					"code-points reads values as code points", t.text))
		case n > 255 && !r.codePoints && !r.detects():
			panic(expr.Refusef(t.pos,
				"unexpected value %q; expected one up to 255, since the document has octets; --values code-points "+
					"reads values as code points", t.text))
		case n > 255 && !r.codePoints:
			r.state.wide = true
		}
		return rune(n)
	}
	digits := t.text[2:]
	if first, last, ok := strings.Cut(digits, "-"); ok {
		lo, hi := number(first), number(last)
		if lo > hi {
			panic(expr.Errorf(t.pos, "unexpected range %q; expected its first value not to be above its last", t.text))
		}
		return r.characters(t, lo, hi)
	}
	var text []byte
	var only *expr.Expr
	for d := range strings.SplitSeq(digits, ".") {
		c := number(d)
		switch {
		case !r.codePoints:
			text = append(text, byte(c))
		case firstSurrogate <= c && c <= lastSurrogate:
			only = r.characters(t, c, c)
		default:
			text = utf8.AppendRune(text, c)
		}
	}
	if only != nil { // a string with a surrogate in it is no text
		return only
	}
	return expr.Lit(string(text))
}
