package command

import (
	"os"
	"syscall"
	"time"
)

// processorTime returns the time that the process itself has taken, without its children.
func processorTime() time.Duration {
	var made, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &made, &ended, &kernel, &user) != nil {
		return 0
	}
	ticks := func(f syscall.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) } // of 100 ns
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}

// endBySignal ends the program as a signal does that is not handled.
func endBySignal(os.Signal) { os.Exit(statusFailed) }
