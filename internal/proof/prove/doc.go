// Package prove compares a PEG with the BNF that it transcribes, exactly and with witnesses.
//
// [Prove] decides, production by production, that both have the same language, that the .peg file is the printed text
// rule by rule, which alternatives hide others, which productions are ambiguous, and that the trees are the derivations
// that the BNF has and the ledger of readings chooses.
//
// The languages of all these grammars are regular, so all of these are questions about finite automata, and each has
// an answer. Package lang computes with languages. It cannot see how a string is matched; that is done here, with
//
//   - runs: the automaton of the successful runs of a PEG, which has one path for every word. It shares only the
//     languages of the lookaheads with the compilation of a PEG in package lang.
//   - brackets: words with brackets around the children of their node. A tree, seen one level at a time, is such a
//     word; the derivations of a BNF and the trees of a PEG are languages of such words.
//
// Where the budget of the grammars is used up, functions here panic with a *budget.Exceeded, which [Prove] and
// [ProveAll] return as an error; a comment says so only where something else comes back. The automata of runs and of
// bracketed words take nothing from that budget: [lang.Limits] alone bound them.
package prove
