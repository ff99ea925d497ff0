package runtimesuite

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// grammars are small grammars, by what their tables are for.
var grammars = map[string]string{
	"regular": "pair = key \"=\" value [ \";\" note ]\nkey = 1*3ALPHA\nvalue = number / word / \"?\"\nnumber = 1*DIGIT\n" +
		"word = 1*( ALPHA / \"-\" )\nnote = *( word / SP )\n",
	"points": "word = 1*( letter / %x20AC ) \";\" rest\nletter = %x61-7A / %xE4-F6\nrest = *%x1F600-1F64F\n",
	"octets": "field = name \":\" *( SP / value )\nname = 1*ALPHA\nvalue = 1*( %x21-7E / obs-text )\nobs-text = %x80-FF\n",
	"nested": "value = list / number / map\nlist = \"[\" [ value *( \",\" value ) ] \"]\"\nnumber = 1*DIGIT\n" +
		"map = \"{\" ws *( pair ws ) \"}\"\npair = name \":\" ws value\nname = 1*ALPHA\nws = *\" \"\n",
	"circles": "a = b / \"x\" a \"y\" / [c]\nb = a / c b c / \"z\"\nc = [a] *\"w\"\n",
	"mirror":  "m = %x61-63 m %x61-63 / [e]\ne = \"-\" 1*( letter / %xE4-10FFFF )\nletter = %x64-7A\n",
}

// textOf returns the suite of a grammar as a document.
func textOf(t *testing.T, name string) []byte {
	t.Helper()
	return suiteOf(t, name, must.Of(bnf.ReadABNF(name+".abnf", []byte(grammars[name])))(t))
}

// suiteOf is textOf for any grammar.
func suiteOf(t *testing.T, name string, g *expr.Grammar) []byte {
	t.Helper()
	src := gopackage.Source{Package: name, Grammar: g, Inputs: []gopackage.Input{{Path: name + ".abnf"}}}
	parts := must.Of(gopackage.MakeParts(src, "js", 1))(t)
	var b bytes.Buffer
	must.Do(t, must.Of(Make(parts, "a test"))(t).Write(&b))
	return b.Bytes()
}

// checkInJavaScript runs suites with the runtime in JavaScript, and returns its line on each.
func checkInJavaScript(t *testing.T, texts ...[]byte) []string {
	t.Helper()
	args := []string{"testdata/check.mjs", "../../../runtime/js"}
	for i, text := range texts {
		args = append(args, filepath.Join(t.TempDir(), fmt.Sprint(i)))
		must.Do(t, os.WriteFile(args[len(args)-1], text, 0o600))
	}
	out, err := exec.Command("node", args...).CombinedOutput()
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(lines) != len(texts) {
		t.Fatalf("%v: %d lines for %d suites\n%.2000s", err, len(lines), len(texts), out)
	}
	return lines
}

// Both runtimes pass the suite of each grammar, as it stands in the document.
func TestRuntimesPass(t *testing.T) {
	for name := range grammars {
		t.Run(name, func(t *testing.T) {
			text := textOf(t, name)
			s := must.Of(Read(text))(t)
			must.Do(t, s.Check())
			nests := s.Tables.Proven == nil
			if want := name == "nested" || name == "circles" || name == "mirror"; nests != want || len(s.Cases) < 50 {
				t.Errorf("nests: %t; %d cases", nests, len(s.Cases))
			}
			if got, want := s.Tables.Ordered != nil, strings.Contains(s.Derives, "t"); got != want {
				t.Errorf("it has the ordered automaton: %t; that derives a production: %t", got, want)
			}
			longtest.Program(t, "node")
			if got, want := checkInJavaScript(t, text)[0], fmt.Sprintf("%d cases", len(s.Cases)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// Both runtimes pass a suite that has the proven table and tables of the general parser: nothing nests, but the ordered
// automaton would pass a limit.
func TestAutomatonPassesLimit(t *testing.T) {
	text := "a = \"k\" *( \"x\" / c )\nc = \"y\" b / \"z\"\nb = \"" + strings.Repeat("0", 200) + "\"\n"
	g := must.Of(bnf.ReadABNF("large.abnf", []byte(text)))(t)
	g.Budget = budget.New(t.Context(), budget.Limits{Steps: 80_000})
	document := suiteOf(t, "large", g)
	s := must.Of(Read(document))(t)
	if s.Tables.Proven == nil || s.Tables.Trees == nil || len(s.Cases) < 50 {
		t.Fatalf("proven: %d lists; trees: %d; %d cases", len(s.Tables.Proven), len(s.Tables.Trees), len(s.Cases))
	}
	must.Do(t, s.Check())
	longtest.Program(t, "node")
	if got, want := checkInJavaScript(t, document)[0], fmt.Sprintf("%d cases", len(s.Cases)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A suite in which one thing is changed is passed by neither runtime: an answer, a node, a part of an
// error, or an element of a table.
func TestForgeries(t *testing.T) {
	var forged [][]byte
	var whats []string
	for _, name := range []string{"regular", "nested", "points"} {
		text := textOf(t, name)
		forge := func(what string, change func(s *Suite)) {
			s := must.Of(Read(text))(t)
			change(s)
			if err := s.Check(); err == nil {
				t.Errorf("%s: %s is changed, and Go passes", name, what)
			}
			var b bytes.Buffer
			must.Do(t, s.Write(&b))
			forged, whats = append(forged, b.Bytes()), append(whats, name+": "+what)
		}
		s := must.Of(Read(text))(t)
		derived := slices.IndexFunc(s.Cases, func(c Case) bool { return len(c.Tree) > 1 })
		refused := slices.IndexFunc(s.Cases, func(c Case) bool { return c.Error != nil && len(c.Error.Expected) > 0 })
		forge("an answer", func(s *Suite) { s.Cases[derived].Accepts = false })
		forge("a prefix", func(s *Suite) { s.Cases[derived].Prefix-- })
		for field := range 5 {
			forge(fmt.Sprintf("field %d of a node", field), func(s *Suite) { s.Cases[derived].Tree[1][field]++ })
		}
		forge("a missing node", func(s *Suite) { s.Cases[derived].Tree = s.Cases[derived].Tree[:1] })
		forge("a tree for an error", func(s *Suite) {
			s.Cases[refused].Error, s.Cases[refused].Tree = nil, []Node{{1, 0, 0, 1, 1}}
		})
		forge("a message", func(s *Suite) { s.Cases[refused].Error.Message += "." })
		forge("an offset", func(s *Suite) { s.Cases[refused].Error.Offset++ })
		forge("a column", func(s *Suite) { s.Cases[refused].Error.Column++ })
		forge("a production", func(s *Suite) { s.Cases[refused].Error.In[0]++ })
		forge("an expectation", func(s *Suite) { s.Cases[refused].Error.Expected[0] += "s" })
		forge("incomplete", func(s *Suite) { s.Cases[refused].Error.Incomplete = !s.Cases[refused].Error.Incomplete })
		for kind, lists := range map[string]func(s *Suite) Lists{
			"proven":     func(s *Suite) Lists { return s.Tables.Proven },
			"ordered":    func(s *Suite) Lists { return s.Tables.Ordered },
			"trees":      func(s *Suite) Lists { return s.Tables.Trees },
			"accepting":  func(s *Suite) Lists { return s.Tables.Accepting },
			"explaining": func(s *Suite) Lists { return s.Tables.Explaining },
		} {
			if lists(s) == nil {
				continue
			}
			forge("the classes of letters and digits of "+kind, func(s *Suite) {
				l := lists(s)
				for c := '0'; c <= 'z'; c++ {
					l[0][c] = (l[0][c] + 1) % l[1][0]
				}
			})
		}
	}
	if len(forged) < 50 {
		t.Errorf("only %d forgeries", len(forged))
	}
	longtest.Program(t, "node")
	for i, line := range checkInJavaScript(t, forged...) {
		if !strings.HasPrefix(line, "FAIL ") {
			t.Errorf("%s is changed, and JavaScript passes: %s", whats[i], line)
		}
	}
}

// Where the table of a suite has an element that is changed, so that it leads elsewhere, a case shows it:
// each transition of the proven table from a state that can be reached is taken.
func TestEveryTransitionIsTaken(t *testing.T) {
	text := textOf(t, "regular")
	s := must.Of(Read(text))(t)
	next := s.Tables.Proven[2]
	changed := 0
	for i := range next {
		s := must.Of(Read(text))(t)
		if next[i] == 0 {
			continue
		}
		s.Tables.Proven[2][i] = 0
		changed++
		if err := s.Check(); err == nil {
			t.Errorf("element %d of the states is changed, and Go passes", i)
		}
	}
	if changed < 20 {
		t.Errorf("only %d elements", changed)
	}
}

// What is no suite is an error.
func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", "[]", `{"suite": "bnfcheck runtime", "format": 2}`, `{"suite": "bnfcheck runtime", "format": 1}`,
		`{"suite": "bnfcheck runtime", "format": 1, "more": 1}`, `{"suite": "bnfcheck runtime", "format": 1,
		"tables": {"alternatives": [[], [], []]}, "cases": []}`} {
		s, err := Read([]byte(text))
		if err == nil {
			err = s.Check()
		}
		if err == nil {
			t.Errorf("%s is read as a suite", text)
		}
	}
}
