package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// quiet has the commands that compute before they print, and show no progress of their own.
var quiet = map[string]bool{"claims": true, "diff": true, "lint": true, "peg": true, "generate": true, "prove": true, "report": true,
	"serve": true, "vectors": true, "verify": true}

// busy shows on a terminal that a command is computing, and for how long, until it prints something or ends.
func (s *streams) busy(cmd *cobra.Command) {
	if !s.progress || !quiet[cmd.Name()] {
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
			case <-tick.C:
				line.Show("%s: %.0f s", cmd.Name(), time.Since(start).Seconds())
			}
		}
	}()
	s.out.before = func() {
		s.out.before = nil
		close(stop)
		<-stopped
		line.End()
	}
}

// idle ends the line that busy shows.
func (o *output) idle() {
	if o.before != nil {
		o.before()
	}
}

// flagError words the errors of flags that are numbers.
func flagError(_ *cobra.Command, err error) error {
	text := err.Error()
	before, problem, found := strings.Cut(text, ": strconv.")
	switch {
	case !found:
		return err
	case strings.HasSuffix(problem, "out of range"):
		return &flagProblem{before + ": the number is too large"}
	}
	return &flagProblem{before + ": it must be a number"}
}

// A flagProblem is an error in the value of a flag.
type flagProblem struct{ text string }

func (e *flagProblem) Error() string { return e.text }
