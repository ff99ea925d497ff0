package annotated

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// An openNode is a production in a derivation that is being read, with the nodes around it. It is never changed.
type openNode struct {
	name  string
	start int
	up    *openNode

	// The child that ended last, and where. Without children last is "".
	last string
	end  int
}

// A placeSearch enumerates the derivations of all strings that begin with w, as far as w, and what each reads next. It
// is the definition that [Place] and the automaton are compared with, and shares nothing with them. No production is
// lexical.
type placeSearch struct {
	rules    map[string]*expr.Expr // without what derives nothing
	facts    *expr.Facts
	w        string
	readings []placeReading
	budget   int
}

// derive follows e at i inside in, and then the rest.
func (s *placeSearch) derive(e *expr.Expr, i int, in *openNode, rest func(i int, in *openNode)) {
	if s.budget--; s.budget < 0 {
		return
	}
	switch e.Op {
	case expr.Empty:
		rest(i, in)
	case expr.Class:
		switch {
		case i == len(s.w):
			s.read(e.Set, in)
		case e.Set.Has(s.w[i]):
			rest(i+1, in)
		}
	case expr.Literal:
		switch there := s.w[i:]; {
		case strings.HasPrefix(there, e.Lit):
			rest(i+len(e.Lit), in)
		case strings.HasPrefix(e.Lit, there):
			s.read(expr.Bytes(e.Lit[len(there):len(there)+1]), in)
		}
	case expr.Ref:
		if !s.facts.NonEmpty(e) { // it can read nothing, so that no reader is told of it
			rest(i, in)
			return
		}
		inner := &openNode{name: e.Name, start: i, up: in}
		s.derive(s.rules[e.Name], i, inner, func(i int, _ *openNode) {
			after := *in
			after.last, after.end = e.Name, i
			rest(i, &after)
		})
	case expr.Seq:
		s.seq(e.Sub, i, in, rest)
	case expr.Alt:
		for _, a := range e.Sub {
			s.derive(a, i, in, rest)
		}
	case expr.Repeat:
		s.repeat(e, 0, i, in, rest)
	}
}

func (s *placeSearch) seq(es []*expr.Expr, i int, in *openNode, rest func(int, *openNode)) {
	if len(es) == 0 {
		rest(i, in)
		return
	}
	s.derive(es[0], i, in, func(i int, in *openNode) { s.seq(es[1:], i, in, rest) })
}

func (s *placeSearch) repeat(e *expr.Expr, n, i int, in *openNode, rest func(int, *openNode)) {
	if n >= e.Min {
		rest(i, in)
	}
	if e.Max == expr.Unbounded || n < e.Max {
		s.derive(e.Sub[0], i, in, func(j int, in *openNode) {
			switch {
			case j > i || n < e.Min:
				s.repeat(e, n+1, j, in, rest)
			default: // an empty round more leads to the same places as one
				rest(j, in)
			}
		})
	}
}

// A placeReading is where a derivation reads on: the names of its productions, outermost first, which of them began
// before that byte, the child of the innermost that ended there, and the bytes that it can read.
type placeReading struct {
	path  []string
	begun []bool
	after string
	bytes expr.Set
}

// read adds the reading of a terminal in n. A production that uses itself does so at its end, and is one on the path.
func (s *placeSearch) read(bytes expr.Set, n *openNode) {
	var nodes []*openNode
	for at := n; at != nil; at = at.up {
		nodes = append(nodes, at)
	}
	r := placeReading{bytes: bytes}
	for _, at := range slices.Backward(nodes) {
		if i := slices.Index(r.path, at.name); i >= 0 {
			r.path, r.begun = r.path[:i+1], r.begun[:i+1]
			continue
		}
		r.path, r.begun = append(r.path, at.name), append(r.begun, at.start < len(s.w))
	}
	if n.last != "" && n.end == len(s.w) && !slices.Contains(r.path, n.last) {
		r.after = n.last
	}
	if !slices.ContainsFunc(s.readings, func(x placeReading) bool { return fmt.Sprint(x) == fmt.Sprint(r) }) {
		s.readings = append(s.readings, r)
	}
}

// place returns the production that a rejection after w names, by the definition of [Place].
func (s *placeSearch) place() string {
	var paths [][]string
	for _, r := range s.readings {
		n := len(r.path)
		follows := false
		rest := r.bytes // those that nothing further inside reads
		for _, x := range s.readings {
			if len(x.path) <= n || !slices.Equal(x.path[:n], r.path) {
				continue
			}
			if x.path[n] == r.after && (x.begun[n] || s.facts.Nullable(expr.To(r.after))) {
				follows = true // a production that could go on itself
			}
			if x.begun[n] {
				rest = rest.Minus(x.bytes)
			}
		}
		if !follows && !rest.IsEmpty() {
			paths = append(paths, r.path)
		}
	}
	return sharedName(paths, 0)
}

// sharedName returns the innermost production that all the paths share, whose first n names are equal; or, if they part
// and all parts lead to one production, that one.
func sharedName(paths [][]string, n int) string {
	parts := map[string][][]string{}
	for _, p := range paths {
		if len(p) == n {
			return p[n-1]
		}
		parts[p[n]] = append(parts[p[n]], p)
	}
	names := map[string]bool{}
	for _, part := range parts {
		names[sharedName(part, n+1)] = true
	}
	if len(names) > 1 {
		return paths[0][n-1]
	}
	for name := range names {
		return name
	}
	panic("no path")
}

// Where productions begin and end at one place, the production that a reader would name is named.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct{ grammar, after, want string }{
		// What only begins hides nothing.
		{"doc = *line\nline = 1*ALPHA nl\nnl = CR LF\n", "ab", "line"},
		{"doc = *line\nline = 1*ALPHA nl\nnl = [CR] LF\n", "ab", "line"},
		{"doc = *line\nline = 1*ALPHA nl\nnl = [CR] LF\n", "ab\r", "nl"},
		{"doc = *line\nline = 1*ALPHA nl\nnl = end\nend = [CR] LF\n", "ab", "line"},
		{"doc = *( \"b\" / x )\nx = \"c\" \"d\"\n", "b", "doc"},
		{"doc = *( \"b\" / x )\nx = \"c\" \"d\"\n", "cd", "doc"},
		{"doc = \"b\" / x\nx = \"c\" \"d\"\n", "", "doc"},
		// If nothing else can be read, it is what is missing.
		{"list = item *( \",\" item )\nitem = 1*DIGIT \".\"\n", "1.,", "item"},
		// What may be empty is there in any case, but not before the place where it can be.
		{"path = segment *( \"/\" segment )\nsegment = *( ALPHA [ \"!\" ] )\n", "a/", "segment"},
		{"doc = 1*ALPHA sp \"1\"\nsp = *( \" \" [ \"!\" ] )\n", "ab", "doc"},
		{"doc = 1*ALPHA sp \"1\"\nsp = *( \" \" [ \"!\" ] )\n", "ab ", "sp"},
		// What follows a production that can go on does not count, unless it also stands elsewhere.
		{"list = item *( \",\" item )\nitem = 1*( DIGIT [ \".\" ] )\n", "1", "item"},
		{"doc = 1*( ALPHA [ \"!\" ] ) / x \"1\"\nx = 1*ALPHA\n", "ab", "doc"},
		{"doc = y \"1\" / x\ny = \"a\" [ \"!\" ]\nx = 1*( \"a\" [ \"!\" ] ) \"2\"\n", "a!", "doc"},
		// What a production inside reads as well does not count.
		{"doc = 1*( ALPHA [ \"!\" ] ) / x \"1\"\nx = 1*( ALPHA [ \"!\" ] )\n", "ab", "x"},
		{"doc = *escape [ \"%9\" ]\nescape = \"%\" 2DIGIT\n", "%", "escape"},
	} {
		g := must.Of(bnf.ReadABNF("places.abnf", []byte(tt.grammar+"ALPHA = %x61-7A\nDIGIT = %x30-39\nCR = %x0D\nLF = %x0A\n")))(t)
		lexical := func(id string) bool { return slices.Contains([]string{"ALPHA", "DIGIT", "CR", "LF"}, id) }
		m := must.Of(BuildFor(g, lexical, g.Rules[0].ID))(t)
		machine := (&ast.Grammar{Tables: m}).Machine()
		q := machine.Starts(1)[0].State
		for i := range len(tt.after) {
			q = machine.Step(q, tt.after[i])
		}
		if got := g.Rules[m.Notes[m.Note[q]].In[0]-1].ID; got != tt.want {
			t.Errorf("after %q: in %s, not %s\n%s", tt.after, got, tt.want, tt.grammar)
		}
	}
}

// For random grammars, the production that a rejection names is the one that an enumeration of all derivations finds, by
// the definition of [Place].
func TestPlacesOfRandomGrammars(t *testing.T) {
	words := pegtest.Words(letters+"\xff", 4)
	compared, skipped, failures := 0, 0, 0
	for seed := range longtest.Size(400, 4000) {
		g, _ := random(rand.New(rand.NewPCG(uint64(seed), 5)))
		m, err := Build(g, func(string) bool { return false })
		if err != nil {
			continue // it embeds itself, or is too large
		}
		machine := (&ast.Grammar{Tables: m}).Machine()
		facts := expr.Analyze(g.Rules)
		rules := map[string]*expr.Expr{}
		for _, r := range g.Rules {
			if rules[r.ID] = without(g, r.Expr, nil); rules[r.ID] == nil {
				rules[r.ID] = &expr.Expr{Op: expr.Class}
			}
		}
		for i, r := range g.Rules {
			starts := machine.Starts(ast.Kind(i + 1))
			if len(starts) != 1 || failures == 5 {
				continue
			}
			seen := map[uint16]int{}
			for _, w := range words {
				q := starts[0].State
				for j := range len(w) {
					q = machine.Step(q, w[j])
				}
				if q == 0 || seen[q] == 3 { // three words of each state
					continue
				}
				seen[q]++
				s := &placeSearch{rules: rules, facts: facts, w: w, budget: 20000}
				s.derive(rules[r.ID], 0, &openNode{name: r.ID}, func(int, *openNode) {})
				switch {
				case s.budget < 0:
					skipped++
				case len(s.readings) > 0:
					compared++
					in := m.Notes[m.Note[q]].In
					if want, got := s.place(), g.Rules[in[0]-1].ID; got != want {
						t.Errorf("%s after %q: in %s, not %s\n%s", r.ID, w, got, want, show(g, nil))
						failures++
					}
				}
				if failures == 5 {
					break
				}
			}
		}
	}
	t.Logf("%d places compared, %d with too many derivations", compared, skipped)
	if compared < 5000 || skipped > compared/10 {
		t.Errorf("only %d places are compared; %d have too many derivations", compared, skipped)
	}
}
