package conform

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Fault describes one failure to answer.
type Fault struct {
	Kind     FaultKind   `json:"kind"`
	Input    quote.Word  `json:"input"`              // the string that was asked about
	Previous *quote.Word `json:"previous,omitempty"` // the string that the same child was asked about before that
	Detail   string      `json:"detail,omitempty"`   // exit status, or the output
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

// Error returns the fault in one line. If it is no time-out, and a fresh child did not fail at the string, it also
// names the string before.
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

// GaveUpError says that a command is not started again, or that a function in this process timed out.
type GaveUpError struct {
	Command  string
	Children int    // how many were started; 0 for a function in this process
	Brief    bool   // each of the last ones answered one question and failed at the next, whatever that was
	Last     *Fault // nil if no child could be started
	Err      error  // why it could not
}

// Error returns, in one line, why nothing more can be asked: that a start failed, or the last fault.
func (e *GaveUpError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: cannot be started: %s", e.Command, layout.Printable(e.Err.Error()))
	}
	if e.Children == 0 { // a function in this process
		return fmt.Sprintf("%s: gave up: %v", e.Command, e.Last)
	}
	if e.Brief {
		return fmt.Sprintf("%s: gave up after %d children: each is good for one answer; the last: %v", e.Command,
			e.Children, e.Last)
	}
	return fmt.Sprintf("%s: gave up after %d children; the last: %v", e.Command, e.Children, e.Last)
}

// Unwrap returns the error that kept the command from starting, if there is one.
func (e *GaveUpError) Unwrap() error { return e.Err }
