package ast_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

func TestValidate(t *testing.T) {
	if err := tiny.Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		breakIt func(*ast.Grammar, *ast.Machine)
		err     string
	}{
		{func(g *ast.Grammar, m *ast.Machine) { g.Machine = nil }, ""},
		{func(g *ast.Grammar, m *ast.Machine) { g.Productions = g.Productions[1:] }, "tiny: Productions[0] is not the zero Production"},
		{func(g *ast.Grammar, m *ast.Machine) { g.Productions[2].ID = "" }, "tiny: production 2 has no ID or no name"},
		{func(g *ast.Grammar, m *ast.Machine) { g.Productions[2].ID = "mail" }, `tiny: two productions have the ID "mail"`},
		{func(g *ast.Grammar, m *ast.Machine) { g.Default = 0 }, "tiny: the default start is kind 0, which is no production"},
		{func(g *ast.Grammar, m *ast.Machine) { g.Schemes = []ast.Scheme{{"x", 99}} }, `tiny: scheme "x" is of kind 99, which is no production`},
		{func(g *ast.Grammar, m *ast.Machine) { m.Classes = m.Classes[1:] }, "tiny: machine: 255 bytes in Classes, not 256"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Classes = "\x05" + m.Classes[1:] }, "tiny: machine: byte 0x00 is of class 5 of 5"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Width = 0 }, "tiny: machine: 55 entries in Next for 11 states of 0 classes"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Next = m.Next[5:] }, "tiny: machine: 50 entries in Next for 11 states of 5 classes"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Next[7] = 11 }, "tiny: machine: state 1 leads to state 11 of 11"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Next[1] = 2 }, "tiny: machine: the dead state leads to another"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Note[3] = 10 }, "tiny: machine: state 3 has note 10 of 10"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Notes[0].Accept = true }, "tiny: machine: the dead state accepts"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Notes[7].Accept = false }, "tiny: machine: no accepting state can be reached from state 5"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Notes[1].In = []ast.Kind{10} }, "tiny: machine: note 1 names a kind that is no production"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Notes[1].Reads = []ast.Read{{5, nil}} }, "tiny: machine: note 1 reads term 5 of 5 in kinds []"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Notes[1].Reads = []ast.Read{{1, []ast.Kind{0}}} }, "tiny: machine: note 1 reads term 1 of 5 in kinds [0]"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Starts = m.Starts[1:] }, "tiny: machine: 9 entries in Starts for 10 kinds"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Starts[Pair] = nil }, "tiny: machine: the last start of pair does not have an empty prefix"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Starts[Pair] = []ast.Start{{"", 11, Pair}} }, "tiny: machine: pair starts in state 11 of 11, as kind 2"},
		{func(g *ast.Grammar, m *ast.Machine) { m.Starts[Pair] = []ast.Start{{"", 1, 0}} }, "tiny: machine: pair starts in state 1 of 11, as kind 0"},
	} {
		g, m := *tiny, *tiny.Machine
		g.Machine = &m
		g.Productions = append([]ast.Production(nil), g.Productions...)
		m.Next = append([]uint16(nil), m.Next...)
		m.Note = append([]uint16(nil), m.Note...)
		m.Notes = append([]ast.Note(nil), m.Notes...)
		m.Starts = append([][]ast.Start(nil), m.Starts...)
		c.breakIt(&g, &m)
		if err := g.Validate(); message(err) != c.err {
			t.Errorf("%v; want %s", err, c.err)
		}
	}
}
