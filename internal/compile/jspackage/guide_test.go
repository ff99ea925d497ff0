package jspackage

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// This file compares the guides of the JavaScript runtime with those of package ast: whether one decides a
// word, and the tree. The runtime parses each word with a guide and without one.

// A guidedGrammar is a grammar as testdata/guided.mjs reads it. Tables are packed as text; Derives has a letter for
// each kind. Without those that explain, prefixes are not compared.
type guidedGrammar struct {
	Tables struct {
		Automaton  string `json:"automaton"`
		General    string `json:"general"`
		Accepting  string `json:"accepting"`
		Explaining string `json:"explaining"`
		Derives    string `json:"derives"`
	} `json:"tables"`
	Words []guidedWord `json:"words"`

	name    string // for messages
	general *ast.General
	grammar *ast.Grammar // finds prefixes; nil if they are not compared
}

// A guidedWord is a word, whether a guide decides it, and its nodes: four numbers each, or nil if it has none. Prefix is
// the length of the longest prefix that is derived, or -1, and Steps caps what the runtime may take to find it.
type guidedWord struct {
	Kind   ast.Kind `json:"kind"`
	Text   []byte   `json:"text"`
	Guided bool     `json:"guided"`
	Nodes  []int32  `json:"nodes"`
	Prefix int      `json:"prefix"`
	Steps  int      `json:"steps"`
}

// nodeNumbers returns nodes as the runtime has them. They are nil if the word is not derived.
func nodeNumbers(nodes []ast.Raw, derived bool) []int32 {
	if !derived {
		return nil
	}
	list := []int32{}
	for _, n := range nodes {
		list = append(list, int32(n.Kind), n.Start, n.End, n.Next)
	}
	return list
}

// stepsOfShort caps the steps for prefixes of short words, which nobody counts.
const stepsOfShort = 1 << 20

// add adds a word, as package ast parses it. It adds none that passes the limits.
func (g *guidedGrammar) add(kind ast.Kind, text string) {
	run := ast.Run{Limits: ast.Limits{Steps: 1 << 24}}
	nodes, ok := g.general.Within(&run, nil, kind, text, true)
	if run.Stopped != 0 {
		return
	}
	w := guidedWord{Kind: kind, Text: []byte(text), Guided: run.Guided, Nodes: nodeNumbers(nodes, ok), Steps: stepsOfShort}
	if g.grammar != nil {
		_, n, err := g.grammar.ParsePrefix(kind, text)
		if err != nil {
			n = -1
		}
		w.Prefix = n
	}
	g.Words = append(g.Words, w)
}

// repacked returns tables as text; "" for none.
func repacked(t *testing.T, packed string) string {
	t.Helper()
	if packed == "" {
		return ""
	}
	return must.Of(repackStates(packed))(t)
}

// interpreted returns a grammar in which nothing is proven. Only lexical productions are not nodes.
func interpreted(t *testing.T, name string, g *expr.Grammar, start string) *guidedGrammar {
	t.Helper()
	lexical := bnf.Lexical(g)
	nothing := func(string) (proven, whole bool) { return false, false }
	general := must.Of(interpreter.Tables(g, func(id string) bool { return !lexical(id) }, nothing, start))(t)
	accepting, _, err := interpreter.Accepting(g, interpreter.Put{Size: 1 << 20, Recursive: true}, start)
	must.Do(t, err)
	explaining, _, err := interpreter.Explaining(g)
	must.Do(t, err)
	made := &guidedGrammar{name: name, general: &ast.General{Packed: general, Accepting: accepting}}
	made.Tables.General, made.Tables.Accepting = repacked(t, general), repacked(t, accepting)
	made.Tables.Explaining = repacked(t, explaining)
	made.Tables.Derives = strings.Repeat("g", len(g.Rules)+1)
	made.grammar = &ast.Grammar{
		Productions: []ast.Production{{}},
		Explaining:  &ast.General{Packed: explaining},
		Accept:      made.general.Accept,
		Parse:       made.general.Parse,
		Within:      made.general.Within,
	}
	for _, r := range g.Rules {
		made.grammar.Productions = append(made.grammar.Productions, ast.Production{ID: r.ID, Name: r.Name})
	}
	return made
}

// checkGuided runs the runtime in a folder on grammars. It returns how many words guides have decided, of
// how many.
func checkGuided(t *testing.T, folder string, grammars []*guidedGrammar) (guided, all int) {
	t.Helper()
	longtest.Program(t, "node")
	file := must.Of(os.Create(filepath.Join(t.TempDir(), "words")))(t)
	encoder := json.NewEncoder(file)
	for _, g := range grammars {
		must.Do(t, encoder.Encode(g))
		all += len(g.Words)
	}
	must.Do(t, file.Close())
	out, err := exec.Command("node", "testdata/guided.mjs", folder, file.Name()).CombinedOutput()
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(lines) != len(grammars) {
		t.Fatalf("%v: %d lines on %d grammars\n%.3000s", err, len(lines), len(grammars), out)
	}
	for i, line := range lines {
		n, err := strconv.Atoi(line)
		if err != nil {
			t.Fatalf("%s: %s", grammars[i].name, line)
		}
		guided += n
	}
	return guided, all
}

// runtimeFolder has the JavaScript runtime.
const runtimeFolder = "../../../runtime/js"

// randomBrackets returns a random grammar of words with brackets. Productions use later ones, n among them, and n
// any of them between brackets. So several of them often call n at one place, and what follows tells which is right.
func randomBrackets(rng *rand.Rand) string {
	names := []string{"s", "a", "b", "c", "n"}
	var expression func(from, depth int) string
	several := func(from, depth int, by string) string {
		parts := make([]string, 2+rng.IntN(2))
		for i := range parts {
			parts[i] = expression(from, depth-1)
		}
		return "(" + strings.Join(parts, by) + ")"
	}
	expression = func(from, depth int) string {
		kind := rng.IntN(10)
		switch {
		case kind < 4 && from < len(names):
			return names[from+rng.IntN(len(names)-from)]
		case kind < 6 || depth == 0:
			return []string{`"x"`, `"y"`, `"xy"`, `%x78-79`}[rng.IntN(4)]
		case kind < 8:
			return several(from, depth, " ")
		case kind < 9:
			return several(from, depth, " / ")
		}
		return []string{"", "*", "1*", "0*1", "1*2"}[rng.IntN(5)] + "(" + expression(from, depth-1) + ")"
	}
	var b strings.Builder
	for i, name := range names[:len(names)-1] {
		fmt.Fprintf(&b, "%s = %s / %s\n", name, expression(i+1, 3), expression(i+1, 3))
	}
	fmt.Fprintf(&b, "n = \"(\" [%s / %s] \")\"\n", expression(0, 2), expression(0, 2))
	return b.String()
}

// bracketWords returns all words of at most so many letters in which brackets are balanced.
func bracketWords(most int) (list []string) {
	byLength := [][]string{{""}}
	for n := 1; n <= most; n++ {
		var words []string
		for _, rest := range byLength[n-1] {
			words = append(words, "x"+rest, "y"+rest)
		}
		for inside := 0; inside <= n-2; inside++ {
			for _, in := range byLength[inside] {
				for _, rest := range byLength[n-2-inside] {
					words = append(words, "("+in+")"+rest)
				}
			}
		}
		byLength = append(byLength, words)
	}
	return slices.Concat(byLength...)
}

// In random grammars, a guide decides the words that one decides in Go, and its trees are those of Go and of
// the parser without guides.
func TestGuidesOfRandomGrammars(t *testing.T) {
	balanced := bracketWords(longtest.Size(7, 8))
	words, loops, sums := pegtest.Words("xyz", 5), pegtest.Words("xy:!", 5), pegtest.Words("x+()", 5)
	var list []*guidedGrammar
	guided, all, derived := 0, 0, 0
	seeds := uint64(longtest.Size(60, 5000))
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 27))
		grammar, start, tried := pegtest.RandomBNF(rng, seed%5 == 1), "r0", words
		switch seed % 5 {
		case 0:
			grammar, start, tried = must.Of(bnf.ReadABNF("random.abnf", []byte(randomBrackets(rng))))(t), "s", balanced
		case 2:
			grammar, start, tried = must.Of(bnf.ReadABNF("random.abnf", []byte(pegtest.RandomLoops(rng))))(t), "s", loops
		case 4:
			grammar, start, tried = must.Of(bnf.ReadABNF("random.abnf", []byte(pegtest.RandomLeft(rng))))(t), "s", sums
		}
		g := interpreted(t, fmt.Sprint("seed ", seed), grammar, start)
		for _, w := range tried {
			g.add(1, w)
			if rng.IntN(4) == 0 {
				g.add(1, sample.Near(w, "()xy"[rng.IntN(4)], rng))
			}
		}
		for _, w := range g.Words {
			if w.Nodes != nil {
				derived++
			}
		}
		list = append(list, g)
		if len(list) == 100 || seed == seeds-1 { // a few at a time, since their words and nodes take gigabytes
			decided, asked := checkGuided(t, runtimeFolder, list)
			guided += decided
			all += asked
			list = nil
		}
	}
	t.Logf("%d of %d words are decided by a guide; %d are derived", guided, all, derived)
	if guided < 10_000 || guided > all-1000 || derived < 1000 {
		t.Error("hardly anything was compared")
	}
}

// Modules of small grammars and of those of the zoo use guides where Go does, with an automaton for what is
// proven.
func TestGuidesOfModules(t *testing.T) {
	modules := map[string]*expr.Grammar{}
	for _, name := range []string{"nested", "sums", "mirror"} {
		modules[name] = namedGrammar(t, name)
	}
	if zoo := os.Getenv("BNFCHECK_ZOO"); zoo != "" {
		for _, file := range []string{"json.abnf", "rfc5234.abnf"} {
			modules[file] = must.Of(bnf.ReadABNF(file, must.Of(os.ReadFile(filepath.Join(zoo, "abnf", file)))(t)))(t)
		}
	}
	for name, grammar := range modules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parts, _ := made(t, "guided", grammar)
			automaton := &ast.Automaton{Packed: parts.Tables.Automaton}
			g := &guidedGrammar{name: name, general: &ast.General{
				Packed: parts.Tables.General, Accepting: parts.Tables.Accepting, Proven: automaton.Parse,
			}}
			g.Tables.Automaton, g.Tables.General = repacked(t, parts.Tables.Automaton), repacked(t, parts.Tables.General)
			g.Tables.Accepting, g.Tables.Derives = repacked(t, parts.Tables.Accepting), parts.Tables.Letters()
			for _, w := range wordsOf(parts, rand.New(rand.NewPCG(8, 9)), longtest.Size(100, 1000)) {
				if parts.Tables.Letters()[w.kind] == 'g' {
					g.add(w.kind, w.text)
				}
			}
			guided, all := checkGuided(t, runtimeFolder, []*guidedGrammar{g})
			t.Logf("%d of %d words are decided by a guide", guided, all)
			if all < 50 || guided < all*9/10 {
				t.Errorf("%d of %d words are decided by a guide", guided, all)
			}
		})
	}
}

// Where threads part and nobody knows which is right, and where too many sets or places would be needed, the general
// parser decides: for the input that is too much for a guide, and for all later ones. To tell p from q the input is read
// backwards, and the set at a place then depends on which of the 18 bytes after it are "a".
func TestGuidesGiveUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 0))
	letters := []byte(strings.Repeat("a", longtest.Size(100_000, 200_000)))
	for i := 19; i < len(letters); i++ {
		letters[i] = "ab"[rng.IntN(2)]
	}
	short, long := string(letters[:30]), string(letters)
	var list []*guidedGrammar
	for _, c := range []struct {
		grammar string
		words   []string
		guided  []bool
	}{
		{"s = s \"+\" s / \"a\"\n", []string{"a+a+a", "a+a", "a", ""}, []bool{false, true, true, true}},
		{"s = w s \"a\" / \"c\"\nw = *\"b\"\n", []string{"ca", "c"}, []bool{false, false}},
		{"s = p / q\np = \"a\" p \"b\" / \"ab\"\nq = \"a\" q \"bb\" / \"abb\"\n", []string{"aaabbbbbb", "aaabbb", "abb"}, []bool{false, true, false}},
		{"s = p / q\np = 18x \"a\" *x \";\"\nq = 18x \"a\" *x \"!\"\nx = \"a\" / \"b\"\n",
			[]string{short + "!", long + "!", short + "!", short}, []bool{true, false, false, false}},
		{"s = p \":A\" / q \":B\"\np = *( \";i\" / r )\nq = *( \";i\" / \";l\" / r )\n" +
			"r = *( \";\" x ) *( \";\" x ) *( \";\" r )\nx = *%x20-7E\n", []string{":B", ":A"}, []bool{false, false}},
		{doubling("r%[1]d = r%[2]d \"c\" r%[2]d / r%[2]d\n"), []string{"acaca", "acac"}, []bool{false, false}},
		{doubling("r%[1]d = r%[1]d \"%[1]d,\" r%[2]d / r%[2]d\n"), []string{"a3,a12,a1,a", "a3,a1", "a"}, []bool{true, true, true}},
		{doubling("r%[1]d = r%[2]d / r%[2]d\n"), []string{"a", "b"}, []bool{true, true}},
	} {
		g := interpreted(t, c.grammar, must.Of(bnf.ReadABNF("a.abnf", []byte(c.grammar)))(t), "s")
		for _, w := range c.words {
			g.add(1, w)
		}
		for i, w := range g.Words {
			if w.Guided != c.guided[i] {
				t.Errorf("%q: Go decides %.40q by a guide: %t", c.grammar, w.Text, w.Guided)
			}
		}
		list = append(list, g)
	}
	checkGuided(t, runtimeFolder, list)
}

// Without a tree, a guide reads the characters of a string, also backwards to tell p from q. One that is not a byte
// leaves the string to what reads its bytes, whether it is met on the way forward or back.
func TestGuidesReadStrings(t *testing.T) {
	const grammar = "s = p / q\np = \"a\" p \"b\" / x \":\"\nq = \"a\" q \"c\" / x \";\"\nx = \"-\" / %xC3.A9\n"
	g := interpreted(t, "strings", must.Of(bnf.ReadABNF("a.abnf", []byte(grammar)))(t), "s")
	for _, word := range []string{"a-:b", "a-;c", "aaé:bb", "aaé;cc", "aaé;c", "é;", "é:é", "é", "a-:é", "", "-"} {
		g.add(1, word)
	}
	if guided, all := checkGuided(t, runtimeFolder, []*guidedGrammar{g}); guided != all || all != 11 {
		t.Errorf("guides decide %d of %d words", guided, all)
	}
}

// The guides of many starts are kept, if they are small. guided.mjs fails where one is made again.
func TestGuidesAreKept(t *testing.T) {
	const starts = 20
	var b strings.Builder
	for i := 1; i < starts; i++ {
		fmt.Fprintf(&b, "s%d = \"(\" [ s%d ] \")\" / s%d\n", i, i, i+1)
	}
	fmt.Fprintf(&b, "s%d = \"(\" [ s%d ] \")\"\n", starts, starts)
	g := interpreted(t, "starts", must.Of(bnf.ReadABNF("a.abnf", []byte(b.String())))(t), "s1")
	for range 2 {
		for start := ast.Kind(1); start <= starts; start++ {
			g.add(start, "(())")
		}
	}
	if guided, _ := checkGuided(t, runtimeFolder, []*guidedGrammar{g}); guided != 2*starts {
		t.Errorf("guides decide %d words", guided)
	}
}

// doubling returns a grammar of choices that are inside each other, none inside itself: a guide has a place for each way
// in which the innermost can be used, 2 to the power of 30.
func doubling(line string) string {
	b := "s = r30\n"
	for i := 30; i > 0; i-- {
		b += fmt.Sprintf(line, i, i-1)
	}
	return b + "r0 = \"a\"\n"
}

// A guide keeps the limit on memory, and leaves what would pass it to the general parser. Here n and m stay possible
// up to the end, so that the log has an event for each byte. The limit is reached if an event counts for more.
func TestGuidesKeepMemoryLimit(t *testing.T) {
	const grammar = "s = \"(\" s \")\" / 1*n / 1*m\nn = \"a\" [\"b\"]\nm = \"a\" [\"b\"]\n"
	src := strings.Repeat("a", 20_000)
	g := interpreted(t, grammar, must.Of(bnf.ReadABNF("a.abnf", []byte(grammar)))(t), "s")
	g.add(1, src)
	for _, c := range []struct {
		eventBytes int // as many as a byte of src may take of the limit of 320 MiB and 40 bytes for each, or not
		guided     bool
	}{
		{16, true},
		{16_000, true},
		{17_500, false},
	} {
		g.name, g.Words[0].Guided = fmt.Sprintf("events of %d bytes", c.eventBytes), c.guided
		folder := copyRuntime(t)
		changed := fmt.Sprintf("const EVENT_BYTES = %d;", c.eventBytes)
		rewrite(t, filepath.Join(folder, "generalguided.js"), "const EVENT_BYTES = 16;", changed)
		checkGuided(t, folder, []*guidedGrammar{g})
	}
}

// copyRuntime returns a folder with a copy of the runtime.
func copyRuntime(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	must.Do(t, os.CopyFS(folder, os.DirFS(runtimeFolder)))
	must.Do(t, os.WriteFile(filepath.Join(folder, "package.json"), []byte(`{"type": "module"}`), 0o600))
	return folder
}

// The longest prefix is found in one pass: twenty steps for each byte are enough, for short inputs and for long ones, of
// which items are dropped, so that origins get new numbers.
func TestPrefixIsLinear(t *testing.T) {
	var list []*guidedGrammar
	for _, c := range pegtest.PrefixCases {
		g := interpreted(t, c.Grammar, must.Of(bnf.ReadABNF("a.abnf", []byte(c.Grammar)))(t), "v")
		sizes := []int{2 << 10, longtest.Size(50<<10, 200<<10)}
		for size := 10 << 10; size < 20<<10; size += 1 << 10 { // so that some end soon after items were dropped
			sizes = append(sizes, size)
		}
		for _, size := range sizes {
			src, want := c.Input(size)
			g.add(1, src)
			last := &g.Words[len(g.Words)-1]
			last.Steps = 20 * len(src)
			if last.Prefix != want {
				t.Errorf("%s: Go has a prefix of %d of %d bytes", c.Grammar, last.Prefix, len(src))
			}
		}
		list = append(list, g)
	}
	checkGuided(t, runtimeFolder, list)
}
