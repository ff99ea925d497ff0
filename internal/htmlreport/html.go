package htmlreport

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math/big"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/describe"
	"github.com/bnfcheck/bnfcheck/internal/diff"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/internal/octets"
	"github.com/bnfcheck/bnfcheck/internal/webcheck"
)

//go:embed page.gohtml
var pageTemplate string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// live is what the page needs to check URLs itself: a style, a script, and what stands in the section "checker". A page
// without it has no such section, and its witnesses cannot be clicked.
type live struct {
	Style  template.CSS
	Script template.JS
	Markup template.HTML
}

func liveChecker() live {
	return live{template.CSS(webcheck.Style()), template.JS(webcheck.Script()), template.HTML(webcheck.Markup())}
}

// WriteHTML writes the report as one page of HTML. The error is that of w.
func WriteHTML(w io.Writer, c *Content) error {
	v := &view{Content: c, Live: liveChecker()}
	t, err := template.New("page").Funcs(template.FuncMap{
		"anchor":    anchor,
		"families":  families,
		"graph":     graph,
		"title":     c.title,
		"parts":     parts,
		"lineList":  lineList,
		"list":      func(parts ...diff.Part) []diff.Part { return parts },
		"meaning":   describe.Meaning,
		"number":    number,
		"parting":   v.parting,
		"place":     place,
		"plural":    layout.Plural,
		"railroad":  railroad,
		"regions":   regions,
		"side":      sideName,
		"share":     func(d *diff.Difference, n *big.Int) string { return layout.Share(n, union(d)) },
		"percent":   layout.Share,
		"shareOf":   func(d *diff.Difference, r diff.Region, n *big.Int) string { return layout.Share(n, part(d, r)) },
		"bar":       bar,
		"chart":     chart,
		"counts":    counts,
		"try":       v.try,
		"within":    within,
		"word":      word,
		"byteClass": byteClass,
	}).Parse(pageTemplate)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	if err := t.Execute(b, v); err != nil {
		return err
	}
	return b.Flush()
}

// A view is a report being written.
type view struct {
	*Content
	Live live
}

// Style and Script are the page's own.
func (v *view) Style() template.CSS { return template.CSS(pageStyle) }

func (v *view) Script() template.JS { return template.JS(pageScript) }

// Tally sums up the proof of all grammars.
func (v *view) Tally() (t struct{ Productions, Equal, Nodes, Trees int }) {
	for _, g := range v.Grammars {
		s := g.Sums()
		t.Productions += len(g.Productions)
		t.Equal += s.Equal
		t.Nodes += s.Nodes
		t.Trees += s.Trees
	}
	return t
}

// try shows a string, to be clicked where some grammar takes it for a URL.
func (v *view) try(w any) template.HTML {
	s := rawString(w)
	if v.Live.Markup == "" || !typeable(s) || !derived(s) {
		return word(w)
	}
	return template.HTML(fmt.Sprintf(`<button class="try" data-url="%s">%s</button>`, template.HTMLEscapeString(s), bytesHTML(s)))
}

// typeable reports whether s can stand in an attribute and in a line of input as it is.
func typeable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return s != ""
}

// rawString returns a string in one of the types that strings of a language have here.
func rawString(w any) string {
	switch w := w.(type) {
	case octets.Word:
		return string(w)
	case *octets.Word:
		return string(*w)
	}
	return fmt.Sprintf("%s", w)
}

// word shows a string of a language: every byte of it can be seen.
func word(w any) template.HTML {
	s := rawString(w)
	if s == "" {
		return `<i class="nothing">the empty string</i>`
	}
	return `<code>` + bytesHTML(s) + `</code>`
}

// bytesHTML shows bytes: printable ASCII as it is, a space as one that can be seen, all others by their number.
func bytesHTML(s string) template.HTML {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
			b.WriteString(`<span class="byte">\x20</span>`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `<span class="byte">\x%02X</span>`, c)
		default:
			b.WriteString(template.HTMLEscapeString(s[i : i+1]))
		}
	}
	return template.HTML(b.String())
}

// parting shows the witness of a cause with the byte marked at which the two sides part.
func (v *view) parting(c *diff.Cause) template.HTML {
	w := string(c.Witness)
	at := min(c.Offset, len(w))
	rest := w[at:]
	mark := `<mark class="end" title="at the end"></mark>`
	if rest != "" {
		mark = "<mark>" + string(bytesHTML(rest[:1])) + "</mark>"
		rest = rest[1:]
	}
	shown := string(bytesHTML(w[:at])) + mark + string(bytesHTML(rest))
	if v.Live.Markup == "" || !typeable(w) || !derived(w) {
		return template.HTML(`<code>` + shown + `</code>`)
	}
	return template.HTML(`<button class="try" data-url="` + template.HTMLEscapeString(w) + `">` + shown + `</button>`)
}

// byteClass shows the bytes of a cause, or where it is that the two part.
func byteClass(c *diff.Cause) template.HTML {
	if c.Bytes == "" {
		return template.HTML("at the " + template.HTMLEscapeString(string(c.At)))
	}
	return template.HTML("<code>" + template.HTMLEscapeString(c.Bytes) + "</code>")
}

// number shows how many strings there are, rounded where that is long. The exact numbers stand in the tables by length.
func number(n *big.Int) template.HTML {
	digits, exponent := round(n)
	if exponent == 0 {
		return template.HTML(digits)
	}
	return template.HTML(fmt.Sprintf(`<span class="number">%s × 10<sup>%d</sup></span>`, digits, exponent))
}

// A region is one of the three parts of a difference.
type region struct {
	Class, Name string
	Part        diff.Part
}

func regions(d *diff.Difference) []region {
	return []region{
		{"only-a", "only " + sideName(d.A, d.B), d.OnlyA},
		{"both", "both", d.Both},
		{"only-b", "only " + sideName(d.B, d.A), d.OnlyB},
	}
}

// counts returns a row for each length of which there are strings.
func counts(d *diff.Difference) (rows []struct {
	Length     int
	A, Both, B *big.Int
}) {
	for n := range d.Both.Counts {
		a, both, b := d.OnlyA.Counts[n], d.Both.Counts[n], d.OnlyB.Counts[n]
		if a.Sign()+both.Sign()+b.Sign() > 0 {
			rows = append(rows, struct {
				Length     int
				A, Both, B *big.Int
			}{n, a, both, b})
		}
	}
	return rows
}
