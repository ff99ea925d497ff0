package bnftogo

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// This file turns a grammar without order into a PEG that tries the alternatives as they are
// printed.
//
// A PEG commits to the first alternative that matches, and to one more iteration wherever one
// matches. So a choice that the first byte does not decide gets a check: what was chosen must be
// followed by a byte that can follow it there. One byte is all that is added. Whether it is enough
// is not decided here, but by comparing languages (compile.go, nesting.go).

// canWriteOut reports whether the counts of e can be written out within the limits of package
// expr.
func canWriteOut(e *expr.Expr) bool {
	deep, long := e.WithoutCounts()
	return deep <= expr.DeepWithoutCounts && long <= expr.LongWithoutCounts
}

// withoutCounts returns e with each repetition that has counts written out.
func withoutCounts(e *expr.Expr) *expr.Expr {
	if len(e.Sub) == 0 {
		return e
	}
	e = e.Map(withoutCounts)
	if e.Op == expr.Seq {
		return expr.Cat(e.Sub...)
	}
	return e.WrittenOut()
}

// writeOutCounts returns a copy of g with its counts written out, except in rules where they are too high.
func writeOutCounts(g *expr.Grammar) *expr.Grammar {
	return g.Rewritten(func(e *expr.Expr) *expr.Expr {
		if canWriteOut(e) {
			return withoutCounts(e)
		}
		return e
	})
}

// enoughForLoop is the least count that makes a repetition a loop with a counter; repetitions with lower
// counts are written out. Tests lower it.
var enoughForLoop = 5

// maxOptions caps how many optional iterations are written out, each inside the one before.
const maxOptions = 80

// A follow tells what can stand after an expression: some byte of a set, or the end of the input.
type follow struct {
	bytes expr.Set
	end   bool
}

// union returns the follow that allows whatever f or g allows.
func (f follow) union(g follow) follow { return follow{f.bytes.Union(g.bytes), f.end || g.end} }

// overlaps reports whether a byte, or the end of the input, is in both.
func (f follow) overlaps(g follow) bool {
	return f.end && g.end || !f.bytes.Intersect(g.bytes).IsEmpty()
}

// A lookaheads adds checks of one byte to the expressions of a grammar. The embedded First returns the bytes
// that an expression can begin with.
type lookaheads struct {
	*expr.First
	g         *expr.Grammar // not ordered
	facts     *expr.Facts
	after     map[string]expr.Set // the bytes that can stand after a production
	keepLoops bool                // no counts are written out: those of the rule at hand are too high
}

// newLookaheads returns the lookaheads of g, which leave repetitions as loops. g has no order.
func newLookaheads(g *expr.Grammar) *lookaheads {
	facts := expr.Analyze(g.Rules)
	first := facts.First(g.Rules)
	return &lookaheads{
		First:     first,
		g:         g,
		facts:     facts,
		after:     first.Follow(g.Rules),
		keepLoops: true,
	}
}

// followOf returns the follow of a production. Each production is a start, so the input can end.
func (c *lookaheads) followOf(id string) follow { return follow{c.after[id], true} }

// withLookaheads returns g as a PEG with checks. node reports whether a production is a node; its expression is then
// inside an [expr.Node]. g, which must have no order, is not changed.
func withLookaheads(g *expr.Grammar, node func(id string) bool) *expr.Grammar {
	c := newLookaheads(g)
	peg := &expr.Grammar{
		Name:    g.Name,
		Title:   g.Title,
		File:    g.File,
		Ordered: true,
		Budget:  g.Budget,
	}
	for _, r := range c.g.Rules {
		checked := *r
		c.keepLoops = !canWriteOut(r.Expr)
		checked.Expr = c.addChecks(r.Expr, c.followOf(r.ID))
		if node(r.ID) {
			checked.Expr = &expr.Expr{
				Op:   expr.Node,
				Name: r.ID,
				Sub:  []*expr.Expr{checked.Expr},
				Pos:  r.Pos,
			}
		}
		peg.Rules = append(peg.Rules, &checked)
	}
	return peg
}

// startOf returns the bytes, or the end, that can come next where e begins, if k follows e.
func (c *lookaheads) startOf(e *expr.Expr, k follow) follow {
	f := follow{bytes: c.Of(e)}
	if c.facts.Nullable(e) {
		f = f.union(k)
	}
	return f
}

// addChecks returns e with the checks that it needs if k follows. e is not changed.
func (c *lookaheads) addChecks(e *expr.Expr, k follow) *expr.Expr {
	switch e.Op {
	case expr.Seq:
		sub := make([]*expr.Expr, len(e.Sub))
		for i := len(e.Sub) - 1; i >= 0; i-- {
			sub[i] = c.addChecks(e.Sub[i], k)
			k = c.startOf(e.Sub[i], k)
		}
		all := expr.Cat(sub...)
		all.Pos = e.Pos
		return all
	case expr.Alt:
		out := *e
		out.Sub = make([]*expr.Expr, len(e.Sub))
		for i, x := range e.Sub {
			out.Sub[i] = c.addChecks(x, k)
			if c.needsCheck(x, e.Sub[i+1:], k) {
				out.Sub[i] = followedBy(out.Sub[i], k)
			}
		}
		return &out
	case expr.Repeat:
		return c.addChecksToRepeat(e, k)
	}
	return e
}

// needsCheck reports whether the first byte does not decide between the alternative x and one of
// the later alternatives, where k follows all of them.
func (c *lookaheads) needsCheck(x *expr.Expr, later []*expr.Expr, k follow) bool {
	mine := c.startOf(x, k)
	for _, y := range later {
		theirs := c.startOf(y, k)
		// If x is nullable it matches, empty, before any byte: also before one that only y can
		// read.
		hides := c.facts.Nullable(x) && !theirs.bytes.Minus(mine.bytes).IsEmpty()
		if hides || mine.overlaps(theirs) {
			return true
		}
	}
	return false
}

// addChecksToRepeat is addChecks for a repetition. An iteration is checked if what follows the
// repetition could be one more. Some counts are written out first: see writesOut.
func (c *lookaheads) addChecksToRepeat(e *expr.Expr, k follow) *expr.Expr {
	ambiguous := e.Min != e.Max && !c.Of(e.Sub[0]).Intersect(k.bytes).IsEmpty()
	if c.writesOut(e, ambiguous) {
		if out := e.WrittenOut(); out != e { // a star, or a single option, stays as it is
			return c.addChecks(out, k)
		}
	}
	again := k // what can follow an iteration
	if e.Max != 1 {
		again = k.union(follow{bytes: c.Of(e.Sub[0])})
	}
	body := c.addChecks(e.Sub[0], again)
	if ambiguous {
		body = followedBy(body, again)
	}
	out := *e
	out.Sub = []*expr.Expr{body}
	return &out
}

// writesOut reports whether the counts of a repetition are written out, so that it is no loop.
// ambiguous says that the byte after an iteration does not tell whether another one follows.
func (c *lookaheads) writesOut(e *expr.Expr, ambiguous bool) bool {
	switch {
	case c.keepLoops:
		return false
	case max(e.Min, e.Max) < enoughForLoop: // a star as well, which [expr.Expr.WrittenOut] leaves as it is
		return true
	case e.Min == e.Max:
		// A fixed count is compared at once, so three times as many iterations are no more code.
		return e.Max < 3*enoughForLoop
	}
	// A loop cannot go back to fewer iterations. Written out, each option has a check of its own.
	return ambiguous && e.Max-e.Min <= maxOptions
}

// followedBy returns e with the check that k follows. If anything can follow it returns e.
func followedBy(e *expr.Expr, k follow) *expr.Expr {
	var condition *expr.Expr
	switch {
	case k.end && k.bytes == expr.AnyByte:
		return e
	case k.end:
		// There is no byte at the end, so the check is that no wrong byte follows.
		condition = expr.Lookahead(expr.In(k.bytes.Complement()), true)
	default:
		condition = expr.Lookahead(expr.In(k.bytes), false)
	}
	if e.Op == expr.Alt { // Cat flattens sequences only
		return &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{e, condition}, Pos: e.Pos}
	}
	all := expr.Cat(e, condition)
	all.Pos = e.Pos
	return all
}
