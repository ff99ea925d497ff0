package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/faults"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A child is one running process, used by one goroutine at a time. The only other goroutine is the one that
// copies the child's standard error; it ends with the child.
type child struct {
	cmd      *exec.Cmd
	in, out  *os.File // our ends of the pipes; both know deadlines
	stderr   *tail
	read     []byte // read from out and not used yet
	request  []byte
	asked    uint64 // requests so far
	answered uint64
	named    []string // see Options.Named
	previous *quote.Word
}

// startChild starts argv with pipes to its standard input and output, in a process group of its own where the
// system has them. Of o it uses Dir, Env and Named. If it fails, it leaves nothing open.
func startChild(argv []string, o Options) (_ *child, err error) {
	theirIn, in, err := newPipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := newPipe()
	if err != nil {
		theirIn.Close()
		in.Close()
		return nil, err
	}
	c := &child{cmd: exec.Command(argv[0], argv[1:]...), in: in, out: out, stderr: &tail{}, named: o.Named}
	c.cmd.Dir, c.cmd.Env = o.Dir, o.Env
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = theirIn, theirOut, c.stderr
	c.cmd.WaitDelay = time.Second // for a process that left the group and kept standard error
	ownGroup(c.cmd)
	if err = faults.Injected("start"); err == nil {
		err = start(c.cmd)
	}
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	return c, nil
}

// newPipe returns the two ends of a new pipe.
func newPipe() (r, w *os.File, err error) {
	if err := faults.Injected("pipe"); err != nil {
		return nil, nil, err
	}
	return os.Pipe()
}

// lastWords is how long a child that closed a pipe gets to say why.
const lastWords = 200 * time.Millisecond

// past is a deadline that makes reading and writing return at once.
var past = time.Unix(1, 0)

// ask asks about w; timeout is the time for writing the question and reading the answer. It fails with a *Fault or
// with ctx's error, after which only stop may be called. A child that ended its output without an answer is a Crash
// without Detail, for the caller to fill in from stop.
func (c *child) ask(ctx context.Context, w string, timeout time.Duration, maxLine int) (Answer, error) {
	defer func(b quote.Word) { c.previous = &b }(quote.Word(w))
	fault := func(kind FaultKind, detail string) (Answer, error) {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		return Answer{}, &Fault{Kind: kind, Input: quote.Word(w), Previous: c.previous, Detail: detail}
	}
	if len(c.read) > 0 {
		return fault(TooMuch, "output that nobody asked for: "+quoteBeginning(c.read))
	}
	c.asked++
	deadline := time.Now().Add(timeout)
	c.in.SetWriteDeadline(deadline)
	c.out.SetReadDeadline(deadline)
	defer context.AfterFunc(ctx, func() { // after the deadlines are set, lest they be set again
		c.in.SetWriteDeadline(past)
		c.out.SetReadDeadline(past)
	})()
	c.request = appendRequest(c.request[:0], c.asked, w)
	unread := faults.Injected("write")
	if unread == nil {
		_, unread = c.in.Write(c.request)
	}
	switch {
	case errors.Is(unread, os.ErrDeadlineExceeded):
		return fault(TimeOut, fmt.Sprintf("it did not read its input within %v", timeout))
	case unread != nil: // it closed its input, and may have answered all the same
		c.out.SetReadDeadline(time.Now().Add(lastWords))
	}
	line, err := c.readLine(maxLine)
	switch {
	case unread != nil && errors.Is(err, os.ErrDeadlineExceeded):
		if errors.Is(unread, syscall.EPIPE) {
			return fault(Crash, "it closed its input")
		}
		return fault(Crash, "writing to it: "+unread.Error())
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fault(TimeOut, fmt.Sprintf("no answer within %v", timeout)+quoteLine(line))
	case errors.Is(err, errLongLine):
		return fault(TooMuch, fmt.Sprintf("a line of more than %d bytes: ", maxLine)+quoteBeginning(line))
	case err != nil && !errors.Is(err, io.EOF):
		return fault(Crash, "reading from it: "+err.Error())
	case err != nil:
		return fault(Crash, "")
	}
	a, err := parseAnswer(line, c.asked, c.named)
	switch {
	case errors.Is(err, errWrongID):
		return fault(WrongID, err.Error())
	case err != nil:
		return fault(Garbage, err.Error()+quoteLine(line))
	}
	c.answered++
	return a, nil
}

var errLongLine = errors.New("long line")

// readLine reads one line and returns it without its line end; the slice is valid until the next call. If it
// fails, it returns the text read so far. It fails with errLongLine once it has read more than most bytes without a
// line end, and with io.EOF if the output ends before a line does.
func (c *child) readLine(most int) ([]byte, error) {
	for from := 0; ; {
		if i := bytes.IndexByte(c.read[from:], '\n'); i >= 0 {
			line := bytes.TrimSuffix(c.read[:from+i], []byte("\r"))
			c.read = c.read[from+i+1:]
			return line, nil
		}
		if len(c.read) > most {
			return c.read, errLongLine
		}
		from = len(c.read)
		if cap(c.read)-from < 1<<12 {
			c.read = append(make([]byte, 0, 2*from+1<<14), c.read...)
		}
		if err := faults.Injected("read"); err != nil {
			return c.read, err
		}
		n, err := c.out.Read(c.read[from : from+1<<12])
		c.read = c.read[:from+n]
		if n == 0 && err != nil {
			return c.read, err
		}
	}
}

// stop ends the child, with all processes of its group, and returns its exit status in words, followed by the
// relevant line of its standard error. The child's input is closed first. A child that ends at that has the time of
// grace to do so before it is killed; what it still prints is dropped.
func (c *child) stop(grace time.Duration) string {
	c.in.Close()
	if grace > 0 {
		c.out.SetReadDeadline(time.Now().Add(grace))
		io.Copy(io.Discard, c.out)
	}
	killGroup(c.cmd)
	c.out.Close()
	err := c.cmd.Wait()
	status := "exit status 0"
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		status = exit.ProcessState.String()
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		status = err.Error()
	}
	if text := c.stderr.String(); text != "" {
		status += ", saying " + inQuotes(text)
	}
	return status
}

// quoteLine returns the end of a message with the line that a child printed, and a hint if it
// answers as --each-line reads; "" for an empty line.
func quoteLine(line []byte) string {
	if len(line) == 0 {
		return ""
	}
	if _, ok := yesOrNo(string(line)); ok {
		return "; it printed " + quoteBeginning(line) + ", which --each-line reads"
	}
	return "; it printed " + quoteBeginning(line)
}

// quoteBeginning returns the first bytes of a child's output in quotes.
func quoteBeginning(b []byte) string {
	const most = 80
	if len(b) > most {
		return ast.Quote(string(b[:most])) + "..."
	}
	return ast.Quote(string(b))
}

// tail is a writer that keeps the last KiB written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write appends p and drops all but the last bytes. It never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const most = 1 << 10
	t.text = append(t.text, p...)
	if extra := len(t.text) - most; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

// String returns the first line kept that has "rror: " in it, or the last line if none has.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.text))
	for line := range strings.Lines(text) {
		if strings.Contains(line, "rror: ") {
			return strings.TrimSpace(line)
		}
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}
