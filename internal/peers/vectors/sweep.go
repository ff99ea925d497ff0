package vectors

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// SweepSuite tries all 256 bytes after the word that first leads to each live state. The words after the byte
// separate the state that it must lead to from those that other bytes lead to from there: that gives the guarantee of
// [SweepGuarantee]. If the byte leads to a live state, it is also followed by one byte of each class that may stand
// next and the first word that is accepted then: that exposes a byte that is taken for a delimiter. The suite
// guarantees more than a complete suite over the classes, and less than one over all bytes, which is larger by an
// order of magnitude.
//
// If it fails, its error wraps [lang.ErrTooLarge].
func SweepSuite(a *lang.DFA) (suite *Words, err error) {
	defer budget.Catch(&err)
	n := newNetwork(a.Budget())
	tree := n.addAccessTree(a)
	longest := 0
	for _, r := range SweepRows(a) {
		to := n.addState()
		n.Read(tree[a.Run(0, r.Before)], r.Bytes, to)
		n.addWord(to, r.After)
		longest = max(longest, len(r.Before)+1+len(r.After))
	}
	return n.finish(longest)
}

// SweepGuarantee returns in words which mistakes an implementation that passes the sweep for a cannot make.
func SweepGuarantee(a *lang.DFA) string {
	return fmt.Sprintf("any implementation that is this automaton of n = %d states, but in at most n of them "+
		"takes any bytes for others, and that passes every vector, accepts exactly this language", a.States())
}

// A SweepRow stands for several words of a sweep, with one verdict: Before, then one of Bytes, then After.
type SweepRow struct {
	Before string
	Bytes  expr.Set
	After  string
	Accept bool
}

// SweepRows returns the words of [SweepSuite] in few rows, by the states in their order and by After.
func SweepRows(a *lang.DFA) []SweepRow {
	s := newSeparators(a)
	var rows []SweepRow
	for q, access := range a.AccessWords() {
		if a.Dead(q) {
			continue
		}
		after := map[int]expr.Set{} // state -> the bytes that lead to it
		for c := range a.Classes() {
			p := a.NextClass(q, c)
			after[p] = after[p].Union(a.ClassSet(c))
		}
		targets := newStates(a.States())
		for p := range after {
			targets.add(p)
		}
		type rowKey struct {
			after  string
			accept bool
		}
		here := map[rowKey]SweepRow{}
		for p, set := range after {
			separating := s.wordsSeparating(p, targets, nil, make([]bool, len(s.words)))
			for _, w := range append(separating, s.wordsByClass(p)...) {
				accept := a.Accepts(a.Run(p, w))
				key := rowKey{w, accept}
				r, ok := here[key]
				if !ok {
					r = SweepRow{Before: access, After: w, Accept: accept}
				}
				r.Bytes = r.Bytes.Union(set)
				here[key] = r
			}
		}
		from := len(rows)
		rows = slices.AppendSeq(rows, maps.Values(here))
		slices.SortFunc(rows[from:], func(r, s SweepRow) int {
			if c := lang.Compare(r.After, s.After); c != 0 {
				return c
			}
			if r.Accept {
				return -1
			}
			return 1
		})
	}
	return rows
}

// wordsByClass returns, for each class that may stand next after p, its most readable byte and the first word
// accepted then.
func (s *separators) wordsByClass(p int) (words []string) {
	for c := range s.a.Classes() {
		if w, ok := s.ending(s.a.NextClass(p, c)); ok {
			words = append(words, string([]byte{s.a.Readable(c)})+w)
		}
	}
	return words
}
