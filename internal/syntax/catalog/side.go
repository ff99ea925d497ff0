package catalog

import "strings"

// Short returns the short form of a grammar's name: "1738".
func Short(name string) string { return strings.TrimPrefix(name, "rfc") }

// Named returns the subject with a name, which may be short, and nil if there is none.
func Named(subjects []*Subject, name string) *Subject {
	for _, s := range subjects {
		if s.Name == name || Short(s.Name) == name {
			return s
		}
	}
	return nil
}
