package layout

import (
	"bytes"
	"unicode/utf8"
)

// A Table is text in columns, with two spaces between them.
type Table struct {
	Header []string // nil for none
	Right  uint     // bit i is set if column i is aligned to the right
	Rows   [][]string
	Fold   bool // rows that are too wide for the screen are folded, with their columns aligned
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// widths returns the width of each column in characters, that of its widest cell or header. Cells have no colors of
// their own. There are as many columns as the longest row has cells.
func (t *Table) widths() (list []int) {
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		for i, c := range row {
			if i == len(list) {
				list = append(list, 0)
			}
			list[i] = max(list[i], utf8.RuneCountInString(c))
		}
	}
	return list
}

// Width returns how many columns of a screen the table takes if it is not folded.
func (t *Table) Width() int {
	total := 0
	for i, w := range t.widths() {
		total += w
		if i > 0 {
			total += 2
		}
	}
	return total
}

// A band is the columns that stand in one line of each row: from one up to another, which is not among them, behind an
// indentation.
type band struct{ from, to, indent int }

// bands distributes the columns over lines of the screen. All are in one where they fit, or where t is not folded. A
// line that continues a row begins below the second column, if that is near. A column that is wider than the screen
// has a line of its own.
func (t *Table) bands(widths []int, s *Screen) (list []band) {
	if !t.Fold || s.Width == 0 || t.Width() <= s.Width {
		return []band{{0, len(widths), 0}}
	}
	deeper := 4 // the indentation of lines that continue a row
	if second := widths[0] + 2; second > deeper && second <= s.Width/4 {
		deeper = second
	}
	current, taken := band{}, 0 // the band that is being filled, and how far it reaches
	for i, w := range widths {
		if i > current.from && taken+2+w > s.Width {
			list = append(list, current)
			current, taken = band{i, i, deeper}, deeper-2
		}
		current.to, taken = i+1, taken+2+w
		if i == 0 {
			taken = w
		}
	}
	list = append(list, current)
	t.alignEnds(list, widths)
	return list
}

// alignEnds indents lines that begin and end with a column aligned to the right so that they end
// below the longest line that ends with one: of numbers one below the other the digits are, too.
func (t *Table) alignEnds(list []band, widths []int) {
	isRight := func(column int) bool { return t.Right>>column&1 == 1 }
	end := func(in band) int {
		at := in.indent - 2
		for _, w := range widths[in.from:in.to] {
			at += 2 + w
		}
		return at
	}
	furthest := 0
	for _, in := range list {
		if isRight(in.to - 1) {
			furthest = max(furthest, end(in))
		}
	}
	for i, in := range list {
		if i > 0 && isRight(in.from) && isRight(in.to-1) {
			list[i].indent += furthest - end(in)
		}
	}
}

// Append appends the table to b, with the header in bold. No line ends with spaces. A row may have fewer cells than
// others. Columns are folded if t.Fold is set and s is too narrow; a cell is never broken.
func (t *Table) Append(b []byte, s *Screen) []byte {
	widths := t.widths()
	bands := t.bands(widths, s)
	// part appends the cells of a row that stand in a band, as one line.
	part := func(row []string, in band, how Style) {
		b = Pad(b, 0, in.indent)
		for i := in.from; i < min(in.to, len(row)); i++ {
			c := row[i]
			n := utf8.RuneCountInString(c)
			if t.Right>>i&1 == 1 {
				b = Pad(b, n, widths[i])
			}
			b = s.Paint(b, how, c)
			if i == min(in.to, len(row))-1 {
				break
			}
			if t.Right>>i&1 == 0 {
				b = Pad(b, n, widths[i])
			}
			b = append(b, "  "...)
		}
		b = append(bytes.TrimRight(b, " "), '\n')
	}
	// line appends one row, as a line for each band in which the row has cells.
	line := func(row []string, how Style) {
		for i, in := range bands {
			if i == 0 || in.from < len(row) {
				part(row, in, how)
			}
		}
	}
	if t.Header != nil {
		line(t.Header, Bold)
	}
	for _, row := range t.Rows {
		line(row, Plain)
	}
	return b
}

// String returns the table without colors.
func (t *Table) String() string { return string(t.Append(nil, &Screen{})) }
