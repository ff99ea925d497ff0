package main

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/internal/octets"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/spf13/cobra"
)

// A selection says which findings are to be shown.
type selection struct {
	off      bool
	severity *choice
	patterns []string
}

// addSelection gives cmd the flags --severity, --rule and --no-semantic.
func addSelection(cmd *cobra.Command) *selection {
	s := &selection{severity: &choice{"warning", []string{"note", "warning", "error"}}}
	flags := cmd.Flags()
	flags.Var(s.severity, "severity", "show findings from this `SEVERITY` on: note, warning, error")
	complete(cmd, "severity", s.severity.choices)
	flags.StringArrayVar(&s.patterns, "rule", nil, "show only findings of this `RULE`, whatever their severity; a * stands for any name; may be repeated")
	complete(cmd, "rule", ruleIDs)
	flags.BoolVar(&s.off, "no-semantic", false, "give the verdicts of the grammars alone, without findings and suggestions")
	cmd.MarkFlagsMutuallyExclusive("rule", "no-semantic")
	return s
}

// chosen returns the findings that the flags ask for, nil where they are switched off.
func (s *selection) chosen() (*semantic.Selection, error) {
	if s.off {
		return nil, nil
	}
	atLeast, err := semantic.ParseSeverity(s.severity.value)
	if err != nil {
		return nil, err
	}
	if len(s.patterns) == 0 {
		return semantic.Select(func(r semantic.Rule) bool { return r.Severity >= atLeast }), nil
	}
	rules := map[string]bool{}
	for _, pattern := range s.patterns {
		found := false
		for _, r := range semantic.Rules() {
			if ok, err := path.Match(pattern, r.ID); err != nil || ok {
				rules[r.ID], found = true, err == nil
			}
		}
		if !found {
			return nil, didYouMean(fmt.Errorf("no rule %s: see bnfcheck rules", ast.Quote(pattern)), pattern, ruleIDs)
		}
	}
	return semantic.Select(func(r semantic.Rule) bool { return rules[r.ID] }), nil
}

// appendFindings writes what the i-th grammar's prose says, a line each.
func (w *worker) appendFindings(b []byte, i int, l check.Line) []byte {
	j := &w.Judged[i]
	for k := range j.Findings {
		f := &j.Findings[k]
		if j.SaysAlready(f) {
			continue
		}
		text := fmt.Sprintf("%s%s: offset %d: %s: %s (%s)", w.place(l), j.Grammar.Name, f.Start, f.Severity, f.Message, f.Rule)
		b = layout.Wrap(b, text, indent, w.Width)
	}
	return b
}

// appendSuggestions writes the nearest accepted strings: one line for all grammars that share one.
func (w *worker) appendSuggestions(b []byte, l check.Line) []byte {
	for i := range w.Judged {
		r := w.Judged[i].Repair
		text, worth := suggested(r)
		if !worth || w.suggestedBefore(i) {
			continue
		}
		names := w.Judged[i].Grammar.Name
		for k := i + 1; k < len(w.Judged); k++ {
			if o := w.Judged[k].Repair; o != nil && o.URL == r.URL {
				names += ", " + w.Judged[k].Grammar.Name
			}
		}
		b = append(layout.Pad(b, 0, indent), w.place(l)+names+": "+text+"\n"...)
	}
	return b
}

// suggested returns the line that tells of a repair, and whether there is one.
func suggested(r *semantic.Repair) (text string, ok bool) {
	if r == nil {
		return "", false
	}
	text = "try " + r.URL
	if r.Guess {
		text = "a guess: " + r.URL
	}
	return text + remark(r), true
}

// remark returns in which parts a repair differs from what stood there, and what the prose forbids in it, in parentheses; "" for
// neither.
func remark(r *semantic.Repair) string {
	var list []string
	if n := len(r.Differs.Names()); n == 1 {
		list = append(list, "the "+r.Differs.String()+" differs")
	} else if n > 1 {
		list = append(list, r.Differs.String()+" differ")
	} else if r.Changes() {
		list = append(list, "the meaning may be another")
	}
	for _, e := range r.Errors {
		list = append(list, "still an error: "+e.Rule)
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, "; ") + ")"
}

func (w *worker) suggestedBefore(i int) bool {
	for k := range i {
		if o := w.Judged[k].Repair; o != nil && o.URL == w.Judged[i].Repair.URL {
			return true
		}
	}
	return false
}

// appendFindingsJSON appends the members "findings" and "suggestion" of a verdict.
func appendFindingsJSON(b []byte, j *check.Judgement) []byte {
	for i := range j.Findings {
		if i == 0 {
			b = append(b, `,"findings":[`...)
		} else {
			b = append(b, ',')
		}
		b = appendFinding(b, &j.Findings[i])
		if i == len(j.Findings)-1 {
			b = append(b, ']')
		}
	}
	if j.Repair != nil {
		b = appendRepair(append(b, `,"suggestion":`...), j.Repair)
	}
	return b
}

// appendFinding appends a finding as an object.
func appendFinding(b []byte, f *semantic.Finding) []byte {
	b = octets.AppendString(append(b, `{"rule":`...), f.Rule)
	b = octets.AppendString(append(b, `,"severity":`...), f.Severity.String())
	b = strconv.AppendInt(append(b, `,"start":`...), int64(f.Start), 10)
	b = strconv.AppendInt(append(b, `,"end":`...), int64(f.End), 10)
	b = octets.AppendString(append(b, `,"section":`...), f.Section)
	b = octets.AppendString(append(b, `,"message":`...), f.Message)
	return append(b, '}')
}

// appendRepair appends a repair as an object.
func appendRepair(b []byte, r *semantic.Repair) []byte {
	b = octets.AppendString(append(b, `{"url":`...), r.URL)
	b = strconv.AppendBool(append(b, `,"guess":`...), r.Guess)
	b = strconv.AppendBool(append(b, `,"certain":`...), r.Certain())
	b = append(b, `,"differs":[`...)
	for i, name := range r.Differs.Names() {
		if i > 0 {
			b = append(b, ',')
		}
		b = octets.AppendString(b, name)
	}
	b = append(b, `],"errors":[`...)
	for i := range r.Errors {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFinding(b, &r.Errors[i])
	}
	b = append(b, `],"edits":[`...)
	for i, e := range r.Edits {
		if i > 0 {
			b = append(b, ',')
		}
		b = octets.AppendString(append(b, `{"edit":`...), e.Kind.String())
		b = strconv.AppendInt(append(b, `,"offset":`...), int64(e.Offset), 10)
		b = octets.AppendMember(append(b, ','), "old", e.Old)
		b = octets.AppendString(append(b, `,"new":`...), e.New)
		b = strconv.AppendBool(append(b, `,"changes_meaning":`...), e.Changes)
		b = octets.AppendString(append(b, `,"why":`...), e.Why)
		b = append(b, '}')
	}
	return append(b, "]}"...)
}
