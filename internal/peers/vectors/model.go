package vectors

import (
	"errors"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
)

// A Model is an automaton that belongs to no production: the language that a parser was found to accept.
type Model struct {
	Name  string   // the name of the parser
	About string   // the strings that the automaton accepts, for the header
	Bound []string // lines for the header that say how far the model is to be trusted
	DFA   *lang.DFA

	// Accept judges words if the automaton is only a part of what is accepted; if it is nil the automaton judges them.
	Accept func(w string) bool
}

// Subject returns the subject for the vectors of the model. They are for another parser that is to accept exactly
// what this one does, or for a new version of this one. The model judges them first, and then the production of each
// of the others, so that they show where the parser and the RFCs differ. A model has no productions of its own, and
// so no boundaries, negatives and components.
func (m *Model) Subject(others ...*Subject) *Subject {
	s := &Subject{Model: m, DFA: m.DFA, Judges: []Judge{{Model: m}}}
	for _, o := range others {
		s.Judges = append(s.Judges, Judge{Grammar: o.Grammar, Production: o.Production, Model: o.Model})
	}
	return s
}

var errNoProductions = errors.New("a model has no productions: its parts are complete and sweep")

// needsProductions reports whether a part is made from the productions of a grammar, which a model does not have.
func needsProductions(p Part) bool {
	return p == Boundary || p == Negative || p == Mutants || p == Derivations
}

// modelVector returns the vector of a word for a model: the verdicts, and the reasons of those judges that reject the
// word although the model accepts it. It has no components and no productions. If the model accepts the word and a
// judge does not decide it within its limits, modelVector panics as isDerived does.
func (s *Subject) modelVector(w string, part Part) Vector {
	v := Vector{Input: w, Part: part, Productions: []string{}}
	var why []string
	for _, j := range s.Judges {
		v.Accept = append(v.Accept, j.Accepts(w))
		if j.Grammar == nil || !v.Accept[0] {
			continue
		}
		if _, err := j.Grammar.Derive(j.Production, w); !isDerived(err) {
			why = append(why, err.Error())
		}
	}
	v.Why = strings.Join(why, "; ")
	return v
}

// ownJudge returns the index of the judge that the subject is about: the model, or the grammar itself.
func (s *Subject) ownJudge() int {
	return slices.IndexFunc(s.Judges, func(j Judge) bool { return j.Grammar == s.Grammar && j.Model == s.Model })
}
