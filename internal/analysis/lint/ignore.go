package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// directive matches a line with a comment that ignores: what stands before it, the word, the codes, and the reason.
var directive = regexp.MustCompile(`(?m)^(.*?)(?:;|#|//|/\*|\(\*)[ \t]*(bnfcheck:ignore)\b[ \t]*([a-z-]*(?:[ \t]*,[ \t]*[a-z-]+)*)[ \t]*(.*?)[ \t]*(?:\*/|\*\))?\r?$`)

// applyIgnores removes the findings that comments in the text say to ignore, as in "; bnfcheck:ignore ambiguous,
// unused REASON". A comment after a production is about that production, one on a line of its own about the next. A
// finding is removed if such a comment is about the production that it names, or about the one on whose line it
// stands; findings in other files, and those in no production, stay: no comment is about nil. It counts the removed
// findings as Ignored, and those that say that something is undecided also as Acknowledged.
//
// It reports a comment that names an unknown code, is about no production, gives no reason, which ignores all the same,
// or ignores nothing. A production that was left open may have the finding, so that its comments are not reported for
// ignoring nothing.
func (l *linter) applyIgnores() {
	text := string(l.options.Text)
	if !strings.Contains(text, "bnfcheck:ignore") {
		return
	}
	productionAt := expr.ByLine(l.own)
	type kind struct {
		in   *expr.Rule
		code Code
	}
	type ignored struct {
		kind
		pos expr.Pos
	}
	var said []ignored
	found := map[kind]bool{} // the kinds that comments ignore; true if there is such a finding
	line, last := 1, 0
	for _, m := range directive.FindAllStringSubmatchIndex(text, -1) {
		start, offset := m[0], m[4] // of the line, and of the word "bnfcheck:ignore" in it
		before, codes, reason := text[m[2]:m[3]], text[m[6]:m[7]], text[m[8]:m[9]]
		line, last = line+strings.Count(text[last:offset], "\n"), offset
		pos := expr.Pos{File: l.report.Grammar.File, Line: line, Col: 1 + offset - start}
		r, missing := commented(productionAt, line, before)
		for _, name := range strings.Split(codes, ",") {
			code := Code(strings.TrimSpace(name))
			if _, known := Of(string(code)); !known {
				l.found(Ignore, results.Error, pos, l.ruleOr(r), "%q is no code of a finding; there are %s", code,
					strings.Join(Codes(), ", "))
				continue
			}
			if r == nil {
				l.found(Ignore, results.Error, pos, l.ruleOr(nil), "`%s` is ignored, and %s", code, missing)
				continue
			}
			if reason == "" {
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
		for _, k := range []kind{{byID[f.ID], f.Code}, {productionAt(f.Pos.Line, false), f.Code}} {
			if _, out := found[k]; out && f.Pos.File == l.report.Grammar.File { // found has no kind without a production
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
		if !found[s.kind] && l.openWhy[s.in] == nil {
			l.found(Ignore, results.Warning, s.pos, s.in,
				"`%s` is ignored, and nothing of that kind is found in `%s`", s.code, s.in.Name)
		}
	}
}
