package lint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Of a production that nests it is either proven that it is unambiguous, or an ambiguous string is shown, or it is undecided:
// then the status is no yes.
func TestNestedAmbiguity(t *testing.T) {
	for _, c := range []struct {
		name, grammar                string
		proven, ambiguous, undecided int
	}{
		{"brackets", `s = "(" *s ")"`, 1, 0, 0},
		{"two kinds of brackets", `s = *( "(" s ")" / "[" s "]" )`, 1, 0, 0},
		{"arithmetic", "e = t *( \"+\" t )\nt = f *( \"*\" f )\nf = 1*DIGIT / \"(\" e \")\"", 3, 0, 0},
		{"left recursion", "e = e \"+\" t / t\nt = 1*DIGIT / \"(\" e \")\"", 2, 0, 0},
		{"JSON", "v = \"n\" / %s\"true\" / a / o / st\na = \"[\" [ v *( \",\" v ) ] \"]\"\n" +
			"o = \"{\" [ st \":\" v *( \",\" st \":\" v ) ] \"}\"\nst = DQUOTE *( %x20-21 / %x23-5B / \"\\\" %x20-7E ) DQUOTE", 3, 0, 0},
		{"a name before more of it", "s = \"(\" *( n \" \" / s ) \")\"\nn = \"a\" [ \"b\" ]", 1, 0, 0},
		{"a bound", `s = "(" *3s 1*2"x" ")"`, 1, 0, 0},
		{"not separated", "l = \"(\" *e \")\"\ne = 1*ALPHA / l", 1, 1, 0},
		{"the other branch", `s = "i" s [ "e" s ] / "x"`, 0, 1, 0},
		{"a sum", `e = e "+" e / "x"`, 0, 1, 0},
		{"the same twice", `s = "(" s ")" / "(" s ")" / "x"`, 0, 1, 0},
		{"what may be empty", `s = "(" *s ")" / ""`, 0, 0, 1}, // no round is empty, by the definition in the package comment
		{"palindromes, which no LR parser reads", `p = "x" p "x" / "y" p "y" / ["x" / "y"]`, 1, 0, 0},
		{"two bytes ahead", twoAhead, 0, 0, 1},
		{"deeper than it is searched", `s = "(" s ")" / "[[[[" "x" "]]]]" / t` + "\nt = \"[\" t \"]\" / \"x\"", 1, 0, 1},
		{"a missing name", `s = "(" s ")" / missing`, 0, 0, 1},
	} {
		r := must.Of(Lint(must.Of(bnf.ReadABNF("x.abnf", []byte(c.grammar+"\n")))(t), Options{}))(t)
		if r.Proven != c.proven || r.Ambiguous != c.ambiguous || r.Undecided != c.undecided {
			t.Errorf("%s: proven %d, ambiguous %d, undecided %d; want %d, %d, %d\n%v", c.name, r.Proven, r.Ambiguous, r.Undecided,
				c.proven, c.ambiguous, c.undecided, r.Findings)
		}
		if r.Undecided > 0 && !r.Open() {
			t.Errorf("%s: undecided, and not open", c.name)
		}
	}
}

// twoAhead is unambiguous, and it takes two bytes to see which of two productions "a" is. What stands before has any number of
// brackets, so that no automaton tells it.
const twoAhead = "m = \"a\"\nn = \"a\"\ns = \"(\" *( s / n \"x1\" / m \"x2\" ) \")\""

// A text or a baseline acknowledges that something is undecided, and then it is not open any more.
func TestAcknowledged(t *testing.T) {
	lint := func(text string) *Report {
		return must.Of(Lint(must.Of(bnf.ReadABNF("x.abnf", []byte(text+"\n")))(t), Options{Text: []byte(text + "\n")}))(t)
	}
	r := lint(twoAhead)
	known := Baseline{}
	known.Add(r)
	for name, r := range map[string]*Report{
		"comment": lint(twoAhead + " ; bnfcheck:ignore undecided they are unambiguous"), "baseline": known.Without(r),
	} {
		if r.Open() || r.Undecided != 1 || r.Acknowledged != 1 {
			t.Errorf("%s: open %v, undecided %d, acknowledged %d", name, r.Open(), r.Undecided, r.Acknowledged)
		}
	}
	if !r.Open() {
		t.Error("nobody has acknowledged it")
	}
}

// A nestedGrammar writes ABNF over a, b and brackets, in which any production may use any other one.
type nestedGrammar struct {
	*rand.Rand
	rules int
}

func (g nestedGrammar) text() string {
	var b strings.Builder
	for i := range g.rules {
		var all []string
		for range 1 + g.IntN(3) {
			var seq []string
			for range 1 + g.IntN(3) {
				seq = append(seq, g.element())
			}
			all = append(all, strings.Join(seq, " "))
		}
		fmt.Fprintf(&b, "r%d = %s / %%x62\n", i, strings.Join(all, " / "))
	}
	return b.String()
}

func (g nestedGrammar) element() string {
	rule := fmt.Sprintf("r%d", g.IntN(g.rules))
	switch g.IntN(8) {
	case 0, 1:
		return "%x28 " + rule + " %x29"
	case 2:
		return rule
	case 3:
		return "*( %x61 " + rule + " )"
	case 4:
		return "[ %x28 " + rule + " ]"
	}
	return "%x61"
}

// What an LR parser proves is held against all derivations of all short strings, and so is that nothing else counts as decided.
func TestNestedAgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n, proven, found, undecided := 400, 0, 0, 0
	if longtest.Enabled() {
		n = 20_000
	}
	words := pegtest.Words("ab()", 5)
	for range n {
		text := nestedGrammar{rng, 1 + rng.IntN(3)}.text()
		g := must.Of(bnf.ReadABNF("x.abnf", []byte(text)))(t)
		r := must.Of(Lint(g, Options{}))(t)
		said := map[string]bool{}
		for _, f := range r.Findings {
			said[f.ID] = said[f.ID] || f.Code == Ambiguous || f.Code == Undecided
		}
		facts := expr.Analyze(g.Rules)
		for _, rule := range g.Rules {
			if c := facts.Component(rule.ID); !c.Embeds() {
				continue
			}
			if said[rule.ID] {
				undecided++
				continue
			}
			proven++
			for _, w := range words {
				if newCounter(g, w, true).of(rule.Expr) > 1 {
					t.Fatalf("%s has two derivations of %q, and is said to be unambiguous:\n%s", rule.ID, w, text)
				}
			}
		}
		found += r.Ambiguous
	}
	t.Logf("%d proven, %d ambiguous, %d undecided or ambiguous", proven, found, undecided)
	if proven < n/10 || found < n/10 {
		t.Errorf("%d proven, %d ambiguous", proven, found)
	}
}
