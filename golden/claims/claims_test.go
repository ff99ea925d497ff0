// Package claims holds as golden files what has become of every claim that the texts make about their own grammars, and
// what each grammar says of the URLs that its text prints. They change only through
//
//	go test ./golden/claims -update
//
// and every change is read against the RFCs before it is committed.
package claims

import (
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/claims"
)

func TestClaims(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		list, err := claims.Of(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			continue
		}
		var b strings.Builder
		if err := claims.WriteText(&b, list); err != nil {
			t.Fatal(err)
		}
		assert(t, g.Name, b.String())
	}
}

func TestPrinted(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		rows, err := claims.Printed(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) == 0 {
			continue
		}
		var b strings.Builder
		if err := claims.WritePrinted(&b, rows); err != nil {
			t.Fatal(err)
		}
		assert(t, "printed-"+g.Name, b.String())
	}
}

func assert(t *testing.T, name, got string) {
	t.Helper()
	goldie.New(t, goldie.WithFixtureDir(".")).Assert(t, name, []byte(got))
}
