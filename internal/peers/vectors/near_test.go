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
	// The number of strings near a base grows with its length, and so does each of them.
	for _, length := range []int{300, 1 << 16, 1 << 27} {
		list, complete = vectors.Near(d, []string{string(make([]byte, length))})
		size := 0
		for _, w := range list {
			size += len(w)
		}
		if complete != (length == 300) || len(list) > 200_000 || size > 64<<20+length {
			t.Errorf("%d bytes: %d strings of %d bytes, complete: %t", length, len(list), size, complete)
		}
	}
}
