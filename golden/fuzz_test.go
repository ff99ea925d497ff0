package golden

import (
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/analysis/treecheck"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// FuzzCheck requires that no string makes package bnfcheck panic, and that its methods agree about each string.
func FuzzCheck(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	j := checkers(f)
	f.Fuzz(func(t *testing.T, s string) {
		for _, g := range bnfcheck.Grammars() {
			tree, err := g.Parse(s)
			v := g.Check(s)
			if (err == nil) != g.Accepts(s) || (err == nil) != (v.Value != bnfcheck.Rejected) {
				t.Fatalf("%s %q: Parse says %v, Accepts %v, Check %v", g.Name, s, err, g.Accepts(s), v.Value)
			}
			if err != nil {
				checkError(t, g, s, err)
				continue
			}
			checkTree(t, j, tree, s)
			if v.Tree.String() != tree.String() {
				t.Fatalf("%s %q: Check gives\n%sParse\n%s", g.Name, s, v.Tree, tree)
			}
			if why := v.Why(); (why != nil) != (v.Value == bnfcheck.GenericOnly) {
				t.Fatalf("%s %q is %v, and Why says %v", g.Name, s, v.Value, why)
			}
			p := g.Parser()
			p.FoldScheme = true
			if !p.Accepts(s) && s == strings.ToLower(s) {
				t.Fatalf("%s %q is lower case, and not accepted with the scheme folded", g.Name, s)
			}
		}
	})
}

// FuzzProductions does the same for every production as the start.
func FuzzProductions(f *testing.F) {
	for i, g := range bnfcheck.Grammars() {
		for _, line := range goldentest.Inputs(f, "testdata/trees/"+g.Name+".golden") {
			id, s, _ := strings.Cut(line, "\t")
			k, ok := g.Kind(id)
			if !ok {
				f.Fatalf("%s has no production %q", g.Name, id)
			}
			f.Add(uint8(i), uint16(k), s)
		}
	}
	j := checkers(f)
	f.Fuzz(func(t *testing.T, which uint8, kind uint16, s string) {
		g := bnfcheck.Grammars()[int(which)%len(bnfcheck.Grammars())]
		p := g.Parser()
		p.Start = 1 + ast.Kind(int(kind)+len(g.Productions())-1)%ast.Kind(len(g.Productions()))
		tree, err := p.Parse(s)
		if (err == nil) != p.Accepts(s) {
			t.Fatalf("%s %q: Parse says %v, Accepts %v", g.Production(p.Start).ID, s, err, p.Accepts(s))
		}
		if err != nil {
			checkError(t, g, s, err)
			return
		}
		if tree.Root().Kind() != p.Start {
			t.Fatalf("%s %q: the root is a %s", g.Production(p.Start).ID, s, tree.Root().ID())
		}
		checkTree(t, j, tree, s)
	})
}

// checkTree requires of a tree that its spans nest, that it holds the string byte by byte, that the BNF derives each node from
// its children in order, and that every subtree is the tree of its text.
func checkTree(t *testing.T, of map[string]*ast.Checker, tree *ast.Tree, s string) {
	t.Helper()
	if err := treecheck.Tree(tree); err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	if got := rebuilt(tree.Root()); got != s {
		t.Fatalf("%q prints back as %q", s, got)
	}
	if err := of[tree.Grammar.Name].Check(tree); err != nil {
		t.Fatalf("%s %q: %v in\n%s", tree.Grammar.Name, s, err, tree)
	}
	checkJSON(t, tree)
	for i, raw := range tree.Nodes {
		n := tree.Node(i)
		sub, ok := tree.Grammar.Parse(nil, raw.Kind, n.Text())
		if !ok {
			t.Fatalf("%q: the text %q of a %s is not derived by it", s, n.Text(), n.ID())
		}
		if len(sub) != int(raw.Next)-i {
			t.Fatalf("%q: the subtree of the %s %q is not the tree of that text", s, n.ID(), n.Text())
		}
		for j, r := range sub {
			r.Start += raw.Start
			r.End += raw.Start
			r.Next += int32(i)
			if r != tree.Nodes[i+j] {
				t.Fatalf("%q: the subtree of the %s %q is not the tree of that text", s, n.ID(), n.Text())
			}
		}
	}
}

// rebuilt prints a node: the texts of its children, and what stands before, between and after them.
func rebuilt(n ast.Node) string {
	var b strings.Builder
	at := n.Start()
	for c := range n.Children() {
		b.WriteString(n.Tree().Source[at:c.Start()])
		b.WriteString(rebuilt(c))
		at = c.End()
	}
	b.WriteString(n.Tree().Source[at:n.End()])
	return b.String()
}

// checkError requires of the explanation of a rejection an offset inside the string, and a message of printable characters.
func checkError(t *testing.T, g *bnfcheck.Grammar, s string, err error) {
	t.Helper()
	var syntax *ast.SyntaxError
	if !errors.As(err, &syntax) {
		var long *ast.TooLongError
		if len(s) <= bnfcheck.DefaultMaxLength || !errors.As(err, &long) {
			t.Fatalf("%s %q: %T %v", g.Name, s, err, err)
		}
		return
	}
	if syntax.Offset < 0 || syntax.Offset > len(s) || syntax.Input != s {
		t.Fatalf("%s %q: offset %d of %q", g.Name, s, syntax.Offset, syntax.Input)
	}
	for _, c := range []byte(syntax.Error()) {
		if c < ' ' || c > '~' {
			t.Fatalf("%s %q: the message holds the byte %#02x: %q", g.Name, s, c, syntax.Error())
		}
	}
}

// checkers returns, by grammar, what checks that its BNF derives each node of a tree from its children. It does not use the PEG that the
// parsers are made from.
func checkers(f *testing.F) map[string]*ast.Checker {
	f.Helper()
	list := map[string]*ast.Checker{}
	for _, g := range bnfcheck.Grammars() {
		src := must.Of(bnf.Load(g.Name))(f)
		list[g.Name] = must.Of(interpreter.NewChecker(src.Default, g.Grammar))(f)
	}
	return list
}

// seeds returns the strings of the lists, the printed URLs, and some that cannot be in a list.
func seeds(t testing.TB) []string {
	t.Helper()
	list := []string{"", "\n", "\x00", "http://h/\x00", "http://h/\xff", "http://h/\u202e", "http://h/\n", "\ufeffhttp://h/", "http://h/a\r\n"}
	for _, name := range schemes(t) {
		list = append(list, readScheme(t, name)...)
	}
	for _, rfc := range []string{"rfc1630", "rfc1738"} {
		for _, p := range readPrinted(t, rfc) {
			list = append(list, p.URL, p.Raw)
		}
	}
	return list
}
