package vectors

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
)

// Negatives returns words that are not derived and are one edit away from one that is: a byte left out, put in or
// replaced, or two neighbours exchanged. The derived words are those that take each transition, in the order of
// [lang.Compare]. There is the first word for each kind of edit, production that it breaks, and state in which it does;
// and the first for each production that is broken and class of the byte that breaks it.
func (s *Subject) Negatives() []Example {
	type reason struct {
		broken, edit string
		state, class int
	}
	var list []Example
	have := map[reason]bool{}
	seen := map[[sha256.Size]byte]bool{} // hashes, because long words have many long neighbours
	for _, w := range s.DFA.TransitionCover() {
		if !s.DFA.Match(w) {
			continue
		}
		s.DFA.Budget().Step(len(w) * s.DFA.Classes() * (8 + len(w)/2)) // each edit copies, matches and hashes w
		editsOfWord(s.DFA, w, func(v string, q int, edit string, how func() string) {
			if s.DFA.Accepts(q) {
				return
			}
			hash := sha256.Sum256([]byte(v))
			if seen[hash] || s.ReadTo != "" && s.Judges[0].Accepts(v) {
				return
			}
			seen[hash] = true
			s.DFA.Budget().Room(64 * int64(len(seen)))
			s.DFA.Budget().Step(50 + len(v)/4) // of the explanation
			broken, at, _ := s.brokenProduction(v)
			byEdit, byClass := reason{broken: broken, edit: edit, state: s.DFA.Run(0, v[:at])}, reason{broken: broken, class: -1}
			if at < len(v) {
				byClass.class = s.DFA.ClassOf(v[at])
			}
			if !have[byEdit] || !have[byClass] {
				have[byEdit], have[byClass] = true, true
				list = append(list, Example{v, fmt.Sprintf("breaks %s: %s", broken, how())})
			}
		})
	}
	return list
}

// editsOfWord yields the words one edit away from w, with the state after it, the kind of edit and a function for
// its description. The inserted byte is the most readable one of its class.
func editsOfWord(a *lang.DFA, w string, yield func(v string, state int, edit string, how func() string)) {
	states := []int{0} // after each prefix of w
	for i := range len(w) {
		states = append(states, a.Run(states[i], w[i:i+1]))
	}
	try := func(from, to int, by, edit, format string, args ...string) {
		q := a.Run(states[from], by)
		for i := to; i < len(w) && a.Live(q); i++ {
			q = a.Next(q, w[i])
		}
		yield(w[:from]+by+w[to:], q, edit, func() string {
			quoted := []any{}
			for _, a := range args {
				quoted = append(quoted, ast.Quote(a))
			}
			return fmt.Sprintf(format+" at %d of %s", append(quoted, from, ast.Quote(w))...)
		})
	}
	var letters []string
	for _, c := range a.Preferred() {
		letters = append(letters, string([]byte{a.Readable(c)}))
	}
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
