package bnftoregexp

import "github.com/bnfcheck/bnfcheck/internal/notation/regex"

// A Flavor is a notation for regular expressions, as one engine reads it. The flavors are rows of the table in
// package regex, which reads back what is written.
type Flavor struct {
	*regex.Writing
	Name string
	most int64 // the highest count that a repetition can have
}

// Names lists the names of all flavors.
func Names() []string { return regex.Written() }

// Of returns the flavor with this name, or nil.
func Of(name string) *Flavor {
	w := regex.WritingOf(name)
	if w == nil {
		return nil
	}
	return &Flavor{w, name, regex.MostRepeats(w.ReadAs)}
}
