package interpreter

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A searcher is the rule, word for word: it goes through all derivations in their order, until one has all of the input. It takes
// exponential time.
type searcher struct {
	g     *expr.Grammar
	node  func(id string) bool
	src   string
	steps int
	open  []*instance
	trail []ast.Raw // begins of nodes; ends have kind 0

	scanners map[string]ast.Scanner // by production
}

// An instance is a production that is open, with the ends of instances of the same production inside it that began there as well.
type instance struct {
	id    string
	at    int
	inner []int
}

// first returns the first derivation. ok reports whether there is one, and is not known if there are no steps left.
func (s *searcher) first(start string) (nodes []ast.Raw, ok, known bool) {
	for _, nodes := range s.derivations(start, 1) {
		return nodes, true, true
	}
	return nil, false, s.steps >= 0
}

// derivations returns so many derivations, in their order, or those that are found before there are no steps left.
func (s *searcher) derivations(start string, most int) (list [][]ast.Raw) {
	s.steps = 1 << 19
	s.use(s.g.Rule(start), 0, "", true, func(i int) bool {
		if i == len(s.src) {
			list = append(list, s.nodes())
		}
		return len(list) == most
	})
	return list
}

// nodes returns the nodes of the trail.
func (s *searcher) nodes() (nodes []ast.Raw) {
	var open []int
	for _, n := range s.trail {
		if n.Kind > 0 {
			open = append(open, len(nodes))
			nodes = append(nodes, n)
			continue
		}
		last := len(open) - 1
		nodes[open[last]].End, nodes[open[last]].Next = n.Start, int32(len(nodes))
		open = open[:last]
	}
	return nodes
}

func (s *searcher) use(r *expr.Rule, i int, tail string, root bool, then func(i int) bool) bool {
	nested := 0
	for _, o := range s.open {
		if o.id == r.ID && o.at == i {
			nested++
		}
	}
	if nested > len(s.src)-i { // more would have the same text
		return false
	}
	in := &instance{id: r.ID, at: i}
	before := s.open
	s.open = append(before[:len(before):len(before)], in)
	defer func() { s.open = before }()
	trail := len(s.trail)
	node := (s.node(r.ID) || root) && tail != r.ID
	if node {
		s.trail = append(s.trail, ast.Raw{Kind: s.kind(r.ID), Start: int32(i)})
	}
	if s.node(r.ID) || root {
		tail = r.ID
	}
	ok := s.match(r.Expr, i, tail, func(j int) bool {
		for _, end := range in.inner {
			if end == j {
				return false
			}
		}
		if scanner := s.scanners[r.ID]; scanner != nil {
			if end, ok := scanner(s.src, i); !ok || end != j {
				return false
			}
		}
		open := s.open
		s.open = open[:len(open)-1]
		for _, o := range s.open {
			if o.id == r.ID && o.at == i {
				o.inner = append(o.inner, j)
			}
		}
		trail := len(s.trail)
		if node {
			s.trail = append(s.trail, ast.Raw{Start: int32(j)})
		}
		if then(j) {
			return true
		}
		s.trail = s.trail[:trail]
		for _, o := range s.open {
			if o.id == r.ID && o.at == i {
				o.inner = o.inner[:len(o.inner)-1]
			}
		}
		s.open = open
		return false
	})
	if !ok {
		s.trail = s.trail[:trail]
	}
	return ok
}

func (s *searcher) kind(id string) ast.Kind {
	for i, r := range s.g.Rules {
		if r.ID == id {
			return ast.Kind(i + 1)
		}
	}
	return 0
}

func (s *searcher) match(e *expr.Expr, i int, tail string, then func(i int) bool) bool {
	if s.steps--; s.steps < 0 {
		return true
	}
	switch e.Op {
	case expr.Empty:
		return then(i)
	case expr.Class:
		return i < len(s.src) && e.Set.Has(s.src[i]) && then(i+1)
	case expr.Literal:
		return strings.HasPrefix(s.src[i:], e.Lit) && then(i+len(e.Lit))
	case expr.Ref:
		r := s.g.Rule(e.Name)
		return r != nil && s.use(r, i, tail, false, then)
	case expr.Seq:
		return s.seq(e.Sub, i, tail, then)
	case expr.Alt:
		for _, x := range e.Sub {
			if s.match(x, i, tail, then) {
				return true
			}
		}
	case expr.Repeat:
		return s.repeat(e, 0, i, tail, then)
	}
	return false
}

func (s *searcher) seq(list []*expr.Expr, i int, tail string, then func(int) bool) bool {
	if len(list) == 1 {
		return s.match(list[0], i, tail, then)
	}
	return s.match(list[0], i, "", func(j int) bool { return s.seq(list[1:], j, tail, then) })
}

func (s *searcher) repeat(e *expr.Expr, done, i int, tail string, then func(int) bool) bool {
	if e.Max == expr.Unbounded || done < e.Max {
		inside := tail
		if done+1 != e.Max {
			inside = ""
		}
		if s.match(e.Sub[0], i, inside, func(j int) bool {
			return (j > i || done < e.Min) && s.repeat(e, done+1, j, tail, then)
		}) {
			return true
		}
	}
	return done >= e.Min && then(i)
}

// Random grammars of every kind, those too in which a production derives itself: the general parser accepts what a recognizer does that tries everything, and its
// tree is the first of all derivations.
func TestGeneral(t *testing.T) {
	words := pegtest.Words("xyz", 4)
	compared, cyclic, unknown, within := 0, 0, 0, 0
	for seed := range uint64(longtest.Size(150, 10000)) {
		r := rand.New(rand.NewPCG(seed, 0))
		g := random(r, seed%2 != 0)
		node := func(id string) bool { return id != "r1" || seed%2 == 0 }
		itself := derivesItself(g)
		d := must.Of(New(g, "r0", node))(t)
		dfa, err := lang.FromBNF(g, "r0")
		if _, nests := errors.AsType[*expr.SelfEmbedding](err); err != nil && !nests {
			t.Fatal(err)
		}
		of := Named(g, node)
		checker := must.Of(NewChecker(g, of))(t)
		for _, w := range words {
			ok := pegtest.Derives(g, "r0", w)
			a, _ := d.Accepts(w)
			nodes, is, _ := d.Derive(nil, w)
			for _, items := range []int{16, 32, 64} { // of which some are dropped
				limits := ast.Limits{Steps: 1 << 20, Memory: 20 * (items - 1)}
				run, other := ast.Run{Limits: limits, Unguided: true}, ast.Run{Limits: limits, Unguided: true}
				some, ok := d.parser.Within(&run, nil, d.in.start.kind, w, true)
				_, without := d.parser.Within(&other, nil, d.in.start.kind, w, false)
				if run.Stopped == 0 && (ok != is || !slices.Equal(some, nodes)) || other.Stopped == 0 && without != is {
					t.Fatalf("seed %d: %q: %v, in %d items %v\n%s", seed, w, nodes, items, some, text(g))
				}
				if ok {
					within++
				}
			}
			if a != ok || is != ok || dfa != nil && dfa.Match(w) != ok {
				t.Fatalf("seed %d: %q accepted: %v %v, by the recognizer %v\n%s", seed, w, a, is, ok, text(g))
			}
			if !ok {
				continue
			}
			if err := checker.Check(&ast.Tree{Grammar: of, Source: w, Nodes: nodes}); err != nil {
				t.Fatalf("seed %d: %q: %v: %s\n%s", seed, w, err, show(g, w, nodes), text(g))
			}
			want, ok, known := (&searcher{g: g, node: node, src: w}).first("r0")
			if !known {
				unknown++
				continue
			}
			if !ok {
				t.Fatalf("seed %d: %q: no derivation found\n%s", seed, w, text(g))
			}
			compared++
			if itself {
				cyclic++
			}
			if x, y := show(g, w, nodes), show(g, w, want); x != y {
				t.Fatalf("seed %d: %q: %s, by the rule %s\n%s", seed, w, x, y, text(g))
			}
		}
	}
	t.Logf("%d trees compared, %d of them of grammars in which a production derives itself; %d not known; %d in few items", compared, cyclic, unknown, within)
	if compared < 400 || within < 2*compared || cyclic < 100 || unknown > compared/10 {
		t.Error("hardly anything was compared")
	}
}
