package certificate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A kind says what a term matches.
type kind uint8

const (
	empty kind = iota // the empty word
	bytes             // one byte of set
	seq               // a, then b
	alt               // a or b; in a PEG b only where a fails
	star              // any number of a; in a PEG as many as there are
	not               // PEG: a does not match here
	rule              // the rule or production called name
	bad               // what a certificate does not cover; name is the reason
)

var kindNames = [...]string{"empty", "bytes", "seq", "alt", "star", "not", "rule", "bad"}

// A term is an expression of few kinds. Equal terms have one number.
type term struct {
	kind kind
	a, b int32
	set  expr.Set
	name string
}

// terms holds the terms of both grammars.
type terms struct {
	all   []term
	index map[term]int32
}

const (
	emptyTerm int32 = 0
	maxTerms        = 1 << 20
)

// newTerms returns a store that has only the empty term.
func newTerms() *terms {
	t := &terms{index: map[term]int32{}}
	t.intern(term{kind: empty})
	return t
}

// intern returns the number of a term; a new term is added. If there is no room for it, its number is that of
// a term of the kind bad.
func (t *terms) intern(n term) int32 {
	x, ok := t.index[n]
	if !ok {
		if len(t.all) >= maxTerms {
			n = term{kind: bad, name: fmt.Sprintf("the grammars have more than %d terms", maxTerms)}
			if x, ok := t.index[n]; ok {
				return x
			}
		}
		x = int32(len(t.all))
		t.index[n] = x
		t.all = append(t.all, n)
	}
	return x
}

// uncovered returns a term for something that certificates do not cover; the text gives the reason.
func (t *terms) uncovered(format string, args ...any) int32 {
	return t.intern(term{kind: bad, name: fmt.Sprintf(format, args...)})
}

// internSeq returns the term for a and then b. Sequences nest to the right, so that equal ones have one form.
func (t *terms) internSeq(a, b int32) int32 {
	switch {
	case a == emptyTerm:
		return b
	case b == emptyTerm:
		return a
	case t.all[a].kind == seq:
		return t.internSeq(t.all[a].a, t.internSeq(t.all[a].b, b))
	}
	return t.intern(term{kind: seq, a: a, b: b})
}

// internAlt returns the term for a or b. Choices nest to the right, and neighboring single bytes are one
// term.
func (t *terms) internAlt(a, b int32) int32 {
	x, y := t.all[a], t.all[b]
	if x.kind == alt {
		return t.internAlt(x.a, t.internAlt(x.b, b))
	}
	if x.kind == bytes && y.kind == bytes {
		return t.intern(term{kind: bytes, set: x.set.Union(y.set)})
	}
	if x.kind == bytes && y.kind == alt && t.all[y.a].kind == bytes {
		return t.intern(term{kind: alt, a: t.intern(term{kind: bytes, set: x.set.Union(t.all[y.a].set)}), b: y.b})
	}
	return t.intern(term{kind: alt, a: a, b: b})
}

// A side is one of the two grammars, with its rules as terms.
type side struct {
	*terms
	g         *expr.Grammar
	name      func(id string) string // the name of a rule in the certificate, by its ID
	rules     map[string]*expr.Rule  // by that name
	body      map[string]int32       // terms of the rules, by that name
	expanding map[string]bool        // rules whose body is being made
	nullable  map[string]bool
	fault     map[string]string // why a rule is not covered
	loops     map[string]bool   // rules that use themselves
}

// newSide returns a grammar as a side. name returns the name of a rule in the certificate. newSide finds out
// which rules are nullable; body, fault and loops are empty until findFaults fills them.
func newSide(t *terms, g *expr.Grammar, name func(*expr.Rule) string) *side {
	names := map[string]string{}
	s := &side{
		terms: t, g: g, rules: map[string]*expr.Rule{}, body: map[string]int32{}, expanding: map[string]bool{},
		nullable: map[string]bool{}, fault: map[string]string{},
	}
	for _, r := range g.Rules {
		names[r.ID] = name(r)
		s.rules[names[r.ID]] = r
	}
	s.name = func(id string) string { return names[id] }
	s.findNullable()
	return s
}

// namePrefix returns the text before the names of this side's rules in the certificate.
func (s *side) namePrefix() string {
	if s.g.Ordered {
		return "peg "
	}
	return "bnf "
}

// findNullable sets s.nullable: the rules whose form lets them match the empty word.
func (s *side) findNullable() {
	facts := expr.Analyze(s.g.Rules)
	for id, r := range s.rules {
		s.nullable[id] = facts.Nullable(r.Expr)
	}
}

// termOfBody returns the term for the expression of a rule, and keeps it in s.body. While that is being made, a
// rule that stands for itself gets a term of the kind bad.
func (s *side) termOfBody(name string) int32 {
	x, ok := s.body[name]
	if ok {
		return x
	}
	if s.expanding[name] {
		return s.uncovered("%s stands for itself", name)
	}
	s.expanding[name] = true
	x = s.termOf(s.rules[name].Expr)
	s.expanding[name] = false
	s.body[name] = x
	return x
}

// termOf returns the term for an expression. What is not covered becomes a term of the kind bad that says why; it is
// an error only once a proof uses it.
func (s *side) termOf(e *expr.Expr) int32 {
	switch e.Op {
	case expr.Class:
		if e.Set.IsEmpty() && e.Name != "" {
			return s.uncovered("%s is not defined", e.Name)
		}
		return s.intern(term{kind: bytes, set: e.Set})
	case expr.Literal:
		x := emptyTerm
		for i := len(e.Lit) - 1; i >= 0; i-- {
			x = s.internSeq(s.intern(term{kind: bytes, set: expr.Bytes(e.Lit[i : i+1])}), x)
		}
		return x
	case expr.Ref:
		return s.termOfRef(e.Name)
	case expr.Seq, expr.Alt:
		x := s.termOf(e.Sub[len(e.Sub)-1])
		for _, sub := range slices.Backward(e.Sub[:len(e.Sub)-1]) {
			if e.Op == expr.Seq {
				x = s.internSeq(s.termOf(sub), x)
			} else {
				x = s.internAlt(s.termOf(sub), x)
			}
		}
		return x
	case expr.Repeat:
		return s.termOfRepeat(s.termOf(e.Sub[0]), e.Min, e.Max)
	case expr.Not:
		return s.intern(term{kind: not, a: s.termOf(e.Sub[0])})
	case expr.And: // &a is !!a
		return s.intern(term{kind: not, a: s.intern(term{kind: not, a: s.termOf(e.Sub[0])})})
	case expr.Node:
		return s.termOf(e.Sub[0])
	}
	return emptyTerm
}

// termOfRef returns the term for a reference. A rule that is one byte, and that certcheck reads, is
// replaced by its term, so that neighboring bytes can be joined; certcheck does the same.
func (s *side) termOfRef(id string) int32 {
	name := s.name(id)
	if s.rules[name] == nil {
		return s.uncovered("%s is not defined", id)
	}
	if !s.expanding[name] && s.whyUnread(s.rules[name]) == "" {
		if x := s.termOfBody(name); s.all[x].kind == bytes {
			return x
		}
	}
	return s.intern(term{kind: rule, name: s.namePrefix() + name})
}

// maxCount caps the counts of repetitions, which are written out.
const maxCount = 1 << 12

// termOfRepeat returns the term for least to most times a: the rounds are written out. A count above maxCount is not
// covered.
func (s *side) termOfRepeat(a int32, least, most int) int32 {
	if least > maxCount || most > maxCount {
		return s.uncovered("a count above %d", maxCount)
	}
	x := emptyTerm
	if most == expr.Unbounded {
		x = s.termOfStar(a)
	}
	for i := least; i < most; i++ {
		x = s.internAlt(s.internSeq(a, x), emptyTerm)
	}
	for range least {
		x = s.internSeq(a, x)
	}
	return x
}

// termOfStar returns the term for any number of a. An a that can match the empty word is not
// covered.
func (s *side) termOfStar(a int32) int32 {
	if s.canBeEmpty(a) {
		return s.uncovered("a repetition of what can match the empty word")
	}
	return s.intern(term{kind: star, a: a})
}

// canBeEmpty reports whether the form of a term lets it match the empty word.
func (s *side) canBeEmpty(x int32) bool {
	switch n := s.all[x]; n.kind {
	case bytes:
		return false
	case seq:
		return s.canBeEmpty(n.a) && s.canBeEmpty(n.b)
	case alt:
		return s.canBeEmpty(n.a) || s.canBeEmpty(n.b)
	case rule:
		return s.nullable[n.name[len("bnf "):]]
	}
	return true
}

// findFaults sets s.loops, the rules that use themselves, and s.fault, those that cannot be
// covered: they use themselves before they have read anything, certcheck does not read them, or no
// automaton follows their nesting.
func (s *side) findFaults() {
	for name := range s.rules {
		s.termOfBody(name)
	}
	// These graphs are of the terms that certcheck reads, not of the expressions that expr.Facts knows: a
	// rule of one byte is inlined, and a term that is not covered uses nothing.
	starts, uses := map[string][]string{}, map[string][]string{}
	for name := range s.rules {
		s.eachCall(s.body[name], true, func(to string, first bool) {
			uses[name] = append(uses[name], to)
			if first {
				starts[name] = append(starts[name], to)
			}
		})
	}
	s.loops = onCycles(uses)
	atStart := onCycles(starts)
	for name := range s.rules {
		if atStart[name] {
			s.fault[name] = fmt.Sprintf("%s can use itself before it has read anything", name)
		}
	}
	facts := expr.Analyze(s.g.Rules)
	for name, r := range s.rules {
		if why := s.whyUnread(r); why != "" {
			s.fault[name] = why
		} else if nests := facts.SelfEmbedding(r.ID); nests != nil && s.fault[name] == "" && !s.g.Ordered {
			s.fault[name] = nests.Message() + ", so that no automaton follows it"
		}
	}
}

// eachCall calls f for each rule that a term uses. first tells whether the rule can be used before the term has read
// anything. It is called again for each further use. It does not look into the rules that are used.
func (s *side) eachCall(x int32, first bool, f func(to string, first bool)) {
	switch n := s.all[x]; n.kind {
	case seq:
		s.eachCall(n.a, first, f)
		s.eachCall(n.b, first && s.canBeEmpty(n.a), f)
	case alt:
		s.eachCall(n.a, first, f)
		s.eachCall(n.b, first, f)
	case star, not:
		s.eachCall(n.a, first, f)
	case rule:
		f(n.name[len("bnf "):], first)
	}
}

// onCycles returns the names that lie on a cycle of the graph next, a use of itself included; it is false for any other.
func onCycles(next map[string][]string) map[string]bool {
	names := slices.Sorted(maps.Keys(next))
	index := map[string]int{}
	for i, name := range names {
		index[name] = i
	}
	found := map[string]bool{}
	for _, group := range expr.Components(len(names), func(i int) (list []int) {
		for _, to := range next[names[i]] {
			if j, ok := index[to]; ok { // what leads nowhere is in no cycle
				list = append(list, j)
			}
		}
		return list
	}) {
		for _, i := range group {
			found[names[i]] = len(group) > 1 || slices.Contains(next[names[i]], names[i])
		}
	}
	return found
}
