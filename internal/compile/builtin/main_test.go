package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// gen/ is what go generate makes of grammar/, file by file, and holds nothing else: for every published grammar, since
// a new one that was not generated is out of date as well.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	longtest.Need(t, "it does what go generate does")
	names, err := fs.Glob(grammar.Files, "*.peg")
	if err != nil || len(names) == 0 {
		t.Fatalf("no grammars (%v)", err)
	}
	root := filepath.Join("..", "..", "..")
	t.Chdir(root) // go tool pigeon writes the path it is given into its output
	fresh := t.TempDir()
	for _, name := range names {
		must.Do(t, run(name[:len(name)-len(".peg")], fresh))
	}
	made := files(t, fresh)
	kept := files(t, "gen")
	for path, text := range made {
		if kept[path] != text {
			t.Errorf("gen/%s is out of date: run go generate ./...", path)
		}
	}
	for path := range kept {
		if _, ok := made[path]; !ok {
			t.Errorf("gen/%s is not what go generate writes", path)
		}
	}
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "testdata" { // inputs that fuzzing has found
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWriteLeavesTheOldFileWhereItFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.go")
	must.Do(t, put(path, []byte("old")))
	if err := put(filepath.Join(path, "below a file"), []byte("new")); err == nil {
		t.Error("no error for a folder that is a file")
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("file holds %q", text)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files left behind", len(left))
	}
}
