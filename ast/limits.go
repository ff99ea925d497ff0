package ast

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// This file limits what one input may take, and has the errors for an input that takes more.
//
// Where no production embeds itself there are no limits but the length: time is linear, and memory
// is the tree. Code that follows productions into each other uses Go's stack, so their nesting has
// a limit. The general parser counts its steps, and the memory for what it remembers of the input.
// All limits are counts and none is a time, so that the answer does not depend on the machine. A
// context ends what a caller no longer waits for.

// Limits bound what a parser may take for one input. A field that is 0 stands for its default.
type Limits struct {
	// Depth is how many productions may be nested in each other where code parses what nests. A
	// production takes at most some 500 bytes of stack. The default is [DefaultDepth]. The general
	// parser needs no stack, and has no such limit.
	Depth int

	// Steps is how many steps the general parser may take. The default grows with the input: see
	// [LimitsFor].
	Steps int

	// Memory is how many bytes the general parser may keep of the input while it reads, the tree
	// apart. The default grows with the input: see [LimitsFor].
	Memory int
}

// DefaultDepth is how many productions may be nested in each other if no other limit is set. A
// bracket of JSON is two productions, a brace three. What nests as deep takes less than 64 MB of
// stack.
const DefaultDepth = 100_000

// The default limits of the general parser: so many steps and bytes, and so many more for each byte
// of the input. An input that takes at most StepsByByte steps for each byte is never refused
// because it is long.
const (
	GeneralSteps  = 1 << 29
	StepsByByte   = 256
	GeneralMemory = 320 << 20
	MemoryByByte  = 40
)

// LimitsFor returns the default limits for an input of so many bytes.
func LimitsFor(bytes int) Limits {
	return Limits{
		Depth:  DefaultDepth,
		Steps:  int(min(GeneralSteps+StepsByByte*int64(bytes), math.MaxInt)),
		Memory: int(min(GeneralMemory+MemoryByByte*int64(bytes), math.MaxInt)),
	}
}

// or returns l with each field that is 0 or less replaced by that of def.
func (l Limits) or(def Limits) Limits {
	return Limits{
		Depth:  cmp.Or(max(l.Depth, 0), def.Depth),
		Steps:  cmp.Or(max(l.Steps, 0), def.Steps),
		Memory: cmp.Or(max(l.Memory, 0), def.Memory),
	}
}

// A Run is one use of [Grammar.Within]. It holds the limits that Within has to keep, and Within
// writes into it which of them stopped it. The zero Run has the default limits.
type Run struct {
	Limits

	// Context, unless it is nil, stops the general parser soon after it is done. Code and automata
	// take linear time, and do not ask it.
	Context context.Context

	// Unguided makes the general parser go over all derivations even where a guide would decide: see
	// [General]. The answer and the tree are the same, so that each way is a check of the other.
	Unguided bool

	// Guided reports whether a guide decided the input.
	Guided bool

	// Stopped is the limit that was passed, or 0 if none was, and At is how far the input had been
	// read then. If a run was stopped, it is not known whether the input is derived. Taken is how
	// many steps the general parser took.
	Stopped Stop
	At      int
	Taken   int
}

// A Stop is the reason why a [Run] was stopped; 0 if it was not.
type Stop uint8

// The reasons to stop a run.
const (
	StopDepth Stop = iota + 1
	StopSteps
	StopMemory
	StopContext
)

// DepthLimit is for generated code: it returns how deep productions may nest.
func (r *Run) DepthLimit() uint { return uint(cmp.Or(max(r.Depth, 0), DefaultDepth)) }

// TooDeep is for generated code: it stops r, since the input nests deeper than the limit at the
// offset at.
func (r *Run) TooDeep(at uint) { r.Stopped, r.At = StopDepth, int(at) }

// reset clears the results in r, for the next input. The limits and the context stay.
func (r *Run) reset() { r.Guided, r.Stopped, r.At, r.Taken = false, 0, 0, 0 }

// err returns the error of a run that was stopped: a [*TooDeepError], a [*TooLargeError], or one that wraps the cause
// of the context. r.Stopped must not be 0.
func (r *Run) err(g *Grammar, src string) error {
	l := r.Limits.or(LimitsFor(len(src)))
	switch r.Stopped {
	case StopDepth:
		return &TooDeepError{Grammar: g, Input: src, Offset: r.At, Limit: l.Depth}
	case StopSteps:
		return &TooLargeError{Grammar: g, Input: src, Offset: r.At, Steps: l.Steps}
	case StopMemory:
		return &TooLargeError{Grammar: g, Input: src, Offset: r.At, Memory: l.Memory}
	}
	// StopContext
	return fmt.Errorf("%s%s: %w", nameOf(g), placeOf(src, r.At), context.Cause(r.Context))
}

// nameOf returns the beginning of a message about a grammar: its name, a colon and a space, or "" for nil.
func nameOf(g *Grammar) string {
	if g == nil {
		return ""
	}
	return g.Name + ": "
}

// placeOf returns the form that an offset in src has in messages: see [SyntaxError.at].
func placeOf(src string, offset int) string {
	e := SyntaxError{Input: src, Offset: offset}
	return e.at()
}

// TooDeepError is the error for an input whose productions nest deeper than the limit. The parser
// stopped at Offset: it is not known whether the input is derived.
type TooDeepError struct {
	Grammar *Grammar
	Input   string
	Offset  int
	Limit   int // how many productions may be nested in each other
}

// Error returns the one-line message:
//
//	json: offset 50000: nested deeper than 100,000 productions, which is the limit on depth
func (e *TooDeepError) Error() string {
	return fmt.Sprintf("%s%s: nested deeper than %s productions, which is the limit on depth",
		nameOf(e.Grammar), placeOf(e.Input, e.Offset), quote.Thousands(e.Limit))
}

// String returns the message.
func (e TooDeepError) String() string { return e.Error() }

// TooLargeError is the error for an input that takes more steps or memory than the general parser
// may take. The parser stopped at Offset: it is not known whether the input is derived.
type TooLargeError struct {
	Grammar *Grammar
	Input   string
	Offset  int
	Steps   int // the limit on steps if that was passed, or else 0
	Memory  int // the limit on memory, in bytes, if that was passed, or else 0
}

// Error returns the one-line message:
//
//	sums: offset 300: the parser has taken its 536,947,712 steps, which are the limit
func (e *TooLargeError) Error() string {
	limit, what := e.Steps, "steps, which are the limit"
	if e.Memory > 0 {
		limit, what = e.Memory, "bytes of memory, which are the limit"
	}
	return fmt.Sprintf("%s%s: the parser has taken its %s %s",
		nameOf(e.Grammar), placeOf(e.Input, e.Offset), quote.Thousands(limit), what)
}

// String returns the message.
func (e TooLargeError) String() string { return e.Error() }
