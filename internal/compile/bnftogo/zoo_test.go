package bnftogo

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// usual returns the options that a document is compiled with if its user says nothing: what
// derives single bytes only is no node.
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

// oneByte reports whether e derives single bytes only. Its productions are followed down to depth 100.
func oneByte(g *expr.Grammar, e *expr.Expr, depth int) bool {
	return e.IsByteChoice(func(id string) bool {
		r := g.Rule(id)
		return r != nil && depth < 100 && oneByte(g, r.Expr, depth+1)
	})
}

var (
	tableOfGeneral = regexp.MustCompile(`(?ms)^\| grammar .*?\n\n`)
	through        = regexp.MustCompile(` through [^,]*(?:, ` + "`[^`]*`" + `)*`)
	partOf         = regexp.MustCompile(`what can stand at .* of (` + "`[^`]*`" + `) from`)
)

// cause returns why the general parser derives a production, without the part of the text that it
// is about.
func cause(r *Refusal) string {
	return partOf.ReplaceAllString(through.ReplaceAllString(r.Reason, ""), "the parts of $1 from")
}

// Every production of every document that is regular has a parser. What each document needs is
// logged, and zoo.md has those that need the general parser.
func TestZoo(t *testing.T) {
	dir := os.Getenv("BNFCHECK_ZOO")
	if dir == "" {
		t.Skip("BNFCHECK_ZOO is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "abnf", os.Getenv("DOC")+"*.abnf"))
	if err != nil || len(files) == 0 {
		t.Fatal("no documents")
	}
	table := "| grammar | code | code that nests | tables | general parser | why |\n|---|--:|--:|--:|--:|---|\n"
	for _, f := range files {
		n := bnf.Usual
		n.StandardNames = true
		d, err := bnf.ReadDocument(filepath.Base(f), must.Of(os.ReadFile(f))(t), bnf.ABNF, n)
		if err != nil {
			t.Errorf("%s is not read: %v", filepath.Base(f), err)
			continue
		}
		g := d.Grammar
		g = g.With(slices.DeleteFunc(slices.Clone(g.Rules), func(r *expr.Rule) bool { return len(bnf.Missing(g, r.ID)) > 0 }))
		begin := time.Now()
		c, err := compiled(g, usual(g))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(f), err)
			continue
		}
		needs, own := map[string]int{}, map[string]int{}
		for _, p := range c.productions {
			needs[p.engine()]++
			if p.Pos.File == g.File {
				own[p.engine()]++
			}
		}
		if own["general"] > 0 {
			var why []string
			for _, r := range c.General {
				if s := cause(r); !slices.Contains(why, s) {
					why = append(why, s)
				}
			}
			table += fmt.Sprintf("| %s | %d | %d | %d | %d | %s |\n", filepath.Base(f), own["code"], own["nested code"], own["table"], own["general"], strings.Join(why, "; "))
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
	if os.Getenv("DOC") == "" {
		const page = "../../../docs/zoo.md"
		goldentest.Whole(t, page, tableOfGeneral.ReplaceAllLiteralString(string(must.Of(os.ReadFile(page))(t)), table+"\n"))
	}
}
