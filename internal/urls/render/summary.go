package render

import (
	"fmt"
	"strconv"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
)

// AppendSummary appends a tally for people: the columns of each grammar, side by side if there is room or else one
// below the other; the findings of each rule that has any; and the number of lines. If findings were looked for in some
// lines and not in all, it says in how many. Without lines it appends only their number.
func AppendSummary(b []byte, s *layout.Screen, t *check.Tally) []byte {
	if t.Lines > 0 {
		b = append(appendTables(b, s, t), '\n')
		b = appendFindingCounts(b, s, t)
	}
	b = append(b, layout.Plural(t.Lines, "URL")...)
	if t.Skipped > 0 {
		b = append(b, ", "+layout.Plural(t.Skipped, "blank or comment line")+" skipped"...)
	}
	if t.Searched > 0 && t.Searched < t.Lines {
		b = append(b, fmt.Sprintf("; findings were looked for in %d of them", t.Searched)...)
	}
	return append(b, '\n')
}

// appendTables appends one table for all grammars or, if that is too wide, one for each.
func appendTables(b []byte, s *layout.Screen, t *check.Tally) []byte {
	rows := t.Summary()
	total := rows[len(rows)-1]
	groups := make([]group, len(t.Grammars))
	wide := 0
	for i, g := range t.Grammars {
		groups[i] = newGroup(g.Name, i, &total)
		wide += len(gap) + groups[i].width
	}
	first := len("scheme")
	for _, r := range rows {
		first = max(first, len(r.Scheme))
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

// appendFindingCounts appends the number of findings of each rule, most frequent first, and an empty line. It appends
// nothing if there are no findings.
func appendFindingCounts(b []byte, s *layout.Screen, t *check.Tally) []byte {
	list := layout.Table{Header: []string{"findings", "severity"}}
	for i, g := range t.Grammars {
		list.Header = append(list.Header, g.Name)
		list.Right |= 1 << (2 + i)
	}
	list.Header = append(list.Header, "")
	for _, f := range t.FoundRules() {
		row := []string{f.Rule.ID, f.Rule.Severity.String()}
		for _, n := range f.Counts {
			row = append(row, dashed(n))
		}
		list.Add(append(row, f.Rule.Title)...)
	}
	if len(list.Rows) == 0 {
		return b
	}
	return append(list.Append(b, s), '\n')
}

// dashed returns a number, and a dash for 0.
func dashed(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// gap stands before each grammar's columns.
const gap = "   "

// A group is the columns of one grammar.
type group struct {
	name    string
	index   int            // of the grammar
	columns []check.Answer // those that have one
	widths  []int          // of each column
	width   int            // of all of them, with the gaps between
}

// newGroup returns the columns of a grammar: those of the answers that it gave, and in any case of conforming
// and rejected. total has the sums of all rows.
func newGroup(name string, index int, total *check.Row) group {
	g := group{name: name, index: index}
	for _, a := range check.InColumns {
		n := total.Counts[index][a]
		if n == 0 && a != check.Answer(bnfcheck.Conforming) && a != check.Answer(bnfcheck.Rejected) {
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

// appendTable appends a table: a line with the names of the groups, one with those of the columns, and the rows. A row
// has its scheme in a column of first characters, and then the columns of each group.
func appendTable(b []byte, s *layout.Screen, rows []check.Row, first int, groups []group) []byte {
	// The names of the grammars, then those of the columns, then the rows.
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
			b = appendAligned(b, s, a.String(), g.widths[i], i > 0, layout.Dim)
		}
	}
	b = append(b, '\n')
	for _, r := range rows {
		b = append(b, r.Scheme...)
		b = layout.Pad(b, len(r.Scheme), first)
		for _, g := range groups {
			b = append(b, gap...)
			for i, a := range g.columns {
				n := r.Counts[g.index][a]
				how := styleOf(a)
				if n == 0 {
					how = layout.Dim
				}
				b = appendAligned(b, s, dashed(n), g.widths[i], i > 0, how)
			}
		}
		b = append(b, '\n')
	}
	return b
}

// appendAligned appends a cell, aligned to the right, with a gap before it if it is separate.
func appendAligned(b []byte, s *layout.Screen, text string, width int, separate bool, how layout.Style) []byte {
	if separate {
		b = append(b, "  "...)
	}
	return s.Paint(layout.Pad(b, len(text), width), how, text)
}

// styleOf returns the style of an answer: green for a line that conforms or is accepted, yellow for one that is
// generic-only or undecided, cyan if its scheme has no production, and red for one that is rejected or was not looked
// at.
func styleOf(a check.Answer) layout.Style {
	switch a {
	case check.Answer(bnfcheck.Conforming), check.Accepted:
		return layout.Green
	case check.Answer(bnfcheck.GenericOnly), check.Undecided:
		return layout.Yellow
	case check.Answer(bnfcheck.NoProduction):
		return layout.Cyan
	}
	return layout.Red
}
