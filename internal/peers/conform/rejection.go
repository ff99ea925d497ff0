package conform

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// This file keeps explanations of rejections, since thousands of inputs go wrong after the same few beginnings.
//
// Where a grammar has no automaton that explains, the general parser does. It lists all that could stand where an input
// goes wrong, such as 20,000 words at the beginning of an input, anew for each input. But what can follow a beginning
// does not depend on the input: if a beginning was explained, every input that goes on with a byte that the explanation
// does not expect is rejected there, for the same reason.
//
// A grammar of code points goes wrong at a character, but is read by bytes: what is kept for a beginning in bytes tells
// where a character goes wrong. [ast.Grammar.Explain] then sees only a characterPlace, so that its explanation is kept
// for that.

// A rejection says why a grammar rejects an input, and all others that go wrong after the same beginning. Input and
// Incomplete are those of the first of them.
type rejection struct {
	*ast.SyntaxError
	follows ast.ByteSet // the bytes that can follow Input[:Offset]; set by [explanations.keep]
	terms   *terms      // shared by the rejections that [explanations.share] finds to expect the same
}

// terms are those that the message of a rejection names. termsOf makes them when they are asked for.
type terms struct {
	made   bool
	list   []string // see [ast.SyntaxError.Terms]
	joined string
}

// explanations keeps the rejections of one production. It is nil if inputs have to be explained one by one.
type explanations struct {
	start      ast.Kind // the production
	grammar    *ast.Grammar
	byBytes    *ast.Grammar                   // grammar, read as bytes
	beginnings map[beginningHash][]*rejection // by the beginning, in bytes, after which inputs go wrong
	characters map[characterPlace]*rejection  // of inputs that go wrong after the first byte of a character
	expected   map[expectedKey][]*rejection   // one for each list of expectations
}

// An expectedKey has a part of what a rejection expects.
type expectedKey struct {
	count       int
	first, last string
}

// A characterPlace is where an input goes wrong after the first byte of a character: what stands before it and, if its
// bytes turn out to be no character, how many of them are read before the break; otherwise 0.
type characterPlace struct {
	before string
	broken int
}

// newExplanations returns an empty table for the rejections of the production start of g. It returns nil if no general
// parser explains, since automata are fast enough; and with scanners of a user, which see all of the input.
func newExplanations(g *ast.Grammar, start ast.Kind) *explanations {
	if g.Explaining == nil || len(g.Explaining.Scanners) > 0 {
		return nil
	}
	byBytes := *g
	byBytes.CodePoints = false
	return &explanations{
		start: start, grammar: g, byBytes: &byBytes,
		beginnings: map[beginningHash][]*rejection{}, characters: map[characterPlace]*rejection{},
		expected: map[expectedKey][]*rejection{},
	}
}

// A beginningHash is the hash of a beginning (G. Fowler, L. Noll and P. Vo, FNV-1a). Each further byte changes it, so that
// [explanations.of] looks up all beginnings of an input in one pass.
type beginningHash uint64

const emptyBeginning beginningHash = 14695981039346656037

// then returns the hash of a beginning with one more byte.
func (h beginningHash) then(b byte) beginningHash { return (h ^ beginningHash(b)) * 1099511628211 }

// of returns the rejection in bytes that is known for w, or nil. If the production derives w there is none, since each
// byte of w can follow there. A rejection at the end of w is not found, since w goes on with no byte there.
func (x *explanations) of(w string) *rejection {
	h := emptyBeginning
	for i := range len(w) {
		for _, r := range x.beginnings[h] {
			if !r.follows.Has(w[i]) && r.Offset == i && r.Input[:i] == w[:i] {
				return r
			}
		}
		h = h.then(w[i])
	}
	return nil
}

// keep remembers a rejection in bytes, unless it expects nothing, as when the explanation passed a limit: then it does
// not tell what can follow. A rejection at the end of its input is kept as well.
func (x *explanations) keep(r *rejection) {
	if len(r.Expected) == 0 {
		return
	}
	for _, e := range r.Expected {
		for i, bits := range e.First {
			r.follows[i] |= bits
		}
	}
	h := emptyBeginning
	for _, b := range []byte(r.Input[:r.Offset]) {
		h = h.then(b)
	}
	x.beginnings[h] = append(x.beginnings[h], r)
	x.share(r)
}

// share gives r the expectations and terms of an earlier rejection that expects the same: after each round of a
// repetition, 20,000 ranges of characters may be expected.
func (x *explanations) share(r *rejection) {
	last := len(r.Expected) - 1
	key := expectedKey{len(r.Expected), r.Expected[0].Term, r.Expected[last].Term}
	same := func(a, b ast.Expectation) bool {
		return a.Term == b.Term && a.First == b.First && slices.Equal(a.In, b.In)
	}
	for _, known := range x.expected[key] {
		if slices.EqualFunc(known.Expected, r.Expected, same) {
			r.Expected, r.terms = known.Expected, known.terms
			return
		}
	}
	x.expected[key] = append(x.expected[key], r)
}

// explain returns why the production rejects w, or nil if it derives w. It keeps what it finds, unless that expects
// nothing. Input and Incomplete of the result may be those of another input: see [rejection].
func (x *explanations) explain(w string) *rejection {
	r := x.of(w)
	if r == nil {
		if r = newRejection(x.byBytes.Explain(x.start, w)); r == nil {
			return nil
		}
		r.Grammar = x.grammar
		x.keep(r)
	}
	if !x.grammar.CodePoints {
		return r
	}
	at, broken := quote.CharacterStart(w, r.Offset)
	if at == r.Offset {
		return r
	}
	place := characterPlace{w[:at], broken}
	atCharacter := x.characters[place]
	if atCharacter == nil {
		atCharacter = newRejection(x.grammar.Explain(x.start, w))
		if atCharacter != nil && len(atCharacter.Expected) > 0 {
			x.characters[place] = atCharacter
			x.share(atCharacter)
		}
	}
	return atCharacter
}

// explain returns why j's production rejects w, or nil as [ast.Grammar.Explain] does. If the explanation expects nothing,
// the grammar cannot say more. With j.known, inputs that go wrong after the same beginning share one explanation, whose
// Input and Incomplete are those of the first.
func (j Judge) explain(w string) *rejection {
	if j.known != nil {
		return j.known.explain(w)
	}
	return newRejection(j.Grammar.Explain(j.startProduction(), w))
}

// newRejection returns the rejection for an error, or nil for nil.
func newRejection(err *ast.SyntaxError) *rejection {
	if err == nil {
		return nil
	}
	return &rejection{SyntaxError: err, terms: &terms{}}
}

// termsOf returns the terms of an input that is rejected in the state of t. Where an automaton explains, the state
// has the same terms for all inputs; but of code points, what is explained may be an earlier state, that before a
// character.
func (s *sorter) termsOf(why *rejection, t transition) *terms {
	of := why.terms
	if explains(s.g) && !s.g.CodePoints {
		if s.terms[t.state] == nil {
			s.terms[t.state] = of
		}
		of = s.terms[t.state]
	}
	if !of.made {
		list := why.Terms()
		*of = terms{true, list, strings.Join(list, " ")}
	}
	return of
}
