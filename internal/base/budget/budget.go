// Package budget bounds what a command computes with a grammar. It counts steps, states and
// bytes, never time, so that an answer does not depend on the machine; the deadline of a context
// is for those who want one.
//
// Bytes are not those of the process, which depend on when its garbage is collected and on what
// else it does. What is made of a grammar, such as an automaton, counts what it keeps as it
// grows: so many bytes a state, a transition, an entry of an index, a bit more than they take.
// [Budget.Room] fails where one such count is above the limit. The limit leaves room for what
// stands beside it, and a command holds a second count of that size at most where it works on two
// cores.
//
// The grammar that is computed with carries its [Budget] (see expr.Grammar): every recursion over
// a grammar takes its steps from there. What passes a limit panics with an [*Exceeded], which the
// exported functions of a package turn into an error by [Catch].
package budget

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// Limits say how much may be used. A field that is zero stands for its default.
type Limits struct {
	States int   // of one automaton, before it is minimized; the default is that of the package that builds it
	Bytes  int64 // that one thing in the making keeps
	Steps  int64 // of all work together
}

// The defaults of [Limits].
const (
	DefaultBytes = 256 << 20
	DefaultSteps = 1 << 28
)

// A Budget keeps count of what is left of its limits. It is safe for concurrent use. A nil Budget has no
// limits.
type Budget struct {
	Limits
	ctx   context.Context
	steps atomic.Int64 // taken
	// steps that may be taken for now, less than the limit: see [Budget.Fraction]; 0 for none
	below atomic.Int64
	apart bool                   // steps are counted without a limit: see [Budget.Apart]
	at    atomic.Pointer[string] // the production that steps are taken for, nil if none was named
}

// New returns a budget that also ends when the context does.
func New(ctx context.Context, l Limits) *Budget {
	l.Bytes, l.Steps = cmp.Or(l.Bytes, DefaultBytes), cmp.Or(l.Steps, DefaultSteps)
	return &Budget{Limits: l, ctx: ctx}
}

// Also calls f, and charges to b what it takes of a budget that is apart.
func (b *Budget) Also(apart *Budget, f func()) {
	if b == nil {
		f()
		return
	}
	before := apart.steps.Load()
	f()
	b.Step(int(apart.steps.Load() - before))
}

// In names the production that the next steps are for.
func (b *Budget) In(production string) {
	if b != nil {
		b.at.Store(&production)
	}
}

// At returns the production that steps are taken for, "" if none was named.
func (b *Budget) At() string {
	if b != nil {
		if at := b.at.Load(); at != nil {
			return *at
		}
	}
	return ""
}

// between is how many steps are taken from one look at the context to the next.
const between = 1 << 16

// Step takes n steps, each of some tens of nanoseconds and bytes. It panics with an [*Exceeded] where more are taken
// than the limit allows, or, once in a while, if the context has ended. It takes nothing for n below 1.
func (b *Budget) Step(n int) {
	if b == nil || n <= 0 {
		return
	}
	now := b.steps.Add(int64(n))
	if !b.apart {
		if now > b.Steps {
			b.fail(Steps, b.Steps)
		}
		if below := b.below.Load(); below > 0 && now > below {
			b.fail(Steps, below)
		}
	}
	if now/between != (now-int64(n))/between {
		if err := b.ctx.Err(); err != nil {
			panic(&Exceeded{Limit: Time, Production: b.At(), cause: err})
		}
	}
}

// Check panics as [Budget.Step] does where more steps were taken already than the limit allows. It takes none: it is
// for work that is not charged until it is done, and in vain where nothing is left.
func (b *Budget) Check() {
	if b == nil || b.apart {
		return
	}
	taken := b.steps.Load()
	if taken > b.Steps {
		b.fail(Steps, b.Steps)
	}
	if below := b.below.Load(); below > 0 && taken > below {
		b.fail(Steps, below)
	}
}

// Taken returns how many steps have been taken.
func (b *Budget) Taken() int64 {
	if b == nil {
		return 0
	}
	return b.steps.Load()
}

// Apart returns a budget for inputs of which there may be any number: each has a [Budget.Share]
// of the steps, and they are not added up.
func (b *Budget) Apart() *Budget {
	if b == nil {
		return nil
	}
	c := b.Part(b.Steps)
	c.apart = true
	return c
}

// Share returns how many steps one input among many may take: those of all work together, divided
// by 2 to the power of bits; at least 1.
func (b *Budget) Share(bits int) int {
	if b == nil {
		return DefaultSteps >> bits
	}
	return int(b.Steps>>bits) + 1
}

// Part returns a budget of at most so many steps, with the other limits of b, for a part of the
// work that can be done without. What it takes is not taken of b until [Budget.Charge] is called.
// A part is limited even if b is nil: the usual limits are the others then.
func (b *Budget) Part(steps int64) *Budget {
	if b == nil {
		return New(context.Background(), Limits{Steps: steps})
	}
	l := b.Limits
	l.Steps = min(l.Steps, steps)
	c := New(b.ctx, l)
	c.at.Store(b.at.Load())
	return c
}

// Fresh returns an unused budget with the limits of b, for a second way to an answer after a first one has passed a
// limit. Both share the context of b. If b is nil, the limits are the usual ones.
func (b *Budget) Fresh() *Budget { return b.Part(int64(b.Share(0))) }

// Fraction calls f, which may take one nth of the steps that are left, and returns the error of
// the limit that f passed: a part of the work that is too large then leaves something for the
// others, however many there are. It panics as f does where the time is up. Fractions can be
// nested; no other goroutine may use b meanwhile.
func (b *Budget) Fraction(n int64, f func()) (err error) {
	if b == nil {
		f()
		return nil
	}
	old, taken := b.below.Load(), b.steps.Load()
	allowed := max(cmp.Or(old, b.Steps)-taken, 0) / n
	b.below.Store(taken + allowed + 1)
	defer func() {
		b.below.Store(old)
		switch e := recover().(type) {
		case nil:
		case *Exceeded:
			if e.Limit == Time {
				panic(e)
			}
			if e.Limit == Steps {
				e.Size = allowed
			}
			err = e
		default:
			panic(e)
		}
	}()
	f()
	return nil
}

// Divide calls f for each of n parts of the work, and returns for each the error of f, or that of the limit
// it passed. At first each part gets an equal share of half the remaining steps, so that a part that is too
// large takes nothing from the small ones. Then the parts whose errors wrap [ErrTooLarge] are tried again in
// order, each with a quarter of what is left. See [Budget.Fraction].
func (b *Budget) Divide(n int, f func(i int) error) []error {
	errs := make([]error, n)
	try := func(i int, fraction int64) {
		if passed := b.Fraction(fraction, func() { errs[i] = f(i) }); passed != nil {
			errs[i] = passed
		}
	}
	for i := range n {
		try(i, int64(2*n-i))
	}
	for i, err := range errs {
		if b != nil && errors.Is(err, ErrTooLarge) {
			try(i, 4)
		}
	}
	return errs
}

// Charge takes the steps that a [Budget.Part] took. They are b's, but it does not fail before its
// next step.
func (b *Budget) Charge(part *Budget) {
	if b != nil {
		b.steps.Add(part.Taken())
	}
}

// Room panics with an [*Exceeded] where so many bytes are too many for one thing in the making. It
// counts nothing: the caller does.
func (b *Budget) Room(bytes int64) {
	if b != nil && bytes > b.Bytes {
		b.fail(Bytes, b.Bytes)
	}
}

// State panics with an [*Exceeded] where n states are more than an automaton may have: the limit,
// or fallback if none was given.
func (b *Budget) State(n, fallback int) {
	if most := cmp.Or(b.MaxStates(), fallback); n > most {
		b.fail(States, int64(most))
	}
}

// MaxStates returns the limit on states, 0 if none was given.
func (b *Budget) MaxStates() int {
	if b == nil {
		return 0
	}
	return b.States
}

// MaxBytes returns how many bytes one thing in the making may keep.
func (b *Budget) MaxBytes() int64 {
	if b == nil {
		return DefaultBytes
	}
	return b.Bytes
}

// fail panics with the error that a limit of this size was passed.
func (b *Budget) fail(r Resource, size int64) {
	panic(&Exceeded{Limit: r, Size: size, Production: b.At()})
}

// A Resource is one of the things that a budget limits.
type Resource string

// The resources. Their names are those of the flags that raise the limits: --limit-states,
// --limit-memory, --limit-steps.
const (
	States Resource = "states" // of one automaton
	Bytes  Resource = "memory" // that one thing in the making keeps
	Steps  Resource = "steps"  // of all work
	Time   Resource = "timeout"
)

// ErrTooLarge is wrapped by every error that reports a passed limit.
var ErrTooLarge = errors.New("too large")

// IsTooLarge reports whether err is that of a limit other than the time: with a larger limit, or for something smaller,
// there may be an answer.
func IsTooLarge(err error) bool {
	e, ok := errors.AsType[*Exceeded](err)
	return errors.Is(err, ErrTooLarge) && !(ok && e.Limit == Time)
}

// Exceeded is the error of a limit that was passed. It wraps [ErrTooLarge], and for [Time] the
// error of the context.
type Exceeded struct {
	Limit      Resource
	Size       int64
	Production string // "" if none was named
	cause      error
}

// Error names the production, the limit and the flag that raises it.
func (e *Exceeded) Error() string {
	text := ErrTooLarge.Error() + ": "
	if e.Production != "" {
		text += "`" + e.Production + "`: "
	}
	switch e.Limit {
	case States:
		return text + fmt.Sprintf("an automaton of more than %d states; --limit-states raises the limit", e.Size)
	case Bytes:
		return text + fmt.Sprintf("it does not fit into %d MB; --limit-memory raises the limit", e.Size>>20)
	case Time:
		return text + "not done when the time was up; --timeout gives more"
	}
	return text + fmt.Sprintf("more than %d steps; --limit-steps raises the limit", e.Size)
}

// Unwrap returns [ErrTooLarge] and the cause.
func (e *Exceeded) Unwrap() []error { return []error{ErrTooLarge, e.cause} }

// Stopped returns a value to panic with, which makes [Catch] set *err to err. The error need not be about a
// limit.
func Stopped(err error) any { return stopped{err} }

// A stopped is the value of a panic that stands for an error.
type stopped struct{ error }

// Must returns v. Unless err is nil, it panics so that [Catch] sets it.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(stopped{err})
	}
	return v
}

// Catch sets *err where a limit was passed, or to that of [Stopped]. It is for defer, and leaves *err as it is where
// nothing panicked. Any other panic goes on.
func Catch(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Exceeded:
		*err = e
	case stopped:
		*err = e.error
	default:
		panic(e)
	}
}

// Again panics with err, or what it wraps, if that is an [*Exceeded], so that [Catch] sets it further out. It is for
// those who take any other error for an answer.
func Again(err error) {
	if e, ok := errors.AsType[*Exceeded](err); ok {
		panic(e)
	}
}

// Megabytes returns n megabytes in bytes, at most what an int64 holds.
func Megabytes(n int64) int64 { return min(n, math.MaxInt64>>20) << 20 }
