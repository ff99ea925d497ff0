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
	// The kinds that comments ignore, all of which have a production; true if there is such a finding.
	found := map[ignorable]bool{}
	said := ignoredBy(all)
	for _, s := range said {
		found[s.ignorable] = false
	}
	byID := map[string]*expr.Rule{}
	for _, r := range slices.Backward(l.own) {
		byID[r.ID] = r
	}
	standsIn := l.productionsAround()
	before := len(l.report.Findings)
	l.report.Findings = slices.DeleteFunc(l.report.Findings, func(f Finding) bool {
		out := false
		for _, r := range []*expr.Rule{byID[f.ID], standsIn(f)} {
			kind := ignorable{r, f.Code}
			if _, is := found[kind]; is {
				found[kind], out = true, true
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
		if !found[s.ignorable] && l.openWhy[s.in] == nil {
			l.found(Ignore, results.Warning, s.pos, s.in,
				"`%s` is ignored, and nothing of that kind is found in `%s`", s.code, s.in.Name)
		}
	}
}

// An ignorable is a kind of findings that a comment can ignore: those of a code in a production.
type ignorable struct {
	in   *expr.Rule
	code Code
}

// An ignored is one of the kinds that a comment ignores.
type ignored struct {
	ignorable
	pos expr.Pos // of the comment
}

// ignoredBy lists what directives ignore, without what names no code or is about no production.
func ignoredBy(all []directive) (said []ignored) {
	for _, d := range all {
		if d.verb != "ignore" || d.rule == nil {
			continue
		}
		codes, _ := d.ignores()
		for _, code := range codes {
			if _, known := Of(string(code)); known {
				said = append(said, ignored{ignorable{d.rule, code}, d.pos})
			}
		}
	}
	return said
}

// productionsAround returns a function that returns the own production in which a finding stands, nil for none. One
// that names no production, and stands before the first in its line, is about what precedes the name of that: a
// number, or blanks.
func (l *linter) productionsAround() func(Finding) *expr.Rule {
	byPlace := map[string]around{} // by file
	return func(f Finding) *expr.Rule {
		near := expr.Memo(byPlace, f.Pos.File, func() around { return l.ownByPlace(f.Pos.File) })
		at, next := near(f.Pos)
		beginsBefore := at == nil || at.Pos.Line < f.Pos.Line
		if f.ID == "" && beginsBefore && next != nil && next.Pos.Line == f.Pos.Line {
			return next
		}
		return at
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
