package vectors

import (
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
	seen := map[string]bool{}
	held := int64(0)
	for _, w := range s.DFA.TransitionCover() {
		if !s.DFA.Match(w) {
			continue
		}
		s.DFA.Budget().Step(len(w) * s.DFA.Classes() * (8 + len(w)/2)) // each edit copies and quotes w
		edits(s.DFA, w, func(v, edit, how string) {
			if seen[v] || s.DFA.Match(v) || s.ReadTo != "" && s.Judges[0].Accepts(v) {
				return
			}
			seen[v] = true
			held += 64 + int64(len(v))
			s.DFA.Budget().Room(held)
			broken, at, _ := s.broken(v)
			byEdit, byClass := reason{broken: broken, edit: edit, state: s.DFA.Run(0, v[:at])}, reason{broken: broken, class: -1}
			if at < len(v) {
				byClass.class = s.DFA.ClassOf(v[at])
			}
			if !have[byEdit] || !have[byClass] {
				have[byEdit], have[byClass] = true, true
				list = append(list, Example{v, fmt.Sprintf("breaks %s: %s", broken, how)})
			}
		})
	}
	return list
}

// edits yields the words one edit away from w, with the kind of edit and the edit itself. What is put in is the most
// readable byte of each class.
func edits(a *lang.DFA, w string, yield func(v, edit, how string)) {
	classes := preferredClasses(a)
	for i := range len(w) + 1 {
		for _, c := range classes {
			x := string([]byte{a.Readable(c)})
			yield(w[:i]+x+w[i:], "insert", fmt.Sprintf("%s put in at %d of %s", ast.Quote(x), i, ast.Quote(w)))
		}
	}
	for i := range len(w) {
		yield(w[:i]+w[i+1:], "delete", fmt.Sprintf("%s left out at %d of %s", ast.Quote(w[i:i+1]), i, ast.Quote(w)))
		for _, c := range classes {
			x := string([]byte{a.Readable(c)})
			yield(w[:i]+x+w[i+1:], "replace", fmt.Sprintf("%s for %s at %d of %s", ast.Quote(x), ast.Quote(w[i:i+1]), i, ast.Quote(w)))
		}
		if i > 0 {
			yield(w[:i-1]+w[i:i+1]+w[i-1:i]+w[i+1:], "exchange", fmt.Sprintf("%s and %s exchanged at %d of %s",
				ast.Quote(w[i-1:i]), ast.Quote(w[i:i+1]), i-1, ast.Quote(w)))
		}
	}
}

// broken returns the production that v, which is not derived, breaks, the offset where, and all productions around it.
func (s *Subject) broken(v string) (id string, offset int, all []string) {
	_, err := s.Grammar.Derive(s.Production, v)
	if err == nil {
		return s.ID(), len(v), []string{s.ID()}
	}
	return s.brokenBy(err)
}

// brokenBy is [Subject.broken] by the error of what is not derived.
func (s *Subject) brokenBy(reason error) (id string, offset int, all []string) {
	err, ok := errors.AsType[*ast.SyntaxError](reason)
	if !ok { // it is too long
		return s.ID(), 0, []string{s.ID()}
	}
	for _, k := range err.In {
		all = append(all, s.Grammar.Production(k).ID)
	}
	if len(all) == 0 {
		all = append(all, s.ID())
	}
	return all[0], err.Offset, all
}
