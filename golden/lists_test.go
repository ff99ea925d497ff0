// Package golden holds what the grammars make of a fixed set of strings: those that their texts print, those made
// by hand to probe every production, and the real URLs of the 1990s. A golden file changes only through
//
//	go test ./golden -update
//
// and every change to one is read against the text before it is committed.
package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammar"
)

// readPrinted returns the URLs that a text prints, in its order.
func readPrinted(t testing.TB, name string) []grammar.Printed {
	t.Helper()
	rows, err := grammar.PrintedURLs(name)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// schemes lists the hand-made lists of testdata/schemes by name, in the order of the file system (the alphabet).
func schemes(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/schemes/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/schemes: no lists (%v)", err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".txt")
	}
	return files
}

// readScheme gives the strings of a hand-made list in their order.
func readScheme(t testing.TB, name string) []string {
	t.Helper()
	return readList(t, filepath.Join("testdata", "schemes", name+".txt"))
}

// readList gives the lines of a file without the blank ones and the comments.
func readList(t testing.TB, file string) []string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestSchemeLists(t *testing.T) {
	for _, name := range schemes(t) {
		seen := map[string]bool{}
		list := readScheme(t, name)
		for _, s := range list {
			if seen[s] {
				t.Errorf("%s.txt: %q stands there twice", name, s)
			}
			seen[s] = true
			for i := range len(s) {
				if s[i] < 0x20 || s[i] > 0x7e {
					t.Errorf("%s.txt: %q is not printable ASCII", name, s)
					break
				}
			}
		}
		if len(list) < 25 {
			t.Errorf("%s.txt: %d strings, want 25 at least", name, len(list))
		}
	}
}
