package lang

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// recursion is what must be known about an unordered grammar before an automaton can be built: which productions derive
// anything, which anything but the empty word, and which use each other in a circle.
type recursion struct {
	g          *expr.Grammar
	rules      []*expr.Rule // that can be reached
	derives    map[string]bool
	derivesOne map[string]bool
	component  map[string]*component
}

// A component is a maximal set of productions that use each other, or one production alone.
type component struct {
	rules       []*expr.Rule
	recursive   bool
	left, right bool // a use inside the component has something behind it (left-linear), something before it (right-linear)
}

// analyse looks at what e reaches in g. Its errors are a grammar or an expression with PEG operators, and the
// self-embedding of a production.
func analyse(g *expr.Grammar, e *expr.Expr) (*recursion, error) {
	if g.Ordered {
		return nil, fmt.Errorf("%s: ordered choice cannot be read as unordered", g.Name)
	}
	a := &recursion{g: g, derives: map[string]bool{}, derivesOne: map[string]bool{}, component: map[string]*component{}}
	if err := a.collect(e); err != nil {
		return nil, err
	}
	for changed := true; changed; {
		changed = false
		for _, r := range slices.Backward(a.rules) { // which mostly come before what they use
			if !a.derives[r.ID] && a.productive(r.Expr) {
				a.derives[r.ID], changed = true, true
			}
			if !a.derivesOne[r.ID] && a.long(r.Expr) {
				a.derivesOne[r.ID], changed = true, true
			}
		}
	}
	return a, a.components()
}

func (a *recursion) collect(e *expr.Expr) error {
	var err error
	seen := map[string]bool{}
	var visit func(e *expr.Expr)
	visit = func(e *expr.Expr) {
		expr.Walk(e, func(e *expr.Expr) bool {
			switch e.Op {
			case expr.And, expr.Not:
				if err == nil {
					err = at(e.Pos, fmt.Errorf("a lookahead in a grammar that is not ordered"))
				}
			case expr.Ref:
				if r := a.g.Rule(e.Name); r != nil && !seen[r.ID] {
					seen[r.ID] = true
					a.rules = append(a.rules, r)
					visit(r.Expr)
				}
			}
			return true
		})
	}
	visit(e)
	return err
}

// productive says whether e derives anything.
func (a *recursion) productive(e *expr.Expr) bool {
	switch e.Op {
	case expr.Class:
		return !e.Set.IsEmpty()
	case expr.Ref:
		return a.derives[e.Name]
	case expr.Seq:
		return !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !a.productive(s) })
	case expr.Alt:
		return slices.ContainsFunc(e.Sub, a.productive)
	case expr.Repeat:
		return e.Min == 0 || a.productive(e.Sub[0])
	case expr.Node:
		return a.productive(e.Sub[0])
	}
	return true
}

// long says whether e derives a word other than the empty one.
func (a *recursion) long(e *expr.Expr) bool {
	switch e.Op {
	case expr.Class, expr.Literal:
		return a.productive(e)
	case expr.Ref:
		return a.derivesOne[e.Name]
	case expr.Seq:
		return a.productive(e) && slices.ContainsFunc(e.Sub, a.long)
	case expr.Alt:
		return slices.ContainsFunc(e.Sub, a.long)
	case expr.Repeat:
		return e.Max != 0 && a.long(e.Sub[0])
	case expr.Node:
		return a.long(e.Sub[0])
	}
	return false
}

// A use is a production named in another's text; before and behind say whether the text derives something there.
type use struct {
	to             string
	before, behind bool
}

// uses lists the productions that e uses to derive anything but the empty word.
func (a *recursion) uses(e *expr.Expr) []use {
	var out []use
	var visit func(e *expr.Expr, before, behind bool)
	visit = func(e *expr.Expr, before, behind bool) {
		if !a.productive(e) || !a.long(e) {
			return
		}
		switch e.Op {
		case expr.Ref:
			out = append(out, use{e.Name, before, behind})
		case expr.Seq:
			for i, s := range e.Sub {
				visit(s, before || slices.ContainsFunc(e.Sub[:i], a.long), behind || slices.ContainsFunc(e.Sub[i+1:], a.long))
			}
		case expr.Repeat:
			again := e.Max != 1
			visit(e.Sub[0], before || again, behind || again)
		default:
			for _, s := range e.Sub {
				visit(s, before, behind)
			}
		}
	}
	visit(e, false, false)
	return out
}

// components fills in a.component, by Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972).
func (a *recursion) components() error {
	uses := map[string][]use{}
	index, low := map[string]int{}, map[string]int{}
	var stack []*expr.Rule
	var visit func(r *expr.Rule)
	visit = func(r *expr.Rule) {
		index[r.ID] = len(index) + 1
		low[r.ID] = index[r.ID]
		stack = append(stack, r)
		uses[r.ID] = a.uses(r.Expr)
		for _, u := range uses[r.ID] {
			if index[u.to] == 0 {
				visit(a.g.Rule(u.to))
				low[r.ID] = min(low[r.ID], low[u.to])
			} else if a.component[u.to] == nil {
				low[r.ID] = min(low[r.ID], index[u.to])
			}
		}
		if low[r.ID] == index[r.ID] {
			i := slices.Index(stack, r)
			c := &component{rules: slices.Clone(stack[i:])}
			stack = stack[:i]
			for _, r := range c.rules {
				a.component[r.ID] = c
			}
		}
	}
	for _, r := range a.rules {
		if index[r.ID] == 0 {
			visit(r)
		}
	}
	for _, r := range a.rules {
		c := a.component[r.ID]
		for _, u := range uses[r.ID] {
			if a.component[u.to] == c {
				c.recursive = true
				c.left = c.left || u.behind
				c.right = c.right || u.before
			}
		}
	}
	for _, r := range a.g.Rules {
		if c := a.component[r.ID]; c != nil && c.left && c.right {
			return a.selfEmbedding(r, c, uses)
		}
	}
	return nil
}

// selfEmbedding names a shortest way from r to itself that leaves something on both sides.
func (a *recursion) selfEmbedding(r *expr.Rule, c *component, uses map[string][]use) error {
	type step struct {
		use
		up int
	}
	seen := map[use]bool{}
	steps := []step{{use{to: r.ID}, -1}}
	for i := 0; i < len(steps); i++ {
		for _, u := range uses[steps[i].to] {
			if a.component[u.to] != c {
				continue
			}
			u.before = u.before || steps[i].before
			u.behind = u.behind || steps[i].behind
			if seen[u] {
				continue
			}
			seen[u] = true
			steps = append(steps, step{u, i})
			if u == (use{r.ID, true, true}) {
				var ids []string
				for j := i; j > 0; j = steps[j].up {
					if id := steps[j].to; id != r.ID && !slices.Contains(ids, id) {
						ids = append(ids, id)
					}
				}
				slices.Reverse(ids)
				return &SelfEmbedding{r.ID, ids, r.Pos}
			}
		}
	}
	return &SelfEmbedding{r.ID, nil, r.Pos} // not reached: in a component every use can be continued to r
}
