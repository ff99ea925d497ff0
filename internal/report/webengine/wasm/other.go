//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

// A program for any other platform only says what it is for, so that go build and go vet have something to look at.
func main() {
	fmt.Fprintln(os.Stderr, "wasm: this program runs in a page; bnfcheck report and bnfcheck playground compile it")
	os.Exit(2)
}
