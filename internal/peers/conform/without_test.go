package conform

import (
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// An expression whose automaton is too large has no derivations that are smaller: the reason is returned at once.
func TestSubjectWithoutOfAnExpression(t *testing.T) {
	why := errors.New("too large")
	g := must.Of(catalog.Open(`js:/^(?!.*(?:admin|root))[a-z]{1,16}$/`, catalog.Options{}))(t)
	if s, p, err := SubjectWithout(g, why); s != nil || p != nil || err != why {
		t.Errorf("%v, %v, %v", s, p, err)
	}
}
