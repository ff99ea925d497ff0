package repair_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Without the automaton a single edit is found exactly where the nearest string is one edit away, and it is of the same
// kind and as near to the place of the error as the one that is found with the automaton.
func TestNearestSingle(t *testing.T) {
	found, none := 0, 0
	for _, text := range []string{
		"a = \"x\"\n", "a = *\"ab\"\n", "a = 1*%x61 \":\" [%x62] / %x62.62\n", "a = 3(%x61 / %x62.63)\n", "a = [\":\"] *(%x61 \",\") %x62\n",
		"a = \",\" 1*%x61 \":\" / 1*%x61\n",
	} {
		g := must.Of(bnf.ReadABNF("test.abnf", []byte(text)))(t)
		a := must.Of(lang.FromBNF(g, "a"))(t)
		r := rand.New(rand.NewPCG(3, 4))
		for range 200 {
			s := ""
			for range r.IntN(6) {
				s += string("ab:,xX"[r.IntN(6)])
			}
			fault, q := 0, 0
			for ; fault < len(s) && a.Live(a.Next(q, s[fault])); fault++ {
				q = a.Next(q, s[fault])
			}
			want, _ := repair.NearestPlain(a, s)
			got, ok := repair.NearestSingle(a.Match, fault, s)
			switch {
			case ok != (len(want) <= 1) || ok && len(got) != len(want):
				t.Fatalf("%s: %q becomes %q by %v, and with the automaton %q", text, s, repair.Apply(s, got), ok, repair.Apply(s, want))
			case !ok:
				none++
				continue
			case len(got) == 0:
				continue
			}
			found++
			if !a.Match(repair.Apply(s, got)) {
				t.Fatalf("%s: %q becomes %q, which is not accepted", text, s, repair.Apply(s, got))
			}
			if near := fault - 1; got[0].Kind != want[0].Kind || (int(got[0].Offset) >= near) != (int(want[0].Offset) >= near) {
				t.Errorf("%s: %q becomes %q by %v, with the automaton %q by %v", text, s, repair.Apply(s, got), got, repair.Apply(s, want), want)
			}
		}
	}
	if found < 100 || none < 100 {
		t.Errorf("%d strings were one edit away, %d further", found, none)
	}
	if steps, ok := repair.NearestSingle(lang.OfString("get").Match, 0, "Get"); !ok || len(steps) != 1 || steps[0].Byte != 'g' {
		t.Error(steps)
	}
}

// In a long string the search ends at its limit, after a few edits: it does not go on to make the millions of others.
func TestNearestSingleIsBounded(t *testing.T) {
	s := strings.Repeat("a", 1<<20)
	asked := 0
	accepts := func(string) bool {
		asked++
		return false
	}
	if steps, ok := repair.NearestSingle(accepts, len(s), s); ok || steps != nil {
		t.Errorf("%v", steps)
	}
	if most := repair.MaxSingle/len(s) + 1; asked > most {
		t.Errorf("%d strings of 1 MB were tried, want at most %d", asked, most)
	}
}
