package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// AppendText appends the report for people: the number of findings, if there are more than four, then each finding
// with its details below it, errors first, and a summary. Findings that say the same stand as one, as [Report.joined]
// has them. Lines are wrapped at the width of s. source appends the line of the text at a place; it may be nil.
func (r *Report) AppendText(b []byte, s *layout.Screen, source func([]byte, expr.Pos, layout.Style) []byte) []byte {
	if head := r.head(); head != "" {
		b = layout.Wrap(b, layout.Printable(head), 0, s.Width)
	}
	for _, f := range r.joined() {
		line := layout.Wrap(nil, layout.Printable(f.String()), 0, s.Width)
		if s.Color {
			level := " " + string(f.Level) + ":"
			line = bytes.Replace(line, []byte(level), s.Paint([]byte(" "), styles[f.Level], level[1:]), 1)
		}
		b = append(b, line...)
		if source != nil {
			b = source(b, f.Pos, styles[f.Level])
		}
		for _, d := range f.Detail {
			b = layout.Wrap(b, layout.Printable(d), 4, s.Width)
		}
	}
	return layout.Wrap(b, layout.Printable(r.Summary()), 0, s.Width)
}

// styles has the color of each level.
var styles = map[results.Level]layout.Style{
	results.Error: layout.Red, results.Warning: layout.Yellow, results.Note: layout.Cyan,
}

// Summary returns the counts in a line, after the name of the grammar's file, or its title without one. It leaves out
// those that are 0, except for regular, ambiguous and losing productions and the findings of a PEG. Losses are left
// out for a regular expression, and losses and ambiguity for a PEG. Without a production, none of these is there.
func (r *Report) Summary() string {
	parts := []string{layout.Plural(r.Productions, "production")}
	switch {
	case r.Regular == r.Productions:
		parts = append(parts, "all regular")
	default:
		parts = append(parts, fmt.Sprintf("%d regular", r.Regular))
	}
	if r.Grammar.Ordered {
		never, eats := r.count(NeverMatches), r.count(EatsAll)
		parts = append(parts, layout.Plural(never, "alternative")+" "+layout.Agree(never, "never matches",
			"never match"))
		parts = append(parts, layout.Plural(eats, "repetition")+" "+layout.Agree(eats, "eats", "eat")+" what follows")
		if r.Code > 0 {
			parts = append(parts, "assumed that code in "+layout.Plural(r.Code, "rule")+" returns values alone")
		}
	}
	if r.Proven > 0 {
		parts = append(parts, fmt.Sprintf("%d more proven unambiguous", r.Proven))
	}
	if r.Nested > 0 {
		parts = append(parts, fmt.Sprintf("%d looked at to a depth of nesting", r.Nested))
	}
	if !r.Grammar.Ordered {
		parts = append(parts, r.outOf(r.Ambiguous, r.AmbiguousOf, "ambiguous", "is ambiguous"))
	}
	// In the words of outOf, those that cannot be tried in order count as decided.
	lose := r.outOf(r.Losing, r.LosingOf+r.Unordered, "would lose strings as ordered choices",
		"would lose strings as ordered choices")
	switch {
	case r.Losing > 0 && r.Causes > 0:
		lose += " because of " + layout.Plural(r.Causes, "cause")
	case r.Losing > 0:
		lose += ", and the causes are not decided"
	}
	if r.Unordered > 0 {
		lose += fmt.Sprintf(", %d cannot be read so", r.Unordered)
	}
	if !r.expression() && !r.Grammar.Ordered {
		parts = append(parts, lose)
	}
	if r.Productions == 0 {
		parts = parts[:1]
	}
	if r.Undecided > 0 {
		open := fmt.Sprintf("%d of %d not decided", r.Undecided, r.Productions)
		if r.Lacking > 0 {
			open += ", "
			if r.Lacking < r.Undecided {
				open += fmt.Sprintf("%d of them ", r.Lacking)
			}
			open += fmt.Sprintf("because %s %s no production", list(r.Missing),
				layout.Agree(len(r.Missing), "has", "have"))
		}
		parts = append(parts, open)
	}
	if r.Ignored > 0 {
		parts = append(parts, layout.Plural(r.Ignored, "finding")+" ignored")
	}
	if r.Known > 0 {
		parts = append(parts, fmt.Sprintf("%d known", r.Known))
	}
	return r.name() + ": " + strings.Join(parts, ", ")
}

// count returns the number of findings with a code.
func (r *Report) count(code Code) (n int) {
	for _, f := range r.Findings {
		if f.Code == code {
			n++
		}
	}
	return n
}

// outOf says how many productions something holds for and, unless it was decided for all of them, how many it
// was decided for: "2 ambiguous", "none decided whether it is ambiguous", "2 of 7 decided ambiguous".
func (r *Report) outOf(n, decided int, is, whether string) string {
	switch decided {
	case r.Productions:
		return fmt.Sprintf("%d %s", n, is)
	case 0:
		return "none decided whether it " + whether
	}
	return fmt.Sprintf("%d of %d decided %s", n, decided, is)
}

// head returns the first line of the report: the number of findings by level, the highest first, then by code, the
// most frequent first. It ends with the productions that more than four findings have as their root, the most
// frequent first. It is "" if there are at most four findings.
func (r *Report) head() string {
	const few = 4
	levels, count, roots := map[results.Level]int{}, map[Code]int{}, map[string]int{}
	for _, f := range r.Findings {
		levels[f.Level]++
		count[f.Code]++
		roots[f.root]++
	}
	delete(roots, "")
	if len(r.Findings) <= few {
		return ""
	}
	var worst, parts []string
	for _, level := range []results.Level{results.Error, results.Warning, results.Note} {
		if n := levels[level]; n > 0 {
			worst = append(worst, layout.Plural(n, string(level)))
		}
	}
	byCount := func(a, b Code) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) }
	for _, code := range slices.SortedStableFunc(maps.Keys(count), byCount) {
		parts = append(parts, fmt.Sprintf("%d %s", count[code], code))
	}
	byRoots := func(a, b string) int { return cmp.Or(roots[b]-roots[a], cmp.Compare(a, b)) }
	for _, root := range slices.SortedStableFunc(maps.Keys(roots), byRoots) {
		if roots[root] > few {
			parts = append(parts, fmt.Sprintf("%d because of `%s`", roots[root], root))
		}
	}
	return fmt.Sprintf("%s: %s: %s", r.name(), strings.Join(worst, ", "), strings.Join(parts, ", "))
}

// joined returns the findings, errors first. Findings without details whose messages begin with a production and then
// say the same become the first of them, whose detail names the other productions. Only its level and its word are
// left.
func (r *Report) joined() (list []Finding) {
	at := map[string]int{}
	for _, f := range r.Findings {
		same, ofIt := strings.CutPrefix(f.Message, "`"+f.Production+"` ")
		if i, again := at[same]; ofIt && again && len(f.Detail) == 0 {
			also := fmt.Sprintf("`%s` (line %s)", f.Production, f.Pos.LineFrom(list[i].Pos.File))
			if d := &list[i].Detail; len(*d) > 0 {
				(*d)[0] += ", " + also
			} else {
				*d = []string{"also " + also}
			}
			continue
		}
		if ofIt && len(f.Detail) == 0 {
			at[same] = len(list)
		}
		list = append(list, f)
	}
	isError := func(f Finding) bool { return f.Level == results.Error }
	errors := slices.DeleteFunc(slices.Clone(list), func(f Finding) bool { return !isError(f) })
	return append(errors, slices.DeleteFunc(list, isError)...)
}

// name returns the name of the grammar's file, or its title.
func (r *Report) name() string { return cmp.Or(r.Grammar.File, r.Grammar.Title) }

// expression reports whether the grammar is a regular expression: losses are not looked for in these.
func (r *Report) expression() bool { return printer{g: r.Grammar}.regexp() }

// JSON returns the report as a value for package json. The counts about lost strings are left out for regular
// expressions and PEGs, and so are those of code, and of what is ignored, known or acknowledged, where they are 0.
// It does not have the mended right-hand side of a finding, or the names in Missing.
func (r *Report) JSON() any {
	type finding struct {
		Code       Code          `json:"code"`
		Level      results.Level `json:"level"`
		Place      string        `json:"place,omitempty"`
		Production string        `json:"production"`
		Message    string        `json:"message"`
		Detail     []string      `json:"detail,omitempty"`
		Word       *quote.Word   `json:"word,omitempty"`
	}
	list := []finding{}
	for _, f := range r.Findings {
		list = append(list, finding{f.Code, f.Level, f.Pos.String(), f.Production, f.Message, f.Detail, f.Word})
	}
	// Counts that mean nothing for expressions and PEGs are left out, and not 0.
	losing, causes, unordered, losingOf := &r.Losing, &r.Causes, &r.Unordered, &r.LosingOf
	if r.expression() || r.Grammar.Ordered {
		losing, causes, unordered, losingOf = nil, nil, nil, nil
	}
	return struct {
		Grammar     string    `json:"grammar"`
		File        string    `json:"file,omitempty"`
		Productions int       `json:"productions"`
		Regular     int       `json:"regular"`
		Nested      int       `json:"nested"`
		Ambiguous   int       `json:"ambiguous"`
		Losing      *int      `json:"losing,omitempty"`
		Causes      *int      `json:"causes,omitempty"`
		Unordered   *int      `json:"unordered,omitempty"`
		AmbiguousOf int       `json:"ambiguous_of"`
		LosingOf    *int      `json:"losing_of,omitempty"`
		Proven      int       `json:"proven"`
		Undecided   int       `json:"undecided"`
		Lacking     int       `json:"lacking"`
		Code        int       `json:"code,omitempty"`
		Ignored     int       `json:"ignored,omitempty"`
		Known       int       `json:"known,omitempty"`
		Ack         int       `json:"acknowledged,omitempty"`
		Findings    []finding `json:"findings"`
	}{
		r.Grammar.Name, r.Grammar.File, r.Productions, r.Regular, r.Nested, r.Ambiguous, losing, causes,
		unordered, r.AmbiguousOf, losingOf, r.Proven, r.Undecided, r.Lacking, r.Code, r.Ignored, r.Known,
		r.Acknowledged, list,
	}
}

// Results returns a result for each finding: skipped if something is undecided, noted for another note, and failed
// for a warning or an error. Findings of one code in one production are told apart by numbers, from the second on.
func Results(reports []*Report) (all []results.Result) {
	for _, r := range reports {
		count := map[string]int{}
		for _, f := range r.Findings {
			name := fmt.Sprintf("%s %s", f.Production, f.Code)
			if count[name]++; count[name] > 1 {
				name += fmt.Sprintf(" %d", count[name])
			}
			c, _ := Of(string(f.Code))
			x := results.Result{
				Suite: "lint " + r.Grammar.Name, Name: name, Outcome: results.Noted, Level: f.Level,
				Message: f.Message, Detail: strings.Join(f.Detail, "\n"), Rule: "lint/" + string(f.Code),
				Title: c.Title,
				Place: results.Place{File: f.Pos.File, Line: f.Pos.Line, Column: f.Pos.Col},
			}
			switch {
			case f.Code == Undecided:
				x.Outcome, x.Level = results.Skipped, ""
			case f.Level != results.Note: // either ends the command with status 1
				x.Outcome = results.Failed
			}
			if f.Word != nil {
				x.Witness, x.Shown, x.CodePoints = string(*f.Word), true, r.Grammar.CodePoints
			}
			all = append(all, x)
		}
	}
	return all
}
