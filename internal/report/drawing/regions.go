package drawing

import (
	"bufio"
	"cmp"
	"fmt"
	"html"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
)

// The measures of a picture of regions, in its own units.
const (
	regionWidth  = 1180
	regionMargin = 20
	regionNames  = 190 // the column of the part to compare
	regionCell   = (regionWidth - 2*regionMargin - regionNames) / 3
	regionHead   = 92
	regionHeight = 78
	regionBar    = 62 // the height of a language in its row
)

// The colors stand twice, for a light background and a dark one, and not as variables, which many programs that draw
// SVG do not know.
const regionStyle = `
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

// WriteRegions draws the three regions of each difference, one row for each: a box for each of the two languages,
// over its regions that have strings, with the shortest string and the number of strings in each region. The exact
// number is the title of the rounded one. All must be of the same two sides, counted to the same length: the title
// and the heads of the columns are those of the first. It suits a light background and a dark one. For no
// differences it is an empty picture. It fails only if w does.
func WriteRegions(w io.Writer, ds []*diff.Difference) error {
	b := bufio.NewWriter(w)
	height := regionHead + regionHeight*len(ds) + regionMargin
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n",
		regionWidth, height)
	if len(ds) > 0 {
		d := ds[0]
		title := d.A.String() + " and " + d.B.String()
		if len(ds) > 1 {
			title = d.A.Title + " and " + d.B.Title
		}
		fmt.Fprintf(b, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString(title), regionStyle)
		fmt.Fprintf(b, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", regionWidth, height)
		regionText(b, "title", regionMargin, 34, title)
		regionText(b, "dim", regionMargin, 56, fmt.Sprintf(
			"the shortest string of each region, and the number of strings of at most %d bytes", len(d.Both.Counts)-1))
		regionHeads(b, d, regionHead-12)
	}
	for i, d := range ds {
		regionRow(b, d, regionHead+i*regionHeight)
	}
	fmt.Fprint(b, "</svg>\n")
	return b.Flush()
}

// Regions returns the picture of WriteRegions without its style and title, for a page that has its own. Each row
// links to link(d), the place of the difference's details. The heads of the columns are those of the first
// difference.
func Regions(ds []*diff.Difference, link func(*diff.Difference) string) string {
	var s strings.Builder
	b := bufio.NewWriter(&s)
	const head = 30
	fmt.Fprintf(b, `<svg class="regionmap" viewBox="0 0 %d %d" role="group" aria-label="The regions: what only the one accepts, what both do, and what only the other does">`,
		regionWidth, head+regionHeight*len(ds))
	for i, d := range ds {
		if i == 0 {
			regionHeads(b, d, head-12)
		}
		fmt.Fprintf(b, `<a href="%s">`, html.EscapeString(link(d)))
		regionRow(b, d, head+i*regionHeight)
		fmt.Fprint(b, "</a>\n")
	}
	fmt.Fprint(b, "</svg>")
	b.Flush() // a strings.Builder has no error
	return s.String()
}

// regionHeads writes the heads of the columns.
func regionHeads(b *bufio.Writer, d *diff.Difference, y int) {
	first, other := d.Names()
	regionText(b, "head a", regionCenter(0), y, "only "+first)
	regionText(b, "head", regionCenter(1), y, "both")
	regionText(b, "head b", regionCenter(2), y, "only "+other)
}

// regionRow draws the three regions of one difference from y on.
func regionRow(b *bufio.Writer, d *diff.Difference, y int) {
	fmt.Fprintf(b, "<g>\n<title>%s</title>\n", html.EscapeString(d.Sentence()))
	fmt.Fprintf(b, "<path class=\"rule\" d=\"M%d %dH%d\"/>\n", regionMargin, y, regionWidth-regionMargin)
	regionText(b, "topic", regionMargin, y+27, cmp.Or(d.Topic, string(d.Relation)))
	regionText(b, "a", regionMargin, y+46, d.A.Spelling())
	regionText(b, "b", regionMargin, y+63, d.B.Spelling())

	parts := []diff.Part{d.OnlyA, d.Both, d.OnlyB}
	regionBox(b, "a", y, 0, parts[:2])
	regionBox(b, "b", y, 1, parts[1:])
	all := new(big.Int) // the strings of all three regions
	for _, p := range parts {
		all.Add(all, p.Total())
	}
	for i, p := range parts {
		if p.Shortest == nil {
			regionText(b, "dim number", regionCenter(i), y+43, "none")
			continue
		}
		regionText(b, "word", regionCenter(i), y+30, shownPlain(p, d.Shown))
		fmt.Fprintf(b, "<text class=\"number\" x=\"%d\" y=\"%d\"><title>%s</title>%s</text>\n",
			regionCenter(i), y+48, layout.Digits(p.Total()), layout.Magnitude(p.Total()))
		regionText(b, "dim number", regionCenter(i), y+63, layout.Share(p.Total(), all))
	}
	fmt.Fprint(b, "</g>\n")
}

// shownPlain returns the shortest string of a part without quotation marks if all of it can be seen, and as
// shown returns it if not. The part must have one.
func shownPlain(p diff.Part, shown func(quote.Word) string) string {
	s := string(*p.Shortest)
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return shown(*p.Shortest)
	}
	return s
}

// regionBox draws one language as a box over its regions that have strings. parts has its two regions, and column is
// that of the first. class is "a" or "b", the side of the language, and decides on the style and the inset. It draws
// nothing if both regions are empty.
func regionBox(b *bufio.Writer, class string, y, column int, parts []diff.Part) {
	has := func(p diff.Part) bool { return p.Shortest != nil }
	first := slices.IndexFunc(parts, has)
	if first < 0 {
		return
	}
	last := 1
	if !has(parts[1]) {
		last = 0
	}
	inset := 3
	if class == "b" {
		inset = 6 // so that both outlines are seen where they run side by side
	}
	x := regionMargin + regionNames + (column+first)*regionCell + inset
	width := (last-first+1)*regionCell - 2*inset
	top := y + (regionHeight-regionBar)/2
	fmt.Fprintf(b, "<rect class=\"box %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"14\"/>\n",
		class, x, top+inset-3, width, regionBar-2*(inset-3))
}

// regionCenter returns the middle of a column.
func regionCenter(column int) int {
	return regionMargin + regionNames + column*regionCell + regionCell/2
}

// regionText writes a line of text.
func regionText(b *bufio.Writer, class string, x, y int, s string) {
	fmt.Fprintf(b, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y, html.EscapeString(s))
}
