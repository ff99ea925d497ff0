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
// replaced, or two neighbors exchanged. The derived words are those of a transition cover, in the order of
// [lang.Compare]. The result has the first word for each kind of edit, production that it breaks, and state in which
// it does; and the first for each production that is broken and class of the byte that breaks it.
//
// A word that several edits make counts for the first of them. Most words add nothing, so the cheaper question comes
// first. If a walk through tables explains a word, only a word that would be added is checked for an earlier edit
// that made it. If the explanation takes a parser, no word is explained twice. There are none for a model, which has no
// productions.
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
				s.DFA.Budget().Step(50 + len(v)/4) // for the explanation
				broken, at, _ = s.brokenProduction(v)
			}
			byEdit := reason{broken: broken, edit: edit, state: s.DFA.Run(0, v[:at])}
			byClass := reason{broken: broken, class: -1}
			if at < len(v) {
				byClass.class = s.DFA.ClassOf(v[at])
			}
			if have[byEdit] && have[byClass] {
				return
			}
			if quick && edited.madeEarlier(i, v) { // otherwise v is in explained, and does not come back
				return
			}
			have[byEdit], have[byClass] = true, true
			list = append(list, Example{v, fmt.Sprintf("breaks %s: %s", broken, how())})
		})
	}
	return list
}

// editsOfWord calls yield for each word that is one edit away from w and not accepted by a. a must accept w. edit is
// the kind of edit, and how returns its description. An inserted byte is the most readable one of its class.
func editsOfWord(a *lang.DFA, w string, yield func(v string, edit string, how func() string)) {
	states := []int{0} // after each prefix of w
	for i := range len(w) {
		states = append(states, a.Run(states[i], w[i:i+1]))
	}
	try := func(from, to int, by, edit, format string, args ...string) {
		q := a.Run(states[from], by)
		for i := to; i < len(w) && a.Live(q); i++ {
			if q == states[i] { // from here on the states are those of w
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

// editedWords tells from which words of a list an edit of [editsOfWord] makes a given word. It does not keep the
// words that the edits make, but takes the edits back.
type editedWords struct {
	index  map[string]int // the index of each word in the list
	letter [256]bool      // the bytes that edits put in
	all    []byte         // the bytes that edits can leave out: those of all words
	budget *budget.Budget
}

// newEditedWords returns the editedWords of a list, in which no word occurs twice. Edits put in the preferred letters
// of a.
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

// madeEarlier reports whether an edit makes v from a word that comes before the i-th.
func (e *editedWords) madeEarlier(i int, v string) bool {
	e.budget.Step(len(v) * (2 + len(e.all)/4))
	edited := make([]byte, 0, len(v)+1)
	is := func() bool {
		k, ok := e.index[string(edited)]
		return ok && k < i
	}
	for at := range len(v) + 1 {
		for _, x := range e.all { // x was left out
			edited = append(append(append(edited[:0], v[:at]...), x), v[at:]...)
			if is() {
				return true
			}
		}
		if at == len(v) {
			break
		}
		if at > 0 { // two bytes were exchanged
			edited = append(append(append(edited[:0], v[:at-1]...), v[at], v[at-1]), v[at+1:]...)
			if is() {
				return true
			}
		}
		if !e.letter[v[at]] {
			continue
		}
		edited = append(append(edited[:0], v[:at]...), v[at+1:]...)
		if is() { // it was put in
			return true
		}
		for _, x := range e.all { // it replaced x
			edited = append(append(append(edited[:0], v[:at]...), x), v[at+1:]...)
			if is() {
				return true
			}
		}
	}
	return false
}

// explainingTables returns the tables that explain rejections by s. ok is false if a walk through them is not enough:
// if something nests, which takes a parser, and if values are code points, which takes a second look.
func (s *Subject) explainingTables() (m ast.Machine, ok bool) {
	g := s.Grammar
	if s.ReadTo != "" || g.Explaining != nil || g.Within != nil || g.CodePoints {
		return ast.Machine{}, false
	}
	m = g.Machine()
	return m, len(m.Starts(s.Production)) > 0
}

// brokenByTables is [Subject.brokenProduction] with the tables that explain rejections, and without the productions
// around.
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
	if in := m.In(q); len(in) > 0 {
		return s.Grammar.Production(in[0]).ID, offset
	}
	return s.ID(), offset
}

// brokenProduction returns the production that v, which is not derived, breaks, the offset of the break, and all
// productions around that place, the broken one first.
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
