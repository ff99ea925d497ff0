// Package faults makes operations fail in tests of programs. What opens, writes, renames, starts a child or takes from
// a budget asks [Injected] first, so that a test can have the nth of them fail, for every n.
package faults

import "sync/atomic"

// inject is what decides which operations fail; nil where none does.
var inject atomic.Pointer[func(operation string) error]

// Injected returns the error with which an operation is to fail instead of being carried out: nil outside of tests.
func Injected(operation string) error {
	if f := inject.Load(); f != nil {
		return (*f)(operation)
	}
	return nil
}

// Inject has f decide which operations fail, in the whole process, until the function that it returns is called. f is
// called from any goroutine, with the name of the operation, and returns nil for one that is to be carried out.
func Inject(f func(operation string) error) (end func()) {
	inject.Store(&f)
	return func() { inject.Store(nil) }
}
