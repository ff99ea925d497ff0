package conform

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
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

// An expression with a lookahead is read as the states of its automaton. None of them is a place that an error names,
// and what explains has no more states than there are, although the ways through them are many.
func TestSubjectOfStates(t *testing.T) {
	var words []string
	for i := range 26 {
		words = append(words, fmt.Sprintf("%c%c%cab", 'a'+i, 'a'+i*7%26, 'a'+i*11%26))
	}
	g := must.Of(catalog.Open("pcre:^(?!(?:"+strings.Join(words, "|")+")$)[a-z]{1,40}$", catalog.Options{}))(t)
	s, p, err := Subject(g)
	must.Do(t, err)
	if states := len(s.Grammar.Tables.Note); states == 0 || states > s.DFA.States() {
		t.Errorf("%d states explain an automaton of %d", states, s.DFA.States())
	}
	for _, w := range []string{words[0], "aaa0", strings.Repeat("a", 41)} {
		e, ok := errors.AsType[*ast.SyntaxError](p.Explain(w))
		if !ok || len(e.In) != 1 || e.In[0] != p.Start {
			t.Errorf("%s: %v", w, e)
		}
	}
	boundaries := must.Of(s.Boundaries(1024))(t)
	for _, b := range boundaries {
		if strings.Contains(b.Why, "@") {
			t.Errorf("%q: %s", b.Word, b.Why)
		}
	}
	if len(boundaries) < 3 {
		t.Errorf("only %d boundaries", len(boundaries))
	}
}
