package grammartest

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// States has [Grammar.Conform] also ask about a complete suite. Take a function that is an automaton
// over the grammar's classes of bytes, with at most n states more than the grammar's own: if it is
// right on the whole suite, it is right on every string. With each more state the suite grows by a
// factor of the number of classes. One of more than a million strings is an error.
func States(n int) Option { return func(o *options) { o.states = n } }

// Components has [Grammar.Conform] also compare the parts that a function takes an accepted string
// into, by the names of productions: a part is the text of the first node of that name in the tree.
// A name that is not in the map has no part in the string.
func Components(parts func(s string) map[string]string, names ...string) Option {
	return func(o *options) { o.parts, o.names = parts, names }
}

// Timeout bounds one call of the function in [Grammar.Conform]; 10 seconds by default.
func Timeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// Bases makes [Grammar.Conform] ask about these strings, and about those one edit away from one of them,
// instead of strings that kill mutants. It is for a function that accepts these strings but also checks the
// meaning of a string. Conform then reports nothing about mutants.
func Bases(strings ...string) Option {
	return func(o *options) { o.bases = append(o.bases, strings...) }
}

// A failure shows shownFully groups in full, and up to shownShort more in a line each.
const (
	shownFully = 5
	shownShort = 10
)

// Conform asks the function about strings that kill every mutant of the grammar as printed. A mutant
// has an alternative less, an option that is mandatory, a bound of a repetition one off, a byte more
// or less in a class, or two neighbors exchanged, wherever the production is used. For a grammar that
// is not built in, it asks about one more character at each place, too. Conform also asks
// about every byte after each beginning that the grammar tells apart, followed by endings that tell
// the resulting states apart, if there are few enough such strings.
//
// The strings on which function and grammar differ are grouped by where and how they differ, the
// gravest first: other components, then strings that only the function accepts, then strings that it
// rejects. A group is a subtest, which -run repeats alone; it has the shortest string that was
// asked. A panic is a failure with its string, and so is a call that does not end; after such a call
// nothing more is asked.
//
// Known differences are listed in testdata/NAME.known next to the test, where NAME is the name of the test
// with "_" for each "/", "\" and ":". Each has a reason. With BNFCHECK_UPDATE set Conform writes that file, and
// keeps the reasons. Without it the test fails for new differences, and for known ones that are gone.
//
// What was not decided is a skipped subtest with its reason. "undecided/mutants" is about mutants that
// were not looked at within the limits or may derive the same as the grammar, "undecided/strings"
// about strings that the grammar did not decide within them, and "undecided/left-out" about strings
// near [Bases] that were too many to be asked about. [LimitSteps] and [LimitMemory] raise the limits.
// They are options of [Load], and given here end the test, as do all others that say how the grammar
// is read. So does a limit that is passed before there is anything to ask. A grammar that nests is read to the
// depth of [Nesting], or else as deep as the steps go, at most 2 or the least depth at which it derives a
// string.
//
// The test also fails if the function rejects nine in ten of the strings that the grammar derives: it may
// check more than the form, and needs Bases.
func (g *Grammar) Conform(t testing.TB, accepts func(s string) bool, opts ...Option) {
	t.Helper()
	o := collect(opts)
	if o.saysHowToRead() {
		t.Fatalf("grammartest: %s: only States, Bases, Components and Timeout are options of Conform; "+
			"the others are of Load", g.name)
	}
	asked, err := g.questions(o)
	if err != nil {
		t.Fatalf("grammartest: %s: %v", g.name, g.inOptions(err))
	}
	f := conform.Func{Title: "the function", Timeout: o.timeout, Parse: func(w string) (a conform.Answer) {
		if a.Verdict = conform.Rejected; !accepts(w) {
			return a
		}
		a.Verdict = conform.Accepted
		if o.parts != nil {
			parts := o.parts(w)
			a.Named = map[string]conform.Value{}
			for _, name := range o.names {
				a.Named[name] = conform.None
				if text, ok := parts[name]; ok {
					a.Named[name] = conform.Is(text)
				}
			}
		}
		return a
	}}
	r, err := conform.Run(context.Background(), conform.Config{
		Implementations: []conform.Implementation{f},
		Judges:          []conform.Judge{asked.judge},
		Inputs:          asked.inputs,
		Mutants:         asked.mutants,
		Cut:             asked.cut,
	})
	if err != nil {
		t.Fatalf("grammartest: %s: %v", g.name, g.inOptions(err))
	}
	g.skip(t, r.Gaps())
	for _, o := range r.Implementations {
		if o.GaveUp != "" {
			t.Errorf("%s", o.GaveUp)
		}
		for _, fault := range o.Faults {
			t.Errorf("accepts(%q): %s", string(fault.Input), fault.Detail)
		}
		if rest := o.FaultCount - len(o.Faults); rest > 0 {
			t.Errorf("and %d more strings on which it panics", rest)
		}
	}
	all := r.Comparisons[0].Groups
	if why := r.Comparisons[0].Refusal(); why != "" {
		t.Errorf("%s; with Bases the strings are made of your own", why)
	}
	groups := make([]difference, len(all))
	for i, name := range names(all) {
		groups[i] = difference{all[i], name}
	}
	if groups, err = known(t, g.name, groups); err != nil {
		t.Fatalf("grammartest: %v", err)
	}
	g.report(t, groups)
}

// questions holds the strings that a function is asked about, and the judge of its answers.
type questions struct {
	judge   conform.Judge
	inputs  []string
	mutants *conform.Mutants // that the inputs tell from the grammar; nil with [Bases], for which none are made
	cut     string           // says which inputs were left out; "" if none were
}

// questions returns the judge of answers and the strings to ask about: those near the bases, if there are
// any, and otherwise a suite. A production that nests, with no depth set, is read as deep as the limits
// allow. Errors are as the command words them, not yet by inOptions.
func (g *Grammar) questions(o *options) (q questions, err error) {
	defer budget.Catch(&err)
	opened := g.fresh()
	r, err := opened.Start()
	if err != nil {
		return q, err
	}
	// For a production that nests, ReadDeep calls it again, with a smaller depth, as long as it passes a
	// limit. The last call counts.
	err = opened.ReadDeep(r, func(opened *catalog.Opened) (err error) {
		defer budget.Catch(&err)
		var s *vectors.Subject
		if s, q.judge, err = g.subject(opened, o.names); err != nil {
			return err
		}
		if len(o.bases) > 0 {
			q.inputs, q.cut = conform.StringsNear(s, o.bases)
			return nil
		}
		q.inputs, q.mutants, err = suite(s, o.states)
		return err
	})
	return q, err
}

// skip adds a skipped subtest for each gap: a reason why finding no difference does not mean that
// there is none. Where t has no subtests it logs the gap.
func (g *Grammar) skip(t testing.TB, gaps []conform.Gap) {
	t.Helper()
	for _, gap := range gaps {
		reason := flags.Replace(gap.Reason)
		if test, ok := t.(*testing.T); ok {
			test.Run("undecided/"+gap.Name, func(t *testing.T) { t.Skip(reason) })
		} else {
			t.Logf("undecided/%s: %s", gap.Name, reason)
		}
	}
}

// A difference is a group with the name of its subtest.
type difference struct {
	conform.Group
	name string
}

// report fails t if there are groups. The first shownFully fail in a subtest each, and one more
// failure of t lists the others, up to shownShort of them by name. If -run asks for a subtest,
// every group is a subtest, so that it is found. Where t has no subtests, the groups fail t itself.
func (g *Grammar) report(t testing.TB, groups []difference) {
	t.Helper()
	fail := func(group difference) {
		text := g.describe(group.Group)
		if test, ok := t.(*testing.T); ok {
			test.Run(group.name, func(t *testing.T) { t.Error(text) })
		} else {
			t.Errorf("%s: %s", group.name, text)
		}
	}
	if run := flag.Lookup("test.run"); run != nil && strings.Contains(run.Value.String(), "/") { // one was asked for
		for _, group := range groups {
			fail(group)
		}
		return
	}
	for _, group := range groups[:min(shownFully, len(groups))] {
		fail(group)
	}
	if len(groups) <= shownFully {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d groups of differences; -run shows one in full:", len(groups))
	for i, group := range groups[shownFully:] {
		if i == shownShort {
			fmt.Fprintf(&b, "\n  and %d more", len(groups)-shownFully-shownShort)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %q", group.name, string(group.Shortest))
	}
	t.Error(b.String())
}

// describe returns the text of a failure for a group: its shortest string, the number of its strings and how
// they differ, the two values of a component or the reason of the grammar, and the place of the production.
func (g *Grammar) describe(group conform.Group) string {
	n := "1 string"
	if group.Count != 1 {
		n = fmt.Sprintf("%d strings", group.Count)
	}
	s := fmt.Sprintf("%q\n%s: %v", string(group.Shortest), n, group)
	switch group.Kind {
	case conform.OtherComponent:
		s += fmt.Sprintf("\nthe grammar sees %s, the function %s", group.Ours, group.Theirs)
	case conform.AcceptsMore:
		s += fmt.Sprintf("\n%v", g.Reason(string(group.Shortest)))
	}
	if group.File != "" {
		s += fmt.Sprintf("\n%s:%d: %s", group.File, group.Line, group.Printed)
	} else {
		s += fmt.Sprintf("\nsection %s: %s", group.Section, group.Printed)
	}
	return s
}

// names returns the names of the groups' subtests, in the order of the groups: "component", "accepts" or
// "rejects", the production, and the byte, term or component at which they differ. Files of known differences
// hold these names. If a name occurs more than once, the later ones get "#2", "#3" and so on.
func names(groups []conform.Group) []string {
	list := make([]string, len(groups))
	seen := map[string]int{}
	for i, g := range groups {
		at := cmp.Or(g.Bytes, g.At)
		switch {
		case g.Kind == conform.OtherComponent:
			at = g.How + ": " + at
		case g.Kind == conform.AcceptsLess && g.Term != "" && g.Term != at:
			at = g.Term + " " + at
		}
		if g.Kind == conform.AcceptsLess && !g.Surely {
			at += " sometimes"
		}
		way := map[conform.Kind]string{
			conform.OtherComponent: "component", conform.AcceptsMore: "accepts", conform.AcceptsLess: "rejects",
		}[g.Kind]
		list[i] = way + "/" + g.Production + "/" + strings.Join(strings.Fields(at), "_")
		if seen[list[i]]++; seen[list[i]] > 1 {
			list[i] += fmt.Sprintf("#%d", seen[list[i]])
		}
	}
	return list
}

// How many strings each part of a suite may have beside those that kill mutants.
const (
	maxSweep    = 20_000
	maxComplete = 1_000_000
)

// suite returns the strings to ask a function about, and how many mutants they kill. The strings are those of
// cachedStrings; those of a complete suite over all bytes, unless it passes a limit or has more than maxSweep; and, if
// states is not 0, those of a complete suite for so many more states. A string may come more than once.
// Elsewhere suite fails at a limit, and if the last suite has more than maxComplete strings.
func suite(s *vectors.Subject, states int) ([]string, *conform.Mutants, error) {
	making := &conform.Making{}
	words, err := cachedStrings(s, making)
	if err != nil {
		return nil, nil, err
	}
	sweep, err := s.SpareComplete(maxSweep, true)
	if err != nil && !errors.Is(err, budget.ErrTooLarge) {
		return nil, nil, err
	}
	words = append(words, sweep...)
	if states == 0 {
		return words, &making.Mutants, nil
	}
	complete, err := vectors.CompleteSuite(s.DFA, vectors.HSI, states, false)
	if err != nil {
		return nil, nil, err
	}
	if n, _ := complete.Size(); n.Cmp(big.NewInt(maxComplete)) > 0 {
		return nil, nil, fmt.Errorf("States(%d): a complete suite has %v strings, more than %d", states, n, maxComplete)
	}
	return slices.AppendSeq(words, complete.All()), &making.Mutants, nil
}
