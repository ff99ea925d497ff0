// Package command holds the commands of the program bnfcheck, a file for each: it reads flags, calls the packages that
// do the work, and chooses the exit status. It is not package main so that several packages of tests can run it.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// Main is the whole program: it carries out the command line of the process, and ends the process with the exit status.
func Main() {
	signal.Ignore(syscall.SIGPIPE) // a write into a closed pipe is then an error like any other
	setGarbageCollection()
	s := newStreams(os.Stdin, os.Stdout, os.Stderr)
	s.guarded = true
	os.Exit(s.run(os.Args[1:]))
}

// setGarbageCollection makes garbage collection rare, and frequent only when a command nears the memory that it may
// take. Settings in the environment win.
func setGarbageCollection() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(250) // a few megabytes are alive on most inputs, and garbage grows fast
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(400 << 20) // from here on, collecting is worth its time
	}
}

// untilStopped returns a context that ends when the program is to end: by an interrupt, by SIGTERM, or when its
// terminal is gone, so that no child process and no half-written file is left. Until the returned function is called,
// passOnSignals leaves a signal to the caller for a while.
func untilStopped() (context.Context, context.CancelFunc) {
	waiting.Add(1)
	ctx, cancel := signal.NotifyContext(context.Background(), endingSignals()...)
	return ctx, sync.OnceFunc(func() {
		cancel()
		waiting.Add(-1)
	})
}

// endingSignals lists the signals that end the program. SIGHUP is one of them unless it is ignored, as under nohup.
func endingSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// run carries out the command line args and returns the exit status. It is the one place where a command ends: it
// stops the watch and flushes the output. If writing that failed, this is the command's error; but if the reader has
// closed the pipe, the error is s.earned. run prints the error, unless it is one of those in status.go for an answer
// that is printed already, and after a wrong command line a hint at the help.
func (s *streams) run(args []string) int {
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	if asksForCompletion(args) {
		completeFlags(root)
	}
	cmd, err := root, checkNames(args)
	if err == nil {
		cmd, err = execute(root)
	}
	if cmd == nil { // it ended in the middle, by a limit
		if cmd, _, _ = root.Find(args); cmd == nil {
			cmd = root
		}
	}
	if s.watch.stop != nil {
		close(s.watch.stop)
	}
	s.out.flush()
	if s.out.err != nil { // also from help, whose writer nobody asks for errors
		err = &ioError{"standard output", s.out.err}
	}
	if errors.Is(s.out.err, syscall.EPIPE) {
		err = s.earned
	}
	s.sayUnsaid()
	in := situationOf(err)
	switch err {
	case nil, errNegative, errNews, errOpen, errEmpty, errPartly: // which have been told
		return statusOf(cmd, in)
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		if _, named := errors.AsType[*ioError](err); !named {
			err = &ioError{path.Path, path.Err}
		}
	}
	s.complainOf(err)
	if in == notAsked {
		s.say("Try '%s --help'.", cmd.CommandPath())
	}
	return statusOf(cmd, in)
}

// checkNames returns an error if an argument before "--" begins with "-" and is also the name of a file. The shell
// has then expanded a pattern to it, and it would be obeyed as a flag that nobody typed.
func checkNames(args []string) error {
	for _, arg := range args {
		if arg == "--" {
			break
		}
		if _, err := os.Lstat(arg); err == nil && len(arg) > 1 && arg[0] == '-' {
			const message = "%s is the name of a file, and would be read as a flag: write -- before the " +
				"names of files, or ./%[1]s"
			return fmt.Errorf(message, layout.Printable(arg))
		}
	}
	return nil
}

// checkValues returns an error if a flag was given an empty text, or a list that is empty or has an empty element, as
// by --grammar "$GRAMMAR" where that variable is not set. The command would take the flag for absent, and answer
// another question.
func checkValues(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values := list.GetSlice()
			empty = len(values) == 0 || slices.Contains(values, "")
		}
		if empty && err == nil {
			err = fmt.Errorf("--%s has an empty value: leave it out, or say what it is", f.Name)
		}
	})
	return err
}

// execute carries out a command, and returns the one that ran. A panic with a limit that was passed becomes the error;
// cmd is then nil. An error that says that a limit was passed becomes an openError, so that the exit status is that of
// an undecided question.
func execute(root *cobra.Command) (cmd *cobra.Command, err error) {
	defer func() { // runs after Catch, which may have set err
		if err != nil && errors.Is(err, budget.ErrTooLarge) {
			err = &openError{err}
		}
	}()
	defer budget.Catch(&err)
	return root.ExecuteC()
}

// An ioError is a failure to read or write a file. Errors that are no ioError, inputError or openError are about the
// command line.
type ioError struct {
	name string // of the file
	err  error
}

// Error returns the name of the file and the cause, which is without the name if it is an [os.PathError].
func (e *ioError) Error() string {
	cause := e.err
	if path, ok := errors.AsType[*os.PathError](e.err); ok {
		cause = path.Err
	}
	return cmp.Or(e.name, `""`) + ": " + cause.Error()
}

func (e *ioError) Unwrap() error { return e.err }

// An inputError is an error in the contents of a file, or of a program that was run.
type inputError struct{ error }

// An openError is a reason why a question about a grammar could not be decided.
type openError struct{ error }
