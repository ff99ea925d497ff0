package diff

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A matcher matches one string with the grammar of one side.
type matcher struct {
	*tracker
	s      string
	before [][]int32 // by offset: the states after that many bytes; it ends where there are none
	memo   []int8    // by offset and state: whether the rest is accepted; 0 is not known yet
}

// newMatcher returns a matcher of the string s, with the states before each of its bytes. Its memory grows with the
// string times the automaton, and is charged to the budget.
func (t *tracker) newMatcher(s string) *matcher {
	size := (len(s) + 1) * len(t.nfa.States)
	t.budget.Step(size / 32)
	t.budget.Room(4 * int64(size)) // for several matchers
	m := &matcher{tracker: t, s: s, memo: make([]int8, size)}
	m.before = m.statesFrom(t.nfa.Start, 0, nil)
	return m
}

// statesFrom returns the states after each number of bytes from offset i on, starting in q; it ends with the
// first empty set. It follows only edges that takes accepts; if takes is nil, those that read the byte.
func (m *matcher) statesFrom(q int32, i int, takes func(e *lang.Edge, b byte) bool) (sets [][]int32) {
	if takes == nil {
		takes = func(e *lang.Edge, b byte) bool { return e.Set.Has(b) }
	}
	states := m.closure(q)
	for sets = append(sets, states); i < len(m.s) && len(states) > 0; i++ {
		var next []int32
		for _, q := range states {
			m.budget.Step(1 + len(m.nfa.States[q].Edges)/4)
			for j := range m.nfa.States[q].Edges {
				if e := &m.nfa.States[q].Edges[j]; takes(e, m.s[i]) {
					next = append(next, e.To)
				}
			}
		}
		states = m.closureOf(next...)
		sets = append(sets, states)
	}
	return sets
}

// matches reports whether the automaton accepts a string along edges that takes accepts: see
// [matcher.statesFrom].
func (t *tracker) matches(s string, takes func(e *lang.Edge, b byte) bool) bool {
	sets := (&matcher{tracker: t, s: s}).statesFrom(t.nfa.Start, 0, takes)
	return len(sets) > len(s) && slices.Contains(sets[len(s)], t.nfa.Final)
}

// acceptsFrom reports whether the rest of the string from offset i is accepted from state q.
func (m *matcher) acceptsFrom(q int32, i int) bool {
	known := &m.memo[i*len(m.nfa.States)+int(q)]
	if *known != 0 {
		return *known > 0
	}
	*known = -1
	m.budget.Step(1)
	accepts := func(q int32) bool {
		if i == len(m.s) {
			return q == m.nfa.Final
		}
		return slices.ContainsFunc(m.nfa.States[q].Edges, func(e lang.Edge) bool {
			return e.Set.Has(m.s[i]) && m.acceptsFrom(e.To, i+1)
		})
	}
	if slices.ContainsFunc(m.closure(q), accepts) {
		*known = 1
	}
	return *known > 0
}

// acceptsAllowing reports whether the string is accepted if every terminal in the production id, at any depth, can
// also read the bytes of the set.
func (m *matcher) acceptsAllowing(id string, set expr.Set) bool {
	in := m.edgesIn(id)
	return m.matches(m.s, func(e *lang.Edge, b byte) bool { return e.Set.Has(b) || set.Has(b) && in[e] })
}

// closure returns the states that can be entered from one without reading, including that, in ascending order. They
// are kept, so the caller must not change them.
func (t *tracker) closure(q int32) []int32 {
	if t.closures == nil {
		t.closures = make([][]int32, len(t.nfa.States))
	}
	if t.closures[q] == nil {
		t.closures[q] = t.closureOf(q)
	}
	return t.closures[q]
}

// closureOf returns the states that can be entered from todo without reading, including those, in ascending order. It
// overwrites todo, and counts each state that it finds against the budget.
func (t *tracker) closureOf(todo ...int32) []int32 { return slices.Clone(t.sharedClosureOf(todo...)) }

// sharedClosureOf is closureOf for a result that is not kept: the next call overwrites it.
func (t *tracker) sharedClosureOf(todo ...int32) []int32 {
	out := t.closed[:0]
	if t.round++; t.seen == nil {
		t.seen = make([]int, len(t.nfa.States))
	}
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; t.seen[q] < t.round {
			t.seen[q] = t.round
			t.budget.Step(1 + len(t.nfa.States[q].Epsilon)/4)
			out = append(out, q)
			todo = append(todo, t.nfa.States[q].Epsilon...)
		}
	}
	slices.Sort(out)
	t.closed = out
	return out
}

// edgesIn returns the edges that read a part of a production, or of one that it uses. The set is kept, and must not
// be changed.
func (t *tracker) edgesIn(id string) map[*lang.Edge]bool {
	in, ok := t.inside[id]
	if !ok {
		in = map[*lang.Edge]bool{}
		t.budget.Step(len(t.nfa.States))
		for q := range t.nfa.States {
			for j := range t.nfa.States[q].Edges {
				e := &t.nfa.States[q].Edges[j]
				switch {
				case isInProduction(e.In, id):
					in[e] = true
				case e.Term.Op == expr.Ref && slices.Contains(t.singleByteRules(e.Term.Name), id):
					in[e] = true // the edge reads a byte of a lexical production that id is a part of
				}
			}
		}
		t.inside[id] = in
	}
	return in
}

// isInProduction reports whether c is in the production with this ID, at any depth.
func isInProduction(c *lang.Context, id string) bool {
	for c != nil && c.ID != id {
		c = c.Up
	}
	return c != nil
}

// isInOrUsedIn reports whether c is the context in, or one inside it. Every context is inside nil.
func isInOrUsedIn(c, in *lang.Context) bool {
	for c != nil && c != in {
		c = c.Up
	}
	return c == in
}

// singleByteRules lists a lexical production and the productions that are alternatives in it, at any depth: depth
// first in the order of the text, each where it is met first, and names without a production too. Among them are all
// through which it derives single bytes. The list is kept, and must not be changed.
func (t *tracker) singleByteRules(id string) []string {
	list, ok := t.singles[id]
	if !ok {
		var add func(e *expr.Expr)
		add = func(e *expr.Expr) {
			switch {
			case e.Op == expr.Alt:
				for _, s := range e.Sub {
					add(s)
				}
			case e.Op == expr.Ref && !slices.Contains(list, e.Name):
				list = append(list, e.Name)
				if r := t.side.Grammar.Rule(e.Name); r != nil {
					add(r.Expr)
				}
			}
		}
		add(expr.To(id))
		t.singles[id] = list
	}
	return list
}

// singleBytes returns the bytes that e derives as strings of one byte by classes, literals, alternatives and lexical
// productions alone: a sequence or repetition gives none. It keeps the sets of productions in t.byteSets.
func (t *tracker) singleBytes(e *expr.Expr) (set expr.Set) {
	switch {
	case e.Op == expr.Class:
		return e.Set
	case e.Op == expr.Literal && len(e.Lit) == 1:
		return expr.Bytes(e.Lit)
	case e.Op == expr.Alt:
		for _, s := range e.Sub {
			set = set.Union(t.singleBytes(s))
		}
	case e.Op == expr.Ref && t.lexical(e.Name):
		bytes, known := t.byteSets[e.Name]
		if r := t.side.Grammar.Rule(e.Name); r != nil && !known {
			bytes = t.singleBytes(r.Expr)
			t.byteSets[e.Name] = bytes
		}
		return bytes
	}
	return set
}

// spansFrom lists the spans that begin in a state: see [lang.Span].
func (t *tracker) spansFrom(q int32) []lang.Span { t.indexSpans(); return t.starts[q] }

// spansTo lists the spans that end in a state.
func (t *tracker) spansTo(q int32) []lang.Span { t.indexSpans(); return t.ends[q] }

// indexSpans sets t.starts and t.ends from the spans of the automaton, unless they are set.
func (t *tracker) indexSpans() {
	if t.starts != nil {
		return
	}
	t.starts, t.ends = map[int32][]lang.Span{}, map[int32][]lang.Span{}
	for _, s := range t.nfa.Spans {
		t.starts[s.From] = append(t.starts[s.From], s)
		t.ends[s.To] = append(t.ends[s.To], s)
	}
}

// readsIn reports whether an edge reads a part of a span that is a use of a production.
func readsIn(e *lang.Edge, span lang.Span) bool {
	if e.Term == span.Of {
		return e.In == span.In
	}
	for c := e.In; c != nil; c = c.Up {
		if c.Up == span.In && c.ID == span.Of.Name {
			return true
		}
	}
	return false
}

// eachRun calls f for each run of consecutive parts of a sequence that begins in state q, with the run's first span
// and the state after it. The first part may be the rest of a literal. f may keep the run.
func (t *tracker) eachRun(q int32, f func(first lang.Span, run []*expr.Expr, to int32)) {
	for _, first := range t.spansFrom(q) {
		if first.Of.Op != expr.Seq || first.Of.Chars != "" { // no sequence, or one that spells a character
			continue
		}
		part := first.Of.Sub[first.I]
		if first.At > 0 {
			part = expr.Lit(part.Lit[first.At:])
		}
		run, at, size := []*expr.Expr{part}, first, part.Size()
		for {
			t.budget.Step(4*size + len(t.spansFrom(at.To))/4)
			f(first, slices.Clone(run), at.To)
			i := slices.IndexFunc(t.spansFrom(at.To), func(s lang.Span) bool {
				return s.Of == at.Of && s.I == at.I+1 && s.At == 0 && s.In == at.In
			})
			if i < 0 {
				break
			}
			at = t.spansFrom(at.To)[i]
			run, size = append(run, at.Of.Sub[at.I]), size+at.Of.Sub[at.I].Size()
		}
	}
}

// ruleNamed returns the production with this name, ignoring case. It is nil if the start production uses none or
// several of that name.
func (t *tracker) ruleNamed(name string) (found *expr.Rule) {
	if t.named == nil {
		t.named = map[string]*expr.Rule{}
		for _, id := range t.side.Grammar.Reach(t.rule.ID) {
			if r := t.side.Grammar.Rule(id); r != nil {
				name := strings.ToLower(r.Label())
				if _, again := t.named[name]; again {
					r = nil
				}
				t.named[name] = r
			}
		}
	}
	return t.named[strings.ToLower(name)]
}

// namesake returns the production of t that has the name of r, a production of another grammar; nil if there is none.
func (t *tracker) namesake(r *expr.Rule) *expr.Rule { return t.ruleNamed(r.Label()) }

// definitionText returns the definition of a production, names in lower case.
func (t *tracker) definitionText(r *expr.Rule) string {
	return expr.Memo(t.texts, r, func() string { return t.lowerNames(r.Expr).String() })
}

// lowerNames returns an expression with names in lower case.
func (t *tracker) lowerNames(e *expr.Expr) *expr.Expr {
	e = e.Map(t.lowerNames)
	if used := t.side.Grammar.Rule(e.Name); e.Op == expr.Ref && used != nil {
		e.Name = strings.ToLower(used.Label())
	}
	return e
}

// alternativesByText returns the alternatives of a production by their texts, with names in lower case; of those with
// one text the last.
func (t *tracker) alternativesByText(r *expr.Rule) map[string]*expr.Expr {
	all := map[string]*expr.Expr{}
	for _, e := range alternativesOf(r.Expr) {
		all[t.lowerNames(e).String()] = e
	}
	return all
}
