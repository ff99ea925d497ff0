//go:build !unix

package conform

import "os/exec"

// ownGroup does nothing: there are no process groups here.
func ownGroup(*exec.Cmd) {}

// killGroup ends the child alone.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
