package learn_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/peers/learn"
)

// TestReportSaysOfHowMany: what was not decided is counted of all answers.
func TestReportSaysOfHowMany(t *testing.T) {
	var b strings.Builder
	m := &learn.Report{Parser: "p", Scheme: "s", Questions: 5, Known: 2}
	if err := m.WriteText(&b, 0); err != nil || !strings.Contains(b.String(), ", 0 of 7 answers undecided, ") {
		t.Errorf("%v: %s", err, b.String())
	}
}
