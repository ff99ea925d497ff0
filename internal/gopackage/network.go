package gopackage

import (
	"bytes"
	"fmt"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// networkFile returns the file with the network that explains rejections, for a grammar in which a production embeds itself.
func (p *writer) networkFile() []byte {
	n := &networker{p: p, facts: expr.Analyze(p.bnf.Rules), kinds: map[string]int{}, first: map[string]expr.Set{}}
	for i, r := range p.bnf.Rules {
		n.kinds[r.ID] = i + 1
	}
	for changed := true; changed; {
		changed = false
		for _, r := range p.bnf.Rules {
			if s := n.firstOf(r.Expr); s != n.first[r.ID] {
				n.first[r.ID], changed = s, true
			}
		}
	}
	n.state(0) // no state
	var b, start, kind, final, edges, empty bytes.Buffer
	for i, r := range p.bnf.Rules {
		from := n.state(i + 1)
		end := n.state(i + 1)
		n.final[end] = true
		n.build(r.Expr, from, end)
		fmt.Fprintf(&start, "%s: %d,\n", p.kind(r.ID), from)
		fmt.Fprintf(&empty, "%s: %t,\n", p.kind(r.ID), n.facts.Nullable(r.Expr))
	}
	n.closeSilent()
	for q := range n.kind {
		fmt.Fprintf(&kind, "%d,", n.kind[q])
		fmt.Fprintf(&final, "%t,", n.final[q])
		if q%16 == 15 {
			kind.WriteByte('\n')
			final.WriteByte('\n')
		}
		edges.WriteString("{")
		for _, e := range n.edges[q] {
			fmt.Fprintf(&edges, "{To: %d, ", e.To)
			if e.Call != 0 {
				fmt.Fprintf(&edges, "Call: %d, ", e.Call)
			}
			fmt.Fprintf(&edges, "Set: ast.ByteSet{%#x, %#x, %#x, %#x}", e.Set[0], e.Set[1], e.Set[2], e.Set[3])
			if e.Term != "" {
				fmt.Fprintf(&edges, ", Term: %q", e.Term)
			}
			edges.WriteString("}, ")
		}
		edges.WriteString("},\n")
	}
	p.header(&b)
	fmt.Fprintf(&b, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n\n// network holds the automata that explain rejections: %d states. Productions embed themselves.\nvar network = ast.Network{\nStart: []uint16{\n%s},\nKind: []ast.Kind{\n%s\n},\nFinal: []bool{\n%s\n},\nEdges: [][]ast.NetworkEdge{\n%s},\nEmpty: []bool{\n%s},\n}\n",
		p.Package, len(n.kind), &start, &kind, &final, &edges, &empty)
	return b.Bytes()
}

type networker struct {
	p      *writer
	facts  *expr.Facts
	kinds  map[string]int
	first  map[string]expr.Set
	kind   []int // by state
	final  []bool
	edges  [][]ast.NetworkEdge
	silent [][]int
}

func (n *networker) state(kind int) int {
	n.kind, n.final = append(n.kind, kind), append(n.final, false)
	n.edges, n.silent = append(n.edges, nil), append(n.silent, nil)
	return len(n.kind) - 1
}

func (n *networker) firstOf(e *expr.Expr) (s expr.Set) {
	switch e.Op {
	case expr.Class:
		return e.Set
	case expr.Literal:
		return expr.Bytes(e.Lit[:1])
	case expr.Ref:
		return n.first[e.Name]
	case expr.Seq:
		for _, sub := range e.Sub {
			s = s.Union(n.firstOf(sub))
			if !n.facts.Nullable(sub) {
				break
			}
		}
		return s
	}
	for _, sub := range e.Sub {
		s = s.Union(n.firstOf(sub))
	}
	return s
}

// build makes e lead from one state to another. What derives nothing leads nowhere.
func (n *networker) build(e *expr.Expr, from, to int) {
	if !n.facts.Derives(e) {
		return
	}
	kind := n.kind[from]
	edge := func(from, to int, call int, s expr.Set, term string) {
		n.edges[from] = append(n.edges[from], ast.NetworkEdge{To: uint16(to), Call: ast.Kind(call), Set: ast.ByteSet(s), Term: term})
	}
	switch e.Op {
	case expr.Empty:
		n.silent[from] = append(n.silent[from], to)
	case expr.Class:
		term := e.Set.String()
		if e.Set.Len() == 1 {
			term = ast.Quote(string(e.Set.Members()))
		}
		if e.Chars != "" {
			term = e.Chars
		}
		edge(from, to, 0, e.Set, term)
	case expr.Literal:
		for i := range len(e.Lit) {
			next := to
			if i < len(e.Lit)-1 {
				next = n.state(kind)
			}
			edge(from, next, 0, expr.Bytes(e.Lit[i:i+1]), fmt.Sprintf("%q", e.Lit[i:]))
			from = next
		}
	case expr.Ref:
		term := ""
		if n.p.lexical(e.Name) {
			term = n.p.bnf.Rule(e.Name).Name
		}
		edge(from, to, n.kinds[e.Name], n.first[e.Name], term)
	case expr.Seq:
		for i, s := range e.Sub {
			next := to
			if i < len(e.Sub)-1 {
				next = n.state(kind)
			}
			n.build(s, from, next)
			from = next
		}
	case expr.Alt:
		for _, s := range e.Sub {
			n.build(s, from, to)
		}
	case expr.Repeat:
		for range e.Min {
			next := n.state(kind)
			n.build(e.Sub[0], from, next)
			from = next
		}
		if e.Max == expr.Unbounded {
			loop := n.state(kind)
			n.silent[from] = append(n.silent[from], loop)
			n.build(e.Sub[0], loop, loop)
			from = loop
		}
		for range max(e.Max-e.Min, 0) {
			n.silent[from] = append(n.silent[from], to)
			next := n.state(kind)
			n.build(e.Sub[0], from, next)
			from = next
		}
		n.silent[from] = append(n.silent[from], to)
	}
}

// closeSilent adds to each state the edges of those that it leads to without reading.
func (n *networker) closeSilent() {
	edges, final := make([][]ast.NetworkEdge, len(n.kind)), make([]bool, len(n.kind))
	for q := range n.kind {
		seen := map[int]bool{q: true}
		for todo := []int{q}; len(todo) > 0; todo = todo[1:] {
			edges[q] = append(edges[q], n.edges[todo[0]]...)
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
