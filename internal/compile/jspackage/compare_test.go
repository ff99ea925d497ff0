package jspackage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	unicode "unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/runtimesuite"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file compares modules with package ast, which runs the same tables: each production on the same
// words, answers, trees, alternatives and errors, to the letter. engines_test.go has the engines that run
// the modules; where no other is named, it is node.

// grammars are small grammars, by what they try.
var grammars = map[string]string{
	"tag":       "tag = part *(\"-\" part) [\":\" region]\npart = 2*8letter\nregion = 2letter / 3digit\nletter = %x61-7A\ndigit = %x30-39\n",
	"ambiguous": "host = number / name\nnumber = 1*DIGIT\nname = 1*(ALPHA / DIGIT)\n",
	"groups":    "list = *( pair / word ) tail\npair = word \",\" word\nword = 1*3%x61-63\ntail = [word]\n",
	"points":    "word = 1*( letter / %x20AC ) \";\" rest\nletter = %x61-7A / %xE4-F6\nrest = *%x1F600-1F64F\n",
	"octets":    "all = *( utf / %x00-1F ) \"%\" 2HEXDIG\nutf = %xC2-DF %x80-BF\n",
	"header":    "field = name \":\" *( SP / value )\nname = 1*ALPHA\nvalue = 1*( %x21-7E / obs-text )\nobs-text = %x80-FF\n",
	"lines":     "text = *line\nline = 1*%x61-7A [ \"=\" 1*DIGIT ] ( CRLF / LF / CR )\n",
	"empty":     "e = [a] [b] *c\na = *\"x\"\nb = *\"y\"\nc = \"z\" [a]\n",
	"nested":    "value = list / number / map\nlist = \"[\" [ value *( \",\" value ) ] \"]\"\nnumber = 1*DIGIT\nmap = \"{\" ws *( pair ws ) \"}\"\npair = name \":\" ws value\nname = 1*ALPHA\nws = *\" \"\n",
	"sums":      "sum = sum \"+\" product / product\nproduct = product \"*\" atom / atom\natom = 1*DIGIT / \"(\" sum \")\"\n",
	"several":   "s = s s / \"a\" / [t] u\nt = \"a\" [t]\nu = *\"b\"\n",
	"circles":   "a = b / \"x\" a \"y\" / [c]\nb = a / c b c / \"z\"\nc = [a] *\"w\"\n",
	"mirror":    "m = %x61-63 m %x61-63 / [e]\ne = \"-\" 1*( letter / %xE4-10FFFF )\nletter = %x64-7A\n",
	"tail":      "list = item [ \",\" list ]\nitem = 1*DIGIT / \"-\" [item]\n",
	"nothing":   "s = \"a\" / never\nnever = \"b\" never\n",
}

// hostileNames is a grammar whose productions are called as properties of objects are.
const hostileNames = `start ::= __proto__ | constructor | then
__proto__ ::= "a" toString?
constructor ::= "b" hasOwnProperty*
then ::= "c" get
toString ::= "d" "x" "x"
hasOwnProperty ::= "e" "x"
get ::= "y" "y"
`

// made returns the parts of the package of a grammar, and the path of its module.
func made(t testing.TB, name string, g *expr.Grammar) (*gopackage.Parts, string) {
	t.Helper()
	src := gopackage.Source{Package: name, Grammar: g, Inputs: []gopackage.Input{{Path: name + ".abnf"}}}
	parts := must.Of(gopackage.MakeParts(src, Language, Format))(t)
	folder := t.TempDir()
	for _, f := range must.Of(makeFiles(parts))(t) {
		must.Do(t, os.WriteFile(filepath.Join(folder, f.Name), f.Text, 0o600))
	}
	return parts, filepath.Join(folder, ModuleName(name))
}

// namedGrammar returns a grammar of grammars.
func namedGrammar(t testing.TB, name string) *expr.Grammar {
	t.Helper()
	return must.Of(bnf.ReadABNF(name+".abnf", []byte(grammars[name])))(t)
}

// madeNamed is [made] for a grammar of grammars.
func madeNamed(t testing.TB, name string) (*gopackage.Parts, string) {
	t.Helper()
	return made(t, name, namedGrammar(t, name))
}

// rewrite replaces a text in a file of JavaScript, which has it once.
func rewrite(t testing.TB, path, old, changed string) {
	t.Helper()
	text := string(must.Of(os.ReadFile(path))(t))
	if strings.Count(text, old) != 1 {
		t.Fatalf("%s has %q %d times", path, old, strings.Count(text, old))
	}
	must.Do(t, os.WriteFile(path, []byte(strings.Replace(text, old, changed, 1)), 0o600))
}

// A word is a word for a production, and how it is passed.
type word struct {
	kind     ast.Kind
	text     string
	encoding string // "" for bytes
}

// wordsOf returns words for each production, see [runtimesuite.Words], each as bytes or as a string.
func wordsOf(parts *gopackage.Parts, rng *rand.Rand, most int) (list []word) {
	return passed(parts, rng, runtimesuite.Words(parts, rng, most, most/4))
}

// passed decides how words are passed to a module.
func passed(parts *gopackage.Parts, rng *rand.Rand, words []runtimesuite.Word) (list []word) {
	reads := string(encodingOf(parts.Grammar, parts.Start))
	for _, w := range words {
		encoding := ""
		if rng.IntN(4) > 0 {
			encoding = reads
		}
		if encoding == string(utf8) && !unicode.ValidString(w.Text) {
			encoding = ""
		}
		list = append(list, word{w.Kind, w.Text, encoding})
	}
	return list
}

// offsetsIn returns the offset of each byte of a text, and of its end: that in the string, if the text is the UTF-8 of one.
func offsetsIn(text string, ofString bool) []int {
	var offsets []int
	offset := 0
	for i, r := range text {
		_, size := unicode.DecodeRuneInString(text[i:])
		for range size { // a byte inside a character has the offset of the character
			offsets = append(offsets, offset)
			if !ofString {
				offset++
			}
		}
		if ofString {
			offset += utf16.RuneLen(r)
		}
	}
	return append(offsets, offset)
}

// answerOf returns what a module must answer, as package ast has it.
func answerOf(m *module, g *ast.Grammar, w word) string {
	offsets := offsetsIn(w.text, w.encoding == string(utf8)) // computed once: a tree can have as many nodes as its text has bytes
	outcome := func(tree *ast.Tree, err error) any {
		if refused, ok := errors.AsType[*ast.SyntaxError](err); ok {
			message := strings.Replace(err.Error(), fmt.Sprint("offset ", refused.Offset), fmt.Sprint("offset ", offsets[refused.Offset]), 1)
			p := refused.Position()
			if w.encoding == string(latin1) { // each byte is a character, and so a column, also where bytes spell UTF-8
				inBytes := p.Column // as Go counts it
				p = ast.PositionAt(latin1Text(w.text), len(latin1Text(w.text[:refused.Offset])))
				message = strings.Replace(message, fmt.Sprintf("column %d (", inBytes), fmt.Sprintf("column %d (", p.Column), 1)
			}
			inside := []string{}
			for _, k := range refused.In {
				inside = append(inside, g.Production(k).ID)
			}
			innermost := ""
			if len(inside) > 0 {
				innermost = inside[0]
			}
			return []any{message, offsets[refused.Offset], p.Line, p.Column, innermost, inside, append([]string{}, refused.Terms()...), refused.Incomplete}
		}
		if err != nil {
			if _, ok := errors.AsType[*ast.TooLargeError](err); ok {
				return []string{"TooLargeError"}
			}
			return err.Error()
		}
		nodes := [][]any{}
		for _, n := range tree.Root().All() {
			var alternative any
			if a := n.Alternative(); a > 0 {
				alternative = 1
				if labels := m.labels(m.Grammar.Rules[n.Kind()-1]); len(labels) > 0 {
					alternative = json.RawMessage(labels[a-1])
				}
			}
			nodes = append(nodes, []any{n.ID(), offsets[n.Start()], offsets[n.End()], alternative})
		}
		return nodes
	}
	tree, err := g.Derive(w.kind, w.text)
	prefix, _, prefixErr := g.ParsePrefix(w.kind, w.text)
	return marshal([]any{g.Accept(w.kind, w.text), outcome(tree, err), outcome(prefix, prefixErr)})
}

// marshal returns a value as JSON.stringify writes it.
func marshal(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// request returns the line of answers.mjs that asks about a word of a production.
func request(id string, w word) string {
	var input any
	switch w.encoding {
	case string(utf8):
		input = w.text
	case string(latin1):
		input = latin1Text(w.text)
	default:
		numbers := make([]int, len(w.text))
		for i, b := range []byte(w.text) {
			numbers[i] = int(b)
		}
		input = numbers
	}
	return marshal([]any{id, input}) + "\n"
}

// compare asks a module about words in node, and package ast too. It returns how many words were asked about.
func compare(t *testing.T, parts *gopackage.Parts, path string, words []word) int {
	t.Helper()
	return compareIn(t, inNode("node"), parts, path, words)
}

// compareIn is [compare] for any engine.
func compareIn(t *testing.T, ask engine, parts *gopackage.Parts, path string, words []word) int {
	t.Helper()
	var requests strings.Builder
	for _, w := range words {
		requests.WriteString(request(parts.Productions[w.kind].ID, w))
	}
	out := ask(t, path, requests.String())
	answers := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(answers) != len(words) {
		t.Fatalf("%d answers to %d words", len(answers), len(words))
	}
	m := must.Of(newModule(parts))(t)
	g := parts.Interpreted()
	wrong := 0
	for i, w := range words {
		if want := answerOf(m, g, w); !sameJSON(answers[i], want) {
			if wrong++; wrong <= 3 {
				t.Errorf("%s: %s on %q (%s):\ngot  %.2000s\nwant %.2000s", parts.Source.Package, parts.Productions[w.kind].ID, w.text, w.encoding, answers[i], want)
			}
		}
	}
	if wrong > 3 {
		t.Errorf("%s: %d of %d words differ", parts.Source.Package, wrong, len(words))
	}
	return len(words)
}

// sameJSON reports whether two texts of JSON are equal, however strings are escaped.
func sameJSON(a, b string) bool {
	if a == b {
		return true
	}
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && marshal(x) == marshal(y)
}

// A module answers as package ast does, on words of each production and near misses.
func TestCompare(t *testing.T) {
	longtest.Program(t, "node")
	for name, text := range grammars {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(27, uint64(len(text))))
			parts, path := madeNamed(t, name)
			words := wordsOf(parts, rng, longtest.Size(60, 2000))
			if n := compare(t, parts, path, words); n < 50 {
				t.Errorf("only %d words", n)
			}
			if parts.Explaining == nil {
				acceptAtOnce(t, path)
				compare(t, parts, path, words)
			}
		})
	}
}

// acceptAtOnce changes a module in which productions nest so that it uses the tables that only accept from the first input
// on, as it does after 2 KB.
func acceptAtOnce(t testing.TB, path string) {
	t.Helper()
	rewrite(t, path, "const ACCEPTOR_AFTER = 1 << 11;", "const ACCEPTOR_AFTER = -1;")
}

// Names of productions are data, whatever they are.
func TestNames(t *testing.T) {
	longtest.Program(t, "node")
	doc := must.Of(bnf.ReadDocument("names.ebnf", []byte(hostileNames), bnf.EBNF, bnf.Usual))(t)
	parts, path := made(t, "names", doc.Grammar)
	compare(t, parts, path, wordsOf(parts, rand.New(rand.NewPCG(1, 2)), 60))
	folder := filepath.Dir(path)
	if out, err := exec.Command("node", "--test", folder).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Random grammars are compared in the same way.
func TestCompareRandom(t *testing.T) {
	longtest.Program(t, "node")
	words := 0
	for i := range longtest.Size(25, 1000) {
		rng := rand.New(rand.NewPCG(uint64(i), 2027))
		text := fuzztest.New(fuzztest.Random(rng, 40+rng.IntN(100), i%2 == 0)).ABNF()
		g := must.Of(bnf.ReadABNF("random.abnf", []byte(text)))(t)
		parts, path := made(t, "random", g)
		if i%4 == 2 && parts.Explaining == nil { // most words are too short for guides
			rewrite(t, path, "const GUIDE_AFTER = 1 << 11;", "const GUIDE_AFTER = 0;")
		}
		if i%4 == 1 && parts.Explaining == nil {
			acceptAtOnce(t, path)
		}
		words += compare(t, parts, path, wordsOf(parts, rng, 20))
		if t.Failed() {
			t.Fatalf("the grammar is\n%s", text)
		}
	}
	t.Logf("%d words", words)
}

// zooSlice are the grammars of the zoo that are compared where long tests do not run.
var zooSlice = []string{"bcp47.abnf", "json.abnf", "rfc3339.abnf", "rfc5234.abnf"}

// The grammars of the zoo are compared: those of zooSlice, and all where long tests run. What one takes from another RFC,
// as RFC 9110 takes URI-reference, is that of the built-in ones, and otherwise stands for any text in one line.
func TestCompareZoo(t *testing.T) {
	zoo := os.Getenv("BNFCHECK_ZOO")
	if zoo == "" {
		t.Skip("BNFCHECK_ZOO names no zoo")
	}
	files := zooSlice
	if longtest.Enabled() {
		files = nil
		for _, path := range must.Of(filepath.Glob(filepath.Join(zoo, "abnf", "*.abnf")))(t) {
			files = append(files, filepath.Base(path))
		}
	}
	compareAll(t, files, func(file string) (*expr.Grammar, error) {
		n := bnf.Usual
		n.ProseNames, n.StandardNames, n.DefineMissing = true, true, true
		return bnf.ReadABNFWith(file, must.Of(os.ReadFile(filepath.Join(zoo, "abnf", file)))(t), n)
	})
}

// The texts that are built in are compared: RFC 1630, and all where long tests run.
func TestCompareBuiltIn(t *testing.T) {
	names := []string{"rfc1630"}
	if longtest.Enabled() {
		names = []string{"draft06", "rfc1630", "rfc1738", "rfc3986"}
	}
	compareAll(t, names, func(name string) (*expr.Grammar, error) {
		source, err := bnf.Load(name)
		if err != nil {
			return nil, err
		}
		return source.Default, nil
	})
}

// compareAll compares every production of grammars, each in a test of its own.
func compareAll(t *testing.T, names []string, read func(name string) (*expr.Grammar, error)) {
	longtest.Program(t, "node")
	words, productions := 0, 0
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			g := must.Of(read(name))(t)
			parts, path := made(t, "zoo", g)
			list := sharesOf(parts, rand.New(rand.NewPCG(27, shareSeed(t))))
			t.Logf("%d productions, %d words", len(g.Rules), len(list))
			number := 0
			for part := range slices.Chunk(list, partWords) { // each can be run by itself
				number++
				t.Run(fmt.Sprint(number), func(t *testing.T) { words += compare(t, parts, path, part) })
			}
			productions += len(g.Rules)
		})
	}
	t.Logf("%d productions, %d words", productions, words)
}

// partWords is how many words of a grammar are compared in one test.
const partWords = 5000

// Caps on the words of one production, and on their bytes where the general parser derives it: its time grows
// faster than a word, so that without them the productions of mail, which are ambiguous in many ways, take more
// time than all others together.
const (
	shareWords        = 1800
	shareGeneralBytes = 24 << 10
)

// shareSeed returns the seed of the words that are compared, which the environment variable BNFCHECK_SEED can choose: those
// that are drawn, and the near misses, are others for each.
func shareSeed(t *testing.T) uint64 {
	text := os.Getenv("BNFCHECK_SEED")
	if text == "" {
		return 45
	}
	return must.Of(strconv.ParseUint(text, 10, 64))(t)
}

// sharesOf returns different words for each production, and near misses: as many for all grammars, so that the
// time that each takes is its share.
func sharesOf(parts *gopackage.Parts, rng *rand.Rand) []word {
	cover, drawn := 16, 4
	if longtest.Enabled() {
		cover, drawn = 600, 600
	}
	var list []runtimesuite.Word
	seen := map[runtimesuite.Word]bool{}
	count := make([]int, len(parts.Productions))
	size := make([]int, len(parts.Productions))
	all := runtimesuite.Words(parts, rng, cover, drawn)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, w := range all {
		isGeneral := parts.Tables.Derives[w.Kind] == bnftogo.GeneralEngine
		if seen[w] || count[w.Kind] == shareWords || isGeneral && size[w.Kind]+len(w.Text) > shareGeneralBytes {
			continue
		}
		seen[w] = true
		count[w.Kind]++
		size[w.Kind] += len(w.Text)
		list = append(list, w)
	}
	return passed(parts, rng, list)
}
