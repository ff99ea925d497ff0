package terminal

import (
	"sync"
	"time"
)

// A Wait reports, once, that a program has not answered its first question for a while. It is safe for concurrent use.
type Wait struct {
	report func(program string)

	mu    sync.Mutex
	timer *time.Timer
}

// Patience is the time that a program has for its first answer before a [Wait] reports it.
const Patience = 3 * time.Second

// NewWait returns a wait that calls report with the name of the program.
func NewWait(report func(program string)) *Wait { return &Wait{report: report} }

// Progress is to be called with the number of answers of a program: 0 before the first, which starts the wait; with
// any other the wait is over.
func (w *Wait) Progress(program string, answers int) {
	w.End()
	if answers > 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(Patience, func() { w.report(program) })
}

// End ends the wait, if there is one: nothing is reported any more, unless that has begun.
func (w *Wait) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
}
