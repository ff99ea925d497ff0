package bnftogo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// read returns the grammar of some lines.
func read(t *testing.T, lines string) *expr.Grammar {
	t.Helper()
	return must.Of(bnf.ReadABNF("g.abnf", []byte(lines+"\n")))(t)
}

// What is compiled, of what grammar, and the tree of a string. A tree is its nodes' names and
// texts.
func TestCompile(t *testing.T) {
	for _, c := range []struct{ name, grammar, need, input, tree string }{
		{"one byte decides", "s = a / b\na = \"x\" c\nb = \"y\" c\nc = 1*\"z\"", "code", "yzz", "s(yzz) b(yzz) c(zz)"},
		{"a choice is right for the caller", "s = \"1\" p \"bc\" / \"2\" p \"c\"\np = \"a\" / \"ab\"", "table", "2abc", "s(2abc) p(ab)"},
		{"and for the other", "s = \"1\" p \"bc\" / \"2\" p \"c\"\np = \"a\" / \"ab\"", "table", "1abc", "s(1abc) p(a)"},
		{"one byte behind a word decides", "s = p *( \"-\" p )\np = 2*3\"a\" / 4\"a\"", "code", "aaaa-aaa", "s(aaaa-aaa) p(aaaa) p(aaa)"},
		{"no bounded number of bytes decides", "s = *p \"b\" / *q \"c\"\np = \"a\" \"a\"\nq = \"a\" \"a\"",
			"code", "aaaac", "s(aaaac) q(aa) q(aa)"},
		{"the rest of the input decides", "s = 1*( p / q )\np = \"a\" 1*\"x\" \"b\"\nq = \"a\" / \"x\" / \"c\" q2\nq2 = \"c\" \"c\"",
			"code", "axx", "s(axx) q(a) q(x) q(x)"},
		{"one byte behind an alternative that can be empty", "s = p *( \";\" p )\np = *a / \"q\" *a \"q\"\na = \"a\"", "code", "qaq;;aa", "s(qaq;;aa) p(qaq) p() p(aa)"},
		{"the first printed alternative", "s = a / b\na = 1*\"x\"\nb = \"x\" \"x\"", "code", "xx", "s(xx) a(xx)"},
		{"one more iteration, as long as the rest can follow", "s = a \"x\"\na = 1*\"x\"", "table", "xxx", "s(xxx) a(xx)"},
		{"no empty iteration", "s = *( a b )\na = [\"x\" 0\"z\"]\nb = [\"y\"]", "table", "yx", "s(yx) a() b(y) a(x) b()"},
		{"recursion at the end goes on", "s = \"x\" s / \"y\"", "table", "xxy", "s(xxy)"},
		{"mutual recursion at the end nests", "s = \"x\" p / \"y\"\np = \"z\" s / \"z\"", "table", "xzy", "s(xzy) p(zy) s(y)"},
		{"recursion between brackets", "s = \"(\" *s \")\"", "nested code", "(()(()))", "s((()(()))) s(()) s((())) s(())"},
	} {
		g := read(t, c.grammar)
		all, err := compiled(g, usual(g))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := all.productions[0]
		if p.refusal != nil {
			t.Errorf("%s: refused: %v", c.name, p.refusal)
			continue
		}
		if need := p.engine(); need != c.need {
			t.Errorf("%s: needs %s, want %s", c.name, need, c.need)
		}
		nodes, _, ok := all.run(p, c.input)
		var tree []string
		for _, n := range nodes {
			tree = append(tree, g.Rules[n.Kind-1].ID+"("+c.input[n.Start:n.End]+")")
		}
		if got := strings.Join(tree, " "); !ok || got != c.tree {
			t.Errorf("%s: the tree of %q is %s, want %s", c.name, c.input, got, c.tree)
		}
	}
}

// A count is a loop where nothing that follows it could be one more, and the words at its bounds
// are among those that the code is executed on, however many there are.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		grammar string
		want    []string
	}{
		{"s = 2*64DIGIT", []string{"// s <- DIGIT{2,64}\n", "k := min(j+64, uint(len(s)))\n\tfor j < k && class[s[j]]&isDIGIT != 0 {", "if j < i+2 {", "for e := i + 62;"}},
		{"s = 9*DIGIT", []string{"if j < i+9 {"}},
		{"s = 14DIGIT 15DIGIT 1*DIGIT", []string{"s <- DIGIT DIGIT ", " DIGIT{15,15} DIGIT+"}},
		{"s = 1*9DIGIT 1DIGIT", []string{"DIGIT ( DIGIT &[0-9] "}},
		{"s = *4DIGIT", []string{"( DIGIT ( DIGIT ( DIGIT DIGIT? )? )? )?"}},
		{"s = 3*500( t / \";\" )\nt = DIGIT DIGIT", []string{"for k < 500 {", "k++\n", "if k < 3 {"}},
		{"s = [ t ] 1*1024ALPHA\nt = 700\"-\"", []string{"min(j+1024, ", "min(j+700, "}},
	} {
		g := read(t, c.grammar)
		o := usual(g)
		o.Starts = []string{"s"}
		all := must.Of(compiled(g, o))(t)
		for _, want := range c.want {
			if p := all.productions[0]; !p.code || !strings.Contains(string(all.Source), want) {
				t.Errorf("%s: code: %t, no %q\n%s", c.grammar, p.code, want, all.Source)
			}
		}
	}
	g := read(t, "s = 1*300t \".\" 2*700( t / \";\" )\nt = DIGIT")
	words := must.Of(compiled(g, usual(g)))(t).referenceFor("s").Words
	for _, n := range [][2]int{{0, 2}, {1, 2}, {300, 2}, {301, 2}, {1, 1}, {1, 700}, {1, 701}} {
		if !slices.Contains(words, strings.Repeat("5", n[0])+"."+strings.Repeat("5", n[1])) {
			t.Errorf("%d and %d are not tried", n[0], n[1])
		}
	}
}

// What the general parser derives, with the place and the cause.
func TestGeneral(t *testing.T) {
	for _, c := range []struct{ grammar, want string }{
		{"s = s \"x\" / \"y\"", "g.abnf:1:1: `s` can use itself before anything is read"},
		{"s = t / \"y\"\nt = [ s ] / \"x\"", "g.abnf:1:1: `s` can use itself before anything is read"},
		{"s = \"x\" t", "g.abnf:1:1: `s` derives nothing"},
		{"s = \"a\" s \"a\" / \"a\"", "g.abnf:1:5: `s` embeds itself, and no regular language tells what can stand at [Aa] s [Aa] / [Aa] of " +
			"`s` from what follows"},
		{"s = \"(\" s \")\" \"1\" / \"(\" s \")\" \"2\" / \"0\"", "g.abnf:1:5: `s` embeds itself, and no regular language tells what can stand at " +
			"\"(\" s \")\" \"1\" / \"(\" s \")\" \"2\" / \"0\" of `s` from what follows"},
		{"t = \"x\"\ns = *2000t *2000t", "g.abnf:2:1: what decides its choices takes more than the limits"}, // and t is code
	} {
		g := read(t, c.grammar)
		g.Budget = budget.New(t.Context(), budget.Limits{Steps: 1 << 24})
		o := usual(g)
		o.Starts = []string{"s"}
		p, err := Compile(g, o)
		if err != nil || len(p.General) == 0 || p.General[0].Error() != c.want {
			t.Errorf("%s: %v, want %s", c.grammar, err, c.want)
		}
	}
}

// The choices for which a string has two trees, and what the user's choice makes of them.
func TestAmbiguities(t *testing.T) {
	g := read(t, "s = *p *q\np = \"x\" / \"y\"\nq = \"x\" \"x\" / \"z\"")
	o := usual(g)
	o.Nodes = func(string) bool { return true }
	for _, c := range []struct {
		prefer       []Preference
		chosen, tree string
	}{
		{nil, "one more p", "1 0-2 3, 2 0-1 2, 2 1-2 3"},
		{[]Preference{{"s#1", 1}}, "no further p", "1 0-2 2, 3 0-2 2"},
		{[]Preference{{"s#1", 0}}, "one more p", "1 0-2 3, 2 0-1 2, 2 1-2 3"},
	} {
		o.Prefer = c.prefer
		all := must.Of(compiled(g, o))(t)
		if len(all.Ambiguities) != 1 {
			t.Fatalf("%d ambiguities: %+v", len(all.Ambiguities), all.Ambiguities)
		}
		a := all.Ambiguities[0]
		if a.Choice != "s#1" || !strings.EqualFold(a.Shortest, "xx") || a.Chosen != c.chosen || a.Preferred != (c.prefer != nil) {
			t.Errorf("%v: %+v", c.prefer, a)
		}
		nodes, _, _ := all.run(all.productions[0], "xx")
		var tree []string
		for _, n := range nodes {
			tree = append(tree, fmt.Sprintf("%d %d-%d %d", n.Kind, n.Start, n.End, n.Next))
		}
		if got := strings.Join(tree, ", "); got != c.tree {
			t.Errorf("%v: tree %s, want %s", c.prefer, got, c.tree)
		}
	}
	o.Prefer = []Preference{{"s#9", 0}}
	if _, err := Compile(g, o); err == nil || err.Error() != "g.abnf has no choice s#9" {
		t.Errorf("error %v", err)
	}
}

// Code whose time would grow faster than its input is not written: such a production becomes
// tables, and so does what uses it.
func TestSlow(t *testing.T) {
	g := read(t, "s = *( *\"a\" \"b\" / \"a\" )\nt = \"x\" s")
	all := must.Of(compiled(g, usual(g)))(t)
	for _, p := range all.productions[:2] {
		if p.code {
			t.Errorf("%s is code", p.ID)
			return
		}
	}
	long := "x" + strings.Repeat("a", 1<<20)
	if !all.automaton.Accept(2, long) {
		t.Error("not accepted")
	}
	if nodes, ok := all.automaton.Parse(nil, 2, long); !ok || len(nodes) != 2 {
		t.Errorf("%t, %d nodes", ok, len(nodes))
	}
}

// A parser that fails its self-check is not returned: the general parser derives what tables get
// wrong, and does so without code inside if that is wrong. The user is told, and what is made is
// right. Where Strict is set, as in all other tests, it is an error.
func TestDefects(t *testing.T) {
	for _, c := range []struct {
		grammar, other string // what the tables are of, after they have been held against the grammar if inside
		inside         bool
		input, tree    string
		defects        []string
		strict         string
	}{
		{"s = a \"x\"\na = 1*\"x\"", "s = a [\"x\"]\na = 1*\"x\"", false, "xxx", "1 0-3 2, 2 0-2 2",
			[]string{"`s`: the tree of x by the tables is not that which is chosen; the general parser derives it instead of tables"},
			"g.abnf:1:1: the self-check of `s` fails: the tree of x by the tables is not that which is chosen"},
		{"s = s a \"z\" / \"y\"\na = b \"x\"\nb = 1*\"x\"", "s = s a \"z\" / \"y\"\na = \"x\" b\nb = 1*\"x\"", true, "yxxxz", "1 0-5 4, 1 0-1 2, 2 1-4 4, 3 1-3 4",
			[]string{"`s`: the tree of yxxz: a at 1 does not derive \"xx\" with the nodes below it; the general parser derives all of it, without code inside"},
			"g.abnf:1:1: the self-check of `s` fails: the tree of yxxz: a at 1 does not derive \"xx\" with the nodes below it"},
	} {
		for _, Strict = range []bool{false, true} {
			g := read(t, c.grammar)
			all := must.Of(newCompiler(g, usual(g)))(t)
			all.buildAutomata()
			must.Do(t, all.packTables())
			other := must.Of(newCompiler(read(t, c.other), usual(g)))(t)
			other.buildAutomata()
			must.Do(t, other.packTables())
			all.automaton = &ast.Automaton{Packed: other.packed}
			var err error
			if !c.inside {
				err = all.checkTables()
			}
			if err == nil {
				err = all.addGeneral()
			}
			if Strict {
				if err == nil || err.Error() != c.strict {
					t.Errorf("%s: error %v", c.grammar, err)
				}
				continue
			}
			var tree []string
			nodes, _, _ := all.run(all.productions[0], c.input)
			for _, n := range nodes {
				tree = append(tree, fmt.Sprintf("%d %d-%d %d", n.Kind, n.Start, n.End, n.Next))
			}
			if got := strings.Join(tree, ", "); err != nil || got != c.tree || !slices.Equal(all.Defects, c.defects) {
				t.Errorf("%s: %v, %q, the tree %s", c.grammar, err, all.Defects, got)
			}
		}
	}
}

func init() { Strict = true }

// The same grammar makes the same file.
func TestReproducible(t *testing.T) {
	g := read(t, "s = \"1\" p \"bc\" / \"2\" p \"c\" / *q \"d\" / *r \"e\"\np = \"a\" / \"ab\"\nq = \"x\" \"y\"\nr = \"x\" \"y\"")
	first := must.Of(Compile(g, usual(g)))(t)
	for range 4 {
		p := must.Of(Compile(g, usual(g)))(t)
		if string(p.Source) != string(first.Source) || !slices.Equal(p.Proof, first.Proof) {
			t.Fatal("two files of one grammar differ")
		}
	}
}
