package vectors_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// TestGuaranteeOfNoMutants: a guarantee about no mutant says how many there were.
func TestGuaranteeOfNoMutants(t *testing.T) {
	for _, c := range []struct {
		of   vectors.Mutation
		want string
	}{
		{vectors.Mutation{}, "nothing was asked: the printed grammar has no mutants"},
		{
			vectors.Mutation{Unseen: 7},
			"of 7 mutants of the printed grammar none is known to be killed: " +
				"0 may derive the same, and 7 were not looked at, which would take too long",
		},
		{
			vectors.Mutation{Mutants: 2},
			"an implementation that passes every vector is none of the 2 mutants of the printed grammar that derive something else",
		},
	} {
		if got := c.of.Guarantee(); got != c.want {
			t.Errorf("%+v: %s", c.of, got)
		}
	}
}
