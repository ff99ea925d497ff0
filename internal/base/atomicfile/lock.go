//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no other process has a file locked, and locks it until unlock is called or the process ends. It
// reports false, without unlock, if the file is gone by then or another has its name. Where nothing can be locked it
// reports true.
func lock(name string) (unlock func(), ok bool) {
	f, err := os.Open(name)
	if err != nil {
		return func() {}, !os.IsNotExist(err)
	}
	for syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == syscall.EINTR { // where nothing can be locked, nothing is swept
	}
	locked, err := f.Stat()
	named, err2 := os.Lstat(name)
	if err != nil || err2 != nil || !os.SameFile(locked, named) {
		f.Close()
		return nil, false
	}
	return func() { f.Close() }, true
}

// removeUnlocked removes a file or a folder with all that is in it, if no process has it locked. What cannot be
// removed stays.
func removeUnlocked(name string) {
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.RemoveAll(name)
	}
}

// tryLock locks an open file until it is closed. It reports false only if another process has it locked, not where a
// file system has no locks.
func tryLock(f *os.File) bool {
	return !errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
