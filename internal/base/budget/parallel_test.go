package budget

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
)

// Each call is made once, and no more at once than there are processors.
func TestInParallel(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int64, n)
		var running, most atomic.Int64
		InParallel(n, func(i int) {
			now := running.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			calls[i].Add(1)
			running.Add(-1)
		})
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("call %d of %d was made %d times", i, n, got)
			}
		}
		if got := most.Load(); got > int64(runtime.GOMAXPROCS(0)) {
			t.Errorf("of %d calls %d ran at once", n, got)
		}
	}
}

// Where calls fail by limits the others are made, and the caller catches the error of the first in order.
func TestInParallelPastALimit(t *testing.T) {
	first, second := errors.New("the first"), errors.New("the second")
	var calls atomic.Int64
	run := func() (err error) {
		defer Catch(&err)
		InParallel(100, func(i int) {
			calls.Add(1)
			switch i {
			case 3:
				panic(Stopped(first))
			case 70:
				panic(Stopped(second))
			}
		})
		return nil
	}
	if err := run(); err != first {
		t.Errorf("the error is %v", err)
	}
	if calls.Load() != 100 {
		t.Errorf("%d calls", calls.Load())
	}
}
