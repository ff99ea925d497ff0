// Package treecheck checks the form of values of package ast: what any generated grammar and any tree that a parser builds
// must satisfy, whatever the grammar.
package treecheck

import (
	"errors"
	"fmt"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Grammar checks the form of a grammar value and of its tables. The error is the first place where they contradict each
// other or lead outside themselves. It does not check that they are right.
func Grammar(g *ast.Grammar) error {
	if len(g.Productions) == 0 || g.Productions[0] != (ast.Production{}) {
		return fmt.Errorf("%s: Productions[0] is not the zero Production", g.Name)
	}
	seen := map[string]bool{}
	for k, p := range g.Productions[1:] {
		switch {
		case p.ID == "" || p.Name == "":
			return fmt.Errorf("%s: production %d has no ID or no name", g.Name, k+1)
		case seen[p.ID]:
			return fmt.Errorf("%s: two productions have the ID %s", g.Name, ast.Quote(p.ID))
		}
		seen[p.ID] = true
	}
	if !known(g, g.Default) {
		return fmt.Errorf("%s: the default start is kind %d, which is no production", g.Name, g.Default)
	}
	if g.Generic != 0 && !known(g, g.Generic) {
		return fmt.Errorf("%s: the generic production is kind %d, which is no production", g.Name, g.Generic)
	}
	for _, s := range g.Schemes {
		if !known(g, s.Kind) {
			return fmt.Errorf("%s: scheme %s is of kind %d, which is no production", g.Name, ast.Quote(s.Name), s.Kind)
		}
	}
	if g.Tables == nil {
		return nil
	}
	if err := tables(g, g.Tables); err != nil {
		return fmt.Errorf("%s: tables: %w", g.Name, err)
	}
	return nil
}

func known(g *ast.Grammar, kinds ...ast.Kind) bool {
	for _, k := range kinds {
		if k == 0 || int(k) >= len(g.Productions) {
			return false
		}
	}
	return true
}

func tables(g *ast.Grammar, m *ast.Tables) error {
	states := len(m.Note)
	switch {
	case states == 0 || m.Width <= 0 || len(m.Next) != states*m.Width:
		return fmt.Errorf("%d entries in Next for %d states of %d classes", len(m.Next), states, m.Width)
	case len(m.Starts) != len(g.Productions):
		return fmt.Errorf("%d entries in Starts for %d kinds", len(m.Starts), len(g.Productions))
	}
	for b := range 256 {
		if int(m.Classes[b]) >= m.Width {
			return fmt.Errorf("byte %#02x is of class %d of %d", b, m.Classes[b], m.Width)
		}
	}
	for i, q := range m.Next {
		if int(q) >= states {
			return fmt.Errorf("state %d leads to state %d of %d", i/m.Width, q, states)
		}
		if i < m.Width && q != 0 {
			return errors.New("the dead state leads to another")
		}
	}
	for q, n := range m.Note {
		if int(n) >= len(m.Notes) {
			return fmt.Errorf("state %d has note %d of %d", q, n, len(m.Notes))
		}
	}
	if m.Notes[m.Note[0]].Accept {
		return errors.New("the dead state accepts")
	}
	if q := trapped(m); q != 0 {
		return fmt.Errorf("no accepting state can be reached from state %d", q)
	}
	for i, n := range m.Notes {
		if !known(g, n.In...) {
			return fmt.Errorf("note %d names a kind that is no production", i)
		}
		for _, x := range n.Expected {
			if int(x) >= len(m.Expectations) {
				return fmt.Errorf("note %d expects %d of %d", i, x, len(m.Expectations))
			}
		}
	}
	for i, x := range m.Expectations {
		if !known(g, x.In...) {
			return fmt.Errorf("expectation %d names a kind that is no production", i)
		}
	}
	for k, starts := range m.Starts {
		if k == 0 {
			continue
		}
		if len(starts) == 0 || starts[len(starts)-1].Prefix != "" {
			return fmt.Errorf("the last start of %s does not have an empty prefix", g.Productions[k].ID)
		}
		for _, s := range starts {
			if int(s.State) >= states || !known(g, s.Explained) {
				return fmt.Errorf("%s starts in state %d of %d, as kind %d", g.Productions[k].ID, s.State, states, s.Explained)
			}
		}
	}
	return nil
}

// trapped returns a state other than 0 from which no accepting state can be reached, or 0.
func trapped(m *ast.Tables) int {
	live := make([]bool, len(m.Note))
	for q, n := range m.Note {
		live[q] = m.Notes[n].Accept
	}
	for grown := true; grown; {
		grown = false
		for q := len(live) - 1; q > 0; q-- {
			for c := 0; c < m.Width && !live[q]; c++ {
				if live[m.Next[q*m.Width+c]] {
					live[q], grown = true, true
				}
			}
		}
	}
	for q := 1; q < len(live); q++ {
		if !live[q] {
			return q
		}
	}
	return 0
}
