package diff

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// checkSentences performs what each sentence of d says on the grammar of the side that stops: then the strings of all classes
// of the group are derived by that side as well. The derivations are those of a recogniser that shares no step with automata.
// A sentence that claims no such change is held to what it does claim. It counts the classes by the kind of their sentence.
func checkSentences(t *testing.T, d *diff.Difference, sentences map[diff.Feature]int) {
	t.Helper()
	a, b := d.Automata()
	for i := range d.Groups {
		g := &d.Groups[i]
		stops, production := b, d.B.Production
		if g.Region == diff.OnlyB {
			stops, production = a, d.A.Production
		}
		derives := func(string) bool { return true }
		if edited, ok := d.Edited(g); ok {
			derives = func(w string) bool { return pegtest.Derives(edited, production, w) }
		}
		for _, c := range g.Causes {
			for _, k := range d.Causes[c].Classes {
				if k.Group != i {
					continue
				}
				sentences[g.Feature]++
				w := string(k.Witness)
				if !derives(w) || stops.Match(w) {
					t.Errorf("%s %s %q does not change sides", d.Sentence(), g.Sentence, w)
				}
				if scheme, _, _ := strings.Cut(w, ":"); g.Feature == diff.Scheme && stops.Live(stops.Run(0, scheme+":")) {
					t.Errorf("%s %s %q is a scheme of the other as well", d.Sentence(), g.Sentence, scheme)
				}
			}
		}
		claims := []diff.Claim{g.Claim}
		for _, also := range g.And {
			claims = append(claims, also.Claim)
		}
		for _, claim := range claims {
			if claim.Feature == diff.Allows {
				checkBytes(t, d, i, claim.Bytes, derives)
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

// checkBytes holds a sentence to every byte that it names, one of each class of the two automata: some string of the group parts
// at it, or has it, and those of each cause that are like its first witness that has any change sides. Of more than 16 such bytes it takes the first.
func checkBytes(t *testing.T, d *diff.Difference, group int, bytes string, derives func(string) bool) {
	g := &d.Groups[group]
	goes, stops := d.Automata()
	if g.Region == diff.OnlyB {
		goes, stops = stops, goes
	}
	named := regexp.MustCompile("^" + cmp.Or(bytes, "[^\\x00-\\xff]") + "$")
	classOf := func(x byte) [2]int { return [2]int{goes.ClassOf(x), stops.ClassOf(x)} }
	seen := map[[2]int]bool{}
	for x := range 256 {
		class := classOf(byte(x))
		if seen[class] || len(seen) == 16 || !named.MatchString(string(rune(x))) {
			continue
		}
		seen[class] = true
		found := false
		for _, c := range g.Causes {
			var like []string
			for _, k := range d.Causes[c].Classes {
				if k.Group != group || len(like) > 0 {
					continue
				}
				for i := range len(k.Witness) {
					before, after := string(k.Witness[:i])+string([]byte{byte(x)}), string(k.Witness[i+1:])
					if classOf(k.Witness[i]) == class {
						like = append(like, before+after)
					}
					parts := stops.Live(stops.Run(0, before[:i])) && !stops.Live(stops.Run(0, string(k.Witness[:i+1])))
					if parts && goes.Run(0, before) == k.To && regexp.MustCompile("^"+k.Bytes+"$").MatchString(string(rune(x))) {
						rest, _ := goes.ShortestFrom(k.To)
						like = append(like, before+rest)
					}
				}
			}
			for _, s := range like {
				found = true
				if !derives(s) {
					t.Errorf("%s %s %q does not change sides", d.Sentence(), g.Sentence, s)
				}
			}
		}
		if !found {
			t.Errorf("%s %s No string parts at %q", d.Sentence(), g.Sentence, []byte{byte(x)})
		}
	}
}
