package conform

import (
	"context"
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/octets"
	"github.com/bnfcheck/bnfcheck/internal/vectors"
)

// An Implementation answers what it makes of strings.
type Implementation interface {
	// Name returns the name that reports use.
	Name() string

	// Workers returns how many goroutines can usefully ask at a time; Ask is safe for at least that many.
	Workers() int

	// Ask asks about one input. What goes wrong with this input alone is the answer's Fault. An error means that
	// nothing more can be asked: the context's, or a [*GaveUpError].
	Ask(ctx context.Context, w string) (Answer, error)
}

// Func is an implementation in this process.
type Func struct {
	Title string
	Parse func(w string) Answer // safe for concurrent use
}

// Name returns f's title.
func (f Func) Name() string { return f.Title }

// Workers is 1: what runs in this process is fast enough.
func (f Func) Workers() int { return 1 }

// Ask calls the function. A panic in it is a fault.
func (f Func) Ask(ctx context.Context, w string) (a Answer, err error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	defer func() {
		if r := recover(); r != nil {
			a = Answer{Verdict: NoAnswer, Fault: &Fault{Kind: Crash, Input: octets.Word(w), Detail: panicked(r), Repeated: true}}
		}
	}()
	return f.Parse(w), nil
}

// Verdict is what an implementation says of a string.
type Verdict uint8

// The verdicts.
const (
	NoAnswer  Verdict = iota // it was not asked, or failed to answer
	Undecided                // it says that it cannot say
	Accepted                 // it takes the string for a URL
	Rejected                 // it does not
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return [...]string{"no answer", "undecided", "accepted", "rejected"}[v&3]
}

// Answer is all that an implementation says of a string.
type Answer struct {
	Verdict    Verdict
	Components Components
	Error      string // its own words on why it rejects
	Fault      *Fault // what went wrong; with a Verdict other than NoAnswer, a fresh child answered after all
}

// What is kept of an answer while a run goes on: an implementation that says a megabyte about each of many strings is not to
// fill the memory. No component is as long as that without being wrong.
const (
	keptText = 1 << 10
	keptEach = 16 // for each byte of the string
	keptHead = 100
)

// kept returns the answer to w as a run keeps it: of text that is far longer than w the beginning, and how long it was.
func (a Answer) kept(w string) Answer {
	short := func(text string, most int) string {
		if len(text) <= most {
			return text
		}
		return fmt.Sprintf("%s... (%d bytes)", text[:keptHead], len(text))
	}
	for c := range a.Components {
		a.Components[c].Text = short(a.Components[c].Text, keptText+keptEach*len(w))
	}
	a.Error = short(a.Error, keptText)
	return a
}

// Component is a part of a URL that parsers report under much the same name.
type Component uint8

// The components, in the order of their names in the protocol ([vectors.ComponentNames]).
const (
	Scheme Component = iota
	User
	Password
	Host
	Port
	Path
	Search
	Fragment
	components // how many there are
)

// String returns the component's name.
func (c Component) String() string { return vectors.ComponentNames[c] }

// Components are the components that a parser sees in a string.
type Components [components]Value

// Value is what a parser says of one component.
type Value struct {
	Said    bool   // the parser says anything of this component
	Present bool   // the component is there, be it empty
	Text    string // what it is
}

// Is returns the value of a component that is there.
func Is(text string) Value { return Value{Said: true, Present: true, Text: text} }

// None is the value of a component that is absent.
var None = Value{Said: true}

// String returns the value as reports show it.
func (v Value) String() string {
	switch {
	case !v.Said:
		return "(not said)"
	case !v.Present:
		return "none"
	}
	return quote(v.Text)
}
