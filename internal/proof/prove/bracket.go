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
// The symbols are the classes of an alphabet, followed by an opening and a closing bracket for each kind of child.
// Number n is written as the byte n, so that package lang can compute with such words.
type brackets struct {
	alphabet *alphabet
	kinds    []string // of children: IDs, sorted
}

// newBrackets returns the symbols for the classes of an alphabet and these kinds of children, which it sorts in place.
// It fails, with an error that wraps [lang.ErrTooLarge], if there are more than 256 symbols, since one is written as a
// byte.
func newBrackets(a *alphabet, kinds ...string) (*brackets, error) {
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	if a.size()+2*len(kinds) > 256 {
		return nil, fmt.Errorf("%w: %d classes of bytes and %d kinds of children", lang.ErrTooLarge, a.size(),
			len(kinds))
	}
	return &brackets{a, kinds}, nil
}

// size returns the number of symbols.
func (b *brackets) size() int { return b.alphabet.size() + 2*len(b.kinds) }

// has reports whether there are brackets for a kind.
func (b *brackets) has(kind string) bool {
	_, ok := slices.BinarySearch(b.kinds, kind)
	return ok
}

// open returns the opening bracket of a kind, which must be one of b's.
func (b *brackets) open(kind string) byte {
	i, _ := slices.BinarySearch(b.kinds, kind)
	return byte(b.alphabet.size() + 2*i)
}

// close returns the closing bracket of a kind, which must be one of b's.
func (b *brackets) close(kind string) byte { return b.open(kind) + 1 }

// kindOfSymbol returns the kind of the bracket that a symbol is, and whether it opens; ok is false if the symbol is a
// class of bytes.
func (b *brackets) kindOfSymbol(symbol int) (kind string, opens, ok bool) {
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

// jointClasses divides the bytes into sets that neither of two automata tells apart, so that both can be run side by
// side. The automata are over b's symbols. Brackets are in no set.
func (b *brackets) jointClasses(a, o *lang.DFA) []jointClass {
	var out []jointClass
	var pairs expr.Numbering[[2]int]
	for c, bytes := range b.alphabet.bytes {
		i, fresh := pairs.Of([2]int{a.ClassOf(byte(c)), o.ClassOf(byte(c))})
		if fresh {
			out = append(out, jointClass{symbol: c})
		}
		out[i].bytes = out[i].bytes.Union(bytes)
	}
	return out
}

// singleton returns the set of one symbol.
func singleton(symbol byte) expr.Set {
	var s expr.Set
	s.Add(symbol)
	return s
}

// A span is a child: its kind, and the part of the text that is its own.
type span struct {
	kind       string
	start, end int
}

// bracketWord writes text as a bracketed word over b's symbols: each byte as the number of its class, with a pair
// of brackets around each child. The children are in the order of the text and do not overlap. The result is false
// if b has no brackets for the kind of a child.
func (b *brackets) bracketWord(text string, children []span) (string, bool) {
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

// madeKinds lists the kinds of the outermost nodes that a PEG expression makes, itself or in the rules that it uses.
// A kind can be listed several times. Lookaheads make no nodes. It panics at a name without a rule.
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

// derivedWords returns the bracketed words of a production of a BNF, over b's symbols. A reference to a production
// that node selects is a child, whose kind b must have; any other is part of the text. words returns the language of
// either. A production that uses itself at its very end continues there without a child: right recursion is shown
// flat. It fails if a limit is passed.
func (b *brackets) derivedWords(r *expr.Rule, node func(id string) bool, words func(id string) *lang.DFA,
	limits lang.Limits) (*lang.DFA, error) {
	d := &derived{b, lang.NewNFA(nil), r, 0, node, words}
	d.start = d.State()
	d.Silent(d.Start, d.start)
	expr.Make(d, r.Expr, d.start, d.Final, true)
	return d.Determinize(limits)
}

// A derived builds the automaton for [brackets.derivedWords], as an [expr.Maker].
type derived struct {
	*brackets
	*lang.NFA
	rule  *expr.Rule
	start int32
	node  func(string) bool
	words func(string) *lang.DFA
}

// Known implements [expr.Maker]: every expression is looked into.
func (d *derived) Known(*expr.Expr, int32, int32) bool { return false }

// Part implements [expr.Maker]. A node is read between its brackets, and a use of the rule itself at its end leads back
// to the start.
func (d *derived) Part(e *expr.Expr, from, to int32, last bool) {
	switch {
	case e.Op == expr.Class:
		d.Read(from, d.alphabet.classes(e.Set), to)
	case e.Op == expr.Literal:
		for i := range len(e.Lit) {
			next := to
			if i < len(e.Lit)-1 {
				next = d.State()
			}
			d.Read(from, singleton(d.alphabet.class[e.Lit[i]]), next)
			from = next
		}
	case e.Name == d.rule.ID && last:
		d.Silent(from, d.start)
	case d.node(e.Name):
		begin, end := d.State(), d.State()
		d.Read(from, singleton(d.open(e.Name)), begin)
		d.embed(d.words(e.Name), begin, end)
		d.Read(end, singleton(d.close(e.Name)), to)
	default:
		d.embed(d.words(e.Name), from, to)
	}
}

// embed adds the automaton a, whose words have no brackets, between two states.
func (d *derived) embed(a *lang.DFA, from, to int32) {
	d.Add(a, func(bytes expr.Set) (expr.Set, bool) { return d.alphabet.classes(bytes), false }, from, to)
}

// madeWords returns the bracketed words that the runs of a rule make, over b's symbols. The runs must start with the
// rule and show nodes (runOptions.nodes), and b must have the kinds of its children (madeKinds). If the rule is a node
// itself, that has no brackets. Nodes inside its children are not shown. It fails if a limit is passed.
func (b *brackets) madeWords(r *runs, rule *expr.Rule, limits lang.Limits) (*lang.DFA, error) {
	inside := 0 // the number of open nodes at which children begin
	if rule.Expr.Op == expr.Node {
		inside = 1
	}
	n := r.asNFA(func(classes expr.Set) expr.Set { return classes }, func(from int32, ev event) expr.Set {
		switch {
		case ev.op == opened && r.depth(from) == inside:
			return singleton(b.open(ev.e.Name))
		case ev.op == closed && r.depth(from) == inside+1:
			return singleton(b.close(ev.e.Name))
		}
		return expr.Set{}
	})
	return n.Determinize(limits)
}

// stripBrackets returns the words, over bytes, of a language of bracketed words without their brackets. It fails if a
// limit is passed.
func (b *brackets) stripBrackets(a *lang.DFA, limits lang.Limits) (*lang.DFA, error) {
	n := lang.NewNFA(nil)
	n.Add(a, func(symbols expr.Set) (bytes expr.Set, silent bool) {
		brackets := expr.Range(byte(b.alphabet.size()), 255).Intersect(symbols)
		return b.alphabet.expand(symbols.Minus(brackets)), !brackets.IsEmpty()
	}, n.Start, n.Final)
	return n.Determinize(limits)
}
