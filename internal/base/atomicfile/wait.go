package atomicfile

import (
	"context"
	"time"
)

// Lock makes the named file if there is none, and waits until no other process has it locked, or ctx ends. It is
// locked until unlock is called or the process ends. Where the system has no locks that end with a process, Lock does
// not wait.
func Lock(ctx context.Context, name string) (unlock func(), err error) {
	f, err := openForWriting(name, 0)
	if err != nil {
		return nil, err
	}
	for !tryLock(f) {
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return func() { f.Close() }, nil
}
