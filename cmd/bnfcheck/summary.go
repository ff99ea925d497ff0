package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// An answer is what a grammar says of a line: one of the four verdicts or, where the line could not be given to the
// parser, why.
type answer uint8

// The answers beside the verdicts of package bnfcheck.
const (
	tooLong answer = answer(bnfcheck.NoProduction) + 1 + iota // longer than the limit
	holdsNUL
	answers // how many there are
)

func (a answer) String() string {
	switch a {
	case tooLong:
		return "too-long"
	case holdsNUL:
		return "nul"
	}
	return bnfcheck.Value(a).String()
}

// inColumns gives the answers in the order in which they are shown, best first.
var inColumns = [...]answer{
	answer(bnfcheck.Conforming), answer(bnfcheck.GenericOnly), answer(bnfcheck.NoProduction), answer(bnfcheck.Rejected),
	holdsNUL, tooLong,
}

// negative says whether an answer makes the exit status 1.
func (a answer) negative(strict bool) bool {
	switch a {
	case answer(bnfcheck.Conforming), answer(bnfcheck.NoProduction):
		return false
	case answer(bnfcheck.GenericOnly):
		return strict
	}
	return true
}

// counts says how often each answer was given.
type counts [answers]int

func (c *counts) total() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// A tally counts lines by scheme, grammar and answer.
type tally struct {
	rfcs    rfcs
	lines   int
	skipped int
	schemes map[string]int // index into rows
	rows    []row
	spare   [][]counts // of rows that were cleared

	last int // the row that was asked for last: lines come in runs of one scheme

	findings [][]int // by grammar and rule, as semantic.Rules has them
}

// A row is what was counted of one scheme, under each grammar. A line that begins with "url:http:" is http to one
// grammar and url to the other, so that the totals of a row can differ.
type row struct {
	scheme string
	counts []counts // by grammar
}

// The number of schemes is not known beforehand, and a tally must stay small on any input: those that come first are
// counted one by one, and not if their name is longer than any scheme's.
const (
	maxSchemes      = 4096
	maxSchemeLength = 32
	otherSchemes    = "\x00other" // no scheme is called this
)

func (t *tally) clear(use rfcs) {
	t.rfcs = use
	t.lines, t.skipped = 0, 0
	for _, r := range t.rows {
		clear(r.counts)
		t.spare = append(t.spare, r.counts)
	}
	t.rows = t.rows[:0]
	if t.schemes == nil {
		t.schemes = map[string]int{}
	}
	clear(t.schemes)
	for len(t.findings) < len(use) {
		t.findings = append(t.findings, make([]int, len(rules)))
	}
	for _, c := range t.findings {
		clear(c)
	}
}

// row gives the row of a scheme.
func (t *tally) row(scheme string, limit int) *row {
	if t.last < len(t.rows) && t.rows[t.last].scheme == scheme {
		return &t.rows[t.last]
	}
	i, ok := t.schemes[scheme]
	if !ok {
		if len(scheme) > maxSchemeLength || len(t.rows) >= limit {
			scheme = otherSchemes
		}
		if i, ok = t.schemes[scheme]; !ok {
			i = len(t.rows)
			t.rows = append(t.rows, row{strings.Clone(scheme), t.newCounts()})
			t.schemes[t.rows[i].scheme] = i
		}
	}
	t.last = i
	return &t.rows[i]
}

func (t *tally) newCounts() []counts {
	if n := len(t.spare); n > 0 {
		c := t.spare[n-1]
		t.spare = t.spare[:n-1]
		return c
	}
	return make([]counts, len(t.rfcs))
}

// count counts an answer of the i-th grammar.
func (t *tally) count(i int, scheme string, a answer) { t.row(scheme, 1<<30).counts[i][a]++ }

// add counts what the i-th grammar says of a line.
func (t *tally) add(i int, j *judgement) {
	t.count(i, j.Scheme, j.answer)
	for k := range j.findings {
		t.findings[i][ruleIndex[j.findings[k].Rule]]++
	}
}

// addFindings adds how often each rule found something under the i-th grammar.
func (t *tally) addFindings(i int, counts []int) {
	for rule, n := range counts {
		t.findings[i][rule] += n
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

// merge adds what o counted.
func (t *tally) merge(o *tally) {
	t.lines += o.lines
	t.skipped += o.skipped
	for _, r := range o.rows {
		to := t.row(r.scheme, maxSchemes)
		for i := range r.counts {
			for a, n := range r.counts[i] {
				to.counts[i][a] += n
			}
		}
	}
	for i, counts := range o.findings {
		t.addFindings(i, counts)
	}
}

// negative says whether anything was rejected.
func (t *tally) negative(strict bool) bool {
	for _, r := range t.rows {
		for i := range r.counts {
			for a, n := range r.counts[i] {
				if n > 0 && answer(a).negative(strict) {
					return true
				}
			}
		}
	}
	return false
}

// size is by what rows are sorted: the lines of a scheme, by the grammar that counts most.
func (r *row) size() (n int) {
	for i := range r.counts {
		n = max(n, r.counts[i].total())
	}
	return n
}

// shownSchemes is how many schemes without a production of their own the summary names.
const shownSchemes = 12

// summary gives the rows as they are shown: most frequent first, all schemes that some grammar has a production for,
// and the most frequent others; the rest is one row, the total the last.
func (t *tally) summary() []row {
	rows := slices.Clone(t.rows)
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.size(), a.size()), cmp.Compare(a.scheme, b.scheme))
	})
	total, rest := row{"total", make([]counts, len(t.rfcs))}, row{"", make([]counts, len(t.rfcs))}
	folded, shown := 0, 0
	var unnamed bool
	out := rows[:0]
	for _, r := range rows {
		total.plus(r)
		switch {
		case r.scheme == otherSchemes:
			unnamed = true
			rest.plus(r)
		case t.known(r.scheme):
			out = append(out, r)
		case shown < shownSchemes:
			shown++
			if r.scheme == "" {
				r.scheme = "(no scheme)"
			}
			out = append(out, r)
		default:
			folded++
			rest.plus(r)
		}
	}
	switch {
	case unnamed:
		rest.scheme = fmt.Sprintf("other (more than %d schemes)", folded)
		out = append(out, rest)
	case folded > 0:
		rest.scheme = fmt.Sprintf("other (%d schemes)", folded)
		out = append(out, rest)
	}
	return append(out, total)
}

func (r *row) plus(o row) {
	for i := range o.counts {
		for a, n := range o.counts[i] {
			r.counts[i][a] += n
		}
	}
}

func (t *tally) known(scheme string) bool {
	for _, g := range t.rfcs {
		if _, ok := g.Scheme(scheme); ok {
			return true
		}
	}
	return false
}

// appendText writes the summary for people: one column set a grammar, side by side where there is room and else one
// below the other, and how many lines there were.
func (t *tally) appendText(b []byte, s *streams) []byte {
	if t.lines > 0 {
		b = append(t.appendTables(b, s), '\n')
		b = t.appendFindings(b, s)
	}
	b = append(b, plural(t.lines, "URL")...)
	if t.skipped > 0 {
		b = append(b, ", "+plural(t.skipped, "blank or comment line")+" skipped"...)
	}
	return append(b, '\n')
}

// appendTables writes one table, or one a grammar.
func (t *tally) appendTables(b []byte, s *streams) []byte {
	rows := t.summary()
	total := rows[len(rows)-1]
	groups := make([]group, len(t.rfcs))
	wide := 0
	for i, g := range t.rfcs {
		groups[i] = newGroup(g.Name, i, &total)
		wide += len(gap) + groups[i].width
	}
	first := len("scheme")
	for _, r := range rows {
		first = max(first, len(r.scheme))
	}
	if s.Width > 0 && first+wide > s.Width {
		for i := range groups {
			if i > 0 {
				b = append(b, '\n')
			}
			b = appendTable(b, s, rows, first, groups[i:i+1])
		}
	} else {
		b = appendTable(b, s, rows, first, groups)
	}
	return b
}

// appendFindings writes how often each rule found something, most frequent first.
func (t *tally) appendFindings(b []byte, s *streams) []byte {
	list := layout.Table{Header: []string{"findings", "severity"}}
	for i, g := range t.rfcs {
		list.Header = append(list.Header, g.Name)
		list.Right |= 1 << (2 + i)
	}
	list.Header = append(list.Header, "")
	for _, f := range t.foundRules() {
		row := []string{f.rule.ID, f.rule.Severity.String()}
		for _, n := range f.counts {
			row = append(row, cmp.Or(number(n), "-"))
		}
		list.Add(append(row, f.rule.Title)...)
	}
	if len(list.Rows) == 0 {
		return b
	}
	return append(list.Append(b, &s.Screen), '\n')
}

type foundRule struct {
	rule   semantic.Rule
	counts []int
	total  int
}

// foundRules gives the rules that found something, most frequent first.
func (t *tally) foundRules() []foundRule {
	var list []foundRule
	for i, r := range rules {
		f := foundRule{rule: r}
		for _, counts := range t.findings {
			f.counts = append(f.counts, counts[i])
			f.total += counts[i]
		}
		if f.total > 0 {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b foundRule) int { return cmp.Compare(b.total, a.total) })
	return list
}

// gap stands before each grammar's columns.
const gap = "   "

// A group is the columns of one grammar.
type group struct {
	name    string
	index   int // of the grammar
	columns []answer
	widths  []int
	width   int
}

// newGroup has a column for each answer that was given, and for the two that everybody looks for.
func newGroup(name string, index int, total *row) group {
	g := group{name: name, index: index}
	for _, a := range inColumns {
		n := total.counts[index][a]
		if n == 0 && a != answer(bnfcheck.Conforming) && a != answer(bnfcheck.Rejected) {
			continue
		}
		w := max(len(a.String()), len(strconv.Itoa(n)))
		g.columns = append(g.columns, a)
		g.widths = append(g.widths, w)
		g.width += w + 2
	}
	g.width = max(g.width-2, len(name))
	return g
}

func appendTable(b []byte, s *streams, rows []row, first int, groups []group) []byte {
	b = layout.Pad(b, 0, first)
	for i, g := range groups {
		b = append(b, gap...)
		b = s.Paint(b, layout.Bold, g.name)
		if i < len(groups)-1 {
			b = layout.Pad(b, len(g.name), g.width)
		}
	}
	b = append(b, '\n')
	b = s.Paint(b, layout.Dim, "scheme")
	b = layout.Pad(b, len("scheme"), first)
	for _, g := range groups {
		b = append(b, gap...)
		for i, a := range g.columns {
			b = cell(b, s, a.String(), g.widths[i], i > 0, layout.Dim)
		}
	}
	b = append(b, '\n')
	for _, r := range rows {
		b = append(b, r.scheme...)
		b = layout.Pad(b, len(r.scheme), first)
		for _, g := range groups {
			b = append(b, gap...)
			for i, a := range g.columns {
				n := r.counts[g.index][a]
				if n == 0 {
					b = cell(b, s, "-", g.widths[i], i > 0, layout.Dim)
				} else {
					b = cell(b, s, strconv.Itoa(n), g.widths[i], i > 0, a.style())
				}
			}
		}
		b = append(b, '\n')
	}
	return b
}

// cell appends a cell, aligned to the right.
func cell(b []byte, s *streams, text string, width int, separate bool, how layout.Style) []byte {
	if separate {
		b = append(b, "  "...)
	}
	return s.Paint(layout.Pad(b, len(text), width), how, text)
}

func (a answer) style() layout.Style {
	switch a {
	case answer(bnfcheck.Conforming):
		return layout.Green
	case answer(bnfcheck.GenericOnly):
		return layout.Yellow
	case answer(bnfcheck.NoProduction):
		return layout.Cyan
	}
	return layout.Red
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// appendJSON writes the summary as one object: what the table shows, without folding rare schemes.
func (t *tally) appendJSON(b []byte) []byte {
	type scheme struct {
		Scheme   string                    `json:"scheme"`
		Verdicts map[string]map[string]int `json:"verdicts"`
	}
	type finding struct {
		Rule     string         `json:"rule"`
		Severity string         `json:"severity"`
		Counts   map[string]int `json:"counts"`
	}
	v := struct {
		URLs     int       `json:"urls"`
		Skipped  int       `json:"skipped"`
		Schemes  []scheme  `json:"schemes"`
		Findings []finding `json:"findings"`
	}{t.lines, t.skipped, []scheme{}, []finding{}}
	rows := slices.Clone(t.rows)
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.size(), a.size()), cmp.Compare(a.scheme, b.scheme))
	})
	for _, r := range rows {
		if r.scheme == otherSchemes {
			r.scheme = "(other)"
		}
		of := scheme{r.scheme, map[string]map[string]int{}}
		for i, g := range t.rfcs {
			of.Verdicts[g.Name] = map[string]int{}
			for a, n := range r.counts[i] {
				if n > 0 {
					of.Verdicts[g.Name][answer(a).String()] = n
				}
			}
		}
		v.Schemes = append(v.Schemes, of)
	}
	for _, f := range t.foundRules() {
		of := finding{f.rule.ID, f.rule.Severity.String(), map[string]int{}}
		for i, g := range t.rfcs {
			if f.counts[i] > 0 {
				of.Counts[g.Name] = f.counts[i]
			}
		}
		v.Findings = append(v.Findings, of)
	}
	return appendJSON(b, v)
}
