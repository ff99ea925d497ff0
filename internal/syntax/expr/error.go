package expr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// An Error is a fault at a place in a grammar.
type Error struct {
	Pos     Pos
	Message string

	// Refused reports that the text is correct in its notation, but that this program cannot compute with it:
	// prose, a value above 255, a repetition or a nesting beyond the limits, Go code in a PEG that decides about
	// acceptance.
	Refused bool

	// Production is the name of the production that is refused, if it is known. Prose reports that it is refused
	// for its prose.
	Production string
	Prose      bool

	// Empty reports that the text of a specification was read without finding a production.
	Empty bool
}

// Error returns "file:line:col: message".
func (e *Error) Error() string { return quote.Bounded(at(e.Pos, e.Message)) }

// Errorf returns an [*Error] with this place and message.
func Errorf(pos Pos, format string, args ...any) error {
	return &Error{Pos: pos, Message: quote.Bounded(fmt.Sprintf(format, args...))}
}

// Refusef returns an [*Error] with Refused set.
func Refusef(pos Pos, format string, args ...any) error {
	return &Error{Pos: pos, Message: quote.Bounded(fmt.Sprintf(format, args...)), Refused: true}
}

// Errors lists the errors with a place that err is or joins, in their order. It is empty for any other error.
func Errors(err error) (list []*Error) {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range all.Unwrap() {
			list = append(list, Errors(e)...)
		}
		return list
	}
	if e, ok := errors.AsType[*Error](err); ok && e.Pos.Line > 0 {
		return []*Error{e}
	}
	return nil
}

// An AmbiguousError reports that several productions of a grammar have a name.
type AmbiguousError struct {
	Grammar string
	Name    string
	IDs     []string // of the productions
}

// Error lists the IDs.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s has %d productions %q: %s", e.Grammar, len(e.IDs), e.Name, strings.Join(e.IDs, ", "))
}

// Catch, deferred in an exported function, recovers from a panic with an [*Error], which is how readers stop, and
// stores it in *err. It passes other panics on.
func Catch(err *error) {
	switch e := recover().(type) {
	case nil:
		// no panic: *err stays as it is
	case *Error:
		*err = e
	default:
		panic(e)
	}
}

// at puts a place in front of a message, unless the place is zero.
func at(pos Pos, message string) string {
	if pos == (Pos{}) {
		return message
	}
	return pos.String() + ": " + message
}
