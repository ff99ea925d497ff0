package prove

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	goabnf "github.com/pandatix/go-abnf"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestAgainstContextFreeRecogniser holds the automata of the BNF side against a general recogniser that knows nothing of
// automata, on short words, accepted and not, and on random ones.
func TestAgainstContextFreeRecogniser(t *testing.T) {
	for _, name := range names() {
		t.Run(name, func(t *testing.T) {
			ledger := must.Of(bnf.Load(name))(t)
			text, names := inABNF(ledger.Default)
			g := must.Of(goabnf.ParseABNF([]byte(text)))(t)
			rng := rand.New(rand.NewPCG(5234, 7405))
			words := 0
			for _, r := range ledger.Default.Rules {
				a := must.Of(lang.FromBNF(ledger.Default, r.ID))(t)
				try := shortWords(a, 60)
				if w, ok := a.Shortest(); ok {
					try = append(try, w)
					try = append(try, randomWords(rng, a, 8, len(w)+4)...)
					for _, v := range randomWords(rng, a, 8, len(w)+3) { // and one byte wrong
						i := rng.IntN(len(v) + 1)
						try = append(try, v[:i]+string(rune(' '+rng.IntN(95)))+v[i:])
					}
				}
				for _, w := range distinct(try) {
					if len(w) > 28 || len(w) == 0 { // it takes exponential time, and refuses the empty input
						continue
					}
					words++
					// Not IsValid, which takes a production that uses another one twice for left recursive.
					paths, err := goabnf.Parse([]byte(w), g, names[r.ID])
					if got := len(paths) > 0 && err == nil; got != a.Match(w) {
						t.Errorf("%s derives %q: %t, but %t according to the recogniser (%v)", r.ID, w, a.Match(w), got, err)
					}
				}
			}
			t.Logf("%d words", words)
			if words < 1300 {
				t.Errorf("only %d words were tried", words)
			}
		})
	}
}

// inABNF writes a BNF in ABNF, with the name of each production there.
func inABNF(g *expr.Grammar) (text string, names map[string]string) {
	names = map[string]string{}
	for i, r := range g.Rules {
		names[r.ID] = fmt.Sprintf("p%d", i)
	}
	var write func(e *expr.Expr) string
	write = func(e *expr.Expr) string {
		var parts []string
		for _, s := range e.Sub {
			parts = append(parts, write(s))
		}
		switch e.Op {
		case expr.Class:
			for _, r := range e.Set.Ranges() {
				parts = append(parts, fmt.Sprintf("%%x%02X-%02X", r[0], r[1]))
			}
			return "( " + strings.Join(parts, " / ") + " )"
		case expr.Literal:
			for i := range len(e.Lit) {
				parts = append(parts, fmt.Sprintf("%%x%02X", e.Lit[i]))
			}
			return strings.Join(parts, " ")
		case expr.Ref:
			return names[e.Name]
		case expr.Seq:
			return strings.Join(parts, " ")
		case expr.Alt:
			return "( " + strings.Join(parts, " / ") + " )"
		case expr.Repeat:
			high := ""
			if e.Max != expr.Unbounded {
				high = fmt.Sprint(e.Max)
			}
			return fmt.Sprintf("%d*%s( %s )", e.Min, high, parts[0])
		}
		return `""`
	}
	var b strings.Builder
	for _, r := range g.Rules {
		fmt.Fprintf(&b, "%s = %s\r\n", names[r.ID], write(r.Expr))
	}
	return b.String(), names
}

// TestRunsHaveTheWordsOfTheirRule holds the runs of every rule, by which the trees are proven, against the language that
// package lang finds for the rule in another way; and both kinds of bracketed words against the language.
func TestRunsHaveTheWordsOfTheirRule(t *testing.T) {
	for _, name := range names() {
		if name != "rfc1738" && !longtest.Enabled() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			pair := must.Of(catalog.Published(name))(t)
			p := newProof(pair, Options{})
			must.Do(t, p.compile())
			for _, r := range p.rows {
				r.languages(p)
				r.bracketed(p)
				for what, words := range map[string]func() (*lang.DFA, error){
					"the runs":                      func() (*lang.DFA, error) { return r.runs.words(p.limits) },
					"the trees that the rule makes": func() (*lang.DFA, error) { return r.plain(r.made, p.limits) },
					"the derivations of the BNF":    func() (*lang.DFA, error) { return r.plain(r.derived, p.limits) },
				} {
					if a, err := words(); err != nil || !a.Equal(p.words[r.Production]) {
						t.Errorf("%s: %s have other words (%v)", r.Production, what, err)
					}
				}
				// One path for every word, so that what the runs make is a function.
				if two, err := r.ambiguousMade(p); err != nil || !two.IsEmpty() {
					w, _ := two.Shortest()
					t.Errorf("%s makes two trees of %q (%v)", r.Production, w, err)
				}
			}
		})
	}
}

func (r *row) ambiguousMade(p *proof) (*lang.DFA, error) {
	return r.brackets.ambiguous(r.made, p.limits)
}
