package expr

import "fmt"

// An Error is what is wrong at a place in a grammar.
type Error struct {
	Pos     Pos
	Message string

	// Refused reports that the text is in its notation, and that the project cannot compute with it: prose, a value above
	// 255, a repetition or a nesting beyond what an automaton can hold, Go code in a PEG that decides what is accepted.
	Refused bool

	// Production is the name of the production that is refused, where it is known. Prose reports that it has prose.
	Production string
	Prose      bool

	// Empty reports that the text of a specification was read, and no production was found in it.
	Empty bool
}

// Error returns "file:line:col: message".
func (e *Error) Error() string { return at(e.Pos, e.Message) }

// Errorf returns an [*Error] with this place and message.
func Errorf(pos Pos, format string, args ...any) error {
	return &Error{Pos: pos, Message: fmt.Sprintf(format, args...)}
}

// Refusef returns an [*Error] for what is refused.
func Refusef(pos Pos, format string, args ...any) error {
	return &Error{Pos: pos, Message: fmt.Sprintf(format, args...), Refused: true}
}

// Catch sets *err to the [*Error] with which a reader stopped by a panic. It is for defer, in what a package exports.
func Catch(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		*err = e
	default:
		panic(e)
	}
}

// at puts a place in front of a message, if there is one.
func at(pos Pos, message string) string {
	if pos == (Pos{}) {
		return message
	}
	return pos.String() + ": " + message
}
