package check

import "runtime"

// InOrder has workers work on batches, one on each core, and passes each batch to emit in the order in which
// read filled them, as soon as it is ready. It reads only a few batches ahead and reuses them, so that memory
// does not grow with the input.
//
// read fills a batch and reports whether there are more; it runs on a goroutine of its own. newWorker is
// called once on the goroutine of each worker, so several calls can run at the same time. emit runs on the
// caller's goroutine. InOrder stops at the first error of emit and returns it; read and the workers may still
// be running then.
func InOrder[B any](read func(*B) (more bool), newWorker func() func(*B), emit func(*B) error) error {
	type job struct {
		batch B
		done  chan struct{} // holds a token when a worker is done with it
	}
	workers := runtime.GOMAXPROCS(0)
	jobs := 2*workers + 1
	free, todo, order := make(chan *job, jobs), make(chan *job, jobs), make(chan *job, jobs)
	for range jobs {
		free <- &job{done: make(chan struct{}, 1)}
	}
	for range workers {
		go func() {
			work := newWorker()
			for j := range todo {
				work(&j.batch)
				j.done <- struct{}{}
			}
		}()
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(order)
		defer close(todo)
		for more := true; more; {
			select {
			case <-stop:
				return
			case j := <-free:
				more = read(&j.batch)
				todo <- j
				order <- j
			}
		}
	}()
	for j := range order {
		<-j.done
		if err := emit(&j.batch); err != nil {
			return err
		}
		free <- j
	}
	return nil
}
