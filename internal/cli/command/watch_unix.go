//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// processorTime returns the time that the process itself has taken, without its children.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// endBySignal ends the program as a signal does that is not handled.
func endBySignal(sig os.Signal) {
	signal.Reset(sig)
	if s, ok := sig.(syscall.Signal); ok {
		_ = syscall.Kill(os.Getpid(), s)
		time.Sleep(time.Second)
	}
	os.Exit(statusFailed)
}
