// Package lang computes with regular languages over bytes.
//
// The one type for a language is [DFA]: complete, minimal, and numbered in one way only, so that two DFAs denote the same
// language exactly if they are equal field by field. Languages are built from grammars in three ways:
//
//   - [FromBNF] takes a production of an unordered grammar through an [NFA] and the subset construction;
//   - [FromPEG] takes a rule of a parsing expression grammar, lookahead and ordered choice included, through boolean
//     derivatives in a normal form ([PEG]);
//   - [FromPEGReverse] takes the same rule through an alternating automaton that reads the input from its end. It is there
//     to be held against FromPEG, and the two share no step of their reasoning, with one exception: where a rule calls
//     itself behind an ordered choice, FromPEG asks the alternating automaton what that choice's first part begins. No
//     rule of the published grammars does; for those that do the tests have an interpreter.
//
// In this package a and b are always DFAs, q a state, c a byte class, x a byte, w a word.
package lang
