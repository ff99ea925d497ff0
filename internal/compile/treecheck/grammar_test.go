package treecheck

import (
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

// pair returns the grammar of pair = "a" port and port = 1*"b", with its tables.
func pair() *ast.Grammar {
	const pair, port = 1, 2
	t := &ast.Tables{
		Width: 3,
		Next: []uint16{
			//  a  b
			0, 0, 0, // 0 dead
			0, 2, 0, // 1 pair
			0, 0, 3, // 2 port
			0, 0, 3, // 3 port, after b
		},
		Note: []uint16{0, 1, 2, 3},
		Notes: []ast.TableNote{{},
			{In: []ast.Kind{pair}, Expected: []uint16{0}},
			{In: []ast.Kind{port, pair}, Expected: []uint16{1}},
			{Accept: true, In: []ast.Kind{port, pair}, Expected: []uint16{1}},
		},
		Expectations: []ast.Expectation{{Term: `"a"`, In: []ast.Kind{pair}}, {Term: `"b"`, In: []ast.Kind{port}}},
		Starts: [][]ast.TableStart{pair: {{Prefix: "a", State: 1, Explained: pair}, {State: 1, Explained: pair}},
			port: {{State: 2, Explained: port}}},
	}
	t.Classes['a'], t.Classes['b'] = 1, 2
	return &ast.Grammar{
		Name: "pairs", Default: pair, Tables: t, Schemes: []ast.Scheme{{Name: "a", Kind: pair}},
		Productions: []ast.Production{{}, {ID: "pair", Name: "pair"}, {ID: "port", Name: "port"}},
	}
}

func TestGrammar(t *testing.T) {
	if err := Grammar(pair()); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		breakIt func(*ast.Grammar, *ast.Tables)
		err     string
	}{
		{func(g *ast.Grammar, m *ast.Tables) { g.Tables = nil }, ""},
		{func(g *ast.Grammar, m *ast.Tables) { g.Productions = g.Productions[1:] },
			"pairs: Productions[0] is not the zero Production"},
		{func(g *ast.Grammar, m *ast.Tables) { g.Productions[2].ID = "" }, "pairs: production 2 has no ID or no name"},
		{func(g *ast.Grammar, m *ast.Tables) { g.Productions[2].Name = "" },
			"pairs: production 2 has no ID or no name"},
		{func(g *ast.Grammar, m *ast.Tables) { g.Productions[2].ID = "pair" },
			`pairs: two productions have the ID "pair"`},
		{func(g *ast.Grammar, m *ast.Tables) { g.Default = 0 },
			"pairs: the default start is kind 0, which is no production"},
		{func(g *ast.Grammar, m *ast.Tables) { g.Generic = 99 },
			"pairs: the generic production is kind 99, which is no production"},
		{func(g *ast.Grammar, m *ast.Tables) { g.Schemes[0].Kind = 99 },
			`pairs: scheme "a" is of kind 99, which is no production`},
		{func(g *ast.Grammar, m *ast.Tables) { m.Classes[7] = 3 }, "pairs: tables: byte 0x07 is of class 3 of 3"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Width = 0 },
			"pairs: tables: 12 entries in Next for 4 states of 0 classes"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Next = m.Next[3:] },
			"pairs: tables: 9 entries in Next for 4 states of 3 classes"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Note = nil },
			"pairs: tables: 12 entries in Next for 0 states of 3 classes"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Next[4] = 4 }, "pairs: tables: state 1 leads to state 4 of 4"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Next[1] = 2 }, "pairs: tables: the dead state leads to another"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Note[3] = 4 }, "pairs: tables: state 3 has note 4 of 4"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Notes[0].Accept = true }, "pairs: tables: the dead state accepts"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Notes[3].Accept = false },
			"pairs: tables: no accepting state can be reached from state 1"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Notes[1].In[0] = 3 },
			"pairs: tables: note 1 names a kind that is no production"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Notes[1].Expected[0] = 2 }, "pairs: tables: note 1 expects 2 of 2"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Expectations[1].In[0] = 0 },
			"pairs: tables: expectation 1 names a kind that is no production"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Starts = m.Starts[1:] },
			"pairs: tables: 2 entries in Starts for 3 kinds"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Starts[2] = nil },
			"pairs: tables: the last start of port does not have an empty prefix"},
		{func(g *ast.Grammar, m *ast.Tables) { slices.Reverse(m.Starts[1]) },
			"pairs: tables: the last start of pair does not have an empty prefix"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Starts[2][0].State = 4 },
			"pairs: tables: port starts in state 4 of 4, as kind 2"},
		{func(g *ast.Grammar, m *ast.Tables) { m.Starts[2][0].Explained = 0 },
			"pairs: tables: port starts in state 2 of 4, as kind 0"},
	} {
		g := pair()
		c.breakIt(g, g.Tables)
		if err := Grammar(g); message(err) != c.err {
			t.Errorf("%v; want %s", err, c.err)
		}
	}
}
