// Package golden holds golden files of what the grammars make of a fixed set of strings: those that their texts print, those
// made by hand to probe every production, and the real URLs of the 1990s. A golden file changes only through
//
//	go test ./golden -update
//
// and every change to one is read against the text before it is committed.
package golden

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// readPrinted returns the URLs that a text prints, in its order.
func readPrinted(t testing.TB, name string) []grammar.Printed {
	t.Helper()
	return must.Of(grammar.PrintedURLs(name))(t)
}

// schemes returns the names of the hand-made lists of testdata/schemes, in the order of the file system (the alphabet).
func schemes(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/schemes/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/schemes: no lists (%v)", err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".golden")
	}
	return files
}

// readScheme returns the strings of a hand-made list in their order.
func readScheme(t testing.TB, name string) []string {
	t.Helper()
	return goldentest.Inputs(t, "testdata/schemes/"+name+".golden")
}

func TestSchemeLists(t *testing.T) {
	for _, name := range schemes(t) {
		seen := map[string]bool{}
		list := readScheme(t, name)
		for _, s := range list {
			if seen[s] {
				t.Errorf("%s: %q occurs twice", name, s)
			}
			seen[s] = true
			for i := range len(s) {
				if s[i] < 0x20 || s[i] > 0x7e {
					t.Errorf("%s: %q is not printable ASCII", name, s)
					break
				}
			}
		}
		if len(list) < 25 {
			t.Errorf("%s: %d strings, want at least 25", name, len(list))
		}
	}
}
