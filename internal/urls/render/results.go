package render

import (
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// answerTitles has the meaning of each answer. The ID of an answer as a rule is "check/" and its name.
var answerTitles = [check.Answers]string{
	bnfcheck.Conforming:   "the scheme's own production derives it",
	bnfcheck.GenericOnly:  "only the generic production derives it, though its scheme has a production of its own",
	bnfcheck.NoProduction: "the generic production derives it, and its scheme has no production",
	bnfcheck.Rejected:     "no production derives it",
	check.TooLong:         "it was not looked at, since it is too long",
	check.HoldsNUL:        "no production derives a NUL byte",
	check.Undecided:       "it could not be decided",
}

// AppendResults appends a result for the verdict of each grammar on a line, and one for each finding, unless
// the verdict's message says it already. The outcome is that of outcomeOf. A suggestion is the result's Detail; a line
// that is too long has no witness. Results are named by their URLs; [Names.Distinguish] makes the names of equal lines
// differ. The results keep nothing of the batch that l belongs to.
func AppendResults(list []results.Result, l check.Line, judged []check.Judgment, strict bool) []results.Result {
	name := titleOf(l)
	s := strings.Clone(l.Text) // so that the batch is not kept in memory
	for i := range judged {
		j := &judged[i]
		r := results.Result{
			Suite: "check " + j.Grammar.Name, Name: name, Outcome: outcomeOf(j.Answer, strict),
			Rule: "check/" + j.Answer.String(), Title: answerTitles[j.Answer],
			RFC: citationOf(j), Place: resultPlace(l, j.Offset),
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
		if p := parserOf(j.By); p != nil {
			wordByProduction(&r, p, j)
		}
		if j.Repair != nil {
			r.Detail = suggestion(j.Repair)
		}
		list = append(list, r)
		for k := range j.Findings {
			if f := &j.Findings[k]; !j.SaysAlready(f) {
				list = append(list, findingResult(&r, j.Grammar, l, f))
			}
		}
	}
	return list
}

// wordByProduction changes the title and citation of a result to those of a production that judges alone, and the
// message if the judgment has one; otherwise the old message stays. It also sets whether the witness is shown in code
// points.
func wordByProduction(r *results.Result, p *anygrammar.Parser, j *check.Judgment) {
	name := p.Grammar.Production(p.Start).Name
	switch j.Answer {
	case check.Accepted:
		r.Title = name + " derives it"
	case check.Answer(bnfcheck.Rejected):
		r.Title = name + " does not derive it"
	default: // too long, undecided: no production is named
		r.Title = answerTitles[j.Answer]
	}
	if j.Message != "" {
		r.Message = p.Grammar.Name + ": " + j.Message
	}
	r.CodePoints, r.RFC = p.Grammar.CodePoints, p.Cite(j.Cause)
}

// findingResult returns the result of a finding about the line that has the verdict r. Its outcome is Noted whatever
// the severity, which is its level.
func findingResult(r *results.Result, g *bnfcheck.Grammar, l check.Line, f *semantic.Finding) results.Result {
	rule, _ := semantic.RuleByID(f.Rule)
	x := results.Result{
		Suite: r.Suite, Name: fmt.Sprintf("%s, %s at offset %d", r.Name, f.Rule, f.Start), Outcome: results.Noted,
		Message: f.Message, Rule: f.Rule, Title: rule.Title, Witness: strings.Clone(l.Text), Shown: true,
		Place: resultPlace(l, f.Start),
		RFC:   results.Citation{Grammar: g.Name, Title: g.Title, Section: rule.Section, Line: rule.Line},
	}
	x.Level = [...]results.Level{semantic.Note: results.Note, semantic.Warning: results.Warning,
		semantic.Error: results.Error}[f.Severity]
	return x
}

// outcomeOf returns the outcome for an answer. A line that is too long or undecided is Broken: it could not be
// checked. Any other negative answer has failed. Generic-only is Noted, and has failed only if strict is set.
// Everything else has passed.
func outcomeOf(a check.Answer, strict bool) results.Outcome {
	switch {
	case a == check.TooLong || a == check.Undecided:
		return results.Broken
	case a.Negative(strict):
		return results.Failed
	case a == check.Answer(bnfcheck.GenericOnly):
		return results.Noted
	}
	return results.Passed
}

// citationOf cites the innermost production that the syntax error of the judgment is about, or else the production that
// the error explains; for a string that is generic-only that is the scheme's own. Without an error it cites the
// production that derives the string. For a line that is too long it cites only the RFC, and for any other string the
// grammar's default production.
func citationOf(j *check.Judgment) results.Citation {
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

// resultPlace returns the place of the byte at an offset in the line, with a column in code points, from 1. In a file
// that is one string it is the place in the file. If offset is negative it is the place of the line, without a column.
// For an argument it is the zero Place.
func resultPlace(l check.Line, offset int) results.Place {
	if l.Source.Name == "" {
		return results.Place{}
	}
	p := results.Place{File: l.Source.Title(), Line: l.Number}
	if offset >= 0 && l.Whole {
		at := ast.PositionAt(l.Text, offset)
		p.Line, p.Column = at.Line, at.Column
	} else if offset >= 0 {
		p.Column = utf8.RuneCountInString(l.Text[:min(offset, len(l.Text))]) + 1
	}
	return p
}

// longestTitle caps the bytes of a URL that name its results.
const longestTitle = 200

// titleOf returns the name of a line's results: its text or, of a long one, the beginning and the length.
func titleOf(l check.Line) string {
	s := l.Text
	if len(s) <= longestTitle && len(s) == l.Length {
		return strings.Clone(s)
	}
	return wholeRunes(s[:min(len(s), longestTitle)]) + "... (" + strconv.Itoa(l.Length) + " bytes)"
}

// Names counts the results of each name, by a hash of suite and name, so that a long name takes no more memory than a
// short one. Of two names with the same hash, the second has a number that it does not need.
type Names map[uint64]int32

// maxNames caps the names that are counted. They take a few megabytes.
const maxNames = 1 << 16

// Distinguish makes the names of results in a suite differ. It appends a number to a name that comes again. Once
// maxNames have come, a new name of a line in a file gets its place instead, and is not counted; those of arguments
// always are.
func (n Names) Distinguish(list []results.Result) {
	for i := range list {
		r := &list[i]
		h := fnv.New64a()
		_, _ = io.WriteString(h, r.Suite+"\x00"+r.Name) // a hash returns no error
		key := h.Sum64()
		if _, counted := n[key]; !counted && len(n) >= maxNames && r.Place.File != "" {
			r.Name += fmt.Sprintf(" (%s:%d)", r.Place.File, r.Place.Line)
			continue
		}
		n[key]++
		if n[key] > 1 {
			r.Name += fmt.Sprintf(" (%d)", n[key])
		}
	}
}
