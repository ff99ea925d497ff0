package command

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// computesFirst has the names of the commands that compute before they print, and show no progress of their own.
var computesFirst = map[string]bool{
	"claims": true, "diff": true, "init": true, "lint": true, "peg": true, "regexp": true,
	"generate": true, "prove": true, "report": true, "vectors": true, "verify": true,
}

// work counts what a command has done. It is safe for concurrent use.
type work struct {
	mu       sync.Mutex
	what     string // in the plural
	done, of int
	alive    func() // called when more is done
}

// set replaces the count: done of as many things, which are named in the plural. It is a sign of life for the watch.
func (w *work) set(what string, done, of int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.what, w.done, w.of = what, done, of
	w.alive()
}

// rules adds to the count: done more rules are proven, and more rules have turned up that are to be proven. It is a
// sign of life for the watch.
func (w *work) rules(done, more int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.what, w.done, w.of = "rules", w.done+done, w.of+more
	w.alive()
}

// String returns the count to be appended to a sentence, ", 34 of 213 rules"; "" if there is none, or only one thing to
// do.
func (w *work) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of < 2 {
		return ""
	}
	return fmt.Sprintf(", %d of %d %s", w.done, w.of, w.what)
}

// patience is how long a command computes before the line on the terminal appears.
const patience = 2 * time.Second

// showBusy begins to show on a terminal that a command is computing: for how long, what it has done, and with which
// production. The line appears after patience. showBusy starts a goroutine and sets s.out.before, which ends the
// goroutine and the line; the first output calls it, or else flush. Without a terminal, and for a command that is not
// in computesFirst and has no grammar in its flag --grammar, it does nothing.
func (s *streams) showBusy(cmd *cobra.Command) {
	if g := cmd.Flag("grammar"); !s.progress || !computesFirst[cmd.Name()] && (g == nil || !g.Changed) {
		return
	}
	line, start := s.newLine(), time.Now()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case now := <-tick.C:
				if now.Sub(start) < patience {
					continue
				}
				with := s.spent.Load().At()
				if with != "" {
					with = ", " + with
				}
				line.Show("%s: %.0f s%v%s", cmd.Name(), now.Sub(start).Seconds(), &s.doing, with)
			}
		}
	}()
	s.out.before = func() {
		s.out.before = nil // once only
		close(stop)
		<-stopped
		line.End()
	}
}

// endBusy ends the line that showBusy shows, and waits until it is gone.
func (o *output) endBusy() {
	if o.before != nil {
		o.before()
	}
}

// flagError rewords an error about the value of a flag that takes a number, a duration, or true or false: pflag's text
// has the name of a function of strconv or time in it. The result does not wrap err. Other errors come back unchanged.
func flagError(_ *cobra.Command, err error) error {
	text := err.Error()
	if before, _, found := strings.Cut(text, ": time: "); found {
		return &flagProblem{before + ": it must be a duration, such as 5s or 1m30s"}
	}
	before, problem, found := strings.Cut(text, ": strconv.")
	switch {
	case !found:
		return err
	case strings.HasPrefix(problem, "ParseBool: "):
		return &flagProblem{before + ": it must be true or false"}
	case !strings.HasSuffix(problem, "out of range"):
		return &flagProblem{before + ": it must be a number"}
	case strings.Contains(problem, `: parsing "-`):
		return &flagProblem{before + ": the number is too small"}
	}
	return &flagProblem{before + ": the number is too large"}
}

// A flagProblem is an error in the value of a flag.
type flagProblem struct{ text string }

func (e *flagProblem) Error() string { return e.text }
