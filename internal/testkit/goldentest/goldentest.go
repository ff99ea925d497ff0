// Package goldentest checks what tests make against golden files. goldie compares them, shows the difference, and
// writes the files with its flag -update; this package has the form of the files.
//
// A golden file is a txtar archive named NAME.golden, and holds one case: its input beside all its outputs. The first
// line is the command that writes it:
//
//	made by: go test ./golden/diff -run TestDifferences -update
//
// The settings of environment variables may stand before the command, and remarks below it. The section "input", and
// each section whose name begins with "input ", is written by people. The other sections are written by the test.
package goldentest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"
	"golang.org/x/tools/txtar"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Update reports whether golden files are to be written.
func Update() bool { return flag.Lookup("update").Value.String() == "true" }

// A Section is a named part of a golden file.
type Section struct{ name, text string }

// Output returns the section that a test makes under a name.
func Output(name, text string) Section { return Section{name, text} }

// Origin is how the first line of a golden file begins.
const Origin = "made by: "

// Check compares sections with those of a golden file. With -update it writes them into the file, whose inputs and
// remarks it keeps. A section of the file that is neither an input nor among sections is an error.
func Check(t testing.TB, file string, sections ...Section) {
	t.Helper()
	old, _ := os.ReadFile(file) // goldie reports that there is none
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
	same := func(a, b txtar.File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }
	if !slices.EqualFunc(txtar.Parse(text).Files, made.Files, same) {
		t.Fatalf("%s: a section without a newline at its end, or with a line like -- NAME --", file)
	}
	Whole(t, file, string(text))
}

// Whole compares content with a file that holds nothing else, because it is shown or shipped as it stands. With
// -update it writes the file. Such a file tells its origin in a comment of its own, or else in golden/origins.txt.
func Whole(t testing.TB, file, content string) {
	t.Helper()
	dir, name := filepath.Split(file)
	goldie.New(t, goldie.WithFixtureDir(dir), goldie.WithNameSuffix(""),
		goldie.WithDiffFn(func(actual, expected string) string {
			return command(t) + " writes it:\n" + goldie.Diff(goldie.ClassicDiff, actual, expected)
		})).Assert(t, name, []byte(content))
}

// command returns the command that writes the golden files of a test.
func command(t testing.TB) string {
	t.Helper()
	dir := must.Of(os.Getwd())(t) // go test runs the tests of a package in its folder
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
	pkg := must.Of(filepath.Rel(root, dir))(t)
	name, _, _ := strings.Cut(t.Name(), "/")
	return fmt.Sprintf("go test ./%s -run %s -update", filepath.ToSlash(pkg), name)
}

func isInput(section string) bool { return section == "input" || strings.HasPrefix(section, "input ") }

// Read returns a section of a golden file.
func Read(t testing.TB, file, section string) string {
	t.Helper()
	for _, f := range must.Of(txtar.ParseFile(file))(t).Files {
		if f.Name == section {
			return string(f.Data)
		}
	}
	t.Fatalf("%s has no section %q", file, section)
	return ""
}

// Inputs returns the lines of the section "input" of every golden file that pattern matches, without blank lines and
// those with "#".
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
