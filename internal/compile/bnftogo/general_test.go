package bnftogo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The general parser keeps every node of a production that derives the empty string, also where
// code or tables make the nodes inside it. A tree is its nodes' names and places. A production in
// force is left to the general parser, as one is that passes a limit.
func TestEmptyInside(t *testing.T) {
	for _, c := range []struct{ name, grammar, force, input, tree string }{
		{"an option below a name", `
s = "(" s ")" / s a "x" / "y"
a = d
d = ["a"]`, "", "yx", "s0-2 s0-1 a1-1 d1-1"},
		{"at the beginning", `
s = s a "x" / a "x"
a = d
d = *"a"`, "", "xx", "s0-2 s0-1 a0-0 d0-0 a1-1 d1-1"},
		{"in several places at once", `
e = e w "+" w t / t
t = "(" e ")" / 1*DIGIT
w = p
p = *" "`, "", "1+2", "e0-3 e0-1 t0-1 w1-1 p1-1 w2-2 p2-2 t2-3"},
		{"the whole input", `
s = a a
a = d
d = ""`, "s", "", "s0-0 a0-0 d0-0 a0-0 d0-0"},
		{"a production that passes a limit", `
s = a "x"
a = d
d = *"a"`, "s", "x", "s0-1 a0-0 d0-0"},
		{"a choice between two that are empty", `
s = s a "x" / "y"
a = b / c
b = *"b"
c = *"c"`, "", "yx", "s0-2 s0-1 a1-1 b1-1"},
		{"beside a call that is empty in a general production", `
s = s a "x" / "y"
a = [s] d
d = e
e = ["a"]`, "", "yx", "s0-2 s0-1 a1-1 d1-1 e1-1"},
	} {
		g := read(t, strings.TrimSpace(c.grammar))
		all := must.Of(newCompiler(g, usual(g)))(t)
		for _, p := range all.productions {
			if p.ID == c.force {
				p.refuse(p.Pos, tooCostly)
			}
		}
		must.Do(t, all.compile())
		p := all.productions[0]
		if p.engine() != "general" {
			t.Errorf("%s: %s is %s", c.name, p.ID, p.engine())
			continue
		}
		nodes, _, _ := all.run(p, c.input)
		var tree []string
		for _, n := range nodes {
			tree = append(tree, fmt.Sprintf("%s%d-%d", g.Rules[n.Kind-1].ID, n.Start, n.End))
		}
		if got := strings.Join(tree, " "); got != c.tree {
			t.Errorf("%s: the tree of %q is %s, want %s", c.name, c.input, got, c.tree)
		}
	}
}

// A chain of names of what is empty has all its nodes, however often it doubles.
func TestEmptyDoubles(t *testing.T) {
	lines := "r0 = \"\""
	for i := range 11 {
		lines += fmt.Sprintf("\nr%d = r%d r%[2]d", i+1, i)
	}
	g := read(t, lines)
	all := must.Of(newCompiler(g, usual(g)))(t)
	last := all.productions[len(all.productions)-1]
	last.refuse(last.Pos, tooCostly)
	must.Do(t, all.compile())
	nodes, ok, _ := all.run(last, "")
	d := must.Of(interpreter.New(g, last.ID, usual(g).Nodes))(t)
	want, _, err := d.Derive(nil, "")
	if err != nil || !ok || !slices.Equal(nodes, want) {
		t.Errorf("%d nodes of r11, and the interpreter has %d, %v", len(nodes), len(want), err)
	}
	if len(nodes) != 1<<12-1 {
		t.Errorf("%d nodes, want %d", len(nodes), 1<<12-1)
	}
}
