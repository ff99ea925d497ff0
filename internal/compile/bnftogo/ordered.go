package bnftogo

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// writable reports whether the counts of e can be written out.
func writable(e *expr.Expr) bool {
	deep, long := e.WithoutCounts()
	return deep <= expr.DeepWithoutCounts && long <= expr.LongWithoutCounts
}

// countless returns e with each repetition that has counts written out.
func countless(e *expr.Expr) *expr.Expr {
	if len(e.Sub) == 0 {
		return e
	}
	e = e.Map(countless)
	if e.Op == expr.Seq {
		return expr.Cat(e.Sub...)
	}
	return e.WrittenOut()
}

// enoughForLoop is how often something must be repeated at most, or at least, so that it becomes a loop that counts. Tests have such
// loops for less.
var enoughForLoop = 5

// deepest is how deep options may be in each other where what follows a repetition could be one more.
const deepest = 80

// A follow is what can stand behind an expression: the bytes, and whether the input can end.
type follow struct {
	bytes expr.Set
	end   bool
}

func (f follow) union(g follow) follow { return follow{f.bytes.Union(g.bytes), f.end || g.end} }

// A checker adds to a PEG what one byte of lookahead can add: where a first byte does not decide between alternatives, or
// whether an iteration follows, what is chosen must be followed by a byte that can follow it.
type checker struct {
	*expr.First
	g     *expr.Grammar // not ordered
	facts *expr.Facts
	after map[string]expr.Set // what can stand behind a production, each of which is a start
	loops bool                // counts are not written out
}

// withoutCounts returns g with its counts written out, as far as they can be.
func withoutCounts(g *expr.Grammar) *expr.Grammar {
	return g.Rewritten(func(e *expr.Expr) *expr.Expr {
		if writable(e) {
			return countless(e)
		}
		return e
	})
}

// newChecker returns the checker of g.
func newChecker(g *expr.Grammar) *checker {
	facts := expr.Analyze(g.Rules)
	first := facts.First(g.Rules)
	return &checker{first, g, facts, first.Follow(g.Rules), true}
}

// behind returns what can stand behind a production.
func (c *checker) behind(id string) follow { return follow{c.after[id], true} }

// checked returns the PEG of g with checks.
func checked(g *expr.Grammar, node func(id string) bool) *expr.Grammar {
	c := newChecker(g)
	p := &expr.Grammar{Name: g.Name, Title: g.Title, File: g.File, Ordered: true, Budget: g.Budget}
	for _, r := range c.g.Rules {
		d := *r
		c.loops = !writable(r.Expr)
		d.Expr = c.walk(r.Expr, c.behind(r.ID))
		if node(r.ID) {
			d.Expr = &expr.Expr{Op: expr.Node, Name: r.ID, Sub: []*expr.Expr{d.Expr}, Pos: r.Pos}
		}
		p.Rules = append(p.Rules, &d)
	}
	return p
}

// begin returns what can stand where e begins and k follows.
func (c *checker) begin(e *expr.Expr, k follow) follow {
	f := follow{bytes: c.Of(e)}
	if c.facts.Nullable(e) {
		f = f.union(k)
	}
	return f
}

// walk returns e with the checks that it needs before k.
func (c *checker) walk(e *expr.Expr, k follow) *expr.Expr {
	switch e.Op {
	case expr.Seq:
		sub := make([]*expr.Expr, len(e.Sub))
		for i := len(e.Sub) - 1; i >= 0; i-- {
			sub[i] = c.walk(e.Sub[i], k)
			k = c.begin(e.Sub[i], k)
		}
		all := expr.Cat(sub...)
		all.Pos = e.Pos
		return all
	case expr.Alt:
		out := *e
		out.Sub = make([]*expr.Expr, len(e.Sub))
		for i, x := range e.Sub {
			out.Sub[i] = c.walk(x, k)
			mine := c.begin(x, k)
			for _, y := range e.Sub[i+1:] {
				theirs := c.begin(y, k)
				before := c.facts.Nullable(x) && !theirs.bytes.Minus(mine.bytes).IsEmpty() // x derives the empty word before any byte
				if before || mine.end && theirs.end || !mine.bytes.Intersect(theirs.bytes).IsEmpty() {
					out.Sub[i] = check(out.Sub[i], k)
					break
				}
			}
		}
		return &out
	case expr.Repeat:
		open := e.Min != e.Max && !c.Of(e.Sub[0]).Intersect(k.bytes).IsEmpty()                // what follows could be one more
		few := max(e.Min, e.Max) < enoughForLoop || e.Min == e.Max && e.Max < 3*enoughForLoop // one length is compared at once
		if !c.loops && (few || open && e.Max-e.Min <= deepest) {
			if out := e.WrittenOut(); out != e {
				return c.walk(out, k)
			}
		}
		again := k
		if e.Max != 1 {
			again = k.union(follow{bytes: c.Of(e.Sub[0])})
		}
		body := c.walk(e.Sub[0], again)
		if open {
			body = check(body, again)
		}
		out := *e
		out.Sub = []*expr.Expr{body}
		return &out
	}
	return e
}

// check returns e followed by the condition that k follows.
func check(e *expr.Expr, k follow) *expr.Expr {
	var condition *expr.Expr
	switch {
	case k.end && k.bytes == expr.AnyByte:
		return e
	case k.end:
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
