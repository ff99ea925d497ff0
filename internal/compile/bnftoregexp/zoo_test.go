package bnftoregexp_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestZoo writes an expression for every regular rule of other people's grammars, which New reads back and compares: in
// each flavor in turn, and in all where long tests are to run. Only rules with octets that are no UTF-8 are refused, and
// not for pcre. Rules that need a name without a production are passed over: what they derive is not known.
func TestZoo(t *testing.T) {
	zoo := os.Getenv("BNFCHECK_ZOO")
	if zoo == "" {
		t.Skip("BNFCHECK_ZOO names no folder")
	}
	text := must.Of(lang.Text())(t)
	files, err := filepath.Glob(filepath.Join(zoo, "abnf", "*.abnf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no grammars (%v)", err)
	}
	rules, written, refused, twice, turn := 0, 0, 0, map[string]bool{}, 0
	for _, file := range files {
		o := must.Of(catalog.Open(file, catalog.Usual))(t)
		for _, r := range o.Grammar.Rules {
			if len(bnf.Missing(o.Grammar, r.ID)) > 0 {
				continue
			}
			a, err := o.Automaton(r)
			if _, nests := errors.AsType[*expr.SelfEmbedding](err); nests {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			rules++
			flavors := bnftoregexp.Names()
			if !longtest.Enabled() {
				turn++
				flavors = flavors[turn%len(flavors):][:1]
			}
			for _, name := range flavors {
				x, err := bnftoregexp.New(o.Within, r, a, bnftoregexp.Of(name), bnftoregexp.Options{})
				if _, no := errors.AsType[*bnftoregexp.RefusedError](err); no && name != "pcre" && !a.Subset(text) {
					refused++
					continue
				} else if err != nil {
					t.Errorf("%s: %s: %s: %v", filepath.Base(file), r.ID, name, err)
					continue
				}
				written++
				if regex.Backtracks(name) && slices.Contains(regex.Flavors(), name) && a.Live(0) {
					g, exact, err := must.Of(regex.Parse(name, x.String()))(t).Grammar(nil, regex.Search)
					bad, err2 := lint.ExponentialExpr(g.Rules[0].Expr, nil)
					if bad || exact != nil || errors.Join(err, err2) != nil {
						t.Errorf("%s: %s: %s takes exponential time: %v; no grammar is its own: %v; %v, %v", filepath.Base(file), r.ID, x, bad, exact != nil, err, err2)
					}
				}
				if x.Ambiguous != nil {
					twice[filepath.Base(file)+"#"+r.ID] = true
				}
			}
		}
	}
	if rules < len(files) || written < refused { // nearly all was passed over or refused
		t.Errorf("%d files have %d regular rules; %d expressions, %d refused", len(files), rules, written, refused)
	}
	t.Logf("%d regular rules, %d expressions, %d refused, %d can match a string in two ways: %v", rules, written, refused, len(twice), twice)
}
