package lint

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// What nests has no automaton that would decide whether it is ambiguous; in general, nothing decides it. But a
// grammar is unambiguous if an LR parser for it meets no conflict. This file builds the LALR(1) automaton (DeRemer,
// "Practical translators for LR(k) languages", 1969; the lookaheads are propagated until nothing changes) and looks
// for one.
//
// The symbols are classes of bytes. A production that nests is expanded: an alternation, a class and a repetition are
// symbols of their own, x* being R = "" / R x. A production that is regular counts as its language, as everywhere in
// this package, and so stands there as a right-linear grammar, a symbol for each state of its minimal automaton.
// Whether it is ambiguous itself was decided before.
//
// A conflict proves nothing: the answer is then that it is not known.

// A symbol is a class of bytes, then the end of the input, then the symbols that have rules.
type symbol = int32

// maxTerminals caps the classes of bytes, together with the end of the input.
const maxTerminals = 257

// A terminals is a set of classes of bytes and the end of the input.
type terminals [(maxTerminals + 63) / 64]uint64

// add adds a terminal.
func (t *terminals) add(s symbol) { t[s/64] |= 1 << (s % 64) }

// join adds all of u, and reports whether t has grown.
func (t *terminals) join(u *terminals) (grown bool) {
	for i := range t {
		if u[i]&^t[i] != 0 {
			t[i] |= u[i]
			grown = true
		}
	}
	return grown
}

// meets reports whether t and u have a member in common.
func (t *terminals) meets(u *terminals) bool {
	for i := range t {
		if t[i]&u[i] != 0 {
			return true
		}
	}
	return false
}

// An lrGrammar is a grammar in the form that an LR parser has it.
type lrGrammar struct {
	end   symbol
	left  []int32    // by rule: the symbol on its left, counted from the first that has rules
	right [][]symbol // by rule
	rules [][]int32  // by symbol that has rules

	empty []bool // by symbol that has rules: whether it derives the empty string
	first []terminals
}

// An lrBuilder makes the lrGrammar of a production.
type lrBuilder struct {
	*lrGrammar
	g *expr.Grammar
	// ok is false for a production that nests; a is nil if it is too large.
	languageOf func(id string) (a *lang.DFA, ok bool)
	classes    *expr.Partition
	known      map[string]symbol // of productions, by ID
	sets       map[expr.Set]symbol
	budget     *budget.Budget
	failed     bool // some part has no form here, or is too large
}

// lrMost caps the rules of an lrGrammar, and the bounds of a repetition in it.
const lrMost = 1 << 16

// deterministic reports whether a production is LALR(1), and so unambiguous: neither it nor anything that it uses
// derives a string in two ways. Regular productions stand for their languages, which regular returns, and may be
// ambiguous themselves. False proves nothing: it also comes back for a production that lrBuilder has no form for, or
// only one with more than lrMost rules. It fails if a limit of left is passed.
func deterministic(g *expr.Grammar, id string, regular func(id string) (*lang.DFA, bool),
	left *budget.Budget) (yes bool, err error) {
	defer budget.Catch(&err)
	b := &lrBuilder{
		lrGrammar: &lrGrammar{}, g: g, languageOf: regular, known: map[string]symbol{}, sets: map[expr.Set]symbol{},
		budget: left,
	}
	b.partition(id)
	b.end = int32(b.classes.N)
	start := b.symbol()
	if b.rule(start, b.production(id)); b.failed {
		return false, nil
	}
	b.computeFirst()
	return newLR(b.lrGrammar, left).run(), nil
}

// partition sets b.classes to the classes of bytes that the production and everything it uses distinguish. A name that
// is not defined, and an automaton that is too large, distinguish none.
func (b *lrBuilder) partition(id string) {
	b.classes = expr.NewPartition()
	for _, id := range b.g.Reach(id) {
		if a, ok := b.languageOf(id); ok {
			for c := 0; a != nil && c < a.Classes(); c++ {
				b.classes.Split(a.ClassSet(c))
			}
		} else if r := b.g.Rule(id); r != nil {
			expr.Walk(r.Expr, func(e *expr.Expr) bool {
				switch e.Op {
				case expr.Class:
					b.classes.Split(e.Set)
				case expr.Literal:
					for i := range len(e.Lit) {
						b.classes.Split(expr.Bytes(e.Lit[i : i+1]))
					}
				}
				return true
			})
		}
	}
}

// symbol returns a new symbol, without rules. b.end must be set, since symbols are numbered from there.
func (b *lrBuilder) symbol() symbol {
	b.rules = append(b.rules, nil)
	return b.end + int32(len(b.rules))
}

// rule adds a rule for a symbol that b.symbol returned, and keeps right. Beyond lrMost rules it sets b.failed, and
// adds the rule all the same.
func (b *lrBuilder) rule(of symbol, right ...symbol) {
	b.budget.Step(8 + len(right))
	at := of - b.end - 1
	b.rules[at] = append(b.rules[at], int32(len(b.right)))
	b.left, b.right = append(b.left, at), append(b.right, right)
	b.failed = b.failed || len(b.right) > lrMost
}

// production returns the symbol of a production, whose rules it adds the first time. For one that is not defined, or
// whose automaton is too large, it sets b.failed and returns 0.
func (b *lrBuilder) production(id string) symbol {
	s, ok := b.known[id]
	if ok {
		return s
	}
	a, regular := b.languageOf(id)
	switch {
	case regular && a == nil || !regular && b.g.Rule(id) == nil:
		b.failed = true
		return 0
	case regular:
		s = b.automaton(a)
		b.known[id] = s
	default:
		s = b.symbol()
		b.known[id] = s
		b.rule(s, b.sequence(nil, b.g.Rule(id).Expr)...)
	}
	return s
}

// automaton returns a symbol that derives the words of a: q = class q' for each transition, and q = "" if q accepts.
// If that makes more than lrMost rules, those of other symbols included, it adds none, sets b.failed and returns 0.
func (b *lrBuilder) automaton(a *lang.DFA) symbol {
	rules := len(b.right)
	first := b.classes.First()
	for q := range a.States() {
		if a.Accepts(q) {
			rules++
		}
		for _, x := range first {
			if !a.Dead(a.Next(q, x)) {
				rules++
			}
		}
		if rules > lrMost { // a is too large, and nothing need be made of it
			b.failed = true
			return 0
		}
	}
	states := make([]symbol, a.States())
	for q := range states {
		states[q] = b.symbol()
	}
	for q, s := range states {
		if a.Accepts(q) {
			b.rule(s)
		}
		for _, e := range a.Edges(q) {
			for _, c := range b.classesOf(e.Set) {
				b.rule(s, c, states[e.To])
			}
		}
	}
	return states[0]
}

// classesOf returns the classes that a set consists of. It must be a union of classes: only the first byte of each is
// looked for.
func (b *lrBuilder) classesOf(set expr.Set) (list []symbol) {
	for c, x := range b.classes.First() {
		if set.Has(x) {
			list = append(list, symbol(c))
		}
	}
	return list
}

// sequence appends to to the symbols that derive e, and returns it. For an alternation or a repetition it adds a
// symbol with rules of its own, and so it does for a class at its first place; the symbol then serves all others.
// If a part has no form it sets b.failed, and the result means nothing.
func (b *lrBuilder) sequence(to []symbol, e *expr.Expr) []symbol {
	if b.failed {
		return to
	}
	switch e.Op {
	case expr.Empty:
	case expr.Class:
		s, ok := b.sets[e.Set]
		if !ok { // one symbol serves all places with the same set
			s = b.symbol()
			for _, c := range b.classesOf(e.Set) {
				b.rule(s, c)
			}
			b.sets[e.Set] = s
		}
		to = append(to, s)
	case expr.Literal:
		for i := range len(e.Lit) {
			to = append(to, symbol(b.classes.Class[e.Lit[i]]))
		}
	case expr.Ref:
		to = append(to, b.production(e.Name))
	case expr.Seq:
		for _, s := range e.Sub {
			to = b.sequence(to, s)
		}
	case expr.Alt:
		s := b.symbol()
		for _, alternative := range e.Sub {
			b.rule(s, b.sequence(nil, alternative)...)
		}
		to = append(to, s)
	case expr.Repeat:
		to = b.repeat(to, e)
	default:
		b.failed = true
	}
	return to
}

// repeat appends the symbols of a repetition: the required rounds, and then R = "" / R round or, for each optional
// round, O = "" / round O. For more than lrMost required rounds, or as many optional ones, it sets b.failed.
func (b *lrBuilder) repeat(to []symbol, e *expr.Expr) []symbol {
	round := b.symbol()
	b.rule(round, b.sequence(nil, e.Sub[0])...)
	if e.Min > lrMost || e.Max-e.Min > lrMost {
		b.failed = true
		return to
	}
	for range e.Min {
		to = append(to, round)
	}
	if e.Max == expr.Unbounded {
		more := b.symbol()
		b.rule(more)
		b.rule(more, more, round)
		return append(to, more)
	}
	var rest []symbol
	for i := e.Min; i < e.Max && !b.failed; i++ {
		more := b.symbol()
		b.rule(more)
		b.rule(more, append([]symbol{round}, rest...)...)
		rest = []symbol{more}
	}
	return append(to, rest...)
}

// computeFirst sets g.empty and g.first: for each symbol, whether it derives the empty string, and the
// classes that its strings can begin with.
func (g *lrGrammar) computeFirst() {
	g.empty, g.first = make([]bool, len(g.rules)), make([]terminals, len(g.rules))
	for changed := true; changed; {
		changed = false
		for i, right := range g.right {
			first, empty := g.firstOf(right)
			if of := g.left[i]; g.first[of].join(&first) || empty && !g.empty[of] {
				g.empty[of] = g.empty[of] || empty
				changed = true
			}
		}
	}
}

// firstOf returns the classes that the strings of a sequence of symbols can begin with, and whether the
// sequence derives the empty string, as far as g.first and g.empty have that yet.
func (g *lrGrammar) firstOf(symbols []symbol) (first terminals, empty bool) {
	for _, s := range symbols {
		if s <= g.end {
			first.add(s)
			return first, false
		}
		first.join(&g.first[s-g.end-1])
		if !g.empty[s-g.end-1] {
			return first, false
		}
	}
	return first, true
}

// An lrItem is a rule with the number of its symbols that were read.
type lrItem struct{ rule, read int32 }

// An lrState is a set of items, each with the terminals that may follow its rule.
type lrState struct {
	items []lrItem
	after []terminals
	due   bool // it is on lr.todo, since after has grown
}

// An lr is an LALR(1) automaton in the making.
type lr struct {
	*lrGrammar
	states []*lrState
	at     map[string]int32 // the number of a state, by its items
	todo   []int32
	budget *budget.Budget
}

// newLR returns an automaton that has its first state alone: that of the first rule of g's first symbol, which is the
// start. It takes its steps from left. g.computeFirst must have been called.
func newLR(g *lrGrammar, left *budget.Budget) *lr {
	p := &lr{lrGrammar: g, at: map[string]int32{}, budget: left}
	var end terminals
	end.add(g.end)
	p.enter([]lrItem{{g.rules[0][0], 0}}, []terminals{end}) // the first symbol is the start
	return p
}

// enter adds after, the terminals that may follow each item, to the state of these items, which it makes if there is
// none, and which keeps items. These must be sorted, since they identify the state. A state that is new or has grown
// is put on p.todo.
func (p *lr) enter(items []lrItem, after []terminals) {
	key := make([]byte, 0, 8*len(items))
	for _, i := range items {
		key = binary.LittleEndian.AppendUint32(key, uint32(i.rule))
		key = binary.LittleEndian.AppendUint32(key, uint32(i.read))
	}
	q, ok := p.at[string(key)]
	if !ok {
		q = int32(len(p.states))
		p.at[string(key)] = q
		p.states = append(p.states, &lrState{items: items, after: make([]terminals, len(items))})
		p.budget.Room(int64(len(p.states)) * 512)
	}
	s := p.states[q]
	grown := !ok
	for i := range after {
		grown = s.after[i].join(&after[i]) || grown
	}
	if grown && !s.due {
		s.due = true
		p.todo = append(p.todo, q)
	}
}

// run reports whether no state has a conflict. The sets of followers only grow, so the first conflict is final.
func (p *lr) run() bool {
	for len(p.todo) > 0 {
		q := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		p.states[q].due = false
		if !p.enterSuccessors(p.states[q]) {
			return false
		}
	}
	return true
}

// enterSuccessors enters the states that the symbols lead to from s. It returns false, and enters none, if s has a
// conflict: two rules can end before the same class, or one can end before a class that can also be read.
func (p *lr) enterSuccessors(s *lrState) bool {
	items, after := p.close(s)
	p.budget.Step(8 * len(items))
	var ends, reads terminals
	next := map[symbol][]int{} // by symbol: the items that read it next
	var order []symbol
	for i, item := range items {
		right := p.right[item.rule]
		if int(item.read) == len(right) {
			if ends.meets(&after[i]) {
				return false
			}
			ends.join(&after[i])
			continue
		}
		x := right[item.read]
		if x <= p.end {
			reads.add(x)
		}
		if next[x] == nil {
			order = append(order, x)
		}
		next[x] = append(next[x], i)
	}
	if ends.meets(&reads) {
		return false
	}
	for _, x := range order {
		list := next[x]
		to, follow := make([]lrItem, len(list)), make([]terminals, len(list))
		// In a fixed order, since the items identify the state.
		slices.SortFunc(list, func(i, j int) int {
			return cmp.Or(cmp.Compare(items[i].rule, items[j].rule), cmp.Compare(items[i].read, items[j].read))
		})
		for k, i := range list {
			to[k], follow[k] = lrItem{items[i].rule, items[i].read + 1}, after[i]
		}
		p.enter(to, follow)
	}
	return true
}

// close returns the items of a state together with those of all symbols that can begin there, the closure; after has,
// for each item, the terminals that may follow its rule.
func (p *lr) close(s *lrState) (items []lrItem, after []terminals) {
	follow := map[int32]*terminals{} // by symbol that has rules
	var todo, order []int32
	// begin adds to follow what may come after the first of the symbols right, where after may come after the last.
	begin := func(right []symbol, after *terminals) {
		if len(right) == 0 || right[0] <= p.end {
			return
		}
		of := right[0] - p.end - 1
		then, empty := p.firstOf(right[1:])
		if empty {
			then.join(after)
		}
		known := follow[of]
		if known == nil {
			known = &terminals{}
			follow[of] = known
			order = append(order, of)
			todo = append(todo, of)
			known.join(&then)
		} else if known.join(&then) {
			todo = append(todo, of)
		}
	}
	for i, item := range s.items {
		begin(p.right[item.rule][item.read:], &s.after[i])
	}
	for len(todo) > 0 {
		of := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		after := *follow[of] // a copy: begin may add to the original
		p.budget.Step(1 + len(p.rules[of]))
		for _, r := range p.rules[of] {
			begin(p.right[r], &after)
		}
	}
	items, after = slices.Clone(s.items), slices.Clone(s.after)
	for _, of := range order {
		for _, r := range p.rules[of] {
			items, after = append(items, lrItem{r, 0}), append(after, *follow[of])
		}
	}
	return items, after
}
