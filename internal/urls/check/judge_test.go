package check

import (
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A faulty production accepts "a" and panics on what its fields name.
type faulty struct{ accepting, explaining string }

func (f faulty) Accepts(s string) (bool, error) {
	if s == f.accepting {
		panic("no answer")
	}
	return s == "a", nil
}

func (f faulty) Explain(s string) error {
	if s == f.explaining {
		panic("no reason")
	}
	return errors.New("no a")
}

func (f faulty) Message(err error) string { return err.Error() }

// A defect that one line meets concerns that line: its verdict stands if it was known, and the other lines have theirs.
func TestDefectIsOfOneLine(t *testing.T) {
	const defect = "a defect of bnfcheck, please report it with this string: "
	g := must.Of(bnfcheck.Find("rfc1738"))(t)
	j := NewJudge([]*bnfcheck.Grammar{g}, Options{MaxLength: 10, By: faulty{"x", "y"}}, false)
	for _, c := range []struct {
		line    string
		answer  Answer
		message string
	}{
		{"a", Accepted, ""},
		{"b", Answer(bnfcheck.Rejected), "no a"},
		{"x", Undecided, defect + "no answer"},
		{"y", Answer(bnfcheck.Rejected), defect + "no reason"},
		{"a", Accepted, ""},
	} {
		got := j.Line(Line{Text: c.line, Length: len(c.line)})[0]
		if got.Answer != c.answer || strings.TrimPrefix(got.Message, g.Name) != c.message {
			t.Errorf("%q: %v, %q; want %v, %q", c.line, got.Answer, got.Message, c.answer, c.message)
		}
	}
}
