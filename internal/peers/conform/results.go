package conform

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
)

// The rules of the results of a run, with their titles.
const (
	ruleFault   = "conform/fault"
	ruleHolds   = "conform/agrees"
	ruleDecided = "conform/decided"

	titleFault   = "the implementation answers"
	titleHolds   = "the implementation agrees with the grammar"
	titleDecided = "the strings tell the grammar from every mutant, and the grammar decides every string"
)

// Results returns the report as results: a suite for each implementation that failed to answer, with a broken result
// for each fault that the report has kept, and one for giving up; and a suite for each implementation and grammar,
// with a failed result for each group. A comparison without groups is one result: passed if the comparison holds,
// and skipped if not. If nothing differs, each of [Report.Gaps] is a skipped result.
func (r *Report) Results() []results.Result {
	var list []results.Result
	for _, o := range r.Implementations {
		suite := "conform " + o.Name
		for i, f := range o.Faults {
			list = append(list, results.Result{
				Suite:   suite,
				Name:    fmt.Sprintf("answer %d that did not come", i+1),
				Outcome: results.Broken,
				Message: f.Error(),
				Rule:    ruleFault,
				Title:   titleFault,
				Witness: string(f.Input),
				Shown:   true,
			})
		}
		if o.GaveUp != "" {
			list = append(list, results.Result{
				Suite:   suite,
				Name:    "the run",
				Outcome: results.Broken,
				Message: o.GaveUp,
				Rule:    ruleFault,
				Title:   titleFault,
			})
		}
	}
	// A difference that was found is an answer whatever the strings leave open, so gaps count only without one.
	if gaps := r.Gaps(); len(gaps) > 0 && !r.Differs() {
		for i, gap := range gaps {
			list = append(list, results.Result{
				Suite:   "conform",
				Name:    fmt.Sprintf("undecided %d: %s", i+1, gap.Name),
				Outcome: results.Skipped,
				Message: gap.Reason,
				Rule:    ruleDecided,
				Title:   titleDecided,
			})
		}
	}
	for _, c := range r.Comparisons {
		suite := "conform " + c.Implementation + " " + c.Grammar
		if c.Production != "" {
			suite += " " + c.Production
		}
		if len(c.Groups) == 0 {
			x := results.Result{
				Suite: suite, Name: "all strings", Outcome: results.Passed, Message: c.agreementText(),
				Rule: ruleHolds, Title: titleHolds, RFC: c.citation(),
			}
			if !c.Holds() {
				x.Outcome = results.Skipped
			}
			list = append(list, x)
		}
		for _, g := range c.Groups {
			list = append(list, g.resultOf(suite, c))
		}
	}
	return list
}

// citation returns the place of the production that the implementation is compared with; for URLs, of the grammar's
// default production. For a user's grammar it has no line, and for one that is not published no production.
func (c Comparison) citation() results.Citation {
	if c.File != "" {
		return results.Citation{Grammar: c.Grammar, Title: c.File, File: c.File, Production: c.Production}
	}
	g, err := catalog.FindPublished(c.Grammar)
	if err != nil {
		return results.Citation{Grammar: c.Grammar, Title: catalog.TitleOf(c.Grammar)}
	}
	kind := g.Default
	if c.Production != "" {
		if k, err := g.Lookup(c.Production); err == nil {
			kind = k
		}
	}
	return results.Cite(g.Grammar, g.Production(kind))
}

// resultOf returns the group as a failed result of a suite; c is the comparison that it belongs to.
func (g Group) resultOf(suite string, c Comparison) results.Result {
	rule := "conform/" + string(g.Kind)
	if g.Component != "" {
		rule = "conform/other-" + g.Component
	}
	detail := g.Printed
	if len(g.Around) > 0 {
		detail += "\nwithin " + g.aroundText()
	}
	message := fmt.Sprintf("%s; %s", g, layout.Plural(g.Count, "string"))
	if g.Kind == OtherComponent {
		message += fmt.Sprintf("; in the shortest %s sees %s, it sees %s", g.judgeName(), g.Ours, g.Theirs)
	}
	if g.Error != "" {
		message += "; it says: " + g.Error
	}
	title := map[Kind]string{
		OtherComponent: "both see the same " + g.Component,
		AcceptsMore:    "the implementation accepts nothing that the grammar rejects",
		AcceptsLess:    "the implementation accepts all that the grammar accepts",
	}[g.Kind]
	return results.Result{
		Suite:   suite,
		Name:    fmt.Sprintf("%s: %s", g.headingText(), inQuotes(string(g.Shortest))),
		Outcome: results.Failed,
		Message: message,
		Detail:  detail,
		Rule:    rule,
		Title:   title,
		RFC: results.Citation{
			Grammar:    c.Grammar,
			Title:      catalog.TitleOf(c.Grammar),
			Section:    g.Section,
			Line:       g.Line,
			Production: g.Production,
			File:       c.File,
		},
		Witness: string(g.Shortest),
		Shown:   true,
	}
}
