package regex

// A Writing says how expressions of a flavor are written.
type Writing struct {
	Open, Shut  string // the anchors around an expression that is to match whole strings
	Group       string // the beginning of a group with a name
	OtherInName string // the replacement for a character that the name of a group may not have; "" leaves it out
	FirstInName string // put before a name that would begin with a digit
	Escaped     string // the characters that need a backslash outside of classes, besides ^$\.*+?()[]{}|
	InClass     string // those that need one in classes
	ByNumber    string // those that are written by their number
	Never       string // an expression that matches nothing
	Octets      bool   // it matches octets, and characters as their UTF-8
	Extended    bool   // there is a mode with comments and blanks

	FlagsAfter bool   // the flags of a mode stand after the expression, and not at its beginning
	WideFlag   string // the flag that makes characters above U+FFFF one symbol, if one is needed

	// The modes that an expression may be written in; the one that makes it shortest is taken.
	Modes []Mode

	// ReadAs is the flavor that reads a written expression back.
	ReadAs string

	// Constants says how a file with a constant for each expression is written; nil if that is not possible.
	Constants *Constants

	Point  func(r rune) string             // writes a character by its number
	Source func(text, flags string) string // writes an expression as it stands in a program
	Reads  func(text, flags string) string // writes an expression as ReadAs reads it
}

// A Mode is a set of abbreviations that an expression may use.
type Mode struct {
	Flags string // that switch the mode on
	Short bool   // \d and \w stand for ASCII
	Hex   bool   // \h stands for hexadecimal digits
	Fold  bool   // letters match in either case: those of ASCII, except for But, which have other cases beyond ASCII
	But   string
}

// Constants says how a file of constants is written in a language.
type Constants struct {
	Comment  string // what a line of comment begins with
	Package  bool   // the file begins with a package clause
	Exported bool   // names are ExportedNames, and not UPPER_CASE

	Constant func(name, text string) string // a line that defines a constant for an expression
}

// Written lists the flavors that are written; the first is the default.
func Written() []string { return namesOf(func(r *row) bool { return r.write != nil }) }

// WritingOf returns how a flavor is written, nil if it is not.
func WritingOf(flavor string) *Writing {
	if r := rowOf(flavor); r != nil {
		return r.write
	}
	return nil
}
