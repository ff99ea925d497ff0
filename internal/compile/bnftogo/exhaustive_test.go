package bnftogo

import (
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// These tests enumerate all small grammars. They compile each in every way that applies, and hold
// the tree of every short word against a search through all derivations.
//
// The size of an expression is the number of its symbols: references, letters, the empty string,
// and the signs of options, repetitions, sequences and alternatives. Renaming letters or
// productions gives no new grammar. The first production uses all others.

// A shape is an expression in the making: an atom, or a sign with its operands.
type shape struct {
	sign byte // 'x' and 'y', 'e' for the empty string, '0' to '2' for a production, '?', '*', '.' and '|'
	of   []*shape
}

// shapes returns the expressions of each size up to most, over so many productions.
func shapes(most, productions int) [][]*shape {
	all := make([][]*shape, most+1)
	for _, sign := range "xye"[:3] {
		all[1] = append(all[1], &shape{sign: byte(sign)})
	}
	for i := range productions {
		all[1] = append(all[1], &shape{sign: byte('0' + i)})
	}
	for size := 2; size <= most; size++ {
		for _, sign := range []byte("?*") {
			for _, s := range all[size-1] {
				all[size] = append(all[size], &shape{sign, []*shape{s}})
			}
		}
		for _, sign := range []byte(".|") {
			for left := 1; left < size-1; left++ {
				for _, a := range all[left] {
					for _, b := range all[size-1-left] {
						if a.sign == sign { // (a b) c is a (b c)
							continue
						}
						all[size] = append(all[size], &shape{sign, []*shape{a, b}})
					}
				}
			}
		}
	}
	return all
}

// each calls f for the atoms of a shape, from left to right.
func (s *shape) each(f func(sign byte)) {
	if s.of == nil {
		f(s.sign)
	}
	for _, o := range s.of {
		o.each(f)
	}
}

// expression returns a new expression.
func (s *shape) expression() *expr.Expr {
	switch s.sign {
	case 'e':
		return &expr.Expr{Op: expr.Empty}
	case 'x', 'y':
		return expr.Lit(string([]byte{s.sign}))
	case '?':
		return expr.Opt(s.of[0].expression())
	case '*':
		return expr.Times(s.of[0].expression(), 0, expr.Unbounded)
	case '.':
		return expr.Cat(s.of[0].expression(), s.of[1].expression())
	case '|':
		return expr.Or(s.of[0].expression(), s.of[1].expression())
	}
	return expr.To("r" + string([]byte{s.sign}))
}

// usualNames reports whether letters and productions are named in the order in which they are
// first used, and all are used.
func usualNames(rules []*shape) bool {
	letters, productions := "", "0"
	for i := 0; i < len(productions) && i < len(rules); i++ {
		rules[int(productions[i]-'0')].each(func(sign byte) {
			switch {
			case sign == 'x' || sign == 'y':
				if !strings.Contains(letters, string([]byte{sign})) {
					letters += string([]byte{sign})
				}
			case '0' <= sign && sign <= '2':
				if !strings.Contains(productions, string([]byte{sign})) {
					productions += string([]byte{sign})
				}
			}
		})
	}
	return strings.HasPrefix("xy", letters) && productions == "012"[:len(rules)]
}

// grammarsOf calls f for the grammars of so many productions whose sizes are size together.
func grammarsOf(all [][]*shape, productions, size int, f func(rules []*shape)) {
	rules := make([]*shape, productions)
	var choose func(i, left int)
	choose = func(i, left int) {
		if i == productions-1 {
			for _, rules[i] = range all[left] {
				if usualNames(rules) {
					f(rules)
				}
			}
			return
		}
		for n := 1; n <= left-(productions-1-i); n++ {
			for _, rules[i] = range all[n] {
				choose(i+1, left-n)
			}
		}
	}
	choose(0, size)
}

// A tally counts what was compared.
type tally struct {
	grammars, parsers, trees, rejections int
	unknown                              int            // words of which the search does not end
	engines                              map[string]int // by what r0 has become
}

func (n tally) String() string {
	return fmt.Sprintf("%d grammars, %d parsers (%v), %d trees, %d rejections, %d not known",
		n.grammars, n.parsers, n.engines, n.trees, n.rejections, n.unknown)
}

// wordsOfTwo are the words of up to five letters.
var wordsOfTwo = pegtest.Words("xy", 5)

// rulesOf returns the grammar of some shapes.
func rulesOf(rules []*shape) *expr.Grammar {
	g := &expr.Grammar{Name: "small", File: "small"}
	for i, s := range rules {
		id := fmt.Sprint("r", i)
		g.Rules = append(g.Rules, &expr.Rule{ID: id, Name: id, Expr: s.expression()})
	}
	return g
}

// A firstTree is what the search through all derivations finds.
type firstTree struct {
	nodes []ast.Raw // nil if the word is not derived
	known bool
}

// firstTrees returns the first derivation of each word by r0.
func firstTrees(g *expr.Grammar, node func(id string) bool) []firstTree {
	trees := make([]firstTree, len(wordsOfTwo))
	for i, w := range wordsOfTwo {
		tree, _, known := pegtest.First(g, "r0", node, w, 1<<18)
		trees[i].known = known
		for _, n := range tree {
			kind := slices.IndexFunc(g.Rules, func(r *expr.Rule) bool { return r.ID == n.ID }) + 1
			node := ast.Raw{Kind: ast.Kind(kind), Start: int32(n.From), End: int32(n.To), Next: int32(n.Next)}
			trees[i].nodes = append(trees[i].nodes, node)
		}
	}
	return trees
}

// A smallParser parses a word.
type smallParser func(w string) (nodes []ast.Raw, parsed, accepted bool)

// hold compares a parser of g with the search on each word. Its name tells parsers apart.
func (n *tally) hold(t *testing.T, g *expr.Grammar, name string, want []firstTree, parse smallParser) {
	t.Helper()
	n.parsers++
	n.engines[name]++
	for i, is := range want {
		got, parsed, accepted := parse(wordsOfTwo[i])
		switch {
		case !is.known:
			n.unknown++
			continue
		case is.nodes == nil:
			n.rejections++
		default:
			n.trees++
		}
		if parsed != (is.nodes != nil) || accepted != parsed || parsed && !slices.Equal(got, is.nodes) {
			t.Fatalf("%s: %q: %v, parsed %t, accepted %t; by the search %v\n%s",
				name, wordsOfTwo[i], got, parsed, accepted, is.nodes, show(g))
		}
	}
}

// interpreted compares the general parser without code inside.
func (n *tally) interpreted(t *testing.T, g *expr.Grammar, node func(id string) bool, want []firstTree) {
	t.Helper()
	d := must.Of(interpreter.New(g, "r0", node))(t)
	n.hold(t, g, "interpreter", want, func(w string) ([]ast.Raw, bool, bool) {
		nodes, parsed, err := d.Derive(nil, w)
		accepted, also := d.Accepts(w)
		if err != nil || also != nil {
			t.Fatalf("%q: %v, %v\n%s", w, err, also, show(g))
		}
		return nodes, parsed, accepted
	})
}

// tabled compares the general parser of r0, and of other productions of a set of bits, with tables
// inside it.
func (n *tally) tabled(t *testing.T, g *expr.Grammar, node func(id string) bool, general int, want []firstTree) {
	t.Helper()
	c := smallCompiler(t, g, node, general)
	c.buildAutomata()
	if err := c.packTables(); err != nil {
		t.Fatalf("%v\n%s", err, show(g))
	}
	if err := c.addGeneral(); err != nil {
		t.Fatalf("%v\n%s", err, show(g))
	}
	n.hold(t, g, fmt.Sprintf("general, %d inside", len(c.insideNodes)), want, c.smallParser())
}

// compiled compares what r0 becomes for a user.
func (n *tally) compiled(t *testing.T, g *expr.Grammar, node func(id string) bool, general int, want []firstTree) *compiler {
	t.Helper()
	c := smallCompiler(t, g, node, general)
	if err := c.compile(); err != nil {
		t.Fatalf("%v\n%s", err, show(g))
	}
	n.hold(t, g, c.productions[0].engine(), want, c.smallParser())
	if names := undefinedNames(t, c.Source); len(names) > 0 {
		t.Errorf("undefined: %s\n%s", strings.Join(names, ", "), show(g))
	}
	return c
}

// undefinedNames lists the names that a generated file uses and nothing defines: neither the file, nor Go, nor the
// other files of the package, which have the constants of productions, here in capitals.
func undefinedNames(t *testing.T, source []byte) (names []string) {
	t.Helper()
	file := must.Of(parser.ParseFile(token.NewFileSet(), "fast.go", source, 0))(t)
	for _, name := range file.Unresolved {
		known := types.Universe.Lookup(name.Name) != nil || name.Name == "ast" || name.Name == "math" || name.Name == strings.ToUpper(name.Name)
		if !known && !slices.Contains(names, name.Name) {
			names = append(names, name.Name)
		}
	}
	return names
}

// smallParser returns the parser of the first production.
func (c *compiler) smallParser() smallParser {
	return func(w string) ([]ast.Raw, bool, bool) { return c.run(c.productions[0], w) }
}

// smallCompiler returns a compiler that leaves some productions to the general parser, as those
// that pass a limit.
func smallCompiler(t *testing.T, g *expr.Grammar, node func(id string) bool, general int) *compiler {
	t.Helper()
	c := must.Of(newCompiler(g, Options{Package: "small", Kind: strings.ToUpper, Nodes: node}))(t)
	for i, p := range c.productions {
		if general>>i&1 != 0 {
			p.refuse(p.Pos, tooCostly)
		}
	}
	return c
}

// everySmall calls f for each grammar of up to three productions and so many symbols together.
func everySmall(most int, f func(g *expr.Grammar, size int)) {
	for productions := 1; productions <= 3; productions++ {
		all := shapes(most, productions)
		for size := productions; size <= most; size++ {
			grammarsOf(all, productions, size, func(rules []*shape) { f(rulesOf(rules), size) })
		}
	}
}

// nodesOf returns the productions of a set of bits, or all.
func nodesOf(bits int) func(id string) bool {
	return func(id string) bool { return bits < 0 || bits>>(id[1]-'0')&1 != 0 }
}

// inShares runs f in parallel subtests, which take grammars in turns, and returns what all
// counted.
func inShares(t *testing.T, shares int, f func(t *testing.T, n *tally, mine func() bool)) (sum tally) {
	counts := make([]tally, shares)
	t.Run("shares", func(t *testing.T) {
		for i := range shares {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				turn := i
				counts[i].engines = map[string]int{}
				f(t, &counts[i], func() bool { turn++; return turn%shares == 0 })
			})
		}
	})
	sum.engines = map[string]int{}
	for _, c := range counts {
		sum.grammars += c.grammars
		sum.parsers += c.parsers
		sum.trees += c.trees
		sum.rejections += c.rejections
		sum.unknown += c.unknown
		for name, n := range c.engines {
			sum.engines[name] += n
		}
	}
	return sum
}

// Every grammar of up to six symbols with every set of nodes, and every one of seven whose
// productions are all nodes: the general parser alone, and with tables inside it. The daily run
// takes some of them.
func TestEverySmallGrammar(t *testing.T) {
	most, every := longtest.Size(6, 7), longtest.Size(24, 1)
	got := inShares(t, 4, func(t *testing.T, n *tally, mine func() bool) {
		all := 0
		everySmall(most, func(g *expr.Grammar, size int) {
			if all++; all%every != 0 || !mine() {
				return
			}
			n.grammars++
			last := 1<<len(g.Rules) - 1
			for bits := range last + 1 {
				if size > 6 && bits < last {
					continue
				}
				node := nodesOf(bits)
				want := firstTrees(g, node)
				n.interpreted(t, g, node, want)
				for _, general := range []int{1, 3, 5} {
					if general <= last && bits == last {
						n.tabled(t, g, node, general, want)
					}
				}
			}
		})
	})
	const daily = "653 grammars, 4043 parsers (map[general, 0 inside:1156 general, 1 inside:93 interpreter:2794]), " +
		"12038 trees, 242671 rejections, 0 not known"
	const long = "108116 grammars, 380184 parsers (map[general, 0 inside:205180 general, 1 inside:15518 interpreter:159486]), " +
		"1206712 trees, 22744878 rejections, 2 not known"
	if is := got.String(); longtest.Enabled() && is != long || !longtest.Enabled() && is != daily {
		t.Errorf("compared: %s", is)
	}
}

// Every grammar of up to six symbols as a user compiles it. The daily run takes some of them.
func TestEverySmallGrammarCompiled(t *testing.T) {
	every := longtest.Size(97, 1)
	got := inShares(t, 4, func(t *testing.T, n *tally, mine func() bool) {
		all := 0
		everySmall(6, func(g *expr.Grammar, _ int) {
			if all++; all%every == 0 && mine() {
				n.grammars++
				n.compiled(t, g, nodesOf(-1), 0, firstTrees(g, nodesOf(-1)))
			}
		})
	})
	const daily = "161 grammars, 161 parsers (map[code:27 general:93 table:41]), 557 trees, 9586 rejections, 0 not known"
	const long = "15680 grammars, 15680 parsers (map[code:3133 general:8670 nested code:8 table:3869]), " +
		"46405 trees, 941435 rejections, 0 not known"
	if is := got.String(); longtest.Enabled() && is != long || !longtest.Enabled() && is != daily {
		t.Errorf("compared: %s", is)
	}
}

// frames are productions for the general parser. They use r1 at the beginning, in the middle and
// at the end, once and twice, and themselves in the same places.
var frames = []string{
	`r1 "x"`, `r1`, `"x" r1`, `"y" r1 "x"`, `r1 r1`, `*r1 "y"`, `[ r1 ] "x"`, `r1 / "x" r1`, `r1 "x" / r1 "y"`,
	`r0 r1 "x" / "y"`, `r0 r1 "x" / r1 "x"`, `r0 "x" r1 / r1`, `r1 r0 "x" / "y"`,
	`"x" r0 r1 "y" / r1`, `"x" r1 r0 / "y"`, `r1 "x" r0 / r1`, `r0 r1 r0 / "x"`, `"x" r0 "x" r1 / r1 "y"`, `r0 r0 / r1 "x"`,
}

// everyFramed calls f for each frame with each r1 and r2 of at most so many symbols together. r1
// uses r2 alone, and r2 no production.
func everyFramed(t *testing.T, most int, f func(g *expr.Grammar)) {
	var inner [][]*shape
	all := shapes(most, 3)
	for first := 1; first < most; first++ {
		for _, a := range all[first] {
			uses := ""
			a.each(func(sign byte) { uses += string([]byte{sign}) })
			if strings.ContainsAny(uses, "01") || !strings.Contains(uses, "2") {
				continue
			}
			for second := 1; second <= most-first; second++ {
				for _, b := range all[second] {
					uses := ""
					b.each(func(sign byte) { uses += string([]byte{sign}) })
					if !strings.ContainsAny(uses, "012") {
						inner = append(inner, []*shape{a, b})
					}
				}
			}
		}
	}
	for _, frame := range frames {
		for _, rules := range inner {
			g := rulesOf([]*shape{{sign: 'e'}, rules[0], rules[1]})
			g.Rules[0].Expr = read(t, "r0 = "+frame).Rules[0].Expr
			f(g)
		}
	}
}

// The general parser of every frame with tables inside it, and that of a thousand of them with
// code as a Go compiler makes it. The code inside can derive the empty string, in every place of a
// frame.
func TestEveryFrame(t *testing.T) {
	const inProgram = 1000
	n := tally{engines: map[string]int{}}
	every := longtest.Size(40, 1)
	var b *batch
	all, made := 0, 0
	everyFramed(t, 5, func(g *expr.Grammar) {
		if all++; all%every != 0 {
			return
		}
		n.grammars++
		node := nodesOf(-1)
		want := firstTrees(g, node)
		n.tabled(t, g, node, 1, want)
		if !longtest.Enabled() || all%13 != 0 {
			return
		}
		c := n.compiled(t, g, node, 1, want)
		if b == nil {
			b, made = newBatch(t, "xy"), 0
		}
		pkg := fmt.Sprint("small", made)
		b.add(pkg, c)
		words := map[string]firstTree{}
		for i, w := range wordsOfTwo {
			words[w] = want[i]
		}
		b.expect(pkg, c.productions[0], func(w string) ([]ast.Raw, bool) { return words[w].nodes, words[w].nodes != nil })
		if made++; made == inProgram {
			b.run()
			b = nil
		}
	})
	if b != nil {
		b.run()
	}
	const daily = "326 grammars, 326 parsers (map[general, 0 inside:6 general, 1 inside:320]), " +
		"2516 trees, 18022 rejections, 0 not known"
	const long = "13053 grammars, 14057 parsers (map[general:979 general, 0 inside:242 general, 1 inside:12811 nested code:25]), " +
		"108692 trees, 776899 rejections, 0 not known"
	if is := n.String(); longtest.Enabled() && is != long || !longtest.Enabled() && is != daily {
		t.Errorf("compared: %s", is)
	}
}

// A file defines what it calls also where code uses a production that derives nothing and itself: nothing of the
// language nests then, and the code does.
func TestCodeOfWhatDerivesNothing(t *testing.T) {
	for _, grammar := range []string{
		"s = \"a\" t / \"b\"\nt = \"x\" t", "s = [ t ] \"b\"\nt = \"(\" t \")\"", "s = \"b\" *( \"c\" u )\nt = \"x\" t\nu = \"u\" / \"v\" t",
		"s = \"a\" s / \"b\" t / \"c\"\nt = t \"x\" / \"y\" t", "s = \"(\" s \")\" / \"a\" t / \"b\"\nt = \"x\" u\nu = \"y\" t", "s = \"a\"\nt = \"x\" t",
		"s = t / \"a\"\nt = \"x\" t / \"y\"", "s = \"(\" *s \")\"",
	} {
		g := read(t, grammar)
		o := usual(g)
		o.Kind = strings.ToUpper
		c := must.Of(compiled(g, o))(t)
		if names := undefinedNames(t, c.Source); len(names) > 0 {
			t.Errorf("%s: undefined: %s", grammar, strings.Join(names, ", "))
		}
	}
}
