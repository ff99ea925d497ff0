package pegtogo

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Rules that use themselves. Their functions, and the functions of rules that use them, are methods: the
// builder counts how deep they nest.

// Nests reports whether a rule of g can use itself. If so, the file that [Go] writes has limits, and the function
// within in place of parse and accept.
func Nests(g *expr.Grammar) bool { return len(recursiveRules(g)) > 0 }

// recursiveRules returns the rules that can use themselves, by ID: see [expr.Circles].
func recursiveRules(g *expr.Grammar) map[string][]*expr.Rule { return expr.Circles(g.Rules, expr.Refs) }

// findRecursion sets p.recursive, the rules that use themselves, and p.deep, those and all rules
// that use them.
func (p *program) findRecursion() {
	p.recursive = recursiveRules(p.grammar)
	p.deep = p.grammar.Using(slices.Collect(maps.Keys(p.recursive))...)
}

// refuseLeftRecursion refuses a rule that can use itself before it has read anything.
func (p *program) refuseLeftRecursion() {
	left := expr.Circles(p.grammar.Rules, p.facts.Leftmost)
	for _, r := range p.grammar.Rules {
		if left[r.ID] != nil {
			refuse(r.Pos, "%s can use itself before it has read anything", r.ID)
		}
	}
}

// usesRecursive reports whether e refers to a rule that uses itself, or that uses such a rule.
func (p *program) usesRecursive(e *expr.Expr) bool {
	if len(p.deep) == 0 {
		return false
	}
	return slices.ContainsFunc(expr.Refs(e), func(id string) bool { return p.deep[id] })
}

// acceptCall returns the function that recognizes a rule, as a call writes it, and requests it if need be.
func (p *program) acceptCall(id string) string {
	if p.deep[id] {
		return "b." + p.acceptName(id)
	}
	return p.acceptName(id)
}

// writeDepthCounter appends the function of a rule that uses itself to p.out. It counts the depth and calls
// the function named inside. Where no depth is left, it sets deep and stop of the builder, and fails. With tree it
// takes and returns the number of nodes as well.
func (p *program) writeDepthCounter(name, inside string, tree bool) {
	args, results, failed := "i", "uint", "fail"
	if tree {
		args, results, failed = "i, n", "(uint, uint)", "fail, 0"
	}
	fmt.Fprintf(&p.out, `func (b *builder) %[1]s(s string, %[2]s uint) %[3]s {
	if b.left == 0 {
		b.deep, b.stop = true, i
		return %[4]s
	}
	b.left--
	%[2]s = b.%[5]s(s, %[2]s)
	b.left++
	return %[2]s
}

`, name, args, results, failed, inside)
}
