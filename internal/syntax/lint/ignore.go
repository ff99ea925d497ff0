package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/report/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

var directive = regexp.MustCompile(`(?m)^(.*?)(?:;|#|//|/\*|\(\*)[ \t]*(bnfcheck:ignore)\b[ \t]*([a-z-]*(?:[ \t]*,[ \t]*[a-z-]+)*)[ \t]*(.*?)[ \t]*(?:\*/|\*\))?\r?$`)

// ignore takes out the findings that comments of the text say to ignore, as in "; bnfcheck:ignore ambiguous, unused REASON": those of
// the production before a comment in its line, or after a comment that has a line of its own.
func (l *linter) ignore() {
	text := string(l.o.Text)
	for _, m := range directive.FindAllStringSubmatchIndex(text, -1) {
		line := 1 + strings.Count(text[:m[4]], "\n")
		pos := expr.Pos{File: l.report.Grammar.File, Line: line, Col: 1 + m[4] - m[0]}
		r := l.at(line, strings.TrimSpace(text[m[2]:m[3]]) == "")
		if r == nil {
			r = &expr.Rule{}
		}
		for _, name := range strings.Split(text[m[6]:m[7]], ",") {
			code := Code(strings.TrimSpace(name))
			if _, known := Of(string(code)); !known {
				l.found(Ignore, results.Error, pos, r, "%q is no code of a finding; there are %s", code, strings.Join(Codes(), ", "))
				continue
			}
			if m[8] == m[9] {
				l.found(Ignore, results.Error, pos, r, "`%s` is ignored without a reason, which stands after it", code)
			}
			before := len(l.report.Findings)
			l.report.Findings = slices.DeleteFunc(l.report.Findings, func(f Finding) bool {
				return f.Code == code && (f.ID == r.ID && f.ID != "" || f.Pos.File == pos.File && l.at(f.Pos.Line, false) == r)
			})
			l.report.Ignored += before - len(l.report.Findings)
			if len(l.report.Findings) == before && l.open[r] == nil {
				l.found(Ignore, results.Warning, pos, r, "`%s` is ignored, and nothing of that kind is found in `%s`", code, r.Name)
			}
		}
	}
}

// at returns the production of the text that a line belongs to, or the next one.
func (l *linter) at(line int, next bool) (at *expr.Rule) {
	for _, r := range l.own {
		switch start := r.Pos.Line; {
		case next && start > line && (at == nil || start < at.Pos.Line), !next && start <= line && (at == nil || start > at.Pos.Line):
			at = r
		}
	}
	return at
}

// A Baseline counts findings that are known, by what is written of them in a line.
type Baseline map[string]int

var placeInText = regexp.MustCompile(`\bline \d+(, column \d+)?`)

// known returns a finding as a line that stays as it is where only lines are moved.
func (f Finding) known() string {
	return fmt.Sprintf("%s\t%s\t%s\t%s", f.Pos.File, f.Production, f.Code, placeInText.ReplaceAllString(f.Message, "another line"))
}

// Add adds the findings of a report.
func (b Baseline) Add(r *Report) {
	for _, f := range r.Findings {
		b[f.known()]++
	}
}

// Without returns a report without the findings of the baseline, from which it takes them.
func (b Baseline) Without(r *Report) *Report {
	s := *r
	s.Findings = nil
	for _, f := range r.Findings {
		if key := f.known(); b[key] > 0 {
			b[key]--
			s.Known++
		} else {
			s.Findings = append(s.Findings, f)
		}
	}
	return &s
}

// Lines returns the findings in the order of their lines.
func (b Baseline) Lines() (lines []string) {
	for line, n := range b {
		lines = append(lines, slices.Repeat([]string{line}, n)...)
	}
	slices.Sort(lines)
	return lines
}
