package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
)

// gen/ is what go generate makes of grammar/, file by file, and holds nothing else: for every published grammar, since
// a new one that was not generated is out of date as well.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	names, err := fs.Glob(grammar.Files, "*.peg")
	if err != nil || len(names) == 0 {
		t.Fatalf("no grammars (%v)", err)
	}
	root := filepath.Join("..", "..")
	t.Chdir(root) // go tool pigeon writes the path it is given into its output
	fresh := t.TempDir()
	for _, name := range names {
		if err := run(name[:len(name)-len(".peg")], fresh); err != nil {
			t.Fatal(err)
		}
	}
	made := tree(t, fresh)
	kept := tree(t, "gen")
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

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A grammar without a production url is refused, and by name.
func TestIncompleteGrammar(t *testing.T) {
	for text, want := range map[string]string{
		"a = \"b\"\n":   "x.bnf has no production url, whose alternatives are the productions of the schemes",
		"url = \"b\"\n": "",
	} {
		g, err := bnf.Read("x.bnf", []byte("@ grammar x\n@ title X\n@ notation rfc822\n@ section 1\n\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		if err := complete("x", g); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}

func TestWriteLeavesTheOldFileWhereItFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.go")
	if err := write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := write(filepath.Join(path, "below a file"), []byte("new")); err == nil {
		t.Error("no error for a folder that is a file")
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("file holds %q", text)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files left behind", len(left))
	}
}

func TestConstant(t *testing.T) {
	for id, want := range map[string]string{
		"url": "Url", "ip-schemepart": "IpSchemepart", "gopher+_string": "GopherplusString", "uri_path": "UriPath",
		"encoded822addr": "Encoded822addr",
	} {
		if got := constant(id); got != want {
			t.Errorf("constant(%q) = %s, want %s", id, got, want)
		}
	}
}
