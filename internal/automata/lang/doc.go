// Package lang computes with regular languages over bytes.
//
// The one type for a language is [DFA]: complete, minimal, and numbered in one way only, so that two DFAs denote the
// same language exactly if they are equal field by field. Languages are built from grammars in two ways:
//
//   - [FromBNF] takes a production of an unordered grammar through the minimal automata of those that it uses
//     ([BNF]), and [BuildNFA] through an [NFA] in which each use is a copy;
//   - [FromPEG] takes a rule of a parsing expression grammar, lookahead and ordered choice included, through boolean
//     derivatives in a normal form ([PEG]). Where a rule calls itself after an ordered choice, it asks an
//     alternating automaton, which reads the input from its end, what that choice's first part begins. No rule of the
//     published grammars does: for those tests build the whole language in this second way as well.
//
// In this package a and b are always DFAs, q a state, c a byte class, x a byte, w a word.
package lang
