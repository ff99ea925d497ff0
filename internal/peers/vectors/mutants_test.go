package vectors

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A score counts mutants of the grammars whose language differs from the production's. Everything about them is decided
// on automata, nothing by trying words: a suite kills a mutant if it shares a word with the difference.
type score struct {
	same    int       // mutants of the same language, which are none
	inside  [2]int    // within the guarantee for k extra states; every one must be killed
	beyond  [2][2]int // for k: killed, and all, of those that the representatives see and that have more states
	unseen  [2]int    // killed by the sweep, and all, of those that no representative sees
	missed  []string  // those that the suite for k = 0 and the sweep let live
	illegal int       // mutants that no automaton follows
	suites  [2]*Words // for k, HSI
	others  []*Words  // for k = 0, W and Wp
	every   *Words    // for k = 0, over all bytes
	sweep   *Words
}

// small are the schemes whose mutants are tried where long tests do not run.
var small = []string{"cid", "mailto"}

// TestMutants holds the guarantee on the grammars themselves: each method finds each mistake that lies within it. The
// golden file has the mutants of all schemes; the normal test compares the rows of a few.
func TestMutants(t *testing.T) {
	longtest.Sequential(t)
	var out strings.Builder
	out.WriteString("Mutants of the BNF and of the PEG, by scheme: those of another language, and how many of them die.\n" +
		"k=0, k=1: with at most n + k states over the classes; the complete suites kill every one.\n" +
		"beyond: with more states. unseen: that read only other bytes of a class differently, " +
		"which is for the sweep.\n" +
		"living: those that neither the complete suite for k = 0 nor the sweep kills.\n\n")
	fmt.Fprintf(&out, "%-8s %-10s %-4s %8s %6s %6s %12s %12s %12s %7s\n",
		"grammar", "scheme", "from", "mutants", "k=0", "k=1", "beyond 0", "beyond 1", "unseen", "living")
	type run struct {
		subject *Subject
		from    string
		score   *score
	}
	var runs []*run
	for _, g := range bnfcheck.RFCs() {
		for _, scheme := range g.Schemes {
			if !longtest.Enabled() && !slices.Contains(small, scheme.Name) {
				continue
			}
			s := must.Of(NewSubject(g.Grammar, scheme.Name))(t)
			for _, from := range []string{"BNF", "PEG"} {
				runs = append(runs, &run{s, from, newScore(t, s)})
			}
		}
	}
	t.Run("all", func(t *testing.T) {
		for _, r := range runs {
			t.Run(r.subject.ID()+"/"+r.from, func(t *testing.T) {
				t.Parallel()
				r.score.run(t, r.subject, r.from)
			})
		}
	})
	var living strings.Builder
	golden := goldentest.Read(t, "testdata/mutants.golden", "mutants")
	row := func(b *strings.Builder, format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		if !longtest.Enabled() && !strings.Contains(golden, line) {
			t.Errorf("testdata/mutants.golden has no line %s", line)
		}
		b.WriteString(line)
	}
	for _, r := range runs {
		c, s := r.score, r.subject
		row(&out, "%-8s %-10s %-4s %8d %6d %6d %12s %12s %12s %7d\n", s.Grammar.Name, s.Scheme(), r.from,
			c.inside[0]+c.beyond[0][1]+c.unseen[1], c.inside[0], c.inside[1],
			of(c.beyond[0]), of(c.beyond[1]), of(c.unseen), len(c.missed))
		for _, m := range c.missed {
			row(&living, "%s %s %s: %s\n", s.Grammar.Name, s.Scheme(), r.from, m)
		}
	}
	if longtest.Enabled() {
		out.WriteString("\nliving\n" + living.String())
		goldentest.Check(t, "testdata/mutants.golden", goldentest.Output("mutants", out.String()))
	}
}

func of(n [2]int) string { return fmt.Sprintf("%d/%d", n[0], n[1]) }

func newScore(t *testing.T, s *Subject) *score {
	c := &score{}
	suite := func(m Method, extra int, everyByte bool) *Words {
		return must.Of(CompleteSuite(s.DFA, m, extra, everyByte))(t)
	}
	c.suites = [2]*Words{suite(HSI, 0, false), suite(HSI, 1, false)}
	c.others = []*Words{suite(W, 0, false), suite(Wp, 0, false)}
	c.every = suite(Wp, 0, true)
	c.sweep = must.Of(SweepSuite(s.DFA))(t)
	return c
}

// run scores the mutants of all rules that the subject's production uses.
func (c *score) run(t *testing.T, s *Subject, from string) {
	g := s.bnf
	if from == "PEG" {
		g = ordered(t, s.Grammar.Name, g)
	}
	g = closure(g, s.ID()) // the other rules only take time
	for _, r := range g.Rules {
		for _, m := range mutants(g, r) {
			var dfa *lang.DFA
			var err error
			if g.Ordered {
				dfa, err = lang.FromPEG(m.grammar, s.ID())
			} else {
				dfa, err = lang.FromBNF(m.grammar, s.ID())
			}
			if err != nil {
				c.illegal++
				continue
			}
			c.score(t, s, m, dfa)
		}
	}
}

// closure returns the part of g that a rule uses.
func closure(g *expr.Grammar, id string) *expr.Grammar {
	used := g.Reach(id)
	return g.With(slices.DeleteFunc(slices.Clone(g.Rules), func(r *expr.Rule) bool { return !slices.Contains(used, r.ID) }))
}

// score decides about one mutant, whose automaton is m.
func (c *score) score(t *testing.T, s *Subject, mutant mutant, m *lang.DFA) {
	a := s.DFA
	difference := a.SymmetricDifference(m)
	if difference.IsEmpty() {
		c.same++
		return
	}
	kills := func(w *Words) bool { return !w.dfa.Disjoint(difference) }
	name := mutant.rule + ": " + mutant.what
	if m.States() <= a.States() && !kills(c.every) {
		t.Errorf("%s: %s: %d states over all bytes, and the suite over all bytes lets it live", s.ID(), name, m.States())
	}
	seen := asRepresentatives(t, a, m)
	if seen.Equal(a) {
		c.unseen[1]++
		if kills(c.sweep) {
			c.unseen[0]++
		} else {
			c.missed = append(c.missed, name)
		}
		return
	}
	for k, suite := range c.suites {
		killed := kills(suite)
		if seen.States() <= a.States()+k {
			c.inside[k]++
			if !killed {
				t.Errorf("%s: %s: %d states, and the suite for %d+%d lets it live", s.ID(), name, seen.States(), a.States(), k)
			}
			for i, other := range c.others {
				if k == 0 && !kills(other) {
					t.Errorf("%s: %s: killed by HSI, and not by %v", s.ID(), name, []Method{W, Wp}[i])
				}
			}
			continue
		}
		c.beyond[k][1]++
		if killed {
			c.beyond[k][0]++
		} else if k == 0 && !kills(c.sweep) {
			c.missed = append(c.missed, fmt.Sprintf("%s (%d states of %d)", name, seen.States(), a.States()))
		}
	}
}

// asRepresentatives returns m as words over the representatives of a's classes see it: every byte is read as the
// representative of its class.
func asRepresentatives(t *testing.T, a, m *lang.DFA) *lang.DFA {
	n := newNetwork(nil)
	at := make([]int32, m.States())
	for q := range at {
		at[q] = n.State()
		if m.Accepts(q) {
			n.Silent(at[q], n.Final)
		}
	}
	for q := range at {
		for c := range a.Classes() {
			n.Read(at[q], a.ClassSet(c), at[m.Next(q, a.Readable(c))])
		}
	}
	n.Start = at[0]
	return must.Of(n.Determinize(lang.Limits{}))(t)
}

// ordered reads the PEG of a published grammar, its rules under the IDs of the productions.
func ordered(t *testing.T, name string, b *expr.Grammar) *expr.Grammar {
	t.Helper()
	text := must.Of(grammar.Files.ReadFile(name + ".peg"))(t)
	g := must.Of(peg.Options{ActionsSucceed: true}.Read(name+".peg", text))(t)
	return peg.For(b, g)
}
