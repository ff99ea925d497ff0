package lint

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The languages of productions that use each other are computed together: in a circle of twice as many productions
// that takes twice the steps. Each was computed alone, from the whole circle, and most were undecided.
func TestCirclesAreComputedOnce(t *testing.T) {
	const line = "r%d = \"(\" r%d / \"x\"\n"
	var each []int64
	for _, n := range []int{100, 200, 400} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, line, i, (i+1)%n)
		}
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text.String())))(t)
		g.Budget = budget.New(context.Background(), budget.Limits{})
		l := &linter{printer: printer{g: g}, report: &Report{Grammar: g}}
		s := newSpread(l.printer, Options{})
		for _, r := range g.Rules {
			if err := s.language(r.ID).err; err != nil {
				t.Fatalf("%d productions: %s: %v", n, r.ID, err)
			}
		}
		each = append(each, g.Budget.Taken())
	}
	if t.Logf("%d steps", each); each[1] > 3*each[0] || each[2] > 3*each[1] {
		t.Errorf("the steps grow faster than the circle: %d", each)
	}
}

// A production of a circle that is too large to be computed at once is charged once, also the first that is asked for,
// for which the circle was tried.
func TestCirclesAreChargedOnce(t *testing.T) {
	g := must.Of(bnf.ReadABNF("g.abnf", []byte("a = \"(\" b / \"x\"\nb = \"[\" a / \"y\"\n")))(t)
	g.Budget = budget.New(context.Background(), budget.Limits{Bytes: 1 << 8})
	s := newSpread(printer{g: g}, Options{})
	for i, id := range []string{"a", "b"} {
		if err := s.language(id).err; !errors.Is(err, lang.ErrTooLarge) {
			t.Fatalf("%s: %v; it should not fit", id, err)
		}
		if want := (i + 1) * s.size(id); s.work != want {
			t.Errorf("after %s, %d are charged; want %d", id, s.work, want)
		}
	}
}
