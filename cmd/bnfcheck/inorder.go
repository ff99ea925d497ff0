package main

import (
	"runtime"

	"github.com/bnfcheck/bnfcheck/internal/results"
)

// A batch is some URLs of the input, and what was made of them.
type batch struct {
	arguments []string // URLs of the command line; or:
	source    *source
	text      []byte // whole lines, of which the last may lack its end
	first     int    // the number of the first
	cut       int    // how many bytes of the first are left out behind its beginning
	read      int64  // how many bytes were read for it

	urls    int // how many there are
	skipped int // how many lines are blank or comments

	out     []byte // the text to print
	results []results.Result
	tally   tally

	negative   bool     // something could not be repaired
	complaints []string // to be printed on standard error
}

// inOrder lets workers work on batches, one on each core, and gives each batch to emit in the order in which read
// filled them, as soon as it is ready. It reads only a few batches ahead, and uses each again, so that memory stays
// the same however long the input is.
//
// read fills a batch and says whether there are more; it runs on a goroutine of its own. An error of emit ends all.
func inOrder[B any](read func(*B) (more bool), newWorker func() func(*B), emit func(*B) error) error {
	type job struct {
		batch B
		done  chan struct{} // holds a token when a worker is through with it
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
