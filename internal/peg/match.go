package peg

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A Node is a node of the tree that a rule makes: the production that its action names, its text, and the nodes below it.
type Node struct {
	Name       string
	Start, End int
	Children   []*Node
}

// Match matches e against a prefix of src, as the definition of a PEG has it (Ford 2004): alternatives in order, the
// first that matches; repetitions as often as they match; lookahead without consuming and without nodes. It returns the
// end of the match, -1 where there is none, and the outermost nodes that the match makes.
//
// It is the reference that parsers are compared with, so it is simple. What a rule does at a place is computed once, so
// that its time is polynomial in the length of src. The expression and the rules that it uses must not be left-recursive;
// a repetition ends with a round that consumes nothing.
func Match(g *expr.Grammar, e *expr.Expr, src string) (end int, nodes []*Node) {
	m := matcher{g, src, map[matchKey]matched{}}
	r := m.match(e, 0)
	return r.end, r.nodes
}

type matcher struct {
	g    *expr.Grammar
	src  string
	done map[matchKey]matched // by rule and place
}

type matchKey struct {
	rule string
	at   int
}

type matched struct {
	end   int
	nodes []*Node
}

var noMatch = matched{end: -1}

func (m *matcher) match(e *expr.Expr, i int) matched {
	switch e.Op {
	case expr.Class:
		if i < len(m.src) && e.Set.Has(m.src[i]) {
			return matched{end: i + 1}
		}
		return noMatch
	case expr.Literal:
		if strings.HasPrefix(m.src[i:], e.Lit) {
			return matched{end: i + len(e.Lit)}
		}
		return noMatch
	case expr.Ref:
		k := matchKey{e.Name, i}
		r, ok := m.done[k]
		if !ok {
			r = m.match(m.g.Rule(e.Name).Expr, i)
			m.done[k] = r
		}
		return r
	case expr.Seq:
		all := matched{end: i}
		for _, s := range e.Sub {
			if all = m.then(all, s); all.end < 0 {
				return noMatch
			}
		}
		return all
	case expr.Alt:
		for _, s := range e.Sub {
			if r := m.match(s, i); r.end >= 0 {
				return r
			}
		}
		return noMatch
	case expr.Repeat:
		all := matched{end: i}
		n := 0
		for ; e.Max == expr.Unbounded || n < e.Max; n++ {
			r := m.then(all, e.Sub[0])
			if r.end < 0 {
				break
			}
			empty := r.end == all.end
			all = r
			if empty && e.Max == expr.Unbounded && n >= e.Min {
				break // it would go on like this
			}
		}
		if n < e.Min {
			return noMatch
		}
		return all
	case expr.And, expr.Not:
		if (m.match(e.Sub[0], i).end >= 0) != (e.Op == expr.And) {
			return noMatch
		}
	case expr.Node:
		r := m.match(e.Sub[0], i)
		if r.end < 0 {
			return noMatch
		}
		return matched{r.end, []*Node{{e.Name, i, r.end, r.nodes}}}
	}
	return matched{end: i}
}

// then matches e where r ends. The nodes of r are not changed, since they can be a rule's.
func (m *matcher) then(r matched, e *expr.Expr) matched {
	next := m.match(e, r.end)
	switch {
	case next.end < 0 || len(next.nodes) == 0:
		next.nodes = r.nodes
	case len(r.nodes) > 0:
		next.nodes = append(r.nodes[:len(r.nodes):len(r.nodes)], next.nodes...)
	}
	return next
}
