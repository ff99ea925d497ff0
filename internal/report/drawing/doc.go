// Package drawing draws productions as railroad diagrams and differences as regions, in SVG, and writes pairs of
// automata for Graphviz, which draws them.
//
// A railroad diagram, and the picture that [Regions] returns, hold no colors and no fonts: they name classes
// ("track", "terminal", "nonterminal" and the like), and the page's style sheet says how these look, so that they
// suit light, dark and print. Text is measured as if it were set in a monospaced font of [FontSize]; the style
// sheet must not make it wider. What [WriteHistory] and [WriteRegions] draw stands by itself, with its own colors
// and fonts. Nothing is random: the same production gives the same bytes.
//
// A railroad diagram is made of parts, each with one track in and one track out: boxes, and the sequences, choices,
// options and loops of other parts. A part knows how much room it takes before it is drawn.
package drawing

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// FontSize is the size of all text, in the units of the drawings, which are pixels of CSS.
const FontSize = 13

// advance is the width of a character. Monospaced fonts differ; this is the widest of the usual ones.
const advance = FontSize * 0.605

// baseline is how far below the middle of a line its letters stand.
const baseline = 4.5

// A canvas collects the elements of a drawing.
type canvas struct{ strings.Builder }

// formatCoordinate prints a coordinate, to a tenth of a pixel.
func formatCoordinate(x float64) string {
	s := strconv.FormatFloat(x, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// text writes s centered at (x, y).
func (c *canvas) text(x, y float64, s string) {
	fmt.Fprintf(c, `<text x="%s" y="%s">%s</text>`,
		formatCoordinate(x), formatCoordinate(y+baseline), html.EscapeString(s))
}

// A path is the outline of lines and curves, as SVG writes it.
type path struct{ strings.Builder }

// step appends a command of an SVG path with its coordinates.
func (p *path) step(command string, coordinates ...float64) {
	p.WriteString(command)
	for i, x := range coordinates {
		s := formatCoordinate(x)
		if i > 0 && s[0] != '-' { // a minus separates numbers as well
			p.WriteByte(' ')
		}
		p.WriteString(s)
	}
}
