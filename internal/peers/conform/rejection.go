package conform

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// This file keeps explanations of rejections, since thousands of inputs go wrong after the same few beginnings.
//
// Where a grammar has no automaton that explains, the general parser does. It lists all that could stand at the place,
// such as 20,000 words at the beginning of an input, and each time anew. But what can follow a beginning does not
// depend on the input: if a beginning was explained, every input that goes on with a byte that the explanation does
// not expect is rejected there, for the same reason.

// A rejection says why a grammar rejects an input, and all others that go wrong after the same beginning. Its Input is
// the first of them.
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

// explanations has the rejections of a grammar by the beginnings after which inputs go wrong. It is nil if inputs have
// to be explained one by one.
type explanations map[string]*rejection

// newExplanations returns an empty table for the rejections of g. It returns nil if g has an automaton that explains,
// which is fast enough; for code points, since a place inside a character moves to its beginning; and with scanners of
// a user, which see all of the input.
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

// keep remembers r. It does nothing where nothing is expected: then the explanation passed a limit. An input that only
// ends too early says what can follow it like any other.
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

// explain returns why j's production rejects w, or nil if that is not known. It keeps the result in j.known.
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

// termsOf returns the terms of an input that is rejected in the state of t. Where an automaton explains, the state has
// the same terms for all inputs.
func (s *sorter) termsOf(why *rejection, t transition) *terms {
	known := &why.terms
	if explains(s.g) && !s.g.CodePoints {
		if s.terms[t.state] == nil {
			s.terms[t.state] = new(*terms)
		}
		known = s.terms[t.state]
	}
	if *known == nil {
		list := why.Terms()
		*known = &terms{list, strings.Join(list, " ")}
	}
	return *known
}
