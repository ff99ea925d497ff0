package grammartest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
)

// update is the environment variable that makes a test write its files of known differences.
const update = "BNFCHECK_UPDATE"

// unexplained stands for a reason until somebody writes one.
const unexplained = "no reason yet"

// known returns the groups that the test's file of known differences does not name, or all groups if there is
// no file. The file is testdata/NAME.known, for the name of the test with "_" for what a file name cannot
// have. A known group that no longer occurs fails t, and the test goes on. On an update it writes the file
// instead, and returns no groups. It returns an error if the file cannot be read or written.
func known(t testing.TB, grammar string, groups []difference) (fresh []difference, err error) {
	t.Helper()
	file := filepath.Join("testdata", strings.NewReplacer("/", "_", "\\", "_", ":", "_").Replace(t.Name())+".known")
	reasons, order, err := readKnown(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if os.Getenv(update) != "" {
		return nil, writeKnown(file, grammar, t.Name(), groups, reasons)
	}
	for _, g := range groups {
		if _, ok := reasons[g.name]; !ok {
			fresh = append(fresh, g)
		}
		delete(reasons, g.name)
	}
	for _, gone := range order {
		if _, ok := reasons[gone]; ok {
			t.Errorf("%s: %s is known and no longer differs: run with %s=1", file, gone, update)
		}
	}
	return fresh, nil
}

// readKnown returns the reasons in a file by the names of groups, and these names in order. A line is NAME,
// STRING and REASON, with tabs between them; empty lines and those that begin with "#" are skipped. It fails
// for any other line, for a name that occurs twice, and if the file cannot be read; errors.Is(err,
// fs.ErrNotExist) means that there is none.
func readKnown(file string) (reasons map[string]string, order []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	reasons = map[string]string{}
	for i, line := range strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) < 3 {
			return nil, nil,
				fmt.Errorf("%s:%d: want the name of a group, a string and a reason, with tabs between them", file, i+1)
		}
		if _, twice := reasons[fields[0]]; twice {
			return nil, nil, fmt.Errorf("%s:%d: %s stands twice", file, i+1, fields[0])
		}
		reasons[fields[0]] = fields[2]
		order = append(order, fields[0])
	}
	return reasons, order, nil
}

// writeKnown writes the file of known differences of a test: a line for each group, with its reason
// in reasons or else unexplained. Reasons of other groups are lost. Without groups it removes the
// file, if there is one. It makes the folder if it is missing.
func writeKnown(file, grammar, test string, groups []difference, reasons map[string]string) error {
	if len(groups) == 0 {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# How the function of %s differs from %s, as far as that is known: group, shortest string "+
		"that was asked, reason.\n", test, grammar)
	fmt.Fprintf(&b, "# %s=1 go test writes this file, and keeps the reasons.\n", update)
	for _, g := range groups {
		fmt.Fprintf(&b, "%s\t%q\t%s\n", g.name, string(g.Shortest), cmp.Or(reasons[g.name], unexplained))
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(context.Background(), file, atomicfile.Text(b.Bytes()))
}
