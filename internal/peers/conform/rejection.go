package conform

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// This file keeps explanations of rejections, since thousands of inputs go wrong after the same few beginnings.
//
// Where a grammar has no automaton that explains, the general parser does. It lists all that could stand there,
// such as 20,000 words at the beginning of an input, anew for each input. But what can follow a beginning does not
// depend on the input: if a beginning was explained, every input that goes on with a byte that the explanation does
// not expect is rejected there, for the same reason.

// A rejection says why a grammar rejects an input, and all others that go wrong after the same beginning. Input and
// Incomplete are those of the first of them.
type rejection struct {
	*ast.SyntaxError
	follows ast.ByteSet // the bytes that can follow Input[:Offset]
	terms   *terms      // nil until they are asked for
}

// terms are what could stand where an input goes wrong.
type terms struct {
	list   []string // see [ast.SyntaxError.Terms]
	joined string
}

// explanations has the rejections of a grammar by the beginnings after which inputs go wrong. It is nil if inputs
// have to be explained one by one.
type explanations map[string]*rejection

// newExplanations returns an empty table for the rejections of g. It returns nil if no general parser explains,
// since automata are fast enough; for code points, since the offset of a rejection moves to the beginning of a
// character; and with scanners of a user, which see all of the input.
func newExplanations(g *ast.Grammar) explanations {
	if g.Explaining == nil || g.CodePoints || len(g.Explaining.Scanners) > 0 {
		return nil
	}
	return explanations{}
}

// of returns the rejection that is known for w, or nil. The grammar must reject w.
func (x explanations) of(w string) *rejection {
	if len(x) == 0 {
		return nil
	}
	for i := range len(w) {
		if r := x[w[:i]]; r != nil && !r.follows.Has(w[i]) {
			return r
		}
	}
	return nil
}

// keep remembers r, unless it expects nothing, because the explanation passed a limit. A rejection at the end of
// its input is kept as well.
func (x explanations) keep(r *rejection) {
	if x == nil || len(r.Expected) == 0 {
		return
	}
	for _, e := range r.Expected {
		for i, bits := range e.First {
			r.follows[i] |= bits
		}
	}
	x[r.Input[:r.Offset]] = r
}

// explain returns why j's production rejects w, or nil if it does not or the grammar cannot say. It looks
// in j.known first, and keeps there what it finds.
func (j Judge) explain(w string) *rejection {
	if r := j.known.of(w); r != nil {
		return r
	}
	r := newRejection(j.Grammar.Explain(j.startProduction(), w))
	if r != nil {
		j.known.keep(r)
	}
	return r
}

// newRejection returns the rejection for an error, or nil for nil.
func newRejection(err *ast.SyntaxError) *rejection {
	if err == nil {
		return nil
	}
	return &rejection{SyntaxError: err}
}

// termsOf returns the terms of an input that is rejected in the state of t. Where an automaton explains, the state
// has the same terms for all inputs.
func (s *sorter) termsOf(why *rejection, t transition) *terms {
	if explains(s.g) && !s.g.CodePoints {
		if s.terms[t.state] == nil {
			s.terms[t.state] = newTerms(why)
		}
		return s.terms[t.state]
	}
	if why.terms == nil {
		why.terms = newTerms(why)
	}
	return why.terms
}

// newTerms returns the terms of a rejection.
func newTerms(why *rejection) *terms {
	list := why.Terms()
	return &terms{list, strings.Join(list, " ")}
}
