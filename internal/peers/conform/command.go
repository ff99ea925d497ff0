package conform

import (
	"context"
	"errors"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// Options say how a command is run. A field with its zero value has the default named here.
type Options struct {
	Workers  int           // children at a time; 1
	Timeout  time.Duration // for an answer; 5 s
	Startup  time.Duration // for the first answer of a child, which may have to compile; 30 s, or Timeout if longer
	Restarts int           // how many children may be replaced before the command is given up; 100
	Named    []string      // the names of the components; nil for those of URLs, empty if they do not matter
	MaxLine  int           // how long an answer may be, in bytes; 1 MiB
	Dir      string        // where it runs; this process's directory
	Env      []string      // its environment; this process's
}

// When a command is given up. While no child has answered anything, that is after barren children have ended,
// or after mute of them have let the time for their first answer pass. Later it is after brief children in a
// row that answered one question each and failed at the next, though a fresh child could answer that.
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
	answered atomic.Bool  // a child has answered, at any time
	brief    atomic.Int64 // children in a row that answered once, see brief
	gaveUp   atomic.Pointer[GaveUpError]
}

// NewCommand prepares to run argv; the first child is started when it is first asked. It fails if argv is
// empty, or if a program without a path is not found in PATH. A path to no program fails only at the first question,
// with a [*GaveUpError]. The Command must be closed. Characters of name that would move a terminal's cursor are
// replaced.
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

// Workers returns how many children can run at a time.
func (c *Command) Workers() int { return c.o.Workers }

// Ask asks a child about w. If the child fails, it is stopped, and a fresh one is asked once more: that tells
// a child that was broken by an earlier question from one that w breaks. If the fresh one answers, that is the
// answer, with the Fault of the first. If it fails as well, the verdict is NoAnswer, and the Fault is its own, with
// Repeated set. After a time-out no other child is asked, since that would double the waiting: the verdict is
// NoAnswer. Ask fails with ctx's error or, if a child is to be started and cannot be, with a [*GaveUpError].
func (c *Command) Ask(ctx context.Context, w string) (Answer, error) {
	var slot *child
	select {
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	case slot = <-c.slots:
		// a process that is running and idle, or nil for one that is to be started
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
		case asked == nil || asked.answered != 1: // it is not the second question that a child fails at
			c.brief.Store(0)
		case c.brief.Add(1) == brief:
			children := int(c.started.Load())
			c.gaveUp.CompareAndSwap(nil, &GaveUpError{Command: c.name, Children: children, Brief: true, Last: fault})
		}
	}
	a.Fault = fault
	return a, nil
}

// askSlot asks the child in the slot, or starts one if there is none. If the child fails, askSlot stops it,
// clears the slot and returns ctx's error or a [*Fault]; after a fault the whole command may have given up.
// If no child can be started, it returns a [*GaveUpError].
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
	// A child that closed a pipe may still be about to say why. Any other is killed at once.
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
	restartedEnough := n > int64(c.o.Workers+c.o.Restarts)
	neverAnswers := !c.answered.Load() && (n >= barren || c.late.Load() >= mute)
	if restartedEnough || neverAnswers {
		c.gaveUp.CompareAndSwap(nil, &GaveUpError{Command: c.name, Children: int(n), Last: fault})
	}
	return Answer{}, fault
}

// newChild starts another child. Once the command has given up, it fails with that *GaveUpError instead. If the child
// cannot be started the command gives up: each call that fails has the error of the first that did.
func (c *Command) newChild() (*child, error) {
	if e := c.gaveUp.Load(); e != nil {
		return nil, e
	}
	fresh, err := startChild(c.argv, c.o)
	if err != nil {
		c.gaveUp.CompareAndSwap(nil, &GaveUpError{Command: c.name, Err: err})
		return nil, c.gaveUp.Load() // another goroutine may have been first
	}
	c.started.Add(1)
	return fresh, nil
}

// Close waits until the questions under way are answered, and ends all children. To ask after it fails with a
// [*GaveUpError]. It always returns nil.
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
