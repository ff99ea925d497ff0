package bnftogo

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// writable reports whether the counts of r can be written out.
func writable(r *expr.Rule) bool {
	deep, long := r.Expr.WithoutCounts()
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
	return writtenOut(e)
}

// writtenOut returns e written out if it is a repetition that has counts.
func writtenOut(e *expr.Expr) *expr.Expr {
	if e.Op != expr.Repeat || e.Min <= 1 && e.Max == expr.Unbounded || e.Min == 0 && e.Max == 1 {
		return e
	}
	body := e.Sub[0]
	var rest *expr.Expr
	if e.Max == expr.Unbounded {
		rest = expr.Times(body, 0, expr.Unbounded)
	} else {
		rest = expr.Cat()
		for range e.Max - e.Min {
			rest = expr.Opt(expr.Cat(body, rest))
		}
	}
	es := make([]*expr.Expr, 0, e.Min+1)
	for range e.Min {
		es = append(es, body)
	}
	all := expr.Cat(append(es, rest)...)
	all.Pos = e.Pos
	return all
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
	g     *expr.Grammar // not ordered
	facts *expr.Facts
	first map[string]expr.Set
	after map[string]follow
	loops bool // counts are not written out
}

// withoutCounts returns g with its counts written out, as far as they can be.
func withoutCounts(g *expr.Grammar) *expr.Grammar {
	var rules []*expr.Rule
	for _, r := range g.Rules {
		c := *r
		if writable(r) {
			c.Expr = countless(r.Expr)
		}
		rules = append(rules, &c)
	}
	return g.With(rules)
}

// newChecker returns the checker of g.
func newChecker(g *expr.Grammar) *checker {
	rules := g.Rules
	c := &checker{g: g, facts: expr.Analyze(rules), first: map[string]expr.Set{}, after: map[string]follow{}, loops: true}
	for changed := true; changed; {
		changed = false
		for _, r := range rules {
			if s := c.firstOf(r.Expr); s != c.first[r.ID] {
				c.first[r.ID], changed = s, true
			}
		}
	}
	for _, r := range rules {
		c.after[r.ID] = follow{end: true} // each production is a start
	}
	for changed := true; changed; {
		changed = false
		for _, r := range rules {
			c.walk(r.Expr, c.after[r.ID], func(id string, k follow) {
				if all := c.after[id].union(k); all != c.after[id] {
					c.after[id], changed = all, true
				}
			})
		}
	}
	return c
}

// checked returns the PEG of g with checks.
func checked(g *expr.Grammar, node func(id string) bool) *expr.Grammar {
	c := newChecker(g)
	p := &expr.Grammar{Name: g.Name, Title: g.Title, File: g.File, Ordered: true, Budget: g.Budget}
	for _, r := range c.g.Rules {
		d := *r
		c.loops = !writable(r)
		d.Expr = c.walk(r.Expr, c.after[r.ID], func(string, follow) {})
		if node(r.ID) {
			d.Expr = &expr.Expr{Op: expr.Node, Name: r.ID, Sub: []*expr.Expr{d.Expr}, Pos: r.Pos}
		}
		p.Rules = append(p.Rules, &d)
	}
	return p
}

// firstOf returns the bytes that words of e begin with.
func (c *checker) firstOf(e *expr.Expr) expr.Set {
	var s expr.Set
	if !c.facts.Derives(e) {
		return s
	}
	switch e.Op {
	case expr.Class:
		return e.Set
	case expr.Literal:
		s.Add(e.Lit[0])
	case expr.Ref:
		return c.first[e.Name]
	case expr.Seq:
		for _, x := range e.Sub {
			s = s.Union(c.firstOf(x))
			if !c.facts.Nullable(x) {
				break
			}
		}
	case expr.Alt:
		for _, x := range e.Sub {
			s = s.Union(c.firstOf(x))
		}
	case expr.Repeat:
		if e.Max != 0 {
			return c.firstOf(e.Sub[0])
		}
	}
	return s
}

// begin returns what can stand where e begins and k follows.
func (c *checker) begin(e *expr.Expr, k follow) follow {
	f := follow{bytes: c.firstOf(e)}
	if c.facts.Nullable(e) {
		f = f.union(k)
	}
	return f
}

// walk returns e with the checks that it needs before k. It calls use for each production that e uses.
func (c *checker) walk(e *expr.Expr, k follow, use func(id string, k follow)) *expr.Expr {
	switch e.Op {
	case expr.Ref:
		use(e.Name, k)
	case expr.Seq:
		sub := make([]*expr.Expr, len(e.Sub))
		for i := len(e.Sub) - 1; i >= 0; i-- {
			sub[i] = c.walk(e.Sub[i], k, use)
			k = c.begin(e.Sub[i], k)
		}
		all := expr.Cat(sub...)
		all.Pos = e.Pos
		return all
	case expr.Alt:
		out := *e
		out.Sub = make([]*expr.Expr, len(e.Sub))
		for i, x := range e.Sub {
			out.Sub[i] = c.walk(x, k, use)
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
		open := e.Min != e.Max && !c.firstOf(e.Sub[0]).Intersect(k.bytes).IsEmpty()           // what follows could be one more
		few := max(e.Min, e.Max) < enoughForLoop || e.Min == e.Max && e.Max < 3*enoughForLoop // one length is compared at once
		if !c.loops && (few || open && e.Max-e.Min <= deepest) {
			if out := writtenOut(e); out != e {
				return c.walk(out, k, use)
			}
		}
		again := k
		if e.Max != 1 {
			again = k.union(follow{bytes: c.firstOf(e.Sub[0])})
		}
		body := c.walk(e.Sub[0], again, use)
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
