package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A grammar that nests, or whose automaton is too large, has vectors that need none: derivations. Each production
// stands in the shortest string that uses it, and there takes each of its alternatives, each bound of its
// repetitions, and each edge of its classes. To these come strings that take a bound once too often or too seldom, or
// a byte next to a class. The grammar itself judges all of them, with the general parser.
//
// Most of these strings were made for a mutant. The mutant without an alternative rejects the string that takes it,
// and the mutant with a wider bound accepts the string beyond the bound. So a mutant is killed if the judge and the
// mutant's own parser do not agree about its string. A mutant that widens a definition derives its string by
// construction; for the others a parser is made, as far as the steps go.

// A Derivation is a suite of derivations, with the mutants that it tells apart.
type Derivation struct {
	Words   []Example
	Mutants int      // mutants that a string was made for
	Killed  int      // those among them that their string kills
	Living  []string // those that their string does not kill: they may derive the same
	// Those whose string is in the suite, but was not tried because no steps were left.
	Unseen int
	Lost   []string // productions that no short string of the start uses
	Beyond int      // strings that are not in the suite, since they are too long or too many

	// Large is the reason why there is no automaton. It is nil if there is one: then the derivations only supplement
	// its words.
	Large error
}

// Limits of derivations.
const (
	longestDerivation = 1 << 12 // bytes of a context or word
	maxDerivations    = 20_000
	mostRounds        = 256 // of a repetition
	mutantCost        = 12  // steps for each part of a mutant's grammar, which is analyzed and packed
)

// Guarantee returns in words which choices the strings take, and how many mutants an implementation cannot be if it
// gives the right verdict on all of them.
func (d *Derivation) Guarantee() string {
	s := fmt.Sprintf("every alternative, both bounds of every repetition and the edges of every class, in a "+
		"shortest string that uses them; an implementation that passes every vector is none of %d of "+
		"%s", d.Killed, layout.Plural(d.Mutants, "mutant"))
	if n := len(d.Living); n > 0 {
		s += fmt.Sprintf("; %d more are not known to be killed, and may derive the same", n)
	}
	if d.Unseen > 0 {
		s += fmt.Sprintf("; %d more were not looked at", d.Unseen)
	}
	return s
}

// Undecided returns the reasons why the strings may guarantee less than they should, or nothing. Neither living mutants
// nor lost productions are among them.
func (d *Derivation) Undecided() (reasons []string) {
	if d.Large != nil {
		reasons = append(reasons, fmt.Sprintf("there is no automaton, and the strings are derivations (%v)", d.Large))
	}
	if d.Unseen > 0 {
		reasons = append(reasons,
			fmt.Sprintf("%d of %s were not looked at: it would take too long; --limit-steps raises the limit",
				d.Unseen, layout.Plural(d.Mutants, "mutant")))
	}
	if d.Beyond > 0 {
		reasons = append(reasons, fmt.Sprintf("%s of derivations left out, as too long or beyond %d",
			layout.Plural(d.Beyond, "string"), maxDerivations))
	}
	return reasons
}

// deriving makes a [Derivation].
type deriving struct {
	*Derivation
	subject *Subject
	grammar *expr.Grammar // in it no expression stands at two places
	short   *expr.Short
	seen    map[string]bool
	rule    *expr.Rule // the rule whose expression is being visited
	until   int64      // mutants are asked until so many steps of the budget are taken

	// rules has the productions in the order of the length of the shortest string of the start that uses them. The
	// first n of them have sizes[n] parts together; the shortest string that uses the one at n has least[n] bytes.
	rules []*expr.Rule
	sizes []int
	least []int
}

// Derivations returns the suite of derivations, with its words in the order of [lang.Compare]. It fails for a model,
// which has no productions, and if the budget is used up. A quarter of the steps that are left is for asking mutants;
// those for which it does not suffice are counted, and make no error.
func (s *Subject) Derivations() (d *Derivation, err error) {
	defer budget.Catch(&err)
	if s.Model != nil {
		return nil, errNoProductions
	}
	g := withDistinctParts(s.bnf, s.ID())
	b := s.bnf.Budget
	m := &deriving{Derivation: &Derivation{Large: s.Large}, subject: s, grammar: g, seen: map[string]bool{}}
	// A quarter of the steps that are left is for asking mutants, and three quarters are for the judge.
	m.until = b.Taken() + max(int64(b.Share(0))-b.Taken(), 0)/4
	m.short = g.ShortWords(longestDerivation, lang.MostReadable, func(w string) { b.Step(4 + len(w)/8) })
	contexts := g.Contexts(s.ID(), m.short, 1, longestDerivation, b.Step)
	m.sortRules(contexts)
	for _, r := range g.Rules {
		c := contexts[r.ID]
		if _, derives := m.short.Words[r.ID]; len(c) == 0 || !derives {
			m.Lost = append(m.Lost, r.Label())
			continue
		}
		m.rule = r
		b.In(r.Label())
		m.visit(r.Expr, c[0])
	}
	slices.SortFunc(m.Words, func(v, w Example) int { return lang.Compare(v.Word, w.Word) })
	return m.Derivation, nil
}

// visit adds strings that take all ways through e. c is a context that puts e in a string of the start. For each
// alternative visit also looks at the mutant without it (see [deriving.addForMutant]). It does not enter the
// productions that e refers to, nor a sequence without a short word.
func (m *deriving) visit(e *expr.Expr, c expr.Context) {
	m.subject.bnf.Budget.Step(16)
	switch e.Op {
	case expr.Class:
		m.visitClass(e, c)
	case expr.Literal, expr.Empty, expr.Ref:
		m.addShortest(e, c, "")
	case expr.Seq:
		if _, ok := m.short.Of(e); !ok {
			return // too long: so would be the strings for each of its parts
		}
		for part, c := range m.short.Parts(e, c) {
			m.visit(part, c)
		}
	case expr.Alt:
		for i, part := range e.Sub {
			if w, ok := m.short.Of(part); ok {
				without := func() *expr.Expr { // made only for a mutant that is looked at: there may be thousands
					other := *e
					other.Sub = slices.Delete(slices.Clone(e.Sub), i, i+1)
					return &other
				}
				m.addForMutant(c.Put(w), e, without, false, "without the alternative "+part.String())
			}
			m.visit(part, c)
		}
	case expr.Repeat:
		m.visitRepeat(e, c)
	}
}

// visitRepeat adds strings with one round less than the fewest and one more than the most and, unless the two are the
// same, with the fewest and the most. If there is no most, it adds one that repeats the body instead. Strings with
// more than mostRounds rounds, or that are too long, are left out; those for a mutant are counted if the body derives
// anything. Then it visits the body in one of the fewest rounds, at least one, unless the most is 0.
func (m *deriving) visitRepeat(e *expr.Expr, c expr.Context) {
	// mutant adds the string with n rounds, for the mutant with other bounds.
	mutant := func(n, min, max int, widens bool) {
		w, ok := m.short.Rounds(e, n)
		if !ok || n > mostRounds {
			if _, derives := m.short.Of(e.Sub[0]); derives {
				m.Beyond++
			}
			return
		}
		other := expr.Times(e.Sub[0], min, max)
		m.addForMutant(c.Put(w), e, func() *expr.Expr { return other }, widens, other.String()+" for "+e.String())
	}
	bounded := e.Max != expr.Unbounded
	if !bounded || e.Min < e.Max { // the string with the fewest rounds, for the mutant that demands one more
		mutant(e.Min, e.Min+1, e.Max, false)
	}
	if e.Min > 0 {
		mutant(e.Min-1, e.Min-1, e.Max, true)
	}
	if bounded {
		mutant(e.Max+1, e.Min, e.Max+1, true)
		if e.Min < e.Max {
			mutant(e.Max, e.Min, e.Max-1, false)
		}
	} else if w, ok := m.short.Rounds(e, max(e.Min, 1)+1); ok {
		m.add(c.Put(w), "repeats "+e.Sub[0].String())
	}
	if e.Max == 0 {
		return
	}
	if rest, ok := m.short.Rounds(e, max(e.Min-1, 0)); ok {
		m.visit(e.Sub[0], c.Around("", rest))
	}
}

// visitClass adds strings for the edges of the ranges of a class, and for the bytes next to them, each for the mutant
// without or with that byte.
func (m *deriving) visitClass(e *expr.Expr, c expr.Context) {
	with := func(set expr.Set, b byte, what string) {
		other := *e
		other.Set, other.Chars = set, ""
		made := func() *expr.Expr { return &other }
		m.addForMutant(c.Put(string([]byte{b})), e, made, what == "with", fmt.Sprintf("%s %s %q", e.Set, what, b))
	}
	for _, r := range e.Set.Ranges() {
		for _, b := range slices.Compact([]byte{r[0], r[1]}) {
			with(e.Set.Minus(expr.Range(b, b)), b, "without")
		}
		if r[0] > 0 {
			with(e.Set.Union(expr.Range(r[0]-1, r[0]-1)), r[0]-1, "with")
		}
		if r[1] < 0xff {
			with(e.Set.Union(expr.Range(r[1]+1, r[1]+1)), r[1]+1, "with")
		}
	}
}

// addShortest adds the string that has the short word of e in its context, if e has one. It ignores a string that
// [deriving.add] does not take.
func (m *deriving) addShortest(e *expr.Expr, c expr.Context, why string) {
	if w, ok := m.short.Of(e); ok {
		m.add(c.Put(w), why)
	}
}

// add adds a string, unless it is in the suite already, and returns true. If the string is too long, or new and there
// are maxDerivations already, it counts it as beyond and returns false. why tells what the string tries, after the name
// of m.rule, or is "".
func (m *deriving) add(word, why string) bool {
	switch {
	case m.seen[word]:
		return true
	case len(word) > 2*longestDerivation || len(m.Words) >= maxDerivations:
		m.Beyond++
		return false
	}
	m.seen[word] = true
	if why != "" {
		why = m.rule.Label() + ": " + why
	}
	m.Words = append(m.Words, Example{word, why})
	return true
}

// addForMutant adds a string that was made for a mutant, which has other() in place of e. It finds out whether the
// string kills the mutant, that is, whether exactly one of the grammar and the mutant derives it, and counts the
// mutant as killed, living or unseen. A mutant that widens e derives the string by construction. what names the
// mutant. If add does not take the string, the mutant is not counted.
func (m *deriving) addForMutant(word string, e *expr.Expr, other func() *expr.Expr, widens bool, what string) {
	if !m.add(word, what) {
		return
	}
	m.Mutants++
	b := m.subject.bnf.Budget
	mutated, known := widens, widens // whether the mutant derives the string, and whether that is known
	// Each takes at most an eighth of the steps that are left.
	if !widens && b.Taken() < m.until {
		err := b.Fraction(8, func() { mutated, known = m.mutantDerives(e, other(), word) })
		known = known && err == nil
	}
	switch {
	case !known:
		m.Unseen++
	case mutated != m.subject.Grammar.Accept(m.subject.Production, word):
		m.Killed++
	default:
		m.Living = append(m.Living, m.rule.Label()+": "+what)
	}
}

// sortRules sets m.rules to all productions of the grammar, by the shortest string of the start that uses them, and
// m.sizes and m.least. contexts has a shortest context of each production that has one of at most longestDerivation
// bytes; productions without one come last.
func (m *deriving) sortRules(contexts map[string][]expr.Context) {
	least := func(r *expr.Rule) int {
		w, derives := m.short.Words[r.ID]
		if c := contexts[r.ID]; len(c) > 0 && derives {
			return len(c[0].Put(w))
		}
		return longestDerivation + 1
	}
	m.rules = slices.Clone(m.grammar.Rules)
	slices.SortStableFunc(m.rules, func(r, q *expr.Rule) int { return cmp.Compare(least(r), least(q)) })
	m.sizes = []int{0}
	for i, r := range m.rules {
		m.sizes = append(m.sizes, m.sizes[i]+r.Expr.Size())
		m.least = append(m.least, least(r))
	}
}

// mutantDerives reports whether the start derives a word if other, which derives nothing that e does not, stands in
// place of e, a part of m.rule. known is false if the interpreter cannot find out, or the word is too large for it. It
// panics if the steps are used up.
func (m *deriving) mutantDerives(e, other *expr.Expr, word string) (yes, known bool) {
	// The mutant is copied and read as a whole, but for productions that no string as short as the word uses: in a
	// mutant that derives less they are in no derivation of it either, and a name without a production derives nothing.
	n, _ := slices.BinarySearch(m.least, len(word)+1)
	m.subject.bnf.Budget.Step(mutantCost * m.sizes[n])
	g := m.grammar.With(m.rules[:n]).Change(m.rule.ID, m.rule.Expr.With(e, other))
	d, err := interpreter.New(g, m.subject.ID(), func(string) bool { return false })
	if err != nil {
		return false, false
	}
	yes, err = d.Accepts(word)
	if errors.Is(err, budget.ErrTooLarge) {
		return false, false
	}
	return yes, err == nil
}
