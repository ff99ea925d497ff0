package lang

import (
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// FromBNF returns the words that the production derives in g, which must not be ordered. It is exact. If a production
// that the given one uses embeds itself, it fails with a [*expr.SelfEmbedding]; if a limit of g's budget is passed,
// with an error that wraps [ErrTooLarge]. A name without a definition derives nothing.
func FromBNF(g *expr.Grammar, id string) (_ *DFA, err error) {
	defer budget.Catch(&err)
	g.Budget.Check()
	r, err := g.Lookup(id)
	if err != nil {
		return nil, err
	}
	b, err := NewBNF(g.Part(r.ID))
	if err != nil {
		return nil, err
	}
	return b.DFA(r.ID)
}

// FromExpr returns the words that e derives in g, under the same conditions as [FromBNF].
func FromExpr(g *expr.Grammar, e *expr.Expr) (_ *DFA, err error) {
	defer budget.Catch(&err)
	g.Budget.Check()
	b, err := NewBNF(g.Part(expr.Refs(e)...), e)
	if err != nil {
		return nil, err
	}
	return b.s.DFAOf(b.OfExpr(e))
}

// NewBNF returns a BNF for the productions of g, and for extra, in a space of its own. An automaton has at most as many
// states as one that [FromBNF] returns. It fails if g is ordered, and if the budget of g is used up.
func NewBNF(g *expr.Grammar, extra ...*expr.Expr) (b *BNF, err error) {
	defer budget.Catch(&err)
	return NewSpace(Limits{DFA: Limits{}.maxDFA()}, []*expr.Grammar{g}, extra...).BNF(g)
}

// Faults returns, by ID, the errors with which [FromBNF] fails for productions of g because of their form: they use a
// lookahead, or one that embeds itself. It looks at the grammar once, and FromBNF at all that a production uses. It fails
// as [NewBNF] does.
func Faults(g *expr.Grammar) (map[string]error, error) {
	b, err := NewBNF(g)
	if err != nil {
		return nil, err
	}
	return b.failed, nil
}

// DFA returns the words that the production with this ID derives. It fails as [FromBNF] does.
func (b *BNF) DFA(id string) (*DFA, error) { return b.s.DFAOf(b.Of(id)) }

// Options control [BuildNFA]. The zero value keeps nothing, under the usual limits.
type Options struct {
	// Keep reports whether an explanation names a production and looks into it. Any other production is called
	// lexical. A use of one is a single edge for all the single bytes that it derives, and that edge's Term is the use
	// itself: where uchar is not kept, "uchar" is what may stand there. Longer strings that it derives, such as uchar's
	// escape, are read by edges of their own. The start production is always kept.
	//
	// A nil Keep keeps nothing, and alternatives of one byte are merged as well. The NFA is then the smallest, and its
	// terms mean nothing.
	Keep   func(id string) bool
	Limits Limits
}

// BuildNFA returns an automaton for the words that the production derives in g, in which every edge has the terminal
// occurrence that it reads. Conditions and errors are those of [FromBNF]. Productions that do not use themselves are
// copied to each place where they are used. Those that do become loops as in Mohri and Nederhof ("Regular
// Approximation of Context-Free Grammars through Transformation", 2001), who show that nothing is approximated if
// each set of mutually recursive productions is right-linear or left-linear. The contexts in such a loop are those of
// its first round.
func BuildNFA(g *expr.Grammar, id string, o Options) (n *NFA, err error) {
	defer budget.Catch(&err)
	r := budget.Must(g.Lookup(id))
	facts := budget.Must(analyze(g, expr.To(r.ID)))
	o.Limits = o.Limits.forGrammars(g)
	b := &nfaBuilder{
		g: g, facts: facts, n: NewNFA(g.Budget), o: o,
		contexts: map[Context]*Context{}, split: map[string]oneByte{},
	}
	b.chargeSize() // the start and the final state
	b.chargeSize()
	b.addSpan(expr.To(r.ID), 0, 0, b.n.Start, b.n.Final, place{})
	b.buildRule(r, b.n.Start, b.n.Final, place{})
	return b.n, nil
}

// An nfaBuilder is the state of one call of [BuildNFA].
type nfaBuilder struct {
	g        *expr.Grammar
	facts    *expr.Facts
	n        *NFA
	o        Options
	contexts map[Context]*Context
	split    map[string]oneByte
	size     int // states and edges made
}

// A place is where in the grammar the builder is.
type place struct {
	in    *Context
	loop  *loop // the innermost recursion around it
	begin int32 // see [Edge]
}

// later returns the place after a part of the production: what follows does not begin a kept production.
func (p place) later() place {
	p.begin = -1
	return p
}

// chargeSize counts one more state or edge. At the limit it panics with [budget.Stopped].
func (b *nfaBuilder) chargeSize() {
	b.n.Budget.Step(8)
	if b.size++; b.size > b.o.Limits.maxNFA() {
		panic(budget.Stopped(TooMany(b.o.Limits.maxNFA(), "states in an NFA")))
	}
}

// addState adds a state, and returns its number.
func (b *nfaBuilder) addState() int32 {
	b.chargeSize()
	return b.n.State()
}

// addSilent adds a step that reads nothing.
func (b *nfaBuilder) addSilent(from, to int32) {
	b.chargeSize()
	b.n.Silent(from, to)
}

// addEdge adds a step that reads a byte.
func (b *nfaBuilder) addEdge(from int32, e Edge) {
	b.chargeSize()
	s := &b.n.States[from]
	s.Edges = append(s.Edges, e)
}

// contextOf returns the one Context of a production below another: equal contexts are one pointer.
func (b *nfaBuilder) contextOf(up *Context, id string) *Context {
	c := Context{up, id}
	if b.contexts[c] == nil {
		b.contexts[c] = &c
	}
	return b.contexts[c]
}

// addSpan adds a part of the grammar to b.n.Spans, if productions are kept: see [Span] for i and skipped, which
// becomes At.
func (b *nfaBuilder) addSpan(of *expr.Expr, i, skipped int, from, to int32, at place) {
	if b.o.Keep != nil {
		b.n.Spans = append(b.n.Spans, Span{of, i, skipped, at.in, from, to})
	}
}

// build makes the words that e derives lead from one state to another. It adds no edge into from, and none out of to.
func (b *nfaBuilder) build(e *expr.Expr, from, to int32, at place) {
	switch {
	case !b.facts.Derives(e):
		return
	case !b.facts.NonEmpty(e):
		b.addSilent(from, to)
		return
	}
	switch e.Op {
	case expr.Class:
		b.addEdge(from, Edge{Set: e.Set, To: to, Term: e, In: at.in, Begin: at.begin})
	case expr.Literal:
		for i := range len(e.Lit) {
			if i > 0 {
				at = at.later()
			}
			next := to
			if i < len(e.Lit)-1 {
				next = b.addState()
			}
			b.addEdge(from, Edge{Set: expr.Bytes(e.Lit[i : i+1]), To: next, Term: e, At: i, In: at.in, Begin: at.begin})
			from = next
		}
	case expr.Ref:
		r := b.g.Rule(e.Name)
		b.addSpan(e, 0, 0, from, to, at)
		if b.isKept(r.ID) || at.loop != nil && at.loop.of == b.facts.Component(r.ID) {
			b.buildRule(r, from, to, at)
		} else {
			b.buildMerged(e, from, to, at)
		}
	case expr.Alt:
		if b.o.Keep == nil {
			b.buildMerged(e, from, to, at)
			return
		}
		for _, s := range e.Sub {
			b.build(s, from, to, at)
		}
	case expr.Seq:
		for i, s := range e.Sub {
			next := to
			if i < len(e.Sub)-1 {
				next = b.addState()
			}
			b.addSpan(e, i, 0, from, next, at)
			b.build(s, from, next, at)
			// The rest of a literal after each of its bytes has a span too. The edges of s are the last ones that its
			// states got.
			for q, skipped := from, 1; skipped < len(s.Lit); skipped++ {
				q = b.n.States[q].Edges[len(b.n.States[q].Edges)-1].To
				b.addSpan(e, i, skipped, q, next, at)
			}
			from, at = next, at.later()
		}
	case expr.Repeat:
		b.buildRepeat(e, from, to, at)
	case expr.Node:
		b.build(e.Sub[0], from, to, at)
	}
}

// isKept reports whether a production is kept: see Options.Keep.
func (b *nfaBuilder) isKept(id string) bool { return b.o.Keep != nil && b.o.Keep(id) }

// buildRepeat builds a repetition between two states. The required rounds, and those up to the maximum, are copies;
// an unbounded rest is a loop.
func (b *nfaBuilder) buildRepeat(e *expr.Expr, from, to int32, at place) {
	body := e.Sub[0]
	if e.Min == 0 && e.Max == 1 {
		b.build(body, from, to, at)
		b.addSilent(from, to)
		return
	}
	for range e.Min {
		next := b.addState()
		b.build(body, from, next, at)
		from, at = next, at.later()
	}
	if e.Max == expr.Unbounded {
		loop := b.addState()
		b.addSilent(from, loop)
		b.build(body, loop, loop, at)
		from = loop
	}
	for i := e.Min; i < e.Max; i++ {
		next := b.addState()
		b.build(body, from, next, at)
		b.addSilent(from, to)
		from, at = next, at.later()
	}
	b.addSilent(from, to)
}

// buildRule makes the words of r lead from one state to another.
func (b *nfaBuilder) buildRule(r *expr.Rule, from, to int32, at place) {
	c := b.facts.Component(r.ID)
	if at.loop != nil && at.loop.of == c {
		at.loop.addUse(b, r, from, to, at.in)
		return
	}
	if !c.Recursive {
		if b.isKept(r.ID) {
			at.begin = from
		}
		b.build(r.Expr, from, to, place{b.contextOf(at.in, r.ID), at.loop, at.begin})
		return
	}
	l := &loop{of: c, start: from, final: to, state: map[string]int32{}}
	l.addUse(b, r, from, to, at.in)
	for i := 0; i < len(l.todo); i++ {
		r, in := l.todo[i].rule, l.todo[i].in
		if c.Right {
			b.build(r.Expr, l.start, l.state[r.ID], place{in, l, l.start})
		} else {
			b.build(r.Expr, l.state[r.ID], l.final, place{in, l, l.state[r.ID]})
		}
	}
}

// A loop is one copy of a set of mutually recursive productions. If they are right-linear, the state of a production
// is where its words begin, and all end in final. If they are left-linear, it is where its words end, and all begin
// in start.
type loop struct {
	of           *expr.Component
	start, final int32
	state        map[string]int32
	todo         []loopRule
}

// A loopRule is a production of a loop whose expression is still to be built.
type loopRule struct {
	rule *expr.Rule
	in   *Context
}

// addUse adds a use of the production r of the loop between two states. A production that is used for the first time
// gets a state, and is put on l.todo to be built.
func (l *loop) addUse(b *nfaBuilder, r *expr.Rule, from, to int32, in *Context) {
	s, ok := l.state[r.ID]
	if !ok {
		s = b.addState()
		l.state[r.ID] = s
		l.todo = append(l.todo, loopRule{r, b.contextOf(in, r.ID)})
	}
	if l.of.Right {
		b.addSilent(s, to)
	} else {
		b.addSilent(from, s)
	}
}

// buildMerged makes e's words lead from one state to another, all words of one byte along one edge.
func (b *nfaBuilder) buildMerged(e *expr.Expr, from, to int32, at place) {
	p := b.splitOneByte(e)
	if !p.set.IsEmpty() {
		b.addEdge(from, Edge{Set: p.set, To: to, Term: e, In: at.in, Begin: at.begin})
	}
	b.buildRest(p, from, to, at)
}

// buildRest makes the words of p.rest lead from one state to another.
func (b *nfaBuilder) buildRest(p oneByte, from, to int32, at place) {
	for _, part := range p.rest {
		b.n.Budget.Step(1)
		switch {
		case part.below != nil:
			b.buildRest(*part.below, from, to, place{b.contextOf(at.in, part.expr.Name), at.loop, at.begin})
		case part.expr.Op == expr.Ref:
			b.buildRule(b.g.Rule(part.expr.Name), from, to, at)
		default:
			b.build(part.expr, from, to, at)
		}
	}
}

// A oneByte is an expression split in two: set has the single bytes that its alternatives derive, and rest the parts
// that derive anything else.
type oneByte struct {
	set  expr.Set
	rest []part
}

// A part is an expression. If it is a reference to a production that was split, below is that split, whose rest is
// still to be built. Otherwise below is nil, and the part is built as it stands.
type part struct {
	expr  *expr.Expr
	below *oneByte
}

// splitOneByte splits e into single bytes and the rest. It looks into alternatives, and into productions that are not
// kept and do not use themselves. Everything else is a part as it stands, so no part is an alternation. Splits of
// productions are kept in b.split.
func (b *nfaBuilder) splitOneByte(e *expr.Expr) oneByte {
	switch {
	case !b.facts.Derives(e):
		return oneByte{}
	case e.Op == expr.Class:
		return oneByte{set: e.Set}
	case e.Op == expr.Literal && len(e.Lit) == 1:
		return oneByte{set: expr.Bytes(e.Lit)}
	case e.Op == expr.Alt:
		var all oneByte
		for _, s := range e.Sub {
			p := b.splitOneByte(s)
			all.set = all.set.Union(p.set)
			all.rest = append(all.rest, p.rest...)
		}
		return all
	case e.Op == expr.Ref && b.facts.NonEmpty(e) && !b.isKept(e.Name) && !b.facts.Component(e.Name).Recursive:
		if p, ok := b.split[e.Name]; ok {
			return p
		}
		// The single bytes of the production count as those of the reference. The rest stays below the reference, so
		// that it is built in a context of its own.
		p := b.splitOneByte(b.g.Rule(e.Name).Expr)
		below := oneByte{set: p.set}
		if len(p.rest) > 0 {
			below.rest = []part{{e, &p}}
		}
		b.split[e.Name] = below
		return below
	}
	return oneByte{rest: []part{{e, nil}}}
}
