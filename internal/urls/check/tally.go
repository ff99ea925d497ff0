package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// An Answer is the answer of a grammar to a line: one of the four verdicts, or the reason why the line could not be
// parsed; or that of one production, which accepts a line, rejects it, or could not decide.
type Answer uint8

// The answers beside the verdicts of package bnfcheck.
const (
	TooLong Answer = Answer(bnfcheck.NoProduction) + 1 + iota // longer than the limit
	HoldsNUL
	Accepted
	Undecided // it would take too much memory
	Answers   // how many there are
)

// OfOne lists the answers about one production in the order of display.
var OfOne = [...]Answer{Accepted, Answer(bnfcheck.Rejected), TooLong, Undecided}

// String returns the answer's name: "conforming", "too-long"; that of HoldsNUL is "nul".
func (a Answer) String() string {
	switch a {
	case TooLong:
		return "too-long"
	case HoldsNUL:
		return "nul"
	case Accepted:
		return "accepted"
	case Undecided:
		return "undecided"
	}
	return bnfcheck.Value(a).String()
}

// InColumns lists the answers in the order of display, best first.
var InColumns = [...]Answer{
	Answer(bnfcheck.Conforming), Answer(bnfcheck.GenericOnly), Answer(bnfcheck.NoProduction), Answer(bnfcheck.Rejected),
	HoldsNUL, TooLong,
}

// Negative reports whether an answer makes the exit status 1: a rejection, a line that is too long or holds a
// NUL, and with strict also one that only the generic production derives. No production, and undecided, do
// not.
func (a Answer) Negative(strict bool) bool {
	switch a {
	case Answer(bnfcheck.Conforming), Answer(bnfcheck.NoProduction), Accepted, Undecided:
		return false
	case Answer(bnfcheck.GenericOnly):
		return strict
	}
	return true
}

// Counts has the number of lines with each answer.
type Counts [Answers]int

// Total returns how many answers were given.
func (c *Counts) Total() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// A Tally counts lines by scheme, grammar and answer. Reset makes one ready for use.
type Tally struct {
	Grammars []*bnfcheck.Grammar
	Lines    int            // how many were judged; the caller counts them
	Skipped  int            // how many were not, being blank or comments
	Searched int            // how many were searched for findings
	schemes  map[string]int // index into rows
	rows     []Row
	spare    [][]Counts // of rows that were cleared

	last int // index of the row that was asked for last: lines come in runs of one scheme

	Findings [][]int // by grammar and rule, as semantic.Rules has them
}

// A Row has the counts of one scheme under each grammar. A line that begins with "url:http:" has the scheme
// http in one grammar and url in another, so the totals of a row can differ.
type Row struct {
	Scheme string
	Counts []Counts // by grammar
}

// The number of schemes is not known beforehand, and a tally must stay small on any input: the first maxSchemes are
// counted one by one, unless their name is longer than maxSchemeLength bytes, as no known scheme's is. The rest is one
// row, of OtherSchemes.
const (
	maxSchemes      = 4096
	maxSchemeLength = 32
	OtherSchemes    = "\x00other" // no scheme is called this
)

// Reset empties a tally and makes it one of these grammars. It keeps the memory of its rows if there are as many
// grammars as before.
func (t *Tally) Reset(grammars []*bnfcheck.Grammar) {
	if len(grammars) != len(t.Grammars) { // the rows and findings that are kept have another length
		t.rows, t.spare, t.Findings = nil, nil, nil
	}
	t.Grammars = grammars
	t.Lines, t.Skipped, t.Searched = 0, 0, 0
	for _, r := range t.rows {
		clear(r.Counts)
		t.spare = append(t.spare, r.Counts)
	}
	t.rows = t.rows[:0]
	if t.schemes == nil {
		t.schemes = map[string]int{}
	}
	clear(t.schemes)
	for len(t.Findings) < len(grammars) {
		t.Findings = append(t.Findings, make([]int, len(rules)))
	}
	for _, c := range t.Findings {
		clear(c)
	}
}

// rowOf returns the row of a scheme, and adds it if there is none. For a scheme without a row, if there are limit rows
// already or its name is too long, it returns the row of OtherSchemes, which may be one beyond the limit. The pointer
// is valid until the next call.
func (t *Tally) rowOf(scheme string, limit int) *Row {
	if t.last < len(t.rows) && t.rows[t.last].Scheme == scheme {
		return &t.rows[t.last]
	}
	i, ok := t.schemes[scheme]
	if !ok {
		if len(scheme) > maxSchemeLength || len(t.rows) >= limit {
			scheme = OtherSchemes
		}
		i, ok = t.schemes[scheme]
		if !ok {
			i = len(t.rows)
			t.rows = append(t.rows, Row{strings.Clone(scheme), t.newCounts()})
			t.schemes[t.rows[i].Scheme] = i
		}
	}
	t.last = i
	return &t.rows[i]
}

// newCounts returns counts of 0 for each grammar; it takes them from t.spare if there are any.
func (t *Tally) newCounts() []Counts {
	if n := len(t.spare); n > 0 {
		c := t.spare[n-1]
		t.spare = t.spare[:n-1]
		return c
	}
	return make([]Counts, len(t.Grammars))
}

// Count counts an answer of the i-th grammar. It makes as many rows as there are schemes; [Tally.Merge] caps them.
func (t *Tally) Count(i int, scheme string, a Answer) { t.rowOf(scheme, 1<<30).Counts[i][a]++ }

// Add counts the answer of the i-th grammar to a line, and the findings of the judgment; t.Lines stays.
func (t *Tally) Add(i int, j *Judgment) {
	t.Count(i, j.Scheme, j.Answer)
	for k := range j.Findings {
		t.Findings[i][ruleIndex[j.Findings[k].Rule]]++
	}
}

// AddCount adds n lines of a scheme to the counts of the i-th grammar, under the name of an answer. Schemes are capped
// as in [Tally.Merge]. It fails if there is no such answer, or n is negative.
func (t *Tally) AddCount(i int, scheme, verdict string, n int) error {
	for a := range Answers {
		if a.String() == verdict {
			if n < 0 {
				return fmt.Errorf("a negative number of lines of the scheme %s", ast.Quote(scheme))
			}
			t.rowOf(scheme, maxSchemes).Counts[i][a] += n
			return nil
		}
	}
	return fmt.Errorf("no verdict %s", ast.Quote(verdict))
}

// AddFindings adds n findings of a rule, given by ID, to those of the i-th grammar. It fails if there is no
// such rule, or n is negative.
func (t *Tally) AddFindings(i int, rule string, n int) error {
	k, ok := ruleIndex[rule]
	switch {
	case !ok:
		return fmt.Errorf("no rule %s", ast.Quote(rule))
	case n < 0:
		return fmt.Errorf("a negative number of findings of %s", rule)
	}
	t.Findings[i][k] += n
	return nil
}

// addFindings adds numbers of findings, by rule, to those of the i-th grammar.
func (t *Tally) addFindings(i int, counts []int) {
	for rule, n := range counts {
		t.Findings[i][rule] += n
	}
}

// rules has all rules, ruleIndex their places in it by ID. They are never changed.
var (
	rules     = semantic.Rules()
	ruleIndex = func() map[string]int {
		index := map[string]int{}
		for i := range rules {
			index[rules[i].ID] = i
		}
		return index
	}()
)

// Merge adds all counts of o, a tally of the same grammars, which it leaves as it is: its rows, its findings, and the
// numbers of lines that were judged, skipped, and searched for findings. It counts no more than maxSchemes schemes one
// by one: the lines of others go to the row of OtherSchemes.
func (t *Tally) Merge(o *Tally) {
	t.Lines += o.Lines
	t.Skipped += o.Skipped
	t.Searched += o.Searched
	for _, r := range o.rows {
		t.rowOf(r.Scheme, maxSchemes).addRow(r)
	}
	for i, counts := range o.Findings {
		t.addFindings(i, counts)
	}
}

// Negative reports whether any answer makes the exit status 1.
func (t *Tally) Negative(strict bool) bool {
	return t.hasAnswer(func(a Answer) bool { return a.Negative(strict) })
}

// Open reports whether anything could not be decided.
func (t *Tally) Open() bool { return t.hasAnswer(func(a Answer) bool { return a == Undecided }) }

// hasAnswer reports whether some line got an answer that is returns true for.
func (t *Tally) hasAnswer(is func(Answer) bool) bool {
	for _, r := range t.rows {
		for i := range r.Counts {
			for a, n := range r.Counts[i] {
				if n > 0 && is(Answer(a)) {
					return true
				}
			}
		}
	}
	return false
}

// Size returns the number of lines of a scheme, by the grammar that has the most. Rows are sorted by it.
func (r *Row) Size() (n int) {
	for i := range r.Counts {
		n = max(n, r.Counts[i].Total())
	}
	return n
}

// Total returns the sum of all rows.
func (t *Tally) Total() Row {
	total := Row{"total", make([]Counts, len(t.Grammars))}
	for _, r := range t.rows {
		total.addRow(r)
	}
	return total
}

// Sorted returns the rows, most frequent first and then by scheme. Their Counts are those of t, not copies.
func (t *Tally) Sorted() []Row {
	rows := slices.Clone(t.rows)
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Size(), a.Size()), cmp.Compare(a.Scheme, b.Scheme))
	})
	return rows
}

// shownSchemes caps the schemes without a production of their own that the summary names.
const shownSchemes = 12

// Summary returns the rows as they are shown: all schemes that some grammar has a production for, and the most frequent
// others, the most frequent first. After these the remaining schemes are one row, if there are any, and the last row is
// the total. A Scheme in it is for people: "(no scheme)" for "", and "other (7 schemes)", or "other (more than 7
// schemes)" if the tally did not count every scheme one by one; the number may be 0 then. The counts of the first rows
// are those of t, not copies.
func (t *Tally) Summary() []Row {
	rows := t.Sorted()
	rest := Row{"", make([]Counts, len(t.Grammars))}
	// If schemes were not told apart while they were counted, the rest has more of them than are folded here.
	folded, shown := 0, 0
	var unnamed bool
	out := rows[:0] // Sorted's result is a copy
	for _, r := range rows {
		switch {
		case r.Scheme == OtherSchemes:
			unnamed = true
			rest.addRow(r)
		case t.hasProduction(r.Scheme):
			out = append(out, r)
		case shown < shownSchemes:
			shown++
			r.Scheme = cmp.Or(r.Scheme, "(no scheme)")
			out = append(out, r)
		default:
			folded++
			rest.addRow(r)
		}
	}
	switch {
	case unnamed:
		rest.Scheme = fmt.Sprintf("other (more than %d schemes)", folded)
		out = append(out, rest)
	case folded > 0:
		rest.Scheme = fmt.Sprintf("other (%d schemes)", folded)
		out = append(out, rest)
	}
	return append(out, t.Total())
}

// addRow adds the counts of o to those of r.
func (r *Row) addRow(o Row) {
	for i := range o.Counts {
		for a, n := range o.Counts[i] {
			r.Counts[i][a] += n
		}
	}
}

// hasProduction reports whether some grammar has a production for a scheme.
func (t *Tally) hasProduction(scheme string) bool {
	return slices.ContainsFunc(t.Grammars, func(g *bnfcheck.Grammar) bool { _, ok := g.Scheme(scheme); return ok })
}

// A FoundRule is a rule with the number of its findings by grammar, and in total.
type FoundRule struct {
	Rule   semantic.Rule
	Counts []int
	Total  int
}

// FoundRules returns the rules that found something under some grammar, most frequent first.
func (t *Tally) FoundRules() []FoundRule {
	var list []FoundRule
	for i, r := range rules {
		f := FoundRule{Rule: r}
		for _, counts := range t.Findings {
			f.Counts = append(f.Counts, counts[i])
			f.Total += counts[i]
		}
		if f.Total > 0 {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b FoundRule) int { return cmp.Compare(b.Total, a.Total) })
	return list
}
