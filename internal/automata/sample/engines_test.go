package sample_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/analysis/treecheck"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/sampletest"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// A published is a published grammar with all that decides its productions.
type published struct {
	*bnfcheck.Grammar
	bnf, peg *expr.Grammar
	pigeon   gen.Pigeon
	checker  *ast.Checker
	starts   []*start // those that are sampled
	byKind   []*start
}

// A start is a production with its automaton and the interpreters that begin with it.
type start struct {
	kind      ast.Kind
	id        string
	dfa       *lang.DFA
	derivers  chan *interpreter.Deriver // as many as are used at a time
	interpret *anygrammar.Parser        // of the .peg file
}

// longest is the length of the longest words that are drawn uniformly.
const longest = 40

func open(t testing.TB, g *bnfcheck.Grammar) *published {
	t.Helper()
	ledger := must.Of(bnf.Load(g.Name))(t)
	p := &published{Grammar: g, bnf: ledger.Default, pigeon: gen.Pigeons[g.Name], byKind: make([]*start, len(g.Grammar.Productions))}
	p.peg = must.Of(peg.Load(p.bnf))(t)
	p.checker = must.Of(interpreter.NewChecker(p.bnf, g.Grammar))(t)
	ours := catalog.Usual
	ours.PEG.ActionsSucceed = true // the actions of these files make nodes, and nothing else
	for k := ast.Kind(1); int(k) < len(g.Grammar.Productions); k++ {
		s := &start{kind: k, id: g.Production(k).ID}
		s.dfa = must.Of(lang.FromBNF(p.bnf, s.id))(t)
		file := must.Of(catalog.Open("../../../grammar/"+g.Name+".peg#"+peg.Ident(s.id), ours))(t)
		s.interpret = must.Of(anygrammar.New(file))(t)
		p.byKind[k] = s
	}
	p.starts = p.byKind[1:]
	p.interpreters(t)
	return p
}

// interpreters makes those of the BNF.
func (p *published) interpreters(t testing.TB) {
	node := func(id string) bool {
		k, _ := p.Kind(id)
		return !p.Production(k).Lexical
	}
	for _, s := range p.starts {
		s.derivers = make(chan *interpreter.Deriver, runtime.GOMAXPROCS(0))
		for range cap(s.derivers) {
			d := must.Of(interpreter.New(p.bnf, s.id, node))(t)
			s.derivers <- d
		}
	}
}

// A parsed is what the parsers answer about a word.
type parsed struct {
	p    *published
	s    *start
	w    string
	want bool // by the automaton of the production
	tree *ast.Tree
}

func (v *parsed) accepted() bool { return v.tree != nil }

func (p *published) read(s *start, w string) (*parsed, error) {
	v := &parsed{p: p, s: s, w: w, want: s.dfa.Match(w)}
	nodes, ok := p.Grammar.Grammar.Parse(nil, s.kind, w)
	if ok != v.want {
		return nil, fmt.Errorf("derived: %t; by the parser: %t", v.want, ok)
	}
	if ok {
		v.tree = &ast.Tree{Grammar: p.Grammar.Grammar, Source: w, Nodes: nodes}
	}
	return v, nil
}

// agree returns an error where an engine answers otherwise.
func (v *parsed) agree(ok bool) error {
	if ok != v.want {
		return fmt.Errorf("derived: %t; by this one: %t", v.want, ok)
	}
	return nil
}

// same returns an error where an engine's tree is another.
func (v *parsed) same(nodes []ast.Raw) error {
	if v.want && !slices.Equal(nodes, v.tree.Nodes) {
		other := ast.Tree{Grammar: v.tree.Grammar, Source: v.w, Nodes: nodes}
		return fmt.Errorf("the tree\n%sand by this one\n%s", v.tree, &other)
	}
	return nil
}

type law = sample.Law[*parsed]

var engineLaws = []law{
	{Name: "the function that only accepts agrees", Holds: func(v *parsed, _ *rand.Rand) error {
		return v.agree(v.p.Grammar.Accept(v.s.kind, v.w))
	}},
	{Name: "a reused parser agrees, and its tree is the same", Holds: func(v *parsed, rng *rand.Rand) error {
		p := v.p.Parser()
		p.Start = v.s.kind
		p.Parse(v.p.starts[rng.IntN(len(v.p.starts))].id + v.w) // which leaves nodes in the memory of the parser
		tree, err := p.Parse(v.w)
		if err != nil {
			return errors.Join(v.agree(false), v.agree(p.Accepts(v.w)))
		}
		return errors.Join(v.agree(p.Accepts(v.w)), v.same(tree.Nodes))
	}},
	{Name: "pigeon's parser agrees, and its tree is the same", Holds: func(v *parsed, _ *rand.Rand) error {
		tree, err := v.p.pigeon.Tree(v.s.kind, v.w)
		if err != nil {
			return v.agree(false)
		}
		return errors.Join(v.agree(true), v.same(tree.Nodes))
	}},
	{Name: "the definition of a PEG agrees, and its tree is the same", Every: 4, Holds: func(v *parsed, _ *rand.Rand) error {
		end, nodes := peg.Match(v.p.peg, expr.To(v.s.id), v.w, 0)
		if err := v.agree(end == len(v.w)); err != nil || !v.want {
			return err
		}
		if v.p.Production(v.s.kind).Lexical {
			return nil // its rule makes no node
		}
		return v.same(v.p.raw(nil, nodes))
	}},
	{Name: "the interpreter of the .peg file agrees", Every: 8, Holds: func(v *parsed, _ *rand.Rand) error {
		ok, err := v.s.interpret.Accepts(v.w)
		return errors.Join(err, v.agree(ok))
	}},
	{Name: "the interpreter of the BNF agrees, and its tree is a derivation", Every: 2, Holds: func(v *parsed, _ *rand.Rand) error {
		d := <-v.s.derivers
		defer func() { v.s.derivers <- d }()
		ok, err := d.Accepts(v.w)
		if err == nil {
			err = v.agree(ok)
		}
		if err != nil || !ok {
			return err
		}
		nodes, ok, err := d.Derive(nil, v.w)
		if err != nil || !ok {
			return fmt.Errorf("accepted, and derived: %t, %w", ok, err)
		}
		if slices.Equal(nodes, v.tree.Nodes) {
			return nil // which is checked below
		}
		return v.p.derivation(&ast.Tree{Grammar: v.tree.Grammar, Source: v.w, Nodes: nodes})
	}},
	{Name: "the tree is a derivation, and its spans nest", Of: (*parsed).accepted, Holds: func(v *parsed, _ *rand.Rand) error {
		return v.p.derivation(v.tree)
	}},
	{Name: "every node is derived by its production alone, and its tree is that of the node", Of: (*parsed).accepted, Every: 4, Holds: func(v *parsed, rng *rand.Rand) error {
		n := v.tree.Node(rng.IntN(len(v.tree.Nodes)))
		if !v.p.byKind[n.Kind()].dfa.Match(n.Text()) {
			return fmt.Errorf("%s does not derive %q", n.ID(), n.Text())
		}
		alone, err := v.p.Derive(n.Kind(), n.Text())
		if err != nil {
			return err
		}
		if alone.Root().Text() != n.Text() {
			return fmt.Errorf("%s: %q", n.ID(), alone.Root().Text())
		}
		return nil
	}},
	{Name: "the automaton that explains agrees; its offset is that of the production that it explains, and it expects all that can follow", Holds: (*parsed).explained},
	{Name: "the verdict is that of the parser, with a tree and without", Of: (*parsed).byDefault, Holds: (*parsed).verdict},
	{Name: "JSON and the text form have all of the tree", Of: (*parsed).accepted, Every: 8, Holds: (*parsed).written},
}

// raw returns the nodes of the interpreter of PEGs as parsers have them.
func (p *published) raw(dst []ast.Raw, nodes []*peg.Node) []ast.Raw {
	for _, n := range nodes {
		k, _ := p.Kind(n.Name)
		at := len(dst)
		dst = append(dst, ast.Raw{Kind: k, Start: int32(n.Start), End: int32(n.End)})
		dst = p.raw(dst, n.Children)
		dst[at].Next = int32(len(dst))
	}
	return dst
}

func (p *published) derivation(t *ast.Tree) error {
	if err := treecheck.Tree(t); err != nil {
		return err
	}
	return p.checker.Check(t)
}

func (v *parsed) explained(_ *rand.Rand) error {
	e := v.p.Explain(v.s.kind, v.w)
	starts := v.p.Machine().Starts(v.s.kind)
	if e == nil {
		return v.agree(true) // also where a scheme's own production is explained
	}
	if v.want && len(starts) == 1 {
		return v.agree(false)
	}
	if e.Start != v.s.kind || e.Input != v.w {
		return fmt.Errorf("the error is of %d and %q", e.Start, e.Input)
	}
	if e.Error() == "" || len(e.Expected) == 0 && e.Offset > 0 {
		return fmt.Errorf("error %q", e.Error())
	}
	// Where more may stand around the production that is explained, "url:" before it or a fragment behind, that may be
	// expected too.
	m := v.p.Machine()
	exact := m.Start(v.s.kind, v.w).State == m.Start(e.Explained, v.w).State
	a := v.s.dfa
	if exact {
		a = v.p.byKind[e.Explained].dfa
	}
	q, offset := 0, 0
	for offset < len(v.w) && a.Live(a.Next(q, v.w[offset])) {
		q = a.Next(q, v.w[offset])
		offset++
	}
	if offset < e.Offset || exact && offset != e.Offset {
		return fmt.Errorf("the offset in %s is %d, by the automaton %d", v.p.Production(e.Explained).ID, e.Offset, offset)
	}
	q = a.Run(0, v.w[:e.Offset])
	var first expr.Set
	end := false
	for _, x := range e.Expected {
		first = first.Union(expr.Set(x.First))
		end = end || x.Term == ast.EndOfInput
	}
	if viable := a.Viable(q); first.Minus(viable) != (expr.Set{}) || end && !a.Accepts(q) || exact && (viable != first || end != a.Accepts(q)) {
		return fmt.Errorf("expected are %s, end %t; by the automaton %s, end %t", first, end, viable, a.Accepts(q))
	}
	return nil
}

func (v *parsed) byDefault() bool { return v.s.kind == v.p.Default }

func (v *parsed) verdict(_ *rand.Rand) error {
	p := v.p.Parser()
	p.Treeless = true
	short, full := p.Check(v.w), v.p.Check(v.w)
	if (full.Value != bnfcheck.Rejected) != v.want || full.Value != short.Value || full.Production != short.Production || full.Scheme != short.Scheme {
		return fmt.Errorf("%+v, without a tree %+v", full, short)
	}
	if full.Value != bnfcheck.Rejected && full.Tree.Root().Text() != v.w || full.Value == bnfcheck.Rejected && full.Err == nil {
		return fmt.Errorf("%+v", full)
	}
	return nil
}

// A node is a node of a tree in JSON.
type node struct {
	Production string
	Start, End int
	Text       *string
	Base64     []byte `json:"text_base64"`
	Children   []node
}

// written reads both forms of a tree back.
func (v *parsed) written(_ *rand.Rand) error {
	b, err := json.Marshal(v.tree)
	if err != nil {
		return err
	}
	var back struct {
		Grammar string
		Tree    node
	}
	if err := json.Unmarshal(b, &back); err != nil {
		return err
	}
	var lines bytes.Buffer
	var raw []ast.Raw
	var add func(n node, depth int) error
	add = func(n node, depth int) error {
		k, ok := v.p.Kind(n.Production)
		if !ok {
			return fmt.Errorf("no production %q", n.Production)
		}
		text := string(n.Base64)
		if n.Text != nil {
			text = *n.Text
		}
		if text != v.w[n.Start:n.End] {
			return fmt.Errorf("%s is %q", n.Production, text)
		}
		fmt.Fprintf(&lines, "%s%s %d..%d %s\n", strings.Repeat("  ", depth), v.p.Production(k).Name, n.Start, n.End, ast.Quote(text))
		at := len(raw)
		raw = append(raw, ast.Raw{Kind: k, Start: int32(n.Start), End: int32(n.End)})
		for _, c := range n.Children {
			if err := add(c, depth+1); err != nil {
				return err
			}
		}
		raw[at].Next = int32(len(raw))
		return nil
	}
	if err := add(back.Tree, 0); err != nil {
		return err
	}
	if back.Grammar != v.p.Name || lines.String() != v.tree.String() {
		return fmt.Errorf("JSON %s\ntext\n%s", b, v.tree)
	}
	return v.same(raw)
}

// All that decides a production agrees on every word, for every production of every published grammar: the parser that
// programs import, pigeon's, the definition of a PEG, the interpreters, the automaton that explains rejections, and the
// automaton of the production. For millions of words:
//
//	go test ./internal/automata/sample -run '^TestEngines$' -words 500000 -seed 2 -v
func TestEngines(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		t.Run(g.Name, func(t *testing.T) {
			p := open(t, g)
			cover := 20
			if sampletest.Words(0) > 0 {
				cover = 1000
			}
			p.hold(t, sampletest.Words(500), cover, engineLaws)
			p.hold(t, 0, -1, []law{engineLaws[0], everyTransition, {Name: "the automaton that explains agrees", Holds: (*parsed).explained}})
		})
	}
}

// everyTransition is tried with words that take every transition of every automaton, where there are too many for all
// laws.
var everyTransition = law{Name: "the tree has the form of one, and every node is derived", Of: (*parsed).accepted, Holds: func(v *parsed, _ *rand.Rand) error {
	for _, n := range v.tree.Root().All() {
		if !v.p.Grammar.Accept(n.Kind(), n.Text()) {
			return fmt.Errorf("%s does not derive %q", n.ID(), n.Text())
		}
	}
	return treecheck.Tree(v.tree)
}}

// plan returns the languages of the starts.
func (p *published) plan(words, cover int) sample.Plan {
	plan := sample.Plan{Words: words, Cover: cover, Vary: escapes}
	for _, s := range p.starts {
		plan.Languages = append(plan.Languages, sample.New(s.dfa, longest))
	}
	return plan
}

// escapes writes some escapes of a word as those that productions of these grammars name.
func escapes(_ *sample.Language, w string, rng *rand.Rand) string {
	b := []byte(w)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' && rng.IntN(3) == 0 {
			copy(b[i:], []string{"%09", "%00"}[rng.IntN(2)])
		}
	}
	return string(b)
}

func (p *published) hold(t *testing.T, words, cover int, laws []law) {
	sampletest.Hold(t, p.plan(words, cover), func(i int, w string) (*parsed, error) { return p.read(p.starts[i], w) }, laws)
}
