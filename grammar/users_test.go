package grammar

import (
	"bytes"
	"embed"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A program that uses package semantic embeds the sentences, and no other file of this folder.
func TestUsersEmbedNoGrammarFiles(t *testing.T) {
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte(`package main

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/semantic"
)

func main() {
	tree, _ := bnfcheck.RFC1738.Parse("http://h.dom/")
	u, _ := semantic.Of(tree)
	fmt.Println(u, u.Findings(), u.Canonical(), u.Access())
}
`), 0o666); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", program, source)
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	binary := must.Of(os.ReadFile(program))(t)
	for _, c := range []struct {
		files embed.FS
		want  bool
	}{{Files, false}, {printed, false}, {sentences, true}} {
		names, err := fs.Glob(c.files, "*")
		if err != nil || len(names) == 0 {
			t.Fatalf("%d files, %v", len(names), err)
		}
		for _, name := range names {
			text := must.Of(c.files.ReadFile(name))(t)
			if got := bytes.Contains(binary, text); got != c.want {
				t.Errorf("%s is in the program: %t, want %t", name, got, c.want)
			}
		}
	}
}
