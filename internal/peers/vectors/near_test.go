package vectors_test

import (
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestNear(t *testing.T) {
	g := must.Of(bnf.ReadABNF("n.abnf", []byte("n = 1*DIGIT \"-\"\n")))(t)
	d := must.Of(lang.FromBNF(g, "n"))(t)
	list, complete := vectors.Near(d, []string{"1-"})
	for _, w := range []string{"1-", "-", "1", "10-", "1--", "1-0", "0-", "a-", "1a"} {
		if !slices.Contains(list, w) {
			t.Errorf("%q is not among %q", w, list)
		}
	}
	if !complete || list[0] != "1-" || len(list) != len(slices.Compact(slices.Sorted(slices.Values(list)))) {
		t.Errorf("%t, %q", complete, list)
	}
	if list, complete = vectors.Near(d, []string{string(make([]byte, 1<<16))}); complete || len(list) != 200_000 {
		t.Errorf("%d strings, complete: %t", len(list), complete)
	}
}
