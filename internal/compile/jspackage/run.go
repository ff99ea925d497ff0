package jspackage

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
)

// This file has what verify does with a package: it asks about its format, says how it is made again, and runs its
// test.

// Upgrade returns a clause on the format of a package and what to do about it. It returns "" for a
// package of this format.
func Upgrade(r gopackage.Record) string {
	switch {
	case r.Format > Format:
		return fmt.Sprintf("made by format %d of the generator, which this program, of format %d, does not know: "+
			"install a newer bnfcheck",
			r.Format, Format)
	case r.Format < Format:
		return fmt.Sprintf("made by format %d of the generator, and this one is %d: %s", r.Format, Format, Again(r))
	}
	return ""
}

// Again returns a clause on how a package is made again.
func Again(r gopackage.Record) string {
	return "in its folder run " + r.Command()
}

// maxTestTime caps the time that the test of a package may take.
const maxTestTime = 2 * time.Minute

// RunTest runs the test of a package in node, and returns a clause to add to a message, "; its test passes in
// node v24.1.0". Where there is no node, or what is called so tells no version, it returns "" and no error. It
// fails if the test fails, as in a node that is too old for it, or takes longer than maxTestTime, with the
// beginning of its output. If reading is confined ([infile.Confined]) there is no output in the error: node reads the
// nearest package.json, and quotes it if it is a link to something else.
func RunTest(folder, name string) (said string, err error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxTestTime)
	defer cancel()
	version, err := exec.CommandContext(ctx, node, "--version").Output()
	if err != nil {
		return "", nil // the program called node is none
	}
	cmd := exec.CommandContext(ctx, node, name+".test.js")
	if cmd.Dir, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	if out, err := cmd.CombinedOutput(); err != nil && infile.Confined() {
		return "", fmt.Errorf("its test fails in node: %v", err)
	} else if err != nil {
		return "", errors.New(quote.Bounded(fmt.Sprintf("its test fails in node: %v: %s", err,
			strings.TrimSpace(string(out)))))
	}
	return "; its test passes in node " + strings.TrimSpace(string(version)), nil
}
