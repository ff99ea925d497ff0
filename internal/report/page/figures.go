package page

import (
	"fmt"
	"html"
	"html/template"
	"math/big"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/report/drawing"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// railroad draws a production as it is read, or as it is printed: e is p.AsRead or p.AsPrinted. Names link to their
// places in the page; one that p's grammar does not have is drawn as undefined.
func railroad(p *Production, e *expr.Expr) template.HTML {
	label := "Railroad diagram of " + p.Name
	if e == p.AsPrinted {
		label += ", as printed"
	}
	return template.HTML(drawing.Railroad(e, label, func(id string) drawing.Name {
		q := p.Grammar.Production(id)
		if q == nil {
			return drawing.Name{Text: id}
		}
		return drawing.Name{Text: q.Name, Link: "#" + anchor(p.Grammar.Name, q.ID)}
	}))
}

// drawShares draws how the counted strings of a difference, of all lengths together, divide into the three regions.
// With no strings at all it is an empty picture.
func drawShares(d *diff.Difference) template.HTML {
	const width, height = 120, 10
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="bar" viewBox="0 0 %d %d" width="%d" height="%d" aria-hidden="true">`, width, height,
		width, height)
	eachShare([]*big.Int{d.OnlyA.Total(), d.Both.Total(), d.OnlyB.Total()}, func(class string, from, to float64) {
		fmt.Fprintf(&b, `<rect class="%s" x="%.1f" y="0" width="%.1f" height="%d"/>`, class, from*width,
			(to-from)*width, height)
	})
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// eachShare calls draw for each of the three regions that has strings, with the class of its style and its share of
// all, as from and to in 0..1. parts has the numbers of strings in the order of the regions: only the one, both, only
// the other. It does not call draw if there are no strings at all.
func eachShare(parts []*big.Int, draw func(class string, from, to float64)) {
	all := new(big.Int)
	for _, p := range parts {
		all.Add(all, p)
	}
	if all.Sign() == 0 {
		return
	}
	at := 0.0
	for i, p := range parts {
		f, _ := new(big.Rat).SetFrac(p, all).Float64()
		if p.Sign() > 0 {
			draw([]string{"only-a", "both", "only-b"}[i], at, at+f)
		}
		at += f
	}
}

// drawLengths draws the three regions by length: a column for each counted length from the first that has strings,
// divided as the strings of that length are, and empty if it has none. With no strings at all it is empty axes. The
// three must be counted up to the same length.
func drawLengths(d *diff.Difference) template.HTML {
	const (
		left, top      = 44, 22
		height, bottom = 120, 34
		step, column   = 24, 17
	)
	n := len(d.Both.Counts)
	from := 0 // the first length that has strings
	for from < n-1 && d.OnlyA.Counts[from].Sign()+d.Both.Counts[from].Sign()+d.OnlyB.Counts[from].Sign() == 0 {
		from++
	}
	width := left + (n-from)*step + 8
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`,
		width, top+height+bottom, width, top+height+bottom,
		html.EscapeString("How the strings of each length divide into the three regions; the "+
			"table below has the numbers"))
	for _, share := range []int{0, 50, 100} {
		y := top + height - height*share/100
		fmt.Fprintf(&b, `<path class="rule" d="M%d %dH%d"/><text class="axis end" x="%d" y="%d">%d%%</text>`, left, y,
			width-8, left-6, y+4, share)
	}
	areas := map[string]*strings.Builder{"only-a": {}, "both": {}, "only-b": {}}
	for length := from; length < n; length++ {
		parts := []*big.Int{d.OnlyA.Counts[length], d.Both.Counts[length], d.OnlyB.Counts[length]}
		x := left + (length-from)*step + (step-column)/2
		eachShare(parts, func(class string, low, high float64) {
			tall := max(height*(high-low), 0.8) // what there is can be seen
			fmt.Fprintf(areas[class], "M%d %.1fh%dv%.1fh-%dz", x, top+height*(1-high), column, tall, column)
		})
		if length%4 == 0 {
			fmt.Fprintf(&b, `<text class="axis" x="%d" y="%d">%d</text>`, x+column/2, top+height+15, length)
		}
	}
	for _, class := range []string{"only-a", "both", "only-b"} {
		fmt.Fprintf(&b, `<path class="%s" d="%s"/>`, class, areas[class])
	}
	fmt.Fprintf(&b, `<text class="axis" x="%d" y="%d">bytes</text></svg>`, left+(n-from)*step/2, top+height+30)
	return template.HTML(b.String())
}
