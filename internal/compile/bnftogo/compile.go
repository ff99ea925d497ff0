package bnftogo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A compiler makes a program.
type compiler struct {
	*Program
	g     *expr.Grammar
	o     Options
	facts *expr.Facts
	*builder
	productions []*production
	byID        map[string]*production
	places      map[*expr.Expr]*place
	checks      *expr.Grammar // g as a PEG with checks
	codeFile    []byte
	candidates  []candidate
	mu          sync.Mutex
	units       map[string]int // by unit of a row: how many rows have it
	words       map[string]int // by production: how many its parser was compared on
	packed      string
	made        map[int]*production // by kind: those of which code makes the nodes inside the general parser
	whole       int                 // how many productions it reads as one automaton
	least       func() *expr.Short  // a short word of each production
	shortest    func() map[string][]string
	alone       bool // the general parser has no code inside
}

// A production is what is known of one.
type production struct {
	*expr.Rule
	kind     int
	start    int32 // in the nfa; dead if it is refused
	language *lang.DFA
	code     bool // it is straight-line code
	some     bool // it was executed on some strings only
	why      string
	rows     []pegtogo.Row // on which the time of its code is measured
	nesting  int           // the depth to which it is proven, if its recursion nests; -1 if it is wrong
	refusal  *Refusal
	uses     int // how many productions it uses, directly or through others

	// derive is what its code was compared with. It appends the nodes of a string.
	derive func(dst []ast.Raw, src string) (nodes []ast.Raw, ok bool, err error)
}

func newCompiler(g *expr.Grammar, o Options) (*compiler, error) {
	if g.Ordered {
		return nil, fmt.Errorf("%s: the alternatives have an order", g.Name)
	}
	g, places, err := preferred(g, o.Prefer)
	if err != nil {
		return nil, err
	}
	c := &compiler{Program: &Program{Languages: map[string]*lang.DFA{}, Tried: map[string][]string{}}, g: g, places: places, o: o, facts: expr.Analyze(g.Rules), byID: map[string]*production{}, words: map[string]int{}, units: map[string]int{}, made: map[int]*production{}}
	c.least, c.shortest = sync.OnceValue(c.shortestWords), sync.OnceValue(c.shortestOfAll)
	c.builder = &builder{
		nfa: newNFA(4*o.Limits.states(), g.Budget), g: g, facts: c.facts,
		memo: map[site]int32{}, ends: map[tail]then{}, tails: map[int32]tail{}, exits: map[int32]int32{},
	}
	for _, r := range g.Rules {
		if o.Kind(r.ID) == "" {
			continue
		}
		p := &production{Rule: r, kind: len(c.productions) + 1}
		if p.kind >= maxKind {
			return nil, fmt.Errorf("%s has more than %d productions", g.Name, maxKind-1)
		}
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
	c.builder.kind = func(id string) int {
		if p := c.byID[id]; p != nil && o.Nodes(id) {
			return p.kind
		}
		return 0
	}
	c.components()
	return c, nil
}

func (c *compiler) compile() error {
	c.automata()
	c.ambiguities()
	c.code()
	if err := c.tables(); err != nil {
		return err
	}
	if err := c.general(); err != nil {
		return err
	}
	for _, p := range c.productions {
		if p.code && p.nesting == 0 && p.language != nil {
			c.Languages[p.ID] = p.language
		}
	}
	return c.write()
}

func (p *production) refuse(at expr.Pos, reason string) {
	p.start = dead
	p.refusal = &Refusal{p.ID, at, reason}
}

// bottomUp calls f for each production that is not refused, those that use the least first, until so many eighths of the steps are taken. A
// production that passes a limit is left to the general parser.
func (c *compiler) bottomUp(eighths int64, f func(p *production)) {
	if c.budget != nil {
		steps := c.budget.Steps
		defer func() { c.budget.Steps = steps }()
		c.budget.Steps = steps / 8 * eighths
	}
	all := slices.DeleteFunc(slices.Clone(c.productions), func(p *production) bool { return p.refusal != nil })
	slices.SortStableFunc(all, usesLess)
	for _, p := range all {
		c.budget.In(p.Name)
		if limited(func() { f(p) }) != nil {
			p.refuse(p.Pos, beyond)
		}
	}
}

// beyond is why a production is left to the general parser that could be code.
const beyond = "what decides its choices takes more than the limits"

func usesLess(p, q *production) int { return p.uses - q.uses }

// automata makes the transducers, as far as there are any.
func (c *compiler) automata() {
	for _, p := range c.productions {
		p.uses = len(c.facts.Used(p.Expr))
		if !c.facts.Derives(p.Expr) {
			p.refuse(p.Pos, "`"+p.Name+"` derives nothing")
		} else if r := c.refused(p.Rule); r != nil {
			p.refuse(r.Pos, r.Reason)
		}
	}
	c.bottomUp(2, func(p *production) { p.start = c.start(p.Rule, p.kind) })
	squared := newSquared(c.nfa)
	c.bottomUp(3, func(p *production) { c.doubted(p, squared) })
}

// code finds the productions that can be straight-line code: those whose PEG accepts what they derive, and makes their trees.
func (c *compiler) code() {
	text := c.g.Rewritten(c.closed)
	c.checks = checked(text, func(id string) bool { return c.kind(id) != 0 })
	if languages, err := lang.NewPEG(c.checks, lang.Limits{}); err == nil {
		c.bottomUp(4, func(p *production) { p.code = c.comp[p.ID] == nil && c.plain(p.Rule) && c.isCode(p, languages) })
	}
	c.nesting(text)
	c.generate()
}

// closed returns e in which names without a production derive nothing.
func (c *compiler) closed(e *expr.Expr) *expr.Expr {
	return renamed(e, func(e *expr.Expr) *expr.Expr {
		if c.g.Rule(e.Name) == nil {
			return &expr.Expr{Op: expr.Class, Name: e.Name, Pos: e.Pos}
		}
		return e
	})
}

// plain reports whether pegtogo knows everything that r uses.
func (c *compiler) plain(r *expr.Rule) bool {
	if c.kind(r.ID) == 0 && c.builds(r.Expr, map[string]bool{}) {
		return false // a root that is no node has no nodes
	}
	used := c.facts.Used(r.Expr)
	used[r.ID] = true
	for _, q := range c.g.Those(used) {
		if _, states := q.Expr.WithoutCounts(); c.comp[q.ID] != nil || c.checks.Rule(q.ID).Expr.Size() > longest || states > expr.LongWithoutCounts {
			return false
		}
	}
	return true
}

// longest is how long an expression with checks may be that becomes code.
const longest = 2000

// builds reports whether e has nodes.
func (c *compiler) builds(e *expr.Expr, seen map[string]bool) bool {
	for _, id := range expr.Refs(e) {
		if seen[id] {
			continue
		}
		seen[id] = true
		if r := c.g.Rule(id); r != nil && (c.kind(id) != 0 || c.builds(r.Expr, seen)) {
			return true
		}
	}
	return false
}

// isCode reports whether the PEG of p accepts the language of p.
func (c *compiler) isCode(p *production, languages *lang.PEG) bool {
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

// reference returns what the code of a production is compared with: the interpreter of the grammar, on words that take every
// transition of the production's automaton.
func (c *compiler) reference(id string) pegtogo.Reference {
	p := c.byID[id]
	part := c.g.Part(id)
	d, err := interpreter.New(part, id, func(id string) bool { return c.kind(id) != 0 })
	p.derive = func(dst []ast.Raw, src string) ([]ast.Raw, bool, error) {
		nodes, ok, err := d.Derive(dst, src)
		for i := len(dst); i < len(nodes); i++ {
			nodes[i].Kind = ast.Kind(c.byID[part.Rules[nodes[i].Kind-1].ID].kind)
		}
		return nodes, ok, err
	}
	if err != nil {
		return pegtogo.Reference{Words: []string{""}, Tree: func(string) ([]pegtogo.Node, bool) { return nil, true }}
	}
	var raw []ast.Raw
	words := append(c.cover(p), c.bounds(p)...)
	var ends []string
	if p.nesting > 0 {
		// The interpreter takes cubic time here.
		const most = 400
		if n := len(words)/most + 1; n > 1 {
			i := 0
			words = slices.DeleteFunc(words, func(string) bool { i++; return i%n != 0 })
		}
		words = slices.DeleteFunc(words, func(w string) bool { return len(w) > 40 })
		words = append(words, c.deepWords(p, 3)...)
		ends = append(c.deepWords(p, 24), c.deepWords(p, 48)...)
	}
	c.mu.Lock()
	c.words[p.ID] = len(words)
	c.mu.Unlock()
	return pegtogo.Reference{
		Words: words,
		Ends:  ends,
		Rows:  p.rows,
		Tree: func(w string) ([]pegtogo.Node, bool) {
			if p.nesting == 0 && !p.language.Match(w) {
				return nil, false // which needs no interpreter
			}
			nodes, ok, err := p.derive(raw[:0], w)
			budget.Again(err)
			raw = nodes
			tree := make([]pegtogo.Node, len(nodes))
			for i, n := range nodes {
				tree[i] = pegtogo.Node{ID: c.productions[n.Kind-1].ID, From: int(n.Start), To: int(n.End), Next: int(n.Next)}
			}
			return tree, ok && err == nil
		},
	}
}

// generate has pegtogo write the code. A production that it refuses becomes tables.
func (c *compiler) generate() {
	c.measured()
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
		o := pegtogo.Options{
			Package: c.o.Package,
			Printed: c.o.Printed,
			Kind: func(id string) string {
				if p := c.byID[id]; p == nil || c.kind(id) == 0 && c.builds(p.Expr, map[string]bool{}) {
					return ""
				}
				return c.o.Kind(id)
			},
			Lexical: func(id string) bool { return c.kind(id) == 0 },
			Start:   func(id string) bool { return c.byID[id] != nil && c.byID[id].code },
			Depth:   uint(c.depth()),
			MaxGo:   c.o.MaxGo,

			Automaton: func(id string) *lang.DFA {
				if p := c.byID[id]; p.nesting == 0 && slices.Contains(c.o.Starts, id) { // else it is cut off at a depth
					return Acceptor(p.language)
				}
				return nil
			},
			Reference: c.reference,
		}
		if len(starts) < len(c.productions) {
			o.Parse, o.Accept = "parseCode", "acceptCode"
		}
		file, err := pegtogo.Go(part, o)
		budget.Again(err)
		if errors.Is(err, pegtogo.ErrLong) {
			panic(budget.Stopped(err))
		}
		if err == nil {
			c.codeFile = file
			return
		}
		var wrong *pegtogo.WrongError
		if errors.As(err, &wrong) {
			for _, id := range wrong.IDs {
				c.notCode(c.byID[id])
			}
			for _, p := range c.productions { // what is slow makes slow what uses it
				if p.code && slices.ContainsFunc(c.checks.Reach(p.ID), func(id string) bool { return slices.Contains(wrong.Slow, id) }) {
					c.notCode(p)
				}
			}
			continue
		}
		// The refused rule is that of the error's place.
		var at *expr.Error
		refused := ""
		if errors.As(err, &at) {
			for _, r := range slices.Backward(part.Rules) {
				if r.Pos == at.Pos || expr.Find(r.Expr, func(e *expr.Expr) bool { return e.Pos == at.Pos }) != nil {
					refused = r.ID
				}
			}
		}
		for _, p := range c.productions {
			if p.code && (refused == "" || slices.Contains(c.checks.Reach(p.ID), refused)) {
				c.notCode(p)
			}
		}
	}
}

// notCode notes that the code of p is no good.
func (c *compiler) notCode(p *production) {
	p.code = false
	if p.start == dead {
		p.refuse(p.Pos, "`"+p.Name+"` nests, and what decides between its alternatives would be read again and again")
	}
}

// Acceptor returns the automaton of a production that must be compiled, for its acceptor, or nil where it would be too much code.
func Acceptor(a *lang.DFA) *lang.DFA {
	if a == nil || a.States() > 256 {
		return nil
	}
	return a
}

// DefaultDepth is how deep recursion may nest at run time if nothing else is asked for.
const DefaultDepth = 1000

func (c *compiler) depth() int { return cmp.Or(max(c.o.Depth, 0), DefaultDepth) }

// tables makes the tables of the productions that are not code.
func (c *compiler) tables() error {
	starts := make([]int32, len(c.productions)+1)
	for _, p := range c.productions {
		if p.start != dead && !p.code {
			starts[p.kind] = p.start
		}
	}
	c.packed = c.pack(starts, annotated.Pack)
	c.automaton = &ast.Automaton{Packed: c.packed}
	return c.holdTables()
}

// holdTables leaves productions whose tables are wrong to the general parser.
func (c *compiler) holdTables() error {
	for _, p := range c.productions {
		if p.start == dead || p.code {
			continue
		}
		wrong, err := c.hold(p)
		if err != nil {
			return err
		}
		if wrong != nil {
			if err := c.defect(p, wrong, "the general parser derives it instead of tables"); err != nil {
				return err
			}
			p.refuse(p.Pos, "its tables failed the self-check")
		}
	}
	return nil
}

// hold compares the tables of p, as they are printed, with the interpreter of the grammar, and reports how they are wrong.
func (c *compiler) hold(p *production) (wrong, err error) {
	if p.language == nil {
		g := c.g.With(c.g.Rules)
		g.Budget = c.budget.Part(1 << 24)
		p.language, _ = lang.FromBNF(g, p.ID) // nil if it is too large
	}
	d, err := interpreter.New(c.g, p.ID, func(id string) bool { return c.kind(id) != 0 })
	if err != nil {
		return nil, err
	}
	c.budget.In(p.Name)
	words := c.cover(p)
	var got, want []ast.Raw
	before := c.budget.Taken()
	for i, w := range words {
		derived := p.language == nil || p.language.Match(w)
		want = want[:0]
		if derived {
			want, derived, err = d.Derive(want, w)
		}
		budget.Again(err)
		if errors.Is(err, interpreter.ErrTooLarge) || c.budget.Taken()-before > mostHeld {
			words, p.some = words[:i], true
			break
		}
		if err != nil {
			return nil, expr.Errorf(p.Pos, "%s on %q: %v", p.ID, w, err)
		}
		var parsed bool
		got, parsed = c.automaton.Parse(got[:0], ast.Kind(p.kind), w)
		if parsed != derived || c.automaton.Accept(ast.Kind(p.kind), w) != derived || !slices.Equal(got, want) {
			return fmt.Errorf("the tree of %s by the tables is not that which is chosen", quote.Word(w)), nil
		}
	}
	c.words[p.ID] = len(words)
	return nil, nil
}

// mostHeld is how many steps are taken to derive those strings.
const mostHeld = 1 << 24

// mostCover is how many bytes the strings have together that a parser is executed on.
const mostCover = 1 << 17

// cover returns strings that take every transition of the minimal automaton of p or, where that is too large, strings that lead to
// every state of the grammar's automaton; of too many, some from all of them.
func (c *compiler) cover(p *production) []string {
	var words []string
	if p.language != nil {
		words = p.language.TransitionCover()
	} else {
		words, p.some = newSquared(c.nfa).states(p.start), true
	}
	bytes := 0
	for _, w := range words {
		bytes += 1 + len(w)
	}
	if n := bytes/mostCover + 1; n > 1 {
		p.some = true
		i := 0
		words = slices.DeleteFunc(words, func(string) bool { i++; return i%n != 0 })
	}
	return words
}

// write puts the file together.
func (c *compiler) write() error {
	var code, tables, general []*production
	for _, p := range c.productions {
		switch {
		case p.code:
			code = append(code, p)
		case p.isGeneral():
			general = append(general, p)
		default:
			tables = append(tables, p)
		}
	}
	var b strings.Builder
	if len(code) > 0 {
		b.Write(c.codeFile[bytes.Index(c.codeFile, []byte("\npackage "))+1:])
	} else {
		fmt.Fprintf(&b, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n", c.o.Package)
	}
	if len(tables)+len(general) > 0 {
		c.dispatch(&b, code, tables, general)
	}
	if len(tables) > 0 {
		fmt.Fprintf(&b, "\n// automaton holds the tables of the productions that are not code.\nvar automaton = ast.Automaton{Packed: %s}\n", pegtogo.Packed(c.packed))
	}
	if len(general) > 0 {
		c.generalFile(&b)
	}
	c.proof(code, tables, general)
	var err error
	c.Source, err = pegtogo.Format([]byte(b.String()))
	return err
}

// dispatch writes parse and accept, which choose among code, automaton and general parser.
func (c *compiler) dispatch(b *strings.Builder, code, tables, general []*production) {
	type parser struct {
		list          []*production
		parse, accept string
	}
	all := []parser{
		{code, "parseCode(dst, start, src)", "acceptCode(start, src)"},
		{tables, "automaton.Parse(dst, start, src)", "automaton.Accept(start, src)"},
		{general, "general.Parse(dst, start, src)", "general.Accept(start, src)"},
	}
	choose := func(accept bool, of []parser) {
		of = slices.DeleteFunc(slices.Clone(of), func(p parser) bool { return len(p.list) == 0 })
		for i, x := range of {
			call := x.parse
			if accept {
				call = x.accept
			}
			if i == len(of)-1 {
				fmt.Fprintf(b, "return %s\n}\n", call)
				return
			}
			var names []string
			for _, p := range x.list {
				names = append(names, c.o.Kind(p.ID))
			}
			fmt.Fprintf(b, "switch start {\ncase %s:\nreturn %s\n}\n", strings.Join(names, ",\n"), call)
		}
	}
	b.WriteString("\n// parse is Grammar.Parse.\nfunc parse(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {\n")
	choose(false, all)
	if len(c.made) > 0 {
		b.WriteString("\n// proven is Grammar.Parse of what is not left to the general parser.\nfunc proven(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {\n")
		choose(false, all[:2])
	}
	b.WriteString("\n// accept is Grammar.Accept.\nfunc accept(start ast.Kind, src string) bool {\n")
	choose(true, all)
}
