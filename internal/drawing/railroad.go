package drawing

import (
	"fmt"
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
// one. A sequence that is too long for a line goes on in the next. Label says what is drawn, and name gives what to show
// for the ID of a production.
//
// Where the lines of a telephone are too short for the diagram, another stands before it, of class "folded", with shorter
// lines; the style sheet shows one of the two.
func Railroad(e *expr.Expr, label string, name func(id string) Name) string {
	draw := func(line float64) (*diagram, error) {
		return drawParts(func(l *layout) part {
			r := railroad{layout: l, name: name}
			return r.track(e, line-ends)
		})
	}
	var c canvas
	d, err := draw(longLine)
	if err == nil && d.width > shortLine {
		var folded *diagram
		if folded, err = draw(shortLine); err == nil && folded.width < d.width {
			c.diagram("railroad folded", label, folded)
		}
	}
	if err == nil {
		c.diagram("railroad", label, d)
		return c.String()
	}
	// A fault of this package: there is no expression that cannot be drawn.
	said := "The diagram cannot be drawn: " + err.Error()
	c.open("railroad", label, textWidth(said), 2*FontSize)
	c.text(textWidth(said)/2, FontSize, said)
	return c.close()
}

// How long lines may be: beside the contents of a page on a screen, and on a telephone.
const (
	longLine  = 880
	shortLine = 340
	ends      = 2*margin + 60 // what the library takes of it for the beginning and the end
	turns     = 2*bend + 20   // and for the turns from row to row
)

func (c *canvas) diagram(class, label string, d *diagram) {
	c.open(class, label, d.width, d.height)
	fmt.Fprintf(c, `<path class="track" d="%s"/>`, d.track.String())
	c.WriteString(d.boxes.String())
	c.close()
}

// A railroad says to the library what e is made of: which sequences, choices, loops, terminals and nonterminals.
type railroad struct {
	*layout
	name func(id string) Name
}

// track draws e, on lines as long as room.
func (r *railroad) track(e *expr.Expr, room float64) part {
	switch e.Op {
	case expr.Literal:
		return r.terminal(visible(e.Lit))
	case expr.Class:
		return r.alternatives(r.runs(e.Set))
	case expr.Ref:
		n := r.name(e.Name)
		if n.Link == "" {
			return r.undefined(n.Text)
		}
		return r.setClass(r.newPart("NonTerminal", n.Text, map[string]any{"href": n.Link}), "nonterminal")
	case expr.Seq:
		return r.sequence(e.Sub, room)
	case expr.Alt:
		return r.alternatives(r.choices(e.Sub, room-4*bend))
	case expr.Repeat:
		return r.repeat(e, room)
	case expr.Node:
		return r.track(e.Sub[0], room)
	}
	return r.newPart("Skip") // the empty word
}

// sequence draws parts in a row, or in several rows where one is too long.
func (r *railroad) sequence(es []*expr.Expr, room float64) part {
	parts := r.inSequence(es, room)
	if len(parts) == 0 {
		return r.newPart("Skip")
	}
	whole := r.ofParts("Sequence", parts)
	if len(parts) == 1 || whole.measure("width") <= room {
		return whole
	}
	var rows, row []part
	for _, p := range parts {
		longer := append(row[:len(row):len(row)], p)
		if len(row) > 0 && r.ofParts("Sequence", longer).measure("width") > room-turns {
			rows = append(rows, r.ofParts("Sequence", row))
			longer = []part{p}
		}
		row = longer
	}
	return r.ofParts("Stack", append(rows, r.ofParts("Sequence", row)))
}

// inSequence draws the parts of a sequence; literals that follow one another are one, and so are those of which the
// letters match in either case.
func (r *railroad) inSequence(es []*expr.Expr, room float64) (parts []part) {
	literal, folded := "", false
	flush := func() {
		switch {
		case folded:
			parts = append(parts, r.newPart("Sequence", r.terminal(visible(literal)), r.newPart("Comment", "in any case")))
		case literal != "":
			parts = append(parts, r.terminal(visible(literal)))
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
		parts = append(parts, r.track(e, room-turns))
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

// choices draws alternatives; single characters are drawn together, at the place of the first of them, where three or
// more follow one another.
func (r *railroad) choices(es []*expr.Expr, room float64) (parts []part) {
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
			parts = append(parts, r.track(e, room))
		case !s.Minus(drawn).IsEmpty() && s.Intersect(together).IsEmpty():
			parts = append(parts, r.runs(s)...)
			drawn = drawn.Union(s)
		case !s.Minus(drawn).IsEmpty():
			for _, run := range single.Ranges() {
				if set := expr.Range(run[0], run[1]); !set.Intersect(s).IsEmpty() && set.Intersect(drawn).IsEmpty() {
					parts = append(parts, r.runs(set)...)
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

// runs draws a box for each run of neighbouring bytes, or for each byte where a run has only two.
func (r *railroad) runs(s expr.Set) (parts []part) {
	for _, run := range s.Ranges() {
		switch first, last := visible(string(run[0:1])), visible(string(run[1:])); run[1] - run[0] {
		case 0:
			parts = append(parts, r.terminal(first))
		case 1:
			parts = append(parts, r.terminal(first), r.terminal(last))
		default:
			parts = append(parts, r.setClass(r.terminal(first+" \u2026 "+last), "terminal range"))
		}
	}
	return parts
}

func (r *railroad) repeat(e *expr.Expr, room float64) part {
	if e.Max == 1 && e.Min == 0 {
		return r.optional(r.track(e.Sub[0], room-4*bend))
	}
	how := ""
	switch {
	case e.Max == expr.Unbounded && e.Min > 1:
		how = fmt.Sprintf("%d times or more", e.Min)
	case e.Max == expr.Unbounded:
	case e.Max == e.Min:
		how = fmt.Sprintf("%d times", e.Min)
	case e.Min == 0:
		how = fmt.Sprintf("at most %d times", e.Max)
	default:
		how = fmt.Sprintf("%d to %d times", e.Min, e.Max)
	}
	back := r.newPart("Skip")
	if how != "" {
		back = r.newPart("Comment", how)
	}
	if e.Min == 0 {
		return r.optional(r.newPart("OneOrMore", r.track(e.Sub[0], room-6*bend), back))
	}
	return r.newPart("OneOrMore", r.track(e.Sub[0], room-2*bend), back)
}

// alternatives draws a choice; the first alternative is on the line, and the others are below it.
func (r *railroad) alternatives(parts []part) part {
	switch len(parts) {
	case 0:
		return r.undefined("nothing")
	case 1:
		return parts[0]
	}
	return r.choice(parts)
}

func (r *railroad) terminal(text string) part {
	return r.setClass(r.newPart("Terminal", text), "terminal")
}

// undefined draws what nothing defines, and what no string matches.
func (r *railroad) undefined(text string) part {
	return r.setClass(r.newPart("NonTerminal", text), "nonterminal undefined")
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
