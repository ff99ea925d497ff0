package runtimesuite

import (
	"math/rand/v2"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Word is a string that a production is asked about.
type Word struct {
	Kind ast.Kind
	Text string
}

// maxWord caps the length of a word.
const maxWord = 1 << 12

// Words returns words for each production: the empty one, the short ones of its package, at most cover of
// those that between them take every transition of its automaton where there is one, so many that are drawn
// from the grammar, and near misses of all these.
func Words(parts *gopackage.Parts, rng *rand.Rand, cover, drawn int) (list []Word) {
	d := &drawing{g: parts.Grammar, rng: rng, shortest: parts.Words}
	for i, r := range parts.Grammar.Rules {
		words := append([]string{""}, parts.Words[r.ID]...)
		if a := parts.Languages[r.ID]; a != nil {
			taken := a.TransitionCover()
			rng.Shuffle(len(taken), func(i, j int) { taken[i], taken[j] = taken[j], taken[i] })
			words = append(words, taken[:min(len(taken), cover)]...)
		}
		for range drawn {
			d.steps = 0
			words = append(words, d.draw(r.Expr, 12))
		}
		for _, w := range words[:len(words):len(words)] {
			near := byte(rng.IntN(256))
			if len(w) > 0 && rng.IntN(2) == 0 {
				near = w[rng.IntN(len(w))]
			}
			words = append(words, sample.Near(w, near, rng))
		}
		for _, w := range words {
			if len(w) <= maxWord {
				list = append(list, Word{ast.Kind(i + 1), w})
			}
		}
	}
	return list
}

// A drawing draws strings from a grammar.
type drawing struct {
	g        *expr.Grammar
	rng      *rand.Rand
	shortest map[string][]string
	steps    int // taken for one string
}

// maxDrawing caps the steps for one string. A recursive production under repetitions would take any
// number; what is cut off is a near miss.
const maxDrawing = 1 << 10

// draw returns a string that e derives, or one near it where e derives nothing: it follows productions
// up to a depth, and then takes their shortest strings.
func (d *drawing) draw(e *expr.Expr, depth int) string {
	if d.steps++; d.steps > maxDrawing {
		return ""
	}
	switch e.Op {
	case expr.Class:
		if m := e.Set.Members(); len(m) > 0 {
			return string(m[d.rng.IntN(len(m)):][:1])
		}
	case expr.Literal:
		return e.Lit
	case expr.Ref:
		r := d.g.Rule(e.Name)
		if words := d.shortest[e.Name]; depth <= 0 && len(words) > 0 {
			return words[0]
		}
		if r != nil && depth > -20 {
			return d.draw(r.Expr, depth-1)
		}
	case expr.Repeat:
		n := e.Min
		for (e.Max == expr.Unbounded || n < e.Max) && d.rng.IntN(3) > 0 {
			n++
		}
		var b strings.Builder
		for range n {
			b.WriteString(d.draw(e.Sub[0], depth-1))
		}
		return b.String()
	case expr.Seq:
		var b strings.Builder
		for _, s := range e.Sub {
			b.WriteString(d.draw(s, depth))
		}
		return b.String()
	case expr.Alt:
		return d.draw(e.Sub[d.rng.IntN(len(e.Sub))], depth)
	}
	return ""
}
