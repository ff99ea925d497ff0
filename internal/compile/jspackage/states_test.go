package jspackage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// statesRequest returns the line of testdata/states.mjs that asks about a grammar, or "" if it has no ordered automaton or
// the states of that do not follow from the productions.
func statesRequest(t *testing.T, g *expr.Grammar) string {
	t.Helper()
	src := gopackage.Source{Package: "states", Grammar: g, Inputs: []gopackage.Input{{Path: "states.abnf"}}}
	m := must.Of(newModule(must.Of(gopackage.MakeParts(src, Language, Format))(t)))(t)
	if !m.hasAutomaton() || !m.statesFollow() {
		return ""
	}
	kinds := []int{}
	for kind, engine := range m.Tables.Derives {
		if engine == bnftogo.AutomatonEngine {
			kinds = append(kinds, kind)
		}
	}
	ordered := must.Of(repackStates(m.Tables.Automaton))(t)
	return marshal(map[string]any{"rules": m.rules, "ordered": ordered, "kinds": kinds}) + "\n"
}

// The states that the runtime makes of productions are those of the automaton that package ast runs: for the grammars of
// the other tests, RFC 3986, and random ones.
func TestStatesFollow(t *testing.T) {
	longtest.Program(t, "node")
	var requests strings.Builder
	var names []string
	ask := func(name string, g *expr.Grammar) {
		if line := statesRequest(t, g); line != "" {
			requests.WriteString(line)
			names = append(names, name)
		}
	}
	for name := range grammars {
		ask(name, namedGrammar(t, name))
	}
	ask("rfc3986", must.Of(bnf.Load("rfc3986"))(t).Default)
	iterations := "a = *( [b] [c] ) 2*3( [d] / *e )\nb = \"x\" / \"xy\" \"z\"\nc = \"y\"\nd = \"xyz\"\ne = *( [b] d [c] )\n"
	ask("iterations", must.Of(bnf.ReadABNF("iterations.abnf", []byte(iterations)))(t)) // of parts that may be empty
	for i := range longtest.Size(100, 5000) {
		rng := rand.New(rand.NewPCG(uint64(i), 2711))
		text := fuzztest.New(fuzztest.Random(rng, 40+rng.IntN(160), i%2 == 0)).ABNF()
		ask(text, must.Of(bnf.ReadABNF("random.abnf", []byte(text)))(t))
	}
	if len(names) < 60 {
		t.Errorf("only %d grammars", len(names))
	}
	path := filepath.Join(t.TempDir(), "requests")
	must.Do(t, os.WriteFile(path, []byte(requests.String()), 0o600))
	out, err := exec.Command("node", "testdata/states.mjs", "../../../runtime/js", path).CombinedOutput()
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(lines) != len(names) {
		t.Fatalf("%v: %d lines for %d grammars\n%.2000s", err, len(lines), len(names), out)
	}
	states := 0
	for i, line := range lines {
		n, err := strconv.Atoi(line)
		if err != nil {
			t.Errorf("%s: %s", names[i], line)
		}
		states += n
	}
	t.Logf("%d grammars, %d states", len(names), states)
}

// A module has the table of the ordered automaton where its states do not follow from the productions, and where they are
// too deep to be made by functions that call each other.
func TestStatesDoNotFollow(t *testing.T) {
	texts := map[string]string{
		"itself": grammars["tail"],
		"deep":   "a = %x61 b\nb = \"" + strings.Repeat("0", deepestRules) + "\"\n",
	}
	for name, follow := range map[string]bool{"itself": false, "deep": false, "rfc3986": true} {
		g := must.Of(bnf.Load("rfc3986"))(t).Default
		if text, ok := texts[name]; ok {
			g = must.Of(bnf.ReadABNF("states.abnf", []byte(text)))(t)
		}
		src := gopackage.Source{Package: "states", Grammar: g, Inputs: []gopackage.Input{{Path: "states.abnf"}}}
		m := must.Of(newModule(must.Of(gopackage.MakeParts(src, Language, Format))(t)))(t)
		if got, has := m.statesFollow(), !m.makesStates; !m.isRegular() || m.states == "" || got != follow || has == follow {
			t.Errorf("%s: they follow: %t; the module has them: %t", name, got, has)
		}
	}
}

// A module whose productions are all derived by the general parser has neither the table nor the states.
func TestNoStates(t *testing.T) {
	parts, _ := madeNamed(t, "circles")
	m := must.Of(newModule(parts))(t)
	text := string(must.Of(m.writeModule())(t))
	if m.hasAutomaton() || m.states != "" || m.makesStates || !strings.Contains(text, "\n}, null);\n") {
		t.Errorf("it has an automaton: %t; its table: %q; states are made: %t", m.hasAutomaton(), m.states, m.makesStates)
	}
}

// Where something nests, a module leaves out a long table of what does not, and keeps a short one. It answers as package
// ast does, by states that it makes.
func TestStatesBesideGeneralParser(t *testing.T) {
	longtest.Program(t, "node")
	short, _ := madeNamed(t, "nested")
	if m := must.Of(newModule(short))(t); !m.hasAutomaton() || m.makesStates {
		t.Errorf("nested: it has an automaton: %t; its states are made: %t", m.hasAutomaton(), m.makesStates)
	}
	text := must.Of(os.ReadFile("../../../bench/javascript/abnf/jsonpath.abnf"))(t)
	parts, path := made(t, "jsonpath", must.Of(bnf.ReadABNF("jsonpath.abnf", text))(t))
	if m := must.Of(newModule(parts))(t); !m.usesGeneral() || !m.makesStates {
		t.Errorf("jsonpath: it has the general parser: %t; states are made: %t", m.usesGeneral(), m.makesStates)
	}
	page := must.Of(os.ReadFile("../../../docs/table-format.md"))(t)
	if claim := fmt.Sprintf("shorter than %d,%03d characters", leastLeftOut/1000, leastLeftOut%1000); !bytes.Contains(page, []byte(claim)) {
		t.Errorf("docs/table-format.md does not say %q", claim)
	}
	words := wordsOf(parts, rand.New(rand.NewPCG(27, 9535)), longtest.Size(30, 1000))
	if n := compare(t, parts, path, words); n < 1000 {
		t.Errorf("only %d words", n)
	}
}

// Where nothing nests, but the ordered automaton of productions would pass a limit, the general parser makes their
// trees in a module. The proven table still accepts and explains rejections.
func TestAutomatonPassesLimit(t *testing.T) {
	long := strings.Repeat("0", 200)
	text := "a = \"k\" *( \"x\" / c / d )\nd = 1*%x31-39\nc = \"y\" b / \"z\"\nb = \"" + long + "\"\n"
	g := must.Of(bnf.ReadABNF("large.abnf", []byte(text)))(t)
	g.Budget = budget.New(t.Context(), budget.Limits{Steps: 80_000})
	parts, path := made(t, "large", g)
	if m := must.Of(newModule(parts))(t); !m.isRegular() || m.Tables.Letters() != "-gggg" {
		t.Fatalf("the table is proven: %t; the productions are derived by %s", m.isRegular(), m.Tables.Letters())
	}
	var words []word
	for _, text := range []string{
		"", "k", "kx", "kxzx", "k12x3", "ky" + long, "ky" + long + "x2z", "kz?", "ky" + long[1:], "ky" + long + "0",
	} {
		words = append(words, word{1, text, ""}, word{1, text, string(utf8)})
	}
	words = append(words, word{2, "12", ""}, word{2, "1x", ""}, word{3, "y" + long, ""}, word{3, "y", ""},
		word{4, long, ""}, word{4, "1", ""})
	compare(t, parts, path, words)
}
