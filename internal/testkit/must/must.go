// Package must ends a test where something that the test needs fails: must.Of(bnf.Load(name))(t) is the source, or the end of t.
package must

import "testing"

// Of returns a function that returns v, and ends the test if there is an error.
func Of[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Do ends the test if there is an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
