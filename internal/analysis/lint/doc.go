// Package lint finds what the author of a grammar wants to know before anyone transcribes it: names that are missing
// or not needed, productions that derive nothing, repetitions of what may be empty, letters whose case surprises,
// left recursion, ambiguity, alternatives that add nothing, and the strings that are lost where alternatives are
// tried in order. [Checks] lists what it looks for.
//
// # Ambiguity
//
// A derivation of a string from a production takes one alternative of each alternation that it comes to and a number
// of rounds of each repetition, and divides the string among the productions that the right-hand side uses, each of
// which derives its part. Two derivations differ if they differ in an alternative, in a number of rounds, or in the
// part of the string that some use of a production derives. Alternatives are told apart even where they derive the
// same. What is optional is an alternative to nothing. A repetition of more than one round takes no empty round
// beyond those that its count demands; that it could is a finding of its own.
//
// A production is ambiguous by itself if some string has two derivations from it that differ in its own right-hand
// side, what its uses derive being taken as a language. A string has several derivation trees exactly if, at some
// node of one, a production that is ambiguous by itself derives such a string. So an ambiguity is reported once, at
// its cause.
//
// For a regular production this is decided: an automaton has one path for each derivation of the right-hand side, and
// its square shows the shortest string with two. Where something nests, it is proven unambiguous by an LR parser
// without a conflict, or by an automaton in which regular languages stand for what nests, and hold more. Otherwise N
// re-entries are looked at, 2 where no number was asked for: what is found is true, and where nothing is found the
// production is undecided.
//
// # Ordered choice
//
// A grammar is read as a parsing expression grammar by trying the alternatives in the printed order, committing to
// the first that matches, and repeating as long as there is something to repeat. What a rule then matches, from the
// first byte of an input to the last, is a part of what its production derives. A rule that matches less is a cause
// if it still does where the rules it uses are read as "the longest string that the production derives", so that they
// cannot be what is wrong; the others lose strings because of a cause. This is decided for regular productions.
//
// # Parsing expression grammars
//
// A PEG is looked at for its own sake: see peg.go. Where a rule does not nest, what is found and what is not is
// decided.
//
// # Budgets
//
// Functions here take steps of the grammar's budget. Where it is used up, they panic with a *budget.Exceeded, which
// [Lint] returns as an error, unless it can leave open what was being decided; a comment says so only where something
// else comes back.
package lint
