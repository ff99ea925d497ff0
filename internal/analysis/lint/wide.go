package lint

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A production of which an automaton shows no ambiguity with larger languages for what it uses has none with the
// languages themselves: what has two derivations there has them with the larger ones, too. For what nests there is
// such a language, of an automaton that forgets where it was called from (Mohri and Nederhof, "Regular approximation
// of context-free grammars through transformation", 2001).

// A wide is a grammar with a regular language for each production that contains everything the production derives.
type wide struct {
	*spread
	regular map[string]bool // by ID, what is that language
	known   map[string]*language
}

// of returns a regular language that contains what a production derives.
func (w *wide) of(id string) (*lang.DFA, error) {
	if w.regular[id] {
		return w.spread.of(id)
	}
	if known := w.known[id]; known != nil {
		return known.dfa, known.err
	}
	c := w.facts.Component(id)
	ends := map[string][2]int32{}
	n := lang.NewNFA(w.g.Budget)
	for _, r := range c.Rules {
		ends[r.ID] = [2]int32{n.State(), n.State()}
	}
	var err error
	for _, r := range c.Rules {
		if err == nil {
			err = w.add(n, ends, r.Expr, ends[r.ID][0], ends[r.ID][1])
		}
	}
	for _, r := range c.Rules {
		known := &language{err: err}
		if err == nil {
			n.Start, n.Final = ends[r.ID][0], ends[r.ID][1]
			known.dfa, known.err = n.Determinize(w.o.Limits.lang())
		}
		if known.err == nil && !w.facts.Nullable(expr.To(r.ID)) { // as the automata of derivations take for granted
			known.dfa = known.dfa.Minus(lang.Epsilon())
		}
		w.known[r.ID] = known
	}
	return w.known[id].dfa, w.known[id].err
}

// add adds to n paths from one state to another that read what e derives, or more. The ends are those of the
// productions that are being built: a use of one leads to its begin, and its end leads behind each of its uses. The
// error is a passed limit.
func (w *wide) add(n *lang.NFA, ends map[string][2]int32, e *expr.Expr, from, to int32) error {
	if err := w.do(1); err != nil {
		return err
	}
	switch e.Op {
	case expr.Empty:
		n.Silent(from, to)
	case expr.Class:
		n.Read(from, e.Set, to)
	case expr.Literal:
		for i := range len(e.Lit) {
			next := n.State()
			n.Read(from, expr.Bytes(e.Lit[i:i+1]), next)
			from = next
		}
		n.Silent(from, to)
	case expr.Seq:
		for _, s := range e.Sub {
			next := n.State()
			if err := w.add(n, ends, s, from, next); err != nil {
				return err
			}
			from = next
		}
		n.Silent(from, to)
	case expr.Alt:
		for _, s := range e.Sub {
			if err := w.add(n, ends, s, from, to); err != nil {
				return err
			}
		}
	case expr.Repeat: // any number of rounds, which is more, where there may be several
		loop := n.State()
		n.Silent(from, loop)
		if e.Min == 0 {
			n.Silent(from, to)
		}
		next := n.State()
		if err := w.add(n, ends, e.Sub[0], loop, next); err != nil {
			return err
		}
		if e.Max != 1 {
			n.Silent(next, loop)
		}
		n.Silent(next, to)
	case expr.Ref:
		if end, inside := ends[e.Name]; inside {
			n.Silent(from, end[0])
			n.Silent(end[1], to)
			return nil
		}
		a, err := w.of(e.Name)
		if err != nil {
			return err
		}
		states := make([]int32, a.States())
		for q := range states {
			states[q] = n.State()
		}
		n.Silent(from, states[0])
		for q := range states {
			if a.Accepts(q) {
				n.Silent(states[q], to)
			}
			for _, x := range a.Edges(q) {
				n.Read(states[q], x.Set, states[x.To])
			}
		}
	default:
		return fmt.Errorf("%s: no such operator in a grammar without order", e.Pos)
	}
	return nil
}

// unambiguous reports whether r is unambiguous by itself even with the larger languages; false proves nothing. The
// error is a passed limit.
func (w *wide) unambiguous(r *expr.Rule) (yes bool, err error) {
	defer budget.Catch(&err)
	a, err := build(w.g.Rule(r.ID).Expr, w.facts, w.of, 4*w.o.Limits.states(), w.g.Budget)
	if err == nil {
		err = w.do(len(a.arcs))
	}
	if err != nil {
		return false, err
	}
	_, ok, err := a.ambiguous(w.o.Limits.pairs())
	return err == nil && !ok, err
}
