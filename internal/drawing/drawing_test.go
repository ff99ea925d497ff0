package drawing

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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
	boxes         []area    // of a railroad diagram
	circles       []area    // of an automaton; the inner ones of accepting states are left out
	labels        []area    // the room that text takes
	asides        []bool    // which of the labels stand on the track, outside of boxes
	track         []segment // of a railroad diagram
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
					f.track = segments(t, get("d"))
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

// automaton returns the automaton of one production in RFC 822's notation.
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

// spells reports whether some way from q spells w. It reads the labels as a person does.
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
