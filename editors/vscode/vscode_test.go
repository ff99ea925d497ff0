// Package vscode has the tests of the extension for VS Code. Those that read its files need nothing; the long one has
// npm install its tools, and runs them.
package vscode

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/editor"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A contribution is what package.json says of the extension, as far as the tests look at it.
type contribution struct {
	Contributes struct {
		Languages []struct {
			Extensions    []string
			Configuration string
		}
		Grammars []struct{ Language, ScopeName, Path string }
		Commands []struct{ Command string }
	}
}

// readManifest reads package.json.
func readManifest(t *testing.T) (c contribution) {
	t.Helper()
	must.Do(t, json.Unmarshal(must.Of(os.ReadFile("package.json"))(t), &c))
	return c
}

// Every scope that a grammar gives stands in an assertion of its test file, and so does each rule of its repository.
// A row too few is found here; whether the rows hold, TestWithTools knows.
func TestEveryScopeIsTested(t *testing.T) {
	grammars := readManifest(t).Contributes.Grammars
	if len(grammars) != 5 {
		t.Fatalf("%d grammars", len(grammars))
	}
	for _, g := range grammars {
		name := strings.TrimSuffix(filepath.Base(g.Path), ".tmLanguage.json")
		tests := must.Of(filepath.Glob("test/grammars/" + name + ".test.*"))(t)
		if len(tests) != 1 {
			t.Errorf("%s has the test files %v", g.Path, tests)
			continue
		}
		asserted := assertedScopes(string(must.Of(os.ReadFile(tests[0]))(t)))
		var grammar any
		must.Do(t, json.Unmarshal(must.Of(os.ReadFile(g.Path))(t), &grammar))
		given := map[string]bool{}
		collectScopes(grammar, given)
		if len(given) < 5 {
			t.Errorf("%s gives %d scopes", g.Path, len(given))
		}
		for scope := range given {
			// What all tokens of a fence have needs no row.
			if !asserted[scope] && scope != "markup.fenced_code.block.markdown" && scope != "punctuation.definition.markdown" {
				t.Errorf("%s: nothing in %s has the scope %s", g.Path, tests[0], scope)
			}
		}
	}
}

// assertedScopes returns the scopes that the assertions of a test file demand.
func assertedScopes(text string) map[string]bool {
	assertion := regexp.MustCompile(`(?m)^(?:;|//) *(?:\^+|<~*-+) +(.*)$`)
	scopes := map[string]bool{}
	for _, m := range assertion.FindAllStringSubmatch(text, -1) {
		wanted, _, _ := strings.Cut(" "+m[1], " - ")
		for scope := range strings.FieldsSeq(wanted) {
			scopes[scope] = true
		}
	}
	return scopes
}

// collectScopes adds the scopes that a part of a grammar gives.
func collectScopes(part any, scopes map[string]bool) {
	switch part := part.(type) {
	case []any:
		for _, p := range part {
			collectScopes(p, scopes)
		}
	case map[string]any:
		_, top := part["scopeName"]
		for key, value := range part {
			if name, ok := value.(string); ok && (key == "contentName" || key == "name" && !top) {
				for scope := range strings.FieldsSeq(name) {
					scopes[scope] = true
				}
				continue
			}
			collectScopes(value, scopes)
		}
	}
}

// runIn runs a program in a folder.
func runIn(folder, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	return cmd.CombinedOutput()
}

// The tools of npm are installed once, in a copy of this folder.
func TestWithTools(t *testing.T) {
	longtest.Need(t, "installs tools of npm")
	longtest.Program(t, "npm")
	folder := t.TempDir()
	must.Do(t, os.CopyFS(folder, os.DirFS(".")))
	if said, err := runIn(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"); err != nil {
		t.Skipf("the tools could not be installed: %v\n%s", err, said)
	}
	t.Run("grammars", func(t *testing.T) { testGrammars(t, folder) })
	t.Run("protocol", func(t *testing.T) { testProtocol(t, folder) })
}

// testProtocol has the protocol's own library ask the server: see test/protocol.mjs.
func testProtocol(t *testing.T, folder string) {
	program := filepath.Join(t.TempDir(), "bnfcheck")
	if said, err := runIn(".", "go", "build", "-o", program, "../../cmd/bnfcheck"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	said, err := runIn(folder, "node", "test/protocol.mjs", program)
	if err != nil || !strings.Contains(string(said), "requests of") {
		t.Errorf("%v\n%s", err, said)
	}
}

// testGrammars has VS Code's own machine for such grammars try the test files.
func testGrammars(t *testing.T, folder string) {
	said, err := runIn(folder, "npm", "test")
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	files := must.Of(filepath.Glob("test/grammars/*.test.*"))(t)
	if got := strings.Count(string(said), "✓"); got != len(files) || got == 0 {
		t.Errorf("%d of %d files passed:\n%s", got, len(files), said)
	}
	// The test can fail: a scope that no token has is missed.
	wrong := filepath.Join(folder, "test", "grammars", "wrong.test.abnf")
	must.Do(t, os.WriteFile(wrong, []byte("; SYNTAX TEST \"source.abnf\"\na = b\n; <- string\n"), 0o666))
	if said, err := runIn(folder, "npm", "test"); err == nil {
		t.Errorf("a wrong assertion passes:\n%s", said)
	}
}

// The commands of the palette are those that the server carries out, and two of the extension's own.
func TestCommands(t *testing.T) {
	var offered []string
	for _, c := range readManifest(t).Contributes.Commands {
		offered = append(offered, c.Command)
	}
	want := append(serverCommands(t), "bnfcheck.restart", "bnfcheck.log")
	slices.Sort(offered)
	slices.Sort(want)
	if !slices.Equal(offered, want) {
		t.Errorf("the palette has %v, and not %v", offered, want)
	}
}

// serverCommands asks the server which commands it carries out.
func serverCommands(t *testing.T) []string {
	t.Helper()
	message := func(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }
	in := message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`) +
		message(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + message(`{"jsonrpc":"2.0","method":"exit"}`)
	var out strings.Builder
	must.Do(t, editor.Serve(context.Background(), strings.NewReader(in), &out, editor.Options{}))
	m := regexp.MustCompile(`"executeCommandProvider":\{"commands":(\[[^\]]*\])`).FindStringSubmatch(out.String())
	if m == nil {
		t.Fatalf("the server says\n%s", &out)
	}
	var commands []string
	must.Do(t, json.Unmarshal([]byte(m[1]), &commands))
	return commands
}

// The languages of the extension are read by the server: their endings are known to it.
func TestLanguages(t *testing.T) {
	for _, l := range readManifest(t).Contributes.Languages {
		for _, ending := range l.Extensions {
			if kind, told := catalog.KindOf("x" + ending); !told {
				t.Errorf("%s: no file of %v is read", ending, kind)
			}
		}
		var configuration struct {
			Brackets    [][]string
			WordPattern string
		}
		must.Do(t, json.Unmarshal(must.Of(os.ReadFile(l.Configuration))(t), &configuration))
		if len(configuration.Brackets) < 2 || configuration.WordPattern == "" {
			t.Errorf("%s: %+v", l.Configuration, configuration)
		}
	}
}
