package interpreter

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

func TestExplain(t *testing.T) {
	const values = `
value = object / list / number / "true"
object = "{" [member *("," member)] "}"
member = name ":" value
list = "[" [value *("," value)] "]"
name = 1*ALPHA
number = 1*DIGIT
escape = "%" 2HEXDIG
text = *(unreserved / escape) "."
unreserved = ALPHA / "-"
`
	for _, c := range []struct{ start, src, want string }{
		{"value", "[1,[2", `5 in value > list > value > list > value > number: DIGIT in number, "," in list, "]" in list`},
		{"value", "[1,[2,x", `6 in value > list > value > list > value: "{" in object, "[" in list, DIGIT in number, [Tt] in value`},
		{"value", "{a", `2 in value > object > member > name: ALPHA in name, ":" in member`},
		{"value", "{a:tru}", `6 in value > object > member > value: [Ee] in value`},
		{"value", "1 ", `1 in value > number: DIGIT in number, end`},
		{"value", "", `0 in value: "{" in object, "[" in list, DIGIT in number, [Tt] in value`},
		{"text", "a%4", `3 in text > escape: HEXDIG in escape`},
		{"text", "a", `1 in text > escape: "%" in escape, unreserved in text, "." in text`},
	} {
		g, err := bnf.ReadABNF("test.abnf", []byte(values))
		if err != nil {
			t.Fatal(err)
		}
		lexical := bnf.Lexical(g)
		by, err := NewExplainer(g, c.start, func(id string) bool { return lexical(id) && id != "escape" })
		if err != nil {
			t.Fatal(err)
		}
		e, err := by.Explain(c.src)
		if err != nil {
			t.Fatal(err)
		}
		var terms []string
		for _, x := range e.Expected {
			terms = append(terms, x.Term+" in "+strings.Join(x.In, ", "))
		}
		if e.EndOfInput {
			terms = append(terms, "end")
		}
		got := fmt.Sprintf("%d in %s: %s", e.Offset, strings.Join(e.Path, " > "), strings.Join(terms, ", "))
		if got != c.want {
			t.Errorf("%q as %s:\n%s; want\n%s", c.src, c.start, got, c.want)
		}
	}
}

// What is expected comes in one order, though the parts of a code point stand in one place.
func TestExplainOrder(t *testing.T) {
	g, err := bnf.ReadABNF("test.abnf", []byte("s = \"(\" [ s ] ( %x80-8F / %xA0-AF / %x100-10F / %x200-20F / %x300 ) / \"b\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	first := ""
	for range 20 {
		by, err := NewExplainer(g, "s", func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		e, err := by.Explain("(b~")
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Expected) < 5 {
			t.Fatalf("%d terms are expected; want the first bytes of the code points", len(e.Expected))
		}
		if got := fmt.Sprint(e.Expected); first == "" {
			first = got
		} else if got != first {
			t.Fatalf("%s; before that %s", got, first)
		}
	}
}

// Of random regular grammars: the offset is where the automaton dies, and what is expected is what it can read there.
func TestExplainExactly(t *testing.T) {
	compared := 0
	for seed := range uint64(300) {
		g := random(rand.New(rand.NewPCG(seed, 7)), true)
		dfa, err := lang.FromBNF(g, "r0")
		if err != nil || dfa.IsEmpty() {
			continue
		}
		by, err := NewExplainer(g, "r0", func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range pegtest.Words("xyz", 3) {
			if dfa.Match(w) {
				continue
			}
			q, offset := 0, 0
			for offset < len(w) && dfa.Live(dfa.Next(q, w[offset])) {
				q = dfa.Next(q, w[offset])
				offset++
			}
			e, err := by.Explain(w)
			if err != nil {
				t.Fatal(err)
			}
			var first expr.Set
			for _, x := range e.Expected {
				first = first.Union(x.First)
			}
			if e.Offset != offset || first != dfa.Viable(q) || e.EndOfInput != dfa.Accepts(q) {
				t.Fatalf("seed %d: %q: offset %d, %s, end %v; want %d, %s, %v\n%s", seed, w, e.Offset, first, e.EndOfInput,
					offset, dfa.Viable(q), dfa.Accepts(q), text(g))
			}
			if len(first.Members()) > 0 && len(e.Path) == 0 {
				t.Fatalf("seed %d: %q: no path", seed, w)
			}
			compared++
		}
	}
	t.Logf("%d explanations", compared)
	if compared < 2000 {
		t.Error("hardly anything was compared")
	}
}
