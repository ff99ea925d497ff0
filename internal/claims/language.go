package claims

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/octets"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// An rfc is a grammar on which claims are decided.
type rfc struct {
	*subject.Subject
	printed *expr.Grammar // as the file has it, names that are nowhere defined included
	fold    bool          // literals match either case
	memo    map[string]*lang.DFA
	err     error // the first; what is returned after it means nothing
}

// newText returns the grammar of a text. The function on reports whether a reading is on.
func newText(s *subject.Subject, src *bnf.Source, on func(bnf.Reading) bool) *rfc {
	t := &rfc{Subject: s, printed: src.Text, memo: map[string]*lang.DFA{}}
	for _, r := range src.Readings {
		t.fold = t.fold || r.Option == bnf.ExactLiterals && !on(r)
	}
	return t
}

// production returns the strings of the production with this ID.
func (t *rfc) production(id string) *lang.DFA {
	if a := t.memo[id]; a != nil {
		return a
	}
	a, err := lang.FromBNF(t.BNF, id)
	if err != nil {
		t.err = cmp.Or(t.err, err)
		a = lang.Empty()
	}
	t.memo[id] = a
	return a
}

// elsewhere returns the strings of a production of another grammar, which is read by default.
func (t *rfc) elsewhere(grammar, id string) *lang.DFA {
	if a := t.memo[grammar+"/"+id]; a != nil {
		return a
	}
	a := lang.Empty()
	list, err := subject.Load(subject.Version{}, grammar)
	if err == nil {
		if id, err = list[0].Lookup(id); err == nil {
			a, err = lang.FromBNF(list[0].BNF, id)
		}
	}
	if err != nil {
		t.err = cmp.Or(t.err, err)
		return lang.Empty()
	}
	t.memo[grammar+"/"+id] = a
	return a
}

// literal returns the strings that a literal of the grammar with these characters matches.
func (t *rfc) literal(s string) *lang.DFA {
	if !t.fold {
		return lang.OfString(s)
	}
	all := lang.Epsilon()
	for i := range len(s) {
		all = all.Concat(lang.OfSet(expr.Bytes(strings.ToLower(s[i:i+1]) + strings.ToUpper(s[i:i+1]))))
	}
	return all
}

// badEscape returns the strings in which some percent sign is not followed by two hexadecimal digits.
func (t *rfc) badEscape() *lang.DFA {
	hex := lang.OfSet(hexSet)
	good := hex.Concat(hex).Concat(lang.All())
	return lang.All().Concat(lang.OfString("%")).Concat(good.Complement())
}

// ofSchemes returns the strings of every scheme's own production.
func (t *rfc) ofSchemes() *lang.DFA {
	all := lang.Empty()
	for _, s := range t.Schemes {
		all = all.Union(t.production(s.Production))
	}
	return all
}

// afterScheme returns what follows the scheme and the colon in the production of a scheme.
func (t *rfc) afterScheme(id string) *lang.DFA {
	for _, s := range t.Schemes {
		if s.Production == id {
			return t.production(id).Derivative(s.Name + ":")
		}
	}
	t.err = cmp.Or(t.err, fmt.Errorf("%s is the production of no scheme", id))
	return lang.Empty()
}

// common asserts that the production of a scheme has the common syntax after the scheme.
func (t *rfc) common(scheme string) Assertion {
	id := t.SchemeProduction(scheme)
	if id == "" {
		t.err = cmp.Or(t.err, fmt.Errorf("%s has no production of its own", scheme))
		return Assertion{}
	}
	says := "the rest of every " + id + " is an ip-schemepart"
	if t.BNF.Rule("ip-schemepart") == nil {
		says = `the rest of every ` + id + ` is "//", a login, and perhaps a slash and more`
	}
	a := none(says, t.afterScheme(id).Minus(t.commonSyntax()))
	if !a.Holds {
		a.refutation = fmt.Sprintf("(%s): %s is the rest of %s", says, shown(*a.Witness), article(id))
	}
	return a
}

// commonSyntax returns the strings that have the common syntax of IP-based protocols: those of ip-schemepart, where there
// is one.
func (t *rfc) commonSyntax() *lang.DFA {
	if t.BNF.Rule("ip-schemepart") != nil {
		return t.production("ip-schemepart")
	}
	rest := lang.OfString("/").Concat(t.production("xchar").Star())
	return lang.OfString("//").Concat(t.production("login")).Concat(rest.Union(lang.Epsilon()))
}

// encoded returns the strings of a in which one byte of s is replaced by an escape for it, except inside an escape.
func (t *rfc) encoded(a *lang.DFA, s expr.Set) *lang.DFA {
	n := &lang.NFA{States: make([]lang.NFAState, 2*a.States())}
	state := func() int32 {
		n.States = append(n.States, lang.NFAState{})
		return int32(len(n.States) - 1)
	}
	edge := func(from int32, s expr.Set, to int32) {
		n.States[from].Edges = append(n.States[from].Edges, lang.Edge{Set: s, To: to})
	}
	n.Final = state()
	before := func(q int) int32 { return int32(q) }
	after := func(q int) int32 { return int32(a.States() + q) }
	for q := range a.States() {
		for c := range a.Classes() {
			to := a.NextClass(q, c)
			if !a.Live(to) {
				continue
			}
			edge(before(q), a.ClassSet(c), before(to))
			edge(after(q), a.ClassSet(c), after(to))
			for _, x := range a.ClassSet(c).Intersect(s).Members() {
				percent, first := state(), state()
				edge(before(q), expr.Bytes("%"), percent)
				edge(percent, hexDigit(x>>4), first)
				edge(first, hexDigit(x&15), after(to))
			}
		}
		if a.Accepts(q) {
			n.States[after(q)].Epsilon = append(n.States[after(q)].Epsilon, n.Final)
		}
	}
	d, err := n.Determinize(lang.Limits{})
	if err != nil {
		t.err = cmp.Or(t.err, err)
		return lang.Empty()
	}
	return d.Minus(t.badEscape())
}

// hexDigit returns the hexadecimal digits for a number below 16.
func hexDigit(x byte) expr.Set {
	return expr.Bytes("0123456789ABCDEF"[x : x+1]).Union(expr.Bytes("0123456789abcdef"[x : x+1]))
}

// undefined returns the names that a part of the printed text uses and does not define.
func (t *rfc) undefined(part string) []string {
	var names []string
	for _, r := range t.printed.Rules {
		for _, id := range expr.Refs(r.Expr) {
			if r.Part == part && t.printed.Rule(id) == nil && !slices.Contains(names, id) {
				names = append(names, id)
			}
		}
	}
	return names
}

// unused asserts that no production of the part uses the one with this ID.
func (t *rfc) unused(part, id string) Assertion {
	unused := t.printed.Rule(id)
	if unused == nil {
		t.err = cmp.Or(t.err, fmt.Errorf("%s is no production", id))
		return Assertion{}
	}
	a := Assertion{Says: "no production uses " + unused.Name, Holds: true}
	for _, r := range t.printed.Rules {
		if r.Part == part && slices.Contains(expr.Refs(r.Expr), id) {
			a.Holds, a.Witness = false, new(octets.Word(r.Name))
			a.refutation = r.Name + " uses " + unused.Name
		}
	}
	return a
}
