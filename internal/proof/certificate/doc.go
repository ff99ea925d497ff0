// Package certificate writes down a proof that a PEG's rules are the productions of a BNF, so that a program which shares
// nothing with this one can check it line by line: cmd/certcheck. The format is in docs/certificates.md.
//
// The languages that the proof is about are the states of one deterministic automaton. A certificate says of a term, a part
// of an expression, and a language L which language it stands for in front of L. For a BNF that is the concatenation; for a
// PEG the inputs on which the term succeeds and leaves a rest in L. Each such line follows from others by one rule for the
// kind of the term, and each line about a union or a difference from those about the derivatives. So
// nothing needs to be searched, made deterministic or minimised to check it.
package certificate
