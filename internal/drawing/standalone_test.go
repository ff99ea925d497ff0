package drawing

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// A small automaton is drawn as a graph, a large one as a tree.
func TestWriteSVG(t *testing.T) {
	small := automaton(t, `a = "x://" 1*( "0" | "1" ) [ ":" *( "0" | "1" | "2" | "4" | "6" | "8" | "A" | "C" ) ]`)
	source, err := bnf.Load("rfc1738")
	if err != nil {
		t.Fatal(err)
	}
	large, err := lang.FromBNF(source.Default, "httpurl")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		a    *lang.DFA
	}{
		{"graph", small},
		{"tree", large},
		{"nothing", lang.Empty()},
		{"emptyword", lang.Epsilon()},
	} {
		var b strings.Builder
		if err := WriteSVG(&b, c.a, "a small <URL>", "a note", strings.Repeat("a long note ", 20)); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal([]byte(b.String()), new(struct{})); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		goldentest.Whole(t, "testdata/"+c.name+".svg", b.String())
	}
}

func TestWriteSVGFails(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(io.ErrClosedPipe)
	if err := WriteSVG(w, lang.All(), "a title"); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want %v", err, io.ErrClosedPipe)
	}
}

// A tree has every state that is not dead once, and every transition between them once: in the tree or beside its state.
// Nothing lies on anything else.
func TestTreeSaysAll(t *testing.T) {
	automata := map[string]*lang.DFA{
		"nothing": lang.Empty(), "everything": lang.All(), "the empty word": lang.Epsilon(),
		"bytes": lang.OfString("<&>\"\x00\xff"),
	}
	for _, g := range bnfcheck.Grammars() {
		source, err := bnf.Load(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range source.Default.Rules {
			if automata[g.Name+" "+r.ID], err = lang.FromBNF(source.Default, r.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	for what, a := range automata {
		svg := Tree(a, 600, what)
		f := read(t, svg)
		f.apart(t, what, append(f.boxes, f.circles...))
		checkTree(t, what, a, svg)
	}
}

func checkTree(t *testing.T, what string, a *lang.DFA, svg string) {
	t.Helper()
	states, links, heads := treeParts(t, svg)
	live, steps, total := map[string]bool{}, map[string]int{}, 0
	for q := range a.States() {
		if a.Dead(q) {
			continue
		}
		live[fmt.Sprintf("q%d", q)] = true
		to := map[int]bool{}
		for c := range a.Classes() {
			if p := a.NextClass(q, c); !a.Dead(p) && !to[p] {
				to[p] = true
				steps[fmt.Sprintf("#q%d", p)]++
				total++
			}
		}
	}
	if len(states) != len(live) || heads != max(len(live)-1, 0) || len(links)+heads != total {
		t.Errorf("%s: %d states of %d, %d arrows and %d links of %d", what, len(states), len(live), heads, len(links), total)
	}
	for _, id := range states {
		if !live[id] {
			t.Errorf("%s: %s is drawn twice, or is dead", what, id)
		}
		delete(live, id)
	}
	for _, to := range links {
		if steps[to]--; steps[to] < 0 {
			t.Errorf("%s: too many links to %s", what, to)
		}
	}
}

// treeParts reads a tree: the states, what the links lead to, and the number of arrows.
func treeParts(t *testing.T, svg string) (states, links []string, heads int) {
	t.Helper()
	x := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			return states, links, heads
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attribute := map[string]string{}
		for _, a := range e.Attr {
			attribute[a.Name.Local] = a.Value
		}
		switch {
		case e.Name.Local == "g" && attribute["id"] != "":
			states = append(states, attribute["id"])
		case e.Name.Local == "a":
			links = append(links, attribute["href"])
		case attribute["class"] == "head":
			heads = strings.Count(attribute["d"], "Z")
		}
	}
}
