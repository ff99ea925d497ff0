package bnftogo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file leaves to the general parser ([ast.General]) what is neither code nor an automaton.
//
// The general parser follows all derivations at once, and takes cubic time at worst. What is
// regular inside it costs less: a production can be read as one automaton (whole), and its nodes
// can be made by code or tables once the general parser has found how far it goes (proven). The
// tables are checked on words (selfcheck.go); if a check fails, they are made again without
// anything inside.

// isGeneral reports whether neither code nor an automaton derives p, so that the general parser
// does.
func (p *production) isGeneral() bool { return p.start == choice.Dead && !p.code }

// addGeneral makes the tables of the general parser, and checks its trees. It sets c.General, what tryGeneral sets,
// and c.noneInside if tables with code inside fail the check. It does nothing if no production is left to the
// general parser. It fails if the tables cannot be made, and with a [*DefectError] if none pass the check.
func (c *compiler) addGeneral() error {
	var list []*production
	var starts []string
	for _, p := range c.productions {
		if p.isGeneral() {
			list = append(list, p)
			starts = append(starts, p.ID)
			c.General = append(c.General, p.refusal)
		}
	}
	if len(list) == 0 {
		return nil
	}
	for {
		wrong, err := c.tryGeneral(list, starts)
		if wrong == nil || err != nil {
			return err
		}
		if c.noneInside { // nothing slower is left
			const format = "no parser of this grammar passes the self-check: %v"
			return &DefectError{expr.Refusef(list[0].Pos, format, wrong)}
		}
		c.noneInside = true
	}
}

// tryGeneral makes the tables of the productions in list, whose IDs are starts, once: with code inside unless
// c.noneInside. wrong says how their trees are wrong; c.parser is then the wrong one, and a defect is recorded, or
// returned as err if [Strict] is set. Otherwise err says why tables cannot be made. It sets c.parser, c.insideNodes,
// c.wholeInside, c.compared and c.Tried.
func (c *compiler) tryGeneral(list []*production, starts []string) (wrong, err error) {
	c.insideNodes = map[ast.Kind]*production{}
	c.wholeInside = 0
	inside := c.provenInside(starts)
	if c.noneInside {
		inside = nothingInside
	}
	networks, err := interpreter.Tables(c.g, c.isNode, inside, starts...)
	if err != nil {
		return nil, err
	}
	c.parser = &ast.General{Packed: networks, Proven: c.deriveInside, Accepting: c.packAccepting(networks, starts)}
	check := generalCheck{grammar: interpreter.Named(c.g, c.isNode)}
	if check.checker, err = interpreter.NewChecker(c.g, check.grammar); err != nil {
		return nil, err
	}
	// The parser without code inside and without guides is the only second source of the preferred
	// tree.
	alone, err := interpreter.Tables(c.g, c.isNode, nothingInside, starts...)
	if err != nil {
		return nil, err
	}
	check.alone = &ast.General{Packed: alone}
	for _, p := range list {
		c.Budget.In(p.Name)
		words, wrong := c.checkGeneral(p, c.parser, check)
		c.compared[p.ID] = words
		if wrong != nil {
			const instead = "the general parser derives all of it, without code inside"
			return wrong, c.recordDefect(p, wrong, instead)
		}
	}
	return nil, nil
}

// These cap the tables by which the general parser accepts: their states, and the bytes of their text. The text may be
// twice as long as that of the tables that make trees, but should not be most of a package. minAcceptingSize bytes are
// always allowed.
const (
	maxAcceptingStates = 1 << 15
	minAcceptingSize   = 1 << 13
	maxPut             = 1 << 20 // the size of the expressions that are put in
	maxAcceptingSize   = 1 << 14
)

// packAccepting returns the tables by which the general parser accepts: those of the first of three attempts, with
// less put in each time, that are small enough. They may be twice as large as networks, the tables that make trees,
// but at least minAcceptingSize and at most maxAcceptingSize. It returns "" if all attempts are too large or fail,
// or if a production has a scanner; the parser then accepts by networks.
func (c *compiler) packAccepting(networks string, starts []string) string {
	if len(c.scanners) > 0 { // a production with a scanner must not be put in
		return ""
	}
	most := max(minAcceptingSize, min(2*len(networks), maxAcceptingSize))
	for _, put := range []interpreter.Put{{Size: maxPut, Recursive: true}, {Size: maxPut}, {Size: 128}} {
		g := c.g.With(c.g.Rules)
		g.Budget = g.Budget.Part(maxAcceptingSteps)
		packed, states, err := interpreter.Accepting(g, put, starts...)
		if err == nil && states <= maxAcceptingStates && len(packed) <= most {
			return packed
		}
	}
	return ""
}

// maxAcceptingSteps caps the steps for tables that may turn out too large.
const maxAcceptingSteps = 1 << 24

// nothingInside is the [interpreter.Inside] of a general parser that derives everything itself.
func nothingInside(string) (proven, whole bool) { return false, false }

// provenInside returns a function that tells, for a production that the general parser uses, whether code or
// tables make its nodes (proven), and whether it is read as one automaton (whole). Each call records its
// answer in c.insideNodes and c.wholeInside. general has the starts.
func (c *compiler) provenInside(general []string) interpreter.Inside {
	rules := c.g.Part(general...).Rules
	follow := c.facts.First(rules).Follow(rules)
	return func(id string) (proven, whole bool) {
		p := c.byID[id]
		if p == nil || p.isGeneral() || c.hasHiddenNodes(p.Rule) {
			return false, false
		}
		if c.emptyCircleIn(p.Rule) != nil {
			return false, false
		}
		used := c.facts.Used(p.Expr)
		used[id] = true
		for id := range used {
			if c.comp[id] != nil { // recursion: its language is not known as a whole
				return false, false
			}
		}
		whole = c.canBeWhole(p, follow[id])
		if c.isNode(id) && c.hasNodes(p.Expr) {
			c.insideNodes[p.kind] = p
			proven = true
		}
		if whole {
			c.wholeInside++
		}
		return proven, whole
	}
}

// maxWholeSize caps the size of a production, with all that it uses put in, that is read as one
// automaton.
const maxWholeSize = 2000

// canBeWhole reports whether the longest match of p's automaton is the only one that can be part of a
// derivation. follow has the bytes that can stand after p. It is false as well if p.language is not known, or if p is
// too large with all that it uses put in.
func (c *compiler) canBeWhole(p *production, follow expr.Set) bool {
	everything := func(*expr.Rule) bool { return true }
	return p.language != nil &&
		c.g.Fits(p.Expr, maxWholeSize, everything) &&
		endsItself(p.language, follow)
}

// endsItself reports whether, after a word of d, no byte of follow continues a word of d.
func endsItself(d *lang.DFA, follow expr.Set) bool {
	for q := range d.States() {
		for b := range 256 {
			if d.Accepts(q) && follow.Has(byte(b)) && !d.Dead(d.Next(q, byte(b))) {
				return false
			}
		}
	}
	return true
}

// deriveInside is Grammar.Parse for the productions in c.insideNodes; start must be one of them. It stands for the
// functions in the file: the tables, and for code the interpreter that the code was compared with. If that passes a
// limit, the string counts as not derived.
func (c *compiler) deriveInside(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {
	p := c.insideNodes[start]
	if !p.code {
		return c.automaton.Parse(dst, start, src)
	}
	nodes, ok, err := p.derive(dst, src)
	return nodes, ok && err == nil
}

// General returns a program whose productions are all derived by the general parser, without a search for
// ambiguities. It is for grammars that make [Compile] pass a limit. It fails for the same reasons, except for too much
// code. It makes no automata, so o.Limits mean nothing to it.
func General(g *expr.Grammar, o Options) (p *Program, err error) {
	defer budget.Catch(&err)
	c, err := newCompiler(g, o)
	if err != nil {
		return nil, err
	}
	for _, p := range c.productions {
		if !c.refuseScanned(p) {
			p.refuse(p.Pos, tooCostly)
		}
	}
	if err := c.addGeneral(); err != nil {
		return nil, err
	}
	return c.Program, c.writeSource()
}

// writeGeneral writes the variable with the general parser, c.parser, which must be there, and the one with the
// scanners if there are any.
func (c *compiler) writeGeneral(b *strings.Builder) {
	proven := ""
	if len(c.insideNodes) > 0 {
		proven = "Proven: proven, "
	}
	accepting := ""
	if c.parser.Accepting != "" {
		accepting = "Accepting: " + pegtogo.Packed(c.parser.Accepting)
	}
	scanners := ""
	if len(c.scanners) > 0 {
		scanners = "Scanners: scanners, "
	}
	fmt.Fprintf(b, "\n// general holds the networks of the productions that are neither code nor an automaton.\n"+
		"var general = ast.General{%s%sPacked: %s%s}\n", proven, scanners, pegtogo.Packed(c.parser.Packed), accepting)
	if len(c.scanners) > 0 {
		c.writeScanners(b)
	}
}

// SaysInside begins the sentence of [Program.Proof] on code inside the general parser.
const SaysInside = "Of what these use,"

// maxReasons caps the reasons that the proof lists.
const maxReasons = 6

// sayGeneral passes to say the sentences about the general parser, which derives list, with at most maxReasons of the
// reasons in c.General, and those about scanners.
func (c *compiler) sayGeneral(say func(format string, args ...any), list []*production) {
	var names []string
	words := 0
	for _, p := range list {
		names = append(names, p.Name)
		words += c.compared[p.ID]
	}
	slices.Sort(names)
	say("The general parser derives %s: %s. Nothing is proven of it: that it derives what the grammar "+
		"derives is its algorithm's, and %d trees were checked to be derivations. Its time is linear "+
		"where a byte of lookahead decides what ends, and at most cubic; what takes more than %d steps, "+
		"and %d for each byte, is an error that says so.",
		countProductions(len(list)), strings.Join(names, ", "), words, ast.GeneralSteps, ast.StepsByByte)
	if len(c.insideNodes) > 0 {
		whole := ""
		if c.wholeInside > 0 {
			whole = fmt.Sprintf(" It reads %s as one automaton%s: no byte that can follow leads on in it.",
				countProductions(c.wholeInside), layout.Agree(c.wholeInside, "", " each"))
		}
		say(SaysInside+" code and tables make the nodes of %s, where the general parser has found how far one goes.%s",
			countProductions(len(c.insideNodes)), whole)
	}
	var reasons []string // each once, since many productions have the same
	for _, r := range c.General {
		if !slices.Contains(reasons, r.Reason) && len(reasons) < maxReasons {
			reasons = append(reasons, r.Reason)
		}
	}
	say("Why: %s.", strings.Join(reasons, "; "))
	c.sayScanned(say)
}
