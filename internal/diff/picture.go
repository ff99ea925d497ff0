package diff

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"io"
	"strings"
)

// The drawing's measures, in its own units.
const (
	svgWidth  = 1180
	svgMargin = 20
	svgNames  = 190 // the column of what is compared
	svgCell   = (svgWidth - 2*svgMargin - svgNames) / 3
	svgHead   = 92
	svgRow    = 78
	svgBar    = 62 // the height of a language in its row
)

// The colours stand twice, for a light background and a dark one, and not as variables, which many programs that draw
// SVG do not know.
const svgStyle = `
	text { font: 13px system-ui, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; fill: #1c2430; }
	.title { font-size: 19px; font-weight: 600; }
	.topic { font-size: 15px; font-weight: 600; }
	.head { text-anchor: middle; font-weight: 600; }
	.number, .word { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; text-anchor: middle; }
	.number { font-size: 11px; }
	.dim { font-size: 12px; fill: #5d6878; }
	.paper { fill: #ffffff; }
	.rule { stroke: #d7dce3; }
	.a { fill: #2766c8; }
	.b { fill: #b85c00; }
	.box { fill-opacity: .16; stroke-width: 1.5; }
	.box.a { stroke: #2766c8; }
	.box.b { stroke: #b85c00; }
	@media (prefers-color-scheme: dark) {
		text { fill: #e7ebf1; }
		.dim { fill: #9aa6b6; }
		.paper { fill: #14181f; }
		.rule { stroke: #323b48; }
		.a { fill: #77abff; }
		.b { fill: #ffae57; }
		.box.a { stroke: #77abff; }
		.box.b { stroke: #ffae57; }
	}
`

// WriteSVG draws the three regions of each difference, one row for each: as many boxes as the two languages need to show
// which of the regions there are, with the shortest string and the exact number of strings in each. It suits a light
// background and a dark one.
func WriteSVG(w io.Writer, ds []*Difference) error {
	b := bufio.NewWriter(w)
	height := svgHead + svgRow*len(ds) + svgMargin
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n", svgWidth, height)
	if len(ds) > 0 {
		d := ds[0]
		title := d.A.String() + " and " + d.B.String()
		if len(ds) > 1 {
			title = d.A.Title + " and " + d.B.Title
		}
		fmt.Fprintf(b, "<title>%s</title>\n<style>%s</style>\n", escape(title), svgStyle)
		fmt.Fprintf(b, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", svgWidth, height)
		svgText(b, "title", svgMargin, 34, title)
		svgText(b, "dim", svgMargin, 56, fmt.Sprintf(
			"the shortest string of each region, and the number of strings of at most %d bytes", len(d.Both.Counts)-1))
		a, c := d.names()
		svgText(b, "head a", svgCenter(0), svgHead-12, "only "+a)
		svgText(b, "head", svgCenter(1), svgHead-12, "both")
		svgText(b, "head b", svgCenter(2), svgHead-12, "only "+c)
	}
	for i, d := range ds {
		d.svgRow(b, svgHead+i*svgRow)
	}
	fmt.Fprint(b, "</svg>\n")
	return b.Flush()
}

func (d *Difference) svgRow(b *bufio.Writer, y int) {
	fmt.Fprintf(b, "<g>\n<title>%s</title>\n", escape(d.sentence()))
	fmt.Fprintf(b, "<path class=\"rule\" d=\"M%d %dH%d\"/>\n", svgMargin, y, svgWidth-svgMargin)
	name := d.Topic
	if name == "" {
		name = string(d.Relation)
	}
	svgText(b, "topic", svgMargin, y+27, name)
	svgText(b, "a", svgMargin, y+46, d.A.production())
	svgText(b, "b", svgMargin, y+63, d.B.production())

	parts := []Part{d.OnlyA, d.Both, d.OnlyB}
	svgBox(b, "a", y, 0, parts[:2])
	svgBox(b, "b", y, 1, parts[1:])
	all := parts[0].Total()
	all.Add(all, parts[1].Total()).Add(all, parts[2].Total())
	for i, p := range parts {
		if p.Shortest == nil {
			svgText(b, "dim number", svgCenter(i), y+43, "none")
			continue
		}
		svgText(b, "word", svgCenter(i), y+30, p.first())
		svgText(b, "number", svgCenter(i), y+48, p.Total().String())
		svgText(b, "dim number", svgCenter(i), y+63, layout.Share(p.Total(), all))
	}
	fmt.Fprint(b, "</g>\n")
}

// svgBox draws one language: it covers those of its parts, the first of which is in the column, that have strings.
func svgBox(b *bufio.Writer, class string, y, column int, parts []Part) {
	first, last := -1, -1
	for i, p := range parts {
		if p.Shortest != nil {
			if first < 0 {
				first = column + i
			}
			last = column + i
		}
	}
	if first < 0 {
		return
	}
	inset := 3
	if class == "b" {
		inset = 6 // so that both outlines are seen where they run side by side
	}
	x := svgMargin + svgNames + first*svgCell + inset
	width := (last-first+1)*svgCell - 2*inset
	top := y + (svgRow-svgBar)/2
	fmt.Fprintf(b, "<rect class=\"box %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"14\"/>\n",
		class, x, top+inset-3, width, svgBar-2*(inset-3))
}

func svgCenter(column int) int { return svgMargin + svgNames + column*svgCell + svgCell/2 }

func svgText(b *bufio.Writer, class string, x, y int, s string) {
	fmt.Fprintf(b, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y, escape(s))
}

// escape gives s as XML text.
func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return ""
	}
	return b.String()
}
