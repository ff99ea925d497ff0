package page

import (
	"cmp"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// TextOptions choose how text is written.
type TextOptions struct {
	Width int  // columns that a line may take; 0 for as many as are pleasant to read
	Bold  bool // headings may be set in bold, with the terminal's escape sequences
}

// WriteText writes the report as text for a terminal. A table that is wider than the page is written row by row. A
// width below 20 columns, but for 0, counts as 20. It fails only if w does.
func WriteText(w io.Writer, c *Content, o TextOptions) error {
	t := &text{bold: o.Bold, width: max(cmp.Or(o.Width, 100), 20)}
	c.outline(t)
	_, err := io.WriteString(w, t.String())
	return err
}

// A text is a sheet of plain text.
type text struct {
	paged
	width int
	bold  bool
}

// heading writes a heading: the first two levels in capitals. If it may be bold, it is; else the first three levels
// are underlined.
func (t *text) heading(level int, title string) {
	t.beginPart(false)
	if level < 3 {
		title = strings.ToUpper(title)
	}
	for _, l := range fold(title, t.width, t.width) {
		if t.bold {
			l = "\x1b[1m" + l + "\x1b[0m"
		}
		t.WriteString(l + "\n")
	}
	if level < 4 && !t.bold {
		rule := "="
		if level == 3 {
			rule = "-"
		}
		t.WriteString(strings.Repeat(rule, min(t.width, utf8.RuneCountInString(title))) + "\n")
	}
}

// paragraph writes a paragraph, folded to the width.
func (t *text) paragraph(l line) {
	t.beginPart(false)
	t.writeFolded("", "", l.plain())
}

// item writes an item of a list.
func (t *text) item(l line) {
	t.beginPart(true)
	t.writeFolded("  ", "    ", l.plain())
}

// block writes lines that keep their form, two columns in. One that is too wide is broken, at a space if there is one
// after its beginning, and its rest is indented by two columns more.
func (t *text) block(s string) {
	t.beginPart(false)
	for l := range strings.Lines(s) {
		l = strings.TrimRight(l, "\n")
		room := t.width - 2
		for utf8.RuneCountInString(l) > room {
			piece := layout.Cut(l, room)
			// It ends at its last space, unless only an indent, or the "//" of a comment, would be left.
			i := max(strings.LastIndexByte(piece, ' '), 0)
			if strings.TrimLeft(piece[:i], " /") != "" {
				piece = piece[:i]
			}
			t.WriteString(strings.TrimRight("  "+piece, " ") + "\n")
			l = "  " + strings.TrimLeft(l[len(piece):], " ") // the rest with its indent, which counts too
		}
		t.WriteString(strings.TrimRight("  "+l, " ") + "\n")
	}
}

// writeFolded writes s, folded to the width of the page: the first line after lead, the others after indent.
func (t *text) writeFolded(lead, indent, s string) {
	for i, l := range fold(s, t.width-len(lead), t.width-len(indent)) {
		if i > 0 {
			lead = indent
		}
		t.WriteString(strings.TrimRight(lead+l, " ") + "\n")
	}
}

// table writes a table, row by row if it is too wide (see writeRecords). Bit i of numbers says that column i holds
// numbers, which stand at the right.
func (t *text) table(head []string, numbers uint, rows [][]line) {
	table := layout.Table{Header: head, Right: numbers}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = c.plain()
		}
		table.Add(cells...)
	}
	t.beginPart(false)
	if table.Width() > t.width {
		t.writeRecords(head, rows)
		return
	}
	t.WriteString(table.String())
}

// writeRecords writes the rows of a table that is too wide, a line for each cell: the name of its column and what it
// holds, or this alone if the column has no name. The first cell of a row is at the margin, and the others are
// indented below it; no empty line stands between two rows. The rest of a line that is too long is indented by four
// columns. No row may have more cells than head.
func (t *text) writeRecords(head []string, rows [][]line) {
	for _, row := range rows {
		for i, c := range row {
			name, lead := head[i], "  "
			if name != "" {
				name += ": "
			}
			if i == 0 {
				lead = ""
			}
			t.writeFolded(lead, "    ", name+c.plain())
		}
	}
}

// plain returns a line without any mark.
func (l line) plain() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.text)
	}
	return b.String()
}

// fold breaks s into lines after making all of its white space single spaces: see [layout.Fold].
func fold(s string, first, width int) []string {
	return layout.Fold(strings.Join(strings.Fields(s), " "), first, width, true)
}
