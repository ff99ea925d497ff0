package bnftogo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
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
	for {
		wrong, err := c.makeGeneral(list, starts)
		if wrong == nil || err != nil {
			return err
		}
		if c.alone { // nothing slower is left
			return &DefectError{expr.Refusef(list[0].Pos, "no parser of this grammar passes the self-check: %v", wrong)}
		}
		c.alone = true
	}
}

// makeGeneral is general: it makes the tables, with code inside unless c.alone, and reports how they are wrong.
func (c *compiler) makeGeneral(list []*production, starts []string) (wrong, err error) {
	node := func(id string) bool { return c.kind(id) != 0 }
	c.made, c.whole = map[int]*production{}, 0
	inside := c.inside(starts)
	if c.alone {
		inside = nothingInside
	}
	networks, err := interpreter.Tables(c.g, node, inside, starts...)
	if err != nil {
		return nil, err
	}
	c.parser = &ast.General{Packed: networks, Proven: c.derived}
	check := generalCheck{of: interpreter.Named(c.g, node)}
	if check.checker, err = interpreter.NewChecker(c.g, check.of); err != nil {
		return nil, err
	}
	if len(c.made) > 0 {
		alone, err := interpreter.Tables(c.g, node, nothingInside, starts...)
		if err != nil {
			return nil, err
		}
		check.alone = &ast.General{Packed: alone}
	}
	for _, p := range list {
		c.budget.In(p.Name)
		words, wrong := c.generalWrong(p, c.parser, check)
		if c.words[p.ID] = words; wrong != nil {
			return wrong, c.defect(p, wrong, "the general parser derives all of it, without code inside")
		}
	}
	return nil, nil
}

// nothingInside is an [interpreter.Inside] of a general parser that derives everything itself.
func nothingInside(string) (proven, whole bool) { return false, false }

// inside tells what is proven in the productions of the general parser.
func (c *compiler) inside(general []string) interpreter.Inside {
	rules := c.g.Part(general...).Rules
	follow := c.facts.First(rules).Follow(rules)
	return func(id string) (proven, whole bool) {
		p := c.byID[id]
		if p == nil || p.isGeneral() || c.kind(id) == 0 && c.builds(p.Expr, map[string]bool{}) {
			return false, false
		}
		if c.usesEmptyCircle(p.Rule) != nil {
			return false, false
		}
		used := c.facts.Used(p.Expr)
		used[id] = true
		for id := range used {
			if c.comp[id] != nil {
				return false, false
			}
		}
		whole = p.language != nil && c.g.Fits(p.Expr, mostInside, func(*expr.Rule) bool { return true }) && endsItself(p.language, follow[id])
		if c.kind(id) != 0 && c.builds(p.Expr, map[string]bool{}) {
			c.made[p.kind], proven = p, true
		}
		if whole {
			c.whole++
		}
		return proven, whole
	}
}

// mostInside is the size of an expression that is put in where it is used.
const mostInside = 2000

// endsItself reports whether none of the bytes that can stand behind a word of d leads on in d.
func endsItself(d *lang.DFA, behind expr.Set) bool {
	for q := range d.States() {
		for b := range 256 {
			if d.Accepts(q) && behind.Has(byte(b)) && !d.Dead(d.Next(q, byte(b))) {
				return false
			}
		}
	}
	return true
}

// derived is Grammar.Parse of the productions that are proven: by the tables, or by the interpreter that the code was compared with.
func (c *compiler) derived(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {
	p := c.made[int(start)]
	if !p.code {
		return c.automaton.Parse(dst, start, src)
	}
	nodes, ok, err := p.derive(dst, src)
	return nodes, ok && err == nil
}

// General makes the parser of g of the general parser alone.
func General(g *expr.Grammar, o Options) (p *Program, err error) {
	defer budget.Catch(&err)
	c, err := newCompiler(g, o)
	if err != nil {
		return nil, err
	}
	for _, p := range c.productions {
		p.refuse(p.Pos, beyond)
	}
	if err := c.general(); err != nil {
		return nil, err
	}
	return c.Program, c.write()
}

// generalFile writes the general parser.
func (c *compiler) generalFile(b *strings.Builder) {
	proven := ""
	if len(c.made) > 0 {
		proven = "Proven: proven, "
	}
	fmt.Fprintf(b, "\n// general holds the networks of the productions that are neither code nor an automaton.\nvar general = ast.General{%sPacked: %s}\n", proven, pegtogo.Packed(c.parser.Packed))
}

// SaysInside begins the sentence of [Program.Proof] on code inside the general parser.
const SaysInside = "Of what these use,"

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
		"checked to be derivations. Its time is linear where a byte of lookahead decides what ends, and at most cubic; what takes more than %d steps, "+
		"and %d for each byte, is an error that says so.", productions(len(list)), strings.Join(names, ", "), words, ast.GeneralSteps, ast.StepsByByte)
	var causes []string
	if len(c.made) > 0 {
		say(SaysInside+" code and tables make the nodes of %s, where the general parser has found how far one goes. It reads each of %s as one "+
			"automaton: no byte that can follow leads on in it.", productions(len(c.made)), productions(c.whole))
	}
	for _, r := range c.General {
		if !slices.Contains(causes, r.Reason) && len(causes) < mostCauses {
			causes = append(causes, r.Reason)
		}
	}
	say("Why: %s.", strings.Join(causes, "; "))
}

// mostCauses is how many causes are told.
const mostCauses = 6
