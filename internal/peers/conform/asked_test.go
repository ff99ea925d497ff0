package conform_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestReportOfNoMutants: that no mutant is told from the grammar comes with how many there were.
func TestReportOfNoMutants(t *testing.T) {
	for _, c := range []struct {
		of   conform.Mutants
		want string
	}{
		{conform.Mutants{}, "\nWhether they tell the grammar from one with a change was not asked: no mutant was made.\n"},
		{
			conform.Mutants{Living: 2, Unseen: 1},
			"\nThey are not known to tell the grammar from any of 3 mutants, each of which is the grammar with one change: " +
				"2 may derive the same, and 1 were not looked at.\n",
		},
		{conform.Mutants{Killed: 2}, "\nThey tell the grammar from 2 mutants, each of which is the grammar with one change.\n"},
	} {
		var b strings.Builder
		r := &conform.Report{Inputs: 1, Mutants: &c.of}
		if err := r.WriteText(&b, 1); err != nil || !strings.Contains(b.String(), c.want) {
			t.Errorf("%+v: %v: %s", c.of, err, b.String())
		}
	}
}

// Of one string there is no plural.
func TestOneDifferentHost(t *testing.T) {
	var b strings.Builder
	r := &conform.Report{Inputs: 1, Pairs: []conform.Pair{{A: "a", B: "b", Compared: 1, Different: 1}}}
	must.Do(t, r.WriteText(&b, 1))
	if !strings.Contains(b.String(), "\na and b see different hosts in 1 of 1 string\n") {
		t.Error(b.String())
	}
}
