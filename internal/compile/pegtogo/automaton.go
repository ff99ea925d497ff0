package pegtogo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Acceptors made of a minimal automaton. An acceptor builds no tree, so distinctions that only the tree makes
// are dropped: the host of a reference is one run, whether it is an address or a name. A state becomes a
// label. If it leads to itself, it has a loop over these bytes, and the byte after the loop decides where to
// go. A chain of states that only counts becomes one label.

// writeAutomatonAcceptor appends to p.out the function that reports whether a string is derived by the start
// r, made from its minimal automaton a. It sets p.rule. While it writes, p.classes and p.accepted are
// swapped, so that the classes of acceptors go to tables of their own.
func (p *program) writeAutomatonAcceptor(r *expr.Rule, a *lang.DFA) {
	p.rule = r.ID
	p.classes, p.accepted = p.accepted, p.classes
	defer func() { p.classes, p.accepted = p.accepted, p.classes }()
	fmt.Fprintf(&p.out, "\n// %s reports whether s is a %s. It is the minimal automaton of that "+
		"production: a label is a state.\n",
		p.names[r.ID].accepts, r.Name)
	fmt.Fprintf(&p.out, "func %s(s string) bool {\n", p.names[r.ID].accepts)
	if a.IsEmpty() {
		p.out.WriteString("return false\n}\n")
		return
	}
	p.out.WriteString("i := uint(0)\n")
	states, counters := statesAndCounters(a)
	targets := map[int]bool{}
	for _, s := range states {
		for _, t := range s.to {
			targets[t.state] = true
		}
	}
	for _, q := range writingOrder(states) {
		if counters.labelOf(q) != q {
			continue
		}
		if targets[q] {
			fmt.Fprintf(&p.out, "q%d:\n", q)
		}
		s := states[q]
		if c := counters[q]; c != nil {
			// The loop takes up to as many bytes as the counter has states, and goes on where the last leads. Where it
			// ends sooner, all its states do the same.
			end := a.Next(c.states[len(c.states)-1], c.on.Members()[0])
			fmt.Fprintf(&p.out, "for e := i + %d; i < uint(len(s)) && %s; {\ni++\nif i == e {\ngoto q%d\n}\n}\n",
				len(c.states), p.memberTest(c.on, "s[i]", true), end)
			s.to = slices.DeleteFunc(s.to, func(t transition) bool { return t.on == c.on })
		}
		p.writeState(s, a.Accepts(q))
	}
	p.out.WriteString("}\n")
}

// A counter is a chain of states: each byte of on leads from one to the next, and in everything else they are
// alike. It is written as one loop.
type counter struct {
	states []int
	on     expr.Set
}

// counters maps each state of a counter to it.
type counters map[int]*counter

// labelOf returns the state whose label stands for q: q itself, or the first state of its counter.
func (c counters) labelOf(q int) int {
	if c[q] != nil {
		return c[q].states[0]
	}
	return q
}

// statesAndCounters returns the successors of all states of a, by state, and the counters of at least five states;
// shorter ones are not worth a loop. A state belongs to at most one. In the automaton of x{8} y, for example, the eight
// states before an x are one counter: they all reject, and x alone leads on from them.
func statesAndCounters(a *lang.DFA) ([]state, counters) {
	states := make([]state, a.States())
	from := make([]int, len(states)) // how many transitions lead to each state
	from[0] = 1                      // the beginning leads to state 0
	for q := range states {
		states[q] = stateOf(a, q)
		for _, t := range states[q].to {
			from[t.state]++
		}
	}
	all := counters{}
	for q, s := range states {
		for _, t := range s.to {
			// Nothing but t may lead to the second state, and both must do the same, apart from t.
			onlyByT := from[t.state] == 1 && all[t.state] == nil
			if !onlyByT || a.Accepts(q) != a.Accepts(t.state) || !s.isSameBut(t, states[t.state]) {
				continue
			}
			if all[q] != nil && all[q].on != t.on { // q counts other bytes
				continue
			}
			if all[q] == nil {
				all[q] = &counter{[]int{q}, t.on}
			}
			all[q].states = append(all[q].states, t.state)
			all[t.state] = all[q]
		}
	}
	maps.DeleteFunc(all, func(_ int, c *counter) bool { return len(c.states) < 5 })
	return states, all
}

// A state lists the successors of an automaton's live state. self are the bytes that loop; to has
// the other successors, those with the most bytes first.
type state struct {
	self expr.Set
	to   []transition
}

// isSameBut reports whether next leads to the same states as s by the same bytes, except that it may lead elsewhere by
// the bytes of t, a transition of s. It is false if either of them loops.
func (s state) isSameBut(t transition, next state) bool {
	if !s.self.IsEmpty() || !next.self.IsEmpty() || len(s.to) != len(next.to) {
		return false
	}
	for _, u := range s.to {
		// t may lead elsewhere in next, but must read the same bytes.
		hasLike := func(v transition) bool { return v == u || u == t && v.on == u.on }
		if !slices.ContainsFunc(next.to, hasLike) {
			return false
		}
	}
	return true
}

// A transition leads to state on each byte of on.
type transition struct {
	on    expr.Set
	state int
}

// stateOf returns the live successors of state q: q itself, if it is one, as self, and the others as one transition
// each. Those with the most bytes come first, and of as many bytes those of the lower classes.
func stateOf(a *lang.DFA, q int) state {
	var s state
	for c := range a.Classes() {
		next, on := a.NextClass(q, c), a.ClassSet(c)
		if !a.Live(next) {
			continue
		}
		if next == q {
			s.self = s.self.Union(on)
			continue
		}
		k := slices.IndexFunc(s.to, func(t transition) bool { return t.state == next })
		if k < 0 {
			s.to = append(s.to, transition{state: next})
			k = len(s.to) - 1
		}
		s.to[k].on = s.to[k].on.Union(on)
	}
	slices.SortStableFunc(s.to, func(a, b transition) int { return b.on.Len() - a.on.Len() })
	return s
}

// writingOrder returns the states that can be reached from state 0, in depth-first preorder, the last successor first:
// the code of a state ends in a goto to it, which then mostly leads to what comes next. The successors of a state must
// be live, as those of stateOf are.
func writingOrder(states []state) []int {
	var order []int
	seen := make([]bool, len(states))
	var visit func(q int)
	visit = func(q int) {
		seen[q] = true
		order = append(order, q)
		for k := len(states[q].to) - 1; k >= 0; k-- {
			if t := states[q].to[k]; !seen[t.state] {
				visit(t.state)
			}
		}
	}
	visit(0)
	return order
}

// writeState appends to p.out the code after the label of a state, which accepts or not: the loop over its own bytes,
// then the ways out. Leading sets of more than two bytes are tested one by one, small ones are cases of a switch
// unless there is only one. The last set is tested by its complement, so that the code ends in a goto.
func (p *program) writeState(s state, accepts bool) {
	if !s.self.IsEmpty() {
		if (char{class: s.self}).spansPaths() {
			p.out.WriteString(skipEight(p.classBit(s.self)))
		}
		fmt.Fprintf(&p.out, "for i < uint(len(s)) && %s {\ni++\n}\n", p.memberTest(s.self, "s[i]", true))
	}
	if len(s.to) == 0 {
		if accepts {
			p.out.WriteString("return i >= uint(len(s))\n")
		} else {
			p.out.WriteString("return false\n")
		}
		return
	}
	last := s.to[len(s.to)-1]
	fmt.Fprintf(&p.out, "if i >= uint(len(s)) {\nreturn %t\n}\n", accepts)
	// The sets are in order of size, the largest first. A single set before the last needs no switch.
	for len(s.to) > 1 && (s.to[0].on.Len() > 2 || len(s.to) == 2) {
		fmt.Fprintf(&p.out, "if %s {\ni++\ngoto q%d\n}\n", p.memberTest(s.to[0].on, "s[i]", true), s.to[0].state)
		s.to = s.to[1:]
	}
	if len(s.to) > 1 {
		p.out.WriteString("switch s[i] {\n")
		for _, t := range s.to[:len(s.to)-1] {
			var all []string
			for _, b := range t.on.Members() {
				all = append(all, quoteByte(b))
			}
			fmt.Fprintf(&p.out, "case %s:\ni++\ngoto q%d\n", strings.Join(all, ", "), t.state)
		}
		p.out.WriteString("}\n")
	}
	fmt.Fprintf(&p.out, "if %s {\nreturn false\n}\ni++\n", p.memberTest(last.on, "s[i]", false))
	fmt.Fprintf(&p.out, "goto q%d\n", last.state)
}

// skipEight returns the text of a loop that skips bytes of a class eight at a time; bit is the name of the
// class's bit in table. The text reads the string s from its variable i on.
func skipEight(table, bit string) string {
	var b strings.Builder
	b.WriteString("for i+8 <= uint(len(s)) {\nw := s[i : i+8]\nif ")
	for k := range 8 {
		fmt.Fprintf(&b, "%s[w[%d]]&", table, k)
	}
	fmt.Fprintf(&b, "%s == 0 {\nbreak\n}\ni += 8\n}\n", bit)
	return b.String()
}

// compareAutomaton compares the acceptor written for r with its automaton a: from every state, with every
// byte, to the next state, and on to the end of the input. Loops that look at eight bytes are tried on runs
// of up to 17 bytes, followed by a byte of every class. It fails at the first difference, which may be an execution
// that fails, and if the budget is used up.
func (p *program) compareAutomaton(m *machine, r *expr.Rule, a *lang.DFA) (err error) {
	defer budget.Catch(&err)
	_, counters := statesAndCounters(a)
	compare := func(w string, want int) {
		is, _, err := m.run(p.names[r.ID].accepts, 0, w)
		switch {
		case err != nil:
			refuse(r.Pos, "the generated acceptor of %s differs from the grammar on %q: %v", r.ID, w, err)
		case (is == 1) != a.Accepts(want):
			refuse(r.Pos, "the generated acceptor of %s differs from the grammar on %q: it is %t", r.ID, w, is == 1)
		case a.Live(want) && m.at != counters.labelOf(want):
			refuse(r.Pos, "the generated acceptor of %s differs from the grammar on %q: it ends in state %d, not %d",
				r.ID, w, m.at, want)
		}
	}
	ends := make([]string, a.States())
	for q := range ends {
		ends[q], _ = a.ShortestFrom(q)
	}
	// after compares w x, where w leads to q, and w x followed by a shortest end that is accepted then; if nothing is
	// accepted after x, it is followed by the end that would be accepted without x.
	after := func(q int, w string, x byte) {
		w, next := w+string([]byte{x}), a.Next(q, x)
		end := ends[next]
		if !a.Live(next) {
			end = ends[q]
		}
		compare(w, next)
		compare(w+end, a.Run(next, end))
	}
	first := make([]byte, a.Classes()) // of each class
	for c := range first {
		first[c] = a.ClassSet(c).Members()[0]
	}
	for q, w := range a.AccessWords() {
		if !a.Live(q) {
			continue
		}
		compare(w, q)
		// How far a counter has counted shows in how many more bytes it takes to leave it.
		if c := counters[q]; c != nil {
			rest := strings.Repeat(string(c.on.Members()[:1]), len(c.states)-slices.Index(c.states, q))
			compare(w+rest[1:], a.Run(q, rest[1:]))
			compare(w+rest, a.Run(q, rest))
		}
		for x := range 256 {
			after(q, w, byte(x))
		}
		for c, x := range first {
			next := a.NextClass(q, c)
			if next == q {
				for n := range 17 {
					for _, y := range first {
						after(q, w+strings.Repeat(string([]byte{x}), n+1), y)
					}
				}
				continue
			}
			// A byte that leads away from the next state shows that none is left out.
			if d := slices.IndexFunc(first, func(y byte) bool { return a.Next(next, y) != next }); d >= 0 {
				after(next, w+string([]byte{x}), first[d])
			}
		}
	}
	return nil
}
