package gopackage

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// module returns a folder with a module that has package ast, which is all that generated packages
// import.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root := must.Of(filepath.Abs("../../.."))(t)
	text := "module example.com/generated\n\ngo 1.26.0\n\nrequire github.com/bnfcheck/bnfcheck v0.0.0\n\nreplace github.com/bnfcheck/bnfcheck => " + root + "\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666))
	return dir
}

func inModule(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		text := string(out)
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, text[:min(len(text), 4000)])
	}
}

// Every production of other people's documents that no other uses is a package that compiles and
// passes its test, or is refused with a place. With long tests, it compiles for 32 bits and for
// WebAssembly too.
func TestZoo(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO is not set: no grammars of others")
	}
	if testing.Short() {
		t.Skip("compiles many packages")
	}
	files, err := filepath.Glob(filepath.Join(folder, "abnf", "*.abnf"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	dir := module(t)
	made := 0
	var saved []Source
	for _, file := range files {
		text := must.Of(os.ReadFile(file))(t)
		g, err := bnf.ReadABNF(filepath.Base(file), text)
		if err != nil {
			t.Logf("%s: %.200v", filepath.Base(file), err)
			continue
		}
		used := map[string]bool{}
		for _, r := range g.Rules {
			for _, id := range expr.Refs(r.Expr) {
				used[id] = used[id] || id != r.ID
			}
		}
		for _, r := range g.Rules {
			if used[r.ID] {
				continue
			}
			if !longtest.Enabled() && len(g.Reach(r.ID)) > 20 {
				continue
			}
			name := fmt.Sprint("p", made)
			began := time.Now()
			src := Source{Package: name, Grammar: g, Start: r.ID, Inputs: []Input{{filepath.Base(file), text}}}
			files, err := Make(src)
			if took := time.Since(began); took > 5*time.Second {
				t.Logf("%s %s took %v", filepath.Base(file), r.ID, took)
			}
			if err != nil {
				var at *expr.Error
				var missing *bnf.MissingError
				if !errors.As(err, &missing) && (!errors.As(err, &at) || at.Pos.Line == 0) {
					t.Errorf("%s %s is refused without a place: %v", filepath.Base(file), r.ID, err)
				} else {
					t.Logf("%s %s is refused: %.200v", filepath.Base(file), r.ID, err)
				}
				continue
			}
			made++
			size := 0
			for _, f := range files {
				size += len(f.Text)
			}
			t.Logf("%s: %s %s, %d KB", name, filepath.Base(file), r.ID, size>>10)
			must.Of(Save(t.Context(), filepath.Join(dir, name), files))(t)
			saved = append(saved, src)
		}
	}
	inModule(t, dir, nil, "vet", "./...")
	inModule(t, dir, nil, "test", "./...")
	if longtest.Enabled() {
		inModule(t, dir, []string{"GOARCH=386", "CGO_ENABLED=0"}, "vet", "./...")
		inModule(t, dir, []string{"GOOS=js", "GOARCH=wasm"}, "vet", "./...")
	}
	t.Logf("%d packages", made)
	words, began := 0, time.Now()
	for i, src := range saved {
		if !longtest.Enabled() && i%8 != 0 {
			continue
		}
		s := must.Of(Sample(src, filepath.Join(dir, src.Package), longtest.Size(500, 4000), 1, ""))(t)
		for _, f := range s.Findings {
			t.Errorf("%s %s: %s", src.Inputs[0].Path, src.Start, f)
		}
		if len(s.Omitted) > 0 {
			t.Logf("%s %s: %q", src.Inputs[0].Path, src.Start, s.Omitted)
		}
		words += s.Words
	}
	t.Logf("%d strings, in %.0f s", words, time.Since(began).Seconds())
}
