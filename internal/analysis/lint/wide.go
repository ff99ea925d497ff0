package lint

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// If an automaton shows no ambiguity of a production with larger languages for the productions it uses, there is none
// with the languages themselves: a string with two derivations would have them with the larger languages, too. For a
// production that nests there is such a larger language: that of an automaton that forgets where it was called from
// (Mohri and Nederhof, "Regular approximation of context-free grammars through transformation", 2001).

// A wide is a grammar with a regular language for each production that contains everything the production derives.
type wide struct {
	*spread
	regular map[string]bool // by ID: productions whose language is exact
	known   map[string]*language
}

// of returns a regular language that contains the language of a production; for a regular one it is that language. It
// has an error if a limit is passed, or if a language that it needs is not known, and is never nil. The languages of
// the whole component are made at once, and kept, errors as well.
func (w *wide) of(id string) *language {
	if w.regular[id] {
		return w.spread.language(id)
	}
	if known := w.known[id]; known != nil {
		return known
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
			err = w.addPaths(n, ends, r.Expr, ends[r.ID][0], ends[r.ID][1])
		}
	}
	for _, r := range c.Rules {
		known := &language{err: err}
		if err == nil {
			n.Start, n.Final = ends[r.ID][0], ends[r.ID][1]
			known.dfa, known.err = n.Determinize(w.options.Limits.lang())
		}
		if known.err == nil && !w.facts.Nullable(expr.To(r.ID)) { // the automata of derivations rely on this
			known.dfa = known.dfa.Minus(lang.Epsilon())
		}
		w.known[r.ID] = known
	}
	return w.known[id]
}

// addPaths adds paths to n, from one state to another, that read all that e derives, or more. ends has the two ends
// of each production of the component that is being built: a use of it leads to its begin, and its end leads to the
// state after each use, whichever was entered. It charges 1 for each expression. It fails if a limit is passed, a
// language that is used is not known, or e has an operator of PEGs.
func (w *wide) addPaths(n *lang.NFA, ends map[string][2]int32, e *expr.Expr, from, to int32) error {
	if err := w.charge(1); err != nil {
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
			if err := w.addPaths(n, ends, s, from, next); err != nil {
				return err
			}
			from = next
		}
		n.Silent(from, to)
	case expr.Alt:
		for _, s := range e.Sub {
			if err := w.addPaths(n, ends, s, from, to); err != nil {
				return err
			}
		}
	case expr.Repeat: // any number of rounds if there may be several: this reads more
		loop := n.State()
		n.Silent(from, loop)
		if e.Min == 0 {
			n.Silent(from, to)
		}
		next := n.State()
		if err := w.addPaths(n, ends, e.Sub[0], loop, next); err != nil {
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
		used := w.of(e.Name)
		if used.err != nil {
			return used.err
		}
		a := used.dfa
		states := make([]int32, a.States())
		for q := range states {
			states[q] = n.State()
		}
		n.Silent(from, states[0])
		for q := range states {
			if a.Accepts(q) {
				n.Silent(states[q], to)
			}
			for _, x := range used.arcsByState()[q] {
				n.Read(states[q], x.set, states[x.to])
			}
		}
	default:
		return fmt.Errorf("%s: no such operator in a grammar without order", e.Pos)
	}
	return nil
}

// unambiguous reports whether r is unambiguous by itself even with the larger languages; false proves nothing. It
// charges the states to the work of the document. It fails if a limit is passed or the budget is used up.
func (w *wide) unambiguous(r *expr.Rule) (yes bool, err error) {
	defer budget.Catch(&err)
	a, err := build(w.g.Rule(r.ID).Expr, w.facts, w.of, w.options.Limits.derivationStates(), w.g.Budget)
	if err == nil {
		err = w.charge(len(a.arcs))
	}
	if err != nil {
		return false, err
	}
	_, ok, err := a.ambiguous(w.options.Limits.pairs())
	return err == nil && !ok, err
}
