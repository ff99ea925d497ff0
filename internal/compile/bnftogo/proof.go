package bnftogo

import (
	"fmt"
	"strconv"
)

// proof writes what was proven of the code and of the tables.
func (c *compiler) proof(code, tables, general []*production) {
	words := func(list []*production) (n int) {
		for _, p := range list {
			n += c.words[p.ID]
		}
		return n
	}
	var nested, flat []*production
	depth := 0
	for _, p := range code {
		if p.nesting > 0 {
			nested = append(nested, p)
			if depth == 0 || p.nesting < depth {
				depth = p.nesting
			}
		} else {
			flat = append(flat, p)
		}
	}
	say := func(format string, args ...any) { c.Proof = append(c.Proof, fmt.Sprintf(format, args...)) }
	if len(flat) > 0 {
		say("The code of %s accepts what the grammar derives: its ordered choices, each with a lookahead of one byte where it needs one, "+
			"and the grammar have the same minimal automaton.", productions(len(flat)))
		say("It was executed on %d strings%s, and each tree is that of an interpreter of the grammar.", words(flat), transitions(flat, "these"))
	}
	if len(nested) > 0 {
		say("The code of %s whose recursion nests was proven in the same way with recursion cut off at a depth of %d. "+
			"It was executed on %d strings. At run time, what nests deeper than %d is rejected.", productions(len(nested)), depth, words(nested), c.depth())
	}
	if len(tables) > 0 {
		say("The tables of %s are the grammar's automata, which are determinised as they are used. They were executed on %d strings%s, "+
			"and each tree is that of an interpreter of the grammar.", productions(len(tables)), words(tables), transitions(tables, "the minimal"))
	}
	if len(general) > 0 {
		c.sayGeneral(say, general)
	}
	if len(c.Ambiguities) > 0 {
		say("Where a string has several trees, the tree is the one that comes first: depth first and from left to right, the first printed "+
			"alternative, then one more iteration, wherever the whole input can still be derived. Choices that this decides: %d.", len(c.Ambiguities))
	}
	if len(code)+len(tables)+len(general) > 0 {
		say("Assumed are the correctness of the program that wrote this file, of Go's compiler, and inputs of at most 2147483647 bytes.")
	}
}

// transitions returns in words what the strings take that a parser was executed on.
func transitions(list []*production, which string) string {
	n := 0
	for _, p := range list {
		if p.some {
			n++
		}
	}
	if n > 0 {
		return fmt.Sprintf(", which take every transition of %s automata but for %s with very many", which, productions(n))
	}
	return ", which take every transition of " + which + " automata"
}

func productions(n int) string {
	if n == 1 {
		return "1 production"
	}
	return strconv.Itoa(n) + " productions"
}
