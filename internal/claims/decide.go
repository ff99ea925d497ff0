package claims

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// A kind is a kind of statement, and how it is decided.
type kind struct {
	name     string
	operands int  // terms
	listed   bool // a line of strings follows them
	optional bool // or does not
	decide   func(t *rfc, says string, of []*lang.DFA, words []string) []Assertion
}

// kinds has the relations between languages, and after them what is no relation and needs code of its own. Those word
// themselves: what stands after the colon are their arguments.
var kinds = []kind{
	{name: "subset", operands: 2, decide: func(_ *rfc, says string, of []*lang.DFA, _ []string) []Assertion {
		return []Assertion{none(says, of[0].Minus(of[1]))}
	}},
	{name: "disjoint", operands: 2, decide: func(_ *rfc, says string, of []*lang.DFA, _ []string) []Assertion {
		return []Assertion{none(says, of[0].Intersect(of[1]))}
	}},
	{name: "equal", operands: 2, decide: func(_ *rfc, says string, of []*lang.DFA, _ []string) []Assertion {
		return []Assertion{none(says, of[0].SymmetricDifference(of[1]))}
	}},
	{name: "none", operands: 1, decide: func(_ *rfc, says string, of []*lang.DFA, _ []string) []Assertion {
		return []Assertion{none(says, of[0])}
	}},
	{name: "some", operands: 1, decide: func(_ *rfc, says string, of []*lang.DFA, _ []string) []Assertion {
		return []Assertion{{Says: says, Holds: !of[0].IsEmpty()}}
	}},
	{name: "accepts", operands: 1, listed: true, decide: func(_ *rfc, says string, of []*lang.DFA, words []string) []Assertion {
		return []Assertion{accepts(says, of[0], words...)}
	}},
	{name: "rejects", operands: 1, listed: true, decide: func(_ *rfc, says string, of []*lang.DFA, words []string) []Assertion {
		return []Assertion{accepts(says, of[0].Complement(), words...)}
	}},

	{name: "printed", operands: 1, listed: true, optional: true, decide: func(t *rfc, _ string, of []*lang.DFA, illegal []string) []Assertion {
		return t.prints(of[0], illegal...)
	}},
	{name: "partial-forms", decide: func(*rfc, string, []*lang.DFA, []string) []Assertion { return partialForms() }},
	{name: "unused", decide: func(t *rfc, arguments string, _ []*lang.DFA, _ []string) []Assertion {
		part, id, ok := strings.Cut(arguments, " ")
		if !ok {
			part, id = "", part
		}
		return []Assertion{t.unused(part, id)}
	}},
	{name: "described", decide: func(t *rfc, part string, _ []*lang.DFA, _ []string) []Assertion {
		a := Assertion{Says: "every name is", Holds: true}
		if names := t.undefined(part); len(names) > 0 {
			a.Holds, a.Witness = false, new(octets.Word(names[0]))
			a.refutation = names[0] + " is not described"
		}
		return []Assertion{a}
	}},
	{name: "common", decide: perScheme((*rfc).common)},
	{name: "own-production", decide: perScheme(func(t *rfc, scheme string) Assertion {
		return Assertion{Says: "url has a production of its own for " + scheme, Holds: t.SchemeProduction(scheme) != "",
			refutation: "url has no production of its own for " + scheme}
	})},
	{name: "no-own-production", decide: perScheme(func(t *rfc, scheme string) Assertion {
		id := t.SchemeProduction(scheme)
		return Assertion{Says: scheme + " has no production of its own", Holds: id == "", refutation: scheme + " has a production of its own, " + id}
	})},
}

// perScheme returns a decision that makes an assertion of each of the schemes that are its arguments.
func perScheme(f func(*rfc, string) Assertion) func(*rfc, string, []*lang.DFA, []string) []Assertion {
	return func(t *rfc, schemes string, _ []*lang.DFA, _ []string) (list []Assertion) {
		for _, s := range strings.Fields(schemes) {
			list = append(list, f(t, s))
		}
		return list
	}
}

// outcome decides c.
func (t *rfc) outcome(c claim) (Outcome, error) {
	s := &scope{rfc: t, lets: map[string]*lang.DFA{}}
	for _, l := range c.lets {
		if t.BNF.Rule(l.name) != nil || constants[l.name] != nil {
			t.err = cmp.Or(t.err, fmt.Errorf("let %s: the name is taken", l.name))
		}
		s.lets[l.name] = s.of(l.term)
	}
	o := Outcome{Holds: true}
	for _, st := range c.statements {
		o.Assertions = append(o.Assertions, s.decide(st)...)
		if t.err != nil {
			return Outcome{}, fmt.Errorf("%s: claim %s: %w", st.pos, c.id, t.err)
		}
	}
	for _, a := range o.Assertions {
		o.Holds = o.Holds && (a.Holds || a.Aside)
	}
	return o, nil
}

// decide returns the assertions of st.
func (s *scope) decide(st statement) (list []Assertion) {
	items := st.each
	if len(items) == 0 {
		items = []string{""}
	} else if items[0] == "SCHEMES" {
		items = nil
		for _, scheme := range s.Schemes {
			items = append(items, scheme.Production)
		}
	}
	for _, item := range items {
		s.item = item
		var of []*lang.DFA
		for _, x := range st.of {
			of = append(of, s.of(x))
		}
		says := st.says
		if item != "" {
			shown := item
			if r := s.BNF.Rule(item); r != nil {
				shown = r.Name
			}
			says = strings.ReplaceAll(says, "$", shown)
		}
		for _, a := range st.kind.decide(s.rfc, says, of, st.words) {
			if !a.Holds && a.refutation == "" {
				a.refutation = s.refutation(st, a, of)
			}
			list = append(list, a)
		}
	}
	s.item = ""
	for i := range list {
		list[i].Aside = list[i].Aside || st.aside
	}
	return list
}

// none asserts that a, the strings that would refute it, is empty.
func none(says string, a *lang.DFA) Assertion {
	if w, refuted := a.Shortest(); refuted {
		return Assertion{Says: says, Witness: new(octets.Word(w))}
	}
	return Assertion{Says: says, Holds: true}
}

// accepts asserts that all the words are in a.
func accepts(says string, a *lang.DFA, words ...string) Assertion {
	for _, w := range words {
		if !a.Match(w) {
			return Assertion{Says: says, Witness: new(octets.Word(w))}
		}
	}
	return Assertion{Says: says, Holds: true}
}
