package drawing

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/layout"
)

// The colours of a picture that is a file of its own stand twice, for a light background and a dark one, and not as
// variables, which many programs that draw SVG do not know.
const standaloneStyle = `
	text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1c2430; text-anchor: middle; }
	.title, .note { font-family: system-ui, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; text-anchor: start; }
	.title { font-size: 19px; font-weight: 600; }
	.note, .legend { font-size: 12px; fill: #5d6878; text-anchor: start; }
	.number { font-size: 11px; }
	.paper { fill: #ffffff; }
	.edge { fill: none; stroke: #8893a3; stroke-width: 1.3; }
	.head { fill: #8893a3; }
	.state { fill: #ffffff; stroke: #1c2430; stroke-width: 1.3; }
	.accept { fill: #d6e6ff; stroke: #1c2430; stroke-width: 1.2; }
	.chip { fill: #f0f2f5; stroke: #d7dce3; }
	@media (prefers-color-scheme: dark) {
		text { fill: #e7ebf1; }
		.note, .legend { fill: #9aa6b6; }
		.paper { fill: #14181f; }
		.state { fill: #14181f; stroke: #e7ebf1; }
		.accept { fill: #274a7d; stroke: #e7ebf1; }
		.chip { fill: #222933; stroke: #323b48; }
	}
`

// WriteSVG draws an automaton as a picture of its own, which suits a light background and a dark one: as a graph where that
// is [Graph.Small], else as the tree that [Tree] draws. Title and notes stand above it. The error is that of w.
func WriteSVG(w io.Writer, a *lang.DFA, title string, notes ...string) error {
	const margin, lineHeight, wide = 20, 22, 1140
	var c canvas
	y := margin + lineHeight
	say := func(class, text string) {
		fmt.Fprintf(&c, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, margin, y, html.EscapeString(text))
		y += lineHeight
	}
	say("title", title)
	for _, note := range notes {
		for _, line := range layout.Fold(strings.TrimSpace(note), wide/7, wide/7, false) {
			say("note", line)
		}
	}
	picture := &canvas{}
	switch g := NewGraph(a, nil); {
	case a.Dead(0):
		say("note", "It accepts nothing.")
	case g.Small():
		for _, l := range g.Legend {
			say("legend", l.Name+"  "+l.Set.String())
		}
		picture = g.picture("The automaton as a graph")
	default:
		picture = tree(a, wide, "The automaton as a tree")
	}
	if picture.Len() > 0 {
		fmt.Fprintf(&c, "<g transform=\"translate(%d %d)\">%s</g>\n", margin, y-margin/2, picture.String())
	}
	width, height := max(wide, picture.width)+2*margin, float64(y)+picture.height+margin
	_, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" role=\"img\">\n<title>%s</title>\n<style>%s</style>\n"+
		"<rect class=\"paper\" width=\"%[1]s\" height=\"%[2]s\"/>\n%[5]s</svg>\n",
		num(width), num(height), html.EscapeString(title), standaloneStyle, c.String())
	return err
}
