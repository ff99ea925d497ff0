package lang

import (
	"fmt"
	"sort"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Two grammars without any string are equal, and nobody means to ask that. This file finds the place in a production,
// or in a rule of a PEG, that leaves it without a string.

// A Nothing is the reason why a production has no string.
type Nothing struct {
	Pos expr.Pos
	Why string // a sentence without a full stop
}

// FindNothing returns the reason why a production has no string, or why a rule of a PEG matches none from its first
// byte to its last. It returns nil if there is such a string. It fails if the production is unknown, or if a rule has
// no automaton.
func FindNothing(g *expr.Grammar, id string, l Limits) (*Nothing, error) {
	r, err := g.Lookup(id)
	if err != nil {
		return nil, err
	}
	if !g.Ordered {
		return findUnproductive(g, r), nil
	}
	p, err := NewPEG(g, l)
	if err != nil {
		return nil, err
	}
	if l, err := p.WholeOf(expr.To(r.ID)); err != nil || l != NoWord {
		return nil, err
	}
	return p.findUnmatched(r)
}

// findUnproductive goes down from r to the part that derives nothing by itself: to the first such part of a sequence,
// and to the first of several alternatives. It returns nil if r derives something.
func findUnproductive(g *expr.Grammar, r *expr.Rule) *Nothing {
	facts := expr.Analyze(g.Rules)
	if facts.Derives(r.Expr) {
		return nil
	}
	entered := map[*expr.Rule]bool{r: true}
	for e, at := r.Expr, r.Pos; ; {
		if e.Pos.Line > 0 {
			at = e.Pos
		}
		switch e.Op {
		case expr.Ref:
			used := g.Rule(e.Name)
			if used == nil {
				return &Nothing{at, fmt.Sprintf("`%s` is not defined", e.Name)}
			}
			if entered[used] {
				return &Nothing{at, fmt.Sprintf("every derivation of `%s` comes back to it", used.Label())}
			}
			entered[used] = true
			r, e = used, used.Expr
			at = r.Pos
		case expr.Seq, expr.Alt, expr.Repeat, expr.Node:
			next := e.Sub[0]
			for _, s := range e.Sub {
				if !facts.Derives(s) {
					next = s
					break
				}
			}
			e = next
		default: // a class
			if e.Name != "" {
				return &Nothing{at, fmt.Sprintf("`%s` is not defined", e.Name)}
			}
			return &Nothing{at, fmt.Sprintf("`%s` derives nothing: no character is in this class", r.Label())}
		}
	}
}

// findUnmatched returns the place of the first part of r that no input gets past. It descends as far as it finds such
// a part. If r itself can succeed, it matches nothing because it succeeds only where more follows, and the reason says
// so. If the error is not nil the reason means nothing.
func (p *PEG) findUnmatched(r *expr.Rule) (*Nothing, error) {
	entered := map[*expr.Rule]bool{r: true}
	var before []*expr.Expr
	var failed error
	fails := func(parts ...*expr.Expr) bool {
		l, err := p.languageBefore(expr.Cat(append(before[:len(before):len(before)], parts...)...), anywhere, nil)
		if err != nil {
			failed = err
		}
		return err == nil && l == NoWord
	}
	if !fails(r.Expr) {
		why := fmt.Sprintf("`%s` succeeds only where more follows that it does not match", r.ID)
		return &Nothing{r.Pos, why}, failed
	}
	e, at := r.Expr, r.Pos
	for failed == nil {
		if e.Pos.Line > 0 {
			at = e.Pos
		}
		next := e
		switch e.Op {
		case expr.Seq:
			// The longer a beginning is, the fewer inputs it succeeds on.
			n := sort.Search(len(e.Sub)-1, func(i int) bool { return fails(e.Sub[:i+1]...) })
			before = append(before[:len(before):len(before)], e.Sub[:n]...)
			next = e.Sub[n]
		case expr.Alt, expr.Node, expr.Repeat:
			next = e.Sub[0]
		case expr.Ref:
			if used := p.g.Rule(e.Name); used != nil && !entered[used] {
				entered[used] = true
				next = used.Expr
			}
		}
		if next == e || e.Op != expr.Seq && !fails(next) {
			break
		}
		e = next
	}
	return &Nothing{at, "nothing matches from here on"}, failed
}
