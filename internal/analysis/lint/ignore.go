package lint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

var directive = regexp.MustCompile(`(?m)^(.*?)(?:;|#|//|/\*|\(\*)[ \t]*(bnfcheck:ignore)\b[ \t]*([a-z-]*(?:[ \t]*,[ \t]*[a-z-]+)*)[ \t]*(.*?)[ \t]*(?:\*/|\*\))?\r?$`)

// ignore takes out the findings that comments of the text say to ignore, as in "; bnfcheck:ignore ambiguous, unused REASON": those of
// the production before a comment in its line, or after a comment that has a line of its own.
func (l *linter) ignore() {
	text := string(l.o.Text)
	if !strings.Contains(text, "bnfcheck:ignore") {
		return
	}
	inOrder := slices.SortedStableFunc(slices.Values(l.own), func(a, b *expr.Rule) int { return cmp.Compare(a.Pos.Line, b.Pos.Line) })
	// at returns the production of the text that a line belongs to, or the next one; one without a name if there is none.
	none := &expr.Rule{}
	at := func(line int, next bool) *expr.Rule {
		i, _ := slices.BinarySearchFunc(inOrder, line+1, func(r *expr.Rule, line int) int { return cmp.Compare(r.Pos.Line, line) })
		if !next {
			i--
		}
		if i < 0 || i == len(inOrder) {
			return none
		}
		return inOrder[i]
	}
	type kind struct {
		in   *expr.Rule
		code Code
	}
	type ignored struct {
		kind
		pos expr.Pos
	}
	var said []ignored
	found := map[kind]bool{} // whether there is such a finding
	line, last := 1, 0
	for _, m := range directive.FindAllStringSubmatchIndex(text, -1) {
		line, last = line+strings.Count(text[last:m[4]], "\n"), m[4]
		pos := expr.Pos{File: l.report.Grammar.File, Line: line, Col: 1 + m[4] - m[0]}
		r := at(line, strings.TrimSpace(text[m[2]:m[3]]) == "")
		for _, name := range strings.Split(text[m[6]:m[7]], ",") {
			code := Code(strings.TrimSpace(name))
			if _, known := Of(string(code)); !known {
				l.found(Ignore, results.Error, pos, r, "%q is no code of a finding; there are %s", code, strings.Join(Codes(), ", "))
				continue
			}
			if m[8] == m[9] {
				l.found(Ignore, results.Error, pos, r, "`%s` is ignored without a reason, which stands after it", code)
			}
			said = append(said, ignored{kind{r, code}, pos})
			found[kind{r, code}] = false
		}
	}
	byID := map[string]*expr.Rule{}
	for _, r := range slices.Backward(l.own) {
		byID[r.ID] = r
	}
	before := len(l.report.Findings)
	l.report.Findings = slices.DeleteFunc(l.report.Findings, func(f Finding) bool {
		for _, k := range []kind{{byID[f.ID], f.Code}, {at(f.Pos.Line, false), f.Code}} {
			if _, out := found[k]; out && f.Pos.File == l.report.Grammar.File {
				found[k] = true
				if f.Code == Undecided {
					l.report.Acknowledged++
				}
				return true
			}
		}
		return false
	})
	l.report.Ignored = before - len(l.report.Findings)
	for _, s := range said {
		if !found[s.kind] && l.open[s.in] == nil {
			l.found(Ignore, results.Warning, s.pos, s.in, "`%s` is ignored, and nothing of that kind is found in `%s`", s.code, s.in.Name)
		}
	}
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
			if f.Code == Undecided {
				s.Acknowledged++
			}
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
