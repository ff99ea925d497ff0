package conform

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Fault is an implementation's failure to answer.
type Fault struct {
	Kind     FaultKind   `json:"kind"`
	Input    quote.Word  `json:"input"`              // what it was asked
	Previous *quote.Word `json:"previous,omitempty"` // what the same child was asked before that
	Detail   string      `json:"detail,omitempty"`   // exit status, what it printed
	Repeated bool        `json:"repeated"`           // a fresh child failed on Input as well
}

// FaultKind is how an implementation failed.
type FaultKind string

// The kinds of faults.
const (
	TimeOut FaultKind = "time-out" // no answer within the time
	Crash   FaultKind = "crash"    // the child exited, or closed its input or output
	Garbage FaultKind = "garbage"  // a line that is not an answer
	WrongID FaultKind = "wrong id" // an answer to another question
	TooMuch FaultKind = "too much" // a line without an end, or output that nobody asked for
)

// Error returns the fault in one line.
func (f *Fault) Error() string {
	s := fmt.Sprintf("%s on %s", f.Kind, inQuotes(string(f.Input)))
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	if !f.Repeated && f.Previous != nil && f.Kind != TimeOut {
		s += fmt.Sprintf(" (not with a fresh child; before it came %s)", inQuotes(string(*f.Previous)))
	}
	return s
}

// GaveUpError is the error of a command that is not started again.
type GaveUpError struct {
	Command  string
	Children int    // that were started
	Brief    bool   // each of the last ones answered one question and failed at the next, whatever it was
	Last     *Fault // nil if the last one could not be started
	Err      error  // why it could not
}

// Error returns the message.
func (e *GaveUpError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: cannot be started: %s", e.Command, layout.Printable(e.Err.Error()))
	}
	if e.Children == 0 {
		return fmt.Sprintf("%s: gave up: %v", e.Command, e.Last)
	}
	if e.Brief {
		return fmt.Sprintf("%s: gave up after %d children: each is good for one answer; the last: %v", e.Command, e.Children, e.Last)
	}
	return fmt.Sprintf("%s: gave up after %d children; the last: %v", e.Command, e.Children, e.Last)
}

// Unwrap returns what kept the command from starting.
func (e *GaveUpError) Unwrap() error { return e.Err }
