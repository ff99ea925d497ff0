package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// checkNames reports names without a production that any rule uses, also one of another file, each once, at its first
// use; it also lists them in the report. For one that stands for a right-hand side that was refused, it lists the
// rule, and reports nothing: a notice has said so. It also reports own productions without a use: those that
// Options.Start does not reach, as warnings, or without a start those that withoutUse finds.
func (l *linter) checkNames() {
	given := l.report.Grammar
	where := map[string][]*expr.Expr{}
	by := map[string]*expr.Rule{}
	var missing []string
	for _, r := range given.Rules {
		for _, e := range given.Undefined(r.Expr) {
			if by[e.Name] == nil {
				by[e.Name] = r
				missing = append(missing, e.Name)
			}
			where[e.Name] = append(where[e.Name], e)
		}
	}
	for _, name := range missing {
		if r := by[name]; r.Refused != nil { // r's right-hand side could not be read
			name = r.Name
		}
		l.report.Missing = append(l.report.Missing, name)
	}
	definitions := map[string]expr.Pos{} // by name, in lower case: the first line that seems to define it
	if len(missing) > 0 {
		addDefinitions(definitions, given.File, l.options.Text)
		for _, file := range l.report.Included {
			addDefinitions(definitions, file, l.options.Included[file])
		}
	}
	for _, name := range missing {
		at := where[name]
		if r := by[name]; r.Refused != nil && at[0].Pos == r.Refused.Pos { // a notice says so already
			continue
		}
		f := l.found(Undefined, results.Error, at[0].Pos, by[name], "`%s` is not defined", name)
		if ranges := expr.AsRanges(name); ranges != "" {
			f.Detail = append(f.Detail, "[ ] is an option in ABNF; these characters are written "+ranges)
		}
		if pos, is := definitions[strings.ToLower(name)]; is {
			f.Detail = append(f.Detail,
				fmt.Sprintf("line %s looks like its definition, and is not read", pos.LineFrom(at[0].Pos.File)))
		}
		if len(at) > 1 {
			var others []string
			for _, e := range at[1:] {
				others = append(others, e.Pos.LineFrom(at[0].Pos.File))
			}
			f.Detail = append(f.Detail, "also used in line "+strings.Join(others, ", "))
		}
	}
	if l.options.Start != "" {
		reached := given.ReachedInText(l.options.Start)
		for _, r := range l.own {
			if !reached[r.ID] {
				l.found(Unused, results.Warning, r.Pos, r, "`%s` cannot be reached from `%s`", r.Name,
					l.name(l.options.Start))
			}
		}
		return
	}
	l.withoutUse()
}

// addDefinitions adds the lines of a file that seem to define a name, by the name in lower case. Of several lines with
// one name the first counts.
func addDefinitions(definitions map[string]expr.Pos, file string, text []byte) {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if name, _, ok := bytes.Cut(line, []byte("=")); ok {
			key := strings.ToLower(string(bytes.TrimSpace(name)))
			definitions[key] = cmp.Or(definitions[key], expr.Pos{File: file, Line: n})
		}
	}
}

// withoutUse reports, as notes, the productions that no others use, if there are several; a single one is where
// inputs are derived from. Besides these, even if there is a single one, it reports the first of each circle of
// productions that no production outside of the circle uses. If every production is used by another it reports
// nothing, since any may be where inputs are derived from.
func (l *linter) withoutUse() {
	used := l.g.UsedByOthers()
	var tops []*expr.Rule
	for _, r := range l.own {
		if !used[r.ID] {
			tops = append(tops, r)
		}
	}
	if len(tops) == 0 {
		return
	}
	if len(tops) > 1 {
		for _, r := range tops {
			l.found(Unused, results.Note, r.Pos, r, "`%s` is used by no other production", r.Name)
		}
	}
	own := map[*expr.Rule]bool{}
	for _, r := range l.own {
		own[r] = true
	}
	users := l.g.Users()
	for _, circle := range expr.Groups(l.g.Rules, (*expr.Rule).Uses) {
		if len(circle) == 1 {
			continue
		}
		in := map[string]bool{}
		for _, r := range circle {
			in[r.ID] = true
		}
		usedOutside := slices.ContainsFunc(circle, func(r *expr.Rule) bool {
			return slices.ContainsFunc(users[r.ID], func(id string) bool { return !in[id] })
		})
		if usedOutside {
			continue
		}
		if i := slices.IndexFunc(circle, func(r *expr.Rule) bool { return own[r] }); i >= 0 {
			r := circle[i]
			l.found(Unused, results.Note, r.Pos, r, "`%s` is used only by what it uses itself", r.Name)
		}
	}
}

// checkForm reports what the form of productions shows: those that derive nothing, whatever the names without a
// production derive, left recursion, each circle once, repetitions of parts that can be empty and, in ABNF, additions
// that stand before what they add to. It marks productions in l.repeatsEmpty.
func (l *linter) checkForm() {
	optimistic := l.whereNamesDerive()
	left := l.leftRecursion()
	for _, r := range l.own {
		// Printed has all pieces of the production, in the order of the file.
		if l.g.Notation == "abnf" && beginsAddition.MatchString(r.Printed) && definition.MatchString(r.Printed) {
			l.found(AddedFirst, results.Note, r.Pos, r, "`%s` is added to before it is defined", r.Name)
		}
		if !optimistic.Derives(r.Expr) {
			l.found(DerivesNothing, results.Error, r.Pos, r,
				"`%s` derives nothing: every derivation comes back to where it began", r.Name)
		}
		l.emptyRepetitions(r)
		if way := left[r]; way != nil {
			l.found(LeftRecursion, results.Warning, r.Pos, r,
				"`%s` uses itself%s before anything is read, which a recursive-descent parser never comes back from",
				r.Name, expr.Through(l.named(way[1:])))
		}
	}
}

// definition matches a line that begins a rule with the sign =.
var definition = regexp.MustCompile(`(?m)^[ \t]*[0-9A-Za-z_-]+[ \t]*=(?:[^/]|$)`)

// beginsAddition matches the beginning of a rule that is written with =/; a comment may stand before the sign.
var beginsAddition = regexp.MustCompile(`^[ \t]*[0-9A-Za-z_-]+(?:[ \t\r\n]|;[^\n]*\n)*=/`)

// named returns the names, as the text has them, of the productions with these IDs.
func (l *linter) named(ids []string) (names []string) {
	for _, id := range ids {
		names = append(names, l.name(id))
	}
	return names
}

// whereNamesDerive returns the facts about the grammar if each name without a production derived the empty string and
// every single byte.
func (l *linter) whereNamesDerive() *expr.Facts {
	rules := slices.Clone(l.g.Rules)
	for i, r := range rules {
		if l.report.Grammar.Rule(r.ID) == nil {
			rules[i] = &expr.Rule{ID: r.ID, Expr: expr.Opt(expr.In(expr.AnyByte))}
		}
	}
	return expr.Analyze(rules)
}

// emptyRepetitions reports the repetitions of r that may have several rounds and whose rounds may be empty, and marks
// r in l.repeatsEmpty. It is a warning if there is no upper limit, and otherwise a note.
func (l *linter) emptyRepetitions(r *expr.Rule) {
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		if e.Op == expr.Repeat && (e.Max == expr.Unbounded || e.Max > 1) && l.facts.Nullable(e.Sub[0]) {
			l.repeatsEmpty[r.ID] = true
			level, why := results.Warning, ""
			switch {
			case e.Max == expr.Unbounded:
				why = ", so that there is no end to its derivations of the empty string"
			case e.Min == e.Max:
				why = ", so that its count does not count"
				level = results.Note
			default:
				level = results.Note
			}
			l.found(EmptyRepetition, level, e.Pos, r, "`%s` repeats what may be empty%s", l.print(e), why)
		}
		return true
	})
}

// leftRecursion returns, for the first own production of each circle of left recursion, the IDs on a way from it back
// to itself: its own ID is the first, and does not stand at the end again.
func (l *linter) leftRecursion() map[*expr.Rule][]string {
	found := map[*expr.Rule][]string{}
	covered := map[*expr.Rule]bool{} // circles that were met, by their first production
	for _, r := range l.own {
		if c := l.leftCircles[r.ID]; c != nil && !covered[c[0]] {
			covered[c[0]] = true
			found[r] = l.g.Path(r.ID, r.ID, l.facts.Leftmost)
		}
	}
	return found
}
