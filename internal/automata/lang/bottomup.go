package lang

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A BNF computes the languages of an unordered grammar in a [Space], from the productions that use no other to
// those that use all. A use of a production is replaced by the minimal automaton of its language; only productions
// that use each other are taken together. So the work on a production depends on its language, and not on how
// often, and how deep, the productions below it are used. [BuildNFA] copies them instead; the automata are the
// same.
type BNF struct {
	s     *Space
	g     *expr.Grammar
	facts *expr.Facts
	*groups
	embeds []int // by group: the index of the first used rule that embeds itself, or the number of rules
	known  map[string]Language
	memo   map[string]int32 // unions of languages, by their numbers: see languages
}

// BNF returns a BNF that computes languages of g, which must be among the grammars that s was made for. It fails if g
// is ordered.
func (s *Space) BNF(g *expr.Grammar) (*BNF, error) {
	if g.Ordered {
		return nil, fmt.Errorf("%s: ordered choice cannot be read as unordered", g.Name)
	}
	b := &BNF{s: s, g: g, facts: expr.Analyze(g.Rules), known: map[string]Language{}, memo: map[string]int32{}}
	b.groups = newGroups(g, func(r *expr.Rule) (ids []string) {
		for _, u := range b.facts.Uses(r.ID) {
			ids = append(ids, u.ID)
		}
		return ids
	})
	index := map[string]int{}
	for i, r := range slices.Backward(g.Rules) {
		index[r.ID] = i
	}
	b.findFaults(index)
	return b, nil
}

// componentOfGroup returns how the productions of a group use each other.
func (b *BNF) componentOfGroup(group int) *expr.Component {
	return b.facts.Component(b.members[group][0].ID)
}

// findFaults enters in b.failed the productions that have no automaton because of their form, or because they use one
// that has none. The error is about a lookahead or, if there is none, about a production that embeds itself, the
// first in the text of those that are used. It also sets b.embeds. index has the place of each production in the
// grammar.
func (b *BNF) findFaults(index map[string]int) {
	// Groups come after those that they use, whose entries are known when they are looked at.
	embeds := slices.Repeat([]int{len(b.g.Rules)}, len(b.members))
	b.embeds = embeds
	for c, members := range b.members {
		for _, r := range members {
			if b.componentOfGroup(c).Embeds() {
				embeds[c] = min(embeds[c], index[r.ID])
			}
			for _, u := range b.facts.Uses(r.ID) {
				embeds[c] = min(embeds[c], embeds[b.of[u.ID]])
			}
		}
	}
	selfEmbedding := map[int]error{}
	for _, r := range b.g.Rules {
		if i := embeds[b.of[r.ID]]; i < len(b.g.Rules) {
			if selfEmbedding[i] == nil {
				selfEmbedding[i] = b.facts.SelfEmbedding(b.g.Rules[i].ID)
			}
			b.failed[r.ID] = selfEmbedding[i]
		}
	}
	// A lookahead is the error of all that use its production, even if they use one that embeds itself.
	uses := map[string][]string{}
	var todo []string
	for _, r := range b.g.Rules {
		for _, id := range expr.Refs(r.Expr) {
			uses[id] = append(uses[id], r.ID)
		}
		if err := lookaheadIn(r.Expr); err != nil {
			b.failed[r.ID] = err
			todo = append(todo, r.ID)
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, id := range uses[todo[0]] {
			var embedding *expr.SelfEmbedding
			if b.failed[id] == nil || errors.As(b.failed[id], &embedding) {
				b.failed[id] = b.failed[todo[0]]
				todo = append(todo, id)
			}
		}
	}
}

// lookaheadIn returns an error if e has a lookahead.
func lookaheadIn(e *expr.Expr) error {
	if e := expr.Find(e, func(e *expr.Expr) bool { return e.Op == expr.And || e.Op == expr.Not }); e != nil {
		return expr.Errorf(e.Pos, "a lookahead in a grammar that is not ordered")
	}
	return nil
}

// Of returns the words that a production derives. Conditions are those of [FromBNF]. An error that wraps
// [ErrTooLarge] is a [*TooLarge], and names the production that is too large: this one or one that it uses.
func (b *BNF) Of(id string) (Language, error) {
	r, err := b.g.Lookup(id)
	if err != nil {
		return NoWord, err
	}
	b.prepare(r.ID)
	return b.known[r.ID], b.failed[r.ID]
}

// Retry forgets which productions have passed a limit of the budget, so that they are computed again. The budget may
// allow more now.
func (b *BNF) Retry() {
	for id, err := range b.failed {
		if _, passed := errors.AsType[*budget.Exceeded](err); passed {
			delete(b.failed, id)
		}
	}
}

// OfExpr returns the words that e derives. Its terminals must not tell apart more bytes than the Space does. It
// fails, and returns NoWord, if they do, if there is a lookahead or a production that embeds itself, and if a limit
// is passed.
func (b *BNF) OfExpr(e *expr.Expr) (Language, error) {
	if err := lookaheadIn(e); err != nil {
		return NoWord, err
	}
	if err := b.s.foreign(b.g, e); err != nil {
		return NoWord, err
	}
	embeds := len(b.g.Rules) // the index of the first rule that embeds itself, or this if none does
	for _, id := range expr.Refs(e) {
		if b.g.Rule(id) == nil {
			continue
		}
		b.prepare(id)
		if err := b.failed[id]; err != nil && !errors.As(err, new(*expr.SelfEmbedding)) {
			return NoWord, err
		}
	}
	b.facts.Remember(e)
	for _, u := range b.facts.UsesIn(e) {
		embeds = min(embeds, b.embeds[b.of[u.ID]])
	}
	if embeds < len(b.g.Rules) {
		return NoWord, b.facts.SelfEmbedding(b.g.Rules[embeds].ID)
	}
	var l Language
	err := b.s.meter.shareFor(nil, func() {
		n := &languageNFA{b: b, component: -1}
		defer n.releaseBytes()
		start := n.State()
		expr.Make(n, e, start, final, true)
		l = Language(n.languages([]int32{start}, final)[0])
	})
	return l, err
}

// prepare computes the languages of a production and of those that it uses, unless that was done. It enters them in
// b.known, or an error in b.failed.
func (b *BNF) prepare(id string) {
	b.visit(id, func(id string) bool { _, ok := b.known[id]; return ok }, b.compute)
}

// compute finds the languages of a group and enters them in b.known, which must have those that the group uses. If a
// limit is passed it fails, and b.known has none of them.
func (b *BNF) compute(members []*expr.Rule) error {
	c := b.of[members[0].ID]
	err := b.s.meter.shareFor(members[0], func() {
		n := &languageNFA{b: b, component: c, of: map[string]int32{}}
		defer n.releaseBytes()
		starts := make([]int32, len(members))
		for i, r := range members {
			starts[i] = n.State()
			n.of[r.ID] = starts[i]
		}
		if !b.componentOfGroup(c).Right {
			for i, r := range members {
				expr.Make(n, r.Expr, starts[i], final, true)
			}
			for i, l := range n.languages(starts, final) {
				b.known[members[i].ID] = Language(l)
			}
			return
		}
		// Left-linear: the state of a rule is where its words end, and all begin at one place.
		begin := n.State()
		for i, r := range members {
			expr.Make(n, r.Expr, begin, starts[i], true)
		}
		for i, r := range members {
			b.known[r.ID] = Language(n.languages([]int32{begin}, starts[i])[0])
		}
	})
	for _, r := range members {
		if err != nil {
			delete(b.known, r.ID)
		}
	}
	return err
}

// A languageNFA is an automaton whose edges read words of whole languages.
type languageNFA struct {
	b         *BNF
	component int
	of        map[string]int32 // the state of each rule of the component
	edges     [][]languageEdge
	held      int64 // bytes
}

// A languageEdge reads a word of a language.
type languageEdge struct {
	language int32
	to       int32
}

// final is the state where every automaton ends; its other states are numbered from 0.
const final int32 = -1

// chargeBytes charges one step, and memory that releaseBytes gives back.
func (n *languageNFA) chargeBytes(size int64) {
	n.b.s.meter.step(1)
	n.b.s.meter.chargeHeld(size)
	n.held += size
}

// releaseBytes gives back all memory that the automaton was charged for.
func (n *languageNFA) releaseBytes() { n.b.s.meter.release(n.held) }

// State implements [expr.Maker]. Past the limit on states it stops the computation.
func (n *languageNFA) State() int32 {
	n.chargeBytes(24)
	if most := n.b.s.limits.maxNFA(); len(n.edges) >= most {
		n.b.s.meter.stop(States, int64(most))
	}
	n.edges = append(n.edges, nil)
	return int32(len(n.edges) - 1)
}

// Silent implements [expr.Maker].
func (n *languageNFA) Silent(from, to int32) { n.addEdge(from, epsilon, to) }

// addEdge adds a step that reads a word of a language. It leaves out a step of the language without words, and one
// that reads nothing and leads back to the same state.
func (n *languageNFA) addEdge(from, language, to int32) {
	n.chargeBytes(16)
	if language != none && (language != epsilon || from != to) {
		n.edges[from] = append(n.edges[from], languageEdge{language, to})
	}
}

// Known implements [expr.Maker]. It reports whether e derives nothing, for which it adds no step, or only the empty
// string.
func (n *languageNFA) Known(e *expr.Expr, from, to int32) bool {
	switch facts := n.b.facts; {
	case !facts.Derives(e):
		return true
	case !facts.NonEmpty(e):
		n.Silent(from, to)
		return true
	}
	return false
}

// Part implements [expr.Maker]. A use of a rule outside the component reads a word of its language, which must be
// known. A use inside the component reads nothing. In a left-linear component it leads from the rule's state to the
// state to, so that the innermost rule is read first. In a right-linear one it leads from the state from to the
// rule's state.
func (n *languageNFA) Part(e *expr.Expr, from, to int32, _ bool) {
	switch {
	case e.Op != expr.Ref:
		n.addEdge(from, n.b.s.prefixTerminal(e, epsilon), to)
	case n.component < 0 || n.b.of[e.Name] != n.component:
		n.addEdge(from, int32(n.b.known[e.Name]), to)
	case !n.b.componentOfGroup(n.component).Recursive:
	case n.b.componentOfGroup(n.component).Right:
		n.Silent(n.of[e.Name], to)
	default:
		n.Silent(from, n.of[e.Name])
	}
}

// An item is what remains to be read: a word of the language, after which the automaton is in the state to.
type item struct{ language, to int32 }

// languages returns the words that lead from each of the starts to the end, by the subset construction. A subset is a
// set of items, and accepts if it has an item of final whose language has the empty word. Subsets whose items all
// lead to final do not depend on the automaton: b.memo keeps their languages for others.
func (n *languageNFA) languages(starts []int32, end int32) []int32 {
	s := n.b.s
	p := s.pool
	batch := p.newBatch()
	defer batch.release()
	var held int64
	defer func() { s.meter.release(held) }()

	var subsets [][]item
	index := map[string]int32{}
	var key []byte
	mark := make([]int32, len(n.edges)+1) // final has the last place
	round := int32(0)
	var out []item
	var stack []int32
	// enter puts q on the stack of states to visit, once in each round.
	enter := func(q int32) {
		at := q
		if q == final {
			at = int32(len(n.edges))
		}
		if mark[at] != round {
			mark[at] = round
			stack = append(stack, q)
		}
	}
	// add adds an item to out. If its language has the empty word, it enters the state to as well.
	add := func(language, to int32) {
		if language == none {
			return
		}
		if p.accept[language] && to != final {
			enter(to)
			if language == epsilon {
				return
			}
		}
		out = append(out, item{language, to})
	}
	// flush adds to out what the states on the stack lead to. States that this enters are included.
	flush := func() {
		for len(stack) > 0 {
			q := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if q == final || q == end {
				out = append(out, item{epsilon, final})
			}
			if q == final {
				continue
			}
			s.meter.step(len(n.edges[q]))
			for _, e := range n.edges[q] {
				add(e.language, e.to)
			}
		}
	}
	// entry returns the entry of a row for the items in out: their language, if that is known, or else the local
	// number of the subset, which is added if it is new.
	entry := func() int32 {
		slices.SortFunc(out, func(a, b item) int {
			return cmp.Or(int(a.to)-int(b.to), int(a.language)-int(b.language))
		})
		out = slices.Compact(out)
		switch {
		case len(out) == 0:
			return none
		case len(out) == 1 && out[0].to == final:
			return out[0].language
		}
		key = key[:0]
		closed := true // all items lead to final
		for _, i := range out {
			key = binary.LittleEndian.AppendUint32(key, uint32(i.language))
			key = binary.LittleEndian.AppendUint32(key, uint32(i.to))
			closed = closed && i.to == final
		}
		if closed {
			if l, ok := n.b.memo[string(key)]; ok {
				return l
			}
		}
		q, ok := index[string(key)]
		if !ok {
			q = int32(len(subsets))
			size := int64(2*len(key) + memoBytes + 24)
			s.meter.chargeHeld(size)
			held += size
			index[string(key)] = q
			subsets = append(subsets, slices.Clone(out))
		}
		return local(q)
	}
	results := make([]int32, len(starts))
	for i, q := range starts {
		round++
		out = out[:0]
		enter(q)
		flush()
		results[i] = entry()
	}
	for i := 0; i < len(subsets); i++ {
		s.meter.countState(i)
		accept := false
		for _, x := range subsets[i] {
			accept = accept || x.to == final && p.accept[x.language]
		}
		q := batch.addState(accept)
		for c := range s.first {
			round++
			out = out[:0]
			for _, x := range subsets[i] {
				add(p.derive(x.language, c), x.to)
			}
			s.meter.step(len(subsets[i]))
			flush()
			batch.rowOfState(q)[c] = entry()
		}
	}
	languages := batch.intern()
	for i, x := range subsets {
		if !slices.ContainsFunc(x, func(x item) bool { return x.to != final }) {
			key = key[:0]
			for _, x := range x {
				key = binary.LittleEndian.AppendUint32(key, uint32(x.language))
				key = binary.LittleEndian.AppendUint32(key, uint32(x.to))
			}
			s.meter.charge(int64(len(key) + memoBytes))
			n.b.memo[string(key)] = languages[i]
		}
	}
	for i, l := range results {
		if l < 0 {
			results[i] = languages[stateOfLocal(l)]
		}
	}
	return results
}
