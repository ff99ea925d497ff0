package diff

import (
	"cmp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/compile/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
)

// checkSentences performs what each sentence of d says on the grammar of the side that stops: then the strings of all causes
// of the group are derived by that side as well. The derivations are those of a chart, which shares no step with automata.
// A sentence that claims no such change is held to what it does claim. It returns how many sentences of each kind there are.
func checkSentences(t *testing.T, d *diff.Difference, sentences map[diff.Feature]int) {
	t.Helper()
	a, b := d.Automata()
	for i := range d.Groups {
		g := &d.Groups[i]
		stops, production := b, d.B.Production
		if g.Region == diff.OnlyB {
			stops, production = a, d.A.Production
		}
		sentences[g.Feature]++
		derives := func(string) (bool, error) { return true, nil }
		if edited, ok := d.Edited(g); ok {
			chart, err := interpreter.NewChart(edited, production, func(string) bool { return false })
			if err != nil {
				t.Errorf("%s %s: %v", d.Sentence(), g.Sentence, err)
				continue
			}
			derives = chart.Accepts
		}
		for _, i := range g.Causes {
			c := d.Causes[i]
			w := string(c.Witness)
			if accepted, err := derives(w); err != nil || !accepted || stops.Match(w) {
				t.Errorf("%s %s %q does not change sides: %v", d.Sentence(), g.Sentence, w, err)
			}
			switch g.Feature {
			case diff.Scheme: // no string of the other side has it
				scheme, _, _ := strings.Cut(w, ":")
				if stops.Live(stops.Run(0, scheme+":")) {
					t.Errorf("%s %s %q is a scheme of the other as well", d.Sentence(), g.Sentence, scheme)
				}
			case diff.Parts:
				path := c.B.Path
				if g.Region == diff.OnlyB {
					path = c.A.Path
				}
				if last := path[len(path)-1]; last != cmp.Or(g.Other, g.Where) || (g.Bytes == "") != (c.Bytes == "") {
					t.Errorf("%s %s %q stops in %s", d.Sentence(), g.Sentence, w, last)
				}
			}
		}
		if g.A != nil && g.B != nil && g.A.Printed == g.B.Printed {
			t.Errorf("%s %s The same is printed in %s and %s", d.Sentence(), g.Sentence, g.A.Place, g.B.Place)
		}
		if testing.Verbose() {
			t.Logf("%s %s %s", d.Topic, g.Sentence, g.Witness)
		}
	}
}
