// Command bnfcheck says what RFC 1630 and RFC 1738 make of a URL: which of their productions derive it, and where and
// why they do not.
//
//	bnfcheck check http://info.cern.ch/       the verdict of each RFC
//	bnfcheck check -f urls.txt                the same for a list, with a summary
//	bnfcheck parse http://info.cern.ch/       the tree under each RFC
//	bnfcheck explain hostport                 a production as printed, as transcribed, and who uses it
//	bnfcheck help                             all commands
//
// Exit status: 0; 1 where something was rejected or does not hold; 2 for wrong usage and failed input or output; 3 where
// prove neither proves nor refutes. A reader that closes the pipe early ends the program quietly, with the status that the
// work so far has earned.
package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // a write into a closed pipe is then an error like any other
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // what is alive is a few megabytes on any input, and garbage is made fast
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// untilStopped gives a context that ends when the program is told to: by an interrupt, by SIGTERM, or when its terminal
// is gone, so that no child process and no half-written file is left behind.
func untilStopped() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// The exit statuses.
const (
	statusOK       = 0
	statusNegative = 1 // something was rejected, or does not hold
	statusFailed   = 2 // wrong usage, or input or output failed
	statusOpen     = 3 // prove: neither proven nor refuted
)

// errNegative is what a command returns when it has said all there is to say and the answer is no.
var errNegative = errors.New("negative answer")

// errOpen is what a command returns when it has said all there is to say and there is no answer.
var errOpen = errors.New("no answer")

// run is the whole program: it carries out args and gives the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := newStreams(stdin, stdout, stderr)
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(s.out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteC()
	if s.out.err != nil { // also from help, whose writer nobody asks for errors
		err = &ioError{"standard output", s.out.err}
	}
	if errors.Is(s.out.err, syscall.EPIPE) {
		err = s.earned
	}
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, errNegative):
		return statusNegative
	case errors.Is(err, errOpen):
		return statusOpen
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		if _, named := errors.AsType[*ioError](err); !named {
			err = &ioError{path.Path, path.Err}
		}
	}
	s.complain("bnfcheck: %s", strings.TrimSpace(err.Error()))
	_, failed := errors.AsType[*ioError](err)
	_, unreadable := errors.AsType[*inputError](err)
	if !failed && !unreadable {
		s.complain("Try '%s --help'.", cmd.CommandPath())
	}
	return statusFailed
}

// An ioError says that reading or writing failed, and an inputError that a file does not hold what it should. All other
// errors are about the command line.
type ioError struct {
	name string // of the file
	err  error
}

func (e *ioError) Error() string {
	cause := e.err
	if path, ok := errors.AsType[*os.PathError](e.err); ok {
		cause = path.Err
	}
	return e.name + ": " + cause.Error()
}

func (e *ioError) Unwrap() error { return e.err }

type inputError struct{ error }
