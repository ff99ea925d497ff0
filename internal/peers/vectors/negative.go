package vectors

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Negatives returns words that are not derived and are one edit away from one that is: a byte left out, put in or
// replaced, or two neighbours exchanged. The derived words are those that take each transition, in the order of
// [lang.Compare]. There is the first word for each kind of edit, production that it breaks, and state in which it does;
// and the first for each production that is broken and class of the byte that breaks it.
//
// A word that several edits make counts for the first of them. Most words add nothing, so what is cheaper is asked
// first: where the explanation of a word is a walk through tables, whether an earlier edit made the word is asked only
// of one that would be added; where it takes a parser, no word is explained twice.
func (s *Subject) Negatives() []Example {
	type reason struct {
		broken, edit string
		state, class int
	}
	var list []Example
	have := map[reason]bool{}
	words := slices.DeleteFunc(s.DFA.TransitionCover(), func(w string) bool { return !s.DFA.Match(w) })
	edited := newEditedWords(s.DFA, words)
	tables, quick := s.explainingTables()
	explained := map[[sha256.Size]byte]bool{} // hashes, because long words have many long neighbours
	for i, w := range words {
		s.DFA.Budget().Step(len(w) * s.DFA.Classes() * (8 + len(w)/2)) // each edit copies, matches and hashes w
		editsOfWord(s.DFA, w, func(v string, edit string, how func() string) {
			var broken string
			var at int
			if quick {
				broken, at = s.brokenByTables(tables, v)
			} else {
				hash := sha256.Sum256([]byte(v))
				if explained[hash] || s.ReadTo != "" && s.Judges[0].Accepts(v) {
					return
				}
				explained[hash] = true
				s.DFA.Budget().Room(64 * int64(len(explained)))
				s.DFA.Budget().Step(50 + len(v)/4) // of the explanation
				broken, at, _ = s.brokenProduction(v)
			}
			byEdit, byClass := reason{broken: broken, edit: edit, state: s.DFA.Run(0, v[:at])}, reason{broken: broken, class: -1}
			if at < len(v) {
				byClass.class = s.DFA.ClassOf(v[at])
			}
			if have[byEdit] && have[byClass] || quick && edited.before(i, v) {
				return
			}
			have[byEdit], have[byClass] = true, true
			list = append(list, Example{v, fmt.Sprintf("breaks %s: %s", broken, how())})
		})
	}
	return list
}

// editsOfWord yields the words one edit away from w, which a accepts, that a does not accept, with the kind of edit and
// a function for its description. The inserted byte is the most readable one of its class.
func editsOfWord(a *lang.DFA, w string, yield func(v string, edit string, how func() string)) {
	states := []int{0} // after each prefix of w
	for i := range len(w) {
		states = append(states, a.Run(states[i], w[i:i+1]))
	}
	try := func(from, to int, by, edit, format string, args ...string) {
		q := a.Run(states[from], by)
		for i := to; i < len(w) && a.Live(q); i++ {
			if q == states[i] { // from here on all is as in w
				return
			}
			q = a.Next(q, w[i])
		}
		if a.Accepts(q) {
			return
		}
		yield(w[:from]+by+w[to:], edit, func() string {
			quoted := []any{}
			for _, a := range args {
				quoted = append(quoted, ast.Quote(a))
			}
			return fmt.Sprintf(format+" at %d of %s", append(quoted, from, ast.Quote(w))...)
		})
	}
	letters := preferredLetters(a)
	for i := range len(w) + 1 {
		for _, x := range letters {
			try(i, i, x, "insert", "%s put in", x)
		}
	}
	for i := range len(w) {
		try(i, i+1, "", "delete", "%s left out", w[i:i+1])
		for _, x := range letters {
			try(i, i+1, x, "replace", "%s for %s", x, w[i:i+1])
		}
		if i > 0 {
			try(i-1, i+1, w[i:i+1]+w[i-1:i], "exchange", "%s and %s exchanged", w[i-1:i], w[i:i+1])
		}
	}
}

// preferredLetters returns the most readable byte of each class, in the order of [lang.Compare].
func preferredLetters(a *lang.DFA) (letters []string) {
	for _, c := range a.Preferred() {
		letters = append(letters, string([]byte{a.Readable(c)}))
	}
	return letters
}

// editedWords finds out which word of a list was the first that an edit of [editsOfWord] makes another word of, without
// keeping what the edits make: it takes the edits back.
type editedWords struct {
	index  map[string]int // the place of each word in the list
	letter [256]bool      // what is put in
	all    []byte         // what can be left out: the bytes of all words
	budget *budget.Budget
}

func newEditedWords(a *lang.DFA, words []string) *editedWords {
	e := &editedWords{index: make(map[string]int, len(words)), budget: a.Budget()}
	for _, x := range preferredLetters(a) {
		e.letter[x[0]] = true
	}
	var used expr.Set
	for i, w := range words {
		e.index[w] = i
		for _, x := range []byte(w) {
			used.Add(x)
		}
	}
	e.all = used.Members()
	return e
}

// before reports whether an edit makes v of a word that stands before the i-th.
func (e *editedWords) before(i int, v string) bool {
	e.budget.Step(len(v) * (2 + len(e.all)/4))
	edited := make([]byte, 0, len(v)+1)
	is := func() bool {
		k, ok := e.index[string(edited)]
		return ok && k < i
	}
	for at := range len(v) + 1 {
		for _, x := range e.all { // x was left out
			if edited = append(append(append(edited[:0], v[:at]...), x), v[at:]...); is() {
				return true
			}
		}
		if at == len(v) {
			break
		}
		if at > 0 { // two were exchanged
			if edited = append(append(append(edited[:0], v[:at-1]...), v[at], v[at-1]), v[at+1:]...); is() {
				return true
			}
		}
		if !e.letter[v[at]] {
			continue
		}
		if edited = append(append(edited[:0], v[:at]...), v[at+1:]...); is() { // it was put in
			return true
		}
		for _, x := range e.all { // it was put in place of x
			if edited = append(append(append(edited[:0], v[:at]...), x), v[at+1:]...); is() {
				return true
			}
		}
	}
	return false
}

// explainingTables returns the tables that explain what s does not derive, unless that takes more than a walk through
// them: a parser where something nests, and a second look where values are code points.
func (s *Subject) explainingTables() (m ast.Machine, ok bool) {
	g := s.Grammar
	if s.ReadTo != "" || g.Explaining != nil || g.Within != nil || g.CodePoints {
		return ast.Machine{}, false
	}
	m = g.Machine()
	return m, len(m.Starts(s.Production)) > 0
}

// brokenByTables is [Subject.brokenProduction] by the tables that explain rejections.
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
	if offset == len(v) && m.Accepts(q) { // the tables derive it, though s does not: they explain nothing
		return s.ID(), 0
	}
	if in := m.In(q); len(in) > 0 {
		return s.Grammar.Production(in[0]).ID, offset
	}
	return s.ID(), offset
}

// brokenProduction returns the production that v, which is not derived, breaks, the offset where, and all productions
// around it.
func (s *Subject) brokenProduction(v string) (id string, offset int, all []string) {
	_, err := s.Grammar.Derive(s.Production, v)
	if err == nil {
		return s.ID(), len(v), []string{s.ID()}
	}
	return s.brokenByError(err)
}

// brokenByError is [Subject.brokenProduction] for an error of package ast. If that is not a syntax error, since a
// limit was passed, the start is taken for broken, at offset 0.
func (s *Subject) brokenByError(reason error) (id string, offset int, all []string) {
	err, ok := errors.AsType[*ast.SyntaxError](reason)
	if !ok { // it is too long
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
