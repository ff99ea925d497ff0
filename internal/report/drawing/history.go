package drawing

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
)

// WriteHistory draws the history of the syntax as one line with a station for each text. Between two texts, a bar
// above the line shows what the later one made legal, and a bar below it what it made illegal. The height of a bar
// goes with the order of magnitude of the number of strings. The shortest string and the rounded number are next to
// it. Where no string is counted, there is no bar, even if there are longer strings. list has the steps in order,
// each from the text that the one before leads to; without steps the line stands alone. It fails only if w does.
func WriteHistory(w io.Writer, list []diff.Step) error {
	const step, left, line, most = 190, 60, 190, 120
	width, height := left*2+step*len(list), line+most+70
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-label="What each text made legal and illegal" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">`+"\n", width, height)
	digits := func(p diff.Part) int {
		if n := p.Total(); n.Sign() > 0 {
			return len(n.String())
		}
		return 0
	}
	tallest := 1
	for _, s := range list {
		tallest = max(tallest, digits(s.Legal), digits(s.Illegal))
	}
	fmt.Fprintf(&b, `<path d="M%d %dH%d" stroke="currentColor" stroke-width="2"/>`+"\n", left, line, width-left)
	text := func(x, y int, class, s string) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle"%s>%s</text>`+"\n", x, y, class, html.EscapeString(s))
	}
	for i, s := range list {
		x := left + step*i
		if i == 0 {
			drawStation(&b, x, line)
			text(x, line+most+40, ` font-weight="bold"`, s.From)
		}
		drawStation(&b, x+step, line)
		text(x+step, line+most+40, ` font-weight="bold"`, s.To)
		for k, p := range []diff.Part{s.Legal, s.Illegal} {
			n := digits(p)
			if n == 0 {
				continue
			}
			h := max(4, most*n/tallest)
			// k == 0 became legal, and is above the line; k == 1 became illegal.
			top, color, at, number := line-1-h, "#2e7d32", line-h-20, line-h-6
			if k == 1 {
				top, color, at, number = line+1, "#c62828", line+h+28, line+h+14
			}
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="24" height="%d" fill="%s"/>`+"\n", x+step/2-12, top, h, color)
			text(x+step/2, at, ` font-family="ui-monospace, monospace"`, shownPlain(p, quote.Word.String))
			text(x+step/2, number, "", layout.Magnitude(p.Total()))
		}
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// drawStation draws the mark of a text on the line.
func drawStation(b *strings.Builder, x, y int) {
	fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="5"/>`+"\n", x, y)
}
