package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// A Line shows the progress of a run on one line of a terminal, which it overwrites. It first appears after a delay,
// so that a short run shows none. A Line is safe for concurrent use.
type Line struct {
	mu    sync.Mutex
	w     io.Writer        // the terminal; nil where nothing is shown
	now   func() time.Time // of the clock; tests have their own
	next  time.Time        // when to show again
	shown bool             // there is something to clear
}

const (
	delay    = 300 * time.Millisecond // until the line first appears
	interval = 100 * time.Millisecond // between two that are shown, so that they can be read
)

// NewLine returns a line on a terminal, or one that shows nothing if w is nil.
func NewLine(w io.Writer) *Line { return newLine(w, time.Now) }

// newLine is NewLine with a clock.
func newLine(w io.Writer, now func() time.Time) *Line {
	return &Line{w: w, now: now, next: now().Add(delay)}
}

// Show overwrites the line. It does nothing within the delay at the beginning, or if the line was shown a moment ago.
func (l *Line) Show(format string, args ...any) {
	if l.w == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if now.Before(l.next) {
		return
	}
	l.next, l.shown = now.Add(interval), true
	fmt.Fprintf(l.w, "\r\x1b[K%s", layout.Printable(fmt.Sprintf(format, args...)))
}

// End clears the line, if it was shown. It may be shown again.
func (l *Line) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

// A Meter shows on a line how many URLs were read, and how fast.
type Meter struct {
	line  *Line
	start time.Time
	urls  int
	read  int64
	total int64 // bytes; 0 if not known
}

// NewMeter returns a meter of an input of total bytes, 0 if that is not known.
func NewMeter(line *Line, total int64) *Meter {
	return &Meter{line: line, start: line.now(), total: total}
}

// Add counts URLs, and the bytes that were read for them, and shows the sums on the line. It is for one goroutine.
func (m *Meter) Add(urls int, read int64) {
	m.urls += urls
	m.read += read
	share := ""
	if m.total > 0 {
		share = fmt.Sprintf(", %d%%", min(100, m.read*100/m.total))
	}
	rate := float64(m.urls) / m.line.now().Sub(m.start).Seconds()
	m.line.Show("%d URLs, %.1f MB, %.0f URLs/s%s", m.urls, float64(m.read)/1e6, rate, share)
}
