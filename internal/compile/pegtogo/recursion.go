package pegtogo

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Rules that use themselves. Their functions are methods, since the builder counts how deep they nest; and so are those of all
// that uses them.

// recursion finds the rules that use themselves, and those that use such rules.
func (p *program) recursion() {
	p.recursive, p.deep = map[string]bool{}, map[string]bool{}
	for _, r := range p.grammar.Rules {
		if p.grammar.Path(r.ID, r.ID, expr.Refs) != nil {
			p.recursive[r.ID] = true
		}
	}
	if len(p.recursive) == 0 {
		return
	}
	for _, r := range p.grammar.Rules {
		for _, id := range p.grammar.Reach(r.ID) {
			p.deep[r.ID] = p.deep[r.ID] || p.recursive[id]
		}
	}
}

// leftRecursion refuses a rule that can use itself before it has read anything.
func (p *program) leftRecursion() error {
	for _, r := range p.grammar.Rules {
		if p.recursive[r.ID] && p.grammar.Path(r.ID, r.ID, p.atBegin) != nil {
			return expr.Errorf(r.Pos, "%s can use itself before it has read anything", r.ID)
		}
	}
	return nil
}

// atBegin lists the rules that e can use before it has read anything.
func (p *program) atBegin(e *expr.Expr) []string {
	switch e.Op {
	case expr.Ref:
		return []string{e.Name}
	case expr.Seq:
		var all []string
		for _, s := range e.Sub {
			all = append(all, p.atBegin(s)...)
			if !p.facts.Nullable(s) {
				break
			}
		}
		return all
	}
	var all []string
	for _, s := range e.Sub {
		all = append(all, p.atBegin(s)...)
	}
	return all
}

// nests reports whether e uses a rule that uses itself.
func (p *program) nests(e *expr.Expr) bool {
	if len(p.deep) == 0 {
		return false
	}
	for _, id := range expr.Refs(e) {
		if p.deep[id] {
			return true
		}
	}
	return false
}

// acceptCall returns the function that recognises a rule, as it is called.
func (p *program) acceptCall(id string) string {
	if p.deep[id] {
		return "b." + p.acceptName(id)
	}
	return p.acceptName(id)
}

// counted writes the function of a rule that uses itself, which calls the one called inside.
func (p *program) counted(name, inside string, tree bool) {
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
