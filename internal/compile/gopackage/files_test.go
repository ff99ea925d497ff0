package gopackage_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestFilesIn: the name of a folder is no pattern.
func TestFilesIn(t *testing.T) {
	for _, name := range []string{"[x]", "a[", "[]", "{x}"} {
		folder := filepath.Join(t.TempDir(), name)
		must.Do(t, os.Mkdir(folder, 0o777))
		for _, file := range []string{"b.go", "a.go", "a.abnf"} {
			must.Do(t, os.WriteFile(filepath.Join(folder, file), nil, 0o666))
		}
		want := []string{filepath.Join(folder, "a.go"), filepath.Join(folder, "b.go")}
		if files := must.Of(gopackage.FilesIn(folder, "*.go"))(t); !slices.Equal(files, want) {
			t.Errorf("%s: %q, want %q", name, files, want)
		}
	}
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("a.go", nil, 0o666))
	if files := must.Of(gopackage.FilesIn("", "*.go"))(t); !slices.Equal(files, []string{"a.go"}) {
		t.Errorf("the current folder: %q", files)
	}
	if files := must.Of(gopackage.FilesIn("none", "*.go"))(t); len(files) > 0 {
		t.Errorf("no folder: %q", files)
	}
}
