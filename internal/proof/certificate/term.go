package certificate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A kind is what a term does.
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

// A term is an expression in few kinds. Terms that look alike are one term.
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

func newTerms() *terms {
	t := &terms{index: map[term]int32{}}
	t.make(term{kind: empty})
	return t
}

func (t *terms) make(n term) int32 {
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

func (t *terms) bad(format string, args ...any) int32 {
	return t.make(term{kind: bad, name: fmt.Sprintf(format, args...)})
}

// seq nests to the right.
func (t *terms) seq(a, b int32) int32 {
	switch {
	case a == emptyTerm:
		return b
	case b == emptyTerm:
		return a
	case t.all[a].kind == seq:
		return t.seq(t.all[a].a, t.seq(t.all[a].b, b))
	}
	return t.make(term{kind: seq, a: a, b: b})
}

// alt nests to the right, and makes one term of neighbouring single bytes.
func (t *terms) alt(a, b int32) int32 {
	x, y := t.all[a], t.all[b]
	if x.kind == alt {
		return t.alt(x.a, t.alt(x.b, b))
	}
	if x.kind == bytes && y.kind == bytes {
		return t.make(term{kind: bytes, set: x.set.Union(y.set)})
	}
	if x.kind == bytes && y.kind == alt && t.all[y.a].kind == bytes {
		return t.make(term{kind: alt, a: t.make(term{kind: bytes, set: x.set.Union(t.all[y.a].set)}), b: y.b})
	}
	return t.make(term{kind: alt, a: a, b: b})
}

// A side is a grammar as terms.
type side struct {
	*terms
	g        *expr.Grammar
	name     func(id string) string // what the certificate calls a rule
	rules    map[string]*expr.Rule  // by that name
	body     map[string]int32
	open     map[string]bool // rules whose body is being made
	nullable map[string]bool
	fault    map[string]string // why a rule is not covered
	loops    map[string]bool   // rules that use themselves
}

func newSide(t *terms, g *expr.Grammar, name func(*expr.Rule) string) *side {
	names := map[string]string{}
	s := &side{
		terms: t, g: g, rules: map[string]*expr.Rule{}, body: map[string]int32{}, open: map[string]bool{}, nullable: map[string]bool{},
		fault: map[string]string{}, loops: map[string]bool{},
	}
	for _, r := range g.Rules {
		names[r.ID] = name(r)
		s.rules[names[r.ID]] = r
	}
	s.name = func(id string) string { return names[id] }
	s.findNullable()
	return s
}

func (s *side) prefix() string {
	if s.g.Ordered {
		return "peg "
	}
	return "bnf "
}

// findNullable finds the rules that can match the empty word, as far as their form shows it.
func (s *side) findNullable() {
	facts := expr.Analyze(s.g.Rules)
	for id, r := range s.rules {
		s.nullable[id] = facts.Nullable(r.Expr)
	}
}

// bodyOf returns the term of a rule.
func (s *side) bodyOf(name string) int32 {
	x, ok := s.body[name]
	if ok {
		return x
	}
	if s.open[name] {
		return s.bad("%s stands for itself", name)
	}
	s.open[name] = true
	x = s.of(s.rules[name].Expr)
	s.open[name] = false
	s.body[name] = x
	return x
}

func (s *side) of(e *expr.Expr) int32 {
	switch e.Op {
	case expr.Class:
		if e.Set.IsEmpty() && e.Name != "" {
			return s.bad("%s is not defined", e.Name)
		}
		return s.make(term{kind: bytes, set: e.Set})
	case expr.Literal:
		x := emptyTerm
		for i := len(e.Lit) - 1; i >= 0; i-- {
			x = s.seq(s.make(term{kind: bytes, set: expr.Bytes(e.Lit[i : i+1])}), x)
		}
		return x
	case expr.Ref:
		return s.ref(e.Name)
	case expr.Seq, expr.Alt:
		x := s.of(e.Sub[len(e.Sub)-1])
		for _, sub := range slices.Backward(e.Sub[:len(e.Sub)-1]) {
			if e.Op == expr.Seq {
				x = s.seq(s.of(sub), x)
			} else {
				x = s.alt(s.of(sub), x)
			}
		}
		return x
	case expr.Repeat:
		return s.repeat(s.of(e.Sub[0]), e.Min, e.Max)
	case expr.Not:
		return s.make(term{kind: not, a: s.of(e.Sub[0])})
	case expr.And: // &a is !!a
		return s.make(term{kind: not, a: s.make(term{kind: not, a: s.of(e.Sub[0])})})
	case expr.Node:
		return s.of(e.Sub[0])
	}
	return emptyTerm
}

// ref returns the term for a use of a rule: the rule's own where that is one byte, and certcheck reads it.
func (s *side) ref(id string) int32 {
	name := s.name(id)
	if s.rules[name] == nil {
		return s.bad("%s is not defined", id)
	}
	if !s.open[name] && s.unread(s.rules[name]) == "" {
		if x := s.bodyOf(name); s.all[x].kind == bytes {
			return x
		}
	}
	return s.make(term{kind: rule, name: s.prefix() + name})
}

// maxCount is the highest count that is spelt out.
const maxCount = 1 << 12

func (s *side) repeat(a int32, least, most int) int32 {
	if least > maxCount || most > maxCount {
		return s.bad("a count above %d", maxCount)
	}
	x := emptyTerm
	if most == expr.Unbounded {
		x = s.star(a)
	}
	for i := least; i < most; i++ {
		x = s.alt(s.seq(a, x), emptyTerm)
	}
	for range least {
		x = s.seq(a, x)
	}
	return x
}

// star repeats a, which must not match the empty word.
func (s *side) star(a int32) int32 {
	if s.canBeEmpty(a) {
		return s.bad("a repetition of what can match the empty word")
	}
	return s.make(term{kind: star, a: a})
}

// canBeEmpty reports whether a term can match the empty word, as far as its form shows it.
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

// check finds the rules that cannot be covered because they use themselves before they have read anything, and those that
// use themselves at all. What a rule's term is must be known before.
func (s *side) check() {
	for name := range s.rules {
		s.bodyOf(name)
	}
	starts, uses := map[string][]string{}, map[string][]string{}
	for name := range s.rules {
		s.calls(s.body[name], true, func(to string, first bool) {
			uses[name] = append(uses[name], to)
			if first {
				starts[name] = append(starts[name], to)
			}
		})
	}
	atStart, loops := cycles(starts), cycles(uses)
	for name := range s.rules {
		if atStart[name] {
			s.fault[name] = fmt.Sprintf("%s can use itself before it has read anything", name)
		}
		s.loops[name] = loops[name]
	}
	facts := expr.Analyze(s.g.Rules)
	for name, r := range s.rules {
		if why := s.unread(r); why != "" {
			s.fault[name] = why
		} else if nests := facts.SelfEmbedding(r.ID); nests != nil && s.fault[name] == "" && !s.g.Ordered {
			s.fault[name] = nests.Message() + ", so that no automaton follows it"
		}
	}
}

func (s *side) calls(x int32, first bool, f func(to string, first bool)) {
	switch n := s.all[x]; n.kind {
	case seq:
		s.calls(n.a, first, f)
		s.calls(n.b, first && s.canBeEmpty(n.a), f)
	case alt:
		s.calls(n.a, first, f)
		s.calls(n.b, first, f)
	case star, not:
		s.calls(n.a, first, f)
	case rule:
		f(n.name[len("bnf "):], first)
	}
}

// cycles returns the names that a way of one step or more leads back to.
func cycles(next map[string][]string) map[string]bool {
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
