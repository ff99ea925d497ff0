package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/results"
	"github.com/bnfcheck/bnfcheck/semantic"
)

var errQuietDocument = errors.New("--quiet is for text and json: the other formats have no summary alone")

// answerTitles says what each answer means. As a result's rule an answer is "check/" with its name.
var answerTitles = [answers]string{
	bnfcheck.Conforming:   "the scheme's own production derives it",
	bnfcheck.GenericOnly:  "only the generic production derives it, though its scheme has a production of its own",
	bnfcheck.NoProduction: "the generic production derives it, and its scheme has no production",
	bnfcheck.Rejected:     "no production derives it",
	tooLong:               "it was not looked at, since it is too long",
	holdsNUL:              "no production derives a NUL byte",
}

// appendResults appends for each grammar what it says of a line, and then what its prose says. The names are the URLs;
// where one comes again, its results are told apart when all are there.
func (w *worker) appendResults(list []results.Result, s string, l line) []results.Result {
	name := titleOf(s, l)
	s = strings.Clone(s) // of a batch, which need not be kept for it
	for i := range w.judged {
		j := &w.judged[i]
		r := results.Result{
			Suite: "check " + j.grammar.Name, Name: name, Outcome: w.outcome(j.answer),
			Rule: "check/" + j.answer.String(), Title: answerTitles[j.answer],
			RFC: j.citation(), Place: w.resultPlace(s, l, j.at),
		}
		if j.Production != 0 {
			r.Message = j.grammar.Production(j.Production).Name + " derives it"
		}
		if j.why != "" {
			r.Message = strings.TrimPrefix(r.Message+"; "+j.why, "; ")
		}
		if r.Outcome == results.Noted {
			r.Level = results.Warning
		}
		if j.answer != tooLong {
			r.Witness, r.Shown = s, true
		}
		if text, worth := suggested(j.repair); worth {
			r.Detail = text
		}
		list = append(list, r)
		for k := range j.findings {
			if f := &j.findings[k]; !j.saysAlready(f) {
				list = append(list, w.findingResult(&r, j.grammar, s, l, f))
			}
		}
	}
	return list
}

// findingResult gives a finding about what has the verdict r.
func (w *worker) findingResult(r *results.Result, g *bnfcheck.Grammar, s string, l line, f *semantic.Finding) results.Result {
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
func (w *worker) outcome(a answer) results.Outcome {
	switch {
	case a == tooLong:
		return results.Broken
	case a.negative(w.strict):
		return results.Failed
	case a == answer(bnfcheck.GenericOnly):
		return results.Noted
	}
	return results.Passed
}

// citation gives what a judgement rests on: the innermost production in which a string is wrong, else the one that derives
// it. Of a line that was not looked at there is only the RFC.
func (j *judgement) citation() results.Citation {
	g := j.grammar
	switch {
	case j.err != nil && len(j.err.In) > 0:
		return results.Cite(g.Grammar, g.Production(j.err.In[0]))
	case j.err != nil:
		return results.Cite(g.Grammar, g.Production(j.err.Explained))
	case j.Production != 0:
		return results.Cite(g.Grammar, g.Production(j.Production))
	case j.answer == tooLong:
		return results.Citation{Grammar: g.Name, Title: g.Title}
	}
	return results.Cite(g.Grammar, g.Production(g.Default))
}

// resultPlace gives the place of the byte at offset, or of a line where there is none.
func (w *worker) resultPlace(s string, l line, offset int) results.Place {
	if l.source.name == "" {
		return results.Place{}
	}
	p := results.Place{File: l.source.title(), Line: l.number}
	if offset >= 0 {
		p.Column = utf8.RuneCountInString(s[:min(offset, len(s))]) + 1
	}
	return p
}

// longestTitle is how much of a URL names its results, in bytes.
const longestTitle = 200

// titleOf gives a line as the name of its results.
func titleOf(s string, l line) string {
	if len(s) <= longestTitle && len(s) == l.length {
		return strings.Clone(s)
	}
	return wholeRunes(s[:min(len(s), longestTitle)]) + "... (" + strconv.Itoa(l.length) + " bytes)"
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
