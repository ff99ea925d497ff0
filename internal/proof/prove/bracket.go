package prove

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A bracketed word is a word with brackets around the parts that are children of its node: "[user a]@[hostport b]". So
// a bracketed word is a derivation as far as the tree shows it on one level, and two derivations of one word that the
// tree tells apart are two bracketed words. Both sides of a proof are languages of bracketed words: all that the BNF
// allows, and those that the PEG makes.
//
// The symbols are the classes of an alphabet, and behind them an opening and a closing bracket for each kind of child.
// They are numbered, and number n is written as the byte n, so that package lang can compute with them.
type brackets struct {
	alphabet *alphabet
	kinds    []string // of children: IDs, sorted
}

func newBrackets(a *alphabet, kinds ...string) (*brackets, error) {
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	if a.size()+2*len(kinds) > 256 {
		return nil, fmt.Errorf("%w: %d classes of bytes and %d kinds of children", lang.ErrTooLarge, a.size(), len(kinds))
	}
	return &brackets{a, kinds}, nil
}

func (b *brackets) size() int { return b.alphabet.size() + 2*len(b.kinds) }

func (b *brackets) has(kind string) bool {
	_, ok := slices.BinarySearch(b.kinds, kind)
	return ok
}

// open and close return the brackets of a kind, which must be one of b's.
func (b *brackets) open(kind string) byte {
	i, _ := slices.BinarySearch(b.kinds, kind)
	return byte(b.alphabet.size() + 2*i)
}

func (b *brackets) close(kind string) byte { return b.open(kind) + 1 }

// bracket returns the kind that a symbol opens or closes; ok is false for a class.
func (b *brackets) bracket(symbol int) (kind string, opens, ok bool) {
	i := symbol - b.alphabet.size()
	if i < 0 {
		return "", false, false
	}
	return b.kinds[i/2], i%2 == 0, true
}

// A jointClass is a set of bytes that two automata do not tell apart, and one symbol for them.
type jointClass struct {
	symbol int
	bytes  expr.Set
}

// joint returns the classes of the bytes, and none of the brackets, for two automata run side by side.
func (b *brackets) joint(a, o *lang.DFA) []jointClass {
	var out []jointClass
	index := map[[2]int]int{}
	for c, bytes := range b.alphabet.bytes {
		key := [2]int{a.ClassOf(byte(c)), o.ClassOf(byte(c))}
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, jointClass{symbol: c})
		}
		out[i].bytes = out[i].bytes.Union(bytes)
	}
	return out
}

// only returns the set of one symbol.
func only(symbol byte) expr.Set {
	var s expr.Set
	s.Add(symbol)
	return s
}

// A span is a child: its kind, and the part of the text that is its own.
type span struct {
	kind       string
	start, end int
}

// word writes text with its children as a bracketed word. ok is false if a child is of no kind that b has.
func (b *brackets) word(text string, children []span) (string, bool) {
	out := make([]byte, 0, len(text)+2*len(children))
	i := 0
	read := func(to int) {
		for ; i < to; i++ {
			out = append(out, b.alphabet.class[text[i]])
		}
	}
	for _, c := range children {
		if !b.has(c.kind) {
			return "", false
		}
		read(c.start)
		out = append(out, b.open(c.kind))
		read(c.end)
		out = append(out, b.close(c.kind))
	}
	read(len(text))
	return string(out), true
}

// childKinds lists the productions that e uses as nodes.
func childKinds(e *expr.Expr, node func(id string) bool) []string {
	return slices.DeleteFunc(expr.Refs(e), func(id string) bool { return !node(id) })
}

// madeKinds lists the nodes that a PEG expression makes outermost.
func madeKinds(g *expr.Grammar, e *expr.Expr) []string {
	var out []string
	seen := map[string]bool{}
	var visit func(e *expr.Expr)
	visit = func(e *expr.Expr) {
		expr.Walk(e, func(e *expr.Expr) bool {
			switch {
			case e.Op == expr.Node:
				out = append(out, e.Name)
				return false
			case e.Op == expr.And || e.Op == expr.Not:
				return false
			case e.Op == expr.Ref && !seen[e.Name]:
				seen[e.Name] = true
				visit(g.Rule(e.Name).Expr)
			}
			return true
		})
	}
	visit(e)
	return out
}

// derived returns the bracketed words of a production of a BNF: a child may be any word of its own production, words that
// says which. Lexical productions are part of the text. A production that uses itself at its very end goes on there and
// is no child: right recursion is shown flat.
func (b *brackets) derived(r *expr.Rule, node func(id string) bool, words func(id string) *lang.DFA, limits lang.Limits) (*lang.DFA, error) {
	d := &derived{brackets: b, n: lang.NewNFA(nil), rule: r, node: node, words: words}
	start := d.n.State()
	d.n.Silent(d.n.Start, start)
	d.start = start
	d.build(r.Expr, start, d.n.Final, true)
	return d.n.Determinize(limits)
}

type derived struct {
	*brackets
	n     *lang.NFA
	rule  *expr.Rule
	start int32
	node  func(string) bool
	words func(string) *lang.DFA
}

// build makes the bracketed words of e lead from one state to another; last reports that nothing follows e.
func (d *derived) build(e *expr.Expr, from, to int32, last bool) {
	switch e.Op {
	case expr.Empty:
		d.n.Silent(from, to)
	case expr.Class:
		d.n.Read(from, d.alphabet.classes(e.Set), to)
	case expr.Literal:
		for i := range len(e.Lit) {
			next := to
			if i < len(e.Lit)-1 {
				next = d.n.State()
			}
			d.n.Read(from, only(d.alphabet.class[e.Lit[i]]), next)
			from = next
		}
	case expr.Ref:
		d.use(e.Name, from, to, last)
	case expr.Seq:
		for i, s := range e.Sub {
			next := to
			if i < len(e.Sub)-1 {
				next = d.n.State()
			}
			d.build(s, from, next, last && i == len(e.Sub)-1)
			from = next
		}
	case expr.Alt:
		for _, s := range e.Sub {
			d.build(s, from, to, last)
		}
	case expr.Repeat:
		d.repeat(e, from, to, last)
	default:
		d.build(e.Sub[0], from, to, last)
	}
}

func (d *derived) use(id string, from, to int32, last bool) {
	switch {
	case id == d.rule.ID && last:
		d.n.Silent(from, d.start)
	case d.node(id):
		begin, end := d.n.State(), d.n.State()
		d.n.Read(from, only(d.open(id)), begin)
		d.embed(d.words(id), begin, end)
		d.n.Read(end, only(d.close(id)), to)
	default:
		d.embed(d.words(id), from, to)
	}
}

// embed makes the words of a, without brackets, lead from one state to another.
func (d *derived) embed(a *lang.DFA, from, to int32) { d.n.Add(a, d.alphabet.classes, from, to) }

func (d *derived) repeat(e *expr.Expr, from, to int32, last bool) {
	body := e.Sub[0]
	for i := 0; i < e.Min; i++ {
		next := d.n.State()
		d.build(body, from, next, last && i == e.Max-1)
		from = next
	}
	if e.Max == expr.Unbounded {
		loop := d.n.State()
		d.n.Silent(from, loop)
		d.build(body, loop, loop, false)
		from = loop
	}
	for i := e.Min; i < e.Max; i++ {
		next := d.n.State()
		d.build(body, from, next, last && i == e.Max-1)
		d.n.Silent(from, to)
		from = next
	}
	d.n.Silent(from, to)
}

// made returns the bracketed words that the runs of a rule make. What is deeper than its children is left out.
func (b *brackets) made(r *runs, rule *expr.Rule, limits lang.Limits) (*lang.DFA, error) {
	inside := 0 // depth where children begin
	if rule.Expr.Op == expr.Node {
		inside = 1
	}
	n := r.nfa(func(classes expr.Set) expr.Set { return classes }, func(from int32, ev event) expr.Set {
		switch {
		case ev.op == opened && r.depth(from) == inside:
			return only(b.open(ev.e.Name))
		case ev.op == closed && r.depth(from) == inside+1:
			return only(b.close(ev.e.Name))
		}
		return expr.Set{}
	})
	return n.Determinize(limits)
}

// plain returns the words of a language of bracketed words without their brackets.
func (b *brackets) plain(a *lang.DFA, limits lang.Limits) (*lang.DFA, error) {
	n := lang.NewNFA(nil)
	for range a.States() {
		n.State()
	}
	const first = 2
	n.Silent(n.Start, first)
	for q := range a.States() {
		if a.Dead(q) {
			continue
		}
		for s := range b.size() {
			p := a.Next(q, byte(s))
			switch {
			case a.Dead(p):
			case s < b.alphabet.size():
				n.Read(int32(q)+first, b.alphabet.bytes[s], int32(p)+first)
			default:
				n.Silent(int32(q)+first, int32(p)+first)
			}
		}
		if a.Accepts(q) {
			n.Silent(int32(q)+first, n.Final)
		}
	}
	return n.Determinize(limits)
}
