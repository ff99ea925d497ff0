package annotated

import (
	"fmt"
	"math"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Network returns the network that explains rejections by a grammar in which a production embeds itself. A production for
// which lexical returns true is a term of its own. The error wraps [budget.ErrTooLarge] if there are too many states.
func Network(g *expr.Grammar, lexical func(id string) bool) (net *ast.Network, err error) {
	defer budget.Catch(&err)
	return network(g, lexical, false)
}

// mostNetwork caps the states of a network.
const mostNetwork = 1 << 20

// network is [Network]. The numbers of the states in which productions begin must fit 16 bits. If they do not in the usual
// order, network is tried again with first set, which numbers these states before all others. The usual order stays, so
// that packages that exist do not change.
func network(g *expr.Grammar, lexical func(id string) bool, first bool) (net *ast.Network, err error) {
	facts := expr.Analyze(g.Rules)
	n := &networker{
		g: g, lexical: lexical, facts: facts, kinds: map[string]int{}, first: facts.First(g.Rules),
		words: newWordMarker(), classNames: classNames(g),
	}
	for i, r := range g.Rules {
		n.kinds[r.ID] = i + 1
	}
	n.State() // no state
	out := &ast.Network{Start: make([]uint16, 1, len(g.Rules)+1), Empty: make([]bool, 1, len(g.Rules)+1)}
	starts := make([]int32, len(g.Rules))
	if first {
		for i := range starts {
			n.in = i + 1
			starts[i] = n.State()
		}
	}
	for i, r := range g.Rules {
		if n.in = i + 1; starts[i] == 0 {
			starts[i] = n.State()
		}
		from, end := starts[i], n.State()
		n.final[end] = true
		expr.Make(n, n.words.mark(r.Expr), from, end, true)
		if len(n.kind) > math.MaxUint16 && !first {
			return network(g, lexical, true)
		}
		if len(n.kind) > mostNetwork || from > math.MaxUint16 {
			return nil, fmt.Errorf("%w: %s: the network that explains rejections has more than %d states", budget.ErrTooLarge, g.Name, mostNetwork)
		}
		out.Start, out.Empty = append(out.Start, uint16(from)), append(out.Empty, n.facts.Nullable(r.Expr))
	}
	n.closeSilent()
	for _, k := range n.kind {
		out.Kind = append(out.Kind, ast.Kind(k))
	}
	out.Final, out.Edges = n.final, n.edges
	return out, nil
}

// A networker makes a network. It is the [expr.Maker] of each production in turn.
type networker struct {
	g       *expr.Grammar
	lexical func(id string) bool
	facts   *expr.Facts
	kinds   map[string]int
	first   *expr.First
	in      int   // the kind of the production in the making
	kind    []int // by state: the kind of the production it belongs to
	final   []bool
	edges   [][]ast.NetworkEdge
	silent  [][]int32 // by state: the states it leads to without reading

	words      *wordMarker
	classNames map[expr.Set]*expr.Rule // the productions that are a class, by the class
}

// State is part of [expr.Maker].
func (n *networker) State() int32 {
	n.kind, n.final = append(n.kind, n.in), append(n.final, false)
	n.edges, n.silent = append(n.edges, nil), append(n.silent, nil)
	return int32(len(n.kind) - 1)
}

// Silent is part of [expr.Maker].
func (n *networker) Silent(from, to int32) { n.silent[from] = append(n.silent[from], to) }

// Known is part of [expr.Maker]. What derives nothing leads nowhere.
func (n *networker) Known(e *expr.Expr, _, _ int32) bool {
	n.g.Budget.Step(2)
	return !n.facts.Derives(e) || len(n.kind) > mostNetwork // which is refused
}

// Part is part of [expr.Maker].
func (n *networker) Part(e *expr.Expr, from, to int32, _ bool) {
	edge := func(from, to int32, call int, s expr.Set, term string) {
		n.edges[from] = append(n.edges[from], ast.NetworkEdge{To: uint32(to), Call: ast.Kind(call), Set: ast.ByteSet(s), Term: term})
	}
	in := n.g.Rules[n.in-1].ID
	switch e.Op {
	case expr.Class:
		term, _ := n.words.term(terminal{e, 0, in}, n.g, n.classNames)
		edge(from, to, 0, e.Set, term)
	case expr.Literal:
		for i := range len(e.Lit) {
			next := to
			if i < len(e.Lit)-1 {
				next = n.State()
			}
			n.g.Budget.Step(10)
			term, _ := n.words.term(terminal{e, i, in}, n.g, n.classNames)
			edge(from, next, 0, expr.Bytes(e.Lit[i:i+1]), term)
			from = next
		}
	case expr.Ref:
		term := ""
		if n.lexical(e.Name) {
			term = n.g.Rule(e.Name).Name
		}
		edge(from, to, n.kinds[e.Name], n.first.Of(e), term)
	}
}

// closeSilent adds to each state the edges of all states that it leads to without reading, and makes it final if one of
// them is.
func (n *networker) closeSilent() {
	const edgeBytes = 160 // with what the growth of a list leaves behind
	held := int64(0)
	edges, final := make([][]ast.NetworkEdge, len(n.kind)), make([]bool, len(n.kind))
	for q := range n.kind {
		seen := map[int32]bool{int32(q): true}
		for todo := []int32{int32(q)}; len(todo) > 0; todo = todo[1:] {
			n.g.Budget.Step(1 + 4*len(n.edges[todo[0]]))
			edges[q] = append(edges[q], n.edges[todo[0]]...)
			held += edgeBytes * int64(len(n.edges[todo[0]]))
			n.g.Budget.Room(held)
			final[q] = final[q] || n.final[todo[0]]
			for _, to := range n.silent[todo[0]] {
				if !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	n.edges, n.final = edges, final
}
