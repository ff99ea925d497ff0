package jspackage

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file has the engines that run modules. Each is asked about the same words as package ast.

// An engine answers requests about a module, both as testdata/answers.mjs has them. The test ends where it
// cannot be started, or complains.
type engine func(t testing.TB, module, requests string) string

// inNode returns the engine of a program that is some version of node.
func inNode(program string) engine { return byScript(program, "testdata/answer.mjs") }

// byScript returns the engine that a script starts: its arguments are the module, and a file with the requests.
func byScript(program, script string) engine {
	return func(t testing.TB, module, requests string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "requests")
		must.Do(t, os.WriteFile(file, []byte(requests), 0o600))
		cmd := exec.Command(program, script, module, file)
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", script, module, err, complaints.String())
		}
		return string(out)
	}
}

// engineGrammars are the grammars that every engine runs: one of each encoding, one that nests, one whose trees
// are ambiguous, and one whose productions derive the empty string.
var engineGrammars = []string{"tag", "points", "header", "nested", "several", "empty"}

// compareEngine compares the modules of engineGrammars with package ast, as an engine runs them.
func compareEngine(t *testing.T, ask engine) {
	t.Helper()
	for _, name := range engineGrammars {
		t.Run(name, func(t *testing.T) {
			parts, path := madeNamed(t, name)
			words := wordsOf(parts, rand.New(rand.NewPCG(27, 3)), longtest.Size(60, 1000))
			if n := compareIn(t, ask, parts, path, words); n < 50 {
				t.Errorf("only %d words", n)
			}
		})
	}
}

// Modules answer in QuickJS as in node.
func TestQuickJS(t *testing.T) {
	longtest.Program(t, "node")
	const find = "require.resolve('quickjs-emscripten')"
	if err := exec.Command("node", "-e", find).Run(); err != nil {
		longtest.Missing(t, "npm's quickjs-emscripten, in a folder that NODE_PATH names,")
	}
	compareEngine(t, byScript("node", "testdata/quickjs.mjs"))
}

// Modules answer in the newest node, and the test of a package passes there too.
func TestNewestNode(t *testing.T) {
	longtest.Need(t, "node 26")
	longtest.Program(t, "node26")
	compareEngine(t, inNode("node26"))
	for _, name := range engineGrammars {
		_, path := madeNamed(t, name)
		runIn(t, filepath.Dir(path), "node26", name+".test.js")
	}
}
