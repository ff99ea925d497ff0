package budget

import (
	"cmp"
	"runtime"
	"sync"
)

// InParallel calls f for 0 to n-1, begins these calls in that order, and waits for all. As many run at once as there
// are processors: more would need more memory, and be done no sooner. If f panics because a limit was passed, the other
// calls are made all the same; then InParallel panics with the first such error in the order of the calls, in its
// caller's goroutine, so that the caller's [Catch] finds it. f must be safe for concurrent use.
func InParallel(n int, f func(i int)) {
	var running sync.WaitGroup
	next := make(chan int)
	errs := make([]error, n)
	call := func(i int) {
		defer Catch(&errs[i])
		f(i)
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		running.Go(func() {
			for i := range next {
				call(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	running.Wait()
	Must(0, cmp.Or(errs...))
}
