// Package readings holds golden files of what each entry of the ledgers changes: the productions, and the shortest string that
// each gains or loses. They change only through
//
//	go test ./golden/readings -update
//
// and every change is read against the RFCs before it is committed.
package readings

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
)

func TestEffects(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		effects, err := diff.ReadingEffects(g.Name, diff.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := diff.WriteEffects(&b, effects); err != nil {
			t.Fatal(err)
		}
		goldentest.Check(t, g.Name+".golden", goldentest.Output("effects", b.String()))
	}
}
