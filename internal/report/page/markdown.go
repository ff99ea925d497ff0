package page

import (
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
)

// WriteMarkdown writes the report as Markdown, with tables as on GitHub. It fails only if w does.
func WriteMarkdown(w io.Writer, c *Content) error {
	var m markdown
	c.outline(&m)
	_, err := io.WriteString(w, m.String())
	return err
}

// A markdown is a sheet of Markdown.
type markdown struct{ paged }

// heading writes a heading.
func (m *markdown) heading(level int, title string) {
	m.beginPart(false)
	m.WriteString(strings.Repeat("#", level) + " " + results.Escape(title) + "\n")
}

// paragraph writes a paragraph.
func (m *markdown) paragraph(l line) {
	m.beginPart(false)
	m.WriteString(unpiped(l.markdown()) + "\n")
}

// item writes an item of a list.
func (m *markdown) item(l line) {
	m.beginPart(true)
	m.WriteString("- " + unpiped(l.markdown()) + "\n")
}

// block writes lines that keep their form, as a fenced block of code.
func (m *markdown) block(s string) {
	m.beginPart(false)
	m.WriteString(results.Fence("", strings.TrimRight(s, "\n")))
}

// table writes a table. Bit i of numbers says that column i holds numbers, which stand at the right. Pipes in cells
// keep their backslashes: see unpiped.
func (m *markdown) table(head []string, numbers uint, rows [][]line) {
	m.beginPart(false)
	for _, h := range head {
		m.WriteString("| " + results.Escape(h) + " ")
	}
	m.WriteString("|\n")
	for i := range head {
		if numbers>>i&1 == 1 {
			m.WriteString("|--:")
		} else {
			m.WriteString("|---")
		}
	}
	m.WriteString("|\n")
	for _, row := range rows {
		for _, c := range row {
			m.WriteString("| " + c.markdown() + " ")
		}
		m.WriteString("|\n")
	}
}

// unpiped removes a backslash before each pipe. In a table a pipe needs one, even in code; in code elsewhere
// it would be seen, and in prose it makes no difference.
func unpiped(s string) string { return strings.ReplaceAll(s, `\|`, "|") }

// markdown returns a line with only code marked up, and everything else escaped.
func (l line) markdown() string {
	var b strings.Builder
	for _, s := range l {
		if s.code {
			b.WriteString(results.Code(s.text))
		} else {
			b.WriteString(results.Escape(s.text))
		}
	}
	return b.String()
}
