package gopackage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// beginWith returns the strings that the test of init parses, for a grammar, and its error.
func beginWith(t *testing.T, text, start string) (words []string, err error) {
	t.Helper()
	g := must.Of(bnf.ReadABNF("a.abnf", []byte(text)))(t)
	d, err := Beginning{Name: "a", Package: "a", Grammar: g, Start: start, File: "a.abnf"}.Draft()
	if err != nil {
		return nil, err
	}
	return d.Examples.Words, nil
}

// A start that derives no string is refused, and the production is named that is to blame.
func TestBeginDerivesNothing(t *testing.T) {
	const text = "line = \"238\" SP id / \"239\" SP id\nid = DIGIT id\nround = about\nabout = \"x\" round\nfine = DIGIT / DIGIT fine\n"
	for _, c := range []struct{ start, want string }{
		{"line", "a.abnf:2:1: `id` derives no string, since each way through it uses it again, nor does `line`, which uses it"},
		{"id", "a.abnf:2:1: `id` derives no string, since each way through it uses it again"},
		{"round", "a.abnf:3:1: `round` derives no string, since each way through it uses it again"},
		{"fine", ""},
	} {
		_, err := beginWith(t, text, c.start)
		got, _, _ := strings.Cut(fmt.Sprint(err), "; where")
		if c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("%s: %v, want %s", c.start, err, c.want)
		}
	}
}

// The strings of the test have words as the text spells them.
func TestBeginIsSpelled(t *testing.T) {
	for _, c := range []struct{ text, start, want string }{
		{"line = (\"Info\" / \"WARN\") \"T\" *DIGIT\n", "line", "InfoT"},
		{"list = \"Open\" [list] \"close\"\n", "list", "Openclose"},
	} {
		words, err := beginWith(t, c.text, c.start)
		if err != nil || !slices.Contains(words, c.want) {
			t.Errorf("%s: %v, no %q in %q", c.start, err, c.want, words)
		}
	}
}

// The go:generate line hands over each argument as it is: go generate reads it with its own rules, not with those of a
// shell.
func TestGenerateLine(t *testing.T) {
	args := []string{"a;b&c|d`e'f.abnf#x", "$HOME", "a b", `"\`, "${GOFILE}", "$", "", "<*?>", "é"}
	dir := t.TempDir()
	const program = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Printf(\"%q\", os.Args[1:]) }\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "show.go"), []byte(program), 0o666))
	line := generateLine("go run show.go", args)
	must.Do(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\n"+line), 0o666))
	cmd := exec.Command("go", "generate", "a.go")
	cmd.Dir = dir
	out, err := cmd.Output()
	want := fmt.Sprintf("%q", slices.Concat([]string{"generate"}, args, []string{"-o", "."}))
	if err != nil || string(out) != want {
		t.Errorf("%s hands over\n%s (%v), want\n%s", line, out, err, want)
	}
}

// A name that generate refuses is refused at the beginning, before files are written that do not lead on: that of the
// program in the folder as well as one that is given.
func TestBeginNamesWhatCanBeImported(t *testing.T) {
	g := must.Of(bnf.ReadABNF("a.abnf", []byte("a = \"x\"\n")))(t)
	program := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(program, "cmd.go"), []byte("package main\n"), 0o666))
	for _, c := range []struct{ folder, pkg, want string }{
		{program, "", `"main"`}, {t.TempDir(), "main", `"main"`}, {t.TempDir(), "a_test", `"a_test"`}, {t.TempDir(), "func", `"func"`},
	} {
		_, _, err := Begin(c.folder, Beginning{Package: c.pkg, Grammar: g, Start: "a", File: "a.abnf"})
		if err == nil || !strings.HasPrefix(err.Error(), c.want+" cannot be the name of a package that is imported") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
