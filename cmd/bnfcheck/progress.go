package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/layout"
)

// progress shows on a terminal how far a run is, on one line that it overwrites. The zero progress shows nothing.
type progress struct {
	w     io.Writer
	now   func() time.Time
	start time.Time
	next  time.Time // when to show again
	shown bool

	lines       int
	read, total int64 // bytes; total is 0 if not known
}

// The first line appears late enough that a short run shows none.
const (
	progressDelay = 300 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// newProgress shows progress on standard error if that is a terminal, and if results do not scroll by on one already.
func newProgress(s *streams, quiet bool, list check.Sources) *progress {
	p := &progress{now: time.Now}
	if !s.progress || s.outIsTerminal && !quiet {
		return p
	}
	p.w = s.err
	for _, src := range list {
		if src.Size == 0 {
			p.total = 0
			break
		}
		p.total += src.Size
	}
	p.start = p.now()
	p.next = p.start.Add(progressDelay)
	return p
}

// add counts a batch.
func (p *progress) add(b *check.Batch) {
	if p.w == nil {
		return
	}
	p.lines += b.URLs
	p.read += b.Read
	now := p.now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(progressEvery)
	p.shown = true
	seconds := now.Sub(p.start).Seconds()
	fmt.Fprintf(p.w, "\r\x1b[K%d URLs, %.1f MB, %.0f URLs/s", p.lines, float64(p.read)/1e6, float64(p.lines)/seconds)
	if p.total > 0 {
		fmt.Fprintf(p.w, ", %d%%", min(100, p.read*100/p.total))
	}
}

// end wipes the line.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// A status is a line on standard error that is overwritten, where that is a terminal. It is safe for concurrent use.
type status struct {
	mu    sync.Mutex
	s     *streams
	next  time.Time
	shown bool
}

func newStatus(s *streams) *status { return &status{s: s, next: time.Now().Add(progressDelay)} }

func (b *status) show(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if !b.s.progress || now.Before(b.next) {
		return
	}
	b.next, b.shown = now.Add(progressEvery), true
	fmt.Fprintf(b.s.err, "\r\x1b[K%s", layout.Printable(fmt.Sprintf(format, args...)))
}

// end wipes the line.
func (b *status) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		fmt.Fprint(b.s.err, "\r\x1b[K")
	}
}
