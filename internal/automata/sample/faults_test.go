package sample_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// A fault in any engine breaks its law, and is found with the shortest word that shows it.
func TestPlantedFaults(t *testing.T) {
	longtest.Need(t, "it makes a dozen failing words short")
	const (
		accepts    = "the function that only accepts agrees"
		parses     = "can be read"
		pigeon     = "pigeon's parser agrees, and its tree is the same"
		definition = "the definition of a PEG agrees, and its tree is the same"
		interprets = "the interpreter of the BNF agrees, and its tree is a derivation"
		derivation = "the tree is a derivation, and its spans nest"
		explains   = "the automaton that explains agrees; its offset is that of the production that it explains, and it expects all that can follow"
	)
	parse := func(change func(nodes []ast.Raw, src string) ([]ast.Raw, bool)) func(p *published) {
		return func(p *published) {
			was := p.Grammar.Grammar.Parse
			p.Grammar.Grammar.Parse = func(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {
				nodes, ok := was(nil, start, src)
				if !ok {
					return dst, false
				}
				nodes, ok = change(nodes, src)
				return append(dst, nodes...), ok
			}
		}
	}
	span := parse(func(nodes []ast.Raw, src string) ([]ast.Raw, bool) {
		for i := 1; i < len(nodes); i++ {
			if nodes[i].Kind == rfc1738.KindPort {
				nodes[i].Start--
			}
		}
		return nodes, true
	})
	sound := open(t, bnfcheck.RFC1738)
	for _, c := range []struct {
		fault, start string
		plant        func(p *published)
		law, want    string
	}{
		{"a byte of another class in the tables", "urlpath", func(p *published) {
			tables := *p.Grammar.Tables
			tables.Classes['~'] = tables.Classes['a']
			p.Grammar.Grammar.Tables = &tables
		}, explains, "~"},
		{"a state of the tables that accepts too early", "escape", func(p *published) {
			tables := *p.Grammar.Tables
			tables.Note = slices.Clone(tables.Note)
			q := p.Machine().Start(rfc1738.KindEscape, "").State
			tables.Note[p.Machine().Step(q, '%')] = tables.Note[p.Machine().Step(p.Machine().Step(p.Machine().Step(q, '%'), '0'), '0')]
			p.Grammar.Grammar.Tables = &tables
		}, explains, "%"},
		{"a span that begins too early: another tree than pigeon's", "httpurl", span, pigeon, "http://a:0"},
		{"a span that begins too early: no derivation", "httpurl", span, derivation, "http://a:0"},
		{"a node that is left out", "ftpurl", parse(func(nodes []ast.Raw, _ string) ([]ast.Raw, bool) {
			i := slices.IndexFunc(nodes, func(n ast.Raw) bool { return n.Kind == rfc1738.KindFtptype })
			if i < 0 {
				return nodes, true
			}
			for j := range nodes {
				if nodes[j].Next > int32(i) {
					nodes[j].Next--
				}
			}
			return slices.Delete(nodes, i, i+1), true
		}), derivation, "ftp://a/;type=a"},
		{"a rejection", "gopherurl", parse(func(nodes []ast.Raw, src string) ([]ast.Raw, bool) {
			return nodes, strings.Count(src, "%") < 2 || !strings.HasSuffix(src, "%09")
		}), parses, "gopher://a/%aa%09"},
		{"what is accepted though no host may end so", "hostport", func(p *published) {
			was := p.Grammar.Accept
			p.Grammar.Grammar.Accept = func(start ast.Kind, src string) bool {
				return was(start, src) || strings.HasSuffix(src, "-") && was(start, src[:len(src)-1])
			}
		}, accepts, "a-"},
		{"pigeon's parser loses a child", "newsurl", func(p *published) {
			was := p.pigeon.Tree
			p.pigeon = gen.Pigeon{Tree: func(start ast.Kind, src string) (*ast.Tree, error) {
				tree, err := was(start, src)
				if err == nil && strings.Contains(src, "@") {
					return &ast.Tree{Grammar: tree.Grammar, Source: src, Nodes: []ast.Raw{{Kind: start, End: int32(len(src)), Next: 1}}}, nil
				}
				return tree, err
			}}
		}, pigeon, "news:a@a"},
		{"pigeon's parser gives up", "prosperourl", func(p *published) {
			was := p.pigeon.Tree
			p.pigeon = gen.Pigeon{Tree: func(start ast.Kind, src string) (*ast.Tree, error) {
				if strings.Count(src, ";") > 2 {
					return nil, errors.New("too many")
				}
				return was(start, src)
			}}
		}, pigeon, "prospero://a/;=;=;="},
		{"a class of the PEG has a byte less", "port", func(p *published) {
			p.peg = changed(p.peg, "digit", func(e *expr.Expr) *expr.Expr {
				for e.Op != expr.Class {
					e = e.Sub[0]
				}
				return &expr.Expr{Op: expr.Class, Set: e.Set.Minus(expr.Bytes("7"))}
			})
		}, definition, "7"},
		{"a production of the BNF has an alternative more", "port", func(p *published) {
			p.bnf = changed(p.bnf, "digit", func(e *expr.Expr) *expr.Expr { return expr.Or(e, expr.In(expr.Range('a', 'z'))) })
			p.interpreters(t)
		}, interprets, "a"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			own, p := *sound.Grammar.Grammar, *sound
			p.Grammar = &bnfcheck.Grammar{Grammar: &own}
			k, _ := p.Kind(c.start)
			s := *p.byKind[k]
			p.starts = []*start{&s}
			c.plant(&p)
			r := sample.Hold(p.plan(3000, 0), func(i int, w string) (*parsed, error) { return p.read(p.starts[i], w) }, engineLaws)
			found := false
			for _, f := range r.Failures {
				if f.Law == c.law {
					found = true
					t.Logf("%q, found as %q: %v", f.Word, f.Found, f.Err)
					if f.Word != c.want {
						t.Errorf("%q, want %q", f.Word, c.want)
					}
				}
			}
			if !found {
				t.Errorf("not found: %+v", r.Laws)
			}
		})
	}
}

// changed returns a grammar in which one rule has another expression.
func changed(g *expr.Grammar, id string, change func(e *expr.Expr) *expr.Expr) *expr.Grammar {
	var rules []*expr.Rule
	for _, r := range g.Rules {
		if r.ID == id {
			other := *r
			other.Expr = change(r.Expr)
			r = &other
		}
		rules = append(rules, r)
	}
	return g.With(rules)
}
