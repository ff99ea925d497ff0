package prove

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
)

// A limit that is passed in one of several goroutines is an error where the caller catches it, and the others still do
// their work.
func TestRunInParallelPassesLimitsOn(t *testing.T) {
	passed := errors.New("passed")
	var done atomic.Int64
	run := func() (err error) {
		defer budget.Catch(&err)
		runInParallel(20, func(i int) {
			if i == 3 {
				panic(budget.Stopped(passed))
			}
			done.Add(1)
		})
		return nil
	}
	if err := run(); err != passed || done.Load() != 19 {
		t.Errorf("%v after %d", err, done.Load())
	}
}
