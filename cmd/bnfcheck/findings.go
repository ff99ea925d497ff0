package main

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/semantic"
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

// suggested gives the line that tells of a repair, and whether it is worth telling without having been asked.
func suggested(r *semantic.Repair) (text string, worth bool) {
	if r == nil || r.Wild() {
		return "", false
	}
	text = "try " + r.URL
	if r.Guess {
		text = "a guess: " + r.URL
	}
	if changes := changesMeaning(r); changes != "" {
		text += " (this changes the meaning: " + changes + ")"
	}
	return text, true
}

// changesMeaning names the edits after which the URL may not mean what its author meant. Of a guess that is so anyhow.
func changesMeaning(r *semantic.Repair) string {
	var list []string
	for _, e := range r.Edits {
		if e.Changes && !r.Guess {
			list = append(list, e.Kind.String()+" "+ast.Quote(e.Old))
		}
	}
	return strings.Join(list, ", ")
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
	for i, f := range j.Findings {
		if i == 0 {
			b = append(b, `,"findings":[{"rule":`...)
		} else {
			b = append(b, `,{"rule":`...)
		}
		b = appendString(b, f.Rule)
		b = appendString(append(b, `,"severity":`...), f.Severity.String())
		b = strconv.AppendInt(append(b, `,"start":`...), int64(f.Start), 10)
		b = strconv.AppendInt(append(b, `,"end":`...), int64(f.End), 10)
		b = appendString(append(b, `,"section":`...), f.Section)
		b = appendString(append(b, `,"message":`...), f.Message)
		b = append(b, '}')
		if i == len(j.Findings)-1 {
			b = append(b, ']')
		}
	}
	if j.Repair != nil {
		b = appendRepair(append(b, `,"suggestion":`...), j.Repair)
	}
	return b
}

// appendRepair appends a repair as an object.
func appendRepair(b []byte, r *semantic.Repair) []byte {
	b = appendString(append(b, `{"url":`...), r.URL)
	b = strconv.AppendBool(append(b, `,"guess":`...), r.Guess)
	b = append(b, `,"edits":[`...)
	for i, e := range r.Edits {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(append(b, `{"edit":`...), e.Kind.String())
		b = strconv.AppendInt(append(b, `,"offset":`...), int64(e.Offset), 10)
		b = appendOctets(append(b, ','), "old", e.Old)
		b = appendString(append(b, `,"new":`...), e.New)
		b = strconv.AppendBool(append(b, `,"changes_meaning":`...), e.Changes)
		b = appendString(append(b, `,"why":`...), e.Why)
		b = append(b, '}')
	}
	return append(b, "]}"...)
}
