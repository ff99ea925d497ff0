package diff

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// checkSentences performs what each sentence of d says on the grammar of the side that stops: then the strings of all causes
// of the group are derived by that side as well. The derivations are those of a recogniser that shares no step with automata.
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
		derives := func(string) bool { return true }
		if edited, ok := d.Edited(g); ok {
			derives = func(w string) bool { return pegtest.Derives(edited, production, w) }
		}
		for _, i := range g.Causes {
			c := d.Causes[i]
			w := string(c.Witness)
			if !derives(w) || stops.Match(w) {
				t.Errorf("%s %s %q does not change sides", d.Sentence(), g.Sentence, w)
			}
			switch g.Feature {
			case diff.Scheme: // no string of the other side has it
				scheme, _, _ := strings.Cut(w, ":")
				if stops.Live(stops.Run(0, scheme+":")) {
					t.Errorf("%s %s %q is a scheme of the other as well", d.Sentence(), g.Sentence, scheme)
				}
			case diff.Parts: // none of the published grammars has one
				t.Errorf("%s %s It is not explained", d.Sentence(), g.Sentence)
			}
		}
		claims := []diff.Claim{g.Claim}
		for _, also := range g.And {
			claims = append(claims, also.Claim)
		}
		for _, claim := range claims {
			if claim.Feature == diff.Allows {
				checkBytes(t, d, g, claim.Bytes, derives)
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
// at it, or has it, and all such strings that are like the witnesses change sides. Of more than 16 classes it takes the
// first.
func checkBytes(t *testing.T, d *diff.Difference, g *diff.Group, bytes string, derives func(string) bool) {
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
		for _, i := range g.Causes {
			c := &d.Causes[i]
			var like []string
			for i := range c.Witness {
				if classOf(c.Witness[i]) == class {
					like = append(like, string(c.Witness[:i])+string([]byte{byte(x)})+string(c.Witness[i+1:]))
				}
			}
			s := string(c.Witness[:c.Offset]) + string([]byte{byte(x)})
			rest, _ := goes.ShortestFrom(goes.Run(0, s))
			if other, _ := d.Cause(s + rest); other == c {
				like = append(like, s+rest)
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
