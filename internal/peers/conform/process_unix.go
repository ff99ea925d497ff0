//go:build unix

package conform

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the child the leader of a process group, so that what it starts can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the child and all processes that it started. It must come before Wait: until then the
// child, dead or alive, keeps its number, so that no other process can be hit.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
