package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// blockOf returns the first block of a page in a language.
func blockOf(t *testing.T, page, language string) string {
	t.Helper()
	_, text, ok := strings.Cut(page, "\n```"+language+"\n")
	if !ok {
		t.Fatalf("the page has no block of %s", language)
	}
	text, _, _ = strings.Cut(text, "\n```\n")
	return text + "\n"
}

// The program of javascript.md prints what the page shows.
func TestJavaScript(t *testing.T) {
	longtest.Program(t, "node")
	page := read(t, "javascript.md")
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "pair.abnf"), []byte(blockOf(t, page, "abnf")), 0o600))
	must.Do(t, os.WriteFile(filepath.Join(dir, "use.mjs"), []byte(blockOf(t, page, "js")), 0o600))
	generate := exec.Command(program(t), "generate", "pair.abnf", "--language", "js", "-o", "pair")
	generate.Dir = dir
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, args := range [][]string{{"use.mjs"}, {"pair/pair.test.js"}} {
		run := exec.Command("node", args...)
		run.Dir = dir
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("node %s: %v\n%s", args[0], err, out)
		}
		if want := blockOf(t, page, "text"); args[0] == "use.mjs" && string(out) != want {
			t.Errorf("the program prints\n%s\nthe page has\n%s", out, want)
		}
	}
	// The loop that the page shows is that of the module.
	module := string(must.Of(os.ReadFile(filepath.Join(dir, "pair", "pair.js")))(t))
	_, function, _ := strings.Cut(module, "\nfunction acceptsString(")
	_, shown, _ := strings.Cut(page, "with the loop `acceptsString`:\n")
	checkShown(t, blockOf(t, shown, "js"), function)
}

// checkShown checks that a function of JavaScript has all lines of a part of it that a page shows, in their order.
func checkShown(t *testing.T, shown, function string) {
	t.Helper()
	for line := range strings.Lines(shown) {
		at := strings.Index(function, strings.TrimSpace(line))
		if at < 0 {
			t.Fatalf("the function has no line %q, or not in this order", line)
		}
		function = function[at:]
	}
}

// What init prints is what javascript.md shows, and the commands that it prints make a package whose
// tests pass.
func TestJavaScriptInit(t *testing.T) {
	longtest.Program(t, "npm")
	page := read(t, "javascript.md")
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "pair.abnf"), []byte(blockOf(t, page, "abnf")), 0o600))
	t.Setenv("PATH", filepath.Dir(program(t))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	command, want, _ := strings.Cut(strings.TrimPrefix(blockOf(t, page, "shellsession"), "$ "), "\n")
	run := func(script string) string {
		cmd := exec.Command("sh", "-e", "-c", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return string(out)
	}
	if got := run(command); got != want {
		t.Fatalf("init prints\n%s\nthe page has\n%s", got, want)
	}
	_, next, _ := strings.Cut(want, "\nNext:\n")
	out := run(next)
	if !strings.Contains(out, " fail 0\n") || strings.Contains(out, " pass 0\n") {
		t.Errorf("the tests print\n%s", out)
	}
}
