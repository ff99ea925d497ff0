package check

import (
	"fmt"
	"testing"

	"github.com/bnfcheck/bnfcheck"
)

// A tally stays small on any input, counts everything, and does not depend on how lines are batched.
func TestTally(t *testing.T) {
	use := bnfcheck.RFCs()
	const schemes = 3 * maxSchemes
	var texts []string
	for _, size := range []int{1, 7, 1000, schemes} {
		var total Tally
		total.Reset(use)
		var part Tally
		part.Reset(use)
		for i := range schemes {
			part.Lines++
			for g := range use {
				part.Add(g, &Judgment{Answer: Answer(i % 3), Verdict: bnfcheck.Verdict{Scheme: fmt.Sprintf("s%d", i/2*(i%2))}})
			}
			if part.Lines == size || i == schemes-1 {
				total.Merge(&part)
				part.Reset(use)
			}
		}
		if len(total.rows) > maxSchemes+1 {
			t.Errorf("%d rows", len(total.rows))
		}
		rows := total.Summary()
		last := rows[len(rows)-1]
		for g := range use {
			if n := last.Counts[g].Total(); n != schemes || total.Lines != schemes {
				t.Errorf("%d lines counted as %d", schemes, n)
			}
		}
		texts = append(texts, fmt.Sprint(rows, total.FoundRules()))
	}
	for _, text := range texts {
		if text != texts[0] {
			t.Errorf("the batches can be seen:\n%s\n%s", texts[0], text)
		}
	}
}

// A tally that is used again may get another number of grammars.
func TestResetForOtherGrammars(t *testing.T) {
	all := bnfcheck.RFCs()
	var tally Tally
	for _, n := range []int{len(all), 1, len(all)} {
		tally.Reset(all[:n])
		for i := range n {
			tally.Count(i, "http", Accepted)
		}
		if total := tally.Total(); len(total.Counts) != n || len(tally.Findings) != n {
			t.Errorf("%d grammars: counts of %d, findings of %d", n, len(total.Counts), len(tally.Findings))
		}
	}
}
