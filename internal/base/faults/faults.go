// Package faults makes operations fail in tests of programs. What opens, writes, renames, starts a child or takes from
// a budget asks [Injected] first, so that a test can have the nth of them fail, for every n.
package faults

import "sync/atomic"

// inject decides which operations fail; nil if none does.
var inject atomic.Pointer[func(operation string) error]

// Injected returns the error to return instead of carrying out an operation. It is nil outside of tests.
func Injected(operation string) error {
	if f := inject.Load(); f != nil {
		return (*f)(operation)
	}
	return nil
}

// Inject makes f decide which operations fail, in the whole process, until the returned function is called. f
// may be called from any goroutine. It is given the name of the operation, and returns nil to let it be
// carried out.
func Inject(f func(operation string) error) (end func()) {
	inject.Store(&f)
	return func() { inject.Store(nil) }
}
