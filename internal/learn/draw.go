package learn

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// The drawing's measures, in its own units.
const (
	drawWidth  = 1180 // at least; what does not fit makes it wider
	drawMargin = 20
	drawStep   = 26   // a level of the tree
	drawRow    = 34   // a state
	drawLine   = 26   // more transitions of the same state
	drawRadius = 11   // of a state
	drawGlyph  = 7.25 // the width of a character of a label
)

// The colours stand twice, for a light background and a dark one.
const drawStyle = `
	text { font: 13px system-ui, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; fill: #1c2430; }
	.title { font-size: 19px; font-weight: 600; }
	.dim { font-size: 12px; fill: #5d6878; }
	.label, .to { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
	.number { font-size: 11px; text-anchor: middle; }
	.paper { fill: #ffffff; }
	.way { fill: none; stroke: #8893a3; stroke-width: 1.3; }
	.tip { fill: #8893a3; }
	.state { fill: #ffffff; stroke: #1c2430; stroke-width: 1.3; }
	.accepts { fill: #d6e6ff; }
	.chip { fill: #f0f2f5; stroke: #d7dce3; }
	@media (prefers-color-scheme: dark) {
		text { fill: #e7ebf1; }
		.dim { fill: #9aa6b6; }
		.paper { fill: #14181f; }
		.state { fill: #14181f; stroke: #e7ebf1; }
		.accepts { fill: #274a7d; }
		.chip { fill: #222933; stroke: #323b48; }
	}
`

// WriteSVG draws an automaton as the tree of the words that first lead to its states: a circle for each state, a double
// one where it accepts, and the bytes that lead on. A transition that does not go on in the tree stands beside its state,
// with the number of the state that it leads to. (As a graph, where each transition is a line, the automaton of a parser
// is a thicket; [lang.DFA.WriteDOT] is there for who wants one.) The dead state is left out. The drawing suits a light
// background and a dark one. The error is that of w.
func WriteSVG(w io.Writer, a *lang.DFA, title string, notes ...string) error {
	d := &drawing{a: a, access: a.AccessWords(), middle: make([]float64, a.States()), children: make([][]step, a.States()), others: make([][]step, a.States()), width: drawWidth}
	top := drawMargin + 22
	var head strings.Builder
	line := func(class, s string) {
		fmt.Fprintf(&head, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, drawMargin, top, drawText(s))
		top += 22
	}
	line("title", title)
	for _, note := range notes {
		for _, s := range broken(note, 160) {
			line("dim", s)
		}
	}
	if a.Dead(0) {
		line("dim", "It accepts nothing.")
	} else {
		d.y = float64(top + drawRow/2)
		d.plant()
		d.row(0, drawMargin+drawRadius, drawMargin)
	}
	height := max(d.y, float64(top)) + drawMargin
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", d.width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<style>%s</style>\n", drawText(title), drawStyle)
	fmt.Fprintf(b, "<rect class=\"paper\" width=\"%.0f\" height=\"%.0f\"/>\n", d.width, height)
	b.WriteString(head.String())
	b.WriteString(d.ways.String())
	b.WriteString(d.rest.String())
	b.WriteString("</svg>\n")
	return b.Flush()
}

// A step is what leads from one state to another.
type step struct {
	set expr.Set
	to  int
}

// label shows one visible byte as itself and other sets as classes.
func (s step) label() string {
	if m := s.set.Members(); len(m) == 1 && m[0] > ' ' && m[0] < 0x7f {
		return string(rune(m[0]))
	}
	return s.set.String()
}

// A drawing grows downwards. What lies behind, and what before, is collected apart.
type drawing struct {
	a        *lang.DFA
	access   []string
	children [][]step // the steps of the tree, by the state that they leave
	others   [][]step // those that are not

	ways, rest strings.Builder
	middle     []float64 // of the rows of the states
	y, width   float64   // the middle of the next row; how wide the drawing is
}

// plant divides the steps into those of the tree and the others.
func (d *drawing) plant() {
	for q := range d.a.States() {
		if d.a.Dead(q) {
			continue
		}
		at := map[int]int{}
		var steps []step
		for c := range d.a.Classes() {
			p := d.a.NextClass(q, c)
			if d.a.Dead(p) {
				continue
			}
			i, ok := at[p]
			if !ok {
				i = len(steps)
				at[p] = i
				steps = append(steps, step{to: p})
			}
			steps[i].set = steps[i].set.Union(d.a.ClassSet(c))
		}
		for _, s := range steps {
			if w := d.access[s.to]; w != "" && w[:len(w)-1] == d.access[q] {
				d.children[q] = append(d.children[q], s)
			} else {
				d.others[q] = append(d.others[q], s)
			}
		}
	}
}

// row draws a state in the middle of the next row, what leads on from it, and the states below it, whose ways begin at
// left. A state from which nothing leads but to one state of the tree has this one beside it.
func (d *drawing) row(q int, x, left float64) {
	y := d.y
	for {
		d.state(q, x, y)
		if len(d.children[q]) != 1 || len(d.others[q]) > 0 {
			break
		}
		s := d.children[q][0]
		q, x = s.to, d.way(s, x+drawRadius, x+drawRadius, y)
	}
	right := x + drawRadius + 12
	at := right
	for i, s := range d.others[q] {
		to := fmt.Sprintf(" \u2192 %d", s.to)
		if s.to == q {
			to = " \u21ba"
		}
		size := glyphs(s.label()+to) + 16
		if i > 0 && at+size > drawWidth-drawMargin {
			at = right
			y += drawLine
		}
		fmt.Fprintf(&d.rest, "<a href=\"#q%d\"><rect class=\"chip\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"20\" rx=\"6\"/>", s.to, at, y-10, size)
		fmt.Fprintf(&d.rest, "<text class=\"to\" x=\"%.1f\" y=\"%.1f\">%s</text></a>\n", at+8, y+4, drawText(s.label()+to))
		at += size + 8
		d.wider(at)
	}
	trunk, bend := left+drawRadius, y+drawRadius+5
	d.y = y + drawRow
	last := y
	for _, s := range d.children[q] {
		last = d.y
		d.row(s.to, d.way(s, trunk, trunk, last), left+drawStep)
	}
	if last > y {
		fmt.Fprintf(&d.ways, "<path class=\"way\" d=\"M%.1f %.1fV%.1fH%.1fV%.1f\"/>\n", x, d.middle[q]+drawRadius, bend, trunk, last)
	}
}

// way draws a step with its label and the tip of its arrow, and gives the middle of the state that it leads to.
func (d *drawing) way(s step, from, label, y float64) (middle float64) {
	size := glyphs(s.label())
	end := label + 10 + size + 22
	fmt.Fprintf(&d.ways, "<path class=\"way\" d=\"M%.1f %.1fH%.1f\"/><path class=\"way\" d=\"M%.1f %.1fH%.1f\"/>", from, y, label+7, label+13+size, y, end-5)
	fmt.Fprintf(&d.ways, "<path class=\"tip\" d=\"M%.1f %.1fl-7 -4v8z\"/>\n", end, y)
	fmt.Fprintf(&d.rest, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", label+10, y+4, drawText(s.label()))
	return end + drawRadius
}

// state draws a state. Its title is the word that first leads to it.
func (d *drawing) state(q int, x, y float64) {
	d.middle[q] = y
	class := "state"
	if d.a.Accepts(q) {
		class = "state accepts"
	}
	fmt.Fprintf(&d.rest, "<g id=\"q%d\"><title>after %s</title><circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>",
		q, drawText(ast.Quote(d.access[q])), class, x, y, drawRadius)
	if d.a.Accepts(q) {
		fmt.Fprintf(&d.rest, "<circle class=\"state accepts\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>", x, y, drawRadius-3)
	}
	fmt.Fprintf(&d.rest, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\">%d</text></g>\n", x, y+4, q)
	d.wider(x + drawRadius)
}

func (d *drawing) wider(to float64) { d.width = max(d.width, to+drawMargin) }

func glyphs(s string) float64 { return float64(len([]rune(s))) * drawGlyph }

// broken breaks text at spaces into lines of at most so many bytes, where that is possible.
func broken(text string, most int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if n := len(lines) - 1; n >= 0 && len(lines[n])+1+len(word) <= most {
			lines[n] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// drawText gives s as XML text.
func drawText(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return ""
	}
	return b.String()
}
