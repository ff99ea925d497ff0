package pegtest

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// What a grammar read to a depth means is defined here, on the grammar as it stands, by recognisers that count.

// deepDerivations is where what a production derives can end, if its set has been re-entered so
// often around it.
type deepDerivations struct {
	g    *expr.Grammar
	n    *expr.Nesting
	most int
	w    string
	ends map[string][][]uint64 // by production, depth and place
}

// DerivesWithin reports whether a production derives w with no set of rules that nests re-entered more than so often: see
// [expr.Nesting].
func DerivesWithin(g *expr.Grammar, id string, most int, w string) bool {
	d := &deepDerivations{g, g.Nesting(), most, w, map[string][][]uint64{}}
	for _, r := range g.Rules {
		for range most + 1 {
			d.ends[r.ID] = append(d.ends[r.ID], make([]uint64, len(w)+1))
		}
	}
	for changed := true; changed; {
		changed = false
		for _, r := range g.Rules {
			for depth := range most + 1 {
				for i := range len(w) + 1 {
					if e := d.from(r.ID, r.Expr, depth, i); e != d.ends[r.ID][depth][i] {
						d.ends[r.ID][depth][i], changed = e, true
					}
				}
			}
		}
	}
	return d.ends[id][0][0]>>len(w)&1 != 0
}

func (d *deepDerivations) from(in string, e *expr.Expr, depth, i int) uint64 {
	each := func(e *expr.Expr, starts uint64) (ends uint64) {
		for i := 0; i <= len(d.w); i++ {
			if starts>>i&1 != 0 {
				ends |= d.from(in, e, depth, i)
			}
		}
		return ends
	}
	switch e.Op {
	case expr.Class, expr.Literal:
		if j := terminal(e, d.w, i); j >= 0 {
			return 1 << j
		}
		return 0
	case expr.Ref:
		if d.g.Rule(e.Name) == nil {
			return 0
		}
		switch inside, again := d.n.Use(in, e.Name); {
		case !inside:
			depth = 0
		case again:
			depth++
		}
		if depth > d.most {
			return 0
		}
		return d.ends[e.Name][depth][i]
	case expr.Seq:
		at := uint64(1) << i
		for _, s := range e.Sub {
			at = each(s, at)
		}
		return at
	case expr.Alt:
		var ends uint64
		for _, s := range e.Sub {
			ends |= d.from(in, s, depth, i)
		}
		return ends
	case expr.Repeat:
		at, ends := uint64(1)<<i, uint64(0)
		rounds := e.Max
		if e.Max == expr.Unbounded {
			rounds = e.Min + len(d.w) + 1
		}
		for n := 0; ; n++ {
			if n >= e.Min {
				ends |= at
			}
			if n == rounds {
				return ends
			}
			at = each(e.Sub[0], at)
		}
	}
	return 1 << i
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

// deepMatch is the interpreter of a PEG with a counter: it returns where e ends, in a rule whose set has been re-entered
// so often, if it begins at place i.
func deepMatch(g *expr.Grammar, n *expr.Nesting, in string, e *expr.Expr, depth, most int, w string, i int) int {
	match := func(e *expr.Expr, i int) int { return deepMatch(g, n, in, e, depth, most, w, i) }
	switch e.Op {
	case expr.Class, expr.Literal:
		return terminal(e, w, i)
	case expr.Ref:
		switch inside, again := n.Use(in, e.Name); {
		case !inside:
			depth = 0
		case again:
			depth++
		}
		if depth > most {
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
