// Package certificate writes a proof that the rules of a PEG are the productions of a BNF, in a
// form that a program which shares nothing with this one can check line by line: cmd/certcheck. The
// format is in docs/certificates.md.
//
// A certificate is about terms and languages. A term is a part of an expression. Languages are the
// states of one deterministic automaton. Each line says which language a term stands for in front
// of a language L (a triple): for a BNF that is the concatenation of the two, for a PEG the inputs
// on which the term succeeds and leaves a rest in L. Such a line follows from others by one rule
// for each kind of term, and a line about a union or difference of languages from lines about their
// derivatives. So checking needs no search, no subset construction and no minimization.
//
// In this package x and y are always terms, l and m languages, and rest is the language that a term
// stands in front of; all are numbers.
package certificate
