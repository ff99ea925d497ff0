package golden

import (
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/urls/claims"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// TestClaims shows the outcome of every claim that the texts make about their own grammars, and the verdict of each grammar on the URLs
// that its text prints.
func TestClaims(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		list := must.Of(claims.Of(nil, g.Name))(t)
		rows := must.Of(claims.Printed(g.Name))(t)
		if len(list) == 0 && len(rows) == 0 {
			continue
		}
		var text, printed strings.Builder
		must.Do(t, errors.Join(claims.WriteText(&text, list), claims.WritePrinted(&printed, rows)))
		goldentest.Check(t, "claims/"+g.Name+".golden", goldentest.Output("claims", text.String()), goldentest.Output("printed", printed.String()))
	}
}

// TestEffects shows what each entry of the ledgers changes: the productions, and the shortest string that each gains or loses.
func TestEffects(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		effects := must.Of(diff.ReadingEffects(g.Name, diff.Options{}))(t)
		var b strings.Builder
		must.Do(t, diff.WriteEffects(&b, 0, effects))
		goldentest.Check(t, "readings/"+g.Name+".golden", goldentest.Output("effects", b.String()))
	}
}

// TestLint shows what lint finds in every published grammar and in those that they are compared with.
func TestLint(t *testing.T) {
	for _, name := range catalog.Names() {
		opened := must.Of(catalog.Open(name, catalog.Usual))(t)
		r := must.Of(lint.Lint(opened.Grammar, lint.Options{}))(t)
		goldentest.Check(t, "lint/"+name+".golden", goldentest.Output("findings", string(r.AppendText(nil, &layout.Screen{Width: 110}, nil))))
	}
}

// TestProof shows the reports of prove for every published grammar.
func TestProof(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		proof(t, g.Name, must.Of(catalog.PublishedPair(g.Name))(t))
	}
}

// TestRefutation shows how a fault is reported: in a wrong PEG of RFC 3986.
func TestRefutation(t *testing.T) {
	abnf, rules := goldentest.Read(t, "proof/authority.golden", "input authority.abnf"), goldentest.Read(t, "proof/authority.golden", "input authority.peg")
	proof(t, "authority", must.Of(catalog.Files("authority.abnf", []byte(abnf), "authority.peg", []byte(rules), catalog.FileOptions{}))(t))
}

func proof(t *testing.T, name string, pair catalog.Pair) {
	t.Helper()
	r := must.Of(prove.Prove(pair, prove.Options{}))(t)
	goldentest.Check(t, "proof/"+name+".golden", goldentest.Output("report", string(r.AppendText(nil, &layout.Screen{}, true, 0, nil))))
}
