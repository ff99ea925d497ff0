package prove

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// A derivation is one level of a tree over a word: the children of the node, in order.
type derivation []span

// listDerivations returns the derivations of text among the bracketed words of a, an automaton over b's symbols: at
// most max of them, none if text has none. An empty child that could be repeated without end is not repeated. The
// order is always the same: where a bracket and a byte can come next, the derivations with the bracket are first.
func (b *brackets) listDerivations(a *lang.DFA, text string, max int) []derivation {
	ends := b.completable(a, text)
	type place struct{ i, q int }
	var out []derivation
	var children derivation
	on := map[place]bool{} // places on the current way, so that no way runs in circles
	var walk func(p place)
	walk = func(p place) {
		if len(out) >= max || on[p] || !ends[p.i][p.q] {
			return
		}
		on[p] = true
		defer delete(on, p)
		if p.i == len(text) && a.Accepts(p.q) {
			out = append(out, append(derivation(nil), children...))
		}
		for s := b.alphabet.size(); s < b.size(); s++ {
			to := place{p.i, a.Next(p.q, byte(s))}
			if !ends[to.i][to.q] {
				continue
			}
			if kind, opens, _ := b.kindOfSymbol(s); opens {
				children = append(children, span{kind: kind, start: p.i})
				walk(to)
				children = children[:len(children)-1]
			} else {
				children[len(children)-1].end = p.i
				walk(to)
			}
		}
		if p.i < len(text) {
			walk(place{p.i + 1, a.Next(p.q, b.alphabet.class[text[p.i]])})
		}
	}
	walk(place{})
	return out
}

// completable returns, for every offset in text, the states that a can be in there: the map has an entry for each state
// that is reached, true if the rest of text leads from it to acceptance. It goes forward over text, then backward.
// Brackets read no byte, so at each offset they are followed until nothing changes.
func (b *brackets) completable(a *lang.DFA, text string) []map[int]bool {
	// bracket calls f with each state to which a bracket leads from q.
	bracket := func(q int, f func(to int)) {
		for s := b.alphabet.size(); s < b.size(); s++ {
			if to := a.Next(q, byte(s)); !a.Dead(to) {
				f(to)
			}
		}
	}
	reached := make([][]int, len(text)+1)
	seen := map[int]bool{}
	reach := func(i, q int) {
		if !seen[q] && !a.Dead(q) {
			seen[q] = true
			reached[i] = append(reached[i], q)
		}
	}
	reach(0, 0)
	for i := range reached {
		for j := 0; j < len(reached[i]); j++ {
			bracket(reached[i][j], func(to int) { reach(i, to) })
		}
		if i < len(text) {
			clear(seen)
			for _, q := range reached[i] {
				reach(i+1, a.Next(q, b.alphabet.class[text[i]]))
			}
		}
	}
	// Backward: a state leads to the end by the next byte, or by brackets, which may form circles.
	ends := make([]map[int]bool, len(text)+1)
	for i := len(text); i >= 0; i-- {
		ends[i] = map[int]bool{}
		for _, q := range reached[i] {
			if i == len(text) {
				ends[i][q] = a.Accepts(q)
			} else {
				ends[i][q] = ends[i+1][a.Next(q, b.alphabet.class[text[i]])]
			}
		}
		for changed := true; changed; {
			changed = false
			for _, q := range reached[i] {
				if !ends[i][q] {
					bracket(q, func(to int) { ends[i][q] = ends[i][q] || ends[i][to] })
					changed = changed || ends[i][q]
				}
			}
		}
	}
	return ends
}

// show returns text with each child in brackets, after the name of its production: "[user a]@[hostport b]"; a child
// without text is "[user]". name returns the name for a kind.
func (d derivation) show(text string, name func(id string) string) string {
	var s strings.Builder
	i := 0
	for _, c := range d {
		s.WriteString(text[i:c.start])
		s.WriteString("[" + name(c.kind))
		if c.end > c.start {
			s.WriteString(" " + text[c.start:c.end])
		}
		s.WriteString("]")
		i = c.end
	}
	s.WriteString(text[i:])
	return s.String()
}

// applyClauses returns the derivations, all of one word, that remain when the clauses choose among them one after the
// other, in their order. A clause takes away those to which it prefers another, and leaves at least one. Without
// clauses all remain. The order of all does not matter.
func applyClauses(all []derivation, clauses []bnf.Clause) []derivation {
	for _, c := range clauses {
		// A clause's preference is transitive, but its ties are not, so each derivation is compared with all of the
		// best.
		var best []derivation
		for _, d := range all {
			if slices.ContainsFunc(best, func(b derivation) bool { return compareByClause(c, b, d) > 0 }) {
				continue
			}
			best = slices.DeleteFunc(best, func(b derivation) bool { return compareByClause(c, d, b) > 0 })
			best = append(best, d)
		}
		all = best
	}
	return all
}

// compareByClause returns which of two derivations a clause prefers: 1 for the first, -1 for the second, 0 for neither.
// Present and Absent ask whether there is such a child. Shortest and Longest compare lengths child by child, and the
// first difference decides; children that only one of the two has do not count there, nor does where children begin, as
// it does for wordsNotBest.
func compareByClause(c bnf.Clause, d, e derivation) int {
	x, y := d.childLengths(c.Child), e.childLengths(c.Child)
	both := min(len(x), len(y))
	switch c.Prefer {
	case bnf.Present:
		return min(len(x), 1) - min(len(y), 1)
	case bnf.Absent:
		return min(len(y), 1) - min(len(x), 1)
	case bnf.Shortest:
		return slices.Compare(y[:both], x[:both])
	}
	return slices.Compare(x[:both], y[:both])
}

// childLengths returns the lengths of the children of a kind, in order.
func (d derivation) childLengths(kind string) []int {
	var out []int
	for _, c := range d {
		if c.kind == kind {
			out = append(out, c.end-c.start)
		}
	}
	return out
}

// maxDerivations caps the derivations that are listed for one string.
const maxDerivations = 1000

// findAmbiguity sets ambiguous and ambiguity of the row from its brackets and r.derived, which must be set; without
// an ambiguity both stay nil. It lists at most maxDerivations derivations of the shortest word. With a ledger it
// adds a fault if the readings do not leave one of them, and for a reading where there is no ambiguity. It fails if
// a limit is passed.
func (r *row) findAmbiguity(p *proof) error {
	// Without clauses no derivation is preferred, so these are the words with several.
	amb, err := r.brackets.wordsNotBest(r.derived, r.derived, nil, p.sideLimits())
	if err != nil {
		return err
	}
	settled := p.settled[r.Production]
	if amb == nil {
		if len(settled) > 0 {
			r.addFault(Derivation, nil, "%s chooses among derivations, and there is one of every string", settled[0])
		}
		return nil
	}
	w, _ := amb.Shortest()
	r.ambiguous = amb
	all := r.listDerivations(r.derived, w, maxDerivations)
	a := &Ambiguity{Production: r.Production, Word: quote.Word(w), Readings: settled}
	for _, d := range all {
		a.Derivations = append(a.Derivations, d.show(w, p.nameInText))
	}
	r.ambiguity = a
	if p.pair.Ledger == nil {
		return nil
	}
	if len(settled) == 0 {
		r.addFault(Derivation, new(quote.Word(w)),
			"%s has several derivations, %s and %s, and no reading chooses one", quote.Word(w), a.Derivations[0],
			a.Derivations[1])
	} else if best := applyClauses(all, p.choose[r.Production]); len(best) != 1 {
		r.addFault(Derivation, new(quote.Word(w)), "%s has several derivations, and %d are left by %s", quote.Word(w),
			len(best), strings.Join(settled, " with "))
	}
	return nil
}
