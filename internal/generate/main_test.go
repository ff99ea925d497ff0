package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peg"
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

// What a grammar lacks for a parser to be made of it is said with its place.
func TestSourceRefuses(t *testing.T) {
	for _, c := range []struct{ name, bnf, peg, want string }{
		{"a production without a rule", "a = b\nb = \"x\"\n", `a <- "x"`,
			"x.bnf:7:1: x.peg has no rule for the production b"},
		{"two productions of one identifier", "a-b = \"x\"\na_b = \"y\"\n", `a_b <- "x"`,
			"x.bnf:7:1: the productions a-b and a_b have one identifier in a .peg file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read(t, c.bnf, c.peg); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got error %v, want %s", err, c.want)
			}
		})
	}
}

// read reads a grammar and its transcription.
func read(t *testing.T, text, rules string) (*source, error) {
	t.Helper()
	g, err := bnf.Read("x.bnf", []byte("@ grammar x\n@ title X\n@ notation rfc822\n@ section 1\n\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := peg.Read("x.peg", []byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	return newSource("x", g, peg.For(g, p))
}

// No production is special by its name: Parse begins with the choice among schemes, or with what nothing else uses.
func TestStartAndSchemes(t *testing.T) {
	for _, c := range []struct{ name, bnf, peg, want string }{
		{"no schemes", "tag = word\nword = \"x\"\n", "tag <- word\nword <- \"x\"", "tag:"},
		{"the start is not the first", "word = \"x\"\ntag = word\n", "tag <- word\nword <- \"x\"", "tag:"},
		{"a recursion has no start", "a = \"x\" [ a ]\n", "a <- \"x\"+", "a:"},
		{"a choice among schemes", "x = \"a:\"\nu = x | y\ny = \"b:\"\n", "u <- x / y\nx <- \"a:\"\ny <- \"b:\"",
			"u: a:x b:y"},
		{"a choice around another", "w = u | z\nx = \"a:\"\nu = x | y\ny = \"b:\"\nz = \"c\"\n",
			"w <- u / z\nz <- \"c\"\nu <- x / y\nx <- \"a:\"\ny <- \"b:\"", "w: a:x b:y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := read(t, c.bnf, c.peg)
			if err != nil {
				t.Fatal(err)
			}
			got := s.start().ID + ":"
			for _, v := range s.schemes() {
				got += " " + v.Prefix + v.Explained
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
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
