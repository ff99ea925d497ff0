package conform

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// judgeOf returns a judge by the rule s of an ABNF grammar, which a general parser explains. It keeps explanations.
func judgeOf(t *testing.T, text string) Judge {
	t.Helper()
	o := catalog.Usual
	o.Kind, o.Stdin = catalog.ABNF, strings.NewReader(text)
	p := must.Of(anygrammar.New(must.Of(catalog.Open("-#s", o))(t)))(t)
	g := must.Of(p.ExplainedByParser())(t)
	j := Judge{Grammar: g, Production: p.Start, known: newExplanations(g, p.Start)}
	if j.known == nil {
		t.Fatal("the grammar has an automaton that explains")
	}
	return j
}

// An explanation that is kept for a beginning is the one that the grammar gives for each input that goes wrong there:
// all strings of up to five of these bytes are tried.
func TestKeptExplanations(t *testing.T) {
	const ascii, bytes = "(),abc!", "(a\xC4\x80\xE1\x88\xFF"
	for _, c := range []struct{ text, bytes string }{
		{"s = \"(\" s \")\" / \"ab\" / \"ac\" / 2( %x61-62 ) \")\"\n", ascii},
		{"s = l / \"(\" *( s \",\" ) \")\"\nl = 1*c\nc = %x61-63 / \"!\"\n", ascii},
		{"s = [ \"a\" s \"b\" ] [ \",\" ]\n", ascii},
		{"s = *( \"a\" / %x100-107 / %x109-13F / %x1200-1207 / %x1240-124F )\n", bytes},
		{"s = \"(\" s %x120-13F / \"a\" / %x100 s / %x1008 %x1208\n", bytes},
	} {
		text := c.text
		j := judgeOf(t, text)
		rejected, kept := 0, 0
		level := []string{""}
		for range 6 {
			var next []string
			for _, w := range level {
				for i := range len(c.bytes) {
					next = append(next, w+c.bytes[i:i+1])
				}
				if j.Grammar.Accept(j.Production, w) {
					continue
				}
				rejected++
				if j.known.of(w) != nil {
					kept++
				}
				want, have := j.Grammar.Explain(j.Production, w), j.explain(w)
				if have.Grammar != j.Grammar || have.Offset != want.Offset || have.Explained != want.Explained || !reflect.DeepEqual(have.In, want.In) ||
					!reflect.DeepEqual(have.Expected, want.Expected) {
					t.Fatalf("%q: %v; want %v", w, have, want)
				}
			}
			level = next
		}
		if rejected < 10000 || kept < rejected/2 {
			t.Errorf("%s: of %d rejections %d were known", text, rejected, kept)
		}
	}
}

// Of a choice among words most inputs go wrong after a beginning that others have too. What is listed for all of them
// grows with the words, and not with their square.
func TestExplanationsGrowWithTheWords(t *testing.T) {
	for _, n := range []int{100, 400, 1600} {
		var words []string
		for i := range n {
			words = append(words, fmt.Sprintf("w%dx", i))
		}
		j := judgeOf(t, "s = \"(\" s \")\" / \""+strings.Join(words, "\" / \"")+"\"\n")
		for _, w := range words {
			for _, wrong := range []string{"v" + w[1:], w[:1] + "/" + w[1:], "x" + w, w + "x", w[:len(w)-1] + "y"} {
				if j.explain(wrong) == nil {
					t.Fatalf("%q is not explained", wrong)
				}
			}
		}
		listed := 0
		for _, list := range j.known.beginnings {
			for _, r := range list {
				listed += len(r.Expected)
			}
		}
		if listed < n || listed > 10*n {
			t.Errorf("%d words: %d terms were listed for %d inputs; want at most %d", n, listed, 5*n, 10*n)
		}
	}
}

// Of a class of characters, what could stand in place of a character that is in none of its ranges is listed once for
// each beginning, whatever the bytes of that character, and kept once for all beginnings that expect the same.
func TestExplanationsGrowWithTheRanges(t *testing.T) {
	for _, n := range []int{100, 400, 1600} {
		var ranges strings.Builder
		for i := range n {
			fmt.Fprintf(&ranges, " / %%x%X-%X", 256+50*i, 276+50*i)
		}
		j := judgeOf(t, "s = *( \"a\""+ranges.String()+" )\n")
		for i := range n {
			for _, before := range []string{"", "a", "\u0100a"} {
				if j.explain(before+string(rune(280+50*i))) == nil {
					t.Fatalf("the character after range %d is not explained", i)
				}
			}
		}
		listed := 0
		for _, list := range j.known.expected {
			for _, r := range list {
				listed += len(r.Expected)
			}
		}
		if places := len(j.known.characters); places != 3 || listed < n || listed > 10*n {
			t.Errorf("%d ranges: %d terms were listed, for %d beginnings; want at most %d for 3", n, listed, places, 10*n)
		}
	}
}
