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
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// widths returns the width of each column.
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

// Width returns how many columns of a screen the table takes.
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

// Append appends the table. The last column is as wide as it needs to be.
func (t *Table) Append(b []byte, s *Screen) []byte {
	widths := t.widths()
	line := func(row []string, how Style) {
		for i, c := range row {
			n := utf8.RuneCountInString(c)
			if t.Right>>i&1 == 1 {
				b = Pad(b, n, widths[i])
			}
			b = s.Paint(b, how, c)
			if i == len(row)-1 {
				break
			}
			if t.Right>>i&1 == 0 {
				b = Pad(b, n, widths[i])
			}
			b = append(b, "  "...)
		}
		b = append(bytes.TrimRight(b, " "), '\n')
	}
	if t.Header != nil {
		line(t.Header, Bold)
	}
	for _, row := range t.Rows {
		line(row, Plain)
	}
	return b
}

// String returns the table without colours.
func (t *Table) String() string { return string(t.Append(nil, &Screen{})) }
