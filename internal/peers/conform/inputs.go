package conform

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// A Making follows the making of strings: functions report to Progress and add to Mutants.
type Making struct {
	Progress func(done, total int) // follows each suite; nil for no reports
	Mutants  Mutants               // so far
}

// Mutants counts the mutants of the printed grammars by what the strings are known to do to them.
type Mutants struct {
	Killed int      `json:"killed"`
	Living int      `json:"not_known_to_be_killed"` // they may derive the same strings
	Unseen int      `json:"not_looked_at"`          // it would take too long
	Unmade []string `json:"not_made,omitempty"`     // productions without a mutant, and why

	// Complete counts strings of complete suites, which are asked where mutants are left: see [vectors.CompleteSuite].
	Complete int `json:"complete_suite,omitempty"`

	// LeftOut has the kinds of strings that could not be added to those that kill mutants, and why.
	LeftOut []string `json:"left_out,omitempty"`
}

// leaveOut says in m.LeftOut that some strings are not asked, and why.
func (m *Mutants) leaveOut(strings, why string) { m.LeftOut = append(m.LeftOut, strings+": "+why) }

// listGaps returns the differences that the strings may not show: mutants that live, were not looked at or
// were not made. It returns nil if there are none. LeftOut is no gap.
func (m *Mutants) listGaps() (list []Gap) {
	all := m.Killed + m.Living + m.Unseen
	if m.Unseen > 0 {
		why := fmt.Sprintf("%d of %s of the grammar were not looked at: it would take too long; "+
			"--limit-steps raises the limit", m.Unseen, layout.Plural(all, "mutant"))
		list = append(list, Gap{"mutants", why})
	}
	if m.Living > 0 {
		why := fmt.Sprintf("%d of %s of the grammar are not told from it by any string, and may derive the same",
			m.Living, layout.Plural(all, "mutant"))
		list = append(list, Gap{"mutants", why})
	}
	for _, why := range m.Unmade {
		list = append(list, Gap{"mutants", "no mutant was made of " + why})
	}
	return list
}

// Cover returns inputs for judges, sorted and distinct. Without schemes these are:
//
//   - if a judge judges URLs, the [Strings] of the production of every scheme, in every RFC that has one;
//   - if a judge judges URIs or references, the Strings of RFC 3986's references, some that parsers are known
//     to differ about, those that take every transition outside of scheme and brackets after "http:", and as
//     many that take an accepted transition as there is room for. Of several such judges, the first counts.
//
// With schemes, they are the Strings of the productions of these schemes alone. Cover fails for a scheme that
// no grammar has, or if an automaton is too large. making may be nil.
func Cover(judges []Judge, making *Making, schemes ...string) ([]string, error) {
	var all []string
	found := map[string]bool{}
	suite := func(g *ast.Grammar, kind ast.Kind) (*vectors.Subject, error) {
		subject, err := vectors.NewSubject(g, g.Production(kind).ID)
		if err != nil {
			return nil, err
		}
		words, err := Strings(subject, making)
		all = append(all, words...)
		return subject, err
	}
	for _, g := range catalog.AllPublished() {
		if !g.Preferred {
			continue
		}
		for _, s := range g.Schemes {
			if len(schemes) > 0 && !slices.Contains(schemes, s.Name) {
				continue
			}
			found[s.Name] = true
			if len(schemes) == 0 && !slices.ContainsFunc(judges, Judge.judgesURLs) {
				continue
			}
			if _, err := suite(g.Grammar, s.Kind); err != nil {
				return nil, err
			}
		}
	}
	if at := slices.IndexFunc(judges, Judge.judgesReferences); len(schemes) == 0 && at >= 0 {
		g := catalog.PublishedAs(judges[at].Grammar)
		s, err := suite(g.Grammar, g.Default)
		if err != nil {
			return nil, err
		}
		all = append(all, g.Disputed...)
		for _, w := range s.DFA.TransitionCover() { // a parser may know some schemes only
			if !strings.HasPrefix(w, "a:") && !strings.Contains(w, "[") {
				all = append(all, "http:"+w)
			}
		}
		for _, w := range s.DFA.TransitionCover() {
			if len(all) < maxStrings && s.DFA.Match(w) {
				all = append(all, w)
			}
		}
	}
	for _, name := range schemes {
		if !found[name] {
			return nil, fmt.Errorf("no grammar has a production for the scheme %s", inQuotes(name))
		}
	}
	slices.SortFunc(all, lang.Compare)
	return slices.Compact(all), nil
}

// maxStrings caps the strings asked about one production, apart from those that kill mutants.
const maxStrings = 20_000

// maxComplete caps the size of a complete suite, which is asked if mutants are left.
const maxComplete = 100_000

// longest is the length of the longest text among the boundaries: one more than a domain name may have.
const longest = 256

// StringsNear returns the strings that are at most one edit away from one of the bases: see [vectors.Near]. cut is a
// sentence that says so if not all of them are among the inputs, and "" otherwise.
func StringsNear(s *vectors.Subject, bases []string) (inputs []string, cut string) {
	inputs, complete := vectors.Near(s.DFA, bases)
	if !complete {
		cut = fmt.Sprintf("only the first %s one edit away from the given strings were asked about",
			layout.Plural(len(inputs), "string"))
	}
	return inputs, cut
}

// Strings returns the strings that a parser is asked about for one production:
//
//   - strings that kill the mutants of its grammar, as far as such strings are found;
//   - those that take every transition of its automaton, which are simple;
//   - if a mutant may live, the complete suite of the automaton, unless that is too large;
//   - for a grammar that is not built in, strings with one more character at each place ([vectors.Wider]), and its
//     boundaries: parsers have limits there that no grammar has;
//   - for a grammar that is read to a depth only, or is too large for an automaton, strings of its
//     derivations.
//
// If there are more than maxStrings with those of transitions and of derivations, neither of these two are asked. The
// counts of mutants, and the reasons for anything left out, are added to making.Mutants; making may be nil. The strings
// are distinct, but not always sorted. Strings fails where [vectors.Subject.MutationSuite] or, without an automaton,
// [vectors.Subject.Derivations] does, as for a model.
func Strings(s *vectors.Subject, making *Making) ([]string, error) {
	making = cmp.Or(making, &Making{})
	if s.Large != nil {
		return derivedStrings(s, making)
	}
	m, err := s.MutationSuite(making.Progress)
	if err != nil {
		return nil, err
	}
	making.Mutants.Killed += m.Mutants - len(m.Living)
	making.Mutants.Living += len(m.Living)
	making.Mutants.Unseen += m.Unseen
	if s.ReadTo != "" {
		making.Mutants.leaveOut("strings that nest deeper", s.ID()+" is read "+s.ReadTo)
	}
	if m.Unmade != nil {
		making.Mutants.Unmade = append(making.Mutants.Unmade, s.ID()+": "+m.Unmade.Error())
	}
	all := slices.Concat(m.Words, s.DFA.TransitionCover())
	if s.ReadTo != "" { // derivations nest to any depth
		if d, err := s.Derivations(); err != nil {
			making.Mutants.leaveOut("derivations of "+s.ID(), err.Error())
		} else {
			all = append(all, derivationWords(s, d, making)...)
		}
	}
	slices.SortFunc(all, lang.Compare)
	if len(all) > maxStrings { // those that kill come first, whatever their number
		all = slices.Clone(m.Words)
		making.Mutants.leaveOut("strings of "+s.ID()+" that only take a transition or a derivation",
			fmt.Sprintf("with them there are more than %d", maxStrings))
	}
	if len(m.Undecided()) > 0 {
		list, err := s.SpareComplete(maxComplete, false)
		if errors.Is(err, budget.ErrTooLarge) {
			making.Mutants.leaveOut("the complete suite of "+s.ID(), err.Error())
		} else if err != nil {
			return nil, err
		}
		making.Mutants.Complete += len(list)
		all = append(all, list...)
		slices.SortFunc(all, lang.Compare)
	}
	if catalog.PublishedAs(s.Grammar) == nil {
		all = append(all, m.Wider.Words...)
		list, err := s.SpareBoundaries(longest)
		if errors.Is(err, budget.ErrTooLarge) {
			making.Mutants.leaveOut("boundaries", err.Error())
		} else if err != nil {
			return nil, err
		}
		for _, e := range list {
			all = append(all, e.Word)
		}
		slices.SortFunc(all, lang.Compare)
	}
	return slices.Compact(all), nil
}

// derivationWords returns the strings of d, the derivations of s, and adds to making.Mutants.LeftOut how many d lacks,
// if any.
func derivationWords(s *vectors.Subject, d *vectors.Derivation, making *Making) (all []string) {
	for _, e := range d.Words {
		all = append(all, e.Word)
	}
	if d.Beyond > 0 {
		making.Mutants.leaveOut(layout.Plural(d.Beyond, "string")+" of derivations of "+s.ID(), "too long or too many")
	}
	return all
}

// derivedStrings returns the strings for a production without an automaton. To making.Mutants it adds the counts of
// its mutants, what was left out, and the reason why other mutants were not made. It fails where
// [vectors.Subject.Derivations] does.
func derivedStrings(s *vectors.Subject, making *Making) (all []string, err error) {
	d, err := s.Derivations()
	if err != nil {
		return nil, err
	}
	making.Mutants.Killed += d.Killed
	making.Mutants.Living += len(d.Living)
	making.Mutants.Unseen += d.Unseen
	making.Mutants.Unmade = append(making.Mutants.Unmade,
		fmt.Sprintf("%s but those that one derivation tells from it: %v", s.ID(), d.Large))
	return derivationWords(s, d, making), nil
}

// ByProduction returns a judge for each of the grammars that has the production or a counterpart of it (see
// [vectors.NewSubject]), and the [Strings] of all of them, which may come twice. making may be nil. It fails
// if Strings does, or if none of the grammars has the production, with the error of the last of them.
func ByProduction(name string, making *Making, grammars ...*ast.Grammar) ([]Judge, []string, error) {
	kinds := map[*ast.Grammar]ast.Kind{}
	var problem error
	for _, g := range grammars {
		s, err := vectors.NewSubject(g, name)
		if err != nil {
			problem = err
			continue
		}
		for _, j := range s.Judges {
			if _, ok := kinds[j.Grammar]; !ok || j.Grammar == g { // its own before any counterpart
				kinds[j.Grammar] = j.Production
			}
		}
	}
	var judges []Judge
	var inputs []string
	for _, g := range grammars {
		kind, ok := kinds[g]
		if !ok {
			continue
		}
		s, err := vectors.NewSubject(g, g.Production(kind).ID)
		if err != nil {
			return nil, nil, err
		}
		words, err := Strings(s, making)
		if err != nil {
			return nil, nil, err
		}
		judges = append(judges, Judge{Grammar: g, Production: kind})
		inputs = append(inputs, words...)
	}
	if len(judges) == 0 {
		return nil, nil, problem
	}
	return judges, inputs, nil
}
