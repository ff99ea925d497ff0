package interpreter

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A judged is a tree in brackets, as proof/check reads it, and what proof/check is to say of it: what [ast.Checker] does, and whether it
// is the tree that the interpreter makes.
type judged struct {
	kind  ast.Kind
	text  string
	signs []string
	is    string
}

const (
	noDerivation      = "no derivation"
	firstDerivation   = "the first derivation"
	anotherDerivation = "another derivation"
	someDerivation    = "a derivation" // of which proof/check does not find whether it is the first
)

// bracketed returns the signs of a tree.
func bracketed(t *ast.Tree) (signs []string) {
	var open []ast.Raw
	at := int32(0)
	upTo := func(i, to int32) {
		for len(open) > 0 || at < to {
			for ; at < to && (len(open) == 0 || at < open[len(open)-1].End); at++ {
				signs = append(signs, fmt.Sprintf("%02x", t.Source[at]))
			}
			if len(open) == 0 || open[len(open)-1].Next > i {
				return
			}
			signs, open = append(signs, ")"), open[:len(open)-1]
		}
	}
	for i, n := range t.Nodes {
		upTo(int32(i), n.Start)
		signs, open = append(signs, fmt.Sprintf("(%d", n.Kind)), append(open, n)
	}
	upTo(int32(len(t.Nodes)), int32(len(t.Source)))
	return signs
}

// unbracketed returns the tree that signs write, or nil if they write none.
func unbracketed(of *ast.Grammar, text string, signs []string) *ast.Tree {
	t := &ast.Tree{Grammar: of, Source: text}
	var open []int
	var written []byte
	for i, s := range signs {
		switch {
		case s[0] == '(':
			if len(open) == 0 && i > 0 {
				return nil
			}
			open = append(open, len(t.Nodes))
			n := ast.Raw{Start: int32(len(written))}
			fmt.Sscan(s[1:], &n.Kind)
			t.Nodes = append(t.Nodes, n)
		case len(open) == 0:
			return nil
		case s == ")":
			n := &t.Nodes[open[len(open)-1]]
			n.End, n.Next, open = int32(len(written)), int32(len(t.Nodes)), open[:len(open)-1]
		default:
			var b byte
			fmt.Sscanf(s, "%02x", &b)
			written = append(written, b)
		}
	}
	if len(open) > 0 || string(written) != text {
		return nil
	}
	return t
}

// forge changes signs: a node gets another name, begins or ends elsewhere, is left out, or put in; a byte is another, goes, or comes
// twice; a part of the tree stands twice.
func forge(r *rand.Rand, signs []string, kinds int) []string {
	if len(signs) < 2 {
		return []string{"(1", ")"}
	}
	signs = slices.Clone(signs)
	i, j := r.IntN(len(signs)), r.IntN(len(signs))
	name := fmt.Sprintf("(%d", 1+r.IntN(kinds))
	switch r.IntN(7) {
	case 0:
		if signs[i][0] == '(' {
			signs[i] = name
		}
	case 1: // a sign elsewhere
		s := signs[i]
		signs = slices.Insert(slices.Delete(signs, i, i+1), min(j, len(signs)-1), s)
	case 2: // a node without its brackets
		if signs[i][0] == '(' {
			for depth, k := 0, i; k < len(signs); k++ {
				depth += map[byte]int{'(': 1, ')': -1}[signs[k][0]]
				if depth == 0 {
					return slices.Delete(slices.Delete(signs, k, k+1), i, i+1)
				}
			}
		}
	case 3: // brackets around a part
		i, j = min(i, j), max(i, j)
		signs = slices.Insert(slices.Insert(signs, j, ")"), i, name)
	case 4:
		signs[i] = signs[j]
	case 5:
		signs = slices.Insert(signs, i, signs[min(i, j):max(i, j)]...)
	case 6:
		signs = slices.Insert(signs, i, name, ")")
	}
	return signs
}

// judge asks the checker about trees and forged ones.
func judge(t *testing.T, r *rand.Rand, d *Deriver, of *ast.Grammar, trees []*ast.Tree, forgeries int) (list []judged) {
	g := d.in.Grammar
	checker := must.Of(NewChecker(g, of))(t)
	for _, tree := range trees {
		honest := bracketed(tree)
		if err := checker.Check(tree); err != nil {
			t.Fatalf("%v: %s\n%s", err, honest, text(g))
		}
		if again := unbracketed(of, tree.Source, honest); again == nil || !slices.Equal(again.Nodes, tree.Nodes) {
			t.Fatalf("%v is not written as %s", tree.Nodes, honest)
		}
		list = append(list, judged{tree.Nodes[0].Kind, tree.Source, honest, firstDerivation})
		for range forgeries {
			signs := honest
			for n := 1 + r.IntN(3); n > 0 || len(signs) == 0; n-- {
				signs = forge(r, signs, len(of.Productions)-1)
			}
			source := tree.Source
			if r.IntN(4) > 0 { // the text is that of the signs
				var written []byte
				for _, s := range signs {
					var b byte
					if n, _ := fmt.Sscanf(s, "%02x", &b); n == 1 {
						written = append(written, b)
					}
				}
				source = string(written)
			}
			x, is := unbracketed(of, source, signs), noDerivation
			if x != nil && x.Nodes[0].Kind == tree.Nodes[0].Kind && checker.Check(x) == nil {
				is = anotherDerivation
				if first, _, err := d.Derive(nil, source); err != nil {
					t.Fatal(err)
				} else if slices.Equal(first, x.Nodes) {
					is = firstDerivation
				}
			}
			list = append(list, judged{tree.Nodes[0].Kind, source, signs, is})
		}
	}
	return list
}

// proven asks proof/check about the same trees, and returns what it says.
func proven(t *testing.T, g *expr.Grammar, of *ast.Grammar, list []judged) (said []string) {
	var b strings.Builder
	for _, x := range list {
		fmt.Fprintf(&b, "%d %x %s\n", x.kind, x.text, strings.Join(x.signs, " "))
	}
	dir := t.TempDir()
	grammar, trees := filepath.Join(dir, "grammar"), filepath.Join(dir, "trees")
	for file, text := range map[string]string{grammar: CheckedBy(g, of), trees: b.String()} {
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	out := must.Of(exec.Command("../../../proof/check", grammar, "trees", trees).Output())(t)
	said = strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(said) != len(list) {
		t.Fatalf("%d answers about %d trees", len(said), len(list))
	}
	for i, x := range list {
		if said[i] != x.is && (said[i] != someDerivation || x.is == noDerivation) {
			t.Errorf("proof/check: %s, and here it is %s: %q as %d: %s\n%s", said[i], x.is, x.text, x.kind, x.signs, text(g))
		}
	}
	return said
}

// Trees that the interpreter makes are derivations, by the Go checker and by the one that is proven, which finds that they are the first
// ones; of forged trees both say the same, for random grammars of every kind too.
func TestCheckers(t *testing.T) {
	_, err := os.Stat("../../../proof/check")
	if err != nil {
		t.Log("the proven checker is not asked: proof/compile check has not made proof/check, which needs Rocq and OCaml")
	}
	r := rand.New(rand.NewPCG(9, 10))
	count := map[string]int{}
	compare := func(g *expr.Grammar, start string, lexical func(id string) bool, words []string, forgeries int) (undecided int) {
		node := func(id string) bool { return !lexical(id) }
		of, d := Named(g, node), must.Of(New(g, start, node))(t)
		var trees []*ast.Tree
		for _, w := range words {
			if nodes, ok, err := d.Derive(nil, w); err != nil {
				t.Fatal(err)
			} else if ok {
				trees = append(trees, &ast.Tree{Grammar: of, Source: w, Nodes: nodes})
			}
		}
		list := judge(t, r, d, of, trees, forgeries)
		if err != nil || len(list) == 0 {
			return 0
		}
		for _, said := range proven(t, g, of, list) {
			count[said]++
			if said == someDerivation {
				undecided++
			}
		}
		return undecided
	}
	g := must.Of(bnf.ReadABNF("test.abnf", []byte("a = b *(\",\" b) [\";\" c]\nb = 2letter [d]\nc = \"(\" *c \")\" / e\nd = 1*DIGIT\ne = letter [e]\n"+
		"letter = %x61-7A / x\nx = \"*\" / y\ny = x / %xE9 / %xC3.A9\n")))(t)
	lexical := func(id string) bool { return len(id) > 1 || strings.Contains("xy", id) }
	words := []string{"ab", "a*", "ab12", "ab,cd3,ef", "ab;()", "ab;(()())", "ab1;ab*", "ab,cd;((xyz)(y)())", "a\xe9", "\xc3\xa9\xe9;\xc3\xa9*\xe9"}
	undecided := compare(g, "a", lexical, words, longtest.Size(100, 10000))
	uri := must.Of(bnf.Load("rfc3986"))(t).Default
	undecided += compare(uri, "URI", bnf.Lexical(uri), []string{"urn:a", "http://a.example:80/b/c?d=e#f", "ftp://u:p@[::ffff:127.0.0.1]:21/", "a:/%7E//", "a://1.2.3.4"}, 200)
	for _, c := range choices {
		g := must.Of(bnf.ReadABNF("test.abnf", []byte(c.grammar+"\n")))(t)
		n := compare(g, g.Rules[0].ID, func(id string) bool { return id != strings.ToLower(id) }, []string{c.src}, 20)
		if back := slices.Contains([]string{"left recursion", "both sides", "itself alone"}, c.name); !back {
			undecided += n
		} else if err == nil && n == 0 {
			t.Errorf("%s: it comes back before it has read anything, and is decided", c.name)
		}
	}
	if undecided > 0 {
		t.Errorf("of %d trees proof/check does not say whether they are the first", undecided)
	}
	words = pegtest.Words("xyz", 4)
	for seed := range uint64(longtest.Size(30, 1000)) {
		r := rand.New(rand.NewPCG(seed, 0))
		compare(random(r, seed%2 != 0), "r0", func(string) bool { return false }, words, 5)
	}
	t.Log(count)
	if err == nil && (count[noDerivation] < 1000 || count[firstDerivation] < 300 || count[anotherDerivation] == 0) {
		t.Error("hardly anything was told apart")
	}
}
