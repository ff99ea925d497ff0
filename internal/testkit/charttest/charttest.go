// Package charttest derives strings with a chart, as an oracle for tests: slow, at most cubic, and plainly right. It shares nothing with the
// general parser of package ast, and derives by the same rule. Where a production derives itself alone, it chooses some finite derivation.
package charttest

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Deriver derives strings from one production.
type Deriver struct{ chart }

// New returns a deriver for the production start of g. The kind of a production is its place in g.Rules, from 1; node reports which are nodes.
// The error is a production there is not.
func New(g *expr.Grammar, start string, node func(id string) bool) (*Deriver, error) {
	in := &grammar{Grammar: g, facts: expr.Analyze(g.Rules), rules: map[string]*rule{}}
	for i, r := range g.Rules {
		if in.rules[r.ID] != nil {
			continue
		}
		in.rules[r.ID] = &rule{Rule: r}
		if node(r.ID) {
			in.rules[r.ID].kind = ast.Kind(i + 1)
		}
		if r.ID == start {
			in.start = &rule{r, ast.Kind(i + 1)}
		}
	}
	if in.start == nil {
		return nil, fmt.Errorf("%s has no production %q", g.Name, start)
	}
	return &Deriver{chart{grammar: in}}, nil
}

// Accepts reports whether src is derived. The error is that it takes too much.
func (d *Deriver) Accepts(src string) (ok bool, err error) {
	defer budget.Catch(&err)
	return d.accepts(src)
}

// Derive appends the nodes of src to dst, the root first, and reports whether src is derived. The error is that it takes too much.
func (d *Deriver) Derive(dst []ast.Raw, src string) (nodes []ast.Raw, ok bool, err error) {
	defer budget.Catch(&err)
	return d.derive(dst, src)
}

// A grammar is a BNF and what follows from it.
type grammar struct {
	*expr.Grammar
	facts *expr.Facts
	rules map[string]*rule
	start *rule
}

// A rule is a production, and its kind if it is a node, or 0.
type rule struct {
	*expr.Rule
	kind ast.Kind
}

// A chart derives with any grammar. A cell of it holds where what an expression derives from one place can end; a cell is made
// when it is asked for, and whoever asks is told of each end once, also of those that are found later (M. Johnson,
// "Memoization in top-down parsing", Computational Linguistics 21, 1995). So a production may use itself anywhere.
type chart struct {
	*grammar
	src   string
	cells map[cellKey]*cell
	todo  []func()
	size  int   // cells and ends
	held  int64 // bytes
}

// maxCells bounds the cells of a chart and their ends: a share of the steps, of so many bits less.
const maxCells = 8

// A cellKey is an expression at a place. Of a sequence it is the parts from n on; of a repetition, the iterations after n,
// as far as their number matters.
type cellKey struct {
	e  *expr.Expr
	n  int
	at int
}

type cell struct {
	ends []int
	has  map[int]bool
	asks []func(end int)
}

func (c *chart) accepts(src string) (bool, error) {
	whole, err := c.fill(src)
	return err == nil && whole.has[len(src)], err
}

// fill returns the cell of the start at the beginning.
func (c *chart) fill(src string) (*cell, error) {
	c.src, c.cells, c.todo, c.size, c.held = src, map[cellKey]*cell{}, nil, 0, 0
	whole := c.ask(cellKey{c.start.Expr, 0, 0}, func(int) {})
	for len(c.todo) > 0 {
		f := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		c.Budget.Step(4)
		c.Budget.Room(c.held)
		f()
		if c.size > c.Budget.Share(maxCells) {
			return nil, c.tooLarge()
		}
	}
	return whole, nil
}

// ask has f called for each end of a cell.
func (c *chart) ask(k cellKey, f func(end int)) *cell {
	c.held += 128
	x := c.cells[k]
	if x == nil {
		x = &cell{has: map[int]bool{}}
		c.cells[k] = x
		c.size++
		c.held += 512
		c.todo = append(c.todo, func() { c.evaluate(k, x) })
	}
	x.asks = append(x.asks, f)
	for _, end := range x.ends {
		c.todo = append(c.todo, func() { f(end) })
	}
	return x
}

// add adds an end to a cell.
func (c *chart) add(x *cell, end int) {
	if x.has[end] {
		return
	}
	x.has[end] = true
	x.ends = append(x.ends, end)
	c.size++
	c.held += 96
	for _, f := range x.asks {
		c.todo = append(c.todo, func() { f(end) })
	}
}

// after returns the number of iterations that matter after n iterations of e and one more.
func after(e *expr.Expr, n int) int {
	if e.Max == expr.Unbounded {
		return min(n+1, e.Min)
	}
	return n + 1
}

// more reports whether there can be an iteration of e after n.
func more(e *expr.Expr, n int) bool { return e.Max == expr.Unbounded || n < e.Max }

func (c *chart) evaluate(k cellKey, x *cell) {
	add := func(end int) { c.add(x, end) }
	if !c.facts.Derives(k.e) {
		return
	}
	switch e := k.e; e.Op {
	case expr.Empty:
		add(k.at)
	case expr.Class:
		if k.at < len(c.src) && e.Set.Has(c.src[k.at]) {
			add(k.at + 1)
		}
	case expr.Literal:
		if end := k.at + len(e.Lit); end <= len(c.src) && c.src[k.at:end] == e.Lit {
			add(end)
		}
	case expr.Ref:
		if r := c.rules[e.Name]; r != nil {
			c.ask(cellKey{r.Expr, 0, k.at}, add)
		}
	case expr.Seq:
		c.ask(cellKey{e.Sub[k.n], 0, k.at}, func(end int) {
			if k.n+1 == len(e.Sub) {
				add(end)
			} else {
				c.ask(cellKey{e, k.n + 1, end}, add)
			}
		})
	case expr.Alt:
		for _, s := range e.Sub {
			c.ask(cellKey{s, 0, k.at}, add)
		}
	case expr.Repeat:
		if k.n >= e.Min {
			add(k.at)
		}
		if !more(e, k.n) {
			return
		}
		c.ask(cellKey{e.Sub[0], 0, k.at}, func(end int) {
			if end > k.at || k.n < e.Min {
				c.ask(cellKey{e, after(e, k.n), end}, add)
			}
		})
	}
}

func (c *chart) derive(dst []ast.Raw, src string) ([]ast.Raw, bool, error) {
	whole, err := c.fill(src)
	if err != nil || !whole.has[len(src)] {
		return dst, false, err
	}
	t := c.newTree(dst)
	w := &chartWalk{chart: c, tree: t, active: map[string]bool{}}
	t.begin(c.start.kind, 0)
	ok := w.walk(cellKey{c.start.Expr, 0, 0}, []int{len(src)}, c.start.ID, func(int) bool { return true })
	if !ok {
		return dst, false, c.tooLarge()
	}
	t.end(len(src))
	return t.nodes, true, nil
}

// A chartWalk builds the tree from a chart.
type chartWalk struct {
	*chart
	tree   *tree
	active map[string]bool // productions that are being derived, with their place and where they can end
}

// reaches returns the ends of a cell that are among to; none if there is no such cell.
func (w *chartWalk) reaches(k cellKey, to []int) bool {
	x := w.cells[k]
	return x != nil && slices.ContainsFunc(to, func(end int) bool { return x.has[end] })
}

// between returns the ends of first from which second reaches to.
func (w *chartWalk) between(first cellKey, second func(at int) cellKey, to []int, least int) (ends []int) {
	if x := w.cells[first]; x != nil {
		for _, end := range x.ends {
			if end >= least && w.reaches(second(end), to) {
				ends = append(ends, end)
			}
		}
	}
	slices.Sort(ends)
	return ends
}

// walk derives k so that it ends at one of the places to, and then does what is left to do; it reports whether all that
// can be done, and leaves the tree as it was if not. Tail is the ID of the production at whose end k stands, "" if
// something follows.
func (w *chartWalk) walk(k cellKey, to []int, tail string, rest func(end int) bool) bool {
	w.Budget.Step(4)
	if w.tree.steps--; w.tree.steps < 0 || !w.reaches(k, to) {
		return false
	}
	switch e := k.e; e.Op {
	case expr.Empty:
		return rest(k.at)
	case expr.Class:
		return rest(k.at + 1)
	case expr.Literal:
		return rest(k.at + len(e.Lit))
	case expr.Ref:
		return w.enter(w.rules[e.Name], k.at, to, tail, rest)
	case expr.Seq:
		first := cellKey{e.Sub[k.n], 0, k.at}
		if k.n+1 == len(e.Sub) {
			return w.walk(first, to, tail, rest)
		}
		second := func(at int) cellKey { return cellKey{e, k.n + 1, at} }
		return w.walk(first, w.between(first, second, to, k.at), "", func(end int) bool {
			return w.walk(second(end), to, tail, rest)
		})
	case expr.Alt:
		for _, s := range e.Sub {
			if w.walk(cellKey{s, 0, k.at}, to, tail, rest) {
				return true
			}
		}
	case expr.Repeat:
		if more(e, k.n) {
			body := cellKey{e.Sub[0], 0, k.at}
			next := func(at int) cellKey { return cellKey{e, after(e, k.n), at} }
			least := k.at + 1
			if k.n < e.Min {
				least = k.at
			}
			ends, inside, then := w.between(body, next, to, least), "", func(end int) bool { return w.walk(next(end), to, tail, rest) }
			if k.n+1 == e.Max {
				inside, then = tail, rest
			}
			if w.walk(body, ends, inside, then) {
				return true
			}
		}
		return k.n >= e.Min && slices.Contains(to, k.at) && rest(k.at)
	}
	return false
}

// enter derives the production r.
func (w *chartWalk) enter(r *rule, at int, to []int, tail string, rest func(end int) bool) bool {
	key := fmt.Sprint(r.ID, at, to)
	if w.active[key] {
		return false
	}
	t := w.tree
	nodes, open := len(t.nodes), slices.Clone(t.open)
	restore := func() { t.nodes, t.open = t.nodes[:nodes], append(t.open[:0], open...) }
	w.active[key] = true
	goesOn := tail == r.ID
	if r.kind != 0 && !goesOn {
		t.begin(r.kind, at)
	}
	if r.kind != 0 {
		tail = r.ID
	}
	ok := w.walk(cellKey{r.Expr, 0, at}, to, tail, func(end int) bool {
		delete(w.active, key)
		before := slices.Clone(t.open)
		n := len(t.nodes)
		if r.kind != 0 && !goesOn {
			t.end(end)
		}
		if rest(end) {
			return true
		}
		t.nodes, t.open = t.nodes[:n], append(t.open[:0], before...)
		w.active[key] = true
		return false
	})
	if !ok {
		delete(w.active, key)
		restore()
	}
	return ok
}

// A tree is nodes in the order in which they are made, with those that are still open.
type tree struct {
	nodes []ast.Raw
	base  int // nodes that stood there before
	open  []int32
	steps int // left for what is derived of the empty word
}

// newTree returns a tree whose nodes follow dst.
func (in *grammar) newTree(dst []ast.Raw) *tree {
	return &tree{nodes: dst, base: len(dst), steps: in.Budget.Share(maxSteps)}
}

// maxSteps bounds what is derived of the empty word, which can grow exponentially with the number of productions: a share of the
// steps, of so many bits less.
const maxSteps = 4

// tooLarge returns the error for an input.
func (in *grammar) tooLarge() error {
	return fmt.Errorf("%w: the chart of %s", budget.ErrTooLarge, in.start.ID)
}

func (t *tree) begin(kind ast.Kind, at int) {
	t.open = append(t.open, int32(len(t.nodes)))
	t.nodes = append(t.nodes, ast.Raw{Kind: kind, Start: int32(at)})
}

func (t *tree) end(at int) {
	last := len(t.open) - 1
	n := &t.nodes[t.open[last]]
	n.End, n.Next = int32(at), int32(len(t.nodes)-t.base)
	t.open = t.open[:last]
}
