package grammartest

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
)

// Equal fails the test unless both grammars derive the same strings, which it decides exactly, and says what
// sets them apart. It ends the test if a limit is passed or a grammar derives no string.
func (g *Grammar) Equal(t testing.TB, other *Grammar) {
	t.Helper()
	if d := g.diff(t, other); d.Relation != diff.Equal {
		fail(t, d)
	}
}

// Contains fails the test unless g derives every string that the other grammar derives, which it
// decides exactly. It ends the test where Equal does.
func (g *Grammar) Contains(t testing.TB, other *Grammar) {
	t.Helper()
	if d := g.diff(t, other); d.OnlyB.Shortest != nil {
		fail(t, d)
	}
}

// EqualRegexp fails the test unless the expression's MatchString is true for exactly the strings
// that the grammar derives. It decides that exactly: an expression without \A and \z, or ^ and $,
// matches more than it says. The failure has the shortest strings. EqualRegexp ends the test if a limit is
// passed, or if the grammar or the expression has no string.
func (g *Grammar) EqualRegexp(t testing.TB, re *regexp.Regexp) {
	t.Helper()
	lines, err := g.apart(re.String())
	if err != nil {
		t.Fatalf("grammartest: %s and the expression: %v", g.name, g.inOptions(err))
	}
	if lines != nil {
		t.Error(strings.Join(lines, "\n"))
	}
}

// apart returns lines with the shortest string that the expression matches and g does not derive, and the
// reverse; nil if there are none. It fails at a limit, and for an expression that cannot be read or that
// matches no string at all.
func (g *Grammar) apart(re string) (lines []string, err error) {
	defer budget.Catch(&err)
	mine, err := g.language()
	if err != nil {
		return nil, err
	}
	r, err := regex.Parse("go", re)
	if err != nil {
		return nil, err
	}
	theirs, err := r.DFA(budget.New(context.Background(), g.limits), regex.Search)
	if err != nil {
		return nil, err
	}
	if theirs.IsEmpty() {
		at, text := r.Nothing(nil)
		return nil, fmt.Errorf("offset %d: the expression matches no string: nothing matches from `%s` on", at.Col-1,
			text)
	}
	if w, ok := theirs.ShortestOutside(mine); ok {
		lines = append(lines, fmt.Sprintf("the expression matches %q, which the grammar does not derive:\n%v", w,
			g.Reason(w)))
	}
	if w, ok := mine.ShortestOutside(theirs); ok {
		lines = append(lines, fmt.Sprintf("the expression does not match %q, which %s derives", w, g.name))
	}
	return lines, nil
}

// diff returns how the languages of two grammars differ. The result is never nil: its Relation can be Equal.
// If the two cannot be compared, as when a limit is passed or one of them derives nothing, it ends the test t
// with the reason.
func (g *Grammar) diff(t testing.TB, other *Grammar) *diff.Difference {
	t.Helper()
	d, err := func() (d *diff.Difference, err error) {
		defer budget.Catch(&err)
		a, err := g.fresh().Language()
		if err != nil {
			return nil, g.inOptions(err)
		}
		b, err := other.fresh().Language()
		if err != nil {
			return nil, other.inOptions(err)
		}
		return diff.Comparison{A: a, B: b}.Diff(diff.Options{})
	}()
	// A limit may be that of either grammar, and comes by an error or, through Catch, by a panic.
	if err != nil {
		t.Fatalf("grammartest: %s and %s: %v", g.name, other.name, other.inOptions(g.inOptions(err)))
	}
	return d
}

// screen is how many lines of a difference are shown.
const screen = 24

// fail fails the test with the text of a difference, at most screen lines of it. The test goes on.
func fail(t testing.TB, d *diff.Difference) {
	t.Helper()
	var b bytes.Buffer
	_ = d.WriteText(&b, 0, false)                                 // a buffer takes all
	text := strings.Replace(b.String(), " (see --causes)", "", 1) // a flag of the command
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > screen {
		lines = append(lines[:screen], "...")
	}
	t.Error(strings.Join(lines, "\n"))
}
