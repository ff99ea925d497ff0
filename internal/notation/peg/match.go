package peg

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Node is a node of the tree that a rule makes: the production that its action names, its text, and the nodes
// below it.
type Node struct {
	Name       string
	Start, End int
	Children   []*Node
}

// Accepts reports whether the rule with this ID matches all of s: see [Match]. It fails if the budget of g is used up.
func Accepts(g *expr.Grammar, id, s string) (yes bool, err error) {
	defer budget.Catch(&err)
	end, _ := Match(g, expr.To(id), s, 0)
	return end == len(s), nil
}

// Match matches e against s from an offset on, as the definition of a PEG has it (Ford 2004) and as pigeon's parser
// does: alternatives in order, the first that matches; repetitions as often as they match; lookahead without
// consuming and without nodes. It returns the end of the match, -1 where there is none, and the outermost nodes that
// the match makes.
//
// It is the reference that parsers are compared with, so it is simple. The match of a rule at an offset is computed
// once, so that the time is polynomial in the length of s. A rule that is not defined matches nothing; a repetition
// ends with a round that consumes nothing. The expression and the rules that it uses must not be left-recursive.
// Match panics with a [*budget.Exceeded] if g.Budget is spent.
func Match(g *expr.Grammar, e *expr.Expr, s string, from int) (end int, nodes []*Node) {
	m := matcher{g: g, src: s, done: map[matchKey]matched{}}
	r := m.match(e, from)
	return r.end, r.nodes
}

// A Matcher is [Match] for several expressions of a grammar and one string. The matches of some rules are
// given by a function.
type Matcher struct{ m matcher }

// NewMatcher returns a matcher. Own returns where the match of a rule at an offset ends, -1 for none; ok is false
// for other rules.
func NewMatcher(g *expr.Grammar, s string, own func(rule string, at int) (end int, ok bool)) *Matcher {
	return &Matcher{matcher{g: g, src: s, done: map[matchKey]matched{}, own: own}}
}

// End returns where the match of e at an offset ends, -1 if there is none.
func (m *Matcher) End(e *expr.Expr, at int) int { return m.m.match(e, at).end }

// A matcher matches expressions against src, at offsets in bytes. Its methods take steps of g.Budget, and panic as
// [Match] does.
type matcher struct {
	g    *expr.Grammar
	src  string
	done map[matchKey]matched // by rule and offset; nil where an account is kept
	own  func(rule string, at int) (end int, ok bool)

	at    *Trace // what is being matched; nil where no account is kept
	ahead int    // how many lookaheads that is in
}

// A matchKey is a rule and the offset at which it is matched.
type matchKey struct {
	rule string
	at   int
}

// A matched is a match: where it ends, -1 if there is none, and the outermost nodes that it makes.
type matched struct {
	end   int
	nodes []*Node
}

// noMatch stands for no match.
var noMatch = matched{end: -1}

// apply returns the match at i of the rule with this ID; a rule that does not exist matches nothing. Unless
// attempts are traced, m.done keeps each match, and is asked first; then m.own gives the match if it knows the
// rule.
func (m *matcher) apply(id string, i int) matched {
	r := m.g.Rule(id)
	switch {
	case r == nil:
		return noMatch
	case m.at != nil:
		return m.traced(r, i)
	}
	k := matchKey{id, i}
	known, ok := m.done[k]
	if !ok {
		if m.own != nil {
			known.end, ok = m.own(id, i)
		}
		if !ok {
			known = m.match(r.Expr, i)
		}
		m.done[k] = known
	}
	return known
}

// match returns the match of e at i; its end is -1 if there is none. An empty round ends a repetition that has made no
// nodes, and the rounds that it still needs count as matched: all further ones would be the same. Where there are
// nodes, the repetition goes on to its highest count or, without one, beyond its lowest.
func (m *matcher) match(e *expr.Expr, i int) matched {
	m.g.Budget.Step(1)
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
		return m.apply(e.Name, i)
	case expr.Seq:
		all := matched{end: i}
		for _, s := range e.Sub {
			all = m.then(all, s)
			if all.end < 0 {
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
			if empty && (len(r.nodes) == 0 || e.Max == expr.Unbounded && n >= e.Min) {
				n = max(n+1, e.Min) // it would go on like this
				break
			}
		}
		if n < e.Min {
			return noMatch
		}
		return all
	case expr.And, expr.Not:
		m.ahead++
		matches := m.match(e.Sub[0], i).end >= 0
		m.ahead--
		if matches != (e.Op == expr.And) {
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

// then matches e where r ends, and returns the match of both. r must have matched. The end is negative if e does not
// match. The nodes of r are not changed, since they can be a rule's.
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
