package drawing

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// The measures of railroad diagrams. They are whole numbers, so that coordinates are short and can be compared.
const (
	column  = 8  // the width of a character: [advance], rounded up
	padding = 10 // between the text of a box and its sides
	half    = 11 // half the height of a box
	gap     = 12 // the length of track between two parts of a sequence
	bend    = 10 // the radius of a curve
	between = 8  // the room between tracks, or boxes, that lie above one another
	margin  = 4  // the room around a diagram
	stop    = 20 // the length of the sign at which a diagram starts or ends
)

// A part is a piece of a railroad diagram. One track enters it at its left side and leaves it at its right side.
type part struct {
	width        float64
	above, below float64 // how far it reaches above and below the point where the track enters
	exit         float64 // how far below that point the track leaves
	draw         func(d *diagram, x, y float64)
}

// skip is the part without a width: the empty word.
func skip() part { return part{draw: func(*diagram, float64, float64) {}} }

// box returns a box with text in it, which links to link unless that is "". class is its class in the style
// sheet; boxes of terminals are round.
func box(class, text, link string) part {
	size := float64(utf8.RuneCountInString(text)*column + 2*padding)
	round := ""
	if strings.HasPrefix(class, "terminal") {
		round = fmt.Sprintf(` rx="%d"`, bend)
	}
	return part{size, half, half, 0, func(d *diagram, x, y float64) {
		if link != "" {
			fmt.Fprintf(&d.boxes, `<a href="%s">`, html.EscapeString(link))
		}
		fmt.Fprintf(&d.boxes, `<rect class="%s" x="%s" y="%s" width="%s" height="%d"%s/>`,
			class, formatCoordinate(x), formatCoordinate(y-half), formatCoordinate(size), 2*half, round)
		d.boxes.text(x+size/2, y, text)
		if link != "" {
			d.boxes.WriteString("</a>")
		}
	}}
}

// aside returns text that stands on the track without a box.
func aside(text string) part {
	size := float64(utf8.RuneCountInString(text)*column + padding)
	return part{size, between, between, 0, func(d *diagram, x, y float64) {
		fmt.Fprintf(&d.boxes, `<text class="aside" x="%s" y="%s">%s</text>`,
			formatCoordinate(x+size/2), formatCoordinate(y+baseline), html.EscapeString(text))
	}}
}

// sequence returns the parts in a row, joined by track. For one part it returns that part, and for none a
// part without a width.
func sequence(parts ...part) part {
	if len(parts) == 1 {
		return parts[0]
	}
	var s part
	for i, p := range parts {
		if i > 0 {
			s.width += gap
		}
		s.width += p.width
		s.above = max(s.above, p.above-s.exit)
		s.below = max(s.below, p.below+s.exit)
		s.exit += p.exit
	}
	s.draw = func(d *diagram, x, y float64) {
		for i, p := range parts {
			if i > 0 {
				d.rail(x, y, x+gap)
				x += gap
			}
			p.draw(d, x, y)
			x, y = x+p.width, y+p.exit
		}
	}
	return s
}

// stack returns a sequence in several rows, at least one. The track goes back from the end of each row to the
// beginning of the next.
func stack(rows ...part) part {
	if len(rows) == 1 {
		return rows[0]
	}
	inner := 0.0
	for _, p := range rows {
		inner = max(inner, p.width)
	}
	s := part{width: inner + 2*bend, above: rows[0].above}
	turns := make([]float64, len(rows)) // where the track goes back below each row but the last, from where s begins
	starts := make([]float64, len(rows))
	y := 0.0
	for i, p := range rows {
		if i > 0 {
			y = turns[i-1] + max(2*bend, between+p.above)
		}
		starts[i] = y
		s.exit, s.below = y+p.exit, max(s.below, y+p.below)
		turns[i] = y + max(p.exit+2*bend, p.below+between)
	}
	s.draw = func(d *diagram, x, y float64) {
		left, right := x+bend, x+bend+inner
		d.rail(x, y, left)
		for i, p := range rows {
			p.draw(d, left, y+starts[i])
			end := y + starts[i] + p.exit
			if i == len(rows)-1 {
				d.rail(left+p.width, end, x+s.width)
			} else {
				d.rail(left+p.width, end, right+bend, y+turns[i], x, y+starts[i+1], left)
			}
		}
	}
	return s
}

// choice returns a choice of at least two parts: the first on the line, the others below it. They join again at the
// exit of the first.
func choice(parts ...part) part {
	inner := 0.0
	for _, p := range parts {
		inner = max(inner, p.width)
	}
	first, last := parts[0], len(parts)-1
	c := part{width: inner + 4*bend, above: first.above, exit: first.exit}
	starts := make([]float64, len(parts))
	for i, p := range parts {
		if i > 0 {
			// A branch needs the room of two curves below the line, on both sides: where it leaves the line, and
			// where it comes back to the exit of the first.
			starts[i] = max(c.below+between+p.above, 2*bend, first.exit+2*bend-p.exit)
		}
		c.below = max(c.below, starts[i]+p.below)
	}
	c.draw = func(d *diagram, x, y float64) {
		left, right, end := x+2*bend, x+2*bend+inner, x+c.width
		for i, p := range parts {
			from, to := y+starts[i], y+starts[i]+p.exit
			switch i {
			case 0:
				d.rail(x, from, left)
				d.rail(left+p.width, to, end)
			case last: // the others branch off from its rails
				d.rail(x, y, x+bend, from, left)
				d.rail(left+p.width, to, end-bend, y+first.exit, end)
			default:
				d.curve(point{x + bend, from - bend}, point{left, from}, false)
				d.rail(left+p.width, to, right)
				d.curve(point{right, to}, point{right + bend, to - bend}, true)
			}
			p.draw(d, left, from)
		}
	}
	return c
}

// optional returns p on the line, with a track above that passes it by.
func optional(p part) part {
	over := max(2*bend, between+p.above)
	return part{p.width + 4*bend, over, p.below, p.exit, func(d *diagram, x, y float64) {
		left, right := x+2*bend, x+2*bend+p.width
		d.rail(x, y, left)
		p.draw(d, left, y)
		d.rail(right, y+p.exit, right+2*bend)
		d.rail(x, y, x+bend, y-over, right+bend, y+p.exit, right+2*bend)
	}}
}

// loop returns p on the line, with a track below that leads back through another part. That part is passed from right
// to left, so it must look the same in both directions, and leave where it enters.
func loop(p, back part) part {
	inner := max(p.width, back.width)
	under := max(p.exit+2*bend, p.below+between+back.above)
	l := part{inner + 2*bend, p.above, max(p.below, under+back.below), p.exit, nil}
	l.draw = func(d *diagram, x, y float64) {
		left, right := x+bend, x+bend+inner
		d.rail(x, y, left)
		p.draw(d, left, y)
		d.rail(left+p.width, y+p.exit, right+bend)
		back.draw(d, left, y+under)
		d.rail(right, y+p.exit, right+bend, y+under, left+back.width)
		d.rail(left, y+under, x, y, left)
	}
	return l
}

// diagramOf returns the diagram of p, between the signs that mark its start and end.
func diagramOf(p part) *diagram {
	d := &diagram{
		width:  p.width + 2*(margin+stop+gap),
		height: max(p.above, bend) + max(p.below, p.exit+bend) + 2*margin,
	}
	x, y := float64(margin), margin+max(p.above, bend)
	d.bar(x, y)
	d.bar(x+bend, y)
	d.rail(x, y, x+stop+gap)
	x += stop + gap
	p.draw(d, x, y)
	x, y = x+p.width, y+p.exit
	d.rail(x, y, x+gap+stop)
	d.bar(x+gap+stop-bend, y)
	d.bar(x+gap+stop, y)
	return d
}

// A diagram is a railroad diagram without the element around it.
type diagram struct {
	width, height float64
	boxes         canvas
	track         []segment // in the direction from the start to the end
}

type point struct{ x, y float64 }

// A segment of track is a straight line or, where both coordinates change, a quarter of a circle, which starts
// horizontally (across) or vertically.
type segment struct {
	from, to point
	across   bool
}

// rail draws a track from (x, y): horizontally to the first of the coordinates, vertically to the second, and
// so on. Its corners are rounded. Each coordinate but the first and the last must be at least two bends away from the
// one before it in the same direction.
func (d *diagram) rail(x, y float64, to ...float64) {
	at := point{x, y}
	for i, t := range to {
		across := i%2 == 0
		from, corner := at, point{t, at.y}
		if !across {
			corner = point{at.x, t}
		}
		if i == len(to)-1 {
			d.straight(from, corner)
			return
		}
		next := point{corner.x, to[i+1]}
		if !across {
			next = point{to[i+1], corner.y}
		}
		before := corner.towards(from)
		at = corner.towards(next)
		d.straight(from, before)
		d.curve(before, at, across)
	}
}

// towards returns the point that is a bend away from p in the direction of q, or q itself if it is nearer. q
// is above, below, left or right of p.
func (p point) towards(q point) point {
	step := func(d float64) float64 { return max(-bend, min(d, bend)) }
	return point{p.x + step(q.x-p.x), p.y + step(q.y-p.y)}
}

// straight adds a straight segment of track.
func (d *diagram) straight(from, to point) {
	if from != to {
		d.track = append(d.track, segment{from, to, from.y == to.y})
	}
}

// curve adds a quarter of a circle, which leaves from horizontally if across.
func (d *diagram) curve(from, to point, across bool) {
	d.track = append(d.track, segment{from, to, across})
}

// bar draws one of the two bars of the sign at which a diagram starts or ends.
func (d *diagram) bar(x, y float64) { d.straight(point{x, y - bend}, point{x, y + bend}) }

// outline returns the track as one SVG path. Each segment is followed by one that begins where it ends, if
// there is any that is not drawn yet; straight lines in the same direction become one.
func (d *diagram) outline() string {
	starts := map[point][]int{}
	for i, s := range d.track {
		starts[s.from] = append(starts[s.from], i)
	}
	drawn := make([]bool, len(d.track))
	var p path
	for i := range d.track {
		if drawn[i] {
			continue
		}
		p.step("M", d.track[i].from.x, d.track[i].from.y)
		var line point // how far the current straight line goes
		for more := true; more; {
			drawn[i] = true
			s := d.track[i]
			by := point{s.to.x - s.from.x, s.to.y - s.from.y}
			if by.x != 0 && by.y != 0 { // a quarter of a circle: first the straight line before it
				p.straight(line)
				line = point{}
				// It turns clockwise if it leaves across and its diagonal falls to the right, or neither. y grows
				// downward, so a diagonal falls to the right where both changes have one sign.
				clockwise := 0.0
				if (by.x*by.y > 0) == s.across {
					clockwise = 1
				}
				p.step("a", bend, bend, 0, 0, clockwise, by.x, by.y)
			} else {
				if line.x*by.x+line.y*by.y <= 0 { // a corner, a turn back, or no line yet
					p.straight(line)
					line = point{}
				}
				line = point{line.x + by.x, line.y + by.y}
			}
			more = false
			for _, next := range starts[s.to] {
				if !drawn[next] {
					i, more = next, true
					break
				}
			}
		}
		p.straight(line)
	}
	return p.String()
}

// straight appends a horizontal or a vertical line from where the path ends, by this much, or nothing if it has no
// length. One of the coordinates must be 0.
func (p *path) straight(by point) {
	switch {
	case by.x != 0:
		p.step("h", by.x)
	case by.y != 0:
		p.step("v", by.y)
	}
}
