package jspackage

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A hostileInput is an input that somebody sends who means harm, of a grammar of grammars: head, the unit as
// often as a size has room for it, middle, last as often, and tail.
type hostileInput struct {
	grammar                        string
	head, unit, middle, last, tail string
	tooLarge                       bool // it may pass a limit of the parser
	most                           int  // the largest size that keeps the limits of the house, or 0 for 10 MB
}

// hostileInputs are long, deep, ambiguous, or wrong at their end.
var hostileInputs = []hostileInput{
	{grammar: "nested", unit: "[", most: 2_000_000},
	{grammar: "nested", unit: "[", last: "]"},
	{grammar: "nested", unit: "[", middle: "x", last: "]", most: 2_000_000},
	{grammar: "nested", head: "[", unit: "1,", tail: "1]"},
	{grammar: "nested", head: "[", unit: "1,", tail: "x"},
	{grammar: "nested", unit: "1"},
	{grammar: "nested", unit: "1", tail: "x"},
	{grammar: "nested", head: "{", unit: "  a:   []  ", tail: "}"},
	{grammar: "nested", head: "{", unit: " ", tail: "]"},
	{grammar: "sums", unit: "(", middle: "1", last: ")", most: 2_000_000},
	{grammar: "sums", head: "1", unit: "+1", most: 2_000_000},
	{grammar: "sums", head: "1", unit: "+1*(1)", tail: "+", most: 2_000_000},
	{grammar: "mirror", unit: "a", most: 1 << 10},
	{grammar: "mirror", unit: "a", middle: "-z", last: "b", most: 10_000},
	{grammar: "several", unit: "a", most: 100, tooLarge: true},
	{grammar: "tag", head: "aa", unit: "-bbb"},
	{grammar: "tag", unit: "-"},
	{grammar: "points", unit: "€ä", tail: ";"},
	{grammar: "points", head: "a;", unit: "🙂"},
	{grammar: "lines", unit: "ab=12\r\n"},
	{grammar: "lines", unit: "\r", tail: "="},
	{grammar: "header", head: "a:", unit: " \u00e9", tail: "\n"},
}

// makeInput returns how often the unit is repeated for an input of some bytes, and the input.
func (h hostileInput) makeInput(bytes int) (times int, input string) {
	times = max(1, bytes/(len(h.unit)+len(h.last)))
	return times, h.head + strings.Repeat(h.unit, times) + h.middle + strings.Repeat(h.last, times) + h.tail
}

// The limits of the house on one input, beside the tree.
const (
	mostSeconds = 10
	mostMemory  = 512 // megabytes
)

// Hostile inputs of three sizes, up to 30 KB or, where long tests run, 10 MB, have the answers of Go. They throw nothing
// but a ParseError or, some of them, a TooLargeError, keep the limits of the house on time and memory, and take no more
// than three times as long for each byte when they are ten times as long.
func TestHostileInputs(t *testing.T) {
	longtest.Program(t, "node")
	modules := map[string]string{}
	parts := map[string]*gopackage.Parts{}
	for _, h := range hostileInputs {
		if modules[h.grammar] == "" {
			parts[h.grammar], modules[h.grammar] = madeNamed(t, h.grammar)
		}
	}
	largest := longtest.Size(30_000, 10_000_000)
	for _, h := range hostileInputs {
		t.Run(fmt.Sprintf("%s/%.8s%.8s%.8s", h.grammar, h.head, h.unit, h.last+h.tail), func(t *testing.T) {
			var sizes []int
			for size := largest / 100; size <= largest; size *= 10 {
				if h.most > 0 && size >= h.most {
					sizes = append(sizes, h.most)
					break
				}
				sizes = append(sizes, size)
			}
			// Small inputs share a process, which then takes as much memory as all of them. The time of a large one is not to
			// depend on what was compiled for others.
			perProcess := longtest.Size(len(sizes), 1)
			before := 0.0
			for some := range slices.Chunk(sizes, perProcess) {
				for i, seconds := range checkHostile(t, h, parts[h.grammar], modules[h.grammar], some) {
					if before > 0.3 && seconds > 30*before {
						t.Errorf("%d bytes take %.2f s, a tenth %.2f s", some[i], seconds, before)
					}
					before = seconds
				}
			}
		})
	}
}

// A module has a guide at once where the first input, however short, has so many derivations that the general parser
// would take more than its limit, and answers as Go does.
func TestFirstInputHasManyDerivations(t *testing.T) {
	longtest.Program(t, "node")
	const text = "d = [ r *( any r ) ]\nr = s *( any s )\ns = any \"=\" any / \"(\" d \")\"\nany = *%x20-7E\n"
	parts, path := made(t, "texts", must.Of(bnf.ReadABNF("texts.abnf", []byte(text)))(t))
	h := hostileInput{grammar: "texts", unit: "a=b"}
	for _, size := range []int{200, 1800} {
		if seconds := checkHostile(t, h, parts, path, []int{size})[0]; seconds > 1 {
			t.Errorf("%d bytes take %.2f s", size, seconds)
		}
	}
}

// checkHostile gives a module inputs of some sizes in one process, and returns the user CPU time that each took.
func checkHostile(t *testing.T, h hostileInput, parts *gopackage.Parts, module string, sizes []int) (all []float64) {
	t.Helper()
	args := []string{"testdata/hostile.mjs", module}
	var inputs []string
	for _, size := range sizes {
		times, input := h.makeInput(size)
		inputs = append(inputs, input)
		args = append(args, marshal(map[string]any{
			"head": h.head, "unit": h.unit, "times": times, "middle": h.middle, "last": h.last, "tail": h.tail,
		}))
	}
	out, err := exec.Command("node", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%d bytes: %v\n%.2000s", sizes, err, out)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != len(sizes) {
		t.Fatalf("%d bytes: %d answers\n%.2000s", sizes, len(answers), out)
	}
	for i, size := range sizes {
		var accepted, said string
		var seconds, memory float64
		must.Do(t, json.Unmarshal([]byte(answers[i]), &[]any{&accepted, &said, &seconds, &memory}))
		derived := said == "derived"
		switch want, nodes := outcomeOf(must.Of(newModule(parts))(t), inputs[i]); {
		case h.tooLarge && (said == "TooLargeError" || accepted == "TooLargeError"):
		case said != want || accepted != fmt.Sprint(derived):
			t.Errorf("%d bytes: accepts says %s, parse %s, and Go %s", size, accepted, said, want)
		case seconds > mostSeconds || memory > mostMemory+16*float64(nodes)/1e6:
			t.Errorf("%d bytes: %.1f s, %.0f MB and %d nodes", size, seconds, memory, nodes)
		}
		t.Logf("%d bytes: %s, %.2f s, %.0f MB", size, said, seconds, memory)
		all = append(all, seconds)
	}
	return all
}

// outcomeOf returns what testdata/hostile.mjs must print of an input, as package ast has it, and the number of nodes.
func outcomeOf(m *module, input string) (said string, nodes int) {
	text := input
	if m.encoding == latin1 { // each character is a byte
		var bytes []byte
		for _, r := range input {
			bytes = append(bytes, byte(r))
		}
		text = string(bytes)
	}
	tree, err := m.Interpreted().Derive(m.start, text)
	if refused, ok := errors.AsType[*ast.SyntaxError](err); ok {
		return fmt.Sprintf("ParseError %d %t", offsetsIn(text, m.encoding == utf8)[refused.Offset], refused.Incomplete), 0
	}
	if err != nil {
		return "TooLargeError", 0
	}
	return "derived", len(tree.Nodes)
}

// chainOf returns the text of a chain of n productions: each derives the next one, or a word of its own. The last one
// leads back to the first, in brackets.
func chainOf(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "p%d = p%d / \"%05d\"\n", i, i+1, i)
	}
	fmt.Fprintf(&text, "p%d = \"(\" p0 \")\"\n", n)
	return text.String()
}

// takenSteps returns the steps that a module takes to parse an input, which was parsed before, and its outcome: see
// testdata/steps.mjs. productions and expected are the lengths of the lists of an explanation.
func takenSteps(t *testing.T, module, input string) (steps float64, said string, productions, expected int) {
	t.Helper()
	out, err := exec.Command("node", "testdata/steps.mjs", module, input).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	must.Do(t, json.Unmarshal(out, &[]any{&steps, &said, &productions, &expected}))
	return steps, said, productions, expected
}

// A tree that no guide decides takes at most cubic time: the exponent was above 4.5 while the items of a place were
// sorted again where another place had taken their room. It may be a bit above three, since items are sorted.
func TestTreesAreCubic(t *testing.T) {
	longtest.Program(t, "node")
	const mostGrowth = 3.2
	for _, c := range []struct{ grammar, unit, last string }{
		{`s = s s / "a"`, "a", ""},
		{`s = e; e = e "+" e / "a"`, "a+", "a"},
		{`s = s t / t; t = s "a" / "a"`, "a", ""},
		{`s = "a" s "a" / "a" s "b" / "b" s "a" / "b" s "b" / ""`, "a", ""},
	} {
		text := strings.ReplaceAll(c.grammar, "; ", "\n") + "\n"
		_, path := made(t, "s", must.Of(bnf.ReadABNF("s.abnf", []byte(text)))(t))
		var all []float64
		for _, size := range []int{60, 120} {
			steps, said, _, _ := takenSteps(t, path, strings.Repeat(c.unit, size/len(c.unit))+c.last)
			if said != "derived" {
				t.Fatalf("%s: %d bytes: %s", c.grammar, size, said)
			}
			all = append(all, steps)
		}
		exponent := math.Log2(all[1] / all[0])
		t.Logf("%s: 60 bytes take %.0f steps, and 120 %.0f: exponent %.2f", c.grammar, all[0], all[1], exponent)
		if exponent > mostGrowth {
			t.Errorf("%s: the exponent is %.2f", c.grammar, exponent)
		}
	}
}

// What explains a rejection takes steps that grow as the number of productions that could go on does: nothing is
// searched for in a list of them.
func TestExplanationsAreLinear(t *testing.T) {
	longtest.Program(t, "node")
	inputs := []string{"!", "(((!"}
	stepsFor := func(n int) (all []float64) {
		parts, path := made(t, "chain", must.Of(bnf.ReadABNF("chain.abnf", []byte(chainOf(n))))(t))
		for _, input := range inputs {
			steps, said, productions, expected := takenSteps(t, path, input)
			_, refused := parts.Interpreted().Derive(1, input)
			if said != refused.Error() || productions != n+1 || expected < n {
				t.Errorf("%d productions and %d expectations: %.300s\nwant %.300v", productions, expected, said, refused)
			}
			all = append(all, steps)
		}
		return all
	}
	few, many := stepsFor(20), stepsFor(80)
	for i, input := range inputs {
		t.Logf("%q takes %.0f steps with 20 productions, and %.0f with 80", input, few[i], many[i])
		if many[i] > 5*few[i] {
			t.Errorf("%q takes steps that grow faster than the productions: %.0f, %.0f", input, few[i], many[i])
		}
	}
}
