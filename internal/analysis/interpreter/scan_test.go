package interpreter

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// This file compares the general parser with scanners with the searcher, which goes through all
// derivations: what is accepted, the tree, and what an error says.

// randomScanner returns a scanner whose answer depends on the first letter and a seed: an end after
// one to three letters, or after all letters up to the next of a kind, or none.
func randomScanner(seed int) ast.Scanner {
	return func(src string, at int) (end int, ok bool) {
		if at == len(src) {
			return 0, false
		}
		switch h := (int(src[at]) + seed) % 5; h {
		case 4:
			n := strings.IndexByte(src[at+1:], "xyz"[seed%3])
			if n < 0 {
				return len(src) + 1, true
			}
			return at + 1 + n + 1, true
		case 3:
			return 0, false
		default:
			return at + 1 + h, true
		}
	}
}

// TestScanners tries random grammars of every kind with random scanners.
func TestScanners(t *testing.T) {
	words := pegtest.Words("xyz", 5)
	compared, refused, dropped, incomplete, unknown := 0, 0, 0, 0, 0
	for seed := range uint64(longtest.Size(120, 20000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := random(r, seed%2 != 0)
		node := func(string) bool { return true }
		d := must.Of(New(g, "r0", node))(t)
		scanners := map[string]ast.Scanner{}
		byKind := map[ast.Kind]ast.Scanner{}
		for i, rule := range g.Rules {
			own := d.in.facts.Component(rule.ID)
			if r.IntN(3) != 0 && !own.Recursive && !d.in.facts.Nullable(rule.Expr) && d.in.rules[rule.ID].Rule == rule {
				scanners[rule.ID] = randomScanner(r.IntN(60))
				byKind[ast.Kind(i+1)] = scanners[rule.ID]
			}
		}
		if len(scanners) == 0 {
			continue
		}
		start := d.in.start.kind
		parser := ast.General{Packed: d.parser.Packed, Scanners: byKind}
		explaining, _, err := Explaining(g)
		must.Do(t, err)
		of := Named(g, node)
		of.Explaining = &ast.General{Packed: explaining, Scanners: byKind}
		of.Parse, of.Accept, of.Within = parser.Parse, parser.Accept, parser.Within
		accepted := map[string]bool{}
		for _, w := range words {
			accepted[w] = parser.Accept(start, w)
		}
		for _, w := range words {
			nodes, ok := parser.Parse(nil, start, w)
			if ok != accepted[w] {
				t.Fatalf("seed %d: %q: tree %t, accepted %t\n%s", seed, w, ok, accepted[w], text(g))
			}
			want, derived, known := (&searcher{g: g, node: node, src: w, scanners: scanners}).first("r0")
			if !known {
				unknown++
				continue
			}
			if derived != ok || !slices.Equal(nodes, want) {
				t.Fatalf("seed %d: %q: %t %s, by the rule %t %s\n%s", seed, w, ok, show(g, w, nodes), derived, show(g, w, want), text(g))
			}
			for _, items := range []int{16, 32, 64} { // of which some are dropped
				limits := ast.Limits{Steps: 1 << 20, Memory: 20 * (items - 1)}
				run, other := ast.Run{Limits: limits}, ast.Run{Limits: limits}
				some, is := parser.Within(&run, nil, start, w, true)
				_, without := parser.Within(&other, nil, start, w, false)
				if run.Stopped == 0 && (is != ok || !slices.Equal(some, nodes)) || other.Stopped == 0 && without != ok {
					t.Fatalf("seed %d: %q: %v, in %d items %v\n%s", seed, w, nodes, items, some, text(g))
				}
				if is {
					dropped++
				}
			}
			if compared++; !ok {
				refused++
				if checkScannedError(t, g.Name, of, start, w, accepted); t.Failed() {
					t.Fatalf("seed %d\n%s", seed, text(g))
				}
				if errors.Is(of.Rejection(start, w), ast.ErrIncomplete) {
					incomplete++
				}
			}
		}
	}
	t.Logf("%d words, %d of them refused, %d incomplete; %d not known; %d in few items", compared, refused, incomplete, unknown, dropped)
	if compared < 5_000 || compared-refused < 200 || incomplete < 200 || dropped < 200 || unknown > compared/10 {
		t.Error("hardly anything was compared")
	}
}

// checkScannedError holds an error against the words that are accepted: one that goes on with the
// byte at its offset cannot be among them, and what is the beginning of one is incomplete.
func checkScannedError(t *testing.T, name string, g *ast.Grammar, start ast.Kind, w string, accepted map[string]bool) {
	e := g.Explain(start, w)
	if e == nil {
		t.Errorf("%s: %q is refused, and the explanation derives it", name, w)
		return
	}
	if e.Offset < 0 || e.Offset > len(w) || e.Error() == "" {
		t.Errorf("%q: the error is at %d", w, e.Offset)
		return
	}
	for word, ok := range accepted {
		if !ok || len(word) <= len(w) && word == w {
			continue
		}
		if e.Offset < len(w) && strings.HasPrefix(word, w[:e.Offset+1]) {
			t.Errorf("%q: %v, and %q is accepted", w, e, word)
		}
		if strings.HasPrefix(word, w) && !e.Incomplete {
			t.Errorf("%q: %v, which is not incomplete, and %q is accepted", w, e, word)
		}
	}
}
