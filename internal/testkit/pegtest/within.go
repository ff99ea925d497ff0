package pegtest

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// What a grammar means is defined here, on the grammar as it stands, by recognizers that are slow and plain: oracles
// for tests. Some count how deep productions nest, for grammars that are read to a depth.

// Derives reports whether a production of a BNF derives w.
func Derives(g *expr.Grammar, id, w string) bool { return (&derivations{g: g, w: w}).whole(id) }

// DerivesWithin reports whether a production derives w with no [expr.Nesting] re-entered more than so often.
func DerivesWithin(g *expr.Grammar, id string, most int, w string) bool {
	return (&derivations{g: g, nesting: g.Nesting(), most: most, w: w}).whole(id)
}

// A cell is a production, how often its set has been re-entered around it, and where it begins.
type cell struct {
	id    string
	depth int
	at    int
}

// derivations finds where in w what a cell derives can end. It is the smallest answer that agrees with the
// productions: it begins with no places, and goes through the productions until none are added.
type derivations struct {
	g       *expr.Grammar
	nesting *expr.Nesting // nil if nothing is counted
	most    int
	w       string
	ends    map[cell][]int // ascending
	seen    map[cell]bool  // in this round
	grown   bool
}

// whole reports whether a production derives all of w. It repeats rounds until none adds a place.
func (d *derivations) whole(id string) bool {
	d.ends = map[cell][]int{}
	for d.grown = true; d.grown; {
		d.grown, d.seen = false, map[cell]bool{}
		d.production(cell{id: id})
	}
	return slices.Contains(d.ends[cell{id: id}], len(d.w))
}

// production returns the places where a cell can end, as far as they are known. The first time in a round it computes
// them again, and sets grown if there are more.
func (d *derivations) production(c cell) []int {
	if r := d.g.Rule(c.id); r != nil && !d.seen[c] {
		d.seen[c] = true
		if ends := d.from(c, r.Expr, c.at); len(ends) > len(d.ends[c]) {
			d.ends[c], d.grown = ends, true
		}
	}
	return d.ends[c]
}

// from returns where what e derives from i on can end, as a part of the cell c.
func (d *derivations) from(c cell, e *expr.Expr, i int) (ends []int) {
	switch e.Op {
	case expr.Class, expr.Literal:
		if j := terminal(e, d.w, i); j >= 0 {
			return []int{j}
		}
		return nil
	case expr.Ref:
		if d.nesting != nil {
			c.depth = reentered(d.nesting, c.id, e.Name, c.depth)
		}
		if c.depth > d.most {
			return nil
		}
		return d.production(cell{e.Name, c.depth, i})
	case expr.Seq:
		ends = []int{i}
		for _, s := range e.Sub {
			ends = d.after(c, s, ends)
		}
		return ends
	case expr.Alt:
		for _, s := range e.Sub {
			ends = union(ends, d.from(c, s, i))
		}
		return ends
	case expr.Repeat:
		least := min(e.Min, len(d.w)+1) // more iterations end where these do
		at := []int{i}
		for n := 0; n != e.Max+1 || e.Max == expr.Unbounded; n++ {
			if n >= least {
				all := union(ends, at)
				if len(all) == len(ends) {
					break
				}
				ends = all
			}
			at = d.after(c, e.Sub[0], at)
		}
		return ends
	}
	return []int{i}
}

// after returns where what e derives from one of some places on can end.
func (d *derivations) after(c cell, e *expr.Expr, from []int) (ends []int) {
	for _, i := range from {
		ends = union(ends, d.from(c, e, i))
	}
	return ends
}

// union returns the union of two ascending lists, which may be one of them.
func union(a, b []int) []int {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0 || slices.Equal(a, b):
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// reentered returns how often a set has been re-entered in a rule, if it has been so often where a rule of the name
// in uses it.
func reentered(n *expr.Nesting, in, name string, depth int) int {
	switch inside, again := n.Use(in, name); {
	case !inside:
		return 0
	case again:
		return depth + 1
	}
	return depth
}

// The ends of a match that are no places.
const (
	Fails  = -1
	Deeper = -2
)

// MatchWithin returns where the rule's match of w ends, or Fails, or Deeper.
func MatchWithin(g *expr.Grammar, id string, most int, w string) int {
	return deepMatch(g, g.Nesting(), "", expr.To(id), 0, most, w, 0)
}

// terminal returns where a Class or a Literal ends, or Fails.
func terminal(e *expr.Expr, w string, i int) int {
	switch {
	case e.Op == expr.Class && i < len(w) && e.Set.Has(w[i]):
		return i + 1
	case e.Op == expr.Literal && strings.HasPrefix(w[i:], e.Lit):
		return i + len(e.Lit)
	}
	return Fails
}

// deepMatch interprets a PEG with a counter. It returns where e ends that begins at i, Fails, or Deeper if the answer
// depends on more nesting than most. e stands in the rule in, whose set has been re-entered depth times.
func deepMatch(g *expr.Grammar, n *expr.Nesting, in string, e *expr.Expr, depth, most int, w string, i int) int {
	match := func(e *expr.Expr, i int) int { return deepMatch(g, n, in, e, depth, most, w, i) }
	switch e.Op {
	case expr.Class, expr.Literal:
		return terminal(e, w, i)
	case expr.Ref:
		if depth = reentered(n, in, e.Name, depth); depth > most {
			if first, ok := n.Begins(e.Name); ok && (i == len(w) || !first.Has(w[i])) {
				return Fails
			}
			return Deeper
		}
		return deepMatch(g, n, e.Name, g.Rule(e.Name).Expr, depth, most, w, i)
	case expr.Seq:
		for _, s := range e.Sub {
			if i = match(s, i); i < 0 {
				return i
			}
		}
	case expr.Alt:
		for _, s := range e.Sub {
			if j := match(s, i); j != Fails {
				return j
			}
		}
		return Fails
	case expr.Repeat:
		for n := 0; n != e.Max; n++ {
			j := match(e.Sub[0], i)
			switch {
			case j == Deeper, j == Fails && n < e.Min:
				return j
			case j == Fails:
				return i
			}
			i = j
		}
	case expr.And, expr.Not:
		j := match(e.Sub[0], i)
		switch {
		case j == Deeper:
			return Deeper
		case (j >= 0) == (e.Op == expr.Not):
			return Fails
		}
	case expr.Node:
		return match(e.Sub[0], i)
	}
	return i
}
