//go:build !linux

package main

// measured needs Linux.
func measured() { main() }
