package claims

import (
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
)

// Results returns a result for each claim, by the grammar as it is read; all must have been decided. A claim that
// holds has passed. A refuted one is Noted, with the level Warning, the first witness if there is one, and a line in
// Detail for each assertion that refutes it. Asides are left out.
func Results(claims []Claim) (list []results.Result) {
	for _, c := range claims {
		first, _, _ := strings.Cut(c.Lines, "-")
		line, _ := strconv.Atoi(first) // 0 where the lines are no number: the citation is then without one
		r := results.Result{
			Suite: "claims " + c.Grammar, Name: c.ID, Outcome: results.Passed, Message: c.Says, Rule: "claims/" + c.ID,
			Title: c.Says,
			RFC:   results.Citation{Grammar: c.Grammar, Title: c.Title, Section: c.Section, Line: line},
		}
		var detail []string
		for _, a := range c.AsRead.Assertions {
			if a.Holds || a.Aside {
				continue
			}
			r.Outcome, r.Level = results.Noted, results.Warning // it is an answer, and no failure of the command
			detail = append(detail, (&Remark{"refuted", a}).Sentence())
			if a.Witness != nil && !r.Shown {
				r.Witness, r.Shown = string(*a.Witness), true
			}
		}
		r.Detail = strings.Join(detail, "\n")
		list = append(list, r)
	}
	return list
}
