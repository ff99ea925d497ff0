package gopackage

import (
	"fmt"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A node knows the alternative by which it was derived, and prints itself, from the packed rules alone.
func TestAlternative(t *testing.T) {
	const text = "value = list / %s\"true\" / 1*DIGIT / \"x\" list\r\n" +
		"list = \"(\" (value / empty) \")\"\r\nempty = *\" \"\r\nonly = list list\r\n" +
		"wide = \"a\" / %x80-10FFFF\r\nends = list (empty / \"!\" / list)\r\n"
	p := must.Of(newWriter(Source{Package: "alternatives", Grammar: must.Of(bnf.ReadABNF("a.abnf", []byte(text)))(t)}))(t)
	g := &ast.Grammar{Name: "alternatives", Productions: []ast.Production{{}}, Rules: p.packRules()}
	for i := range p.bnf.Rules {
		q := p.production(i)
		q.Printed = ""
		g.Productions = append(g.Productions, q)
	}
	kind := func(id string) ast.Kind { k, _ := g.Kind(id); return k }
	for _, c := range []struct {
		id, source string
		child      string // from the first "(" on, or the whole where there is none
		want       ast.Alternative
	}{
		{"value", "(1)", "list", 1},
		{"value", "true", "", 2},
		{"value", "TRUE", "", 0}, // no derivation
		{"value", "12", "", 3},
		{"value", "x(1)", "list", 4},
		{"list", "(1)", "", 0}, // the value is missing below
		{"empty", "", "", 1},
		{"wide", "A", "", 1},
		{"wide", "\u20ac", "", 2},
	} {
		nodes := []ast.Raw{{Kind: kind(c.id), End: int32(len(c.source)), Next: 1}}
		if c.child != "" {
			from := int32(0)
			if c.source[0] == 'x' {
				from = 1
			}
			nodes[0].Next = 2
			nodes = append(nodes, ast.Raw{Kind: kind(c.child), Start: from, End: nodes[0].End, Next: 2})
		}
		n := (&ast.Tree{Grammar: g, Source: c.source, Nodes: nodes}).Root()
		if got := n.Alternative(); got != c.want {
			t.Errorf("%s: alternative %d, want %d", n, got, c.want)
		}
		if got, want := fmt.Sprint(n), fmt.Sprintf("%s 0..%d %s", c.id, len(c.source), ast.Quote(c.source)); got != want {
			t.Errorf("printed as %s, want %s", got, want)
		}
	}
	if got, want := g.Production(kind("only")).Printed, p.bnf.Rule("only").Printed; got != want || want == "" {
		t.Errorf("printed: %q, want %q", got, want)
	}
	if (ast.Node{}).Alternative() != 0 || fmt.Sprint(ast.Node{}) != "no node" {
		t.Error("the zero node is one")
	}
	ends := must.Of(p.makeNodesFile())(t)
	for _, name := range []string{"ValueList", "ValueTrue", "EndsEmpty", "EndsList"} {
		if !p.identifiers[name] {
			t.Errorf("no constant %s in %s", name, ends)
		}
	}
}

// Each alternative has a constant but for what has no name; those that are one production or word keep their names from
// others.
func TestAlternativeNames(t *testing.T) {
	const text = "item = \"BODY\" [\"X\"] SP part / \"BODY\" part / 1*DIGIT / \"<>\" / part \"!\" / part \"?\" / %x80-FE / body\r\n" +
		"part = *ALPHA\r\nbody = 1*part\r\n" +
		"item-sum = \"xx\" / SP\r\nlit = item / sum / item-sum \"y\"\r\nsum = \"-\" DIGIT / SP DIGIT / SP SP\r\n"
	p := must.Of(newWriter(Source{Package: "names", Grammar: must.Of(bnf.ReadABNF("a.abnf", []byte(text)))(t)}))(t)
	names := p.alternativeNames()
	for id, want := range map[string][]string{
		"item": {"ItemBODY", "ItemBODYPart", "ItemDIGIT", "ItemLessGreater", "ItemPart", "ItemPartQuestion", "", "ItemBody"},
		"lit":  {"LitItem", "LitSum", "LitItemSum"},
		"sum":  {"SumMinus", "SumSP", "SumSPSP"},
	} {
		if got := names[id]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}
