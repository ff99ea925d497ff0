package gopackage

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file writes the first test of a package: strings that the start derives, and near misses. If the
// grammar is regular, or becomes so when it is read to a depth, automata draw the strings. If they are too
// large, a string is put together around a production that is used inside itself, from short words of all
// others. The strings have words as the text spells them: "INFO", which ABNF reads in either case, is INFO
// there.

// writeExamples returns NAME_test.go of the package called name, before it is formatted. The test has strings that the
// start derives, and similar ones that it does not, or a comment that says why there are none.
func writeExamples(name string, e Examples) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `package %s

import "testing"

func TestParse(t *testing.T) {
	for _, c := range []struct {
		s  string
		ok bool
	}{
`, name)
	for _, w := range e.Words {
		fmt.Fprintf(&out, "{%q, true},\n", w)
	}
	for _, m := range e.Misses {
		fmt.Fprintf(&out, "{%q, false}, // %s\n", m[0], m[1])
	}
	if note := e.Lacking(); note != "" {
		out.WriteString("// " + note + "\n")
	}
	out.WriteString(`	} {
		tree, err := Parse(c.s)
		if (err == nil) != c.ok || Accepts(c.s) != c.ok {
			t.Errorf("%q: accepted: %t, error: %v", c.s, Accepts(c.s), err)
		}
		if err == nil && tree.Root().Text() != c.s {
			t.Errorf("%q: the tree is that of %q", c.s, tree.Root().Text())
		}
	}
}
`)
	return out.Bytes()
}

// Limits on the strings in NAME_test.go.
const (
	maxExamples      = 6
	maxExampleLength = 40

	// maxExampleCounts caps the numbers that are kept to draw words: one for each state of an
	// automaton and each length.
	maxExampleCounts = 400_000
)

// Examples are strings for a test.
type Examples struct {
	Words      []string    // the start derives them
	Misses     [][2]string // the start does not derive them; each has the change that made it
	derivesAll bool        // the start derives every string
}

// Lacking returns a sentence that says why there are no misses, or "" if there are some.
func (e Examples) Lacking() string {
	switch {
	case len(e.Misses) > 0:
		return ""
	case e.derivesAll:
		return "no string is refused: the grammar derives every one"
	}
	return "no string that is refused was found near these: add one"
}

// exampleSteps caps the steps that are spent on the words, and on the misses.
const exampleSteps = budget.DefaultSteps / 8

// findExamples returns the examples of a start. Each step has a budget of its own. One that passes it, or whose
// automata are too large, leaves what it has set so far, so there are fewer. If no mutation of a word is a miss, the
// only miss is the shortest string that is not derived, if there is one and it is known.
func (b Beginning) findExamples(start *expr.Rule) (e Examples) {
	part := b.Grammar.Part(start.ID)
	within := func(find func(g *expr.Grammar)) {
		var passed error
		defer budget.Catch(&passed)
		g := part.With(part.Rules)
		g.Budget = budget.New(context.Background(), budget.Limits{Steps: exampleSteps, Bytes: budget.DefaultBytes})
		find(g)
	}
	var derives func(string) bool // nil without an automaton
	var other string              // a string that is not derived; "" if none is known, or if it is the empty string
	within(func(g *expr.Grammar) {
		d, err := lang.FromBNF(g, start.ID)
		if err != nil {
			return
		}
		derives = d.Match
		others := d.Complement()
		e.derivesAll = others.IsEmpty()
		other, _ = others.Shortest()
		if spelled, err := lang.FromBNF(g.AsSpelled(), start.ID); err == nil {
			d = spelled
		}
		e.Words = drawWords(nil, d, maxExamples)
	})
	if derives == nil {
		within(func(g *expr.Grammar) { drawNested(&e, g.AsSpelled(), start) })
	}
	if len(e.Words) < 2 { // the automata are too large, or the words long
		within(func(g *expr.Grammar) { buildNested(&e, g.AsSpelled(), start) })
	}
	within(func(g *expr.Grammar) {
		if derives == nil {
			derives = derivesIn(g, start)
		}
		findMisses(&e, derives)
	})
	if len(e.Misses) == 0 && other != "" {
		e.Misses = [][2]string{{other, "the shortest that is refused"}}
	}
	return e
}

// derivesIn returns a function that reports whether start derives a string in g, without an automaton. The
// function is also true if it cannot find that out.
func derivesIn(g *expr.Grammar, start *expr.Rule) func(string) bool {
	d, err := interpreter.New(g, start.ID, func(string) bool { return false })
	return func(s string) bool {
		if err != nil {
			return true
		}
		ok, err := d.Accepts(s)
		return ok || err != nil
	}
}

// drawNested adds to e.Words strings that start, which nests, derives in g: a short one, and for each depth up to
// sampledNesting some that need it. It stops at the first depth at which the automata become too large.
func drawNested(e *Examples, g *expr.Grammar, start *expr.Rule) {
	if w, ok := shortWords(g)[start.ID]; ok {
		e.Words = append(e.Words, w)
	}
	nesting := g.Nesting()
	shallower := lang.Empty()
	for depth := range sampledNesting + 1 {
		cut, err := nesting.To(depth)
		if err != nil {
			return
		}
		d, err := lang.FromBNF(cut, start.ID)
		if err != nil {
			break
		}
		room := maxExamples * (depth + 1) / (sampledNesting + 1)
		e.Words = drawWords(e.Words, d.Minus(shallower), max(room, depth+1))
		shallower = d
	}
}

// buildNested adds to e.Words strings that start derives in g: for each production that is used inside itself
// two that contain it, and then some through other productions. There are at most maxExamples in all.
func buildNested(e *Examples, g *expr.Grammar, start *expr.Rule) {
	b := &nestedBuilder{g: g, short: shortWordsOf(g)}
	for _, head := range g.Nesting().Heads() {
		word, ok := b.short.Words[head.ID]
		for range 2 {
			if len(e.Words) == maxExamples {
				return
			}
			if !ok { // it derives nothing
				break
			}
			around := word
			if word, ok = b.wordThrough(head.ID, head.ID, word); !ok || word == around {
				break
			}
			whole := word
			if start.ID != head.ID {
				whole, ok = b.wordThrough(start.ID, head.ID, word)
			}
			if ok && !slices.Contains(e.Words, whole) {
				e.Words = append(e.Words, whole)
			}
		}
	}
	// And some through other productions, evenly spread over the text.
	ids := g.Reach(start.ID)
	for i := 1; i <= maxExamples && len(e.Words) < maxExamples; i++ {
		id := ids[(len(ids)-1)*i/maxExamples]
		inner, derives := b.short.Words[id]
		whole, ok := b.wordThrough(start.ID, id, inner)
		if derives && ok && !slices.Contains(e.Words, whole) {
			e.Words = append(e.Words, whole)
		}
	}
}

// A nestedBuilder puts words together from short words of the productions.
type nestedBuilder struct {
	g     *expr.Grammar
	short *expr.Short
}

// wordThrough returns a word of production from in which production to, reached by a shortest chain of uses, derives
// inner. The chain has at least one use, also if from and to are the same. ok is false if there is no chain, if a short
// word that it needs is not known, or if the word would be longer than maxShortWord.
func (b *nestedBuilder) wordThrough(from, to, inner string) (word string, ok bool) {
	word, used := inner, to // ok stays false without a way
	for _, id := range slices.Backward(b.g.Path(from, to, expr.Refs)) {
		if word, ok = b.wordAround(b.g.Rule(id).Expr, used, word); !ok || len(word) > maxShortWord {
			return "", false
		}
		used = id
	}
	return word, ok
}

// wordAround returns a word of e in which one use of the production id derives inner. ok is false if it finds
// none.
func (b *nestedBuilder) wordAround(e *expr.Expr, id, inner string) (word string, ok bool) {
	switch e.Op {
	case expr.Ref:
		return inner, e.Name == id
	case expr.Alt:
		for _, s := range e.Sub {
			if word, ok = b.wordAround(s, id, inner); ok {
				return word, true
			}
		}
	case expr.Repeat:
		word, ok = b.wordAround(e.Sub[0], id, inner)
		other, known := b.short.Of(e.Sub[0])
		if !ok || e.Min > 1 && (!known || len(other) > maxShortWord/e.Min) {
			return "", false
		}
		return word + strings.Repeat(other, max(e.Min-1, 0)), true
	case expr.Seq:
		for at, s := range e.Sub {
			if word, ok = b.wordAround(s, id, inner); !ok {
				continue
			}
			// The other elements get short words of their own.
			before, known := b.short.Of(expr.Cat(e.Sub[:at]...))
			after, known2 := b.short.Of(expr.Cat(e.Sub[at+1:]...))
			if known && known2 {
				return before + word + after, true
			}
		}
	}
	return "", false
}

// drawWords appends words of d to words, each once, until there are most of them in all: a shortest one, and
// random ones of the lengths 1, 4, 7 and so on up to maxExampleLength. It takes words that can be typed on a
// keyboard if d has some. If d has many states the lengths end earlier (maxExampleCounts), perhaps after the
// shortest word. The words are the same on every run.
func drawWords(words []string, d *lang.DFA, most int) []string {
	add := func(w string, ok bool) {
		if ok && len(words) < most && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	if typed := d.Intersect(typeable()); !typed.IsEmpty() {
		d = typed
	}
	add(d.Shortest())
	length := min(maxExampleLength, maxExampleCounts/d.States())
	if length == 0 {
		return words
	}
	rng := rand.New(rand.NewPCG(5234, 7405)) // fixed, so that the file is always the same
	sampler := d.Sampler(length)
	for n := 1; n <= length && len(words) < most; n += 3 {
		add(sampler.Sample(rng, n))
	}
	return words
}

// typeable returns the language of strings of printable ASCII, tabs and line ends.
func typeable() *lang.DFA {
	return lang.OfSet(expr.Range(' ', '~').Union(expr.Bytes("\t\r\n"))).Star()
}

// A mutation changes a word at a place, perhaps with the byte b. The change is described only where it is taken: a word
// can be long, and most changes are tried in vain.
type mutation struct {
	change, describe func(w string, at int, b string) string
}

var mutations = []mutation{
	{
		func(w string, at int, _ string) string { return w[:len(w)-1-at] },
		func(w string, _ int, _ string) string { return fmt.Sprintf("%q cut off", w) },
	},
	{
		func(w string, at int, _ string) string { return w[:at] + w[at+1:] },
		func(w string, at int, _ string) string { return fmt.Sprintf("%q without %q", w, w[at:at+1]) },
	},
	{
		func(w string, at int, _ string) string { return w[:at+1] + w[at:] },
		func(w string, at int, _ string) string { return fmt.Sprintf("%q with %q twice", w, w[at:at+1]) },
	},
	{
		func(w string, at int, b string) string { return w[:at] + b + w[at+1:] },
		func(w string, at int, b string) string { return fmt.Sprintf("%q with %q for %q", w, b, w[at:at+1]) },
	},
	{
		func(w string, _ int, b string) string { return w + b },
		func(w string, _ int, b string) string { return fmt.Sprintf("%q with %q after it", w, b) },
	},
}

// findMisses adds to e.Misses strings that are not accepted, each with the change that made it: the empty string, and
// for each mutation the first string that it makes of one of the words and that is neither accepted nor in the list.
// Changes are tried word by word at the first maxExampleLength places, with each byte from "!" on, so that those that
// can be printed come first.
func findMisses(e *Examples, accepts func(string) bool) {
	// isMiss reports whether s is not accepted and not yet in the list.
	isMiss := func(s string) bool {
		listed := func(m [2]string) bool { return m[0] == s }
		return !accepts(s) && !slices.ContainsFunc(e.Misses, listed)
	}
	if isMiss("") {
		e.Misses = append(e.Misses, [2]string{"", "nothing"})
	}
next:
	for _, m := range mutations {
		tried := "" // the string before, which is not asked about again if a mutation ignores the byte
		for _, w := range e.Words {
			for i := range min(len(w), maxExampleLength) * 256 {
				at, b := i/256, string([]byte{byte('!' + i%256)}) // every byte, printable ones first
				s := m.change(w, at, b)
				if s != tried && isMiss(s) {
					e.Misses = append(e.Misses, [2]string{s, m.describe(w, at, b)})
					continue next
				}
				tried = s
			}
		}
	}
}

// maxShortWord caps the length of a word in a test: words of productions that double each other
// would have no end.
const maxShortWord = 1 << 12

// shortWords returns a short word of each production, by ID, with the first byte of each class. Productions
// that derive none up to maxShortWord are missing.
func shortWords(g *expr.Grammar) map[string]string { return shortWordsOf(g).Words }

// shortWordsOf returns the short words of [shortWords] as an [expr.Short], which also has those of
// expressions.
func shortWordsOf(g *expr.Grammar) *expr.Short {
	first := func(members []byte) byte { return members[0] }
	return g.ShortWords(maxShortWord, first, func(string) {})
}
