package lang

import (
	"cmp"
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Limits bounds what an operation may take. The limits count states, bytes and steps, never time, so that a result
// does not depend on the machine. A field that is zero stands for its default.
type Limits struct {
	NFA int // states of an NFA, and stacks of an alternating automaton; default 1<<20
	DFA int // states of a DFA before it is minimized; default 1<<16, and for the automata of a [Space] 1<<18

	Bytes int64 // of all automata of a [Space] together; default [DefaultBytes]
	Steps int64 // of all work on them: transitions that are computed; default [DefaultSteps]

	// Budget is the budget of everything that is computed, which these limits share with others; nil for none.
	Budget *budget.Budget
}

// forGrammars returns l with the budget of the first grammar that has one, unless l has its own. Limits that are not
// set are taken from the budget.
func (l Limits) forGrammars(grammars ...*expr.Grammar) Limits {
	for _, g := range grammars {
		if l.Budget == nil && g != nil {
			l.Budget = g.Budget
		}
	}
	if b := l.Budget; b != nil {
		l.DFA, l.NFA = cmp.Or(l.DFA, b.States), cmp.Or(l.NFA, b.States)
		l.Bytes, l.Steps = cmp.Or(l.Bytes, b.Bytes), cmp.Or(l.Steps, b.Steps)
	}
	return l
}

// The defaults of [Limits].
const (
	DefaultBytes = budget.DefaultBytes
	DefaultSteps = budget.DefaultSteps
)

// maxNFA returns l.NFA or its default.
func (l Limits) maxNFA() int { return cmp.Or(max(l.NFA, 0), 1<<20) }

// maxDFA returns l.DFA or its default for an automaton outside of a Space.
func (l Limits) maxDFA() int { return cmp.Or(max(l.DFA, 0), 1<<16) }

// ErrTooLarge is wrapped by every error that reports an exceeded limit.
var ErrTooLarge = budget.ErrTooLarge

// TooMany returns an error for more than limit of what, such as "states in an NFA", that --limit-states would allow.
func TooMany(limit int, what string) error {
	return fmt.Errorf("%w: more than %d %s; --limit-states raises the limit", ErrTooLarge, limit, what)
}

// A TooLarge is the error of a [Space] when a limit is passed. It wraps [ErrTooLarge].
type TooLarge struct {
	Rule   *expr.Rule // the rule whose automaton was computed; nil for an expression
	Limit  Resource   // the limit that was passed
	Size   int64      // how much of it was allowed
	States int        // how large the automaton had become
}

// A Resource is what a limit caps.
type Resource string

// The resources.
const (
	States Resource = "states" // of one automaton
	Bytes  Resource = "bytes"  // of all automata
	Steps  Resource = "steps"  // of all work
)

// Error returns a message without the place.
func (e *TooLarge) Error() string {
	name := ""
	if e.Rule != nil {
		name = " of `" + e.Rule.Label() + "`"
	}
	switch e.Limit {
	case States:
		return fmt.Sprintf("%v: the automaton%s has more than %d states; "+
			"--limit-states raises the limit", ErrTooLarge, name, e.Size)
	case Bytes:
		if e.States == 0 { // what was made of the rule when the memory ran out was no automaton yet
			return fmt.Sprintf("%v: the automaton%s takes more than the %d bytes that were left for automata; "+
				"--limit-memory raises the limit", ErrTooLarge, name, e.Size)
		}
		return fmt.Sprintf("%v: the automaton%s had %d states when the memory for automata was used up "+
			"(%d bytes were left for it); --limit-memory raises the limit", ErrTooLarge, name, e.States, e.Size)
	}
	if e.States == 0 {
		return fmt.Sprintf("%v: the automaton%s takes more than the %d steps that were left for automata; "+
			"--limit-steps raises the limit", ErrTooLarge, name, e.Size)
	}
	return fmt.Sprintf("%v: the automaton%s had %d states when the work on automata was used up "+
		"(%d steps were left for it); --limit-steps raises the limit", ErrTooLarge, name, e.States, e.Size)
}

// Unwrap returns [ErrTooLarge].
func (e *TooLarge) Unwrap() error { return ErrTooLarge }

// A meter counts what the automata of a [Space] take. When a limit is passed it panics, which ends the call of
// [meter.shareFor] around it with an error. A nil meter counts nothing.
type meter struct {
	bytes, steps       int64 // left
	minBytes, minSteps int64 // that the current share must leave
	states             int   // of the automaton that is being built
	maxStates          int
	allowed            TooLarge // for the error
	shareBytes         int64
	shareSteps         int64
	budget             *budget.Budget
}

// newMeter returns the meter of a Space. Its default for l.DFA is larger than elsewhere, since it counts only states
// that remain after minimization.
func newMeter(l Limits) *meter {
	return &meter{
		bytes: cmp.Or(max(l.Bytes, 0), DefaultBytes), steps: cmp.Or(max(l.Steps, 0), DefaultSteps),
		maxStates: cmp.Or(max(l.DFA, 0), 1<<18), budget: l.Budget, // only the states that remain are kept
	}
}

// shareFor calls f for a rule, which may use half of the bytes and steps that are left. So one rule that is too large
// leaves something for the others, and its share does not depend on their number. A call inside another uses the
// share of the outer one. If a limit is passed it ends f, and returns a [*TooLarge] or the error of the shared
// budget.
func (m *meter) shareFor(r *expr.Rule, f func()) (err error) {
	old := *m
	if m.shareBytes == 0 {
		m.shareBytes, m.shareSteps = m.bytes/2, m.steps/2
		m.minBytes, m.minSteps = m.bytes-m.shareBytes, m.steps-m.shareSteps
	}
	m.states = 0
	m.allowed.Rule = r
	if r != nil {
		m.budget.In(r.Label())
	}
	defer func() {
		m.minBytes, m.minSteps, m.shareBytes, m.shareSteps = old.minBytes, old.minSteps, old.shareBytes, old.shareSteps
		m.states, m.allowed.Rule = old.states, old.allowed.Rule
	}()
	defer budget.Catch(&err)
	f()
	return nil
}

// stop ends the computation with a [TooLarge] for the resource r: it panics with a value that budget.Catch recovers.
// size is how much was allowed.
func (m *meter) stop(r Resource, size int64) {
	panic(budget.Stopped(&TooLarge{Rule: m.allowed.Rule, Limit: r, Size: size, States: m.states}))
}

// sharedBudget returns the budget that m shares with others.
func (m *meter) sharedBudget() *budget.Budget {
	if m == nil {
		return nil
	}
	return m.budget
}

// step charges n steps, and stops at the limit.
func (m *meter) step(n int) {
	if m == nil {
		return
	}
	m.budget.Step(n)
	if m.steps -= int64(n); m.steps < m.minSteps {
		m.stop(Steps, m.shareSteps)
	}
}

// charge charges n bytes, and stops at the limit.
func (m *meter) charge(n int64) {
	if m == nil {
		return
	}
	m.budget.Step(4 + int(n/64))
	if m.bytes-n < m.minBytes {
		m.stop(Bytes, m.shareBytes)
	}
	m.bytes -= n
}

// chargeHeld charges n bytes that the caller will release.
func (m *meter) chargeHeld(n int64) { m.charge(n) }

// release gives back n bytes.
func (m *meter) release(n int64) {
	if m != nil {
		m.bytes += n
	}
}

// countState notes that the automaton being built has n states, and stops at the limit.
func (m *meter) countState(n int) {
	if m.states = n; n > m.maxStates {
		m.stop(States, int64(m.maxStates))
	}
}
