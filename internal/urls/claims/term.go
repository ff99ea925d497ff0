package claims

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// constants has the terms of languages that claims speak of, besides the productions. Their names are in capitals, as
// no production's is.
var constants = map[string]string{
	"ANY":        `*not("")`,
	"LOWER":      `one("abcdefghijklmnopqrstuvwxyz")`,
	"UPPER":      `one("ABCDEFGHIJKLMNOPQRSTUVWXYZ")`,
	"LETTER":     `LOWER | UPPER`,
	"DIGIT":      `one("0123456789")`,
	"ALNUM":      `LETTER | DIGIT`,
	"HEX":        `DIGIT | one("abcdefABCDEF")`,
	"VISIBLE":    `ALNUM | one("!\"#$%&'()*+,-./:;<=>?@[\\]^_\x60{|}~")`,
	"SPACE":      `one(" \t\r\n\v\f")`,
	"BAD-ESCAPE": `ANY "%" !( HEX HEX ANY )`, // a percent sign that is not followed by two hexadecimal digits
}

// languageOfTerm returns the language that a term denotes. Operators bind in this order, the strongest first:
//
//	*x  !x        any number of x one after the other; the strings that are not in x
//	x y           one after the other
//	x & y  x - y  the strings in both; those in x that are not in y
//	x | y         the strings in either
//
// The smallest terms are
//
//	hostport      a production by its ID, or a name of [constants] or of a let
//	rfc2396/host  a production of another grammar
//	"://"         a string, which is read as the grammar reads its own literals
//	one("+-.")    each of these characters
//	not("+-.")    each octet but these
//	( x )  [ x ]  x; x or the empty string
//	encoded(x,y)  the strings of x with one of the characters y encoded, but for those inside an escape
//	rest(httpurl) what follows the scheme and the colon in the production of a scheme
//
// In a statement that is repeated, each $ is first replaced by the text of t.item, also inside strings. In any other
// a $ can stand only in a string, for itself.
//
// A term that is malformed, or has an unknown name, is an error in t.err; the language then means nothing.
func (t *rfc) languageOfTerm(text string) *lang.DFA {
	if t.item != "" {
		text = strings.ReplaceAll(text, "$", t.item)
	}
	p := &terms{rfc: t, rest: text}
	a := p.readUnion()
	p.skipSpace()
	if p.rest != "" {
		p.failExpected("an operator or the end")
	}
	return a
}

// terms reads a term and computes its language, with a method for each precedence of operators, the weakest first:
// union, intersection, sequence and unary. Each reads as much as it can of rest.
type terms struct {
	*rfc
	rest string // the part of the term that has not been read; "" after an error
}

// failExpected records the error that the next text is not what was expected, and drops the rest of the term.
// It returns a meaningless language for the caller to return.
func (p *terms) failExpected(what string) *lang.DFA {
	p.recordError(fmt.Errorf("expected %s at %q", what, p.rest))
	p.rest = ""
	return lang.Empty()
}

// skipSpace reads the spaces that are next.
func (p *terms) skipSpace() { p.rest = strings.TrimLeft(p.rest, " ") }

// takeToken skips spaces in any case, and reads s if it is next. It reports whether it was.
func (p *terms) takeToken(s string) (ok bool) {
	p.skipSpace()
	p.rest, ok = strings.CutPrefix(p.rest, s)
	return ok
}

// expectToken reads the token that must follow, and returns a unchanged. If another is there it does as failExpected.
func (p *terms) expectToken(a *lang.DFA, by string) *lang.DFA {
	if !p.takeToken(by) {
		return p.failExpected(strconv.Quote(by))
	}
	return a
}

// readUnion reads terms with | between them, and returns their union.
func (p *terms) readUnion() *lang.DFA {
	a := p.readIntersection()
	for p.takeToken("|") {
		a = a.Union(p.readIntersection())
	}
	return a
}

// readIntersection reads terms with & and - between them, and computes from the left. A blank follows each -, since
// names have hyphens.
func (p *terms) readIntersection() *lang.DFA {
	a := p.readSequence()
	for {
		switch {
		case p.takeToken("&"):
			a = a.Intersect(p.readSequence())
		case p.takeToken("- "):
			a = a.Minus(p.readSequence())
		default:
			return a
		}
	}
}

// readSequence reads at least one term, and others after it up to a weaker operator, a comma, a closing bracket or
// the end.
func (p *terms) readSequence() *lang.DFA {
	a := p.readUnary()
	for p.skipSpace(); p.rest != "" && !strings.ContainsRune("|&-)],", rune(p.rest[0])); p.skipSpace() {
		a = a.Concat(p.readUnary())
	}
	return a
}

// readUnary skips spaces and reads a smallest term, with the operators in front of it.
func (p *terms) readUnary() *lang.DFA {
	switch {
	case p.takeToken("*"):
		return p.readUnary().Star()
	case p.takeToken("!"):
		return p.readUnary().Complement()
	case p.takeToken("("):
		return p.expectToken(p.readUnion(), ")")
	case p.takeToken("["):
		return p.expectToken(p.readUnion().Union(lang.Epsilon()), "]")
	case strings.HasPrefix(p.rest, `"`): // takeToken has skipped the spaces
		return p.literalLanguage(p.takeQuoted())
	case p.takeToken(`one("`):
		p.rest = `"` + p.rest
		return p.expectToken(lang.OfSet(expr.Bytes(p.takeQuoted())), ")")
	case p.takeToken(`not("`):
		p.rest = `"` + p.rest
		return p.expectToken(lang.OfSet(expr.Bytes(p.takeQuoted()).Complement()), ")")
	case p.takeToken("encoded("):
		x := p.expectToken(p.readUnion(), ",")
		return p.withOneEncoded(x, p.expectToken(p.readUnion(), ")"))
	case p.takeToken("rest("):
		name, _, _ := strings.Cut(p.rest, ")")
		p.rest = p.rest[len(name):]
		return p.expectToken(p.afterScheme(name), ")")
	}
	// A name ends at what no name of a production has; the blank stands for the end of the text.
	n := strings.IndexFunc(p.rest+" ", func(r rune) bool {
		return !strings.ContainsRune("-+_/", r) && !strings.ContainsAny(string(r), "0123456789") &&
			(r|0x20 < 'a' || 'z' < r|0x20)
	})
	if n == 0 {
		return p.failExpected("a term")
	}
	name := p.rest[:n]
	p.rest = p.rest[n:]
	return p.languageNamed(name)
}

// takeQuoted reads the string in quotes with which p.rest begins, as Go has them, and returns its value; "" after an
// error. It skips no spaces.
func (p *terms) takeQuoted() string {
	q, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		p.failExpected("a string in quotes")
		return ""
	}
	p.rest = p.rest[len(q):]
	s, _ := strconv.Unquote(q) // a quoted prefix can be unquoted
	return s
}

// languageNamed returns the language that a name stands for: that of a let, or else of a constant or production,
// which is computed once.
func (t *rfc) languageNamed(name string) *lang.DFA {
	if a := t.lets[name]; a != nil {
		return a
	}
	if a := t.memo[name]; a != nil {
		return a
	}
	t.memo[name] = t.computeNamed(name)
	return t.memo[name]
}

// computeNamed is languageNamed for a name not known yet: a constant, or the strings of a production of this
// grammar, or of another one as it is read by default. An unknown name, or a limit that is passed, sets t.err, and
// the language is empty.
func (t *rfc) computeNamed(name string) *lang.DFA {
	if term := constants[name]; term != "" {
		return (&terms{rfc: t, rest: term}).readUnion()
	}
	of, id := t.BNF, name
	if other, in, ok := strings.Cut(name, "/"); ok {
		s, err := t.otherGrammar(other)
		if err == nil {
			of = s.BNF
			id, err = s.Lookup(in)
		}
		if err != nil {
			t.recordError(err)
			return lang.Empty()
		}
	}
	a, err := t.languageOf(of, id)
	if err != nil {
		t.recordError(err)
		return lang.Empty()
	}
	return a
}

// otherGrammar returns another grammar that is built in, as it is read by default. It loads each once, within the
// budget of this one. It fails for an unknown name.
func (t *rfc) otherGrammar(name string) (*catalog.Subject, error) {
	if s := t.others[name]; s != nil {
		return s, nil
	}
	list, err := catalog.Load(catalog.Version{Budget: t.BNF.Budget}, name)
	if err != nil {
		return nil, err
	}
	t.others[name] = list[0]
	return list[0], nil
}

// languageOf returns the language of a production of g, as [lang.FromBNF] does, and fails for an unknown name or as
// that does. It remembers what it has computed for each grammar, since many of its productions are asked for.
func (t *rfc) languageOf(g *expr.Grammar, name string) (*lang.DFA, error) {
	r, err := g.Lookup(name)
	if err != nil {
		return nil, err
	}
	l := t.languages[g]
	if l == nil {
		l = &languages{space: lang.NewSpace(lang.Limits{}, []*expr.Grammar{g})}
		if l.bnf, err = l.space.BNF(g); err != nil {
			return nil, err
		}
		t.languages[g] = l
	}
	return l.space.DFAOf(l.bnf.Of(r.ID))
}

// literalLanguage returns the strings that a literal of the grammar with these bytes matches: the bytes alone, or
// also with letters of ASCII in the other case if the grammar reads its literals so.
func (t *rfc) literalLanguage(s string) *lang.DFA {
	if !t.fold {
		return lang.OfString(s)
	}
	all := lang.Epsilon()
	for i, x := range []byte(s) {
		set := expr.Bytes(s[i : i+1])
		if lower := x | 0x20; 'a' <= lower && lower <= 'z' {
			set = expr.Bytes(string([]byte{lower, lower &^ 0x20}))
		}
		all = all.Concat(lang.OfSet(set))
	}
	return all
}

// afterScheme returns the part of a scheme's production that follows the scheme and the colon. The ID of any other
// production sets t.err, and the result is then empty.
func (t *rfc) afterScheme(id string) *lang.DFA {
	for _, s := range t.Schemes {
		if s.Production == id {
			return t.languageNamed(id).Derivative(s.Name + ":")
		}
	}
	t.recordError(fmt.Errorf("%s is the production of no scheme", id))
	return lang.Empty()
}

// withOneEncoded returns the strings of a with exactly one byte, a string of free, replaced by an escape for it, whose
// digits are in either case. A string of a without such a byte gives nothing. A byte of an escape in a is replaced as
// well, but strings that then have a malformed escape are not in the result; nor are those of a that have one of their
// own. A "%" in free is encoded too. A limit that is passed sets t.err, and the result is then empty.
func (t *rfc) withOneEncoded(a, free *lang.DFA) *lang.DFA {
	// Each state of a is there twice: before and after the byte that is encoded.
	n := &lang.NFA{States: make([]lang.NFAState, 2*a.States())}
	hexDigit := func(x byte) expr.Set { return expr.Bytes("0123456789ABCDEF"[x:x+1] + "0123456789abcdef"[x:x+1]) }
	n.Final = n.State()
	for q := range a.States() {
		before, after := int32(q), int32(a.States()+q)
		for _, e := range a.Edges(q) {
			n.Read(before, e.Set, e.To)
			n.Read(after, e.Set, int32(a.States())+e.To)
			for _, x := range e.Set.Members() {
				if free.Accepts(free.Next(0, x)) {
					percent, first := n.State(), n.State()
					n.Read(before, expr.Bytes("%"), percent)
					n.Read(percent, hexDigit(x>>4), first)
					n.Read(first, hexDigit(x&15), int32(a.States())+e.To)
				}
			}
		}
		if a.Accepts(q) {
			n.Silent(after, n.Final)
		}
	}
	d, err := n.Determinize(lang.Limits{})
	if err != nil {
		t.recordError(err)
		return lang.Empty()
	}
	return d.Minus(t.languageNamed("BAD-ESCAPE"))
}
