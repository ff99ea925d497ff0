package conform

import (
	"context"
	"errors"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// Options say how a command is run. The zero value of a field stands for its default.
type Options struct {
	Workers  int           // children at a time; 1
	Timeout  time.Duration // for an answer; 5 s
	Startup  time.Duration // for the first answer of a child, which may have to be compiled first; 30 s
	Restarts int           // how many children may be replaced before the command is given up; 100
	Named    []string      // the components there are, if they are not those of URLs; empty for those that do not matter
	MaxLine  int           // how long an answer may be, in bytes; 1 MiB
	Dir      string        // where it runs; this process's directory
	Env      []string      // its environment; this process's
}

// Where no child has ever answered anything, the command is given up after this many have ended, or have let the time
// for their first answer pass; otherwise after this many in a row that answered once and failed at what a fresh child
// can answer.
const (
	barren = 8
	mute   = 2
	brief  = 8
)

// Command is a program that answers questions on standard input and output, as docs/adapter-protocol.md says. It is
// safe for concurrent use.
type Command struct {
	name string
	argv []string
	o    Options

	slots    chan *child  // one for each worker; nil where no child runs
	started  atomic.Int64 // children so far
	late     atomic.Int64 // time-outs
	answered atomic.Bool  // one of them has, ever
	brief    atomic.Int64 // children in a row that answered once, see brief
	gaveUp   atomic.Pointer[GaveUpError]
}

// NewCommand prepares to run argv, which is started when it is first asked. The error says that there is no such
// program. The Command must be closed. In its name, what would move a terminal's cursor is replaced.
func NewCommand(name string, argv []string, o Options) (*Command, error) {
	if len(argv) == 0 {
		return nil, errors.New(name + ": no command")
	}
	look := exec.Command(argv[0])
	if look.Err != nil {
		return nil, look.Err
	}
	set := func(field *int, to int) {
		if *field <= 0 {
			*field = to
		}
	}
	set(&o.Workers, 1)
	set(&o.Restarts, 100)
	set(&o.MaxLine, 1<<20)
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Second
	}
	if o.Startup <= 0 {
		o.Startup = max(30*time.Second, o.Timeout)
	}
	c := &Command{name: layout.Printable(name), argv: argv, o: o, slots: make(chan *child, o.Workers)}
	for range o.Workers {
		c.slots <- nil
	}
	return c, nil
}

// Name returns the name that the command was made with.
func (c *Command) Name() string { return c.name }

// Workers returns the number of children.
func (c *Command) Workers() int { return c.o.Workers }

// Ask asks a child about w. If the child fails, it is stopped, and a fresh one is asked once more: that tells a
// child that was broken by an earlier question from one that w breaks. After a time-out no other is asked, since
// that would double the waiting.
func (c *Command) Ask(ctx context.Context, w string) (Answer, error) {
	var slot *child
	select {
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	case slot = <-c.slots:
	}
	defer func() { c.slots <- slot }()

	asked := slot // nil if the child is started for this question
	a, err := c.askSlot(ctx, &slot, w)
	fault, failed := err.(*Fault)
	if !failed {
		if asked != nil {
			c.brief.Store(0)
		}
		return a, err
	}
	if fault.Kind != TimeOut {
		a, err = c.askSlot(ctx, &slot, w)
		again, failed := err.(*Fault)
		switch {
		case failed:
			again.Repeated = true
			fault = again
			a = Answer{}
		case err != nil:
			return Answer{}, err
		case asked == nil || asked.answered != 1:
			c.brief.Store(0)
		case c.brief.Add(1) == brief:
			c.gaveUp.CompareAndSwap(nil, &GaveUpError{Command: c.name, Children: int(c.started.Load()), Brief: true, Last: fault})
		}
	}
	a.Fault = fault
	return a, nil
}

// askSlot asks the child in the slot, or a new one if there is none. If the child fails, askSlot stops it and clears
// the slot; the error is then that of the context, or a [*Fault], after which the whole command may have given up. If
// no child can be started, the error is a [*GaveUpError].
func (c *Command) askSlot(ctx context.Context, slot **child, w string) (Answer, error) {
	if *slot == nil {
		fresh, err := c.newChild()
		if err != nil {
			return Answer{}, err
		}
		*slot = fresh
	}
	timeout := c.o.Timeout
	if (*slot).answered == 0 {
		timeout = c.o.Startup
	}
	a, err := (*slot).ask(ctx, w, timeout, c.o.MaxLine)
	if err == nil {
		c.answered.Store(true)
		return a, nil
	}
	var grace time.Duration
	fault, failed := err.(*Fault)
	if failed && fault.Kind == Crash {
		grace = lastWords
	}
	status := (*slot).stop(grace)
	*slot = nil
	if !failed {
		return Answer{}, err
	}
	if fault.Kind == Crash && fault.Detail == "" {
		fault.Detail = status
	}
	if fault.Kind == TimeOut {
		c.late.Add(1)
	}
	n := c.started.Load()
	if n > int64(c.o.Workers+c.o.Restarts) || !c.answered.Load() && (n >= barren || c.late.Load() >= mute) {
		c.gaveUp.CompareAndSwap(nil, &GaveUpError{Command: c.name, Children: int(n), Last: fault})
	}
	return Answer{}, fault
}

// newChild starts another child, unless the command has given up: then it returns that error. If the child cannot be
// started the command gives up, so that every later call returns the same error.
func (c *Command) newChild() (*child, error) {
	if e := c.gaveUp.Load(); e != nil {
		return nil, e
	}
	fresh, err := startChild(c.argv, c.o)
	if err != nil {
		e := &GaveUpError{Command: c.name, Err: err}
		c.gaveUp.CompareAndSwap(nil, e)
		return nil, e
	}
	c.started.Add(1)
	return fresh, nil
}

// Close ends all children, after the questions that are being asked. Nothing can be asked after it.
func (c *Command) Close() error {
	c.gaveUp.CompareAndSwap(nil, &GaveUpError{Command: c.name, Err: errors.New("it is closed")})
	for range c.o.Workers {
		if slot := <-c.slots; slot != nil {
			slot.stop(2 * time.Second)
		}
		defer func() { c.slots <- nil }()
	}
	return nil
}
