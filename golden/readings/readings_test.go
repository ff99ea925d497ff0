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
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestEffects(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		effects := must.Of(diff.ReadingEffects(g.Name, diff.Options{}))(t)
		var b strings.Builder
		must.Do(t, diff.WriteEffects(&b, effects))
		goldentest.Check(t, g.Name+".golden", goldentest.Output("effects", b.String()))
	}
}
