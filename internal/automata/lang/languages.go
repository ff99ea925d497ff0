package lang

import "slices"

// Languages holds languages over fixed classes of bytes as the states of one automaton in which no two states are
// equal. A language is a number, and two languages are equal exactly if their numbers are. It is not safe for
// concurrent use. Number 0 is the language without words, 1 that of all words, and 2 that of the empty word.
//
// Everything that is computed counts against one budget, its [Limits]. If it passes that, it ends the call of
// [Languages.Within] around it; nothing may be computed outside of one.
type Languages struct {
	pool  *pool
	meter *meter
}

// NewLanguages returns a collection over k classes that has only the first three languages.
func NewLanguages(k int, limits Limits) *Languages {
	m := newMeter(limits)
	return &Languages{newPool(k, k, m), m}
}

// Within calls f, which may use half of what is left of the budget. It returns an error, which wraps [ErrTooLarge],
// if that is not enough.
func (l *Languages) Within(f func()) error { return l.meter.shareFor(nil, f) }

// Take counts bytes that are kept in addition to the languages.
func (l *Languages) Take(bytes int64) { l.meter.charge(bytes) }

// Accepts reports whether the empty word is in a.
func (l *Languages) Accepts(a int32) bool { return l.pool.accept[a] }

// Derive returns the words w such that cw is in a, for a byte of class c.
func (l *Languages) Derive(a int32, c int) int32 { return l.pool.derive(a, c) }

// Union returns the words in a or b.
func (l *Languages) Union(a, b int32) int32 { return l.pool.apply(union, a, b) }

// Intersect returns the words in a and b.
func (l *Languages) Intersect(a, b int32) int32 { return l.pool.apply(intersection, a, b) }

// Minus returns the words in a that are not in b.
func (l *Languages) Minus(a, b int32) int32 { return l.pool.apply(difference, a, b) }

// Table returns the automaton of a: next[q*k+c] is the state that q leads to on class c, and accept tells whether a
// state accepts. The first state is the start.
func (l *Languages) Table(a int32) (next []int32, accept []bool) {
	next, accept = l.pool.table(a)
	l.meter.release(int64(8 * len(next)))
	return next, accept
}

// Intern returns the language of each state of an automaton, in a slice that belongs to the caller. next[q*k+c] is
// the language that state q leads to on class c, or [Local] of a state of this automaton.
func (l *Languages) Intern(accept []bool, next []int32) []int32 {
	b := l.pool.newBatch()
	defer b.release()
	for q, ok := range accept {
		b.addState(ok)
		copy(b.rowOfState(int32(q)), next[q*l.pool.k:])
	}
	return slices.Clone(b.intern())
}

// Local returns the entry of a row that stands for state q of the automaton itself.
func Local(q int32) int32 { return local(q) }
