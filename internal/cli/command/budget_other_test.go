//go:build !linux

package command

// measured needs Linux.
func measured() { Main() }
