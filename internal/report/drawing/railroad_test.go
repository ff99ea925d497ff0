package drawing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func named(id string) Name {
	if id == "nowhere" {
		return Name{Text: id}
	}
	return Name{Text: id, Link: "#" + id}
}

func TestRailroad(t *testing.T) {
	digit, both := expr.In(expr.Range('0', '9')), func(c string) *expr.Expr {
		return expr.In(expr.Bytes(strings.ToLower(c) + strings.ToUpper(c)))
	}
	many := func(es ...*expr.Expr) *expr.Expr { return expr.Times(expr.Cat(es...), 0, expr.Unbounded) }
	for _, c := range []struct {
		name  string
		e     *expr.Expr
		texts string // of the boxes, from left to right and from top to bottom
	}{
		{"a literal", expr.Lit("http://"), "http://"},
		{"literals in a row are one", expr.Cat(expr.Lit("h"), expr.Lit("t"), expr.To("x"), expr.Lit("!")), "ht x !"},
		{"nothing", expr.Lit(""), ""},
		{"a name that nothing defines", expr.To("nowhere"), "nowhere"},
		{"a choice", expr.Or(expr.To("a"), expr.Lit("b"), expr.To("c")), "a b c"},
		{"a choice with nothing", expr.Or(expr.To("a"), expr.Lit("")), "a"},
		{"single characters that follow one another are one",
			expr.Or(expr.Lit("c"), expr.Lit("a"), expr.Lit("b"), expr.To("x"), expr.Lit("z")), "a \u2026 c x z"},
		{"two that do are two", expr.Or(expr.Lit("b"), expr.Lit("a")), "b a"},
		{"a character printed twice", expr.Or(expr.Lit("-"), expr.Lit("$"), expr.Lit("-")), "- $"},
		{"a class", digit, "0 \u2026 9"},
		{"no byte at all", expr.In(expr.Set{}), "nothing"},
		{"either case", expr.Cat(both("f"), both("t"), both("p"), expr.Lit("://"), expr.To("login")),
			"ftp:// in any case login"},
		{"either case, but for one letter", expr.Cat(expr.Lit("x"), both("f")), "x f in any case"},
		{"literals after letters in either case", expr.Cat(both("f"), expr.Lit("x"), expr.Lit("y")), "f in any case xy"},
		{"a byte that cannot be seen", expr.Or(expr.Lit("\x00"), expr.Lit(" "), expr.Lit("\xff")), `\x00 space \xFF`},
		{"markup", expr.Lit(`<&">`), `<&">`},
		{"at most one", expr.Times(expr.To("a"), 0, 1), "a"},
		{"any number", expr.Times(expr.To("a"), 0, expr.Unbounded), "a"},
		{"one or more", expr.Times(expr.To("a"), 1, expr.Unbounded), "a"},
		{"some number", expr.Times(expr.To("a"), 3, 3), "a 3 times"},
		{"up to a number", expr.Times(expr.To("a"), 0, 5), "a at most 5 times"},
		{"from a number", expr.Times(expr.To("a"), 2, expr.Unbounded), "a 2 times or more"},
		{"between numbers", expr.Times(expr.To("a"), 2, 4), "a 2 to 4 times"},
		{"never", expr.Times(expr.To("a"), 0, 0), ""},
		{"once", expr.Times(expr.To("a"), 1, 1), "a"},
		{"separated", expr.Cat(expr.Lit("("), expr.Lit("a"), many(expr.Lit(","), expr.Lit("a")), expr.Lit(")")),
			"( a , )"},
		{"separated by a choice", expr.Cat(expr.To("a"), many(expr.Or(expr.Lit(";"), expr.To("b")), expr.To("a"))),
			"a ; b"},
		{"a pair, separated", expr.Cat(expr.To("a"), expr.Lit("="), expr.To("b"),
			many(expr.Lit("&"), expr.To("a"), expr.Lit("="), expr.To("b"))), "a = b &"},
		{"separated by nothing", expr.Cat(expr.To("a"), many(expr.To("a"))), "a"},
		{"separated by two that have an order", expr.Cat(expr.To("a"), many(expr.Lit(","), expr.To("b"), expr.To("a"))),
			"a , b a"},
		{"separated twice", expr.Cat(expr.To("a"), many(expr.Lit(","), expr.To("a")),
			many(expr.Lit(","), expr.To("a"))), "a , , a"},
		{"separated at most once", expr.Cat(expr.To("a"), expr.Opt(expr.Cat(expr.Lit(","), expr.To("a")))), "a , a"},
		{"long", expr.Lit(strings.Repeat("-", 60)), strings.Repeat("-", 60)},
		{"too long", expr.Lit(strings.Repeat("-", 60) + strings.Repeat("+", 60)),
			strings.Repeat("-", 60) + strings.Repeat("+", 36) + " " + strings.Repeat("+", 24)},
	} {
		svg := Railroad(c.e, c.name, named)
		f := read(t, svg[strings.LastIndex(svg, "<svg"):])
		if got := strings.Join(f.texts, " "); got != c.texts {
			t.Errorf("%s: %q, want %q", c.name, got, c.texts)
		}
		checkFigure(t, c.name, f)
		f.checkWords(t, c.name, c.e)
	}
}

// A sequence that is too long for a line goes on in the next; for a telephone there is a second diagram, with shorter
// lines. A code point is one box, whatever its octets. A name that another text defines is not drawn as one that
// nothing defines.
func TestRailroadOfCoreRules(t *testing.T) {
	for _, c := range []struct {
		name Name
		want string
	}{
		{Name{Text: "DIGIT", Core: true}, `<rect class="nonterminal core"`},
		{Name{Text: "DIGIT", Link: "#DIGIT", Core: true}, `<a href="#DIGIT"><rect class="nonterminal core"`},
		{Name{Text: "DIGIT"}, `<rect class="nonterminal undefined"`},
	} {
		if got := Railroad(expr.To("DIGIT"), "", func(string) Name { return c.name }); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c.name, got)
		}
	}
}

// With places a diagram is the same, and each box that one expression makes says where that stands.
func TestRailroadWithPlaces(t *testing.T) {
	doc := must.Of(bnf.ReadDocument("a.abnf", []byte("a = \"x\" b *( \",\" b ) / %x31-39 \"7\" DIGIT none\nb = \"b\"\n"), bnf.ABNF, bnf.Usual))(t)
	e := doc.Grammar.Rules[0].Expr
	got := RailroadWith(Options{Places: true}, e, "a", named)
	if plain := regexp.MustCompile(`<g data-at="[^"]*">|</g>`).ReplaceAllString(got, ""); plain != Railroad(e, "a", named) {
		t.Errorf("it is another diagram: %s", got)
	}
	var places []string
	for _, m := range regexp.MustCompile(`data-at="([^"]*)"`).FindAllStringSubmatch(got, -1) {
		places = append(places, m[1])
	}
	if got, want := strings.Join(places, " "), "1:5 1:18 1:14 1:24 1:32 1:36 1:42"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestRailroadOfCodePoints(t *testing.T) {
	g := must.Of(bnf.ReadABNF("a.abnf", []byte("a = \"a\" %x61C / %x610-61B / %x41.E9\n")))(t)
	got := Railroad(CodePoints(g.Rules[0].Expr), "a", named)
	for _, want := range []string{">U+061C<", ">U+0610-061B<", ">U+00E9<"} {
		if !strings.Contains(got, want) {
			t.Errorf("the diagram lacks %s: %s", want, got)
		}
	}
	if strings.Contains(got, `\x`) {
		t.Errorf("the diagram has bytes: %s", got)
	}
}

func TestRailroadFolds(t *testing.T) {
	names := func(n int) (parts []*expr.Expr) {
		for i := range n {
			parts = append(parts, expr.To(fmt.Sprintf("name%d", i)))
		}
		return parts
	}
	rows := func(svg string) int {
		tops := map[float64]bool{}
		for _, b := range read(t, svg).boxes {
			tops[b.top] = true
		}
		return len(tops)
	}
	for _, c := range []struct {
		what string
		e    *expr.Expr
		rows int
	}{
		{"a short one", expr.Cat(names(3)...), 1},
		{"one for a screen", expr.Cat(names(8)...), 1},
		{"one for no screen", expr.Cat(names(12)...), 2},
		{"repeated", expr.Times(expr.Cat(names(8)...), 0, expr.Unbounded), 1},
		{"an alternative", expr.Or(expr.To("a"), expr.Cat(names(8)...), expr.To("b")), 3},
		{"a long choice", expr.Or(names(12)...), 12},
	} {
		svg := Railroad(c.e, c.what, named)
		if got := rows(svg); got != c.rows {
			t.Errorf("%s: %d rows, want %d", c.what, got, c.rows)
		}
	}
}

// In the diagram of every production, as it is printed and as it is read, there is everything that it names, each of it
// leads to where it is described, and nothing lies on anything else.
func TestRailroadOfEveryProduction(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		src := must.Of(bnf.Load(g.Name))(t)
		for _, version := range []*expr.Grammar{src.Default, src.Printed} {
			for _, r := range version.Rules {
				what := g.Name + " " + r.ID
				for _, f := range drawn(t, r.Expr, what) {
					if len(f.boxes) == 0 && r.Name != "void" && r.Name != "path-empty" {
						t.Errorf("%s: nothing is drawn", what)
					}
					checkFigure(t, what, f)
					f.checkWords(t, what, r.Expr)
					for _, id := range expr.Refs(r.Expr) {
						if !slices.Contains(f.links, "#"+id) {
							t.Errorf("%s: %s is not drawn", what, id)
						}
					}
				}
			}
		}
	}
}

// checkFigure fails where something in a railroad diagram lies on something else, or is not on the paper.
func checkFigure(t *testing.T, what string, f figure) {
	t.Helper()
	f.apart(t, what, f.boxes)
	f.apart(t, what, f.labels)
	f.checkTrack(t, what)
	boxes := f.boxes
	for i, l := range f.labels {
		if f.asides[i] {
			continue
		}
		b := boxes[0]
		boxes = boxes[1:]
		if l.left < b.left || l.right > b.right || l.top < b.top || l.bottom > b.bottom {
			t.Errorf("%s: %q is wider than its box", what, l.what)
		}
	}
	if len(boxes) > 0 {
		t.Errorf("%s: a box without text", what)
	}
}

var step = regexp.MustCompile(`([A-Za-z])([^A-Za-z]*)`)

// segments follows a track. Each step must be one of those that outline writes.
func segments(t *testing.T, d string) (track []segment) {
	t.Helper()
	var at point
	for _, m := range step.FindAllStringSubmatch(d, -1) {
		var n []float64
		for _, s := range strings.Fields(strings.ReplaceAll(m[2], "-", " -")) {
			v := must.Of(strconv.ParseFloat(s, 64))(t)
			n = append(n, v)
		}
		from := at
		across := m[1] == "h"
		switch m[1] {
		case "M":
			at = point{n[0], n[1]}
			continue
		case "h":
			at.x += n[0]
		case "v":
			at.y += n[0]
		case "a":
			if n[0] != bend || n[1] != bend || n[2] != 0 || n[3] != 0 || math.Abs(n[5]) != bend || math.Abs(n[6]) != bend {
				t.Fatalf("%q is no quarter of a circle", m[0])
			}
			at = point{at.x + n[5], at.y + n[6]}
			across = (n[4] == 1) == (n[5]*n[6] > 0)
		default:
			t.Fatalf("a step %q", m[0])
		}
		track = append(track, segment{from, at, across})
	}
	return track
}

func (s segment) curved() bool { return s.from.x != s.to.x && s.from.y != s.to.y }

func (s segment) area() area {
	return area{fmt.Sprint("track ", s), min(s.from.x, s.to.x), min(s.from.y, s.to.y), max(s.from.x, s.to.x), max(s.from.y, s.to.y)}
}

// first and last return the directions in which the segment begins and ends.
func (s segment) first() point {
	d := point{direction(s.to.x - s.from.x), direction(s.to.y - s.from.y)}
	switch {
	case !s.curved():
		return d
	case s.across:
		return point{d.x, 0}
	}
	return point{0, d.y}
}

func (s segment) last() point {
	if !s.curved() {
		return s.first()
	}
	t := s
	t.across = !s.across
	return t.first()
}

func (s segment) reversed() segment { return segment{s.to, s.from, s.across != s.curved()} }

func direction(d float64) float64 {
	switch {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}

// center returns the center of the circle of which the segment is a quarter.
func (s segment) center() point {
	if s.across {
		return point{s.from.x, s.to.y}
	}
	return point{s.to.x, s.from.y}
}

// holds reports whether the area has p in it, and not at its border.
func (a area) holds(p point) bool {
	const least = 1e-6
	return p.x > a.left+least && p.x < a.right-least && p.y > a.top+least && p.y < a.bottom-least
}

// crosses reports whether the segments have a point in common where neither of them ends.
func (s segment) crosses(t segment) bool {
	a, b := s.area(), t.area()
	switch {
	case !s.curved() && !t.curved() && (s.from.x == s.to.x) == (t.from.x == t.to.x): // in parallel
		return (a.left == b.left && a.right == b.right || a.top == b.top && a.bottom == b.bottom) &&
			min(a.right, b.right)+min(a.bottom, b.bottom) > max(a.left, b.left)+max(a.top, b.top) &&
			(a.left == a.right && a.left == b.left || a.top == a.bottom && a.top == b.top)
	case !s.curved() && !t.curved():
		return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
	case !s.curved():
		return t.crosses(s)
	}
	c := s.center()
	if !t.curved() {
		for _, side := range []float64{-1, 1} {
			p := point{t.from.x, c.y + side*math.Sqrt(bend*bend-(t.from.x-c.x)*(t.from.x-c.x))}
			inside := p.y > b.top && p.y < b.bottom
			if t.from.y == t.to.y {
				p = point{c.x + side*math.Sqrt(bend*bend-(t.from.y-c.y)*(t.from.y-c.y)), t.from.y}
				inside = p.x > b.left && p.x < b.right
			}
			if inside && a.holds(p) {
				return true
			}
		}
		return false
	}
	e := t.center()
	dx, dy := e.x-c.x, e.y-c.y
	apart := math.Hypot(dx, dy)
	if apart == 0 {
		return a.meets(b)
	}
	off := math.Sqrt(bend*bend - apart*apart/4) // NaN where the circles do not meet
	for _, side := range []float64{-off, off} {
		p := point{c.x + dx/2 - side*dy/apart, c.y + dy/2 + side*dx/apart}
		if a.holds(p) && b.holds(p) {
			return true
		}
	}
	return false
}

// rails returns the track without the signs at its ends.
func (f figure) rails() (rails []segment) {
	for _, s := range f.track {
		x := s.from.x
		if x == s.to.x && math.Abs(s.to.y-s.from.y) == 2*bend && slices.Contains([]float64{margin, margin + bend, f.width - margin - bend, f.width - margin}, x) {
			continue
		}
		rails = append(rails, s)
	}
	return rails
}

// checkTrack fails where the track leaves the paper, runs through a box or a text, or crosses itself.
func (f figure) checkTrack(t *testing.T, what string) {
	t.Helper()
	for _, s := range f.track {
		if a := s.area(); a.left < 1 || a.top < 1 || a.right > f.width-1 || a.bottom > f.height-1 {
			t.Errorf("%s: %s is not on the paper", what, a.what)
		}
	}
	rails := f.rails()
	if bars := len(f.track) - len(rails); bars != 4 {
		t.Errorf("%s: %d bars", what, bars)
	}
	for i, s := range rails {
		a := s.area()
		for _, b := range append(f.boxes, f.labels...) {
			if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom ||
				a.left == a.right && a.left > b.left && a.left < b.right && a.top < b.bottom && b.top < a.bottom ||
				a.top == a.bottom && a.top > b.top && a.top < b.bottom && a.left < b.right && b.left < a.right {
				t.Errorf("%s: %s runs through %q", what, a.what, b.what)
			}
		}
		for _, r := range rails[:i] {
			if s.crosses(r) {
				t.Errorf("%s: %s crosses %v", what, a.what, r)
			}
		}
	}
}

// A train is at a point and goes in a direction.
type train struct{ at, direction point }

// A leg leads a train from place to place. What the train reads on its way is an expression.
type leg struct {
	from, to train
	reads    *expr.Expr
}

// legs returns the legs of a diagram, in both directions. Straight lines are cut where other lines join them.
func (f figure) legs(t *testing.T) (legs []leg) {
	t.Helper()
	rails := f.rails()
	var ends []point
	for _, s := range rails {
		ends = append(ends, s.from, s.to)
	}
	both := func(s segment, reads *expr.Expr) {
		for _, s := range []segment{s, s.reversed()} {
			legs = append(legs, leg{train{s.from, s.first()}, train{s.to, s.last()}, reads})
		}
	}
	for _, s := range rails {
		cuts := []point{s.from, s.to}
		if a := s.area(); !s.curved() {
			for _, p := range ends {
				if p.x >= a.left && p.x <= a.right && p.y >= a.top && p.y <= a.bottom {
					cuts = append(cuts, p)
				}
			}
		}
		slices.SortFunc(cuts, func(p, q point) int { // by how far they are from the beginning
			return int(direction(math.Hypot(p.x-s.from.x, p.y-s.from.y) - math.Hypot(q.x-s.from.x, q.y-s.from.y)))
		})
		for i, p := range cuts[1:] {
			if p != cuts[i] {
				both(segment{cuts[i], p, s.across}, expr.Lit(""))
			}
		}
	}
	boxes := f.boxes
	for i, text := range f.texts {
		l := f.labels[i]
		y := (l.top + l.bottom) / 2
		if f.asides[i] {
			middle, size := (l.left+l.right)/2, float64(len(text)*column+padding)
			reads := expr.Lit("<" + text + ">")
			if text == "in any case" {
				reads = expr.Lit("")
			}
			both(segment{point{middle - size/2, y}, point{middle + size/2, y}, true}, reads)
			continue
		}
		b := boxes[0]
		boxes = boxes[1:]
		folded := slices.ContainsFunc(f.labels, func(m area) bool {
			return m.what == "in any case" && m.top == l.top && m.left > b.right && m.left < b.right+2*gap
		})
		both(segment{point{b.left, y}, point{b.right, y}, true}, reading(b.what, text, folded))
	}
	return legs
}

// reading returns what a box with this text stands for. The letters of a folded one match in either case.
func reading(class, text string, folded bool) *expr.Expr {
	if text == "nothing" {
		return expr.In(expr.Set{})
	}
	if strings.HasPrefix(class, "nonterminal") {
		return expr.Lit("<" + text + ">")
	}
	if text == "space" {
		return expr.Lit(" ")
	}
	bytes := func(text string) string {
		return regexp.MustCompile(`\\x..`).ReplaceAllStringFunc(text, func(s string) string {
			n, _ := strconv.ParseUint(s[2:], 16, 8)
			return string([]byte{byte(n)})
		})
	}
	if from, to, ok := strings.Cut(text, " \u2026 "); ok && class == "terminal range" {
		return expr.In(expr.Range(reading("", from, false).Lit[0], reading("", to, false).Lit[0]))
	}
	if !folded {
		return expr.Lit(bytes(text))
	}
	var letters []*expr.Expr
	for _, c := range []byte(bytes(text)) {
		s := string([]byte{c})
		letters = append(letters, expr.In(expr.Bytes(strings.ToLower(s)+strings.ToUpper(s))))
	}
	return expr.Cat(letters...)
}

// checkWords fails where a train that starts at the left and never stops nor turns around can come somewhere else
// than to the end, or where what trains read on their ways is not what e derives. Names of productions are read as
// they stand.
func (f figure) checkWords(t *testing.T, what string, e *expr.Expr) {
	t.Helper()
	start, end := train{direction: point{-1, 0}}, train{direction: point{1, 0}}
	for _, s := range f.track {
		for _, p := range []point{s.from, s.to} {
			if s.across && p.x == margin {
				start.at = p
			}
			if s.across && p.x == f.width-margin {
				end.at = p
			}
		}
	}
	out := map[train][]leg{}
	legs := f.legs(t)
	for _, l := range legs {
		out[l.from] = append(out[l.from], l)
	}
	again := expr.Lit("<again>")
	name := func(t train) string { return fmt.Sprint(t) }
	drawn := &expr.Grammar{Name: what}
	done := map[train]bool{}
	for _, l := range legs {
		if l.to != start && l.to != end && len(out[l.to]) == 0 {
			t.Errorf("%s: the track ends at %v", what, l.to)
			return
		}
	}
	for list := []train{{start.at, point{1, 0}}}; len(list) > 0; {
		at := list[0]
		list = list[1:]
		if done[at] {
			continue
		}
		done[at] = true
		if at == start {
			t.Errorf("%s: a track leads back to the start", what)
		}
		var ways []*expr.Expr
		if at == end {
			// From the end it may go to the start again: with that, all rules belong together.
			ways = append(ways, expr.Lit(""), expr.Cat(again, expr.To(name(train{start.at, end.direction}))))
		}
		for _, l := range out[at] {
			ways = append(ways, expr.Cat(l.reads, expr.To(name(l.to))))
			list = append(list, l.to)
		}
		drawn.Rules = append(drawn.Rules, &expr.Rule{ID: name(at), Name: name(at), Expr: expr.Or(ways...)})
	}
	got, err := lang.FromBNF(drawn, drawn.Rules[0].ID)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	want, err := lang.FromExpr(&expr.Grammar{Name: what}, expr.Cat(spelledOut(e), expr.Times(expr.Cat(again, spelledOut(e)), 0, expr.Unbounded)))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if w, ok := got.SymmetricDifference(want).Shortest(); ok {
		t.Errorf("%s: %q is read: %v, derived: %v", what, w, got.Match(w), want.Match(w))
	}
}

// spelledOut returns e with the names of productions, and what is said about how often something is repeated, as
// literals.
func spelledOut(e *expr.Expr) *expr.Expr {
	c := *e
	c.Sub = nil
	for _, s := range e.Sub {
		c.Sub = append(c.Sub, spelledOut(s))
	}
	said := ""
	switch {
	case e.Op == expr.Ref:
		return expr.Lit("<" + e.Name + ">")
	case e.Op != expr.Repeat || e.Max <= 1 && e.Max != expr.Unbounded || e.Max == expr.Unbounded && e.Min <= 1:
		return &c
	case e.Max == expr.Unbounded:
		said = fmt.Sprintf("<%d times or more>", e.Min)
	case e.Max == e.Min:
		said = fmt.Sprintf("<%d times>", e.Min)
	case e.Min == 0:
		said = fmt.Sprintf("<at most %d times>", e.Max)
	default:
		said = fmt.Sprintf("<%d to %d times>", e.Min, e.Max)
	}
	again := expr.Cat(c.Sub[0], expr.Times(expr.Cat(expr.Lit(said), c.Sub[0]), 0, expr.Unbounded))
	if e.Min == 0 {
		return expr.Opt(again)
	}
	return again
}

// TestRailroadOfAnyExpression draws expressions that no one would write.
func TestRailroadOfAnyExpression(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var random func(depth int) *expr.Expr
	random = func(depth int) *expr.Expr {
		list := func() (es []*expr.Expr) {
			for range 1 + r.IntN(5) {
				es = append(es, random(depth-1))
			}
			return es
		}
		switch n := r.IntN(10); {
		case n == 0:
			return expr.Lit("")
		case n == 1:
			return expr.Lit(strings.Repeat("a\xff", 1+r.IntN(3)*r.IntN(10)))
		case n == 2:
			return expr.In(expr.Range('a', 'a'+byte(r.IntN(4))).Union(expr.Range('x', 'x'+byte(r.IntN(2)))))
		case n == 3 || depth == 0:
			return expr.To(strings.Repeat("n", 1+r.IntN(9)))
		case n < 6:
			return expr.Or(list()...)
		case n < 8:
			return expr.Cat(list()...)
		}
		e := random(depth - 1)
		switch r.IntN(5) {
		case 0:
			return expr.Opt(e)
		case 1:
			low := r.IntN(3)
			return expr.Times(e, low, low+r.IntN(3))
		case 2:
			return expr.Times(e, r.IntN(3), expr.Unbounded)
		case 3:
			return expr.Cat(e, expr.Times(expr.Cat(random(0), random(r.IntN(2)), e), 0, expr.Unbounded))
		}
		return expr.Times(e, 0, expr.Unbounded)
	}
	for i := range 100 {
		e := random(4)
		what := fmt.Sprintf("%d: %s", i, e)
		for _, f := range drawn(t, e, what) {
			checkFigure(t, what, f)
			f.checkWords(t, what, e)
		}
		if t.Failed() {
			break
		}
	}
}

// TestParts puts parts together in every way and checks each against the room that it says it takes.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var random func(depth int) part
	random = func(depth int) part {
		list := func() (ps []part) {
			for range 1 + r.IntN(4) {
				ps = append(ps, random(depth-1))
			}
			return ps
		}
		n := r.IntN(5)
		if depth == 0 {
			n = 5 + r.IntN(3)
		}
		switch n {
		case 0:
			return sequence(list()...)
		case 1:
			return stack(list()...)
		case 2:
			return choice(list()...)
		case 3:
			return optional(random(depth - 1))
		case 4:
			return loop(random(depth-1), random(0))
		case 5:
			return skip()
		case 6:
			return aside("text")
		}
		return box("terminal", "text", "")
	}
	for i := range 500 {
		p := random(1 + i%4)
		what := fmt.Sprint("part ", i)
		d := diagramOf(p)
		svg := d.svg("railroad", what)
		f := read(t, svg)
		checkFigure(t, what, f)
		x, y := float64(margin+stop+gap), margin+max(p.above, bend)
		room := area{what, x, y - p.above, x + p.width, y + p.below}
		rails := f.rails()
		for _, s := range rails {
			if a := s.area(); a.right > room.left && a.left < room.right && (a.top < room.top || a.bottom > room.bottom) {
				t.Errorf("%s: %s is not in %v", what, a.what, room)
			}
		}
		for _, a := range append(f.boxes, f.labels...) {
			if a.left < room.left || a.top < room.top || a.right > room.right || a.bottom > room.bottom {
				t.Errorf("%s: %q is not in %v", what, a.what, room)
			}
		}
		if t.Failed() {
			t.Fatal(svg)
		}
	}
}

// drawn returns the diagrams of e.
func drawn(t *testing.T, e *expr.Expr, what string) (figures []figure) {
	t.Helper()
	for svg := range strings.SplitAfterSeq(Railroad(e, what, named), "</svg>") {
		if svg != "" {
			figures = append(figures, read(t, svg))
		}
	}
	return figures
}
