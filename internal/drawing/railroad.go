package drawing

import (
	"fmt"
	"html"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A Name is how a diagram shows a production that is used.
type Name struct {
	Text string // the RFC's spelling
	Link string // where the production is described, "#rfc1738-host"; "" for a name that nothing defines
}

// Railroad draws e, an expression of an unordered grammar, as a railroad diagram: every way along the tracks from left to
// right is a way to derive a string. Alternatives that are single characters and follow one another in ASCII are drawn as
// one. Label says what is drawn, and name gives what to show for the ID of a production.
func Railroad(e *expr.Expr, label string, name func(id string) Name) string {
	r := railroad{name: name}
	t := r.track(e)
	const margin, stub = 4, 14
	var c canvas
	width := t.width + 2*(margin+stub)
	y := t.up + margin
	c.open("railroad", label, width, t.up+t.down+2*margin)
	r.rails.move(margin, y-6)
	r.rails.line(margin, y+6)
	r.line(margin, y, margin+stub)
	r.draw(t, margin+stub, y)
	r.line(margin+stub+t.width, y, width-margin)
	r.rails.move(width-margin, y-6)
	r.rails.line(width-margin, y+6)
	fmt.Fprintf(&c, `<path class="track" d="%s"/>`, r.rails.String())
	c.WriteString(r.boxes.String())
	return c.close()
}

// The measures of a diagram.
const (
	boxHeight = 24
	boxPad    = 9
	between   = 8  // above and below tracks that run side by side
	gap       = 12 // between two things in a row
	bend      = 9  // the radius of a curve
)

type railroad struct {
	name  func(id string) Name
	rails path
	boxes canvas
}

type shape uint8

const (
	empty    shape = iota // a straight track
	box                   // text
	row                   // parts in a row
	choice                // one of parts, the first on the line, the others below
	optional              // parts[0], or a way around it above
	loop                  // parts[0], and a way back below
)

// A track is a part of a diagram: it begins and ends at the same height, reaches up and down from there, and is width
// long.
type track struct {
	shape           shape
	width, up, down float64
	parts           []track

	class, text, link string // of a box; the text also of a loop: what is said about the way back
	aside             string // said beside the text of a box, and no part of it
}

// track plans e.
func (r *railroad) track(e *expr.Expr) track {
	switch e.Op {
	case expr.Literal:
		return terminal(visible(e.Lit))
	case expr.Class:
		return alternatives(runs(e.Set))
	case expr.Ref:
		n := r.name(e.Name)
		if n.Link == "" {
			return boxed("nonterminal undefined", n.Text, "")
		}
		return boxed("nonterminal", n.Text, n.Link)
	case expr.Seq:
		return inRow(r.sequence(e.Sub))
	case expr.Alt:
		return alternatives(r.choices(e.Sub))
	case expr.Repeat:
		return r.repeat(e)
	case expr.Node:
		return r.track(e.Sub[0])
	}
	return track{up: between, down: between} // the empty word
}

// sequence plans the parts of a sequence; literals that follow one another are one, and so are those of which the letters
// match in either case.
func (r *railroad) sequence(es []*expr.Expr) (parts []track) {
	literal, folded := "", false
	flush := func() {
		switch {
		case folded:
			parts = append(parts, withAside(terminal(visible(literal)), "in any case"))
		case literal != "":
			parts = append(parts, terminal(visible(literal)))
		}
		literal, folded = "", false
	}
	for _, e := range es {
		letter, fold := eitherCase(e)
		if e.Op == expr.Literal && (!folded || !hasLetter(e.Lit)) {
			literal += e.Lit
			continue
		}
		if fold {
			if !folded && hasLetter(literal) {
				flush()
			}
			literal, folded = literal+letter, true
			continue
		}
		flush()
		parts = append(parts, r.track(e))
	}
	flush()
	return parts
}

// eitherCase gives the letter that e derives in both its cases and no other byte.
func eitherCase(e *expr.Expr) (letter string, ok bool) {
	m := e.Set.Members()
	if e.Op != expr.Class || len(m) != 2 || m[1] != m[0]|0x20 || !hasLetter(string(m)) {
		return "", false
	}
	return string(m[1:]), true
}

// hasLetter says whether s has a letter of ASCII.
func hasLetter(s string) bool { return strings.ToLower(s) != strings.ToUpper(s) }

// withAside says something beside the text of a box.
func withAside(t track, aside string) track {
	t.aside = aside
	t.width += textWidth(" " + aside)
	return t
}

// choices plans alternatives; single characters are drawn together, at the place of the first of them, where three or
// more follow one another.
func (r *railroad) choices(es []*expr.Expr) (parts []track) {
	var single expr.Set
	for _, e := range es {
		if s, ok := one(e); ok {
			single = single.Union(s)
		}
	}
	together := expr.Set{} // what stands in a run of three or more
	for _, run := range single.Ranges() {
		if run[1]-run[0] >= 2 {
			together = together.Union(expr.Range(run[0], run[1]))
		}
	}
	drawn := expr.Set{}
	for _, e := range es {
		s, ok := one(e)
		switch {
		case !ok:
			parts = append(parts, r.track(e))
		case !s.Minus(drawn).IsEmpty() && s.Intersect(together).IsEmpty():
			parts = append(parts, runs(s)...)
			drawn = drawn.Union(s)
		case !s.Minus(drawn).IsEmpty():
			for _, run := range single.Ranges() {
				if set := expr.Range(run[0], run[1]); !set.Intersect(s).IsEmpty() && set.Intersect(drawn).IsEmpty() {
					parts = append(parts, runs(set)...)
					drawn = drawn.Union(set)
				}
			}
		}
	}
	return parts
}

// one gives the bytes of an expression that derives single bytes itself.
func one(e *expr.Expr) (expr.Set, bool) {
	switch {
	case e.Op == expr.Class:
		return e.Set, true
	case e.Op == expr.Literal && len(e.Lit) == 1:
		return expr.Bytes(e.Lit), true
	}
	return expr.Set{}, false
}

// runs gives a box for each run of neighbouring bytes, or for each byte where a run has only two.
func runs(s expr.Set) (parts []track) {
	for _, run := range s.Ranges() {
		switch run[1] - run[0] {
		case 0:
			parts = append(parts, terminal(visible(string(run[0:1]))))
		case 1:
			parts = append(parts, terminal(visible(string(run[0:1]))), terminal(visible(string(run[1:]))))
		default:
			t := boxed("terminal range", visible(string(run[0:1]))+" \u2026 "+visible(string(run[1:])), "")
			parts = append(parts, t)
		}
	}
	return parts
}

func (r *railroad) repeat(e *expr.Expr) track {
	inner := r.track(e.Sub[0])
	switch {
	case e.Max == 1 && e.Min == 0:
		return around(inner)
	case e.Max == expr.Unbounded && e.Min == 0:
		return around(again(inner, ""))
	case e.Max == expr.Unbounded && e.Min == 1:
		return again(inner, "")
	case e.Max == expr.Unbounded:
		return again(inner, fmt.Sprintf("%d times or more", e.Min))
	case e.Max == e.Min:
		return again(inner, fmt.Sprintf("%d times", e.Min))
	case e.Min == 0:
		return around(again(inner, fmt.Sprintf("at most %d times", e.Max)))
	}
	return again(inner, fmt.Sprintf("%d to %d times", e.Min, e.Max))
}

func terminal(text string) track { return boxed("terminal", text, "") }

func boxed(class, text, link string) track {
	return track{shape: box, class: class, text: text, link: link, width: textWidth(text) + 2*boxPad, up: boxHeight / 2, down: boxHeight / 2}
}

func inRow(parts []track) track {
	t := track{shape: row, parts: parts, up: between, down: between}
	for i, p := range parts {
		if i > 0 {
			t.width += gap
		}
		t.width += p.width
		t.up, t.down = max(t.up, p.up), max(t.down, p.down)
	}
	return t
}

func alternatives(parts []track) track {
	switch len(parts) {
	case 0:
		return boxed("nonterminal undefined", "nothing", "")
	case 1:
		return parts[0]
	}
	t := track{shape: choice, parts: parts, up: parts[0].up, down: parts[0].down}
	for i, p := range parts {
		t.width = max(t.width, p.width)
		if i > 0 {
			t.down += between + p.up + p.down
		}
	}
	t.width += 4 * bend
	return t
}

func around(inner track) track {
	return track{shape: optional, parts: []track{inner}, width: inner.width + 4*bend, up: max(inner.up+between, 2*bend) + 2, down: inner.down}
}

func again(inner track, how string) track {
	t := track{shape: loop, parts: []track{inner}, width: inner.width + 2*bend, up: inner.up, down: max(inner.down+between, 2*bend) + 2}
	if how != "" {
		t.text = how
		t.width = max(t.width, textWidth(how)+4*bend)
		t.down += FontSize + 2
	}
	return t
}

// line draws a straight track.
func (r *railroad) line(x, y, to float64) {
	if to > x {
		r.rails.move(x, y)
		r.rails.line(to, y)
	}
}

// draw draws t, which begins at x, y.
func (r *railroad) draw(t track, x, y float64) {
	switch t.shape {
	case empty:
		r.line(x, y, x+t.width)
	case box:
		r.box(t, x, y)
	case row:
		for i, p := range t.parts {
			if i > 0 {
				r.line(x, y, x+gap)
				x += gap
			}
			r.draw(p, x, y)
			x += p.width
		}
	case choice:
		r.choice(t, x, y)
	case optional:
		r.inside(t, x, y)
		r.bypass(x, y, x+t.width, y-t.up+1)
	case loop:
		r.inside(t, x, y)
		under := y + t.parts[0].down + between
		under = max(under, y+2*bend)
		end := x + t.width
		r.rails.move(x+bend, y)
		r.rails.corner(x, y, x, y+bend)
		r.rails.line(x, under-bend)
		r.rails.corner(x, under, x+bend, under)
		r.rails.line(end-bend, under)
		r.rails.corner(end, under, end, under-bend)
		r.rails.line(end, y+bend)
		r.rails.corner(end, y, end-bend, y)
		middle := x + t.width/2 // which way it goes
		r.rails.move(middle+3, under-3.5)
		r.rails.line(middle-3, under)
		r.rails.line(middle+3, under+3.5)
		if t.text != "" {
			fmt.Fprintf(&r.boxes, `<text class="aside" x="%s" y="%s">%s</text>`, num(middle), num(under+FontSize+3), html.EscapeString(t.text))
		}
	}
}

// inside draws the one part of t in its middle.
func (r *railroad) inside(t track, x, y float64) {
	p := t.parts[0]
	lead := (t.width - p.width) / 2
	r.line(x, y, x+lead)
	r.draw(p, x+lead, y)
	r.line(x+lead+p.width, y, x+t.width)
}

// bypass draws a way from x to end at the height of over, which is above y or below it.
func (r *railroad) bypass(x, y, end, over float64) {
	down := float64(bend)
	if over < y {
		down = -bend
	}
	r.rails.move(x, y)
	r.rails.corner(x+bend, y, x+bend, y+down)
	r.rails.line(x+bend, over-down)
	r.rails.corner(x+bend, over, x+2*bend, over)
	r.rails.line(end-2*bend, over)
	r.rails.corner(end-bend, over, end-bend, over-down)
	r.rails.line(end-bend, y+down)
	r.rails.corner(end-bend, y, end, y)
}

func (r *railroad) choice(t track, x, y float64) {
	end := x + t.width
	inner := t.width - 4*bend
	first := t.parts[0]
	r.line(x, y, x+2*bend)
	r.draw(first, x+2*bend, y)
	r.line(x+2*bend+first.width, y, end)
	at := y + first.down
	previous := y
	for i, p := range t.parts[1:] {
		at += between + p.up
		if i == 0 {
			r.rails.move(x, y)
			r.rails.corner(x+bend, y, x+bend, y+bend)
			r.rails.move(end, y)
			r.rails.corner(end-bend, y, end-bend, y+bend)
			previous = y + bend
		}
		r.rails.move(x+bend, previous)
		r.rails.line(x+bend, at-bend)
		r.rails.corner(x+bend, at, x+2*bend, at)
		r.draw(p, x+2*bend, at)
		r.line(x+2*bend+p.width, at, x+2*bend+inner)
		r.rails.move(end-2*bend, at)
		r.rails.corner(end-bend, at, end-bend, at-bend)
		r.rails.line(end-bend, previous)
		previous = at - bend
		at += p.down
	}
}

func (r *railroad) box(t track, x, y float64) {
	c := &r.boxes
	radius := "3"
	if strings.HasPrefix(t.class, "terminal") {
		radius = num(boxHeight / 2)
	}
	if t.link != "" {
		fmt.Fprintf(c, `<a href="%s">`, html.EscapeString(t.link))
	}
	fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="%d" rx="%s"/>`,
		t.class, num(x), num(y-boxHeight/2), num(t.width), boxHeight, radius)
	if t.aside == "" {
		c.text(x+t.width/2, y, t.text)
	} else {
		fmt.Fprintf(c, `<text x="%s" y="%s">%s <tspan class="aside">%s</tspan></text>`,
			num(x+t.width/2), num(y+baseline), html.EscapeString(t.text), html.EscapeString(t.aside))
	}
	if t.link != "" {
		c.WriteString("</a>")
	}
}

// visible gives s with everything shown that a reader would not see or that could move what stands beside it.
func visible(s string) string {
	if s == " " {
		return "space"
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < 0x7f || c == ' ' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\x%02X`, c)
		}
	}
	return b.String()
}
