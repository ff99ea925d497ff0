package interpreter

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// show writes a tree as productions with their texts: a(b"x" "y").
func show(g *expr.Grammar, src string, nodes []ast.Raw) string {
	var b strings.Builder
	var write func(i int32)
	write = func(i int32) {
		n := nodes[i]
		fmt.Fprintf(&b, "%s%q", g.Rules[n.Kind-1].ID, src[n.Start:n.End])
		if n.Next > i+1 {
			b.WriteByte('(')
			for c := i + 1; c < n.Next; c = nodes[c].Next {
				if c > i+1 {
					b.WriteByte(' ')
				}
				write(c)
			}
			b.WriteByte(')')
		}
	}
	write(0)
	return b.String()
}

func all(string) bool { return true }

// An error names the limit that was passed.
func TestLimitsOfInputs(t *testing.T) {
	g := must.Of(bnf.ReadABNF("test.abnf", []byte("s = [ \"a\" s \"b\" ] / s s\n")))(t)
	for want, limits := range map[string]budget.Limits{
		"--limit-steps":  {Steps: 1 << 24, Bytes: 1 << 30},
		"--limit-memory": {Steps: 1 << 40, Bytes: 1 << 20},
	} {
		own := g.With(g.Rules)
		own.Budget = budget.New(t.Context(), limits)
		d := must.Of(New(own, "s", all))(t)
		_, err := d.Accepts(strings.Repeat("ab", 1<<8))
		if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", limits, err, want)
		}
	}
}

// The rule by which one derivation is chosen, a case a line. Upper case names are no nodes.
var choices = []struct{ name, grammar, src, want string }{
	{"a terminal", `a = "x"`, "x", `a"x"`},
	{"either case", `a = "x"`, "X", `a"X"`},
	{"not derived", `a = "x"`, "y", ""},
	{"nothing after", `a = "x"`, "xx", ""},
	{"the first alternative", "a = b / c\nb = \"x\"\nc = \"x\"", "x", `a"x"(b"x")`},
	{"the first from which the rest is derived", "s = \"1\" p \"bc\" / \"2\" p \"c\"\np = \"a\" / \"ab\"", "2abc", `s"2abc"(p"ab")`},
	{"the same beside another rest", "s = \"1\" p \"bc\" / \"2\" p \"c\"\np = \"a\" / \"ab\"", "1abc", `s"1abc"(p"a")`},
	{"one more iteration", "a = *b *c\nb = \"x\"\nc = \"x\"", "xx", `a"xx"(b"x" b"x")`},
	{"one less where it must be", "a = *b c\nb = \"x\"\nc = \"x\"", "xx", `a"xx"(b"x" c"x")`},
	{"no empty iteration", "a = *b\nb = *\"x\"", "", `a""`},
	{"no empty option", "a = [b]\nb = *\"x\"", "", `a""`},
	{"an empty alternative", "a = b / c\nb = *\"x\"\nc = \"y\"", "", `a""(b"")`},
	{"an empty iteration that must be", "a = 2b\nb = *\"x\"", "x", `a"x"(b"x" b"")`},
	{"counts", "a = 1*2b c\nb = \"x\"\nc = *\"x\"", "xxx", `a"xxx"(b"x" b"x" c"x")`},
	{"left to right", "a = b c\nb = \"x\" / \"xx\"\nc = \"xx\" / \"x\"", "xxx", `a"xxx"(b"x" c"xx")`},
	{"depth first", "a = b / \"xy\"\nb = c d / d\nc = \"x\"\nd = \"y\" / \"xy\"", "xy", `a"xy"(b"xy"(c"x" d"y"))`},
	{"no node", "a = B c\nB = \"x\" c\nc = \"y\"", "xyy", `a"xyy"(c"y" c"y")`},
	{"right recursion goes on", "a = b [a]\nb = \"x\"", "xxx", `a"xxx"(b"x" b"x" b"x")`},
	{"through what is no node", "a = b [C]\nC = a\nb = \"x\"", "xxx", `a"xxx"(b"x" b"x" b"x")`},
	{"through a node", "a = \"x\" [b]\nb = \"y\" [a]", "xyx", `a"xyx"(b"yx"(a"x"))`},
	{"in the last of counted iterations", "a = b *1(\",\" a)\nb = \"x\"", "x,x", `a"x,x"(b"x" b"x")`},
	{"left recursion", "a = [a \",\"] b\nb = \"x\"", "x,x,x", `a"x,x,x"(a"x,x"(a"x"(b"x") b"x") b"x")`},
	{"nesting", "a = \"(\" *a \")\"", "(()(()))", `a"(()(()))"(a"()" a"(())"(a"()"))`},
	{"both sides", "e = e \"+\" e / t\nt = \"1\"", "1+1+1", `e"1+1+1"(e"1+1"(e"1"(t"1") t"1") t"1")`},
	{"itself alone", "a = a / \"x\"", "x", `a"x"`},
	{"what derives nothing", "a = \"x\" / \"x\" a b\nb = b \"y\"", "x", `a"x"`},
	{"a name without a production", "a = b / \"x\"", "x", `a"x"`},
	{"empty", `a = ""`, "", `a""`},
	{"empty nodes", "a = b c \"x\"\nb = \"\"\nc = b / \"\"", "x", `a"x"(b"" c""(b""))`},
	{"bytes", "a = *%x00-FF", "\x00\xff\n", `a"\x00\xff\n"`},
}

func TestChoice(t *testing.T) {
	for _, c := range choices {
		t.Run(c.name, func(t *testing.T) {
			g := must.Of(bnf.ReadABNF("test.abnf", []byte(c.grammar+"\n")))(t)
			node := func(id string) bool { return id == strings.ToLower(id) }
			d := must.Of(New(g, g.Rules[0].ID, node))(t)
			got := ""
			before := []ast.Raw{{Kind: 77}}
			nodes, ok, err := d.Derive(before, c.src)
			if ok {
				got = show(g, c.src, nodes[1:])
			}
			accepts, err2 := d.Accepts(c.src)
			if got != c.want || accepts != ok || err != nil || err2 != nil || nodes[0].Kind != 77 {
				t.Errorf("%s, accepted %v, %v %v; want %s", got, accepts, err, err2, c.want)
			}
			first, ok, known := (&searcher{g: g, node: node, src: c.src}).first(g.Rules[0].ID)
			if !known || ok && show(g, c.src, first) != c.want || ok != (c.want != "") {
				t.Errorf("by the rule: %t %v; want %s", ok, first, c.want)
			}
		})
	}
}

var random = pegtest.RandomBNF

// derivesItself reports whether a production that is used derives itself and nothing else: then a string can have infinitely
// many derivations, and the two engines need not choose the same.
func derivesItself(g *expr.Grammar) bool {
	f := expr.Analyze(g.Rules)
	alone := map[string][]string{} // by production: those that can be all of it
	var collect func(id string, e *expr.Expr)
	collect = func(id string, e *expr.Expr) {
		switch e.Op {
		case expr.Ref:
			alone[id] = append(alone[id], e.Name)
		case expr.Seq:
			for i, s := range e.Sub {
				others := true
				for j, o := range e.Sub {
					others = others && (i == j || f.Nullable(o))
				}
				if others {
					collect(id, s)
				}
			}
		default:
			for _, s := range e.Sub {
				collect(id, s)
			}
		}
	}
	for _, r := range g.Rules {
		collect(r.ID, r.Expr)
	}
	return len(expr.Circles(g.Rules, func(e *expr.Expr) []string {
		for _, r := range g.Rules {
			if r.Expr == e {
				return alone[r.ID]
			}
		}
		return nil
	})) > 0
}

func text(g *expr.Grammar) string {
	var b strings.Builder
	for _, r := range g.Rules {
		fmt.Fprintf(&b, "%s = %s\n", r.ID, r.Expr)
	}
	return b.String()
}

// A long input takes linear time, also of what nests, and one that would take too much is refused.
func TestLong(t *testing.T) {
	n := longtest.Size(1<<14, 1<<17)
	g := must.Of(bnf.ReadABNF("test.abnf", []byte("a = *b\nb = 1*\"x\" \"y\"\nn = \"(\" *n \")\"\nambiguous = *2ambiguous / \"x\"\n")))(t)
	d := must.Of(New(g, "a", all))(t)
	start := time.Now()
	nodes, ok, err := d.Derive(nil, strings.Repeat("xxy", n))
	if !ok || err != nil || len(nodes) != n+1 {
		t.Errorf("%d nodes, %v, %v", len(nodes), ok, err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
	d = must.Of(New(g, "n", all))(t)
	if nodes, ok, err = d.Derive(nil, strings.Repeat("(", 1<<20)+strings.Repeat(")", 1<<20)); !ok || err != nil || len(nodes) != 1<<20 {
		t.Errorf("nested: %d nodes, %v, %v", len(nodes), ok, err)
	}
	d = must.Of(New(g, "ambiguous", all))(t)
	if _, _, err = d.Derive(nil, strings.Repeat("x", 1<<14)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("ambiguous: %v", err)
	}
}

func TestErrors(t *testing.T) {
	g := &expr.Grammar{Name: "g", Rules: []*expr.Rule{{ID: "a", Expr: &expr.Expr{Op: expr.Not, Sub: []*expr.Expr{expr.Lit("x")}}}}}
	for start, what := range map[string]string{"b": "a production there is not", "a": "a lookahead"} {
		if _, err := New(g, start, all); err == nil {
			t.Error(what)
		}
	}
}

// Tables fail for any start that does not exist or uses what a BNF does not have, not only for the first.
func TestErrorsOfFurtherStarts(t *testing.T) {
	x := expr.Lit("x")
	g := &expr.Grammar{Name: "g", Rules: []*expr.Rule{
		{ID: "a", Expr: x},
		{ID: "b", Expr: &expr.Expr{Op: expr.Not, Sub: []*expr.Expr{x}}},
	}}
	for start, what := range map[string]string{"c": "a production there is not", "b": "a lookahead"} {
		if _, err := Tables(g, all, nothingProven, "a", start); err == nil {
			t.Errorf("tables with %s", what)
		}
		if _, _, err := Accepting(g, Put{}, "a", start); err == nil {
			t.Errorf("accepting tables with %s", what)
		}
	}
	if _, _, err := Explaining(g); err == nil {
		t.Error("explaining tables with a lookahead")
	}
}

// The error of a string that takes too much names a flag only if the flag raises the limit: not where there is no
// budget, and not at the limit that each string has.
func TestTooLargeNamesFlags(t *testing.T) {
	most := ast.LimitsFor(1)
	low := ast.Limits{Steps: most.Steps - 1, Memory: most.Memory - 1}
	limited := budget.New(t.Context(), budget.Limits{})
	for _, c := range []struct {
		budget *budget.Budget
		run    ast.Run
		want   string
	}{
		{limited, ast.Run{Limits: low, Stopped: ast.StopSteps}, "takes too many steps; --limit-steps raises the limit"},
		{limited, ast.Run{Limits: low, Stopped: ast.StopMemory}, "takes too much memory; --limit-memory raises the limit"},
		{limited, ast.Run{Limits: most, Stopped: ast.StopSteps}, "takes too many steps"},
		{limited, ast.Run{Limits: most, Stopped: ast.StopMemory}, "takes too much memory"},
		{nil, ast.Run{Limits: low, Stopped: ast.StopSteps}, "takes too many steps"},
	} {
		g := must.Of(bnf.ReadABNF("test.abnf", []byte("a = \"x\"\n")))(t)
		g.Budget = c.budget
		d := must.Of(New(g, "a", all))(t)
		if err := d.tooLargeError(&c.run, most); !errors.Is(err, ErrTooLarge) || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
