// Package anygrammar makes a parser of any grammar that package catalog opens, without generating code. The
// parser tells whether the production that was asked for derives a string, returns the tree, and explains a
// rejection in the words of the grammar.
//
// A grammar that is built in and has a generated parser uses that parser. Any other BNF is parsed by the rule
// that package interpreter states: by the automaton of its production or, if that nests or is too large, by the
// interpreter. A PEG is interpreted by its definition. The general parser ([ast.General]) explains rejections
// here where an automaton cannot.
package anygrammar

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Parser parses strings as one production. It is safe for concurrent use.
type Parser struct {
	// Grammar is the grammar in the form that trees and errors use. Only for a grammar with a generated parser
	// can it parse by itself; see [Parser.Explained].
	Grammar *ast.Grammar
	Start   ast.Kind

	opened *catalog.Opened
	engine engine
	apart  *budget.Budget // the budget that the engine charges, nil for a generated parser: see chargeWhile

	explains sync.Once
	explain  func(s string) (*ast.SyntaxError, error)
	setting  sync.Mutex // held where Grammar is changed, which is in explains, or copied
}

// An engine decides which strings are derived. Derive appends the nodes of the tree of s to dst, with Next
// counted from the first of them, and reports whether there is a tree; without one it returns dst as it was.
// Both methods fail only if a limit is passed. They may be called by several goroutines.
type engine interface {
	Accepts(s string) (bool, error)
	Derive(dst []ast.Raw, s string) ([]ast.Raw, bool, error)
}

// New returns the parser of the production that n was opened at. The productions with the IDs in nodes become
// nodes of its trees even if they are lexical; nodes has no effect for a grammar that has a generated parser,
// and for one of tokens. New fails if [catalog.Opened.Start] does, with an [*expr.Error] if the grammar cannot
// be interpreted, and if a limit on memory or on an automaton is passed; the Parser that it may return then is of no
// use.
func New(n *catalog.Opened, nodes ...string) (*Parser, error) {
	r, err := n.Start()
	if err != nil {
		return nil, err
	}
	p := &Parser{opened: n}
	if g := n.Published(); g != nil {
		p.Grammar = g.Grammar
		p.Start, _ = g.Kind(r.ID)
		p.engine = compiled{p.Grammar.Accept, p.Grammar.Parse, p.Start}
		p.explains.Do(func() { p.explain = p.explainByTables })
		return p, nil
	}
	if n.Tokens != nil {
		return p, p.parseTokens(r.ID)
	}
	if len(n.Grammar.Rules) >= math.MaxUint16 {
		return nil, expr.Refusef(expr.Pos{File: n.File, Line: 1, Col: 1}, "more than %d productions", math.MaxUint16-1)
	}
	usually := bnf.Lexical(n.Grammar)
	lexical := func(id string) bool { return usually(id) && !slices.Contains(nodes, id) }
	p.Grammar = grammarForAST(n.Grammar, n.Built == nil, lexical)
	p.Start, _ = p.Grammar.Kind(r.ID)
	p.Grammar.Default = p.Start
	// The engine derives any number of strings, so its budget only counts steps, without a limit.
	g := n.Grammar.With(n.Grammar.Rules)
	g.Budget = g.Budget.Apart()
	p.apart = g.Budget
	if n.Grammar.Ordered {
		p.engine, err = newOrdered(g, r, lexical)
	} else {
		p.engine, err = newUnordered(g, r, lexical)
	}
	return p, err
}

// grammarForAST returns the grammar as package ast has it, without a parser. The kind of a production is its
// index in g.Rules plus 1. With file, the place of a production is its line in that file, and not in an RFC.
func grammarForAST(g *expr.Grammar, file bool, lexical func(id string) bool) *ast.Grammar {
	out := &ast.Grammar{
		Name:        g.Name,
		Title:       g.Title,
		CodePoints:  g.CodePoints,
		Productions: make([]ast.Production, 1, len(g.Rules)+1), // kinds count from 1
	}
	for _, r := range g.Rules {
		p := catalog.Production(r)
		p.Lexical = lexical(r.ID)
		if file {
			p.Section, p.Page, p.Line = "", 0, r.Pos.Line
			p.File = filepath.Base(r.Pos.File)
		}
		out.Productions = append(out.Productions, p)
	}
	return out
}

// Accepts reports whether s is derived. It fails with an error that wraps [budget.ErrTooLarge] if that would take too
// much.
func (p *Parser) Accepts(s string) (bool, error) { return p.engine.Accepts(s) }

// Parse returns the tree of s. If s is not derived it fails with the error of [Parser.Explain]. It fails with an
// error that wraps [budget.ErrTooLarge] if parsing would take too much.
func (p *Parser) Parse(s string) (*ast.Tree, error) {
	nodes, ok, err := p.engine.Derive(nil, s)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, p.Explain(s)
	}
	return &ast.Tree{Grammar: p.Grammar, Source: s, Nodes: nodes}, nil
}

// Explain returns the reason why s is rejected: an [*ast.SyntaxError] or, if finding the reason would take
// too much, an error that says so. s must be rejected: for any other string the result is not nil either, but
// means nothing.
func (p *Parser) Explain(s string) (err error) {
	defer budget.Catch(&err)
	p.explains.Do(p.chooseExplanations)
	e, err := p.explain(s)
	if err != nil {
		return err
	}
	return e // not nil, even if the pointer is
}

// Where returns "file:line" of the production that [Parser.Place] returns the place of; "" for a grammar that
// is built in.
func (p *Parser) Where(e *ast.SyntaxError) string {
	if pos := p.Place(e); pos.Line > 0 {
		return fmt.Sprintf("%s:%d", pos.File, pos.Line)
	}
	return ""
}

// Place returns the place of the innermost production that an error is in; for an error in none, that of the
// production that it explains, and for nil that of the production that is parsed. For a grammar that is built
// in it is the zero Pos.
func (p *Parser) Place(e *ast.SyntaxError) expr.Pos {
	if p.opened.Built != nil {
		return expr.Pos{}
	}
	return p.opened.Grammar.Rules[p.placedIn(e)-1].Pos
}

// placedIn returns the production that [Parser.Place] returns the place of.
func (p *Parser) placedIn(e *ast.SyntaxError) ast.Kind {
	switch {
	case e == nil: // no rejection is explained: the start itself
		return p.Start
	case len(e.In) > 0:
		return e.In[0]
	case e.Explained != 0: // a scheme's own production, where the start is a choice among schemes
		return e.Explained
	}
	return p.Start
}

// Cite returns a citation of the production that [Parser.Place] describes. For a grammar from a file it has the
// place that Place returns, and for one that is built in the place in its text.
func (p *Parser) Cite(e *ast.SyntaxError) results.Citation {
	c := results.Cite(p.Grammar, p.Grammar.Production(p.placedIn(e)))
	if pos := p.Place(e); pos.Line > 0 {
		c.File, c.Line, c.Section = pos.File, pos.Line, ""
	}
	return c
}

// Message returns an error in one line. To a SyntaxError it adds the file and line of the production that the
// error is in, as Where returns them. These replace the place that the error itself gives, which has only the
// base name of the file: " (g.abnf:3)" becomes " (dir/g.abnf:3)". Of an error that wraps a SyntaxError it returns
// that one's text alone. Before any other error it puts the name of the grammar.
func (p *Parser) Message(err error) string {
	e, ok := errors.AsType[*ast.SyntaxError](err)
	if !ok {
		return p.Grammar.Name + ": " + err.Error()
	}
	where := p.Where(e)
	if where == "" {
		return e.Error()
	}
	text := e.Error()
	if e.Section == "" && len(e.In) > 0 { // where names the file as the user did, and not only by its base name
		in := p.Grammar.Production(e.In[0])
		text = strings.TrimSuffix(text, fmt.Sprintf(" (%s:%d)", in.File, in.Line))
	}
	return text + " (" + where + ")"
}

// enough caps the steps spent on an automaton that accepts, or explains rejections: a larger one is not worth
// making for a single string.
const enough = 1 << 24

// chooseExplanations sets p.explain. A PEG is explained by explainerOfRule. For any other grammar it makes
// the automaton of the production and sets p.Grammar.Tables. If the production nests or the automaton would
// be too large, it sets p.Grammar.Explaining instead, a general parser that knows each production. If that
// would be too large as well, every rejection is explained at offset 0.
func (p *Parser) chooseExplanations() {
	id := p.Grammar.Production(p.Start).ID
	if p.opened.Grammar.Ordered {
		p.explain = p.explainerOfRule(id)
		return
	}
	small := p.opened.Grammar.With(p.opened.Grammar.Rules)
	small.Budget = small.Budget.Part(enough)
	p.explain = p.explainByTables
	var general *ast.General
	tables, err := annotated.BuildFor(small, p.isTerm, id)
	if err != nil {
		small.Budget = p.apart               // which has no limit
		general, _ = explainingParser(small) // without one, only the offset 0 is known
	}
	p.setting.Lock()
	defer p.setting.Unlock()
	p.Grammar.Tables, p.Grammar.Explaining = tables, general
}

// copyGrammar returns a copy of p.Grammar, with the tables or general parser that explanations have set.
func (p *Parser) copyGrammar() ast.Grammar {
	p.setting.Lock()
	defer p.setting.Unlock()
	return *p.Grammar
}

// explainingParser returns the general parser that explains rejections by g, a BNF, even if it nests. It fails
// if the parser would be too large.
func explainingParser(g *expr.Grammar) (*ast.General, error) {
	packed, _, err := interpreter.Explaining(g)
	if err != nil {
		return nil, err
	}
	return &ast.General{Packed: packed}, nil
}

// explainByTables explains by the tables, or the general parser, of p.Grammar.
func (p *Parser) explainByTables(s string) (*ast.SyntaxError, error) {
	return p.Grammar.Rejection(p.Start, s), nil
}

// explainerOfRule returns the function that explains why a rule of a PEG does not match. If the language of
// the rule has an automaton, which is made here, the explanation has the production and the expected terms. If
// it has none, or too large a one, or if these take more than a budget, the explanation has no more than the offset
// where the match from the beginning ends. explainerOfRule itself does not panic with a limit; the function that it
// returns does, and its error is always nil.
func (p *Parser) explainerOfRule(id string) func(s string) (*ast.SyntaxError, error) {
	follow, err := diff.Follow(catalog.Language{Grammar: p.opened.Grammar, Production: id, File: true}, lang.Limits{})
	return func(s string) (*ast.SyntaxError, error) {
		if err != nil {
			return p.syntaxError(s, p.engine.(*ordered).furthestMatch(s), nil, nil), nil
		}
		var offset int
		var place diff.Place
		var first []expr.Set
		err := func() (err error) {
			defer budget.Catch(&err)
			offset, place, first = follow.Break(s)
			return nil
		}()
		if err != nil { // to say what is expected would take too long
			return p.syntaxError(s, p.engine.(*ordered).furthestMatch(s), nil, nil), nil
		}
		var expected []ast.Expectation
		for i, term := range place.Terms {
			expected = append(expected, ast.Expectation{Term: term, First: ast.ByteSet(first[i])})
		}
		return p.syntaxError(s, offset, place.Path, expected), nil
	}
}

// syntaxError returns an error at an offset of s. It is in the last production of path alone, or in none if path is
// empty or ends in a name or ID that is no production's. expected is not copied. Section and Incomplete are left zero.
func (p *Parser) syntaxError(s string, offset int, path []string, expected []ast.Expectation) *ast.SyntaxError {
	e := &ast.SyntaxError{
		Grammar:   p.Grammar,
		Start:     p.Start,
		Explained: p.Start,
		Input:     s,
		Offset:    offset,
		Expected:  expected,
	}
	if len(path) > 0 {
		if k, err := p.Grammar.Lookup(path[len(path)-1]); err == nil {
			e.In = []ast.Kind{k}
		}
	}
	return e
}

// compiled is the engine that is the generated parser of a built-in grammar, or the automaton of a production of
// a BNF. Both take linear time, and never fail.
type compiled struct {
	accept func(start ast.Kind, s string) bool
	parse  func(dst []ast.Raw, start ast.Kind, s string) ([]ast.Raw, bool)
	start  ast.Kind
}

// Accepts implements engine.
func (c compiled) Accepts(s string) (bool, error) { return c.accept(c.start, s), nil }

// Derive implements engine.
func (c compiled) Derive(dst []ast.Raw, s string) ([]ast.Raw, bool, error) {
	nodes, ok := c.parse(dst, c.start, s)
	return nodes, ok, nil
}

// symbolBytes is the least memory that an engine takes for a symbol of the grammar.
const symbolBytes = 128

// newUnordered returns the engine of a BNF: an automaton if nothing nests and that is small, and otherwise
// the interpreter. Productions that are not lexical are nodes. newUnordered fails if the production cannot be
// interpreted or a limit is passed. A grammar with more symbols than the budget has room for fails before it
// is copied.
func newUnordered(g *expr.Grammar, r *expr.Rule, lexical func(id string) bool) (made engine, err error) {
	defer budget.Catch(&err)
	symbols := int64(0)
	for _, id := range g.Reach(r.ID) {
		if used := g.Rule(id); used != nil { // a name may be undefined
			g.Budget.In(used.Label())
			symbols += int64(used.Expr.Size())
			g.Budget.Room(symbols * symbolBytes) // its limit names the production that In has entered
		}
	}
	node := func(id string) bool { return !lexical(id) }
	small := g.With(g.Rules)
	small.Budget = g.Budget.Part(enough)
	// Any failure means: interpret. An error that is the grammar's own comes back from there.
	if a, start, err := bnftogo.Automaton(small, r.ID, node); err == nil {
		return compiled{a.Accept, a.Parse, start}, nil
	}
	return interpreter.New(g, r.ID, node)
}

// ordered is the engine of a PEG, an interpreter of its definition. The nodes of its trees are the start rule
// and the rules that are applied, except for lexical ones.
type ordered struct {
	grammar   *expr.Grammar // each rule that makes a node has a Node around its expression
	start     *expr.Expr    // a reference to the start rule
	kinds     map[string]ast.Kind
	recursive bool // the start uses a rule that can call itself: see maxNested
}

// maxNested caps the inputs of rules that call themselves: the interpreter nests as deep as they do.
const maxNested = 1 << 16

// newOrdered returns the engine of a PEG: its definition, interpreted. Rules that are not lexical, and r
// itself, are nodes. It fails if a rule that r uses can call itself before it reads, or repeats something that
// may be empty.
func newOrdered(g *expr.Grammar, r *expr.Rule, lexical func(id string) bool) (*ordered, error) {
	o := &ordered{kinds: map[string]ast.Kind{}}
	var rules []*expr.Rule
	for i, rule := range g.Rules {
		o.kinds[rule.ID] = ast.Kind(i + 1)
		c := *rule
		c.Expr = withoutNodes(rule.Expr)
		if !lexical(rule.ID) || rule == r {
			c.Expr = &expr.Expr{Op: expr.Node, Name: rule.ID, Sub: []*expr.Expr{c.Expr}, Pos: rule.Pos}
		}
		rules = append(rules, &c)
	}
	o.grammar, o.start = g.With(rules), expr.To(r.ID)
	if err := expr.NewForm(g).WellFormed(r.ID); err != nil {
		return nil, err
	}
	circles := expr.Circles(g.Rules, expr.Refs)
	o.recursive = slices.ContainsFunc(g.Reach(r.ID), func(id string) bool { return circles[id] != nil })
	return o, nil
}

// withoutNodes returns e without its Nodes. e is not changed.
func withoutNodes(e *expr.Expr) *expr.Expr {
	switch {
	case e.Op == expr.Node:
		return withoutNodes(e.Sub[0])
	case len(e.Sub) == 0:
		return e
	}
	return e.Map(withoutNodes)
}

// matchRule matches the start rule and reports whether it matched all of s; if not, nodes may be those of a
// shorter match. Where the grammar is of UTF-8, nothing else matches. It fails if s is too long for rules that
// call themselves, or a limit is passed.
func (o *ordered) matchRule(s string) (nodes []*peg.Node, ok bool, err error) {
	defer budget.Catch(&err)
	if o.recursive && len(s) > maxNested {
		return nil, false, fmt.Errorf("%w: rules that call themselves are not tried on more than %d bytes",
			interpreter.ErrTooLarge, maxNested)
	}
	if o.grammar.UTF8 && !utf8.ValidString(s) {
		return nil, false, nil
	}
	end, nodes := peg.Match(o.grammar, o.start, s, 0)
	return nodes, end == len(s), nil
}

// Accepts implements engine.
func (o *ordered) Accepts(s string) (bool, error) {
	_, ok, err := o.matchRule(s)
	return ok, err
}

// firstInvalidUTF8 returns the offset of the first byte of s that is not UTF-8, or -1.
func firstInvalidUTF8(s string) int {
	for i, r := range s {
		if _, n := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && n == 1 {
			return i
		}
	}
	return -1
}

// furthestMatch returns the length of the start rule's match at the beginning of s; 0 if there is none. Where
// the grammar is of UTF-8, it ends at the first byte that is not.
func (o *ordered) furthestMatch(s string) int {
	if i := firstInvalidUTF8(s); o.grammar.UTF8 && i >= 0 {
		s = s[:i]
	}
	end, _ := peg.Match(o.grammar, o.start, s, 0)
	return max(end, 0)
}

// Derive implements engine.
func (o *ordered) Derive(dst []ast.Raw, s string) ([]ast.Raw, bool, error) {
	nodes, ok, err := o.matchRule(s)
	if err != nil || !ok {
		return dst, false, err
	}
	base := len(dst)
	var add func(n *peg.Node)
	add = func(n *peg.Node) {
		at := len(dst)
		dst = append(dst, ast.Raw{Kind: o.kinds[n.Name], Start: int32(n.Start), End: int32(n.End)})
		for _, c := range n.Children {
			add(c)
		}
		dst[at].Next = int32(len(dst) - base) // Next counts from the first node that is appended here
	}
	for _, n := range nodes {
		add(n)
	}
	return dst, true, nil
}

// Explained returns a copy of p.Grammar that parses and explains by itself, as vectors and judges need it. It
// parses as p's production alone, and explains rejections by an automaton or, if something nests, by a general
// parser. It has both if p is read to a depth, or has explained a rejection by a general parser before; the general
// parser then explains. A string for which a limit is passed makes its methods panic, for [budget.Catch]. Explained
// fails if the automaton or the general parser would be too large, and for a PEG.
func (p *Parser) Explained() (*ast.Grammar, error) {
	g := p.copyGrammar()
	if g.Tables == nil {
		if err := p.setExplanation(&g); err != nil {
			return nil, err
		}
	}
	p.parseBy(&g)
	return &g, nil
}

// setExplanation sets g.Tables, an automaton, or, if the production nests, g.Explaining, a general parser. With a limit
// on the depth it then sets g.Tables too, to an automaton within that depth. It fails as Explained does. p itself is
// not changed.
func (p *Parser) setExplanation(g *ast.Grammar) (err error) {
	if p.opened.Grammar.Ordered {
		return fmt.Errorf("%s: a PEG is explained by its rules, and not by an automaton of its productions",
			p.opened.File)
	}
	id := g.Production(p.Start).ID
	g.Tables, err = buildTables(p.opened.Grammar, p.isTerm, id)
	if err == nil {
		return nil
	}
	if _, nests := errors.AsType[*expr.SelfEmbedding](err); !nests {
		return err
	}
	g.Explaining, err = explainingParser(p.opened.Grammar)
	if err == nil && p.opened.Depth != nil {
		g.Tables, err = p.tablesWithinDepth(id)
	}
	return err
}

// ExplainedByParser is [Parser.Explained] for a BNF that is too large for an automaton. The copy explains by
// a general parser alone, and has no tables. It fails if the general parser would be too large. p must not be of
// a PEG: that is not checked.
func (p *Parser) ExplainedByParser() (*ast.Grammar, error) {
	g := p.copyGrammar()
	var err error
	if g.Explaining, err = explainingParser(p.opened.Grammar); err != nil {
		return nil, err
	}
	g.Tables = nil
	p.parseBy(&g)
	return &g, nil
}

// parseBy sets g.Parse and g.Accept to p's engine. They reject any other start than p's. If a limit of the budget is
// passed, or the engine gives up on a string, they panic so that [budget.Catch] sets the error: that is no verdict.
// See chargeWhile.
func (p *Parser) parseBy(g *ast.Grammar) {
	g.Parse = func(dst []ast.Raw, start ast.Kind, s string) ([]ast.Raw, bool) {
		derived := false
		if start != p.Start {
			return dst, false
		}
		p.chargeWhile(func() error {
			var err error
			dst, derived, err = p.engine.Derive(dst, s)
			return err
		})
		return dst, derived
	}
	g.Accept = func(start ast.Kind, s string) bool {
		if start != p.Start {
			return false
		}
		accepted := false
		p.chargeWhile(func() (err error) {
			accepted, err = p.engine.Accepts(s)
			return err
		})
		return accepted
	}
}

// buildTables is [annotated.BuildFor], which cannot follow left recursion and reports it as too large. In
// that case, the productions that use themselves before anything is read are replaced by expressions of their
// languages, of at most maxPlainExpr. It fails if one has no such expression; if none is left-recursive, with
// the error of BuildFor.
func buildTables(g *expr.Grammar, lexical func(id string) bool, id string) (*ast.Tables, error) {
	t, err := annotated.BuildFor(g, lexical, id)
	if !errors.Is(err, budget.ErrTooLarge) {
		return t, err
	}
	part := g.Part(id)
	plain := part
	for left := range expr.Circles(part.Rules, expr.Analyze(part.Rules).Leftmost) {
		d, err := lang.FromBNF(part, left)
		if err != nil {
			return nil, err
		}
		e, err := d.Expr(maxPlainExpr)
		if err != nil {
			return nil, err
		}
		plain = plain.Change(left, e)
	}
	if plain == part {
		return nil, err
	}
	// The kinds of the tables are those of all rules of g.
	for _, r := range plain.Rules {
		g = g.Change(r.ID, r.Expr)
	}
	return annotated.BuildFor(g, lexical, id)
}

// maxPlainExpr caps the size of the expression that replaces a production with left recursion.
const maxPlainExpr = 1 << 14

// chargeWhile runs f, which derives a string that was made from the grammar, and charges the steps to the grammar's
// budget as well. If f fails because of a limit it panics so that [budget.Catch] sets that error: such a failure is no
// answer. The limit may be one of the budget or, with [interpreter.ErrTooLarge], one of a single string. Engines fail
// with nothing else.
func (p *Parser) chargeWhile(f func() error) {
	of := p.opened.Grammar.Budget
	of.In(p.Grammar.Production(p.Start).Name)
	of.Also(p.apart, func() {
		err := f()
		budget.Again(err) // panics with a limit of the budget itself; what is left is one of a single string
		if errors.Is(err, budget.ErrTooLarge) {
			panic(budget.Stopped(err))
		}
	})
}

// tablesWithinDepth returns the tables of the production with this ID for strings that nest no deeper than
// the opened grammar is read. p.opened.Within has several copies of a production, for the depths; the tables
// have the kinds of p's grammar in place of theirs. It fails as buildTables does.
func (p *Parser) tablesWithinDepth(id string) (*ast.Tables, error) {
	rules := p.opened.Within.Rules
	t, err := buildTables(p.opened.Within, func(id string) bool { return p.isTerm(expr.Origin(id)) }, id)
	if err != nil {
		return nil, err
	}
	origin := func(k ast.Kind) ast.Kind {
		if k > 0 {
			k, _ = p.Grammar.Kind(expr.Origin(rules[k-1].ID))
		}
		return k
	}
	origins := func(list []ast.Kind) (out []ast.Kind) {
		for _, k := range list {
			k = origin(k)
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
		return out
	}
	// All places of the tables that have kinds: what a state is inside of, what is explained, and the starts.
	for i := range t.Notes {
		t.Notes[i].In = origins(t.Notes[i].In)
	}
	for i := range t.Expectations {
		t.Expectations[i].In = origins(t.Expectations[i].In)
	}
	starts := make([][]ast.TableStart, len(p.Grammar.Productions))
	for k, list := range t.Starts {
		for _, s := range list {
			s.Explained = origin(s.Explained)
			starts[origin(ast.Kind(k))] = append(starts[origin(ast.Kind(k))], s)
		}
	}
	t.Starts = starts
	return t, nil
}

// isTerm reports whether a reader sees a production as a single term: it is lexical and not the start.
func (p *Parser) isTerm(id string) bool {
	k, _ := p.Grammar.Kind(id)
	return p.Grammar.Production(k).Lexical && k != p.Start
}
