package main

import (
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is checked in was made of the sources that are checked in.
func TestTheCompiledCheckerIsCurrent(t *testing.T) {
	stale := must.Of(outdated(".."))(t)
	if len(stale) > 0 {
		t.Errorf("not as %s has it; run\n\tgo generate ./internal/report/webcheck\nand commit what it writes:\n%s", sumFile, strings.Join(stale, "\n"))
	}
}

func TestSources(t *testing.T) {
	sources := must.Of(list(".."))(t)
	var names []string
	for _, s := range sources {
		names = append(names, strings.TrimPrefix(s.name, "github.com/bnfcheck/bnfcheck/"))
		if strings.HasSuffix(s.name, "_test.go") || !filepath.IsAbs(s.file) {
			t.Errorf("%+v", s)
		}
	}
	for _, want := range []string{
		"bnfcheck.go", "ast/tree.go", "gen/rfc1630/fast.go", "gen/rfc1738/tables.go", "gen/draft06/grammar.go",
		"semantic/access.go", "grammar/rfc1738.sentences", "internal/report/webcheck/inspect/inspect.go",
		"internal/report/webcheck/wasm/main.go", "internal/report/playground/engine/engine.go",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is no source of\n%s", want, strings.Join(names, "\n"))
		}
	}
}

// A file that is not what it was, or is missing, is noticed.
func TestOutdated(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	}
	write("go.mod", "module example.org/m\n\ngo 1.26\n")
	write("wasm/main.go", "package main\n\nfunc main() {}\n")
	for _, name := range []string{compiledFile, glueFile, licenceFile} {
		write(name, name)
	}
	sum := must.Of(summarise(dir))(t)
	write(sumFile, "# made with some release\n"+sum)
	for _, c := range []struct{ change, text, stale string }{
		{"wasm/main.go", "package main\n\nfunc main() {}\n", ""},
		{"wasm/main_test.go", "package main\n", ""},
		{"wasm/main.go", "package main\n\nfunc main() { println() }\n", "sources"},
		{compiledFile, "another", "sources " + compiledFile},
		{"wasm/main.go", "package main\n\nfunc main() {}\n", compiledFile},
	} {
		write(c.change, c.text)
		stale := must.Of(outdated(dir))(t)
		for i, line := range stale {
			_, stale[i], _ = strings.Cut(line, "  ")
		}
		if got := strings.Join(stale, " "); got != c.stale {
			t.Errorf("after a change of %s: %q, want %q", c.change, got, c.stale)
		}
	}
	must.Do(t, os.Remove(filepath.Join(dir, glueFile)))
	if stale, err := outdated(dir); err != nil || !slices.Contains(stale, "missing  "+glueFile) {
		t.Errorf("%q, %v", stale, err)
	}
}
