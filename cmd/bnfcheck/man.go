//go:build man

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"
)

// Built with the tag man, the program writes the manual pages of its commands into the folder that its argument names.
// internal/cli/release builds it so.
func init() {
	header := &doc.GenManHeader{Section: "1", Source: "bnfcheck", Manual: "User Commands"}
	if err := doc.GenManTree(newRoot(newStreams(os.Stdin, os.Stdout, os.Stderr)), header, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "bnfcheck:", err)
		os.Exit(statusFailed)
	}
	os.Exit(statusOK)
}
