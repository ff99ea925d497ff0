package lang

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Space holds languages over the classes of bytes that some grammars tell apart, in one automaton that they share:
// a part that two of them have in common is there once, and equal languages are one number. In it a whole grammar is
// computed, each production from the minimal automata of those that it uses, and a BNF and a PEG are compared.
//
// Everything that a Space computes counts against one budget, its [Limits]. It is not safe for concurrent use.
type Space struct {
	class  [256]uint8
	first  []byte // one byte of each class
	limits Limits
	pool   *pool // its last class is the mark and not one of bytes: see [PEG]
	meter  *meter
	sets   map[expr.Set][]int // by set of bytes: its classes
	text   *Language          // well-formed UTF-8; nil until it is needed
}

// A Language is a language of a [Space].
type Language int32

// The languages that every Space has.
const (
	NoWord    = Language(none)
	EmptyWord = Language(epsilon)
)

// NewSpace returns a Space for the grammars and for expressions over them. An expression that is not part of a
// grammar and has terminals of its own must be among extra. NewSpace takes steps from the budget of each grammar, and
// panics as [budget.Budget.Step] does when they are used up.
func NewSpace(l Limits, grammars []*expr.Grammar, extra ...*expr.Expr) *Space {
	classes := expr.NewPartition()
	for _, g := range grammars {
		for _, r := range g.Rules {
			classes.SplitByTerminals(r.Expr)
			g.Budget.Step(256 + 16*r.Expr.Size()) // its facts are computed as well
		}
		if g.UTF8 {
			classes.SplitByTerminals(textGrammar().Rules[0].Expr)
		}
	}
	for _, e := range extra {
		classes.SplitByTerminals(e)
	}
	l = l.forGrammars(grammars...)
	s := &Space{class: classes.Class, first: classes.First(), limits: l, meter: newMeter(l), sets: map[expr.Set][]int{}}
	s.pool = newPool(classes.N, classes.N+1, s.meter)
	return s
}

// mark returns the class that no byte has. A language whose words contain it is a relation between the text that is
// matched and the text that follows.
func (s *Space) mark() int { return len(s.first) }

// DFA returns the minimal automaton of a language. Like all methods that return an error, it fails if the budget is
// used up.
func (s *Space) DFA(l Language) (a *DFA, err error) {
	err = s.meter.shareFor(nil, func() { a = s.pool.dfa(int32(l), s.class) })
	return a, err
}

// DFAOf is [Space.DFA] of the result of another call. If that has failed, it returns its error.
func (s *Space) DFAOf(l Language, err error) (*DFA, error) {
	if err != nil {
		return nil, err
	}
	return s.DFA(l)
}

// Union returns the words in a or b.
func (s *Space) Union(a, b Language) (Language, error) { return s.apply(union, a, b) }

// Intersect returns the words in a and b.
func (s *Space) Intersect(a, b Language) (Language, error) { return s.apply(intersection, a, b) }

// Minus returns the words in a that are not in b.
func (s *Space) Minus(a, b Language) (Language, error) { return s.apply(difference, a, b) }

// apply returns the result of an operation.
func (s *Space) apply(op operator, a, b Language) (l Language, err error) {
	err = s.meter.shareFor(nil, func() { l = Language(s.pool.apply(op, int32(a), int32(b))) })
	return l, err
}

// Is reports whether a language has the words of a. It makes no automaton: since both a and the pool have one state for
// each language, the states that a word leads to must correspond.
func (s *Space) Is(l Language, a *DFA) (same bool, err error) {
	err = s.meter.shareFor(nil, func() { same = s.corresponds(int32(l), a) })
	return same, err
}

// corresponds is Is, and panics if a limit is passed.
func (s *Space) corresponds(l int32, a *DFA) bool {
	x := s.expect(a)
	return x.holds && x.acceptsFrom(0, l)
}

// An expectation compares an automaton with a DFA, a, while the automaton is being made. Each state of the automaton is
// paired with the state of a that the same words lead to. Since a is minimal, the two have the same words if and only if
// no state is paired with two states of a, and both states of each pair accept or neither does. Languages of the pool
// are paired in the same way. A nil expectation is never met.
type expectation struct {
	s       *Space
	a       *DFA
	classOf []uint8 // by class of s: that of a
	holds   bool    // nothing differs so far
	begun   bool    // an automaton was compared

	languageOf []int32 // by state of a: its language, -1 if it is not known
	stateOf    []int32 // by state of the automaton in the making: the state of a
}

// expect returns an expectation of a. It does not hold if a tells bytes apart that s does not.
func (s *Space) expect(a *DFA) *expectation {
	t := table{class: s.class, k: len(s.first)}
	x := &expectation{s: s, a: a, languageOf: slices.Repeat([]int32{-1}, a.States())}
	x.classOf, x.holds = t.classesWithin(a)
	return x
}

// met reports whether an automaton was compared, and has the words of x.a.
func (x *expectation) met() bool { return x != nil && x.begun && x.holds }

// begin begins the comparison with an automaton, whose first state is 0.
func (x *expectation) begin() {
	if x != nil {
		x.begun, x.stateOf = true, []int32{0}
	}
}

// compare compares state q of a batch, whose row is complete. The states of the batch must come one after the other,
// and have their numbers in the order in which the rows lead to them.
func (x *expectation) compare(b *batch, q int32) {
	if x == nil || !x.holds {
		return
	}
	p := x.stateOf[q]
	x.holds = b.accept[q] == x.a.accept[p]
	row := b.rowOfState(q)
	for c, class := range x.classOf {
		to := x.a.next[int(p)*x.a.k+int(class)]
		switch i := int(stateOfLocal(row[c])); {
		case row[c] >= 0:
			x.holds = x.holds && x.acceptsFrom(to, row[c])
		case i == len(x.stateOf):
			x.stateOf = append(x.stateOf, to)
		default:
			x.holds = x.holds && x.stateOf[i] == to
		}
	}
}

// acceptsFrom reports whether the words that x.a accepts from q are those of the language l. Once it was false, later
// results mean nothing.
func (x *expectation) acceptsFrom(q, l int32) bool {
	if x.languageOf[q] >= 0 {
		return x.languageOf[q] == l
	}
	x.languageOf[q] = l
	for todo := []int32{q}; len(todo) > 0; {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		x.s.meter.step(len(x.classOf))
		if x.a.accept[q] != x.s.pool.accept[x.languageOf[q]] {
			return false
		}
		for c, class := range x.classOf {
			to, m := x.a.next[int(q)*x.a.k+int(class)], x.s.pool.derive(x.languageOf[q], c)
			if x.languageOf[to] < 0 {
				x.languageOf[to] = m
				todo = append(todo, to)
			} else if x.languageOf[to] != m {
				return false
			}
		}
	}
	return true
}

// States returns the number of states of a language's minimal automaton, and of the classes of bytes that it tells
// apart. ok is false if it has more than most states, or if the budget is used up.
func (s *Space) States(l Language, most int) (states, classes int, ok bool) {
	var order []int32
	err := s.meter.shareFor(nil, func() { order, ok = s.pool.reachFew(int32(l), most) })
	if err != nil || !ok {
		return 0, 0, false
	}
	columns := map[string]bool{}
	column := make([]byte, 0, 4*len(order))
	for c := range s.first {
		column = column[:0]
		for _, q := range order {
			to := s.pool.derive(q, c)
			column = append(column, byte(to), byte(to>>8), byte(to>>16), byte(to>>24))
		}
		columns[string(column)] = true
	}
	return len(order), len(columns), true
}

// Shortest returns the first word of a language in the order of [Compare]. ok is false if there is none.
func (s *Space) Shortest(l Language) (w string, ok bool, err error) {
	if l == NoWord {
		return "", false, nil
	}
	a, err := s.DFA(l)
	if err != nil {
		return "", false, err
	}
	w, ok = a.Shortest()
	return w, ok, nil
}

// Match reports whether w is in the language.
func (s *Space) Match(l Language, w string) bool {
	q := int32(l)
	for i := range len(w) {
		q = s.pool.derive(q, int(s.class[w[i]]))
	}
	return s.pool.accept[q]
}

// Left returns the bytes and the steps that are left of the budget.
func (s *Space) Left() (bytes, steps int64) { return s.meter.bytes, s.meter.steps }

// classesOf returns the classes that make up a set, which must not split a class.
func (s *Space) classesOf(set expr.Set) []int {
	list, ok := s.sets[set]
	if !ok {
		list = []int{}
		for c, x := range s.first {
			if set.Has(x) {
				list = append(list, c)
			}
		}
		s.sets[set] = list
	}
	return list
}

// prefixOneOf returns the words of l with one byte of a set in front of them.
func (s *Space) prefixOneOf(set expr.Set, l int32) int32 {
	row := make([]int32, s.pool.k)
	for _, c := range s.classesOf(set) {
		row[c] = l
	}
	return s.pool.rowState(row, false)
}

// prefixLiteral returns the words of l with w in front of them.
func (s *Space) prefixLiteral(w string, l int32) int32 {
	row := make([]int32, s.pool.k)
	for i := len(w) - 1; i >= 0; i-- {
		c := s.class[w[i]]
		row[c] = l
		l = s.pool.rowState(row, false)
		row[c] = none
	}
	return l
}

// LongerThan reports whether a language has words of more than n bytes.
func (s *Space) LongerThan(l Language, n int) bool {
	level := map[int32]bool{int32(l): l != NoWord}
	for range n + 1 {
		next := map[int32]bool{}
		for q := range level {
			for c := range s.first {
				if to := s.pool.derive(q, c); level[q] && to != none {
					next[to] = true
				}
			}
		}
		level = next
	}
	return len(level) > 0
}
