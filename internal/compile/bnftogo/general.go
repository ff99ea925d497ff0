package bnftogo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/compile/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// isGeneral reports whether neither code nor an automaton derives p, so that the general parser does.
func (p *production) isGeneral() bool { return p.start == dead && !p.code }

// general makes the tables of the general parser, and checks its trees on strings that nest.
func (c *compiler) general() error {
	var list []*production
	var starts []string
	for _, p := range c.productions {
		if p.isGeneral() {
			list, starts = append(list, p), append(starts, p.ID)
			c.General = append(c.General, p.refusal)
		}
	}
	if len(list) == 0 {
		return nil
	}
	node := func(id string) bool { return c.kind(id) != 0 }
	networks, err := interpreter.Tables(c.g, node, starts...)
	if err != nil {
		return err
	}
	c.parser = &ast.General{Packed: networks}
	of := interpreter.Named(c.g, node)
	checker, err := interpreter.NewChecker(c.g, of)
	if err != nil {
		return err
	}
	least := c.least().Words
	for _, p := range list {
		c.budget.In(p.Name)
		words := c.deepWords(p, 3)
		if w, ok := least[p.ID]; ok {
			words = append(words, w)
		}
		for _, w := range words {
			if len(w) > 200 {
				continue
			}
			nodes, ok := c.parser.Parse(nil, ast.Kind(p.kind), w)
			if ok != c.parser.Accept(ast.Kind(p.kind), w) || !ok && w == least[p.ID] {
				return expr.Errorf(p.Pos, "the general parser of %s is wrong on %q", p.ID, w)
			}
			if ok {
				c.words[p.ID]++
				if err := checker.Check(&ast.Tree{Grammar: of, Source: w, Nodes: nodes}); err != nil {
					return expr.Errorf(p.Pos, "the general parser of %s is wrong on %q: %v", p.ID, w, err)
				}
			}
		}
	}
	return nil
}

// General makes the parser of g of the general parser alone.
func General(g *expr.Grammar, o Options) (p *Program, err error) {
	defer budget.Catch(&err)
	c, err := newCompiler(g, o)
	if err != nil {
		return nil, err
	}
	for _, p := range c.productions {
		p.refuse(p.Pos, "what decides its choices takes more than the limits")
	}
	if err := c.general(); err != nil {
		return nil, err
	}
	return c.Program, c.write()
}

// generalFile writes the general parser.
func (c *compiler) generalFile(b *strings.Builder) {
	fmt.Fprintf(b, "\n// general holds the networks of the productions that are neither code nor an automaton.\nvar general = ast.General{Packed: %s}\n", pegtogo.Packed(c.parser.Packed))
}

// sayGeneral writes what holds of the general parser.
func (c *compiler) sayGeneral(say func(format string, args ...any), list []*production) {
	var names []string
	words := 0
	for _, p := range list {
		names = append(names, p.Name)
		words += c.words[p.ID]
	}
	slices.Sort(names)
	say("The general parser derives %s: %s. Nothing is proven of it: that it derives what the grammar derives is its algorithm's, and %d trees were "+
		"checked to be derivations. Its time is linear where a byte of lookahead decides what ends, and at most cubic; what takes more than %d steps is "+
		"an error that says so.", productions(len(list)), strings.Join(names, ", "), words, ast.GeneralSteps)
	var causes []string
	for _, r := range c.General {
		if !slices.Contains(causes, r.Reason) && len(causes) < mostCauses {
			causes = append(causes, r.Reason)
		}
	}
	say("Why: %s.", strings.Join(causes, "; "))
}

// mostCauses is how many causes are told.
const mostCauses = 6
