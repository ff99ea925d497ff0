package expr

// A Maker makes the automaton of an expression: see [Make].
type Maker interface {
	State() int32          // adds a state
	Silent(from, to int32) // adds a step that reads nothing

	// Known adds the steps for an e whose language is known without a look inside, and reports whether it did.
	Known(e *Expr, from, to int32) bool

	// Part adds the steps of a [Class], a [Literal] or a [Ref]. last reports that nothing follows it.
	Part(e *Expr, from, to int32, last bool)
}

// Make makes the words that e derives lead from one state to another (K. Thompson, "Regular expression search
// algorithm", 1968). It adds no step into from and none out of to. last reports that nothing follows e. Counts are
// written out, so a repetition takes as many states as its larger count says. It makes a Node, and any other operator,
// as an alternation of its operands, so m.Known has to take And and Not.
func Make(m Maker, e *Expr, from, to int32, last bool) {
	if m.Known(e, from, to) {
		return
	}
	switch e.Op {
	case Empty:
		m.Silent(from, to)
	case Class, Literal, Ref:
		m.Part(e, from, to, last)
	case Seq:
		for i, s := range e.Sub {
			next := to
			if i < len(e.Sub)-1 {
				next = m.State()
			}
			Make(m, s, from, next, last && i == len(e.Sub)-1)
			from = next
		}
	case Repeat:
		for i := range e.Min {
			next := m.State()
			Make(m, e.Sub[0], from, next, last && i == e.Max-1)
			from = next
		}
		if e.Max == Unbounded {
			loop := m.State()
			m.Silent(from, loop)
			Make(m, e.Sub[0], loop, loop, false)
			from = loop
		}
		for i := e.Min; i < e.Max; i++ {
			m.Silent(from, to)
			next := m.State()
			Make(m, e.Sub[0], from, next, last && i == e.Max-1)
			from = next
		}
		m.Silent(from, to)
	default:
		for _, s := range e.Sub {
			Make(m, s, from, to, last)
		}
	}
}
