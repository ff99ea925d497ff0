package lint

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A language is the language of a production, or the reason why it is not known.
type language struct {
	dfa  *lang.DFA
	err  error
	arcs [][]arc // by state of dfa; nil until they are first copied

	// The automaton of the right-hand side that dfa was made of, until [spread.automatonOf] takes it; nil if it was
	// not kept.
	derivations *automaton
}

// arcsByState returns the arcs of the automaton, by state; l.err must be nil. It computes them the first time, since
// a production that is used often is copied often, and the caller must not change them.
func (l *language) arcsByState() [][]arc {
	if l.arcs == nil {
		l.arcs = make([][]arc, l.dfa.States())
		for q := range l.arcs {
			edges := l.dfa.Edges(q)
			l.arcs[q] = make([]arc, len(edges))
			for i, e := range edges {
				l.arcs[q][i] = arc{e.Set, e.To}
			}
		}
	}
	return l.arcs
}

// errNested is the error of a production that is not regular, where no depth was asked for.
var errNested = errors.New("it uses something that nests")

// A spread is a grammar whose nested derivations are cut off at a depth.
type spread struct {
	printer
	facts     *expr.Facts
	recursive map[string]bool // by ID: productions that use themselves
	langs     map[string]*language
	options   Options
	work      int // number of states built so far
	kept      int // number of arcs of the automata that are kept

	circles *lang.BNF                // computes the languages of productions that use themselves; nil before the first
	apart   map[*expr.Component]bool // the components that were met: whether each production needs a BNF of its own
}

// newSpread returns a spread of the printer's grammar that knows no language yet.
func newSpread(p printer, o Options) *spread {
	s := &spread{
		printer:   p,
		facts:     expr.Analyze(p.g.Rules),
		recursive: map[string]bool{},
		langs:     map[string]*language{},
		options:   o,
		apart:     map[*expr.Component]bool{},
	}
	for _, c := range s.facts.Components() {
		for _, r := range c.Rules {
			s.recursive[r.ID] = c.Recursive
		}
	}
	return s
}

// knowing adds to s the languages of regular productions that other knows without an error, and returns s. The two
// share them: these languages do not depend on the depth. regular has the regular productions by ID.
func (s *spread) knowing(other *spread, regular map[string]bool) *spread {
	for id, known := range other.langs {
		if regular[id] && known.err == nil {
			s.langs[id] = known
		}
	}
	return s
}

// charge adds states to the work done. It fails, without a panic, if that passes the limit for the document,
// and from then on always.
func (s *spread) charge(states int) error {
	s.work += states
	if s.work > s.options.Limits.work() {
		return lang.TooMany(s.options.Limits.work(), "states in the automata of the document")
	}
	return nil
}

// computeLanguages sets l.regular, l.lacksName, l.spread and l.langs: it finds which productions are regular, unfolds
// the others if a depth was asked for, and computes the language of each own production. Those whose language was not
// found are left open. It counts Regular and, if a depth was asked for, Nested in the report, and reports what nests.
// It fails if there are too many rules at that depth.
func (l *linter) computeLanguages() error {
	g := l.g
	l.findRegular()
	if l.options.Nesting != nil {
		var err error
		if g, err = g.Nesting().To(*l.options.Nesting); err != nil {
			return err
		}
	}
	l.spread = newSpread(printer{g, l.words}, l.options)
	for _, r := range l.own {
		if !l.regular[r.ID] && l.options.Nesting != nil {
			l.report.Nested++
		}
		l.langs[r.ID] = l.spread.language(r.ID)
		if err := l.langs[r.ID].err; err != nil {
			l.leaveOpen(r, err)
		}
	}
	return nil
}

// findRegular finds which productions are regular, whatever the names without a production derive: those that use
// nothing that embeds itself. It sets l.regular and, for productions that use such a name, also through others,
// l.lacksName, and counts the own regular ones in the report. It reports each component that nests, at its first
// production.
func (l *linter) findRegular() {
	facts := l.whereNamesDerive()
	nests := map[*expr.Component]bool{} // it embeds itself, or uses one that does
	for _, c := range facts.Components() {
		nests[c] = c.Embeds()
		lacks := false
		for _, r := range c.Rules {
			for _, u := range facts.Uses(r.ID) {
				lacks = lacks || l.lacksName[u.ID] || l.report.Grammar.Rule(u.ID) == nil
				nests[c] = nests[c] || nests[facts.Component(u.ID)] // those that c uses stand before it
			}
		}
		for _, r := range c.Rules {
			l.lacksName[r.ID], l.regular[r.ID] = lacks, !nests[c]
		}
	}
	for _, r := range l.own {
		if l.regular[r.ID] {
			l.report.Regular++
		}
	}
	l.reportNesting(facts, l.usersOfNesting(facts))
}

// nestingUsers are the own productions that can come to a component that embeds itself.
type nestingUsers struct {
	count int
	first []string // the names of the first mostListed
}

// usersOfNesting returns the users of each component that embeds itself.
//
// A chain of productions that nest has as many pairs of a user and a component as the square of its length, which takes
// too much memory. So it looks at 64 such components at a time, as the bits of one number: it finds for each component
// those of the 64 that it can come to, and then counts the productions for each set that was found.
func (l *linter) usersOfNesting(facts *expr.Facts) map[*expr.Component]*nestingUsers {
	index, uses := usesOfComponents(facts)
	own := make([]int, len(l.own)) // by own production: the index of its component
	for k, r := range l.own {
		own[k] = index[facts.Component(r.ID)]
	}
	users := map[*expr.Component]*nestingUsers{}
	var embedding []*expr.Component
	for _, c := range facts.Components() {
		if c.Embeds() {
			embedding = append(embedding, c)
			users[c] = &nestingUsers{}
		}
	}
	for some := range slices.Chunk(embedding, 64) {
		reached := make([]uint64, len(uses)) // by component: those of some that it can come to
		for bit, c := range some {
			reached[index[c]] = 1 << bit
		}
		for i, used := range uses {
			for _, u := range used {
				reached[i] |= reached[u] // which is complete, since u is before i
			}
		}
		counts := map[uint64]int{} // the own productions with each set
		full := uint64(0)          // those of some whose users have mostListed names
		for k, r := range l.own {
			set := reached[own[k]]
			counts[set]++
			for bit := range bitsOf(set &^ full) {
				u := users[some[bit]]
				u.first = append(u.first, r.Name)
				if len(u.first) == mostListed {
					full |= 1 << bit
				}
			}
		}
		for set, count := range counts {
			for bit := range bitsOf(set) {
				users[some[bit]].count += count
			}
		}
	}
	return users
}

// usesOfComponents returns the index of each component in facts.Components, and by index those of the other components
// that it uses, each once. These are smaller than its own.
func usesOfComponents(facts *expr.Facts) (index map[*expr.Component]int, uses [][]int) {
	index = map[*expr.Component]int{}
	for i, c := range facts.Components() {
		index[c] = i
		var used []int
		for _, r := range c.Rules {
			for _, u := range facts.Uses(r.ID) {
				if other := facts.Component(u.ID); other != nil && other != c {
					used = append(used, index[other])
				}
			}
		}
		slices.Sort(used)
		uses = append(uses, slices.Compact(used))
	}
	return index, uses
}

// bitsOf yields the numbers of the bits that are set, counted from 0.
func bitsOf(set uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 { // without its lowest bit
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}

// reportNesting reports each component that nests, at its first production in the text, with what generate writes for
// it. It names --nesting if no depth was asked for. users has the own productions that are not regular because of a
// component.
func (l *linter) reportNesting(facts *expr.Facts, users map[*expr.Component]*nestingUsers) {
	left := expr.Circles(l.g.Rules, l.facts.Leftmost)
	told := map[*expr.Component]bool{}
	for _, r := range l.g.Rules {
		c := facts.Component(r.ID)
		if c == nil || !c.Embeds() || told[c] {
			continue
		}
		told[c] = true
		var through []string
		if e := facts.SelfEmbedding(r.ID); e != nil {
			through = e.Through
		}
		const most = 8
		if len(through) > most {
			through = append(through[:most:most], "...")
		}
		f := l.found(Nesting, results.Note, r.Pos, r, "`%s` nests%s, so that %d of %d productions are not regular",
			r.Name, expr.Through(through), users[c].count, len(l.own))
		if l.options.Nesting == nil {
			f.Message += ": --nesting 3 looks at them to that depth"
		}
		cost := "code that takes linear time where what comes next decides, and otherwise a general parser " +
			"that takes at most cubic time"
		if slices.ContainsFunc(c.Rules, func(r *expr.Rule) bool { return left[r.ID] != nil }) {
			cost = "a general parser, because of left recursion, that takes at most cubic time"
		}
		f.Detail = append(f.Detail, listOf(users[c].first, users[c].count)+": generate writes "+cost)
	}
}

// language returns the language of a production of s.g, which it computes the first time and keeps in s.langs. It is
// never nil, but has an error where the language is not known: errNested, or one that names the production at which a
// limit was passed. The error is kept as well.
func (s *spread) language(id string) *language {
	if known := s.langs[id]; known != nil {
		return known
	}
	known := &language{}
	if s.recursive[id] {
		known.dfa, known.err = s.recursiveLanguage(id)
		if _, nests := errors.AsType[*expr.SelfEmbedding](known.err); nests {
			known.err = errNested
		}
	} else {
		known.derivations, known.dfa, known.err = s.derive(s.g.Rule(id).Expr)
		if a := known.derivations; a != nil {
			if arcs := a.countArcs(); s.kept+arcs <= mostKept {
				s.kept += arcs
			} else {
				known.derivations = nil
			}
		}
	}
	if known.err != nil && !errors.Is(known.err, errNested) {
		r := s.g.Rule(id)
		if _, blamed := errors.AsType[*blame](known.err); !blamed {
			known.err = &blame{r, known.err}
		}
	}
	s.langs[id] = known
	return known
}

// recursiveLanguage returns the language of a production that uses itself. Those that use each other are computed
// together when the first of them is asked for, so that a circle of 20,000 productions is not analyzed for each of
// them. Where a limit is too small for all, each is computed alone. The size of the first that is asked for is
// charged, and the states of each; if each is computed alone, only its size, once. recursiveLanguage fails if a limit
// is passed then, too, and for a production that nests.
func (s *spread) recursiveLanguage(id string) (*lang.DFA, error) {
	// The size of a large production takes time itself, so it is not asked for if there is no work left. It stands for
	// the states, which are not known before they are built.
	if err := s.charge(0); err != nil {
		return nil, err
	}
	c := s.facts.Component(id)
	apart, met := s.apart[c]
	charged := apart || !met
	if charged {
		if err := s.charge(s.size(id)); err != nil {
			return nil, err
		}
	}
	if !apart {
		dfa, err := s.languageInCircles(id)
		s.apart[c] = errors.Is(err, lang.ErrTooLarge)
		switch {
		case err == nil:
			return dfa, s.charge(dfa.States())
		case !s.apart[c]:
			return nil, err
		}
		s.circles = nil // what it holds would be missed
	}
	if !charged {
		if err := s.charge(s.size(id)); err != nil {
			return nil, err
		}
	}
	return lang.FromBNF(s.g, id)
}

// languageInCircles returns the language of a production from s.circles, which it makes the first time. It fails as
// [lang.NewBNF] and [lang.BNF.DFA] do.
func (s *spread) languageInCircles(id string) (*lang.DFA, error) {
	if s.circles == nil {
		circles, err := lang.NewBNF(s.g)
		if err != nil {
			return nil, err
		}
		s.circles = circles
	}
	return s.circles.DFA(id)
}

// A blame names the production that was too large.
type blame struct {
	rule *expr.Rule
	err  error
}

func (b *blame) Error() string { return fmt.Sprintf("`%s` (%s): %v", b.rule.Name, b.rule.Pos, b.err) }
func (b *blame) Unwrap() error { return b.err }

// of returns the language of a production, or the error that says why it is not known.
func (s *spread) of(id string) (*lang.DFA, error) {
	known := s.language(id)
	return known.dfa, known.err
}

// derived returns the language of an expression, whose names mean the productions of the grammar. It fails if a limit
// is passed, or one of those languages is not known.
func (s *spread) derived(e *expr.Expr) (*lang.DFA, error) {
	_, dfa, err := s.derive(e)
	return dfa, err
}

// derive is derived, and returns the automaton of the derivations as well, which is nil after a failure.
func (s *spread) derive(e *expr.Expr) (*automaton, *lang.DFA, error) {
	a, err := s.automaton(e)
	if err != nil {
		return nil, nil, err
	}
	dfa, err := a.nfa().Determinize(s.options.Limits.lang())
	if err != nil {
		return nil, nil, err
	}
	return a, dfa, nil
}

// mostKept caps the arcs of the automata that are kept for automatonOf. An arc has 40 bytes: with sixteen times as
// many, RFC 5322 took a third more memory, and RFC 3261 no less time.
const mostKept = 1 << 15

// automatonOf returns the automaton of the right-hand side of a production, as [spread.automaton] does. If it was kept
// when the language was computed, it is taken from there, and charged as if it were built.
func (s *spread) automatonOf(r *expr.Rule) (*automaton, error) {
	known := s.langs[r.ID]
	if known == nil || known.derivations == nil {
		return s.automaton(r.Expr)
	}
	a := known.derivations
	known.derivations = nil
	s.kept -= a.countArcs()
	return a, s.charge(len(a.arcs))
}

// automaton returns the automaton of e, with productions as their languages, and counts its states as work. It fails
// if a limit is passed or a language is not known.
func (s *spread) automaton(e *expr.Expr) (*automaton, error) {
	if err := s.charge(0); err != nil {
		return nil, err
	}
	a, err := build(e, s.facts, s.language, s.options.Limits.derivationStates(), s.g.Budget)
	if err == nil {
		err = s.charge(len(a.arcs))
	}
	return a, err
}

// size returns the number of expressions in a production and all that it uses, each production once.
func (s *spread) size(id string) (n int) {
	for _, id := range s.g.Reach(id) {
		if r := s.g.Rule(id); r != nil {
			n += r.Expr.Size()
		}
	}
	return n
}
