package drawing

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Name is how a diagram shows a production that is used.
type Name struct {
	Text string // the RFC's spelling
	Link string // where the production is described, "#rfc1738-host"; "" for a name that nothing defines
	Core bool   // it is defined in another text, as the core rules of ABNF are
}

// Railroad draws e, an expression of an unordered grammar, as a railroad diagram: every way along the tracks from
// left to right that keeps to the notes at loops is a way to derive a string. Alternatives that are single bytes,
// three or more of them neighbors, are drawn as one box. A sequence that is too long for a line goes on in the
// next. label says in words what is drawn. name returns how to show the production with an ID, and is asked for the
// text of prose, too, whose ID begins with "<".
func Railroad(e *expr.Expr, label string, name func(id string) Name) string {
	return RailroadWith(Options{}, e, label, name)
}

// Options change how a diagram is drawn.
type Options struct {
	Width float64 // of a line, where its parts let it be; 0 is the usual width

	// Places gives boxes the line and the column of their expression, as data-at="3:14". Prose, names that nothing
	// defines, and classes and single bytes in a choice have none, nor has an expression without a place.
	Places bool
}

// RailroadWith is Railroad with options.
func RailroadWith(o Options, e *expr.Expr, label string, name func(id string) Name) string {
	return diagramOf(railroad{name, o.Places}.track(e, cmp.Or(o.Width, longLine)-ends)).svg("railroad", label)
}

// CodePoints returns e for a diagram that shows code points, not the bytes of their UTF-8: each character of a
// literal beyond ASCII becomes a class of its own, and classes show the code points that they stand for. These
// classes, and all literals, lose their places. A byte of a literal that is no UTF-8 is shown as U+FFFD. e stays as
// it is. The result is only good for drawing.
func CodePoints(e *expr.Expr) *expr.Expr {
	switch {
	case e.Chars != "":
		return &expr.Expr{Op: expr.Class, Chars: expr.CodePoints(e.Chars)}
	case e.Op != expr.Literal:
		return e.Map(CodePoints)
	}
	var seq []*expr.Expr
	for i, r := range e.Lit {
		if r < utf8.RuneSelf {
			seq = append(seq, expr.Lit(e.Lit[i:i+1]))
		} else {
			seq = append(seq, &expr.Expr{Op: expr.Class, Chars: fmt.Sprintf("U+%04X", r)})
		}
	}
	return expr.Cat(seq...)
}

const (
	longLine = 880                       // how long lines may be: beside the contents of a page on a screen
	ends     = 2 * (margin + stop + gap) // what a diagram takes of it for its start and its end
	turns    = 2 * bend                  // and what the turns from row to row take
)

// svg returns the drawing as an element. label describes it to those who do not see it.
func (d *diagram) svg(class, label string) string {
	return fmt.Sprintf(`<svg class="%s" viewBox="0 0 %s %s" width="%[2]s" height="%[3]s" role="group" aria-label="%s"><path class="track" d="%s"/>%s</svg>`,
		class, formatCoordinate(d.width), formatCoordinate(d.height), html.EscapeString(label), d.outline(),
		d.boxes.String())
}

// A railroad draws expressions. name returns how to show a production.
type railroad struct {
	name   func(id string) Name
	places bool
}

// withPlace returns p, the part that draws e, with the place of e around it, or p itself if no places are wanted or e
// has none.
func (r railroad) withPlace(e *expr.Expr, p part) part {
	if !r.places || e.Pos.Line == 0 {
		return p
	}
	draw := p.draw
	p.draw = func(d *diagram, x, y float64) {
		fmt.Fprintf(&d.boxes, `<g data-at="%d:%d">`, e.Pos.Line, e.Pos.Col)
		draw(d, x, y)
		d.boxes.WriteString("</g>")
	}
	return p
}

// track returns the part that draws e in lines of at most room, as far as its boxes allow. A class that is shown as
// code points is one box; any other class without bytes is a box that says "nothing". A Node is drawn as what is in
// it. For an empty expression, and for the other operators that only PEGs have, it returns the part without a
// width.
func (r railroad) track(e *expr.Expr, room float64) part {
	switch e.Op {
	case expr.Class:
		if e.Set.IsEmpty() && e.Chars != "" {
			return r.withPlace(e, box("terminal range", e.Chars, ""))
		}
		return r.withPlace(e, alternatives(runBoxes(e.Set)))
	case expr.Literal, expr.Seq:
		return r.sequence(e, room)
	case expr.Ref:
		n := r.name(e.Name)
		switch {
		case strings.HasPrefix(e.Name, "<"): // prose, which is no production
			return box("terminal range", n.Text, "")
		case n.Core:
			return r.withPlace(e, box("nonterminal core", n.Text, n.Link))
		case n.Link == "":
			return undefined(n.Text)
		}
		return r.withPlace(e, box("nonterminal", n.Text, n.Link))
	case expr.Alt:
		return alternatives(r.choiceParts(e.Sub, room-4*bend))
	case expr.Repeat:
		return r.repeat(e, room)
	case expr.Node:
		return r.track(e.Sub[0], room)
	}
	return skip() // the empty word
}

// sequence returns the factors of e in a row, or in several rows if one would be too long. A part that is too long by
// itself has a row of its own. Without parts it is the part without a width.
func (r railroad) sequence(e *expr.Expr, room float64) part {
	parts := r.inSequence(e.Factors(), room-turns)
	if len(parts) == 0 {
		return skip()
	}
	if whole := sequence(parts...); whole.width <= room {
		return whole
	}
	var rows []part
	first, width := 0, 0.0 // of the row being filled: index of its first part, and its width
	for i, p := range parts {
		switch {
		case i == first:
			width = p.width
		case width+gap+p.width <= room-turns:
			width += gap + p.width
		default:
			rows = append(rows, sequence(parts[first:i]...))
			first, width = i, p.width
		}
	}
	return stack(append(rows, sequence(parts[first:]...))...)
}

// inSequence returns the parts of a sequence. Consecutive literals become one, and so do consecutive letters that
// match in either case, with "in any case" after each of their boxes; literals without letters join either. An
// expression before a repetition that ends with it again is drawn once: a *( "," a ) is a loop from a through ","
// back to a.
func (r railroad) inSequence(es []*expr.Expr, room float64) (parts []part) {
	var literal []byte
	var first *expr.Expr // of the expressions that become one literal
	folded := false
	flush := func() {
		for _, p := range terminals(string(literal), room) {
			if folded {
				p = sequence(p, aside("in any case"))
			}
			parts = append(parts, r.withPlace(first, p))
		}
		literal, folded, first = nil, false, nil
	}
	for _, f := range findLoops(es) {
		letter, fold := eitherCase(f.Expr)
		switch {
		case f.back != nil:
			flush()
			// The way back is one box or a choice of such (see isSeparator): it is as wide as it is, in any room.
			parts = append(parts, loop(r.track(f.Expr, room-2*bend), r.track(f.back, room)))
		case f.Op == expr.Literal:
			if folded && hasLetter(f.Lit) {
				flush()
			}
			literal, first = append(literal, f.Lit...), cmp.Or(first, f.Expr)
		case fold:
			if !folded && hasLetter(string(literal)) {
				flush()
			}
			literal, folded, first = append(literal, letter...), true, cmp.Or(first, f.Expr)
		default:
			flush()
			parts = append(parts, r.track(f.Expr, room))
		}
	}
	flush()
	return parts
}

// A factor is an expression in a sequence or, if back is not nil, one or more of it with back in between. back may be
// the empty expression, for a track alone.
type factor struct {
	*expr.Expr
	back *expr.Expr
}

// findLoops returns the factors of a sequence. Where a repetition from 0 without a limit ends with the factors just
// before it, and the rest of its body is a separator, these and the repetition become one factor: of a *( "," a ), a
// with "," as back. The longest such end counts. Factors of an earlier loop are not in another.
func findLoops(es []*expr.Expr) (fs []factor) {
	first := 0 // index of the first factor that may still become part of a loop
	for _, e := range es {
		fs = append(fs, factor{e, nil})
		if e.Op != expr.Repeat || e.Min > 0 || e.Max != expr.Unbounded {
			continue
		}
		// The longest end of the body that the factors before it repeat: k of them, with back before it in the body.
		again := e.Sub[0].Factors()
		for k := min(len(again), len(fs)-1-first); k > 0; k-- {
			back := expr.Cat(again[:len(again)-k]...)
			if !isSeparator(back) || !sameExprs(again[len(again)-k:], fs[len(fs)-1-k:len(fs)-1]) {
				continue
			}
			fs = append(fs[:len(fs)-1-k], factor{expr.Cat(again[len(again)-k:]...), back})
			first = len(fs)
			break
		}
	}
	return fs
}

// sameExprs reports whether the expressions are equal to those of the factors, which must not be loops.
func sameExprs(es []*expr.Expr, fs []factor) bool {
	same := func(e *expr.Expr, f factor) bool { return e.Op == f.Op && e.String() == f.String() }
	return slices.EqualFunc(es, fs, same)
}

// isSeparator reports whether e can be drawn on a track that leads back: as the track alone, in one box, or in a
// choice of such boxes, so that it does not matter that it is passed from right to left.
func isSeparator(e *expr.Expr) bool {
	switch e.Op {
	case expr.Empty, expr.Ref, expr.Class:
		return true
	case expr.Literal:
		return len(e.Lit) <= short
	case expr.Alt:
		return !slices.ContainsFunc(e.Sub, func(e *expr.Expr) bool { return e.Op == expr.Alt || !isSeparator(e) })
	}
	return false
}

// eitherCase returns, in lower case, the letter that e derives in both its cases; ok is false if e derives anything
// else.
func eitherCase(e *expr.Expr) (letter string, ok bool) {
	m := e.Set.Members()
	if e.Op != expr.Class || len(m) != 2 || m[1] != m[0]|0x20 || !hasLetter(string(m)) {
		return "", false
	}
	return string(m[1:]), true
}

// hasLetter reports whether s has a letter with two cases, in ASCII or beyond.
func hasLetter(s string) bool { return strings.ToLower(s) != strings.ToUpper(s) }

// choiceParts returns the parts of a choice, in order. Three or more neighboring bytes, of classes and of literals
// of one byte, become one part, in the place of the first of them. Such an alternative is left out if all its bytes
// have been drawn, or if it has none.
func (r railroad) choiceParts(es []*expr.Expr, room float64) (parts []part) {
	var single expr.Set
	for _, e := range es {
		if s, ok := singleBytes(e); ok {
			single = single.Union(s)
		}
	}
	together := expr.Set{} // the bytes that are in a run of three or more
	for _, run := range single.Ranges() {
		if run[1]-run[0] >= 2 {
			together = together.Union(expr.Range(run[0], run[1]))
		}
	}
	drawn := expr.Set{}
	for _, e := range es {
		s, ok := singleBytes(e)
		switch {
		case !ok:
			parts = append(parts, r.track(e, room))
		case !s.Minus(drawn).IsEmpty() && s.Intersect(together).IsEmpty(): // in no long run: drawn as it is
			parts = append(parts, runBoxes(s)...)
			drawn = drawn.Union(s)
		case !s.Minus(drawn).IsEmpty(): // with all runs of the whole choice that it has a part of
			for _, run := range single.Ranges() {
				if set := expr.Range(run[0], run[1]); !set.Intersect(s).IsEmpty() && set.Intersect(drawn).IsEmpty() {
					parts = append(parts, runBoxes(set)...)
					drawn = drawn.Union(set)
				}
			}
		}
	}
	return parts
}

// singleBytes returns the bytes that e derives, if e is a class or a literal of one byte. The second result is
// false for anything else, and for a class that is shown as code points, whatever bytes are returned.
func singleBytes(e *expr.Expr) (expr.Set, bool) {
	switch {
	case e.Op == expr.Class:
		return e.Set, e.Chars == ""
	case e.Op == expr.Literal && len(e.Lit) == 1:
		return expr.Bytes(e.Lit), true
	}
	return expr.Set{}, false
}

// runBoxes returns a box for each run of neighboring bytes in s, or two boxes if the run has two bytes; none if s is
// empty.
func runBoxes(s expr.Set) (parts []part) {
	for _, run := range s.Ranges() {
		switch first, last := visible(string(run[0:1])), visible(string(run[1:])); run[1] - run[0] {
		case 0:
			parts = append(parts, terminal(first))
		case 1:
			parts = append(parts, terminal(first), terminal(last))
		default:
			parts = append(parts, box("terminal range", first+" \u2026 "+last, ""))
		}
	}
	return parts
}

// repeat returns the part that draws a repetition, with a note on the way back where its limits are not seen in the
// drawing. No repetition at all is the part without a width.
func (r railroad) repeat(e *expr.Expr, room float64) part {
	how := ""
	switch {
	case e.Max == 0:
		return skip()
	case e.Max == 1 && e.Min == 0:
		return optional(r.track(e.Sub[0], room-4*bend))
	case e.Max == 1:
		return r.track(e.Sub[0], room)
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
	back := skip()
	if how != "" {
		back = aside(how)
	}
	if e.Min == 0 {
		return optional(loop(r.track(e.Sub[0], room-6*bend), back))
	}
	return loop(r.track(e.Sub[0], room-2*bend), back)
}

// alternatives returns a choice between any number of parts. For none it returns a box that says "nothing".
func alternatives(parts []part) part {
	switch len(parts) {
	case 0:
		return undefined("nothing")
	case 1:
		return parts[0]
	}
	return choice(parts...)
}

// terminal returns the box of a terminal.
func terminal(text string) part { return box("terminal", text, "") }

// terminals returns the boxes of a literal: several if it is too long for the room. Each but the last has at least as
// many bytes as short says, even if the room is less. They may begin and end inside a character. For an empty literal
// there are none.
func terminals(literal string, room float64) (parts []part) {
	for literal != "" {
		n := min(short, len(literal))
		for n < len(literal) && terminal(visible(literal[:n+1])).width <= room {
			n++
		}
		parts = append(parts, terminal(visible(literal[:n])))
		literal = literal[n:]
	}
	return parts
}

// A literal of no more bytes than short is drawn in one box, whatever the room.
const short = 16

// undefined returns the box of a name that nothing defines, or of an expression that matches nothing.
func undefined(text string) part { return box("nonterminal undefined", text, "") }

// visible returns s with all bytes escaped that a reader would not see, or that could move their neighbors. A
// single space is the word "space".
func visible(s string) string {
	if s == " " {
		return "space"
	}
	return quote.Visible(s)
}
