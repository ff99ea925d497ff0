// Package claims holds golden files of the outcome of every claim that the texts make about their own grammars, and of the
// verdict of each grammar on the URLs that its text prints. They change only through
//
//	go test ./golden/claims -update
//
// and every change is read against the RFCs before it is committed.
package claims

import (
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/proof/claims"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestClaims(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		list := must.Of(claims.Of(nil, g.Name))(t)
		rows := must.Of(claims.Printed(g.Name))(t)
		if len(list) == 0 && len(rows) == 0 {
			continue
		}
		var text, printed strings.Builder
		must.Do(t, errors.Join(claims.WriteText(&text, list), claims.WritePrinted(&printed, rows)))
		goldentest.Check(t, g.Name+".golden", goldentest.Output("claims", text.String()), goldentest.Output("printed", printed.String()))
	}
}
