package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Lines is a program that reads strings, one a line, and answers yes or no, one a line, or answers a single
// string by its exit status. It says nothing about components. A string that contains a line end cannot be
// asked about, and is undecided.
type Lines struct {
	name string
	argv []string
	o    Options
	exit bool

	answered atomic.Bool
	started  atomic.Int64 // children
	failed   atomic.Int64 // of them
	late     atomic.Int64 // of them, for time
}

// batch is how many strings a child is given at most.
const batch = 1000

// NewLines prepares to run argv. If exit is set, a child is started for each string, and accepts it by ending
// with status 0, as grep does, or rejects it by ending with 1. If not, a child is given many strings, and its
// output is read once it has ended, so that it need not care about buffers. NewLines fails as [NewCommand] does.
func NewLines(name string, argv []string, exit bool, o Options) (*Lines, error) {
	c, err := NewCommand(name, argv, o) // fills in the defaults
	if err != nil {
		return nil, err
	}
	return &Lines{name: c.name, argv: argv, o: c.o, exit: exit}, nil
}

// Name returns the name that the program was given, fit for a terminal.
func (l *Lines) Name() string { return l.name }

// Workers returns the number of children at a time.
func (l *Lines) Workers() int { return l.o.Workers }

// Ask starts a child for one string.
func (l *Lines) Ask(ctx context.Context, w string) (Answer, error) {
	a, err := l.AskAll(ctx, []string{w})
	if err != nil {
		return Answer{}, err
	}
	return a[0], nil
}

// Together returns the number of strings that are best asked about at a time.
func (l *Lines) Together() int {
	if l.exit {
		return 1
	}
	return batch
}

// AskAll asks about some strings, with one child if all goes well, and returns their answers in the same
// order. If a child does not answer for all strings, each half of them is asked about again, until the fault
// is that of one string, whose verdict is NoAnswer. A string with a line end is undecided. words has at most one
// string if the exit status answers. AskAll fails with a [*GaveUpError] or with ctx's error.
func (l *Lines) AskAll(ctx context.Context, words []string) ([]Answer, error) {
	answers := make([]Answer, len(words))
	var at []int // indexes of the words that can be asked about
	var in bytes.Buffer
	for i, w := range words {
		if strings.ContainsAny(w, "\r\n") {
			answers[i].Verdict = Undecided
			continue
		}
		at = append(at, i)
		in.WriteString(w + "\n")
	}
	if len(at) == 0 {
		return answers, nil
	}
	verdicts, kind, detail, err := l.runChild(ctx, in.Bytes(), len(at))
	switch {
	case err != nil:
		return nil, err
	case kind == "":
		l.answered.Store(true)
		for k, i := range at {
			answers[i].Verdict = verdicts[k]
		}
	case l.countFailure(kind):
		fault := &Fault{Kind: kind, Input: quote.Word(words[at[0]]), Detail: detail, Repeated: true}
		return nil, &GaveUpError{Command: l.name, Children: int(l.started.Load()), Last: fault}
	case len(at) == 1:
		fault := &Fault{Kind: kind, Input: quote.Word(words[at[0]]), Detail: detail, Repeated: true}
		answers[at[0]] = Answer{Verdict: NoAnswer, Fault: fault}
	default:
		for _, half := range [][]int{at[:len(at)/2], at[len(at)/2:]} {
			var list []string
			for _, i := range half {
				list = append(list, words[i])
			}
			found, err := l.AskAll(ctx, list)
			if err != nil {
				return nil, err
			}
			for k, i := range half {
				answers[i] = found[k]
			}
		}
	}
	return answers, nil
}

// countFailure counts a child that failed, and reports whether to give up: after more than mute time-outs, as many
// failures as o.Restarts, or 2*barren of them while no child has answered.
func (l *Lines) countFailure(kind FaultKind) bool {
	if kind == TimeOut && l.late.Add(1) > mute {
		return true
	}
	failed := l.failed.Add(1)
	return failed >= int64(l.o.Restarts) || failed >= 2*barren && !l.answered.Load()
}

// runChild starts a child, gives it in, which has n lines, and returns its verdicts. If only the exit status counts,
// 0 accepts and 1 rejects; n must be 1. Otherwise the child must print a line for each string, and its status does
// not matter unless a signal ended it. A child may run for o.Startup, or o.Timeout if its exit status counts. If it
// fails, kind is not "", detail says how it failed, and there are no verdicts. err is ctx's error, or a *GaveUpError
// if the child could not be started.
func (l *Lines) runChild(ctx context.Context, in []byte, n int) (
	verdicts []Verdict, kind FaultKind, detail string, err error,
) {
	timeout := l.o.Startup
	if l.exit {
		timeout = l.o.Timeout
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c := exec.CommandContext(limited, l.argv[0], l.argv[1:]...)
	c.Dir, c.Env = l.o.Dir, l.o.Env
	ownGroup(c)
	c.Cancel = func() error { killGroup(c); return nil }
	c.WaitDelay = time.Second
	out, said := &bounded{most: l.o.MaxLine}, &tail{}
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in), out, said
	l.started.Add(1)
	if err := start(c); err != nil {
		return nil, "", "", &GaveUpError{Command: l.name, Err: err}
	}
	err = c.Wait()
	if ctx.Err() != nil {
		return nil, "", "", ctx.Err()
	}
	status := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status, detail = exit.ExitCode(), exit.ProcessState.String()
	}
	if said.String() != "" {
		detail = strings.TrimPrefix(detail+", saying "+inQuotes(said.String()), ", ")
	}
	switch {
	case limited.Err() != nil:
		return nil, TimeOut, fmt.Sprintf("no answer within %v", timeout), nil
	case out.full:
		return nil, TooMuch, fmt.Sprintf("more than %d bytes", l.o.MaxLine), nil
	case l.exit && status == 0:
		return []Verdict{Accepted}, "", "", nil
	case l.exit && status == 1:
		return []Verdict{Rejected}, "", "", nil
	case l.exit || status < 0:
		return nil, Crash, detail, nil
	}
	lines := strings.SplitAfter(string(out.text), "\n")
	if lines[len(lines)-1] == "" { // the empty text after the last line end
		lines = lines[:len(lines)-1]
	}
	if len(lines) != n {
		got := layout.Plural(len(lines), "line") + " for " + layout.Plural(n, "string")
		switch {
		case detail != "":
			got += ", and " + detail
		case len(lines) == 0:
			got += "; --each-line=exit takes the exit status for the answer"
		}
		return nil, Crash, got, nil
	}
	for _, line := range lines {
		verdict, ok := yesOrNo(line)
		if !ok {
			return nil, Garbage, "neither yes nor no: " + quoteBeginning([]byte(strings.TrimRight(line, "\r\n"))), nil
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts, "", "", nil
}

// yesOrNo returns the verdict in a line of a command that does not know the protocol: yes, true or 1, or no, false or
// 0, in upper or lower case, with any white space around the word. ok is false for any other line.
func yesOrNo(line string) (verdict Verdict, ok bool) {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "yes", "true", "1":
		return Accepted, true
	case "no", "false", "0":
		return Rejected, true
	}
	return verdict, false
}

// bounded is a writer that keeps at most most bytes.
type bounded struct {
	text []byte
	most int
	full bool
}

// Write keeps p if there is room for all of it. If there is not, it keeps nothing of p, sets b.full and
// fails.
func (b *bounded) Write(p []byte) (int, error) {
	if len(b.text)+len(p) > b.most {
		b.full = true
		return 0, errors.New("too much")
	}
	b.text = append(b.text, p...)
	return len(p), nil
}
