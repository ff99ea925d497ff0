package conform

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// starts hands commands to the one thread that starts children. It never ends before this process does, and its end
// is what a child's Pdeathsig waits for.
var starts = sync.OnceValue(func() chan func() {
	c := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range c {
			start()
		}
	}()
	return c
})

// start starts the child, and has the system kill it when this process ends, however that happens.
func start(cmd *exec.Cmd) error {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	done := make(chan error)
	starts() <- func() { done <- cmd.Start() }
	return <-done
}
