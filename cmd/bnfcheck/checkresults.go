package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/results"
	"github.com/bnfcheck/bnfcheck/semantic"
)

var errQuietDocument = errors.New("--quiet is for text and json: the other formats have no summary alone")

// answerTitles says what each answer means. As a result's rule an answer is "check/" with its name.
var answerTitles = [check.Answers]string{
	bnfcheck.Conforming:   "the scheme's own production derives it",
	bnfcheck.GenericOnly:  "only the generic production derives it, though its scheme has a production of its own",
	bnfcheck.NoProduction: "the generic production derives it, and its scheme has no production",
	bnfcheck.Rejected:     "no production derives it",
	check.TooLong:         "it was not looked at, since it is too long",
	check.HoldsNUL:        "no production derives a NUL byte",
}

// appendResults appends for each grammar what it says of a line, and then what its prose says. The names are the URLs;
// where one comes again, its results are told apart when all are there.
func (w *worker) appendResults(list []results.Result, s string, l check.Line) []results.Result {
	name := titleOf(s, l)
	s = strings.Clone(s) // of a batch, which need not be kept for it
	for i := range w.Judged {
		j := &w.Judged[i]
		r := results.Result{
			Suite: "check " + j.Grammar.Name, Name: name, Outcome: w.outcome(j.Answer),
			Rule: "check/" + j.Answer.String(), Title: answerTitles[j.Answer],
			RFC: citationOf(j), Place: w.resultPlace(s, l, j.Offset),
		}
		if j.Production != 0 {
			r.Message = j.Grammar.Production(j.Production).Name + " derives it"
		}
		if j.Message != "" {
			r.Message = strings.TrimPrefix(r.Message+"; "+j.Message, "; ")
		}
		if r.Outcome == results.Noted {
			r.Level = results.Warning
		}
		if j.Answer != check.TooLong {
			r.Witness, r.Shown = s, true
		}
		if text, worth := suggested(j.Repair); worth {
			r.Detail = text
		}
		list = append(list, r)
		for k := range j.Findings {
			if f := &j.Findings[k]; !j.SaysAlready(f) {
				list = append(list, w.findingResult(&r, j.Grammar, s, l, f))
			}
		}
	}
	return list
}

// findingResult gives a finding about what has the verdict r.
func (w *worker) findingResult(r *results.Result, g *bnfcheck.Grammar, s string, l check.Line, f *semantic.Finding) results.Result {
	rule, _ := semantic.RuleByID(f.Rule)
	x := results.Result{
		Suite: r.Suite, Name: fmt.Sprintf("%s, %s at offset %d", r.Name, f.Rule, f.Start), Outcome: results.Noted,
		Message: f.Message, Rule: f.Rule, Title: rule.Title, Witness: s, Shown: true, Place: w.resultPlace(s, l, f.Start),
		RFC: results.Citation{Grammar: g.Name, Title: g.Title, Section: rule.Section, Line: rule.Line},
	}
	switch f.Severity {
	case semantic.Error:
		x.Level = results.Error
	case semantic.Warning:
		x.Level = results.Warning
	default:
		x.Level = results.Note
	}
	return x
}

// outcome gives what an answer is in a report: what counts as negative has failed, or could not be looked at.
func (w *worker) outcome(a check.Answer) results.Outcome {
	switch {
	case a == check.TooLong:
		return results.Broken
	case a.Negative(w.Strict):
		return results.Failed
	case a == check.Answer(bnfcheck.GenericOnly):
		return results.Noted
	}
	return results.Passed
}

// citationOf returns what a judgement rests on: the innermost production in which a string is wrong, else the one that derives
// it. Of a line that was not looked at there is only the RFC.
func citationOf(j *check.Judgement) results.Citation {
	g := j.Grammar
	switch {
	case j.Cause != nil && len(j.Cause.In) > 0:
		return results.Cite(g.Grammar, g.Production(j.Cause.In[0]))
	case j.Cause != nil:
		return results.Cite(g.Grammar, g.Production(j.Cause.Explained))
	case j.Production != 0:
		return results.Cite(g.Grammar, g.Production(j.Production))
	case j.Answer == check.TooLong:
		return results.Citation{Grammar: g.Name, Title: g.Title}
	}
	return results.Cite(g.Grammar, g.Production(g.Default))
}

// resultPlace gives the place of the byte at offset, or of a line where there is none.
func (w *worker) resultPlace(s string, l check.Line, offset int) results.Place {
	if l.Source.Name == "" {
		return results.Place{}
	}
	p := results.Place{File: l.Source.Title(), Line: l.Number}
	if offset >= 0 {
		p.Column = utf8.RuneCountInString(s[:min(offset, len(s))]) + 1
	}
	return p
}

// longestTitle is how much of a URL names its results, in bytes.
const longestTitle = 200

// titleOf gives a line as the name of its results.
func titleOf(s string, l check.Line) string {
	if len(s) <= longestTitle && len(s) == l.Length {
		return strings.Clone(s)
	}
	return wholeRunes(s[:min(len(s), longestTitle)]) + "... (" + strconv.Itoa(l.Length) + " bytes)"
}

// A namesake tells the results of lines with the same name apart.
type namesake map[string]int

// tellApart gives every result of a suite a name of its own.
func (n namesake) tellApart(list []results.Result) {
	for i := range list {
		r := &list[i]
		key := r.Suite + "\x00" + r.Name
		if n[key]++; n[key] > 1 {
			r.Name += fmt.Sprintf(" (%d)", n[key])
		}
	}
}
