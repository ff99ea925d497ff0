package learn

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"

	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// TestDrawing shows the automaton of a small URL.
func TestDrawing(t *testing.T) {
	digit := lang.OfString("0").Union(lang.OfString("1"))
	a := lang.OfString("x://").Concat(digit).Concat(digit.Star()).Concat(lang.OfString(":").Concat(digit.Star()).Union(lang.Epsilon()))
	var b strings.Builder
	if err := WriteSVG(&b, a, "a small <URL>", "a note"); err != nil {
		t.Fatal(err)
	}
	goldie.New(t, goldie.WithNameSuffix(".svg"), goldie.WithDiffEngine(goldie.ClassicDiff)).Assert(t, "drawing", []byte(b.String()))
}

// A drawing is well-formed and has every state that is not dead once, and every transition between them once: in the tree
// or beside its state.
func TestDrawingSaysAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	models := []*lang.DFA{lang.Empty(), lang.All(), lang.Epsilon(), lang.OfString("<&>\"\x00\xff"), httpurl(t)}
	for range 30 {
		models = append(models, random(rng, 1+rng.IntN(40)))
	}
	for i, a := range models {
		var b strings.Builder
		if err := WriteSVG(&b, a, "a model"); err != nil {
			t.Fatal(err)
		}
		states, links, tips := parts(t, b.String())
		live := map[string]bool{}
		steps := map[string]int{}
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
				}
			}
		}
		total := 0
		for _, n := range steps {
			total += n
		}
		if len(states) != len(live) || tips != max(len(live)-1, 0) || len(links)+tips != total {
			t.Errorf("%d: %d states of %d, %d ways and %d links of %d", i, len(states), len(live), tips, len(links), total)
		}
		for _, id := range states {
			if !live[id] {
				t.Errorf("%d: %s is drawn twice, or is dead", i, id)
			}
			delete(live, id)
		}
		for _, to := range links {
			if steps[to]--; steps[to] < 0 {
				t.Errorf("%d: too many links to %s", i, to)
			}
		}
	}
}

// parts reads a drawing: the states, what the links lead to, and the number of arrows' tips.
func parts(t *testing.T, svg string) (states, links []string, tips int) {
	t.Helper()
	x := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			return states, links, tips
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range e.Attr {
			switch {
			case e.Name.Local == "g" && a.Name.Local == "id":
				states = append(states, a.Value)
			case e.Name.Local == "a" && a.Name.Local == "href":
				links = append(links, a.Value)
			case a.Value == "tip":
				tips++
			}
		}
	}
}
