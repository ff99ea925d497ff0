package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// ignoredCodes matches what "bnfcheck:ignore" says: words with commas between them, and a reason after a blank or a
// colon.
var ignoredCodes = regexp.MustCompile(`^([^\s,:]*(?:[ \t]*,[ \t]*[^\s,:]*)*)[ \t]*:?[ \t]*(.*)$`)

// applyIgnores removes the findings that comments in the text say to ignore, as in "; bnfcheck:ignore ambiguous,
// unused REASON". A finding is removed if such a comment is about the production that it names, or about the one in
// which it stands (see [commented]); those in no production stay: no comment is about nil. It counts the removed
// findings as Ignored, and those that say that something is undecided also as Acknowledged.
//
// It reports a comment "bnfcheck:VERB" of which there is no such verb, and one that ignores and names no code or an
// unknown one, is about no production, gives no reason, which ignores all the same, or ignores nothing; no comment
// ignores these reports. A production that was left open may have the finding, so that its comments are not reported
// for ignoring nothing.
func (l *linter) applyIgnores() {
	all := l.directives()
	if len(all) == 0 {
		return
	}
	type kind struct {
		in   *expr.Rule
		code Code
	}
	type ignored struct {
		kind
		directive
	}
	var said []ignored
	found := map[kind]bool{} // the kinds that comments ignore; true if there is such a finding
	for _, d := range all {
		if d.verb != "ignore" {
			continue
		}
		codes, _ := d.ignores()
		for _, code := range codes {
			if _, known := Of(string(code)); known && d.rule != nil {
				said = append(said, ignored{kind{d.rule, code}, d})
				found[kind{d.rule, code}] = false
			}
		}
	}
	type placed = func(expr.Pos) (before, after *expr.Rule)
	byPlace := map[string]placed{} // by file
	byID := map[string]*expr.Rule{}
	for _, r := range slices.Backward(l.own) {
		byID[r.ID] = r
	}
	before := len(l.report.Findings)
	l.report.Findings = slices.DeleteFunc(l.report.Findings, func(f Finding) bool {
		near := expr.Memo(byPlace, f.Pos.File, func() placed { return l.ownByPlace(f.Pos.File) })
		at, next := near(f.Pos)
		out := false
		if f.ID == "" && next != nil && next.Pos.Line == f.Pos.Line && (at == nil || at.Pos.Line < f.Pos.Line) {
			at = next // it is about what stands before the name: a number, or blanks
		}
		for _, k := range []kind{{byID[f.ID], f.Code}, {at, f.Code}} {
			if _, is := found[k]; is { // found has no kind without a production
				found[k], out = true, true
			}
		}
		if out && f.Code == Undecided {
			l.report.Acknowledged++
		}
		return out
	})
	l.report.Ignored = before - len(l.report.Findings)
	l.checkDirectives(all)
	for _, s := range said {
		if !found[s.kind] && l.openWhy[s.in] == nil {
			l.found(Ignore, results.Warning, s.pos, s.in,
				"`%s` is ignored, and nothing of that kind is found in `%s`", s.code, s.in.Name)
		}
	}
}

// ignores returns the codes and the reason of a directive "ignore".
func (d directive) ignores() (codes []Code, reason string) {
	m := ignoredCodes.FindStringSubmatch(d.rest)
	for _, name := range strings.Split(m[1], ",") {
		codes = append(codes, Code(strings.TrimSpace(name)))
	}
	return codes, m[2]
}

// checkDirectives reports directives with a verb that does not exist, and those to ignore that name no code or an
// unknown one, have no production or give no reason.
func (l *linter) checkDirectives(all []directive) {
	verbs := slices.Concat(verbsOfLint, Settings)
	for _, d := range all {
		wrong := func(format string, args ...any) {
			l.found(Ignore, results.Error, d.pos, l.ruleOr(d.rule), format, args...)
		}
		if !slices.Contains(verbs, d.verb) {
			wrong("bnfcheck:%s means nothing; there are %s", d.verb, strings.Join(verbs, ", "))
		}
		if d.verb != "ignore" {
			continue
		}
		codes, reason := d.ignores()
		for _, code := range codes {
			_, known := Of(string(code))
			switch {
			case code == "":
				wrong("bnfcheck:ignore lacks a code; there are %s", strings.Join(Codes(), ", "))
			case !known:
				wrong("%q is no code of a finding; there are %s", code, strings.Join(Codes(), ", "))
			case d.rule == nil:
				wrong("`%s` is ignored, and %s", code, d.missing)
			case reason == "":
				wrong("`%s` is ignored without a reason, which stands after it", code)
			}
		}
	}
}
