package bnftogo

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// usual returns the options that a document is compiled with if its user says nothing: what derives single bytes only is no
// node.
func usual(g *expr.Grammar) Options {
	var ids []string
	for _, r := range g.Rules {
		ids = append(ids, r.ID)
	}
	names := pegtogo.Constants(ids)
	return Options{
		Package: "x",
		Kind:    func(id string) string { return names[id] },
		Nodes:   func(id string) bool { return !oneByte(g, g.Rule(id).Expr, 0) },
	}
}

func oneByte(g *expr.Grammar, e *expr.Expr, depth int) bool {
	switch e.Op {
	case expr.Class:
		return true
	case expr.Literal:
		return len(e.Lit) == 1
	case expr.Ref:
		r := g.Rule(e.Name)
		return r != nil && depth < 100 && oneByte(g, r.Expr, depth+1)
	case expr.Alt:
		for _, s := range e.Sub {
			if !oneByte(g, s, depth) {
				return false
			}
		}
		return true
	}
	return false
}

// Every production of every document that is regular has a parser. What each document needs is logged.
func TestZoo(t *testing.T) {
	dir := os.Getenv("BNFCHECK_ZOO")
	if dir == "" {
		t.Skip("BNFCHECK_ZOO is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "abnf", os.Getenv("DOC")+"*.abnf"))
	if err != nil || len(files) == 0 {
		t.Fatal("no documents")
	}
	for _, f := range files {
		src := must.Of(os.ReadFile(f))(t)
		g, err := bnf.ReadABNF(filepath.Base(f), src)
		if err != nil {
			t.Logf("%s is not read", filepath.Base(f))
			continue
		}
		begin := time.Now()
		c, err := compiled(g, usual(g))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(f), err)
			continue
		}
		needs := map[string]int{}
		for _, p := range c.productions {
			needs[p.engine()]++
		}
		t.Logf("%-24s %3d rules, %v, %d ambiguities, %d KB, %v", filepath.Base(f), len(g.Rules), needs,
			len(c.Ambiguities), len(c.Source)>>10, time.Since(begin).Round(time.Millisecond))
		if os.Getenv("DOC") != "" {
			for _, a := range c.Ambiguities {
				t.Logf("%s: %s: %q as %s: %s, not %s", a.Pos, a.Choice, a.Shortest, a.Start, a.Chosen, a.Other)
			}
			for _, r := range c.General {
				t.Log(r)
			}
		}
	}
}
