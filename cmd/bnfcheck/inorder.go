package main

import (
	"runtime"

	"github.com/bnfcheck/bnfcheck/internal/report"
)

// A batch is some lines of the input, and what was made of them.
type batch struct {
	text    []byte
	lines   []line
	skipped int // lines before and between these that are blank or comments
	read    int64

	out     []byte // the text to print
	results []report.Result
	tally   tally

	negative   bool     // something could not be repaired
	complaints []string // to be printed on standard error

	done chan struct{} // holds a token when a worker is through with it
}

// inOrder lets workers work on batches, one on each core, and gives each batch to emit in the order in which read
// filled them, as soon as it is ready. It reads only a few batches ahead, and uses each again, so that memory stays
// the same however long the input is.
//
// read fills a batch and says whether there are more; it runs on a goroutine of its own. An error of emit ends all.
func inOrder(read func(*batch) (more bool), newWorker func() func(*batch), emit func(*batch) error) error {
	workers := runtime.GOMAXPROCS(0)
	batches := 2*workers + 1
	free, todo, order := make(chan *batch, batches), make(chan *batch, batches), make(chan *batch, batches)
	for range batches {
		free <- &batch{done: make(chan struct{}, 1)}
	}
	for range workers {
		go func() {
			work := newWorker()
			for b := range todo {
				work(b)
				b.done <- struct{}{}
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
			case b := <-free:
				more = read(b)
				todo <- b
				order <- b
			}
		}
	}()
	for b := range order {
		<-b.done
		if err := emit(b); err != nil {
			return err
		}
		free <- b
	}
	return nil
}
