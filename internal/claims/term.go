package claims

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// A term denotes a language. Operators bind in this order, the strongest first:
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
//	$             what the statement is repeated for; in a string it stands for itself there
type term struct {
	op   string // an operator, "name", "literal", "one", "not", "opt", "encoded", "rest", or "concat"
	text string // a name, or the characters of a literal or a set
	sub  []*term
}

// constants has the languages that claims speak of, beside the productions. Their names are in capitals, as no
// production's is.
var constants = map[string]func(*rfc) *lang.DFA{
	"ANY":        func(*rfc) *lang.DFA { return lang.All() },
	"LOWER":      set(expr.Range('a', 'z')),
	"UPPER":      set(expr.Range('A', 'Z')),
	"LETTER":     set(letterSet),
	"DIGIT":      set(digitSet),
	"ALNUM":      set(letterSet.Union(digitSet)),
	"HEX":        set(hexSet),
	"VISIBLE":    set(expr.Range('!', '~')),
	"SPACE":      set(expr.Bytes(" \t\r\n\v\f")),
	"BAD-ESCAPE": (*rfc).badEscape,    // a percent sign that is not followed by two hexadecimal digits
	"COMMON":     (*rfc).commonSyntax, // the common syntax of IP-based protocols, after the scheme
	"SCHEMES":    (*rfc).ofSchemes,    // every scheme's own production
}

var (
	digitSet  = expr.Range('0', '9')
	letterSet = expr.Range('a', 'z').Union(expr.Range('A', 'Z'))
	hexSet    = digitSet.Union(expr.Range('a', 'f')).Union(expr.Range('A', 'F'))
)

func set(s expr.Set) func(*rfc) *lang.DFA { return func(*rfc) *lang.DFA { return lang.OfSet(s) } }

// parseTerm reads a term.
func parseTerm(s string) (*term, error) {
	p := &termParser{rest: s}
	t := p.union(0)
	p.space()
	if p.err == nil && p.rest != "" {
		p.fail("expected an operator or the end")
	}
	return t, p.err
}

const maxDepth = 100 // of brackets and prefix operators

type termParser struct {
	rest string
	err  error
}

func (p *termParser) fail(what string) {
	if p.err == nil {
		p.err = fmt.Errorf("%s at %q", what, p.rest)
	}
	p.rest = ""
}

func (p *termParser) space() { p.rest = strings.TrimLeft(p.rest, " ") }

// token reports whether s is next, and reads it.
func (p *termParser) token(s string) (ok bool) {
	p.space()
	p.rest, ok = strings.CutPrefix(p.rest, s)
	return ok
}

func (p *termParser) union(depth int) *term {
	t := p.meet(depth)
	for p.token("|") {
		t = &term{op: "|", sub: []*term{t, p.meet(depth)}}
	}
	return t
}

func (p *termParser) meet(depth int) *term {
	t := p.sequence(depth)
	for {
		switch {
		case p.token("&"):
			t = &term{op: "&", sub: []*term{t, p.sequence(depth)}}
		case p.token("- "):
			t = &term{op: "-", sub: []*term{t, p.sequence(depth)}}
		default:
			return t
		}
	}
}

func (p *termParser) sequence(depth int) *term {
	list := []*term{p.single(depth)}
	for p.space(); p.rest != "" && !strings.ContainsRune("|&-)],", rune(p.rest[0])); p.space() {
		list = append(list, p.single(depth))
	}
	if len(list) == 1 {
		return list[0]
	}
	return &term{op: "concat", sub: list}
}

func (p *termParser) single(depth int) *term {
	if depth > maxDepth {
		p.fail("too deep")
		return nil
	}
	switch {
	case p.token("*"):
		return &term{op: "*", sub: []*term{p.single(depth + 1)}}
	case p.token("!"):
		return &term{op: "!", sub: []*term{p.single(depth + 1)}}
	case p.token("("):
		return p.until(")", p.union(depth+1))
	case p.token("["):
		return p.until("]", &term{op: "opt", sub: []*term{p.union(depth + 1)}})
	case p.token("$"):
		return &term{op: "name", text: "$"}
	case strings.HasPrefix(p.rest, `"`):
		return &term{op: "literal", text: p.quoted()}
	}
	n := len(p.rest) - len(strings.TrimLeftFunc(p.rest, func(r rune) bool {
		return r == '-' || r == '+' || r == '_' || r == '/' || r == '$' || r < 0x80 && letterSet.Union(digitSet).Has(byte(r))
	}))
	if n == 0 || !letterSet.Has(p.rest[0]) {
		p.fail("expected a term")
		return nil
	}
	name := p.rest[:n]
	p.rest = p.rest[n:]
	if !strings.HasPrefix(p.rest, "(") {
		return &term{op: "name", text: name}
	}
	p.rest = p.rest[1:]
	t := &term{op: name}
	switch name {
	case "one", "not":
		t.text = p.quoted()
	case "rest":
		t.sub = []*term{p.union(depth + 1)}
		if p.err == nil && t.sub[0].op != "name" {
			p.fail("rest() is of a production")
		}
	case "encoded":
		t.sub = []*term{p.union(depth + 1)}
		p.until(",", nil)
		t.sub = append(t.sub, p.union(depth+1))
	default:
		p.fail("there is no " + name + "()")
	}
	return p.until(")", t)
}

// until reads what ends t.
func (p *termParser) until(end string, t *term) *term {
	if !p.token(end) {
		p.fail("expected " + strconv.Quote(end))
	}
	return t
}

// quoted reads a string in quotes.
func (p *termParser) quoted() string {
	q, err := strconv.QuotedPrefix(p.rest)
	if err != nil || q[0] != '"' {
		p.fail("expected a string in quotes")
		return ""
	}
	p.rest = p.rest[len(q):]
	s, _ := strconv.Unquote(q) // a quoted prefix can be unquoted
	return s
}

// A scope is what names stand for in a claim, beside productions and constants.
type scope struct {
	*rfc
	lets map[string]*lang.DFA
	item string // what $ stands for; "" outside a statement that is repeated
}

// of returns the language of t.
func (s *scope) of(t *term) *lang.DFA {
	sub := func(i int) *lang.DFA { return s.of(t.sub[i]) }
	switch t.op {
	case "name":
		return s.named(strings.ReplaceAll(t.text, "$", s.item))
	case "literal":
		text := t.text
		if s.item != "" {
			text = strings.ReplaceAll(text, "$", s.item)
		}
		return s.literal(text)
	case "one":
		return lang.OfSet(expr.Bytes(t.text))
	case "not":
		return lang.OfSet(expr.Bytes(t.text).Complement())
	case "opt":
		return sub(0).Union(lang.Epsilon())
	case "*":
		return sub(0).Star()
	case "!":
		return sub(0).Complement()
	case "|":
		return sub(0).Union(sub(1))
	case "&":
		return sub(0).Intersect(sub(1))
	case "-":
		return sub(0).Minus(sub(1))
	case "encoded":
		return s.encoded(sub(0), bytesOf(sub(1)))
	case "rest":
		return s.afterScheme(strings.ReplaceAll(t.sub[0].text, "$", s.item))
	}
	all := lang.Epsilon()
	for _, x := range t.sub {
		all = all.Concat(s.of(x))
	}
	return all
}

// named returns the language that a name stands for.
func (s *scope) named(name string) *lang.DFA {
	if a := s.lets[name]; a != nil {
		return a
	}
	if f := constants[name]; f != nil {
		return f(s.rfc)
	}
	if grammar, id, ok := strings.Cut(name, "/"); ok {
		return s.elsewhere(grammar, id)
	}
	return s.production(name)
}

// bytesOf returns the bytes that are strings of a.
func bytesOf(a *lang.DFA) (s expr.Set) {
	for x := range 256 {
		if a.Accepts(a.Next(0, byte(x))) {
			s.Add(byte(x))
		}
	}
	return s
}
