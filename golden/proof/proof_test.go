// Package proof holds golden files of the reports of bnfcheck prove, for every published grammar and for a wrong PEG of
// RFC 3986. They change only through
//
//	go test ./golden/proof -update
//
// and every change is read before it is committed.
package proof

import (
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/report/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestProof(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		t.Run(g.Name, func(t *testing.T) {
			pair := must.Of(catalog.Published(g.Name))(t)
			assert(t, g.Name, pair)
		})
	}
}

// TestRefutation shows how a fault is reported.
func TestRefutation(t *testing.T) {
	abnf := goldentest.Read(t, "authority.golden", "input authority.abnf")
	rules := goldentest.Read(t, "authority.golden", "input authority.peg")
	pair := must.Of(catalog.Files("authority.abnf", []byte(abnf), "authority.peg", []byte(rules), catalog.FileOptions{}))(t)
	assert(t, "authority", pair)
}

func assert(t *testing.T, name string, pair catalog.Pair) {
	t.Helper()
	r := must.Of(prove.Prove(pair, prove.Options{}))(t)
	goldentest.Check(t, name+".golden", goldentest.Output("report", string(r.AppendText(nil, &layout.Screen{}, true, 0, nil))))
}
