package bnf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A readerABNF reads one production, or one right-hand side, of RFC 5234 section 4 with the quoted strings of RFC 7405 and
// the lists of RFC 7230 section 7. It looks at each byte once.
type readerABNF struct {
	reading
	lexerABNF
	token tokenABNF   // the one at hand
	open  []tokenABNF // the brackets that are not closed yet
}

func newReaderABNF(p printed, n reading) (*readerABNF, error) {
	r := &readerABNF{reading: n, lexerABNF: lexerABNF{text: p.text, pos: p.pos, note: n.note()}}
	return r, r.next()
}

func (r *readerABNF) next() (err error) {
	r.token, err = r.scan()
	return err
}

// quoteMark is the quote character, as RFC 822 and RFC 2616 write it. They have a production of that name, too.
const quoteMark = `<">`

// production = name ( "=" / "=/" ) alternatives
func readProductionABNF(p printed, n reading) (production, error) {
	r, err := newReaderABNF(p, n)
	if err != nil {
		return production{}, err
	}
	name := r.token
	if inner, ok := proseName(name.text); ok && name.kind == proseToken {
		name.kind, name.text = nameToken, inner
	}
	if name.kind != nameToken && name.text != quoteMark {
		return production{}, r.unexpected("a name")
	}
	if err := r.next(); err != nil {
		return production{}, err
	}
	sign, behind := r.token, r.at
	if sign.kind != '=' && sign.kind != addsToken {
		return production{}, r.unexpected(`"=" or "=/"`)
	}
	r.noteUnderscore(name)
	r.skip()
	if comment := strings.Trim(p.text[behind:], "; \t\r\n"); r.at == len(p.text) && comment != "" && r.ProseNames { // which is all there is
		prose := "<" + strings.Join(strings.Fields(strings.ReplaceAll(comment, ";", " ")), " ") + ">"
		n.note().add(commentNotice, sign.pos, prose)
		return production{name.text, sign.kind == addsToken, placed(expr.To(prose), sign.pos)}, nil
	}
	e, err := r.rightHandSide()
	return production{name.text, sign.kind == addsToken, e}, inProduction(name.text, err)
}

func readRightABNF(p printed, n reading) (*expr.Expr, error) {
	r, err := newReaderABNF(p, n)
	if err != nil {
		return nil, err
	}
	return r.alone()
}

func (r *readerABNF) rightHandSide() (*expr.Expr, error) {
	if err := r.next(); err != nil {
		return nil, err
	}
	return r.alone()
}

// alone reads alternatives up to the end of the text.
func (r *readerABNF) alone() (*expr.Expr, error) {
	e, err := r.alternatives(endToken)
	if err == nil && r.token.kind != endToken {
		err = r.unexpectedAfter(endToken)
	}
	return e, err
}

// alternatives = concatenation *( "/" concatenation )
func (r *readerABNF) alternatives(shut kindABNF) (*expr.Expr, error) {
	var alts []*expr.Expr
	for {
		e, err := r.concatenation(shut)
		if err != nil {
			return nil, err
		}
		alts = append(alts, e)
		switch r.token.kind {
		case '|':
			r.lexerABNF.note.add(barNotice, r.token.pos, "")
		case '/':
		default:
			return expr.Or(alts...), nil
		}
		if err := r.next(); err != nil {
			return nil, err
		}
	}
}

// concatenation = 1*( [ count ] element )
func (r *readerABNF) concatenation(shut kindABNF) (*expr.Expr, error) {
	var seq []*expr.Expr
	for {
		switch r.token.kind {
		case nameToken, quotedToken, valueToken, proseToken, countToken, listToken, '(', '[':
		default:
			switch {
			case len(seq) == 0:
				return nil, r.unexpected(`a name, a quoted string, a value, a count, "(" or "["`)
			case r.token.kind != shut && r.token.kind != '/' && r.token.kind != '|':
				return nil, r.unexpectedAfter(shut)
			}
			return expr.Cat(seq...), nil
		}
		e, err := r.repetition()
		if err != nil {
			return nil, err
		}
		seq = append(seq, e)
	}
}

func (r *readerABNF) repetition() (*expr.Expr, error) {
	count := r.token
	if count.kind != countToken && count.kind != listToken {
		return r.element()
	}
	if err := r.next(); err != nil {
		return nil, err
	}
	e, err := r.element()
	switch {
	case err != nil:
		return nil, err
	case count.kind == listToken:
		return r.list(e, count)
	}
	return repeat(e, count.text, count.pos)
}

func (r *readerABNF) element() (e *expr.Expr, err error) {
	t := r.token
	switch t.kind {
	case nameToken:
		r.noteUnderscore(t)
		e = expr.To(t.text)
	case quotedToken:
		e = quotedABNF(t.text, t.pos)
	case valueToken:
		e, err = r.value(t)
	case proseToken:
		switch {
		case t.text == quoteMark:
			e = expr.Lit(`"`)
		case r.ProseNames:
			e = r.described(t)
		default:
			return nil, proseAt(t.pos, t.text)
		}
	case '(', '[':
		return r.group()
	default:
		return nil, r.unexpected(`a name, a quoted string, a value, "(" or "["`)
	}
	if err == nil {
		err = r.next()
	}
	if err != nil {
		return nil, err
	}
	return placed(e, t.pos), nil
}

// group = "(" alternatives ")" / "[" alternatives "]"
func (r *readerABNF) group() (*expr.Expr, error) {
	open, shut := r.token, kindABNF(')')
	if open.kind == '[' {
		shut = ']'
	}
	if r.open = append(r.open, open); len(r.open) > maxNesting {
		return nil, expr.Refusef(open.pos, "brackets are nested more than %d deep", maxNesting)
	}
	if err := r.next(); err != nil {
		return nil, err
	}
	e, err := r.alternatives(shut)
	if err != nil {
		return nil, err
	}
	r.open = r.open[:len(r.open)-1]
	if open.kind == '[' {
		e = placed(expr.Opt(e), open.pos)
	}
	return e, r.next()
}

func (r *readerABNF) noteUnderscore(name tokenABNF) {
	if strings.Contains(name.text, "_") {
		r.lexerABNF.note.add(underscoreNotice, name.pos, name.text)
	}
}

// unexpected is the error for the token at hand.
func (r *readerABNF) unexpected(expected string) error {
	return expr.Errorf(r.token.pos, "unexpected %s; expected %s", r.token, expected)
}

// unexpectedAfter is the error for a token that cannot stand behind an element, where shut would end the alternatives.
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
	return &expr.Error{Pos: pos, Message: fmt.Sprintf("unexpected prose %q, which says nothing to a program", prose), Refused: true, Prose: true}
}

// inProduction names the production that an error refuses.
func inProduction(name string, err error) error {
	if e, ok := errors.AsType[*expr.Error](err); ok && e.Refused {
		e.Production = name
	}
	return err
}

// quotedABNF reads a quoted string: either case unless it begins with %s (RFC 7405 section 2.1).
func quotedABNF(quoted string, pos expr.Pos) *expr.Expr {
	kind, text, _ := strings.Cut(quoted, `"`)
	e := placed(expr.Lit(strings.TrimSuffix(text, `"`)), pos)
	if strings.EqualFold(kind, "%s") {
		return e
	}
	return fold(e)
}

// value reads %x41, %x41-5A and %x41.42 (RFC 5234 sections 2.3 and 3.4).
func (r *readerABNF) value(t tokenABNF) (*expr.Expr, error) {
	base := map[byte]int{'b': 2, 'd': 10, 'x': 16}[t.text[1]|0x20]
	number := func(digits string) (rune, error) {
		n, err := strconv.ParseUint(digits, base, 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			return 0, expr.Errorf(t.pos, "unexpected %q in %q; expected a number to base %d", digits, t.text, base)
		case n > utf8.MaxRune:
			return 0, expr.Refusef(t.pos, "unexpected value %q; expected one up to %%x10FFFF, the last code point", t.text)
		case n > 255 && !r.codePoints && r.Values == Octets:
			return 0, expr.Refusef(t.pos, "unexpected value %q; expected one up to 255: terminals are octets, as asked for; --values code-points reads values as code points", t.text)
		case n > 255 && !r.codePoints && !r.detects():
			return 0, expr.Refusef(t.pos, "unexpected value %q; expected one up to 255, since the document has octets; --values code-points reads values as code points", t.text)
		case n > 255 && !r.codePoints:
			r.state.wide = true
		}
		return rune(n), nil
	}
	digits := t.text[2:]
	if first, last, ok := strings.Cut(digits, "-"); ok {
		lo, err := number(first)
		if err != nil {
			return nil, err
		}
		hi, err := number(last)
		switch {
		case err != nil:
			return nil, err
		case lo > hi:
			return nil, expr.Errorf(t.pos, "unexpected range %q; expected its first value not to be above its last", t.text)
		}
		return r.characters(t, lo, hi), nil
	}
	var text []byte
	var only *expr.Expr
	for d := range strings.SplitSeq(digits, ".") {
		c, err := number(d)
		switch {
		case err != nil:
			return nil, err
		case !r.codePoints:
			text = append(text, byte(c))
		case isSurrogate(c):
			only = r.characters(t, c, c)
		default:
			text = utf8.AppendRune(text, c)
		}
	}
	if only != nil { // a string with a surrogate in it is no text
		return only, nil
	}
	return expr.Lit(string(text)), nil
}
