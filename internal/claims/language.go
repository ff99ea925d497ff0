package claims

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/octets"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// An rfc is a grammar about which claims are decided: the languages that its productions and the words of a claim denote.
type rfc struct {
	*subject.Subject
	printed *expr.Grammar // as the file has it, names that are nowhere defined included
	fold    bool          // literals match either case
	memo    map[string]*lang.DFA
	err     error // the first; what is given after it means nothing
}

// newText gives the text of a grammar, for which on says what readings are on.
func newText(s *subject.Subject, src *bnf.Source, on func(bnf.Reading) bool) *rfc {
	t := &rfc{Subject: s, printed: src.Text, memo: map[string]*lang.DFA{}}
	for _, r := range src.Readings {
		t.fold = t.fold || r.Option == bnf.ExactLiterals && !on(r)
	}
	return t
}

// production gives the strings of the production with this ID.
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

// of gives the language of a sequence. A string is in quotes a literal, read as the grammar reads its own, and without
// them the ID of a production; a set is one of its bytes; a DFA is itself.
func (t *rfc) of(parts ...any) *lang.DFA {
	all := lang.Epsilon()
	for _, p := range parts {
		var a *lang.DFA
		switch p := p.(type) {
		case string:
			if literal, ok := strings.CutPrefix(p, `"`); ok {
				a = t.literal(strings.TrimSuffix(literal, `"`))
			} else {
				a = t.production(p)
			}
		case expr.Set:
			a = lang.OfSet(p)
		case *lang.DFA:
			a = p
		}
		all = all.Concat(a)
	}
	return all
}

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

// opt gives the words of a sequence, and the empty word.
func (t *rfc) opt(parts ...any) *lang.DFA { return t.of(parts...).Union(lang.Epsilon()) }

// many gives any number of words of a sequence, one after the other.
func (t *rfc) many(parts ...any) *lang.DFA { return t.of(parts...).Star() }

// with gives the words that hold a word of a sequence.
func (t *rfc) with(parts ...any) *lang.DFA {
	return lang.All().Concat(t.of(parts...)).Concat(lang.All())
}

// Sets that claims speak of.
var (
	digitSet   = expr.Range('0', '9')
	letterSet  = expr.Range('a', 'z').Union(expr.Range('A', 'Z'))
	alnumSet   = digitSet.Union(letterSet)
	hexSet     = digitSet.Union(expr.Range('a', 'f')).Union(expr.Range('A', 'F'))
	visibleSet = expr.Range('!', '~')
	spaceSet   = expr.Bytes(" \t\r\n\v\f")
)

func bytes(s string) expr.Set    { return expr.Bytes(s) }
func notBytes(s string) expr.Set { return expr.Bytes(s).Complement() }

// badEscape gives the words in which some percent sign is not followed by two hexadecimal digits.
func (t *rfc) badEscape() *lang.DFA {
	return t.of(lang.All(), `"%"`, t.of(hexSet, hexSet, lang.All()).Complement())
}

// encoded gives the words of a in which one byte of s is replaced by an escape for it, except inside an escape.
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
				edge(before(q), bytes("%"), percent)
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

// hexDigit gives the ways to write a number below 16 as a hexadecimal digit.
func hexDigit(x byte) expr.Set {
	return expr.Bytes("0123456789ABCDEF"[x : x+1]).Union(expr.Bytes("0123456789abcdef"[x : x+1]))
}

// subset asserts that every word of a is in b.
func subset(says string, a, b *lang.DFA) Assertion { return none(says, a.Minus(b)) }

// disjoint asserts that no word is in a and in b.
func disjoint(says string, a, b *lang.DFA) Assertion { return none(says, a.Intersect(b)) }

// same asserts that a and b have the same words.
func same(says string, a, b *lang.DFA) Assertion { return none(says, a.SymmetricDifference(b)) }

// none asserts that a, the words that would refute it, is empty.
func none(says string, a *lang.DFA) Assertion {
	w, refuted := a.Shortest()
	if refuted {
		return Assertion{Says: says, Witness: new(octets.Word(w))}
	}
	return Assertion{Says: says, Holds: true}
}

// some asserts that a is not empty.
func some(says string, a *lang.DFA) Assertion { return Assertion{Says: says, Holds: !a.IsEmpty()} }

// derives asserts that all the words are in a.
func derives(says string, a *lang.DFA, words ...string) Assertion {
	for _, w := range words {
		if !a.Match(w) {
			return Assertion{Says: says, Witness: new(octets.Word(w))}
		}
	}
	return Assertion{Says: says, Holds: true}
}

// rejects asserts that none of the words is in a.
func rejects(says string, a *lang.DFA, words ...string) Assertion {
	return derives(says, a.Complement(), words...)
}

// aside marks an assertion as no part of the claim.
func aside(a Assertion) Assertion {
	a.Aside = true
	return a
}

// undefined gives the names that a part of the printed text uses and defines nowhere.
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
	a := Assertion{Says: "no production uses " + t.printed.Rule(id).Name, Holds: true}
	for _, r := range t.printed.Rules {
		if r.Part == part && slices.Contains(expr.Refs(r.Expr), id) {
			a.Holds, a.Witness = false, new(octets.Word(r.Name))
		}
	}
	return a
}
