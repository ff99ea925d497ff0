package bnftogo

import (
	"fmt"
	"strconv"

	"github.com/bnfcheck/bnfcheck/ast"
)

// writeProof appends to c.Proof the sentences about what was proven of the code, the tables and the general
// parser. code, tables and general are the productions that they derive.
func (c *compiler) writeProof(code, tables, general []*production) {
	words := func(list []*production) (n int) {
		for _, p := range list {
			n += c.compared[p.ID]
		}
		return n
	}
	var nested, flat []*production
	depth := 0 // the least depth to which the recursion of any of them is proven
	for _, p := range code {
		if p.nesting == 0 {
			flat = append(flat, p)
			continue
		}
		nested = append(nested, p)
		if depth == 0 || p.nesting < depth {
			depth = p.nesting
		}
	}
	say := func(format string, args ...any) {
		c.Proof = append(c.Proof, fmt.Sprintf(format, args...))
	}
	if len(flat) > 0 {
		say("The code of %s accepts what the grammar derives: its ordered choices, each with a "+
			"lookahead of one byte where it needs one, and the grammar have the same minimal automaton.",
			countProductions(len(flat)))
		say("It was executed on %d strings%s, and each tree is that of an interpreter of the grammar.",
			words(flat), sayTransitions(flat, "these"))
	}
	if len(nested) > 0 {
		say("The code of %s whose recursion nests was proven in the same way with recursion cut off at "+
			"a depth of %d. It was executed on %d strings. At run time, what nests deeper than the limit "+
			"on depth, which is %d productions unless a parser sets another, is an error that says so.",
			countProductions(len(nested)), depth, words(nested), ast.DefaultDepth)
	}
	if len(tables) > 0 {
		say("The tables of %s are the grammar's automata, which are determinized as they are used. They "+
			"were executed on %d strings%s, and each tree is that of an interpreter of the grammar.",
			countProductions(len(tables)), words(tables), sayTransitions(tables, "the minimal"))
	}
	if len(general) > 0 {
		c.sayGeneral(say, general)
	}
	if len(c.Ambiguities) > 0 {
		say("Where a string has several trees, the tree is the one that comes first: depth first and "+
			"from left to right, the first printed alternative, then one more iteration, wherever the "+
			"whole input can still be derived. Choices that this decides: %d.", len(c.Ambiguities))
	}
	if len(code)+len(tables)+len(general) > 0 {
		say("Assumed are the correctness of the program that wrote this file, of Go's compiler, and " +
			"inputs of at most 2147483647 bytes.")
	}
}

// sayTransitions returns the clause that says that the strings take every transition of the
// automata of some productions, except for those that were sampled. which describes the automata.
func sayTransitions(list []*production, which string) string {
	sampled := 0
	for _, p := range list {
		if p.sampled {
			sampled++
		}
	}
	if sampled > 0 {
		return fmt.Sprintf(", which take every transition of %s automata but for %s with very many",
			which, countProductions(sampled))
	}
	return ", which take every transition of " + which + " automata"
}

// countProductions returns "1 production" or "2 productions".
func countProductions(n int) string {
	if n == 1 {
		return "1 production"
	}
	return strconv.Itoa(n) + " productions"
}
