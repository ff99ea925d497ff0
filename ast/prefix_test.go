package ast_test

import (
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/gen/rfc3986"

	"github.com/bnfcheck/bnfcheck/ast"
)

// The longest prefix is the longest one that is accepted, as trying them all finds it.
func TestParsePrefix(t *testing.T) {
	for _, g := range []*ast.Grammar{rfc1738.Grammar, rfc3986.Grammar} {
		for k := range ast.Kind(len(g.Productions)) {
			for _, s := range []string{"", "http://a.b/c d", "//host:80 ", "ftp://u:p@h/a;type=i next", "a1-", "%4", "mailto:x@y\n", "127.0.0.1.", "[::1]x"} {
				want := -1
				for n := range len(s) + 1 {
					if g.Accept(k, s[:n]) {
						want = n
					}
				}
				p := g.NewParser()
				p.Start = k
				tree, n, err := g.ParsePrefix(k, s)
				if k == 0 {
					p.Start = g.Default
					continue // the parser takes 0 as the default
				}
				_, again, errAgain := p.ParsePrefix(s)
				if want < 0 {
					var syntax *ast.SyntaxError
					if tree != nil || !errors.As(err, &syntax) || syntax.Input != s || errAgain == nil {
						t.Errorf("%s of %s on %q: %d, %v", g.Production(k).ID, g.Name, s, n, err)
					}
					continue
				}
				if err != nil || n != want || again != want || errAgain != nil || tree.Root().Text() != s[:n] {
					t.Errorf("%s of %s on %q: %d, want %d; %v", g.Production(k).ID, g.Name, s, n, want, err)
				}
			}
		}
	}
	_, _, err := rfc1738.Grammar.ParsePrefix(rfc1738.KindHttpurl, "http:/")
	if !errors.Is(err, ast.ErrIncomplete) {
		t.Errorf("%v is not incomplete", err)
	}
	_, _, err = rfc1738.Grammar.ParsePrefix(rfc1738.KindHttpurl, "ftp:")
	if err == nil || errors.Is(err, ast.ErrIncomplete) {
		t.Errorf("%v is incomplete", err)
	}
}
