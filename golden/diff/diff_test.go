// Package diff holds golden files of the exact difference of the two RFCs: a summary, and all of the difference for every
// scheme, the generic forms and the two urls; of what last call changed between the draft and RFC 1738; and of how far each text
// is from today's URIs. They change only through
//
//	go test ./golden/diff -update
//
// and every change is read against the RFCs before it is committed.
package diff

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/report/drawing"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

func TestDifferences(t *testing.T) {
	s := must.Of(catalog.Load(catalog.Version{}))(t)
	ds := differences(t, diff.Standard(s[0], s[1]), 816)
	for _, d := range ds {
		outputs := []goldentest.Section{difference(t, d)}
		if d.Topic == "mailto" { // a small one
			outputs = append(outputs, section(t, "dot", func(w io.Writer) error { return drawing.WritePairs(w, d) }), section(t, "json", func(w io.Writer) error {
				e := json.NewEncoder(w)
				e.SetIndent("", " ")
				e.SetEscapeHTML(false)
				return e.Encode(d)
			}))
		}
		goldentest.Check(t, d.Topic+".golden", outputs...)
	}
	svg := section(t, "svg", func(w io.Writer) error { return drawing.WriteRegions(w, ds) })
	goldentest.Check(t, "summary.golden", summary(t, ds), svg)
}

// TestFirstScreen: what makes up a tenth of the strings of either text stands in the first 24 lines of 80 columns.
func TestFirstScreen(t *testing.T) {
	s := must.Of(catalog.Load(catalog.Version{}))(t)
	for _, c := range diff.Standard(s[0], s[1]) {
		d := must.Of(c.Diff(diff.Options{}))(t)
		var b strings.Builder
		must.Do(t, d.WriteText(&b, 0, false))
		var screen []string
		for line := range strings.Lines(b.String()) {
			screen = append(screen, layout.Fit(strings.TrimSuffix(line, "\n"), 80)...)
		}
		first := strings.Join(screen[:min(24, len(screen))], "\n")
		for _, g := range d.Groups {
			all := d.OnlyA
			if g.Region == diff.OnlyB {
				all = d.OnlyB
			}
			share := layout.Share(g.Total(), all.Total())
			if len(share) >= len("10.0%") && share != "<0.1%" && !strings.Contains(first, share) {
				t.Errorf("%s: %s %s is not on the first screen:\n%s", c.Topic, share, g.Sentence, first)
			}
		}
	}
}

// TestDifferencesAsPrinted is the same with only those readings without which a line has no meaning.
func TestDifferencesAsPrinted(t *testing.T) {
	s := must.Of(catalog.Load(catalog.Version{AsPrinted: true}))(t)
	ds := differences(t, diff.Standard(s[0], s[1]), 810)
	goldentest.Check(t, "as-printed.golden", summary(t, ds))
}

// TestWhatLastCallChanged compares the draft that was in last call with the RFC that it became.
func TestWhatLastCallChanged(t *testing.T) {
	s := must.Of(catalog.Load(catalog.Version{}, "draft06", "rfc1738"))(t)
	ds := differences(t, diff.Standard(s[0], s[1]), 1)
	goldentest.Check(t, "last-call.golden", summary(t, ds))
	for _, d := range ds {
		if d.Topic == "http" || d.Topic == "file" {
			goldentest.Check(t, "last-call-"+d.Topic+".golden", difference(t, d))
		}
	}
}

// TestHowFarFromToday: each published grammar against RFC 3986, by every scheme, in its generic form, and as a whole; all about
// those that part at few points, or that show the most.
func TestHowFarFromToday(t *testing.T) {
	s := must.Of(catalog.Load(catalog.Version{}))(t)
	today := catalog.Named(s, "rfc3986")
	var list []diff.Distance
	unexplained := map[string]int{"rfc1630": 2107, "rfc1738": 1156, "draft06": 4503}
	for _, old := range s {
		if len(old.Schemes) == 0 {
			continue
		}
		ds := differences(t, diff.Standard(old, today), unexplained[old.Name])
		goldentest.Check(t, "today-"+old.Name+".golden", summary(t, ds))
		for _, d := range ds {
			if d.A.Prefix == "" { // all of a production, as in diff.Distances
				list = append(list, d.Distance())
			}
			if d.Topic == "http" || d.Topic == "generic" && !strings.HasPrefix(old.Name, "draft") || d.Topic == "mailto" && old.Name == "rfc1738" {
				goldentest.Check(t, "today-"+old.Name+"-"+d.Topic+".golden", difference(t, d))
			}
		}
	}
	distances := section(t, "distances", func(w io.Writer) error { return diff.WriteDistances(w, 0, list) })
	goldentest.Check(t, "today.golden", distances)
}

// differences returns what the comparisons find. Unexplained is the number of classes that are told by two places alone.
func differences(t *testing.T, cs []diff.Comparison, unexplained int) []*diff.Difference {
	t.Helper()
	var ds []*diff.Difference
	sentences := map[diff.Feature]int{}
	for _, c := range cs {
		d := must.Of(c.Diff(diff.Options{}))(t)
		checkSentences(t, d, sentences)
		ds = append(ds, d)
	}
	t.Logf("classes by their sentences: %v", sentences)
	if sentences[diff.Parts] != unexplained {
		t.Errorf("%d classes are not explained, want %d", sentences[diff.Parts], unexplained)
	}
	return ds
}

func summary(t *testing.T, ds []*diff.Difference) goldentest.Section {
	t.Helper()
	return section(t, "summary", func(w io.Writer) error { return diff.WriteSummary(w, 0, ds) })
}

func difference(t *testing.T, d *diff.Difference) goldentest.Section {
	t.Helper()
	return section(t, "difference", func(w io.Writer) error { return d.WriteText(w, 0, true) })
}

func section(t *testing.T, name string, write func(io.Writer) error) goldentest.Section {
	t.Helper()
	var b strings.Builder
	must.Do(t, write(&b))
	return goldentest.Output(name, b.String())
}
