// Package learn finds out which language a parser accepts by asking it: active learning of an automaton (Angluin,
// "Learning Regular Sets from Queries and Counterexamples", 1987) for a black box.
//
// A hypothesis is kept in a discrimination tree (Kearns and Vazirani, "An Introduction to Computational Learning
// Theory", 1994), and a counterexample is taken apart by binary search (Rivest and Schapire, "Inference of Finite
// Automata Using Homing Sequences", 1993): each adds one state, or splits one class of bytes. Nobody answers whether
// a hypothesis is right. It is tried on given words, on random ones, with every byte after every state, and then on
// a complete suite of package vectors; when all agree, the result is exact for every parser within that suite's
// guarantee.
//
// Letters are classes of bytes. They begin as those of a given automaton, the RFC's, and are split where two bytes
// of one are found to behave differently.
//
// In this package q is a state, c a class, x a byte, v and w are words; the access word of a state leads to it.
// Methods of a learner that ask the parser panic with [stopped] where it fails or a limit is passed; [Learn] returns
// that as its error.
package learn
