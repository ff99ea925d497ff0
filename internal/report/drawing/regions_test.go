package drawing

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// TestSVGBoxes: a language covers the regions that it has strings in.
func TestSVGBoxes(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want [][2]int // from where to where, in columns, the box of A and that of B
	}{
		{`a = %s"x"`, `b = %s"x"`, [][2]int{{1, 2}, {1, 2}}},
		{`a = *%s"x"`, `b = %s"x"`, [][2]int{{0, 2}, {1, 2}}},
		{`a = %s"x"`, `b = *%s"x"`, [][2]int{{1, 2}, {1, 3}}},
		{`a = %s"x"`, `b = %s"y"`, [][2]int{{0, 1}, {2, 3}}},
		{`a = %s"x" / %s"y"`, `b = %s"y" / %s"z"`, [][2]int{{0, 2}, {1, 3}}},
		{`a = %s"x" b` + "\n" + `b = %s"x" b`, `b = %s"y"`, [][2]int{{2, 3}}},
	} {
		var boxes [][2]int
		drawnRegions(t, []*diff.Difference{compared(t, tt.a, tt.b)}, func(e xml.StartElement) {
			if at := attributes(e); e.Name.Local == "rect" && strings.HasPrefix(at["class"], "box") {
				x, width := number(t, at["x"]), number(t, at["width"])
				boxes = append(boxes, [2]int{regionColumn(x), regionColumn(x+width-regionCell/2) + 1})
			}
		})
		if len(boxes) != len(tt.want) {
			t.Errorf("%s, %s: boxes %v, want %v", tt.a, tt.b, boxes, tt.want)
			continue
		}
		for i := range boxes {
			if boxes[i] != tt.want[i] {
				t.Errorf("%s, %s: boxes %v, want %v", tt.a, tt.b, boxes, tt.want)
			}
		}
	}
}

func regionColumn(x int) int { return (x - regionMargin - regionNames) / regionCell }

// TestSVGSaysAll: the drawing is well-formed XML, and has every shortest string and every number, whatever is in them.
func TestSVGSaysAll(t *testing.T) {
	ds := []*diff.Difference{
		compared(t, `a = *%s"<"`, `b = %s"&" / "<"`),
		compared(t, `a = %x00 / %xFF`, `b = %x22 / %xFF`),
	}
	text := drawnRegions(t, ds, func(xml.StartElement) {})
	for _, d := range ds {
		for _, p := range []diff.Part{d.OnlyA, d.Both, d.OnlyB} {
			if p.Shortest == nil {
				continue
			}
			for _, want := range []string{shownPlain(p, d.Shown), p.Total().String()} {
				if !strings.Contains(text, want+"\n") {
					t.Errorf("%s: the drawing lacks %s", d.Sentence(), want)
				}
			}
		}
	}
	if drawnRegions(t, nil, func(xml.StartElement) {}) != "" {
		t.Error("a drawing of nothing has text")
	}
}

// drawnRegions draws, visits the elements, and returns the text with a line break after each.
func drawnRegions(t *testing.T, ds []*diff.Difference, visit func(xml.StartElement)) string {
	t.Helper()
	var b, text strings.Builder
	must.Do(t, WriteRegions(&b, ds))
	x := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		switch token := token.(type) {
		case xml.StartElement:
			visit(token)
		case xml.CharData:
			if s := strings.TrimSpace(string(token)); s != "" {
				text.WriteString(s + "\n")
			}
		}
	}
}

func attributes(e xml.StartElement) map[string]string {
	m := map[string]string{}
	for _, a := range e.Attr {
		m[a.Name.Local] = a.Value
	}
	return m
}

func number(t *testing.T, s string) int {
	t.Helper()
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			t.Fatalf("%q is no number", s)
		}
		n = 10*n + int(c-'0')
	}
	return n
}

func TestDifferenceAsDOT(t *testing.T) {
	d := compared(t, `a = %s"x" [%s"y"]`, `b = %s"x" / %s"\"`)
	var b strings.Builder
	must.Do(t, WritePairs(&b, d))
	want := `digraph {
	rankdir=LR
	label="test.abnf a (blue) and test.abnf b (orange)"
	node [shape=circle style=filled fillcolor=white]
	start [shape=point]
	start -> 0
	0 [label="0\n0"]
	0 -> 1 [label="\\" style=dashed]
	0 -> 2 [label="x"]
	1 [label="-\n2" fillcolor="#ffcf9e"]
	2 [label="2\n2" shape=doublecircle fillcolor="#9ec1f7:#ffcf9e"]
	2 -> 3 [label="y" style=dashed]
	3 [label="3\n-" fillcolor="#9ec1f7"]
}
`
	if got := strings.ReplaceAll(b.String(), d.A.Title, "test.abnf"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// compared compares the first productions of two grammars in ABNF.
func compared(t *testing.T, a, b string) *diff.Difference {
	t.Helper()
	var sides []catalog.Language
	for _, src := range []string{a, b} {
		g := must.Of(bnf.ReadABNF("test.abnf", []byte(src+"\n")))(t)
		sides = append(sides, catalog.Language{Grammar: g, Production: g.Rules[0].ID})
	}
	return must.Of(diff.Compare(sides[0], sides[1], diff.Options{MaxLength: 8}))(t)
}
