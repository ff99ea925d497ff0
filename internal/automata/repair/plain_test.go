package repair_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// distance is the number of edits between two strings, by the textbook.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0]++
		for j := range len(b) {
			next := min(row[j]+1, row[j+1]+1)
			if a[i] == b[j] {
				next = min(next, diagonal)
			} else {
				next = min(next, diagonal+1)
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// The result is accepted, and no string that is accepted is nearer, nor as near with all edits at or after the place of the error: all
// those up to a length are tried.
func TestNearestPlain(t *testing.T) {
	for _, text := range []string{
		"a = \"x\"\n", "a = *\"ab\"\n", "a = 1*%x61 \":\" [%x62] / %x62.62\n", "a = 3(%x61 / %x62.63)\n", "a = [\":\"] *(%x61 \",\") %x62\n",
		"a = \",\" 1*%x61 \":\" / 1*%x61\n",
	} {
		g := must.Of(bnf.ReadABNF("test.abnf", []byte(text)))(t)
		a := must.Of(lang.FromBNF(g, "a"))(t)
		var accepted []string
		for w := range a.Enumerate(7) {
			accepted = append(accepted, w)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			s := ""
			for range r.IntN(5) {
				s += string("ab:,xX"[r.IntN(6)])
			}
			steps, ok := repair.NearestPlain(a, s)
			got := repair.Apply(s, steps)
			if !ok || !a.Match(got) {
				t.Fatalf("%q: %q, %v, which %s does not accept", s, got, ok, text)
			}
			for _, w := range accepted {
				if d := distance(s, w); d < len(steps) {
					t.Fatalf("%s: %q becomes %q by %d edits, and %q is %d away", text, s, got, len(steps), w, d)
				}
			}
			fault := len(s)
			for !slices.ContainsFunc(accepted, func(w string) bool { return strings.HasPrefix(w, s[:fault]) }) {
				fault--
			}
			if from := fault - 1; len(steps) > 0 && int(steps[0].Offset) < from {
				for _, w := range accepted {
					if rest, ok := strings.CutPrefix(w, s[:from]); ok && distance(s[from:], rest) == len(steps) {
						t.Fatalf("%s: %q becomes %q, and %q is as near at the place of the error", text, s, got, w)
					}
				}
			}
			if len(steps) == 0 != a.Match(s) {
				t.Fatalf("%q: %d edits", s, len(steps))
			}
		}
	}
	// Of repairs with as many edits, the one that keeps the input.
	g := must.Of(bnf.ReadABNF("test.abnf", []byte("s = \"<\" 1*ALPHA *(\".\" 1*ALPHA) \">!\"\nt = \"a\" [\":\"] *DIGIT\n")))(t)
	for _, c := range [][3]string{{"s", "b.c", "<b.c>!"}, {"s", "b", "<b>!"}, {"t", "a5b", "a5"}, {"t", "5", "a5"}} {
		a := must.Of(lang.FromBNF(g, c[0]))(t)
		steps, _ := repair.NearestPlain(a, c[1])
		if got := repair.Apply(c[1], steps); got != c[2] {
			t.Errorf("%s becomes %s, want %s", c[1], got, c[2])
		}
	}
	if _, ok := repair.NearestPlain(lang.Empty(), "a"); ok {
		t.Error("a string of the empty language")
	}
	if steps, ok := repair.NearestPlain(lang.OfString("get"), "Get"); !ok || len(steps) != 1 || steps[0].Byte != 'g' {
		t.Error(steps)
	}
}

// Letters that are added have the grammar's spelling; those of the string keep theirs.
func TestSpell(t *testing.T) {
	g := must.Of(bnf.ReadABNF("test.abnf", []byte("s = 1*DIGIT \"T\" 1*DIGIT (\"Z\" / \"utc\")\nx = \"ab\" / \"Ba\" / %x63\n")))(t)
	for _, c := range [][3]string{
		{"s", "1201Z", "120T1Z"}, {"s", "1t2", "1t2Z"}, {"s", "1t2uc", "1t2utc"}, {"s", "1t2UC", "1t2UtC"}, {"s", "1;2z", "1T2z"},
		{"x", "a", "Ba"}, {"x", "bo", "ba"}, {"x", "", "c"},
	} {
		a := must.Of(lang.FromBNF(g, c[0]))(t)
		spelled := must.Of(lang.FromBNF(g.AsSpelled(), c[0]))(t)
		steps, _ := repair.NearestPlain(a, c[1])
		got := repair.Apply(c[1], repair.Spell(a, spelled, c[1], steps))
		if !a.Match(got) || got != c[2] {
			t.Errorf("%q becomes %q, want %q", c[1], got, c[2])
		}
	}
}
