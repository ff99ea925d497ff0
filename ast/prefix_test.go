package ast_test

import (
	"context"
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/gen/rfc3986"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Where prefixes are tried because of scanners, each is read within the limits and the context of the parser.
func TestTriedPrefixesHaveTheLimitsOfTheParser(t *testing.T) {
	nobodyWaits := errors.New("nobody waits")
	done, cancel := context.WithCancelCause(context.Background())
	read := 0
	g := &ast.Grammar{
		Productions: []ast.Production{{}, {ID: "packet", Name: "packet"}},
		Default:     1,
		Explaining:  &ast.General{Scanners: map[ast.Kind]ast.Scanner{1: func(string, int) (int, bool) { return 1, true }}},
		Within: func(run *ast.Run, dst []ast.Raw, start ast.Kind, src string, tree bool) ([]ast.Raw, bool) {
			if run.Steps != 7 || run.Context != done {
				t.Errorf("%q is read with %d steps and the context %v", src, run.Steps, run.Context)
			}
			read++
			if read > 1 {
				cancel(nobodyWaits)
				run.Stopped = ast.StopContext
			}
			return dst, false
		},
	}
	p := g.NewParser()
	p.Limits.Steps, p.Context = 7, done
	_, _, err := p.ParsePrefix("ab")
	if !errors.Is(err, nobodyWaits) || read != 2 {
		t.Errorf("after %d attempts it fails with %v, want the cause of the context after 2", read, err)
	}
}

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
