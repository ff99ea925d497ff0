// Package conform runs other people's URL parsers and tells where they differ from the RFCs, and from each other.
//
//	vectors --Ask--> implementation --Answer--> held against each Judge --> Report: groups, matrix, pairs
//
// An [Implementation] is a function in this process ([Func], [NetURL]) or a program that is spoken to line by line
// ([Command]; docs/adapter-protocol.md has the protocol). A program may hang, crash, or answer nonsense: that is a
// [Fault] of the vector it was asked, and the run goes on with a fresh child.
//
// Disagreements are grouped, never just listed. Where an implementation accepts what an RFC rejects, the two differ
// at exactly one transition of the RFC's automaton: the one into the dead state. Where it rejects what an RFC accepts
// they part somewhere on the word's path, and the transition is found as in spectrum-based fault localization (Jones
// and Harrold, "Empirical Evaluation of the Tarantula Automatic Fault-Localization Technique", 2005): it is one that
// no word accepted by both takes, and of these as few are blamed as explain all. Where both accept and see different
// components, they differ at the first delimiter at which only one of them cuts.
//
// In this package w is an input, g a grammar, m its automaton, q a state.
package conform
