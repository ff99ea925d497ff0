package diff

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
)

// Results returns a result for each cause, or one that passed if two productions are equal. A result cites the
// production of the side that stops.
func Results(list []*Difference) (out []results.Result) {
	for _, d := range list {
		suite := "diff " + d.A.String() + ", " + d.B.String()
		if len(d.Causes) == 0 {
			rfc, place := d.B.side.Cite(d.B.Title, "", nil)
			out = append(out, results.Result{
				Suite: suite, Name: "all strings", Outcome: results.Passed, Rule: "diff/equal",
				Title: "both derive the same strings", RFC: rfc, Place: place,
			})
		}
		for _, c := range d.Causes {
			goes, stops, on, off := d.A, d.B, c.A, c.B
			rule := "diff/only-first"
			if c.Region == OnlyB {
				goes, stops, on, off = d.B, d.A, c.B, c.A
				rule = "diff/only-second"
			}
			offset, reads, expects := c.Offset, strings.Join(on.Terms, ", "), strings.Join(off.Terms, ", ")
			if p := d.Parting(&c); p.Point != "" {
				offset, reads, expects = p.Offset, p.Reads, p.Expects
			}
			rfc, place := stops.side.Cite(stops.Title, stops.Section, off.Path)
			out = append(out, results.Result{
				Suite: suite, Name: "from " + d.Shown(c.Witness), Outcome: results.Failed,
				Message: fmt.Sprintf("offset %d: %s reads %s; %s expects %s", offset, goes, reads, stops, expects),
				Detail: fmt.Sprintf("goes on in %s\nstops in %s", strings.Join(on.Path, " > "),
					strings.Join(off.Path, " > ")),
				Rule: rule, Title: "no string is derived by one of the two alone",
				RFC: rfc, Place: place, Witness: string(c.Witness), Shown: true, CodePoints: d.CodePoints(),
			})
		}
	}
	return out
}
