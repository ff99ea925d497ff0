package annotated

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

const letters = "ab:"

// nothing returns an expression that derives nothing.
func (m *maker) nothing() *expr.Expr {
	if m.IntN(2) == 0 {
		return expr.In(expr.Set{})
	}
	return expr.To("undefined")
}

// A maker makes random productions.
type maker struct {
	*rand.Rand
	refs []string // productions that have been made
}

func (m *maker) expr(depth int) *expr.Expr {
	switch k := m.IntN(14); {
	case k < 3:
		return expr.In(expr.Bytes([]string{"a", "b", ":", "ab", "a:", "ab:"}[m.IntN(6)]))
	case k < 5:
		return expr.Lit([]string{"a", "ab", "a:", "b:", ":", "abb"}[m.IntN(6)])
	case k < 8 && len(m.refs) > 0:
		return expr.To(m.refs[m.IntN(len(m.refs))])
	case depth == 0 && m.IntN(20) == 0:
		return m.nothing()
	case depth == 0:
		return expr.Lit("b")
	case k < 10:
		return expr.Or(m.expr(depth-1), m.expr(depth-1))
	case k < 12:
		return expr.Cat(m.expr(depth-1), m.expr(depth-1), m.expr(depth-1))
	default:
		bounds := [][2]int{{0, 1}, {0, expr.Unbounded}, {1, expr.Unbounded}, {0, 2}, {2, 3}, {2, expr.Unbounded}}
		b := bounds[m.IntN(len(bounds))]
		return expr.Times(m.expr(depth-1), b[0], b[1])
	}
}

// random returns a grammar, and which of its productions are lexical: those that use lexical ones only, or none.
func random(rng *rand.Rand) (*expr.Grammar, map[string]bool) {
	g := &expr.Grammar{Name: "random"}
	m := &maker{Rand: rng}
	lexical := map[string]bool{}
	n := 2 + rng.IntN(4)
	for i := n - 1; i >= 0; i-- {
		id := string(rune('p' + i))
		e := m.expr(2)
		e = expr.Cat(e)
		if rng.IntN(4) == 0 { // as these texts write a list
			e = expr.Cat(e, expr.Opt(expr.Cat(expr.Lit(":"), expr.To(id))))
		}
		g.Rules = append(g.Rules, &expr.Rule{ID: id, Name: id, Expr: e, Pos: expr.Pos{Line: i + 1}})
		lexical[id] = rng.IntN(2) == 0 && !slices.ContainsFunc(expr.Refs(e), func(r string) bool { return r == id || !lexical[r] })
		m.refs = append(m.refs, id)
	}
	slices.Reverse(g.Rules)
	return g, lexical
}

// A search follows all derivations of a word at once: what they can read where it ends, each term by its name.
type search struct {
	g       *expr.Grammar
	lexical map[string]bool
	w       string
	terms   map[string]bool
	end     bool
	budget  int
}

// without returns e without the alternatives that derive nothing, or nil where all of it derives nothing. A production
// that uses itself does so at its right end, behind an option.
func (s *search) without(e *expr.Expr) *expr.Expr { return without(s.g, e, nil) }

func without(g *expr.Grammar, e *expr.Expr, in []string) *expr.Expr {
	switch e.Op {
	case expr.Class:
		if e.Set.IsEmpty() {
			return nil
		}
	case expr.Ref:
		r := g.Rule(e.Name)
		if r == nil || !slices.Contains(in, e.Name) && without(g, r.Expr, append(in[:len(in):len(in)], e.Name)) == nil {
			return nil
		}
	case expr.Seq:
		var sub []*expr.Expr
		for _, x := range e.Sub {
			if x = without(g, x, in); x == nil {
				return nil
			}
			sub = append(sub, x)
		}
		return &expr.Expr{Op: expr.Seq, Sub: sub, Pos: e.Pos}
	case expr.Alt:
		var sub []*expr.Expr
		for _, x := range e.Sub {
			if x = without(g, x, in); x != nil {
				sub = append(sub, x)
			}
		}
		if len(sub) == 0 {
			return nil
		}
		return &expr.Expr{Op: expr.Alt, Sub: sub, Pos: e.Pos}
	case expr.Repeat:
		x := without(g, e.Sub[0], in)
		switch {
		case x != nil:
			return expr.Times(x, e.Min, e.Max)
		case e.Min > 0:
			return nil
		}
		return expr.Lit("")
	}
	return e
}

// derive follows e at i, and then the rest. A label is the lexical production that e belongs to, if no byte of it has
// been read.
func (s *search) derive(e *expr.Expr, i int, label string, rest func(i int)) {
	if s.budget--; s.budget < 0 {
		return
	}
	switch e.Op {
	case expr.Empty:
		rest(i)
	case expr.Class:
		switch {
		case i < len(s.w) && e.Set.Has(s.w[i]):
			rest(i + 1)
		case i == len(s.w) && label != "":
			s.terms[label] = true
		case i == len(s.w) && e.Set.Len() == 1:
			s.terms[ast.Quote(string(e.Set.Members()))] = true
		case i == len(s.w):
			s.terms[s.className(e)] = true
		}
	case expr.Literal:
		switch there := s.w[i:]; {
		case strings.HasPrefix(there, e.Lit):
			rest(i + len(e.Lit))
		case there == "" && label != "":
			s.terms[label] = true
		case strings.HasPrefix(e.Lit, there):
			s.terms[fmt.Sprintf("%q", e.Lit[wordStarts(e.Lit)[len(there)]:])] = true
		}
	case expr.Ref:
		if label == "" && s.lexical[e.Name] {
			label = e.Name
		}
		s.derive(s.without(s.g.Rule(e.Name).Expr), i, label, rest)
	case expr.Seq:
		s.seq(e.Sub, i, i, label, rest)
	case expr.Alt:
		for _, a := range e.Sub {
			s.derive(a, i, label, rest)
		}
	case expr.Repeat:
		s.times(e, 0, i, i, label, rest)
	}
}

// className returns what a message calls the class e: the first production that is the same class, unless e stands in it.
func (s *search) className(e *expr.Expr) string {
	for _, r := range s.g.Rules {
		if set, ok := classOf(r.Expr); ok && set == e.Set {
			if r.Expr == e || slices.Contains(r.Expr.Sub, e) {
				break
			}
			return r.Name
		}
	}
	return e.Set.String()
}

func (s *search) seq(es []*expr.Expr, from, i int, label string, rest func(int)) {
	if len(es) == 0 {
		rest(i)
		return
	}
	if i > from {
		label = ""
	}
	s.derive(es[0], i, label, func(j int) { s.seq(es[1:], from, j, label, rest) })
}

func (s *search) times(e *expr.Expr, n, from, i int, label string, rest func(int)) {
	if i > from {
		label = ""
	}
	if n >= e.Min {
		rest(i)
	}
	if e.Max == expr.Unbounded || n < e.Max {
		s.derive(e.Sub[0], i, label, func(j int) {
			if j > i || n < e.Min { // an empty round more adds nothing
				s.times(e, n+1, from, j, label, rest)
			}
		})
	}
}

// For random grammars, what is said of a rejected word is what the definition says: the offset is that of the first byte
// after which no continuation is accepted, which the automaton of the production knows, and what is expected there are
// the terms that some derivation can read next, which a search through all derivations finds.
// BNFCHECK_RANDOM_BNFS says how many grammars there are.
func TestRejectionsOfRandomGrammars(t *testing.T) {
	count := longtest.Size(200, 500)
	if n, err := strconv.Atoi(os.Getenv("BNFCHECK_RANDOM_BNFS")); err == nil {
		count = n
	}
	words := pegtest.Words(letters+"\xff", 4)
	grammars, compared, skipped, failures := 0, 0, 0, 0
	for seed := range count {
		g, lexical := random(rand.New(rand.NewPCG(uint64(seed), 2)))
		m, err := Build(g, func(id string) bool { return lexical[id] })
		if err != nil {
			continue // it embeds itself, or is too large
		}
		grammars++
		a := &ast.Grammar{Name: "random", Title: "random", Productions: []ast.Production{{}}, Default: 1, Tables: m}
		for _, r := range g.Rules {
			a.Productions = append(a.Productions, ast.Production{ID: r.ID, Name: r.Name, Section: "1", Lexical: lexical[r.ID]})
		}
		for i, r := range g.Rules {
			if len(m.Starts[i+1]) > 1 {
				continue // its explanations are those of schemes, which are productions as well
			}
			d := must.Of(lang.FromExpr(g, r.Expr))(t)
			for _, w := range words {
				compared++
				diff, ok := differs(a, g, lexical, i, d, w)
				if !ok {
					skipped++
				}
				if diff != "" {
					t.Errorf("%s on %q: %s\n%s", r.ID, w, diff, show(g, lexical))
					if failures++; failures == 5 {
						t.FailNow()
					}
					break
				}
			}
		}
	}
	t.Logf("%d grammars, %d words, of which %d have too many derivations", grammars, compared, skipped)
}

// differs returns how the explanation of w differs from the definition; ok is false where the search had too much to do.
func differs(a *ast.Grammar, g *expr.Grammar, lexical map[string]bool, i int, d *lang.DFA, w string) (diff string, ok bool) {
	got := a.Explain(ast.Kind(i+1), w)
	if d.Match(w) != (got == nil) {
		return fmt.Sprintf("accepted: %t, explained: %t", d.Match(w), got != nil), true
	}
	if got == nil {
		return "", true
	}
	offset := 0
	for q := 0; offset < len(w); offset++ {
		if q = d.Next(q, w[offset]); d.Dead(q) {
			break
		}
	}
	if got.Offset != offset {
		return fmt.Sprintf("offset %d, not %d", got.Offset, offset), true
	}
	s := &search{g: g, lexical: lexical, w: w[:offset], terms: map[string]bool{}, budget: 200000}
	r := g.Rules[i]
	if e := s.without(r.Expr); e != nil {
		s.derive(e, 0, "", func(i int) { s.end = s.end || i == offset })
	}
	if s.budget < 0 {
		return "", false
	}
	if s.end {
		s.terms[ast.EndOfInput] = true
	}
	expected := map[string]bool{} // a word can be expected at two of its bytes
	for _, e := range got.Expected {
		expected[e.Term] = true
	}
	for term := range expected {
		if !s.terms[term] {
			return fmt.Sprintf("at %d: %s is expected, and no derivation reads it", offset, term), true
		}
		delete(s.terms, term)
	}
	for term := range s.terms {
		return fmt.Sprintf("at %d: %s can be read, and is not expected (%v)", offset, term, got.Expected), true
	}
	return "", true
}

func show(g *expr.Grammar, lexical map[string]bool) string {
	var b strings.Builder
	for _, r := range g.Rules {
		fmt.Fprintf(&b, "%s = %s", r.ID, r.Expr)
		if lexical[r.ID] {
			b.WriteString("   (lexical)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
