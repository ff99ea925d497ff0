// Package proof holds what bnfcheck prove finds as golden files: for every published grammar, and for a PEG of RFC 3986
// that is wrong. They change only through
//
//	go test ./golden/proof -update
//
// and every change is read before it is committed.
package proof

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/prove"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

func TestProof(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		t.Run(g.Name, func(t *testing.T) {
			pair, err := subject.Published(g.Name)
			if err != nil {
				t.Fatal(err)
			}
			assert(t, g.Name, pair)
		})
	}
}

// TestRefutation: a fault has to be easy to find in the report.
func TestRefutation(t *testing.T) {
	dir := filepath.Join("..", "..", "internal", "prove", "testdata")
	abnf, err := os.ReadFile(filepath.Join(dir, "authority.abnf"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile(filepath.Join(dir, "authority.peg"))
	if err != nil {
		t.Fatal(err)
	}
	pair, err := subject.Files("authority.abnf", abnf, "authority.peg", rules, subject.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	assert(t, "authority", pair)
}

func assert(t *testing.T, name string, pair subject.Pair) {
	t.Helper()
	r, err := prove.Prove(pair, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	goldie.New(t, goldie.WithFixtureDir("."), goldie.WithDiffEngine(goldie.ClassicDiff)).Assert(t, name, []byte(b.String()))
}
