package drawing

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// A figure is a drawing, taken apart.
type figure struct {
	class         string
	width, height float64
	texts         []string
	links         []string
	boxes         []area // of a railroad diagram
	circles       []area // of an automaton; the inner ones of accepting states are left out
	labels        []area // the room that text takes
	asides        []bool // which of the labels stand on the track, outside of boxes
	track         area   // the room that the track takes
	accepting     int
}

type area struct {
	what                     string
	left, top, right, bottom float64
}

func (a area) meets(b area) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

// read takes a drawing apart. It must be XML.
func read(t *testing.T, svg string) figure {
	t.Helper()
	var f figure
	d := xml.NewDecoder(strings.NewReader(svg))
	var in *area
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return f
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch e := token.(type) {
		case xml.StartElement:
			get := func(name string) string {
				for _, a := range e.Attr {
					if a.Name.Local == name {
						return a.Value
					}
				}
				return ""
			}
			number := func(name string) float64 {
				x, err := strconv.ParseFloat(get(name), 64)
				if err != nil {
					t.Fatalf("%s of <%s>: %v", name, e.Name.Local, err)
				}
				return x
			}
			switch e.Name.Local {
			case "svg":
				f.class, f.width, f.height = get("class"), number("width"), number("height")
			case "a":
				f.links = append(f.links, get("href"))
			case "rect":
				x, y := number("x"), number("y")
				f.boxes = append(f.boxes, area{get("class"), x, y, x + number("width"), y + number("height")})
			case "circle":
				if get("class") == "accept" {
					f.accepting++
					continue
				}
				x, y, r := number("cx"), number("cy"), number("r")
				f.circles = append(f.circles, area{"state", x - r, y - r, x + r, y + r})
			case "path":
				if get("class") == "track" {
					f.track = extent(t, get("d"))
				}
			case "text":
				x, y := number("x"), number("y")-baseline
				f.asides = append(f.asides, get("class") == "aside")
				f.labels = append(f.labels, area{left: x, right: x, top: y - FontSize/2, bottom: y + FontSize/2})
				f.texts = append(f.texts, "")
				in = &f.labels[len(f.labels)-1]
			}
		case xml.CharData:
			if in != nil {
				f.texts[len(f.texts)-1] += string(e)
			}
		case xml.EndElement:
			if e.Name.Local == "text" {
				in.what = f.texts[len(f.texts)-1]
				half := advance * float64(len([]rune(in.what))) / 2
				in.left, in.right, in = in.left-half, in.right+half, nil
			}
		}
	}
}

var step = regexp.MustCompile(`([A-Za-z])([^A-Za-z]*)`)

// extent follows a track, as far as its corners say where it goes.
func extent(t *testing.T, d string) area {
	t.Helper()
	x, y := 0.0, 0.0
	a := area{"track", math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, m := range step.FindAllStringSubmatch(d, -1) {
		var n []float64
		for _, s := range strings.Fields(strings.ReplaceAll(m[2], "-", " -")) {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			n = append(n, v)
		}
		switch m[1] {
		case "M":
			x, y = n[0], n[1]
		case "h":
			x += n[0]
		case "v":
			y += n[0]
		case "m", "a":
			x, y = x+n[len(n)-2], y+n[len(n)-1]
		default:
			t.Fatalf("a step %q", m[0])
		}
		a.left, a.right, a.top, a.bottom = min(a.left, x), max(a.right, x), min(a.top, y), max(a.bottom, y)
	}
	return a
}

// apart fails where two of the areas lie on each other, or one is not on the paper.
func (f figure) apart(t *testing.T, what string, areas []area) {
	t.Helper()
	for i, a := range areas {
		if a.left < 0 || a.top < 0 || a.right > f.width || a.bottom > f.height {
			t.Errorf("%s: %q is not on the paper", what, a.what)
		}
		for _, b := range areas[:i] {
			if a.meets(b) {
				t.Errorf("%s: %q lies on %q", what, a.what, b.what)
			}
		}
	}
}

func named(id string) Name {
	if id == "nowhere" {
		return Name{Text: id}
	}
	return Name{id, "#" + id}
}

func TestRailroad(t *testing.T) {
	digit, both := expr.In(expr.Range('0', '9')), func(c string) *expr.Expr {
		return expr.In(expr.Bytes(strings.ToLower(c) + strings.ToUpper(c)))
	}
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
		{"single characters that follow one another are one", expr.Or(expr.Lit("c"), expr.Lit("a"), expr.Lit("b"), expr.To("x"), expr.Lit("z")), "a \u2026 c x z"},
		{"two that do are two", expr.Or(expr.Lit("b"), expr.Lit("a")), "b a"},
		{"a character printed twice", expr.Or(expr.Lit("-"), expr.Lit("$"), expr.Lit("-")), "- $"},
		{"a class", digit, "0 \u2026 9"},
		{"no byte at all", expr.In(expr.Set{}), "nothing"},
		{"either case", expr.Cat(both("f"), both("t"), both("p"), expr.Lit("://"), expr.To("login")), "ftp:// in any case login"},
		{"either case, but for one letter", expr.Cat(expr.Lit("x"), both("f")), "x f in any case"},
		{"a byte that cannot be seen", expr.Or(expr.Lit("\x00"), expr.Lit(" "), expr.Lit("\xff")), `\x00 space \xFF`},
		{"markup", expr.Lit(`<&">`), `<&">`},
		{"at most one", expr.Times(expr.To("a"), 0, 1), "a"},
		{"any number", expr.Times(expr.To("a"), 0, expr.Unbounded), "a"},
		{"one or more", expr.Times(expr.To("a"), 1, expr.Unbounded), "a"},
		{"some number", expr.Times(expr.To("a"), 3, 3), "a 3 times"},
		{"up to a number", expr.Times(expr.To("a"), 0, 5), "a at most 5 times"},
		{"from a number", expr.Times(expr.To("a"), 2, expr.Unbounded), "a 2 times or more"},
		{"between numbers", expr.Times(expr.To("a"), 2, 4), "a 2 to 4 times"},
	} {
		svg := Railroad(c.e, c.name, named)
		f := read(t, svg[strings.LastIndex(svg, "<svg"):])
		if got := strings.Join(f.texts, " "); got != c.texts {
			t.Errorf("%s: %q, want %q", c.name, got, c.texts)
		}
		f.apart(t, c.name, f.boxes)
		f.apart(t, c.name, f.labels)
	}
}

// A sequence that is too long for a line goes on in the next; for a telephone there is a second diagram, with shorter lines.
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
		what          string
		e             *expr.Expr
		folded, whole int // the rows of each diagram; 0 where there is none
	}{
		{"a short one", expr.Cat(names(3)...), 0, 1},
		{"one for a screen", expr.Cat(names(8)...), 3, 1},
		{"one for no screen", expr.Cat(names(12)...), 5, 2},
		{"repeated", expr.Times(expr.Cat(names(8)...), 0, expr.Unbounded), 4, 1},
		{"an alternative", expr.Or(expr.To("a"), expr.Cat(names(8)...), expr.To("b")), 6, 3},
		{"a long choice", expr.Or(names(12)...), 0, 12},
	} {
		svg := Railroad(c.e, c.what, named)
		last := strings.LastIndex(svg, "<svg")
		folded, whole := svg[:last], svg[last:]
		if got := rows(whole); got != c.whole {
			t.Errorf("%s: %d rows, want %d", c.what, got, c.whole)
		}
		if (folded != "") != (c.folded > 0) {
			t.Errorf("%s: a folded diagram: %v", c.what, folded != "")
		} else if folded != "" {
			if got := rows(folded); got != c.folded {
				t.Errorf("%s, folded: %d rows, want %d", c.what, got, c.folded)
			}
			if f := read(t, folded); f.width > shortLine || f.class != "railroad folded" {
				t.Errorf("%s, folded: %q is %v wide", c.what, f.class, f.width)
			}
		}
	}
}

// Diagrams are drawn from several goroutines, and are always the same.
func TestRailroadAtOnce(t *testing.T) {
	e := expr.Cat(expr.Lit("http://"), expr.To("host"), expr.Times(expr.Or(expr.To("a"), expr.To("b")), 0, expr.Unbounded))
	want := Railroad(e, "a diagram", named)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := Railroad(e, "a diagram", named); got != want {
				t.Errorf("%s, and also %s", want, got)
			}
		})
	}
	all.Wait()
}

// What goes wrong in the library is an error, and the next diagram is drawn.
func TestRailroadFails(t *testing.T) {
	for what, build := range map[string]func(*layout) part{
		"a class that there is not": func(l *layout) part { return l.newPart("Loop") },
		"a stack of nothing":        func(l *layout) part { return l.newPart("Stack") },
	} {
		if d, err := drawParts(build); err == nil {
			t.Errorf("%s is drawn: %s", what, d.boxes.String())
		}
	}
	for _, d := range []string{"M1 2q3 4 5 6", "M1", "h x"} {
		var p pen
		if p.follow(d); p.err == nil {
			t.Errorf("the path %q is drawn: %s", d, p.String())
		}
	}
	if _, err := drawParts(func(l *layout) part { return l.newPart("Skip") }); err != nil {
		t.Error(err)
	}
}

// A pen draws what the library's paths draw, with fewer steps.
func TestPen(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{"M4 5h10", "M14 5h0", "M14 5h20"}, "M4 5h30"},
		{[]string{"M4 5h0"}, "M4 5"},
		{[]string{"M4 5v0a10 10 0 0 1 10 10v-2", "M4 5h3"}, "M4 5a10 10 0 0 1 10 10v-2M4 5h3"},
		{[]string{"M 4 5 h 20 m -10 -10 v 20"}, "M4 5h20m-10-10v20"},
		{[]string{"M4 5h20h-5"}, "M4 5h20h-5"},
	} {
		var p pen
		for _, d := range c.paths {
			p.follow(d)
		}
		p.goAcross()
		if got := p.String(); got != c.want || p.err != nil {
			t.Errorf("%q: %s, %v; want %s", c.paths, got, p.err, c.want)
		}
	}
}

// In the diagram of every production, as it is printed and as it is read, there is everything that it names, each of it
// leads to where it is described, and nothing lies on anything else.
func TestRailroadOfEveryProduction(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		src, err := bnf.Load(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range []*expr.Grammar{src.Default, src.Printed} {
			for _, r := range version.Rules {
				what := g.Name + " " + r.ID
				for svg := range strings.SplitAfterSeq(strings.TrimSuffix(Railroad(r.Expr, what, named), "</svg>"), "</svg>") {
					checkRailroad(t, what, r, read(t, strings.TrimSuffix(svg, "</svg>")+"</svg>"))
				}
			}
		}
	}
}

func checkRailroad(t *testing.T, what string, r *expr.Rule, f figure) {
	t.Helper()
	if len(f.boxes) == 0 && r.Name != "void" {
		t.Errorf("%s: nothing is drawn", what)
	}
	f.apart(t, what, f.boxes)
	f.apart(t, what, f.labels)
	f.apart(t, what, []area{f.track})
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
	for _, id := range expr.Refs(r.Expr) {
		if !slices.Contains(f.links, "#"+id) {
			t.Errorf("%s: %s is not drawn", what, id)
		}
	}
}

// automaton gives the automaton of one production in RFC 822's notation.
func automaton(t *testing.T, production string) *lang.DFA {
	t.Helper()
	g, err := bnf.Read("test.bnf", []byte("@ notation rfc822\n"+production+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := lang.FromBNF(g, g.Rules[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestGraph(t *testing.T) {
	digits := map[expr.Set]string{expr.Range('0', '2'): "digit"}
	for _, c := range []struct{ production, want string }{
		{`a = "x"`, "0 to 1 by x"},
		{`a = "http://"`, "0 to 1 by http://"},
		{`a = "http://" *"x" "y"`, "0 to 1 by http://; 1 to 1 by x; 1 to 2 by y"},
		{`a = *( "x" | "%" "0" "1" )`, "0 to 0 by x or %01"},
		{`a = ( "0" | "1" | "2" ) "." ( "0" | "1" | "2" )`, "0 to 1 by digit . digit"},
		{`a = "a" | "bc"`, "0 to 1 by a or bc"},
		{`a = " " "x"`, "0 to 1 by space x"},
		{`a = ( "!" | "#" | "%" | "'" | ")" | "+" | "-" | "/" | "1" | "3" | "5" )`, "0 to 1 by set A"},
		{`a = *0"x"`, ""},
	} {
		g := NewGraph(automaton(t, c.production), digits)
		if got := g.String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.production, got, c.want)
		}
		if n := strings.Count(c.want, "set "); len(g.Legend) != n {
			t.Errorf("%s: %d names in the legend, want %d", c.production, len(g.Legend), n)
		}
	}
}

func TestOutline(t *testing.T) {
	g, err := bnf.Read("test.bnf", []byte("@ notation rfc822\na = \"http://\" host [ \":\" *( \"x\" ) ] ( host | path )\nhost = \"h\"\npath = \"p\" path\n"))
	if err != nil {
		t.Fatal(err)
	}
	o, err := NewOutline(g.Rules[0].Expr, strings.ToUpper)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.String(), "0 to 1 by http:// HOST; 1 to 2 by :; 1 to 3 by HOST or PATH; 2 to 2 by x; 2 to 3 by HOST or PATH"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// In the drawing of every production's automaton that is small enough there are all states and labels, and none lies on
// another.
func TestGraphOfEveryProduction(t *testing.T) {
	drawn := 0
	for _, g := range bnfcheck.Grammars() {
		src, err := bnf.Load(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range src.Default.Rules {
			a, err := lang.FromBNF(src.Default, r.ID)
			if err != nil {
				t.Fatal(err)
			}
			graph := NewGraph(a, nil)
			if graph.States > 40 {
				continue
			}
			drawn++
			what := g.Name + " " + r.ID
			svg := graph.SVG(what)
			if again := NewGraph(a, nil).SVG(what); again != svg {
				t.Errorf("%s is drawn in two ways", what)
			}
			f := read(t, svg)
			accepting := 0
			for _, ok := range graph.accept {
				if ok {
					accepting++
				}
			}
			labels := 0
			for _, e := range graph.edges {
				labels += len(e.labels)
			}
			if len(f.circles) != graph.States || f.accepting != accepting || len(f.labels) != labels {
				t.Errorf("%s: %d states, %d accepting, %d labels; want %d, %d, %d", what,
					len(f.circles), f.accepting, len(f.labels), graph.States, accepting, labels)
			}
			f.apart(t, what, append(f.circles, f.labels...))
		}
	}
	if drawn < 150 {
		t.Errorf("only %d automata", drawn)
	}
}

// The words of an automaton are those of its graph: what stands on the way from the start to an accepting state.
func TestGraphKeepsTheLanguage(t *testing.T) {
	src, err := bnf.Load("rfc1738")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"hostnumber", "escape", "ftptype", "fieldspec", "hostname"} {
		a, err := lang.FromBNF(src.Default, id)
		if err != nil {
			t.Fatal(err)
		}
		g := NewGraph(a, nil)
		for w := range a.Enumerate(3) {
			if !g.spells(0, w) {
				t.Errorf("%s: no way through the graph spells %q", id, w)
				break
			}
		}
		for _, w := range []string{"", ".", "a.", "-", "%", "%0", "0.0.0.", ";a"} {
			if got, want := g.spells(0, w), a.Match(w); got != want {
				t.Errorf("%s: the graph says %v of %q, the automaton %v", id, got, w, want)
			}
		}
	}
}

// spells says whether some way from q spells w. It reads the labels as a person does.
func (g *Graph) spells(q int, w string) bool {
	if w == "" {
		return g.accept[q]
	}
	for _, e := range g.edges {
		if e.from != q {
			continue
		}
		for _, text := range e.labels {
			if rest, ok := g.take(text, w); ok && g.spells(e.to, rest) {
				return true
			}
		}
	}
	return false
}

// take takes from w what a label spells.
func (g *Graph) take(label, w string) (rest string, ok bool) {
	for _, l := range g.Legend {
		label = strings.ReplaceAll(label, l.Name, fmt.Sprint(l.Set))
	}
	for _, part := range strings.Fields(label) {
		if len(part) > 1 && part[0] == '[' {
			if w == "" || !parseClass(part).Has(w[0]) {
				return "", false
			}
			w = w[1:]
		} else if rest, ok := strings.CutPrefix(w, part); ok {
			w = rest
		} else {
			return "", false
		}
	}
	return w, true
}

// parseClass reads a class as expr.Set prints it.
func parseClass(s string) (set expr.Set) {
	s = s[1 : len(s)-1]
	next := func() byte {
		if s[0] == '\\' {
			s = s[1:]
		}
		b := s[0]
		s = s[1:]
		return b
	}
	for s != "" {
		lo := next()
		hi := lo
		if len(s) > 1 && s[0] == '-' {
			s = s[1:]
			hi = next()
		}
		set = set.Union(expr.Range(lo, hi))
	}
	return set
}
