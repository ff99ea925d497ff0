package interpreter

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// compareGuide derives a string with a guide and without one, and reports whether the guide decided.
// Verdicts and trees must be equal. what describes the grammar for the message of a failure.
func compareGuide(t *testing.T, d *Deriver, src string, what func() string) (guided bool) {
	t.Helper()
	var by, without ast.Run
	without.Unguided = true
	nodes, ok := d.parser.Within(&by, nil, d.in.start.kind, src, true)
	want, is := d.parser.Within(&without, nil, d.in.start.kind, src, true)
	if by.Stopped != 0 || without.Stopped != 0 {
		return false
	}
	if without.Guided {
		t.Fatal("a guide was used where none should be")
	}
	if ok != is || !slices.Equal(nodes, want) {
		t.Fatalf("%q: by the guide (%t) %t %v, by items %t %v\n%s", src, by.Guided, ok, nodes, is, want, what())
	}
	accepted := ast.Run{}
	if _, ok := d.parser.Within(&accepted, nil, d.in.start.kind, src, false); ok != is {
		t.Fatalf("%q: accepted: %t, derived: %t\n%s", src, ok, is, what())
	}
	return by.Guided
}

// In random grammars the guide has the verdict and the tree of the parser without it, which TestGeneral
// compares with a search through all derivations.
func TestGuide(t *testing.T) {
	words := pegtest.Words("xyz", 5)
	guided, derived, all := 0, 0, 0
	for seed := range uint64(longtest.Size(1000, 10000)) {
		r := rand.New(rand.NewPCG(seed, 17))
		g := random(r, seed%3 == 0)
		node := func(id string) bool { return id != "r1" || seed%2 == 0 }
		d := must.Of(New(g, "r0", node))(t)
		for _, w := range words {
			all++
			if compareGuide(t, d, w, func() string { return fmt.Sprintf("seed %d\n%s", seed, text(g)) }) {
				guided++
				if ok, _ := d.Accepts(w); ok {
					derived++
				}
			}
		}
	}
	t.Logf("%d of %d words were decided by a guide, %d of these are derived", guided, all, derived)
	if guided < all/3 || derived < all/200 {
		t.Error("hardly anything was compared")
	}
}

// The same of grammars in which several productions call one that is inside itself, in loops: more threads part in these,
// and more of them read nothing.
func TestGuideOfLoops(t *testing.T) {
	words := pegtest.Words("xy:!", 5)
	guided, derived, all := 0, 0, 0
	for seed := range uint64(longtest.Size(100, 5000)) {
		rng := rand.New(rand.NewPCG(seed, 23))
		grammar := pegtest.RandomLoops(rng)
		g := must.Of(bnf.ReadABNF("loops.abnf", []byte(strings.ReplaceAll(grammar, "\n", "\r\n"))))(t)
		d := must.Of(New(g, "s", func(id string) bool { return id != "r" && id != "q" || seed%2 == 0 }))(t)
		for _, w := range words {
			all++
			if compareGuide(t, d, w, func() string { return grammar }) {
				guided++
			}
			if ok, _ := d.Accepts(w); ok {
				derived++
			}
		}
	}
	t.Logf("%d of %d words were decided by a guide; %d are derived", guided, all, derived)
	if guided < all/4 || guided > all-all/50 || derived < all/200 {
		t.Error("hardly anything was compared")
	}
}

// The same of grammars that are left-recursive. The guides of these decide only where there is one tree.
func TestGuideOfLeftRecursion(t *testing.T) {
	words := pegtest.Words("x+()", 5)
	guided, derived, grammars := 0, 0, 0
	for seed := range uint64(longtest.Size(200, 10000)) {
		grammar := pegtest.RandomLeft(rand.New(rand.NewPCG(seed, 29)))
		g := must.Of(bnf.ReadABNF("left.abnf", []byte(strings.ReplaceAll(grammar, "\n", "\r\n"))))(t)
		d := must.Of(New(g, "s", func(id string) bool { return seed%4 > 0 || id == "s" }))(t)
		before := guided
		for _, w := range words {
			if compareGuide(t, d, w, func() string { return fmt.Sprintf("seed %d\n%s", seed, grammar) }) {
				guided++
				if ok, _ := d.Accepts(w); ok {
					derived++
				}
			}
		}
		if guided > before {
			grammars++
		}
	}
	t.Logf("%d words of %d grammars were decided by a guide; %d are derived", guided, grammars, derived)
	if grammars < 50 || derived < 1000 {
		t.Error("hardly anything was compared")
	}
}

// zooDeriver returns a deriver for a published ABNF, in whose trees lexical productions are not nodes.
func zooDeriver(t *testing.T, folder, file, start string) *Deriver {
	t.Helper()
	src := must.Of(os.ReadFile(filepath.Join(folder, "abnf", file)))(t)
	g := must.Of(bnf.ReadABNF(file, src))(t)
	lexical := bnf.Lexical(g)
	return must.Of(New(g, start, func(id string) bool { return !lexical(id) }))(t)
}

// Documents of formats that people use are parsed by guides, and so are most that have a mistake. These
// grammars are hard to read from left to right: a space can belong to two productions, alternatives
// begin with the same production, or the end of a list looks like its middle.
func TestGuideDecides(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO is not set: no grammars of others")
	}
	for _, c := range []struct{ file, start, src string }{
		{"json.abnf", "JSON-text", ` [ {"a" : [1, 2.5 , -3e10, "hello world" ], "b": { } } , [ [ ] , [ [ 1 ] ] ], true ] `},
		{"toml.abnf", "toml", "# a comment\n[table.sub]\nkey = \"a string\" # b\n" +
			"arr = [ 1, 2, [ [ \"x\" ] , [ ] ], {a = 1, b = true} ]\ndate = 1979-05-27T07:32:00Z\n" +
			"hosts = [\n  'alpha', # first\n  'omega',\n]\n"},
		{"rfc5234.abnf", "rulelist", "rule = a / ( b *( \"x\" / %x20-7E ) ) [ c ] ; comment\r\n\r\n" +
			"b =\r\n 1*2c ; d\r\n / e\r\n\r\n ; f\r\nc = d\r\n"},
		{"rfc5322.abnf", "address-list", "a@b.c, Mary Smith <mary@example.net>,\r\n" +
			" \"Joe Q. Public\" (a (b) c) <john.q.public@example.com>, Group: a@b.c, d@e.f;"},
	} {
		d := zooDeriver(t, folder, c.file, c.start)
		if !compareGuide(t, d, c.src, func() string { return c.file }) {
			t.Errorf("%s: no guide parses %q", c.file, c.src)
		}
		if ok, _ := d.Accepts(c.src); !ok {
			t.Errorf("%s: %q is not derived", c.file, c.src)
		}
		r := rand.New(rand.NewPCG(1, uint64(len(c.src))))
		guided, derived, all := 0, 0, longtest.Size(200, 20_000)
		for range all {
			src := []byte(c.src)
			for range 1 + r.IntN(3) {
				at := r.IntN(len(src))
				if r.IntN(2) == 0 {
					src = slices.Insert(src, at, c.src[r.IntN(len(c.src))])
				} else {
					src = slices.Delete(src, at, at+1)
				}
			}
			if compareGuide(t, d, string(src), func() string { return c.file }) {
				guided++
			}
			if ok, _ := d.Accepts(string(src)); ok {
				derived++
			}
		}
		t.Logf("%s: %d of %d changed documents were decided by a guide; %d are derived", c.file, guided, all, derived)
		if guided < all*9/10 {
			t.Errorf("%s: %d of %d changed documents were decided by a guide", c.file, guided, all)
		}
		if derived < all/10 {
			t.Errorf("%s: only %d of %d changed documents are derived", c.file, derived, all)
		}
	}
}

// A guide does not decide where a left-recursive production has several trees, or is inside itself after the empty string,
// nor where threads part.
func TestGuideLeavesOut(t *testing.T) {
	for _, c := range []struct{ grammar, src string }{
		{"s = s \"+\" s / \"a\"\n", "a+a+a"},
		{"s = s \"a\" / s b \"a\" / \"c\"\nb = *\"b\"\n", "caa"},
		{"s = w s \"a\" / \"c\"\nw = *\"b\"\n", "ca"},
		{"s = p / q\np = \"a\" p \"b\" / \"ab\"\nq = \"a\" q \"bb\" / \"abb\"\n", "aaabbbbbb"},
		{"s = p \":A\" / q \":B\"\np = *( \";i\" / r )\nq = *( \";i\" / \";l\" / r )\n" +
			"r = *( \";\" x ) *( \";\" x ) *( \";\" r )\nx = *%x20-7E\n", ":B"},
	} {
		g := must.Of(bnf.ReadABNF("a.abnf", []byte(strings.ReplaceAll(c.grammar, "\n", "\r\n"))))(t)
		d := must.Of(New(g, "s", func(string) bool { return true }))(t)
		if compareGuide(t, d, c.src, func() string { return text(g) }) {
			t.Errorf("%q: a guide decides %q", c.grammar, c.src)
		}
		if ok, _ := d.Accepts(c.src); !ok {
			t.Errorf("%q: %q is not derived", c.grammar, c.src)
		}
	}
}

// A guide reads the levels of an expression, each of which begins with itself or with the next one, although copies of
// the last one would double with each: those in the middle have frames.
func TestGuideOfLevels(t *testing.T) {
	for _, levels := range []int{5, 9, 10, 15, 26} {
		var b strings.Builder
		for i := range levels {
			fmt.Fprintf(&b, "r%[1]d = r%[1]d \"%[2]c\" r%[3]d / r%[3]d\r\n", i, 'a'+i, i+1)
		}
		fmt.Fprintf(&b, "r%d = \"0\" / \"(\" r0 \")\"\r\n", levels)
		g := must.Of(bnf.ReadABNF("a.abnf", []byte(b.String())))(t)
		d := must.Of(New(g, "r0", func(string) bool { return true }))(t)
		src := "0a0e(0b(0))a0c0c0a0d(0e0a0)"
		if !compareGuide(t, d, src, b.String) || !compareGuide(t, d, src+"+", b.String) {
			t.Errorf("%d levels: a guide does not decide", levels)
		}
		if ok, _ := d.Accepts(src); !ok {
			t.Errorf("%d levels: %s is not derived", levels, src)
		}
	}
}

// A guide that would need too many sets is given up, for the input that needs them and for all later
// ones. To tell p from q the input is read backwards, and the set at a place then depends on which of
// the 18 bytes after it are "a".
func TestGuideGivesUp(t *testing.T) {
	const grammar = "s = p / q\r\np = 18x \"a\" *x \";\"\r\nq = 18x \"a\" *x \"!\"\r\nx = \"a\" / \"b\"\r\n"
	g := must.Of(bnf.ReadABNF("a.abnf", []byte(grammar)))(t)
	d := must.Of(New(g, "s", func(id string) bool { return id != "x" }))(t)
	random := rand.New(rand.NewPCG(18, 0))
	letters := []byte(strings.Repeat("a", 200_000))
	for i := 19; i < len(letters); i++ {
		letters[i] = "ab"[random.IntN(2)]
	}
	short, long := string(letters[:30]), string(letters)
	for _, c := range []struct {
		src             string
		guided, derived bool
	}{
		{short + "!", true, true},
		{long + "!", false, true},
		{short + "!", false, true},
		{short, false, false},
	} {
		if guided := compareGuide(t, d, c.src, func() string { return grammar }); guided != c.guided {
			t.Errorf("%d bytes: decided by a guide: %t", len(c.src), guided)
		}
		if ok, _ := d.Accepts(c.src); ok != c.derived {
			t.Errorf("%d bytes: derived: %t", len(c.src), ok)
		}
	}
}

// Where choices are inside each other and none of them is inside itself, a guide has a place for each way in which the
// innermost can be used: 2 to the power of 40 here. It is given up long before, and the general parser answers.
func TestGuideEnds(t *testing.T) {
	for _, c := range []struct{ line, src string }{
		{"r%[1]d = r%[2]d \"c\" r%[2]d / r%[2]d", "acaca"},
		{"r%[1]d = r%[2]d r%[2]d \"c\" / r%[2]d", "aac"},
		{"r%[1]d = r%[2]d / r%[2]d", "a"},
		{"r%[1]d = [ r%[2]d \"c\" ] r%[2]d", "aca"},
		{"r%[1]d = *( r%[2]d \"c\" ) r%[2]d", "acaca"},
		{"r%[1]d = r%[2]d *( \"%[1]d,\" r%[2]d )", "a1,a"},
		{"r%[1]d = ( \"b\" / r%[2]d ) ( \"c\" / r%[2]d )", "bc"},
	} {
		var b strings.Builder
		for i := 40; i > 0; i-- {
			fmt.Fprintf(&b, c.line+"\r\n", i, i-1)
		}
		g := must.Of(bnf.ReadABNF("a.abnf", []byte(b.String()+"r0 = \"a\"\r\n")))(t)
		for _, nodes := range []bool{false, true} {
			d := must.Of(New(g, "r40", func(string) bool { return nodes }))(t)
			if ok, err := d.Accepts(c.src); !ok || err != nil {
				t.Errorf("%s: %q: %t, %v", c.line, c.src, ok, err)
			}
			if ok, err := d.Accepts(c.src + "!"); ok || err != nil {
				t.Errorf("%s: %q: %t, %v", c.line, c.src+"!", ok, err)
			}
		}
	}
}

// A guide keeps the limit on memory, and leaves what would pass it to the general parser. Here n and m
// stay possible up to the end, so that the log has an event for each byte, and no part is called.
func TestGuideKeepsMemoryLimit(t *testing.T) {
	const grammar = "s = \"(\" s \")\" / 1*n / 1*m\r\nn = \"a\"\r\nm = \"a\"\r\n"
	g := must.Of(bnf.ReadABNF("a.abnf", []byte(grammar)))(t)
	d := must.Of(New(g, "s", func(string) bool { return true }))(t)
	src := strings.Repeat("a", 100_000)
	for _, c := range []struct {
		bytes  int // of memory, for each byte of src
		guided bool
	}{
		{100, true},
		{10, false},
	} {
		run := ast.Run{Limits: ast.Limits{Memory: c.bytes * len(src)}}
		d.parser.Within(&run, nil, d.in.start.kind, src, true)
		if run.Guided != c.guided {
			t.Errorf("%d bytes of memory for each byte: decided by a guide: %t", c.bytes, run.Guided)
		}
	}
}

// The guides of many starts are kept, if they are small: who asks about one start after the other does not wait for
// guides again and again.
func TestGuidesAreKept(t *testing.T) {
	const starts = 20
	var b strings.Builder
	for i := 1; i < starts; i++ {
		fmt.Fprintf(&b, "s%d = \"(\" [ s%d ] \")\" / s%d\r\n", i, i, i+1)
	}
	fmt.Fprintf(&b, "s%d = \"(\" [ s%d ] \")\"\r\n", starts, starts)
	g := must.Of(bnf.ReadABNF("a.abnf", []byte(b.String())))(t)
	d := must.Of(New(g, "s1", func(string) bool { return true }))(t)
	made := testing.AllocsPerRun(20, func() {
		for start := ast.Kind(1); start <= starts; start++ {
			for _, tree := range []bool{false, true} {
				var run ast.Run
				if _, ok := d.parser.Within(&run, nil, start, "(())", tree); !ok || !run.Guided {
					t.Fatalf("s%d: derived: %t, by a guide: %t", start, ok, run.Guided)
				}
			}
		}
	})
	if !longtest.UnderRace && made > 100*starts { // under the race detector the memory of runs is not kept
		t.Errorf("%.0f allocations for %d starts", made, starts)
	}
}
