package vectors

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Negatives returns words that are not derived and are one edit away from one that is: a byte left out, put in or
// replaced, or two neighbors exchanged. The derived words are those of a transition cover, in the order of
// [lang.Compare]. The result has the first word for each kind of edit, production that it breaks, and state in which
// it does; and the first for each production that is broken and class of the byte that breaks it.
//
// A word that several edits make counts for the first of them. Most words add nothing, so the cheaper question comes
// first. If a walk through tables explains a word, only a word that would be added is checked for an earlier edit
// that made it. If the explanation takes a parser, no word is explained twice. Words that the grammar derives, deeper
// than the automaton follows, are left out. There are none for a model, which has no productions.
func (s *Subject) Negatives() []Example {
	if s.Model != nil {
		return nil
	}
	type reason struct {
		broken, edit string
		state, class int
	}
	var list []Example
	have := map[reason]bool{}
	words := slices.DeleteFunc(s.DFA.TransitionCover(), func(w string) bool { return !s.DFA.Match(w) })
	edited := newEditedWords(s.DFA, words)
	// quick: a walk through tables explains a rejection, and no parser is needed.
	tables, quick := s.explainingTables()
	explained := map[[sha256.Size]byte]bool{} // hashes, because long words have many long neighbors
	x := newEditedWord(s.DFA)
	for i, w := range words {
		x.set(w)
		if quick {
			x.setTables(s, tables)
		}
		x.eachRejected(func(e wordEdit) {
			var broken string
			var at, state int
			if quick {
				broken, at, state = x.breakOf(e)
			} else {
				v := e.apply(w)
				s.DFA.Budget().Step(8 + len(v)/4)
				hash := sha256.Sum256([]byte(v))
				if explained[hash] || s.ReadTo != "" && s.Judges[0].Accepts(v) {
					return
				}
				explained[hash] = true
				s.DFA.Budget().Room(64 * int64(len(explained)))
				s.DFA.Budget().Step(50 + len(v)/4) // for the explanation
				broken, at, _ = s.brokenProduction(v)
				state = s.DFA.Run(0, v[:at])
			}
			byEdit := reason{broken: broken, edit: e.kind, state: state}
			byClass := reason{broken: broken, class: -1}
			if b, ok := e.byteAt(w, at); ok {
				byClass.class = s.DFA.ClassOf(b)
			}
			if have[byEdit] && have[byClass] {
				return
			}
			v := e.apply(w)
			if quick && edited.madeEarlier(i, v) { // otherwise v is in explained, and does not come back
				return
			}
			have[byEdit], have[byClass] = true, true
			list = append(list, Example{v, fmt.Sprintf("breaks %s: %s", broken, e.describe(w))})
		})
	}
	return list
}

// editedWords tells which words of a list become a given word by one edit of [editedWord.eachRejected]. It does not
// keep the words that the edits make, but takes the edits back. It finds the result among the words by a hash, a
// polynomial in hashBase modulo 1<<64 with the bytes as coefficients: from the hashes of the parts before and after
// the edit it follows in a few operations, however long the word is.
type editedWords struct {
	a      *lang.DFA
	words  []string
	byHash map[uint64][]int // the indexes of the words
	letter [256]bool        // the bytes that edits put in
	all    []byte           // the bytes that edits can leave out: those of all words
	powers []uint64         // of hashBase

	before, after []uint64 // memory of madeEarlier: by offset, the hash of what stands before it, and from it on
}

// hashBase is any large odd number.
const hashBase = 0x9e3779b97f4a7c15

// newEditedWords returns the editedWords of a list of words that a accepts, without repetitions. Edits put in the
// [lang.DFA.Letters] of a.
func newEditedWords(a *lang.DFA, words []string) *editedWords {
	e := &editedWords{a: a, words: words, byHash: make(map[uint64][]int, len(words))}
	for _, x := range a.Letters() {
		e.letter[x] = true
	}
	var used expr.Set
	for i, w := range words {
		var hash uint64
		for _, x := range []byte(w) {
			used.Add(x)
			hash = hash*hashBase + uint64(x)
		}
		e.byHash[hash] = append(e.byHash[hash], i)
	}
	e.all = used.Members()
	e.powers = []uint64{1}
	for i := range longestLength(words) + 2 {
		e.powers = append(e.powers, e.powers[i]*hashBase)
	}
	return e
}

// madeEarlier reports whether an edit makes v from a word that comes before the i-th. v is one edit away from a word of
// the list, and not accepted.
func (e *editedWords) madeEarlier(i int, v string) bool {
	e.before, e.after = append(e.before[:0], 0), slices.Grow(e.after[:0], len(v)+1)[:len(v)+1]
	for at := range len(v) {
		e.before = append(e.before, e.before[at]*hashBase+uint64(v[at]))
	}
	e.after[len(v)] = 0
	for at := len(v) - 1; at >= 0; at-- {
		e.after[at] = e.after[at+1] + uint64(v[at])*e.powers[len(v)-at-1]
	}
	// is reports whether v with by for the bytes from..to is a word before the i-th.
	is := func(from, to int, by ...byte) bool {
		hash := e.before[from]
		for _, x := range by {
			hash = hash*hashBase + uint64(x)
		}
		for _, k := range e.byHash[hash*e.powers[len(v)-to]+e.after[to]] {
			if w := e.words[k]; k < i && len(w) == len(v)-(to-from)+len(by) &&
				w[:from] == v[:from] && w[from:from+len(by)] == string(by) && w[from+len(by):] == v[to:] {
				return true
			}
		}
		return false
	}
	// No word begins as v does up to where a is dead, so the edit was made there or before.
	last := 0
	for q := 0; last < len(v); last++ {
		if q = e.a.Next(q, v[last]); e.a.Dead(q) {
			break
		}
	}
	// Most edits break a word where they were made, so the search goes backward from there.
	e.a.Budget().Step(len(v) / 8)
	for at := min(last+1, len(v)); at >= 0; at-- {
		e.a.Budget().Step(1 + len(e.all)/2)
		edited := at < len(v) && e.letter[v[at]]
		if edited && is(at, at+1) { // it was put in
			return true
		}
		if 0 < at && at < len(v) && is(at-1, at+1, v[at], v[at-1]) { // two bytes were exchanged
			return true
		}
		for _, x := range e.all { // x was left out, or replaced
			if is(at, at, x) || edited && is(at, at+1, x) {
				return true
			}
		}
	}
	return false
}

// explainingTables returns the tables that explain rejections by s, which must not be a model. ok is false if a walk
// through them is not enough: if something nests, which takes a parser, and if they have no start for the production.
func (s *Subject) explainingTables() (m ast.Machine, ok bool) {
	g := s.Grammar
	if s.ReadTo != "" || g.Explaining != nil || g.Within != nil {
		return ast.Machine{}, false
	}
	m = g.Machine()
	return m, len(m.Starts(s.Production)) > 0
}

// brokenByTables is [Subject.brokenProduction] with the tables that explain rejections, and without the productions
// around. If the tables accept v, they explain nothing: then it returns the start and offset 0.
func (s *Subject) brokenByTables(m ast.Machine, v string) (id string, offset int) {
	from := m.Start(s.Production, v)
	q := from.State
	for offset < len(v) {
		to := m.Step(q, v[offset])
		if to == 0 {
			break
		}
		q = to
		offset++
	}
	if offset == len(v) && m.Accepts(q) { // the tables accept it though s does not, so they explain nothing
		return s.ID(), 0
	}
	if s.Grammar.CodePoints {
		if start, _ := quote.CharacterStart(v, offset); start != offset { // the break is not where the tables stop
			s.budget().Step(len(v) / 4)
			id, offset, _ = s.brokenProduction(v)
			return id, offset
		}
	}
	return s.nameInTables(m, q), offset
}

// nameInTables returns the innermost production that is being matched in state q of the tables, that of s if none is.
func (s *Subject) nameInTables(m ast.Machine, q uint16) string {
	if in := m.In(q); len(in) > 0 {
		return s.Grammar.Production(in[0]).ID
	}
	return s.ID()
}

// brokenProduction returns the production that v, which is not derived, breaks, the offset of the break, and all
// productions around that place, the broken one first. If v is derived after all, that is the start, at the end of v.
func (s *Subject) brokenProduction(v string) (id string, offset int, all []string) {
	_, err := s.Grammar.Derive(s.Production, v)
	if err == nil {
		return s.ID(), len(v), []string{s.ID()}
	}
	return s.brokenByError(err)
}

// brokenByError is [Subject.brokenProduction] for an error of package ast. If it is no syntax error, because a limit
// was passed, the start counts as broken, at offset 0.
func (s *Subject) brokenByError(reason error) (id string, offset int, all []string) {
	err, ok := errors.AsType[*ast.SyntaxError](reason)
	if !ok { // the word is too long
		return s.ID(), 0, []string{s.ID()}
	}
	s.budget().Step(2 * len(err.Expected))
	for _, k := range err.In {
		all = append(all, s.Grammar.Production(k).ID)
	}
	if len(all) == 0 {
		all = append(all, s.ID())
	}
	return all[0], err.Offset, all
}
