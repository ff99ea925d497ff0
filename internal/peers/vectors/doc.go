// Package vectors makes test suites from the automaton of a production: strings with the verdict that a parser of
// that production must give, and a stated guarantee of what a parser that gives all of them can still get wrong.
//
// The parts of a suite, except [Derivations], are made from the minimal automaton (package lang), and so from the
// exact language.
//
//   - [Complete]: every implementation that is an automaton with at most n+k states over the byte classes, n being the
//     states of the production's own, is told from it. That is the guarantee of conformance testing, by the methods W
//     (Chow, "Testing Software Design Modeled by Finite-State Machines", 1978), Wp (Fujiwara et al., "Test Selection
//     Based on Finite State Models", 1991) and HSI (Petrenko, Yevtushenko, Lebedev, Das, "Nondeterministic State
//     Machines in Protocol Conformance Testing", 1993).
//   - [Sweep]: after every state each of the 256 bytes, so that the classes are not merely assumed.
//   - [Boundary]: texts of productions at lengths where programs break, and repetitions, from none to many.
//   - [Negative]: words one edit away from an accepted one, by the production that the edit breaks.
//   - [Mutants]: words that tell the grammar from itself with one mistake in it.
//   - [Transitions]: words that take every transition of the automaton.
//   - [Derivations]: for a grammar without an automaton, shortest strings that take every alternative, bound and edge.
//
// The literature observes an output after every letter. A parser is only asked about whole strings, so here a test is
// a word, and its observation is one bit at its end. Two states are separated by a word that is accepted from just
// one of them. The proofs still hold if the empty word is among those that identify a state, which it always is.
//
// In this package a is always the automaton, p and q are states, c is a byte class, x a byte, v and w are words.
//
// If a budget is used up, functions here panic with a *budget.Exceeded. [Subject.Plan], [Subject.Derivations],
// [Subject.SpareBoundaries], [Subject.SpareComplete], [CompleteSuite] and [SweepSuite] return it as an error. A comment
// mentions this only if the function returns something else.
package vectors
