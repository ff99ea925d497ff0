package bnftogo

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file decides for each production what parser it gets, and writes the file.
//
// Each step tries one kind of parser for the productions that are left, and checks it in a second
// way before it is taken:
//
//  1. buildAutomata: an automaton (recursion.go), and with it the ambiguities;
//  2. chooseCode: straight-line code where the PEG with checks (ordered.go) and the grammar have one
//     minimal automaton, or, for recursion that nests, one at each depth (nesting.go);
//  3. packTables: the automaton as tables for what is not code, compared with an interpreter;
//  4. addGeneral: the general parser for the rest (general.go).
//
// A limit that is passed in a step leaves the production to a later one. A limit on the whole ends
// Compile with a [*budget.Exceeded]. A step needs what the steps before it have set, in the compiler
// and in its productions.

// A compiler makes a program.
type compiler struct {
	*Program
	*builder
	g       *expr.Grammar // with the preferences of the user
	options Options
	facts   *expr.Facts

	productions []*production // by kind, from 1
	byID        map[string]*production
	places      map[*expr.Expr]*place // the choices of g
	candidates  []candidate           // for ambiguities

	checks      *expr.Grammar            // g as a PEG with checks; set by chooseCode
	codeFile    []byte                   // what pegtogo wrote; nil if nothing is code
	codeNests   bool                     // the code has one function for all, with limits: see [pegtogo.Nests]
	rowsByUnit  map[string]int           // how many rows have a unit
	packed      string                   // the tables; set by packTables
	insideNodes map[ast.Kind]*production // whose nodes code or tables make inside the general parser
	wholeInside int                      // how many productions it reads as one automaton
	noneInside  bool                     // the general parser derives everything itself, without code or tables inside
	scanners    []*production            // the productions that have a scanner

	mu       sync.Mutex     // guards compared while pegtogo runs
	compared map[string]int // how many strings each parser was compared on, by production; see mu

	leastWords    func() *expr.Short         // a short word of each production
	shortestWords func() map[string][]string // the shortest words of each production
}

// A production is a rule that gets a parser, and the facts known about it so far. It is refused if start is
// [choice.Dead]; refusal then says why. It is code if code is set, even if it is refused as an automaton.
type production struct {
	*expr.Rule
	kind     ast.Kind
	start    choice.StateID // in the automaton; set by buildAutomata
	language *lang.DFA      // nil if it is not known (yet); if nesting > 0, cut off at depth 1
	code     bool           // it is straight-line code
	sampled  bool           // it was executed on some strings only, not on a cover of all transitions
	reason   string         // why a production that nests could not be decided
	rows     []pegtogo.Row  // the rows on which the time of its code is measured
	nesting  int            // the depth to which its recursion is proven; 0 if none is, -1 if the code is wrong
	refusal  *Refusal       // why it is no automaton; nil if it can be one, or is code that nests
	uses     int            // how many productions it uses, directly or through others

	scanned bool        // it has a scanner, or uses a production that has one
	scanner *production // that production

	// derive appends the nodes of a string, by the interpreter that its code was compared with. referenceFor sets it.
	derive func(dst []ast.Raw, src string) (nodes []ast.Raw, ok bool, err error)
}

// newCompiler returns a compiler of a copy of g. It fails if g is ordered, or has no production or too many, if an
// option names a production that g does not have, and as applyPreferences and markScanned do.
func newCompiler(g *expr.Grammar, o Options) (*compiler, error) {
	if g.Ordered {
		return nil, fmt.Errorf("%s: the alternatives have an order", g.Name)
	}
	g, places, err := applyPreferences(g, o.Prefer)
	if err != nil {
		return nil, err
	}
	c := &compiler{
		Program: &Program{
			Languages: map[string]*lang.DFA{},
			Tried:     map[string][]string{},
		},
		g:           g,
		options:     o,
		facts:       expr.Analyze(g.Rules),
		byID:        map[string]*production{},
		places:      places,
		rowsByUnit:  map[string]int{},
		insideNodes: map[ast.Kind]*production{},
		compared:    map[string]int{},
	}
	c.leastWords = sync.OnceValue(c.findLeastWords)
	c.shortestWords = sync.OnceValue(c.findShortestWords)
	c.builder = newBuilder(g, c.facts, 4*o.Limits.states())
	// Kinds number the productions in the order of the text. The last numbers are actions.
	for _, r := range g.Rules {
		if o.Kind(r.ID) == "" {
			continue
		}
		number := len(c.productions) + 1
		if number >= opcode.MaxKind {
			return nil, fmt.Errorf("%s has more than %d productions", g.Name, opcode.MaxKind-1)
		}
		p := &production{Rule: r, kind: ast.Kind(number)}
		c.productions = append(c.productions, p)
		c.byID[r.ID] = p
	}
	if len(c.productions) == 0 {
		return nil, expr.Errorf(expr.Pos{File: g.File}, "no production")
	}
	for _, id := range o.Starts {
		if c.byID[id] == nil {
			return nil, fmt.Errorf("%s has no production %q", g.Name, id)
		}
	}
	c.builder.kind = func(id string) ast.Kind {
		if p := c.byID[id]; p != nil && o.Nodes(id) {
			return p.kind
		}
		return 0
	}
	return c, c.markScanned()
}

// compile makes the parsers and sets the fields of c.Program. It fails as packTables, addGeneral and writeSource do,
// and panics if a limit on the whole is passed.
func (c *compiler) compile() error {
	c.buildAutomata()
	c.settleAmbiguities()
	if !c.options.TablesOnly {
		c.chooseCode()
	}
	if err := c.packTables(); err != nil {
		return err
	}
	if err := c.addGeneral(); err != nil {
		return err
	}
	for _, p := range c.productions {
		isTable := c.options.TablesOnly && !p.isGeneral()
		if (p.code && p.nesting == 0 || isTable) && p.language != nil {
			c.Languages[p.ID] = p.language
		}
	}
	return c.writeSource()
}

// isNode reports whether a production is a node below the root.
func (c *compiler) isNode(id string) bool { return c.kind(id) != 0 }

// refuse takes p's automaton away, for a reason at a place, which replaces the reason of an earlier refusal.
func (p *production) refuse(at expr.Pos, reason string) {
	p.start = choice.Dead
	p.refusal = &Refusal{p.ID, at, reason}
}

// tooCostly is the reason why a production that could be compiled was not.
const tooCostly = "what decides its choices takes more than the limits"

// forEachBottomUp calls f for each production that is not refused, those that use the fewest others first.
// The calls may go on until that many eighths of the whole budget are spent, including the steps taken
// before. A production whose call passes a limit is refused, and left to the general parser. The end of the time
// still panics.
func (c *compiler) forEachBottomUp(eighths int64, f func(p *production)) {
	if c.Budget != nil {
		steps := c.Budget.Steps
		defer func() { c.Budget.Steps = steps }()
		c.Budget.Steps = steps / 8 * eighths
	}
	refused := func(p *production) bool { return p.refusal != nil }
	all := slices.DeleteFunc(slices.Clone(c.productions), refused)
	slices.SortStableFunc(all, compareUses)
	for _, p := range all {
		c.Budget.In(p.Name)
		if catchLimit(func() { f(p) }) != nil {
			p.refuse(p.Pos, tooCostly)
		}
	}
}

// compareUses orders productions by the number of others that they use.
func compareUses(p, q *production) int { return p.uses - q.uses }

// buildAutomata sets the start of each production that an automaton can derive, refuses the
// others, and adds candidates for ambiguities to c.candidates, also of those that it refuses. It also sets uses.
func (c *compiler) buildAutomata() {
	for _, p := range c.productions {
		p.uses = len(c.facts.Used(p.Expr))
		if !c.facts.Derives(p.Expr) {
			p.refuse(p.Pos, "`"+p.Name+"` derives nothing")
		} else if c.refuseScanned(p) {
			continue
		} else if r := c.refusalOf(p.Rule); r != nil {
			p.refuse(r.Pos, r.Reason)
		}
	}
	c.forEachBottomUp(2, func(p *production) { p.start = c.buildRoot(p.Rule, p.kind) })
	s := newSquare(c.Automaton)
	c.forEachBottomUp(3, func(p *production) { c.findCandidates(p, s) })
	c.findNestedCandidates()
}

// chooseCode decides which productions are straight-line code: those whose PEG accepts what they derive, and whose
// code makes their trees. It sets c.checks and c.codeFile, and of productions code, language, what chooseNestingCode
// sets and what writeCode does.
func (c *compiler) chooseCode() {
	text := c.g.Rewritten(c.closeMissing)
	c.checks = withLookaheads(text, c.isNode)
	languages, err := lang.NewPEG(c.checks, lang.Limits{})
	budget.Again(err)
	if err == nil {
		c.forEachBottomUp(4, func(p *production) {
			p.code = c.comp[p.ID] == nil && c.canBeCode(p.Rule) && c.pegIsEqual(p, languages)
		})
	}
	c.chooseNestingCode(text)
	c.writeCode()
}

// closeMissing returns e with names that have no rule replaced by an expression that derives
// nothing.
func (c *compiler) closeMissing(e *expr.Expr) *expr.Expr {
	return replaceRefs(e, func(e *expr.Expr) *expr.Expr {
		if c.g.Rule(e.Name) == nil {
			return &expr.Expr{Op: expr.Class, Name: e.Name, Pos: e.Pos}
		}
		return e
	})
}

// maxCheckedSize caps the size of an expression with checks that becomes code.
const maxCheckedSize = 2000

// canBeCode reports whether pegtogo can write r and everything that r uses: no recursion, no expression that is too
// long or too large with its checks, and no nodes below r unless r is a node itself. c.checks must be set.
func (c *compiler) canBeCode(r *expr.Rule) bool {
	if c.hasHiddenNodes(r) {
		return false
	}
	used := c.facts.Used(r.Expr)
	used[r.ID] = true
	for _, q := range c.g.Those(used) {
		_, long := q.Expr.WithoutCounts()
		tooLong := long > expr.LongWithoutCounts
		tooLarge := c.checks.Rule(q.ID).Expr.Size() > maxCheckedSize
		if c.comp[q.ID] != nil || tooLarge || tooLong {
			return false
		}
	}
	return true
}

// hasHiddenNodes reports whether r is no node, but has nodes inside. pegtogo makes no nodes below
// a root that is no node.
func (c *compiler) hasHiddenNodes(r *expr.Rule) bool {
	return !c.isNode(r.ID) && c.hasNodes(r.Expr)
}

// hasNodes reports whether a derivation of e can have nodes in it.
func (c *compiler) hasNodes(e *expr.Expr) bool { return c.hasNodesBut(e, map[string]bool{}) }

// hasNodesBut is hasNodes without the productions in seen. It adds to seen all that it visits.
func (c *compiler) hasNodesBut(e *expr.Expr, seen map[string]bool) bool {
	for _, id := range expr.Refs(e) {
		if seen[id] {
			continue
		}
		seen[id] = true
		r := c.g.Rule(id)
		if r != nil && (c.isNode(id) || c.hasNodesBut(r.Expr, seen)) {
			return true
		}
	}
	return false
}

// pegIsEqual reports whether the PEG of p accepts the language of p. If it does, pegIsEqual sets p.language.
// It is also false if an automaton is too large; a passed limit of the budget panics.
func (c *compiler) pegIsEqual(p *production, languages *lang.PEG) bool {
	got, err := languages.Whole(expr.To(p.ID))
	budget.Again(err)
	if err != nil {
		return false
	}
	want, err := lang.FromBNF(c.g, p.ID)
	budget.Again(err)
	if err != nil || !got.Equal(want) {
		return false
	}
	p.language = want
	return true
}

// Limits on the words that code of recursion that nests is compared on: the interpreter takes
// cubic time for them.
const (
	maxNestedWords      = 400
	maxNestedWordLength = 40
)

// referenceFor returns the reference that the code of a production is compared with: the interpreter of the
// grammar, on the words of coverWords and countWords. For a production that nests, the reference has only
// some of these words, the short ones, and others that nest three deep; its Ends nest deeper. If the
// interpreter cannot be made, the reference is one that no code passes.
//
// referenceFor sets derive of the production, the number of words in c.compared, and p.sampled as coverWords
// does; without an interpreter only derive, which must then not be called. p.rows must be set. pegtogo may call
// referenceFor from several goroutines, but Tree of one reference only from one at a time.
func (c *compiler) referenceFor(id string) pegtogo.Reference {
	p := c.byID[id]
	part := c.g.Part(id)
	d, err := interpreter.New(part, id, c.isNode)
	p.derive = func(dst []ast.Raw, src string) ([]ast.Raw, bool, error) {
		nodes, ok, err := d.Derive(dst, src)
		// The interpreter of the part numbers the rules of the part.
		for i := len(dst); i < len(nodes); i++ {
			nodes[i].Kind = c.byID[part.Rules[nodes[i].Kind-1].ID].kind
		}
		return nodes, ok, err
	}
	if err != nil {
		// No code passes: it cannot make a tree without nodes.
		none := func(string) ([]pegtogo.Node, bool) { return nil, true }
		return pegtogo.Reference{Words: []string{""}, Tree: none}
	}
	words := append(c.coverWords(p), c.countWords(p)...)
	var ends []string
	if p.nesting > 0 {
		words = everyNth(words, len(words)/maxNestedWords+1)
		words = slices.DeleteFunc(words, func(w string) bool { return len(w) > maxNestedWordLength })
		words = append(words, c.nestedWords(p, 3)...)
		ends = append(c.nestedWords(p, 24), c.nestedWords(p, 48)...)
	}
	c.mu.Lock()
	c.compared[p.ID] = len(words)
	c.mu.Unlock()
	var raw []ast.Raw // used again for each word
	return pegtogo.Reference{
		Words: words,
		Ends:  ends,
		Rows:  p.rows,
		Tree: func(w string) ([]pegtogo.Node, bool) {
			if p.nesting == 0 && !p.language.Match(w) {
				return nil, false // the automaton is quicker than the interpreter
			}
			nodes, ok, err := p.derive(raw[:0], w)
			budget.Again(err)
			raw = nodes
			tree := make([]pegtogo.Node, len(nodes))
			for i, n := range nodes {
				tree[i] = pegtogo.Node{
					ID:   c.productions[n.Kind-1].ID,
					From: int(n.Start),
					To:   int(n.End),
					Next: int(n.Next),
				}
			}
			return tree, ok && err == nil
		},
	}
}

// everyNth returns the n-th of the words, the 2n-th and so on, in the same slice, which must not be used again: all
// of them if n is 1, and none if n is more than their number.
func everyNth(words []string, n int) []string {
	if n == 1 {
		return words
	}
	i := 0
	return slices.DeleteFunc(words, func(string) bool {
		i++
		return i%n != 0
	})
}

// writeCode has pegtogo write the code of all productions that are code, and sets c.codeFile and c.codeNests, unless
// none is left. c.checks must be set. It sets their rows, and what referenceFor sets. A production whose code is
// wrong or slow, or which pegtogo refuses, is code no longer: see dropCode. Then the rest is written again. Each
// round takes at least one production away, so the loop ends. At too much Go it panics with [budget.Stopped].
func (c *compiler) writeCode() {
	c.chooseRows()
	for {
		var starts []string
		for _, p := range c.productions {
			if p.code {
				starts = append(starts, p.ID)
			}
		}
		if len(starts) == 0 {
			return
		}
		part := c.checks.Part(starts...)
		file, err := pegtogo.Go(part, c.codeOptions(len(starts) < len(c.productions)))
		budget.Again(err)
		if errors.Is(err, pegtogo.ErrLong) {
			panic(budget.Stopped(err))
		}
		if err == nil {
			c.codeFile, c.codeNests = file, pegtogo.Nests(part)
			return
		}
		if wrong, ok := errors.AsType[*pegtogo.WrongError](err); ok {
			c.dropWrong(wrong)
		} else {
			c.dropUsersOf(ruleAt(part, err))
		}
	}
}

// codeOptions returns the options with which pegtogo writes the code of the productions that are code now: they
// must be made anew when some have been dropped. others says that the file has other parsers as well; the code
// then gets function names that differ from those that the package calls.
func (c *compiler) codeOptions(others bool) pegtogo.Options {
	o := pegtogo.Options{
		Package: c.options.Package,
		Printed: c.options.Printed,
		Kind: func(id string) string {
			if p := c.byID[id]; p == nil || c.hasHiddenNodes(p.Rule) {
				return ""
			}
			return c.options.Kind(id)
		},
		Lexical: func(id string) bool { return !c.isNode(id) },
		Start:   func(id string) bool { return c.byID[id] != nil && c.byID[id].code },
		Nested:  true,
		MaxGo:   c.options.MaxGo,

		Automaton: func(id string) *lang.DFA {
			// The language of a production that nests is cut off at a depth, so it cannot accept.
			p := c.byID[id]
			if p.nesting == 0 && slices.Contains(c.options.Starts, id) {
				return Acceptor(p.language)
			}
			return nil
		},
		Reference: c.referenceFor,
	}
	if others {
		// Where the code does not derive what Parse derives, acceptors are called for other productions only.
		o.Small = !slices.ContainsFunc(c.options.Starts, o.Start)
		o.Parse = "parseCode"
		o.Accept = "acceptCode"
		o.Within = "withinCode"
	}
	return o
}

// dropWrong drops the code of productions that pegtogo found wrong, and of those that use a slow
// one: they are slow as well.
func (c *compiler) dropWrong(wrong *pegtogo.WrongError) {
	for _, id := range wrong.IDs {
		c.dropCode(c.byID[id], "code for it did not derive the same as the grammar")
	}
	slow := c.checks.Using(wrong.Slow...)
	for _, p := range c.productions {
		if p.code && slow[p.ID] {
			c.dropCode(p, "what decides between its alternatives would be read again and again")
		}
	}
}

// ruleAt returns the ID of the first rule of g that begins at the place of the error, or has an expression there; ""
// if there is none, or if the error is no [*expr.Error].
func ruleAt(g *expr.Grammar, err error) string {
	at, ok := errors.AsType[*expr.Error](err)
	if !ok {
		return ""
	}
	for _, r := range g.Rules {
		atPlace := func(e *expr.Expr) bool { return e.Pos == at.Pos }
		if r.Pos == at.Pos || expr.Find(r.Expr, atPlace) != nil {
			return r.ID
		}
	}
	return ""
}

// dropUsersOf drops the code of all productions that are or use the rule; of all if it is "".
func (c *compiler) dropUsersOf(rule string) {
	users := c.checks.Using(rule)
	for _, p := range c.productions {
		if p.code && (rule == "" || users[p.ID]) {
			c.dropCode(p, "no code can be written for it")
		}
	}
}

// dropCode takes p's code away, for the reason why. If p has no automaton either, it nests, and is left to the
// general parser; its refusal then gives the reason.
func (c *compiler) dropCode(p *production, why string) {
	p.code = false
	if p.start == choice.Dead {
		p.refuse(p.Pos, "`"+p.Name+"` nests, and "+why)
	}
}

// maxAcceptor caps the states of an automaton that is written as an acceptor.
const maxAcceptor = 256

// Acceptor returns a if it is to be written as an acceptor, and nil if a is nil or would be too much code.
func Acceptor(a *lang.DFA) *lang.DFA {
	if a == nil || a.States() > maxAcceptor {
		return nil
	}
	return a
}

// packTables makes the tables of the productions that have an automaton and are not code, and checks them: see
// checkTables. It sets c.packed and c.automaton. The states of productions whose tables are wrong stay in the tables.
// It fails if checkTables does.
func (c *compiler) packTables() error {
	starts := make([]choice.StateID, len(c.productions)+1)
	for _, p := range c.productions {
		if p.start != choice.Dead && !p.code {
			starts[p.kind] = p.start
		}
	}
	c.packed = c.pack(starts, annotated.Pack)
	c.automaton = &ast.Automaton{Packed: c.packed}
	return c.checkTables()
}

// checkTables compares the tables of each production, in c.automaton, with the interpreter. A production whose
// tables are wrong is refused, which leaves it to the general parser, and recorded in c.Defects. It fails if tables
// cannot be compared or, if [Strict] is set, are wrong. It sets what compareTables sets.
func (c *compiler) checkTables() error {
	for _, p := range c.productions {
		if p.start == choice.Dead || p.code {
			continue
		}
		wrong, err := c.compareTables(p)
		if err != nil {
			return err
		}
		if wrong == nil {
			continue
		}
		const instead = "the general parser derives it instead of tables"
		if err := c.recordDefect(p, wrong, instead); err != nil {
			return err
		}
		p.refuse(p.Pos, "its tables failed the self-check")
	}
	return nil
}

// maxCompareSteps caps the steps for the strings on which the tables of one production are
// compared.
const maxCompareSteps = 1 << 24

// compareTables compares the tables of p in c.automaton, as they will be printed, with the interpreter of the
// grammar. wrong says how they differ; it is nil if they do not. err says why they cannot be compared. If the
// strings take too many steps, compareTables stops early, and sets p.sampled. It sets p.language if it is small
// enough, and, if they do not differ, the number of strings in c.compared.
func (c *compiler) compareTables(p *production) (wrong, err error) {
	if p.language == nil {
		g := c.g.With(c.g.Rules)
		g.Budget = c.Budget.Part(maxCompareSteps)
		p.language, _ = lang.FromBNF(g, p.ID) // nil if it is too large
	}
	d, err := interpreter.New(c.g, p.ID, c.isNode)
	if err != nil {
		return nil, err
	}
	c.Budget.In(p.Name)
	words := c.coverWords(p)
	var got, want []ast.Raw
	before := c.Budget.Taken()
	for i, w := range words {
		// The automaton spares the interpreter the strings that are not derived.
		derived := p.language == nil || p.language.Match(w)
		want = want[:0]
		if derived {
			want, derived, err = d.Derive(want, w)
		}
		budget.Again(err)
		tooMany := c.Budget.Taken()-before > maxCompareSteps
		if errors.Is(err, interpreter.ErrTooLarge) || tooMany {
			words = words[:i]
			p.sampled = true
			break
		}
		if err != nil {
			return nil, expr.Errorf(p.Pos, "%s on %q: %v", p.ID, w, err)
		}
		var parsed bool
		got, parsed = c.automaton.Parse(got[:0], p.kind, w)
		accepted := c.automaton.Accept(p.kind, w)
		if parsed != derived || accepted != derived || !slices.Equal(got, want) {
			return fmt.Errorf("the tree of %s by the tables is not that which is chosen", quote.Word(w)), nil
		}
	}
	c.compared[p.ID] = len(words)
	return nil, nil
}

// maxCoverBytes caps the total length of the strings that a parser is executed on.
const maxCoverBytes = 1 << 17

// coverWords returns strings that take every transition of the minimal automaton of p. If that is not known,
// they lead to every state of the grammar's automaton instead; if there are too many, it returns an evenly
// spread selection. In these two cases it sets p.sampled.
func (c *compiler) coverWords(p *production) []string {
	var words []string
	if p.language != nil {
		words = p.language.TransitionCover()
	} else {
		words = newSquare(c.Automaton).coverStates(p.start)
		p.sampled = true
	}
	bytes := 0
	for _, w := range words {
		bytes += 1 + len(w)
	}
	n := bytes/maxCoverBytes + 1
	if n > 1 {
		p.sampled = true
	}
	return everyNth(words, n)
}

// writeSource puts the file together: it sets c.Source, and on the way c.engineOf and c.Proof. It fails only
// if Go's formatter does; c.Source is then nil.
func (c *compiler) writeSource() error {
	var code, tables, general []*production
	c.engineOf = []Engine{NoEngine}
	for _, p := range c.productions {
		switch {
		case p.code:
			code = append(code, p)
			c.engineOf = append(c.engineOf, CodeEngine)
		case p.isGeneral():
			general = append(general, p)
			c.engineOf = append(c.engineOf, GeneralEngine)
		default:
			tables = append(tables, p)
			c.engineOf = append(c.engineOf, AutomatonEngine)
		}
	}
	var b strings.Builder
	if len(code) > 0 {
		// Without the header that pegtogo writes before the package clause: gopackage writes its own.
		b.Write(c.codeFile[bytes.Index(c.codeFile, []byte("\npackage "))+1:])
	} else {
		const head = "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n"
		fmt.Fprintf(&b, head, c.options.Package)
	}
	if len(tables)+len(general) > 0 {
		c.writeDispatch(&b, c.engines(code, tables, general))
	}
	if len(tables) > 0 {
		fmt.Fprintf(&b, "\n// automaton holds the tables of the productions that are not code.\n"+
			"var automaton = ast.Automaton{Packed: %s}\n", pegtogo.Packed(c.packed))
	}
	if len(general) > 0 {
		c.writeGeneral(&b)
	}
	c.writeProof(code, tables, general)
	var err error
	c.Source, err = format.Source([]byte(b.String()))
	return err
}

// An engine is one of the parsers in the file, with the productions that it derives and the calls that run
// it. within is the call that takes limits; "" if the engine has none.
type engine struct {
	letter                rune
	list                  []*production
	parse, accept, within string
}

// engines returns the three parsers that a file can have, in a fixed order; the list of one that it lacks is empty.
func (c *compiler) engines(code, tables, general []*production) []engine {
	all := []engine{
		{rune(CodeEngine), code, "parseCode(dst, start, src)", "acceptCode(start, src)", ""},
		{rune(AutomatonEngine), tables, "automaton.Parse(dst, start, src)", "automaton.Accept(start, src)", ""},
		{rune(GeneralEngine), general, "", "", "general.Within(run, dst, start, src, tree)"},
	}
	if c.codeNests {
		// A production of it need not nest: it may use one that derives nothing, and uses itself.
		all[0].within = "withinCode(run, dst, start, src, tree)"
		all[0].parse = "withinCode(new(ast.Run), dst, start, src, true)"
	}
	return all
}

// hasLimits reports whether the file has a function within: something in it takes more than linear
// time, or nests.
func hasLimits(all []engine) bool {
	return slices.ContainsFunc(all, func(e engine) bool { return len(e.list) > 0 && e.within != "" })
}

// writeDispatch writes the functions engineOf, parse and accept. The last two choose among all, the engines of
// [compiler.engines], by the start. If an engine has limits, they do so through a function within, which is written as
// well. With nodes inside the general parser there is also proven, which is parse without that parser.
func (c *compiler) writeDispatch(b *strings.Builder, all []engine) {
	const parameters = "(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {\n"
	parseCall := func(e engine) string { return "return " + e.parse }
	acceptCall := func(e engine) string { return "return " + e.accept }
	// Engines without limits take no run, so within chooses between their two calls by the parameter tree.
	withinCall := func(e engine) string {
		if e.within != "" {
			return "return " + e.within
		}
		return "if !tree {\nreturn dst, " + e.accept + "\n}\nreturn " + e.parse
	}
	c.writeEngineOf(b)
	b.WriteString("\n// parse is Grammar.Parse.\nfunc parse" + parameters)
	if hasLimits(all) {
		b.WriteString("var run ast.Run\nreturn within(&run, dst, start, src, true)\n}\n")
	} else {
		c.writeSwitch(b, all, parseCall)
	}
	b.WriteString("\n// accept is Grammar.Accept.\nfunc accept(start ast.Kind, src string) bool {\n")
	if hasLimits(all) {
		b.WriteString("var run ast.Run\n_, ok := within(&run, nil, start, src, false)\nreturn ok\n}\n")
		b.WriteString("\n// within is Grammar.Within.\nfunc within(run *ast.Run, dst []ast.Raw, start ast.Kind, " +
			"src string, tree bool) ([]ast.Raw, bool) {\n")
		c.writeSwitch(b, all, withinCall)
	} else {
		c.writeSwitch(b, all, acceptCall)
	}
	if len(c.insideNodes) > 0 {
		b.WriteString("\n// proven is Grammar.Parse of what is not left to the general parser.\n" +
			"func proven" + parameters)
		c.writeSwitch(b, all[:2], parseCall) // code and tables: see engines
	}
}

// writeSwitch writes the body of a function that calls the engine of start, and the brace that
// closes it. The last engine that has productions is the default; there must be one.
func (c *compiler) writeSwitch(b *strings.Builder, all []engine, call func(engine) string) {
	unused := func(e engine) bool { return len(e.list) == 0 }
	all = slices.DeleteFunc(slices.Clone(all), unused)
	if len(all) > 1 {
		b.WriteString("switch engineOf(start) {\n")
		for _, e := range all[:len(all)-1] {
			fmt.Fprintf(b, "case %q:\n%s\n", e.letter, call(e))
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(b, "%s\n}\n", call(all[len(all)-1]))
}

// writeEngineOf writes a function that returns the letter of the engine of a production, 0 for a kind that there is
// not.
func (c *compiler) writeEngineOf(b *strings.Builder) {
	letters := make([]byte, len(c.engineOf))
	for kind, e := range c.engineOf {
		letters[kind] = byte(e)
	}
	fmt.Fprintf(b, "\n// engineOf tells what derives a production: c is code, t the automaton, and "+
		"g the general parser.\n"+
		"func engineOf(start ast.Kind) byte {\nconst engines = %q\n"+
		"if int(start) < len(engines) {\nreturn engines[start]\n}\nreturn 0\n}\n", letters)
}
