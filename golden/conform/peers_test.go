// Package conform_test compares other people's parsers and test suites with both RFCs.
package conform_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/testkit/corpustest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestPeers compares the expectations of other projects' URL tests with both RFCs. A peer stands for an implementation that
// accepts what its tests expect to be accepted. Tests of partial forms, and of what a URL is made into, are no verdicts. The
// golden file has counts and productions, and no inputs.
func TestPeers(t *testing.T) {
	var out strings.Builder
	for _, file := range corpustest.Peers(t) {
		peer, inputs := expectations(t, file)
		r := must.Of(conform.Run(t.Context(), conform.Config{Implementations: []conform.Implementation{peer}, Inputs: inputs}))(t)
		o := r.Implementations[0]
		fmt.Fprintf(&out, "%s: %d strings, %d accepted, %d rejected, %d without a verdict\n", o.Name, r.Inputs, o.Accepted, o.Rejected, o.Undecided)
		for _, c := range r.Comparisons {
			fmt.Fprintf(&out, "\n  %s: %d strings decided; both accept %d, the peer alone %d, the RFC alone %d\n", c.Grammar, c.Compared, c.Both, c.More, c.Less)
			writeGroups(&out, c.Groups)
		}
		out.WriteByte('\n')
	}
	goldentest.Check(t, "peers.golden", goldentest.Output("counts", out.String()))
}

// writeGroups writes the groups without their inputs, those of a production and kind together.
func writeGroups(out *strings.Builder, groups []conform.Group) {
	type row struct {
		kind       conform.Kind
		production string
		line       int
	}
	counts := map[row]int{}
	places := map[row][]string{}
	var order []row
	for _, g := range groups {
		k := row{g.Kind, g.Production, g.Line}
		if counts[k] == 0 {
			order = append(order, k)
		}
		counts[k] += g.Count
		places[k] = append(places[k], g.At)
	}
	slices.SortStableFunc(order, func(a, b row) int {
		if a.kind != b.kind {
			return strings.Compare(string(b.kind), string(a.kind))
		}
		return counts[b] - counts[a]
	})
	for i, k := range order {
		if i == 0 || order[i-1].kind != k.kind {
			fmt.Fprintf(out, "    %s\n", map[conform.Kind]string{
				conform.AcceptsMore: "accepted by the peer, " +
					"and not by the RFC, in", conform.AcceptsLess: "rejected by the peer, and not by the RFC, in",
			}[k.kind])
		}
		fmt.Fprintf(out, "      %4d  %-14s line %4d  at %s\n", counts[k], k.production, k.line, strings.Join(places[k], " "))
	}
}

// expectations reads a file of test cases: input, expectation, source.
func expectations(t *testing.T, file string) (conform.Implementation, []string) {
	t.Helper()
	verdicts := map[string]conform.Verdict{}
	var inputs []string
	for _, columns := range corpustest.Rows(t, file) {
		if len(columns) != 3 {
			t.Fatalf("%s: %d columns", filepath.Base(file), len(columns))
		}
		w := corpustest.Unescape(t, columns[0])
		verdict := conform.Undecided
		switch word, _, _ := strings.Cut(columns[1], " "); word {
		case "accept":
			verdict = conform.Accepted
		case "reject":
			verdict = conform.Rejected
		}
		if before, ok := verdicts[w]; ok && before != verdict { // two of its tests do not ask the same
			verdict = conform.Undecided
		}
		verdicts[w] = verdict
		inputs = append(inputs, w)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".tsv")
	return conform.Func{Title: name, Parse: func(w string) conform.Answer { return conform.Answer{Verdict: verdicts[w]} }}, inputs
}
