//go:build man

package command

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra/doc"
)

// init makes a program that is built with the tag man write the manual pages of its commands into the folder that its
// argument names, and then exit. internal/cli/release builds it so.
func init() {
	root := newRoot(newStreams(os.Stdin, os.Stdout, os.Stderr))
	for _, c := range root.Commands() {
		c.Long = strings.ReplaceAll(c.Long, "^[", `^\[`) // which is a footnote in Markdown
	}
	header := &doc.GenManHeader{Section: "1", Source: "bnfcheck", Manual: "User Commands"}
	if err := doc.GenManTree(root, header, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "bnfcheck:", err)
		os.Exit(statusFailed)
	}
	os.Exit(statusOK)
}
