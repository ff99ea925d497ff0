package regex

// A Writing is how expressions of a flavor are written.
type Writing struct {
	Open, Shut  string // what stands around an expression that is to match whole strings
	Group       string // how a group with a name begins
	OtherInName string // what stands in such a name for a character that it may not have; "" if it is left out
	FirstInName string // what such a name begins with where that would be a digit
	Escaped     string // what has a backslash in front outside of classes, beside ^$\.*+?()[]{}|
	InClass     string // what has one in classes
	ByNumber    string // what is written by its number
	Never       string // an expression that matches nothing
	Octets      bool   // it matches octets, and characters as their UTF-8
	Extended    bool   // there is a mode with comments

	FlagsAfter bool   // the flags of a mode stand after the expression, and not at its beginning
	WideFlag   string // the flag with which characters above U+FFFF are one symbol, if that needs one

	// The modes in which an expression may be written, of which the one that makes it shortest is taken.
	Modes []Mode

	// ReadAs is the flavor by which what is written is read back.
	ReadAs string

	// Constants is how a file with a constant for each expression is written; nil if there is none.
	Constants *Constants

	Point  func(r rune) string             // how a character is written by its number
	Source func(text, flags string) string // an expression as a program has it
	Reads  func(text, flags string) string // an expression as ReadAs reads it
}

// A Mode is how an expression abbreviates.
type Mode struct {
	Flags string // that it has
	Short bool   // \d and \w stand for ASCII
	Hex   bool   // \h stands for hexadecimal digits
	Fold  bool   // letters match in either case, and these are ASCII, except for those in But
	But   string
}

// Constants is how a file of constants is written in a language.
type Constants struct {
	Comment  string // what a line of comment begins with
	Package  bool   // the file begins with a package clause
	Exported bool   // names are ExportedNames, and not UPPER_CASE

	Constant func(name, text string) string // a line that defines a constant for an expression
}

// Written lists the flavors that are written. The first is written where none is asked for.
func Written() []string { return namesOf(func(r *row) bool { return r.write != nil }) }

// WritingOf returns how a flavor is written, nil if it is not.
func WritingOf(flavour string) *Writing {
	if r := rowOf(flavour); r != nil {
		return r.write
	}
	return nil
}
