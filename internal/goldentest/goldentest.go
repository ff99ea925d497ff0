// Package goldentest compares what tests make with golden files, and writes these with the flag -update.
//
// A golden file is a txtar archive named NAME.golden, and holds one case: its input beside all its outputs. The first line is
// the command that writes it:
//
//	made by: go test ./golden/diff -run TestDifferences -update
//
// The settings of environment variables may stand before the command, and remarks below it. The section "input", and each
// section whose name begins with "input ", is written by people. The other sections are written by the test.
package goldentest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write golden files instead of comparing with them")

// Update reports whether golden files are to be written.
func Update() bool { return *update }

// A Section is a named part of a golden file.
type Section struct{ name, text string }

// Output returns the section that a test makes under a name.
func Output(name, text string) Section { return Section{name, text} }

// Origin is how the first line of a golden file begins.
const Origin = "made by: "

// Check compares sections with those of a golden file. With -update it writes them into the file, whose inputs and remarks
// it keeps. A section of the file that is neither an input nor among sections is an error.
func Check(t testing.TB, file string, sections ...Section) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil && !(*update && errors.Is(err, os.ErrNotExist)) {
		t.Fatalf("%v; %s writes it", err, command(t))
	}
	archive := txtar.Parse(old)
	line, remarks, _ := strings.Cut(string(archive.Comment), "\n")
	if !strings.HasPrefix(line, Origin) || !strings.HasSuffix(line, command(t)) {
		line = Origin + command(t)
	}
	made := &txtar.Archive{Comment: []byte(line + "\n" + remarks)}
	for _, f := range archive.Files {
		if isInput(f.Name) {
			made.Files = append(made.Files, f)
		}
	}
	for _, s := range sections {
		made.Files = append(made.Files, txtar.File{Name: s.name, Data: []byte(s.text)})
	}
	text := txtar.Format(made)
	if !slices.EqualFunc(txtar.Parse(text).Files, made.Files, func(a, b txtar.File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }) {
		t.Fatalf("%s: a section without a newline at its end, or with a line like -- NAME --", file)
	}
	compare(t, file, string(old), string(text))
}

// Whole compares content with a file that holds nothing else, because it is shown or shipped as it stands. With -update it
// writes the file. Such a file tells its origin in a comment of its own, or else in golden/origins.txt.
func Whole(t testing.TB, file, content string) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil && !(*update && errors.Is(err, os.ErrNotExist)) {
		t.Fatalf("%v; %s writes it", err, command(t))
	}
	compare(t, file, string(old), content)
}

func compare(t testing.TB, file, has, want string) {
	t.Helper()
	switch {
	case has == want:
	case !*update:
		t.Errorf("%s is not as it should be; %s writes it:\n%s", file, command(t), firstDifference(has, want))
	default:
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// firstDifference describes the first line in which two texts differ.
func firstDifference(has, want string) string {
	a, b := strings.Split(has, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\n has  %s\n want %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// command returns the command that writes the golden files of a test.
func command(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd() // go test runs the tests of a package in its folder
	if err != nil {
		t.Fatal(err)
	}
	root := dir
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(root)
		if up == root {
			t.Fatalf("%s is in no module", dir)
		}
		root = up
	}
	pkg, err := filepath.Rel(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(t.Name(), "/")
	return fmt.Sprintf("go test ./%s -run %s -update", filepath.ToSlash(pkg), name)
}

func isInput(section string) bool { return section == "input" || strings.HasPrefix(section, "input ") }

// Read returns a section of a golden file.
func Read(t testing.TB, file, section string) string {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name == section {
			return string(f.Data)
		}
	}
	t.Fatalf("%s has no section %q", file, section)
	return ""
}

// Inputs returns the lines of the section "input" of every golden file that pattern matches, without blank lines and lines that
// begin with "#".
func Inputs(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no golden files (%v)", pattern, err)
	}
	var lines []string
	for _, file := range files {
		for line := range strings.Lines(Read(t, file, "input")) {
			if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
