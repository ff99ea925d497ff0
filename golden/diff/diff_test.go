// Package diff holds the exact difference of the two RFCs as golden files: a summary, and for every scheme, the generic
// forms and the two urls all of what [prove.Diff] finds. They change only through
//
//	go test ./golden/diff -update
//
// and every change is read against the RFCs before it is committed.
package diff

import (
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"

	"github.com/bnfcheck/bnfcheck/internal/prove"
)

func TestDifferences(t *testing.T) {
	s, err := prove.Subjects(prove.Version{})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "", prove.Standard(s[0], s[1]))
}

// TestDifferencesAsPrinted: the same with no reading but those without which a line has no meaning.
func TestDifferencesAsPrinted(t *testing.T) {
	s, err := prove.Subjects(prove.Version{AsPrinted: true})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := prove.WriteSummary(&b, differences(t, prove.Standard(s[0], s[1]))); err != nil {
		t.Fatal(err)
	}
	assert(t, "as-printed", b.String())
}

// compare asserts a file for each comparison, and a summary.
func compare(t *testing.T, prefix string, cs []prove.Comparison) {
	ds := differences(t, cs)
	for _, d := range ds {
		var b strings.Builder
		if err := d.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		assert(t, prefix+d.Topic, b.String())
	}
	var b strings.Builder
	if err := prove.WriteSummary(&b, ds); err != nil {
		t.Fatal(err)
	}
	assert(t, prefix+"summary", b.String())
}

func differences(t *testing.T, cs []prove.Comparison) []*prove.Difference {
	t.Helper()
	var ds []*prove.Difference
	for _, c := range cs {
		d, err := c.Diff(prove.DiffOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ds = append(ds, d)
	}
	return ds
}

func assert(t *testing.T, name, got string) {
	t.Helper()
	goldie.New(t, goldie.WithFixtureDir(".")).Assert(t, name, []byte(got))
}
