package layout

import "bytes"

// A Table is text in columns.
type Table struct {
	Header []string
	Right  uint // bit i says that column i is aligned to the right
	Rows   [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Append appends the table. The last column is as wide as it needs to be.
func (t *Table) Append(b []byte, s *Screen) []byte {
	widths := make([]int, len(t.Header))
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		for i, c := range row {
			widths[i] = max(widths[i], len(c))
		}
	}
	line := func(row []string, how Style) {
		for i, c := range row {
			if t.Right>>i&1 == 1 {
				b = Pad(b, len(c), widths[i])
			}
			b = s.Paint(b, how, c)
			if i == len(row)-1 {
				break
			}
			if t.Right>>i&1 == 0 {
				b = Pad(b, len(c), widths[i])
			}
			b = append(b, "  "...)
		}
		b = append(bytes.TrimRight(b, " "), '\n')
	}
	line(t.Header, Bold)
	for _, row := range t.Rows {
		line(row, Plain)
	}
	return b
}
