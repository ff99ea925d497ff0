package diff

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// checkSentences performs the change that each sentence of d tells on the grammar of the side that stops. Then that side
// derives the witness of the group as well: by a recognizer that shares no step with automata. And where the strings of each
// class of the group part, it goes on to a string of the side that goes on. A sentence that tells no change is held to what
// it does tell. It counts the classes by the kind of their sentence.
func checkSentences(t *testing.T, d *diff.Difference, sentences map[diff.Feature]int) {
	t.Helper()
	a, b := d.Automata()
	for i := range d.Groups {
		g := &d.Groups[i]
		goes, stops, production := a, b, d.B.Production
		if g.Region == diff.OnlyB {
			goes, stops, production = b, a, d.A.Production
		}
		after := lang.All()
		if edited, ok := d.Edited(g); ok {
			after = must.Of(lang.FromBNF(edited, production))(t)
			if w := string(g.Witness); !pegtest.Derives(edited, production, w) || stops.Match(w) {
				t.Errorf("%s %s %q does not change sides", d.Sentence(), g.Sentence, w)
			}
		}
		var begins []string // up to where a class parts
		for _, c := range g.Causes {
			for _, k := range d.Causes[c].Classes {
				if k.Group != i {
					continue
				}
				sentences[g.Feature]++
				w := string(k.Witness)
				begin := w
				for n := range len(w) {
					if !stops.Live(stops.Run(0, w[:n+1])) {
						begin = w[:n+1]
						break
					}
				}
				begins = append(begins, begin)
				switch {
				case stops.Match(w):
					t.Errorf("%s %s %q is no difference", d.Sentence(), g.Sentence, w)
				case begin == w && !after.Match(w) && goes.Run(0, w) == k.To && k.Bytes == "", after.Derivative(begin).Disjoint(goes.Derivative(begin)):
					t.Errorf("%s %s %q still parts at %q", d.Sentence(), g.Sentence, w, begin)
				}
				if scheme, _, _ := strings.Cut(w, ":"); g.Feature == diff.Scheme && stops.Live(stops.Run(0, scheme+":")) {
					t.Errorf("%s %s %q is a scheme of the other as well", d.Sentence(), g.Sentence, scheme)
				}
			}
		}
		if g.Feature == diff.Allows && len(g.And) == 0 {
			named := regexp.MustCompile("^(?s:" + cmp.Or(g.Bytes, "[^\\x00-\\xff]") + ")$")
			for _, begin := range begins {
				if !named.MatchString(string(rune(begin[len(begin)-1]))) {
					t.Errorf("%s %s %q parts at another byte", d.Sentence(), g.Sentence, begin)
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
