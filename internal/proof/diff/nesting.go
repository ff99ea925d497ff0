package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Search is the result of comparing two productions when no automaton decides whether they are equal,
// mostly because one nests.
type Search struct {
	A        string      `json:"a"` // as they are named
	B        string      `json:"b"`
	Relation Relation    `json:"relation"`         // Equal, which is proven, Different or Unknown
	Region   Region      `json:"region,omitempty"` // the region of Word: OnlyA or OnlyB
	Word     *quote.Word `json:"word,omitempty"`   // a string that only one of them derives, or nil
	Length   int         `json:"length"`           // all strings up to this length were compared; -1 for none
	Depth    int         `json:"depth"`            // and all strings that nest no deeper; -1 for none
	// What the result rests on beside the texts, each a sentence without a full stop.
	Assumed []string `json:"assumed,omitempty"`

	// Local lists the productions that differ by themselves, whether or not the two sides do: see [Induction].
	Local []LocalDifference `json:"local,omitempty"`

	// Cause is a change of one production that makes the other side derive Word as well, and Sentence tells
	// it; nil if none is known. Without a Word, Sentence names the one production that has two texts, if
	// there is only one.
	Cause    *Also  `json:"cause,omitempty"`
	Sentence string `json:"sentence,omitempty"`

	nests     bool      // see Nests
	induction bool      // Equal was found production by production
	start     string    // the production of A
	titles    [2]string // of the grammars
}

// The steps that a search may take beyond those that are left. They are charged when it ends, so that it can report
// how far it came.
const (
	correspondSteps = 1 << 26
	stringSteps     = 1 << 26 // comparing one string takes about twelve
	shorterSteps    = 1 << 24 // for a shorter string, if one is known
	depthSteps      = 1 << 27
)

// withPartOfBudget returns the two grammars with one new budget of at most steps, and a function that charges the
// steps taken to the old one, that of a. If a has none, the new budget is limited by steps alone.
func withPartOfBudget(steps int64, a, b *expr.Grammar) (x, y *expr.Grammar, charge func()) {
	all := budgetOf(a.Budget)
	of := all.Part(steps)
	x, y = a.With(a.Rules), b.With(b.Rules)
	x.Budget, y.Budget = of, of
	return x, y, func() { all.Charge(of) }
}

// deepestSearch caps the nesting of the strings that are compared.
const deepestSearch = 3

// Nested compares two productions, at least one of which nests. They are equal if they are equal production
// by production (see [Induction]), or if the productions that nest correspond: each derives a regular
// language over bytes and the others, and its counterpart the same. Otherwise all strings are compared in the
// order of their length, with one byte for each class that no terminal distinguishes, as far as the steps go;
// and then the strings that nest up to a depth. Each difference found is checked with the general parser.
func Nested(a, b catalog.Language) (s *Search, err error) { return search(a, b, true) }

// Large compares two productions whose automata are too large, production by production only.
func Large(a, b catalog.Language) (s *Search, err error) { return search(a, b, false) }

// WithoutAutomata compares two productions whose comparison by automata failed with failed: as [Nested] does where a
// production nests, and as [Large] does where an automaton is too large. Any other error it returns.
func WithoutAutomata(a, b catalog.Language, failed error) (*Search, error) {
	if _, nests := errors.AsType[*expr.SelfEmbedding](failed); nests {
		return Nested(a, b)
	}
	if errors.Is(failed, budget.ErrTooLarge) {
		return Large(a, b)
	}
	return nil, failed
}

// Nests reports whether a production nests, so that strings were compared: it is false if [Large] made the search.
func (s *Search) Nests() bool { return s.nests }

// derivesNothing reports whether the production r of l derives no string: by its exact language, if that is known.
func derivesNothing(l *catalog.Language, r *expr.Rule) bool {
	if l.Exact != nil {
		return l.Exact.IsEmpty()
	}
	return !expr.Analyze(l.Grammar.Rules).Derives(r.Expr)
}

// search is [Nested] if nests is set, and [Large] otherwise. It tries what is cheap first, and stops at an
// answer: the texts; the correspondence of what nests; productions one by one, which may also find a string;
// all strings by their length; and automata of what nests up to a depth. A string that is known is only
// replaced by a shorter one. If a step passes its limit, the next is tried, and search returns what is known by then
// without an error. It fails if a production does not exist or derives nothing, if the budget is used up, or if the
// general parser contradicts the lists of strings.
func search(a, b catalog.Language, nests bool) (s *Search, err error) {
	defer budget.Catch(&err)
	s = &Search{Relation: Unknown, Length: -1, Depth: -1, nests: nests}
	var rules [2]*expr.Rule
	for i, l := range []*catalog.Language{&a, &b} {
		if rules[i], err = l.Grammar.Lookup(l.Production); err != nil {
			return nil, err
		}
		if derivesNothing(l, rules[i]) {
			return nil, l.Nothing()
		}
		for _, x := range rules[i].Assumes {
			s.Assumed = append(s.Assumed, x.Text)
		}
	}
	s.setNames(a, b, rules)
	if s.compareTexts(a, b, rules) {
		return s, nil
	}
	var judges [2]*interpreter.Deriver
	for i, l := range []*catalog.Language{&a, &b} {
		if l.Exact != nil { // a language by its automaton: one production for each state
			l.Grammar = l.Grammar.With(l.Exact.Grammar(func(q int) string {
				if q == 0 {
					return rules[i].ID
				}
				return fmt.Sprintf("%s@%d", rules[i].ID, q)
			}).Rules)
		}
		if judges[i], err = interpreter.New(l.Grammar, rules[i].ID, func(string) bool { return false }); err != nil {
			return nil, err
		}
	}
	if nests {
		x, y, charge := withPartOfBudget(correspondSteps, a.Grammar, b.Grammar)
		defer charge()
		if nestingCorresponds(x, y, rules) {
			s.Relation = Equal
			return s, nil
		}
	}
	region, embedded := s.compareProductions(a, b, rules)
	if s.Relation == Equal {
		return s, nil
	}
	if err := s.compareStrings(a, b, rules, judges, region, embedded); err != nil {
		return nil, err
	}
	if s.Relation == Unknown { // not deferred: where a limit panics, nothing is left to find a cause with
		s.findCause(a, b, rules)
	}
	return s, nil
}

// compareStrings looks for a string that only one side derives, as judges say. It sets Relation, Region, Word, Cause
// and Sentence if it finds one, and Length and Depth. embedded is one that is known, of this region, or nil. If it is
// known, only shorter strings are compared, and Depth stays. If no production nests, no strings are compared, and
// embedded is taken as it is. If a grammar is over UTF-8, other strings do not count. If a limit is passed, also by a
// judge on one string, it goes on with the next way to look, or ends without an error. It fails if the general parser
// contradicts the lists of strings, or if the time is up.
func (s *Search) compareStrings(
	a, b catalog.Language, rules [2]*expr.Rule, judges [2]*interpreter.Deriver, region Region, embedded *quote.Word,
) error {
	text := a.Grammar.UTF8 || b.Grammar.UTF8
	differ := func(region Region, w quote.Word) {
		s.Relation, s.Region, s.Word = Different, region, &w
		s.findCause(a, b, rules)
	}
	try := func(w string) error {
		if s.Word != nil || text && !utf8.ValidString(w) {
			return nil
		}
		var only [2]bool
		for i, d := range judges {
			var err error
			if only[i], err = d.Accepts(w); err != nil {
				return err
			}
		}
		if only[0] != only[1] {
			region := OnlyA
			if only[1] {
				region = OnlyB
			}
			differ(region, quote.Word(w))
		}
		return nil
	}
	most, steps := math.MaxInt, int64(stringSteps)
	if embedded != nil { // a string is known, so only a shorter one is of interest
		most, steps = len(*embedded), shorterSteps
	}
	if s.nests {
		x, y, charge := withPartOfBudget(steps, a.Grammar, b.Grammar)
		defer charge()
		err := s.compareByLength(newWordList(x, x, y), newWordList(y, x, y), rules, most, try)
		if err != nil && !budget.IsTooLarge(err) || s.Word != nil {
			return err // nil with a word: compareByLength ends at the first
		}
	}
	switch {
	case embedded != nil:
		differ(region, *embedded)
		return nil
	case !s.nests:
		return nil
	}
	x, y, charge := withPartOfBudget(depthSteps, a.Grammar, b.Grammar)
	defer charge()
	for depth := 0; depth <= deepestSearch && s.Word == nil; depth++ {
		var of [2]*lang.DFA
		for i, g := range []*expr.Grammar{x, y} {
			within, err := g.Nesting().To(depth)
			if err == nil {
				of[i], err = lang.FromBNF(within, rules[i].ID)
			}
			if err != nil {
				return nil // an automaton is too large: all that is known so far holds
			}
		}
		for i := range of {
			if w, ok := of[i].ShortestOutside(of[1-i]); ok {
				if err := try(w); budget.IsTooLarge(err) {
					return nil // likewise
				} else if err != nil {
					return err
				}
			}
		}
		if of[0].Equal(of[1]) {
			s.Depth = depth
		}
	}
	return nil
}

// setNames sets A, B and titles. Two versions of one text are told apart by their files.
func (s *Search) setNames(a, b catalog.Language, rules [2]*expr.Rule) {
	pa := Party{Title: a.Grammar.Title, Name: rules[0].Label(), side: a}
	pb := Party{Title: b.Grammar.Title, Name: rules[1].Label(), side: b}
	labelApart(&pa, &pb)
	s.start, s.titles = rules[0].Label(), [2]string{pa.title(), pb.title()}
	s.A, s.B = pa.String(), pb.String()
}

// findCause sets Cause and Sentence. The cause is a change of the innermost production with which the side that does
// not derive Word derives it, too, once it takes over the other side's definition. Without a Word, Sentence names the
// only production that differs, and Cause is nil. Both stay unset if nothing is found or a limit is passed.
func (s *Search) findCause(a, b catalog.Language, rules [2]*expr.Rule) {
	x, y, charge := withPartOfBudget(correspondSteps, a.Grammar, b.Grammar)
	defer charge()
	defer giveUpOverBudget()
	ta, tb := textOf(a, rules[0], x), textOf(b, rules[1], y)
	d := &Difference{walk: &walk{a: ta, b: tb}}
	d.A, d.B = partiesOf(ta, tb)
	if s.Word == nil {
		if r := onlyOtherText(ta, tb); r != nil {
			says := d.tellEdit(OnlyA, edit{change: differsChange{}, rule: r, other: ta.namesake(r)})
			name, _ := d.sideNames(OnlyA)
			s.Sentence = name + says.text + ", and no other that both have."
		}
		return
	}
	goes, stops := d.walk.sidesOf(s.Region)
	// Reach is breadth-first from the start, so backward begins with the innermost productions.
	for _, id := range slices.Backward(stops.side.Grammar.Reach(stops.rule.ID)) {
		r := stops.side.Grammar.Rule(id)
		if r == nil || goes.namesake(r) == nil || goes.definitionText(goes.namesake(r)) == stops.definitionText(r) {
			continue
		}
		e, ok := editInOnePlace(goes, stops, r, goes.namesake(r))
		if _, has := e.change.(hasChange); !ok && !has {
			e.change = differsChange{}
		}
		e.whole, e.uses = goes.definitionFor(stops, e.other)
		changed := edits{e}.apply(stops.side.Grammar, goes.side.Grammar)
		if yes, _ := interpreter.Derives(changed, stops.rule.ID, string(*s.Word)); yes {
			name, _ := d.sideNames(s.Region)
			says := d.tellEdit(s.Region, e)
			s.Cause = &Also{says.Claim, ta.printedLine(ta.namesake(r)), tb.printedLine(tb.namesake(r))}
			s.Sentence = name + says.text + "."
			return
		}
	}
}

// compareByLength compares the strings of each length below most, and sets Length to each length at which no difference
// was found. It calls try, which sets s.Word if the general parser confirms it, for the strings that only one list has,
// in the order of lang.Compare, and ends once s.Word is set. It also ends, without an error, when a list grows too
// large. It fails if try does, or if the parser does not confirm a string that is UTF-8; any other is passed over.
func (s *Search) compareByLength(a, b *wordList, rules [2]*expr.Rule, most int, try func(w string) error) error {
	for n := 0; n < most; n++ {
		if a.makeLength(rules[0].ID, n) != nil || b.makeLength(rules[1].ID, n) != nil {
			return nil // the list grows too large
		}
		x, y := a.of[rules[0].ID][n], b.of[rules[1].ID][n]
		var only []string
		for _, sides := range [][2]map[string]bool{{x, y}, {y, x}} {
			for w := range sides[0] {
				if !sides[1][w] {
					only = append(only, w)
				}
			}
		}
		slices.SortFunc(only, lang.Compare)
		for _, w := range only {
			if err := try(w); err != nil {
				return err
			}
			if s.Word != nil {
				return nil
			}
			if utf8.ValidString(w) {
				return fmt.Errorf("%s and %s: the general parser does not agree on %s", s.A, s.B, quote.Quote(w))
			}
		}
		s.Length = n
	}
	return nil
}

// A wordList makes the strings that productions derive, with one byte for each class of bytes.
type wordList struct {
	grammar *expr.Grammar
	rep     [256]byte
	of      map[string][]map[string]bool // by production and length
}

// newWordList returns the list of g with a byte for each class that no terminal of the two grammars tells apart.
func newWordList(g *expr.Grammar, both ...*expr.Grammar) *wordList {
	l := &wordList{grammar: g, of: map[string][]map[string]bool{}}
	p := expr.NewPartition()
	for _, g := range both {
		for _, r := range g.Rules {
			p.SplitByTerminals(r.Expr)
		}
	}
	for _, r := range utf8Ranges {
		p.Split(expr.Range(r[0], r[1]))
	}
	for _, s := range p.Sets() {
		for _, b := range s.Members() {
			l.rep[b] = lang.InOrder(s)[0]
		}
	}
	return l
}

// utf8Ranges has the ranges of bytes that UTF-8 tells apart: ASCII, continuation bytes, and first bytes by the second
// bytes that may follow.
var utf8Ranges = [][2]byte{
	{0, 0x7f},
	{0x80, 0x8f}, {0x90, 0x9f}, {0xa0, 0xbf},
	{0xc2, 0xdf}, {0xe0, 0xe0}, {0xed, 0xed}, {0xe1, 0xef}, {0xf0, 0xf0}, {0xf1, 0xf3}, {0xf4, 0xf4},
}

// makeLength makes the strings of length n of a production and of those it uses, in l.of. Those of all shorter
// lengths must have been made. It fails if the budget does not suffice; the list is then of no use.
func (l *wordList) makeLength(id string, n int) (err error) {
	defer budget.Catch(&err)
	ids := l.grammar.Reach(id)
	for _, id := range ids {
		l.of[id] = append(l.of[id], map[string]bool{})
	}
	for changed := true; changed; {
		changed = false
		for _, id := range slices.Backward(ids) {
			if r := l.grammar.Rule(id); r != nil {
				of := l.wordsOf(r.Expr, n)[n]
				changed = changed || len(of) > len(l.of[id][n])
				l.of[id][n] = of
			}
		}
	}
	return nil
}

// wordsOf returns the strings of e by length, from 0 to n, each byte as the one that stands for its class. For
// productions it takes the strings that l has so far. Sets without strings may be nil. The sets can be those of l, so
// the caller must not change them.
func (l *wordList) wordsOf(e *expr.Expr, n int) []map[string]bool {
	l.grammar.Budget.Step(3 * (n + 1))
	out := make([]map[string]bool, n+1)
	put := func(w string) {
		if len(w) > n {
			return
		}
		rep := []byte(w)
		for i, b := range rep {
			rep[i] = l.rep[b]
		}
		if out[len(w)] == nil {
			out[len(w)] = map[string]bool{}
		}
		out[len(w)][string(rep)] = true
	}
	switch e.Op {
	case expr.Empty:
		put("")
	case expr.Class:
		for _, b := range e.Set.Members() {
			put(string([]byte{b}))
		}
	case expr.Literal:
		put(e.Lit)
	case expr.Ref:
		copy(out, l.of[e.Name])
	case expr.Seq:
		put("")
		for _, s := range e.Sub {
			out = l.cat(out, l.wordsOf(s, n))
		}
	case expr.Alt:
		for _, s := range e.Sub {
			out, _ = l.union(out, l.wordsOf(s, n))
		}
	case expr.Repeat:
		put("")
		body := l.wordsOf(e.Sub[0], n)
		for range e.Min {
			next := l.cat(out, body)
			if slices.EqualFunc(out, next, maps.Equal[map[string]bool, map[string]bool]) { // further rounds add none
				break
			}
			out = next
		}
		body[0] = nil
		last := out
		for i, more := e.Min, true; more && (e.Max == expr.Unbounded || i < e.Max); i++ {
			last = l.cat(last, body)
			out, more = l.union(out, last)
		}
	}
	return out
}

// cat returns each string of a followed by each of b, by length. a and b are equally long, and so is the result:
// longer strings are left out.
func (l *wordList) cat(a, b []map[string]bool) []map[string]bool {
	out := make([]map[string]bool, len(a))
	for i := range a {
		for k := 0; i+k < len(a) && len(a[i]) > 0; k++ {
			if len(b[k]) == 0 {
				continue
			}
			l.grammar.Budget.Step(len(a[i]) * len(b[k]) * 12)
			for v := range a[i] {
				for w := range b[k] {
					if out[i+k] == nil {
						out[i+k] = map[string]bool{}
					}
					out[i+k][v+w] = true
				}
			}
		}
	}
	return out
}

// union returns the strings of both, which are equally long, and whether b has any that a does not have. It changes
// neither, but can share sets with a.
func (l *wordList) union(a, b []map[string]bool) (out []map[string]bool, more bool) {
	out = slices.Clone(a)
	for i := range b {
		if len(b[i]) == 0 {
			continue
		}
		l.grammar.Budget.Step(5 * (len(a[i]) + len(b[i])))
		out[i] = maps.Clone(b[i])
		maps.Copy(out[i], a[i])
		more = more || len(out[i]) > len(a[i])
	}
	return out, more
}

// nestingCorresponds reports whether the rules that nest are equal to those of the other grammar, perhaps
// under other names. They are paired by name or, if a name has no counterpart, in the order of their use.
// With a letter in place of each use of such a rule, the languages of the rules are regular and can be
// compared. It is also false if the budget does not suffice, or if no byte is free for letters.
func nestingCorresponds(a, b *expr.Grammar, rules [2]*expr.Rule) (yes bool) {
	defer giveUpOverBudget()
	free := expr.AnyByte
	var nest [2][]string
	for i, g := range []*expr.Grammar{a, b} {
		all := g.Nesting()
		for _, id := range g.Reach(rules[i].ID) {
			if r := g.Rule(id); r != nil {
				expr.Terminals(r.Expr, func(s expr.Set) { free = free.Minus(s) })
			}
			if all.Nests(id) {
				nest[i] = append(nest[i], id)
			}
		}
	}
	if free.IsEmpty() || len(nest[0]) != len(nest[1]) || len(nest[0]) > 255 {
		return false
	}
	named := slices.Clone(nest[1])
	for i, id := range nest[0] {
		if k := slices.IndexFunc(named[i:], func(other string) bool { return strings.EqualFold(id, other) }); k >= 0 {
			named[i], named[i+k] = named[i+k], named[i]
		}
	}
	return sameWithLetters(a, b, nest[0], named, rules, free) || sameWithLetters(a, b, nest[0], nest[1], rules, free)
}

// sameWithLetters reports whether rules[0] has the language of rules[1], and each rule x[i] of a the language
// of the rule y[i] of b, if each use of x[i] or y[i] is replaced by a letter. The letter is two bytes: one of
// free, which has bytes that neither grammar reads and must not be empty, and then i. So x and y have at most
// 256 names. It is also false if that cannot be decided.
func sameWithLetters(a, b *expr.Grammar, x, y []string, rules [2]*expr.Rule, free expr.Set) bool {
	var letters [2]*expr.Grammar
	var exprs [2][]*expr.Expr
	for k, g := range []*expr.Grammar{a, b} {
		list := [][]string{x, y}[k]
		changed := slices.Clone(g.Rules)
		exprs[k] = append(exprs[k], rules[k].Expr)
		for i, r := range changed {
			if n := slices.Index(list, r.ID); n >= 0 {
				c := *r
				c.Expr = expr.Lit(string([]byte{free.Members()[0], byte(n)}))
				changed[i] = &c
			}
		}
		for _, id := range list {
			exprs[k] = append(exprs[k], g.Rule(id).Expr)
		}
		letters[k] = g.With(changed)
	}
	space := lang.NewSpace(lang.Limits{}, letters[:], slices.Concat(exprs[0], exprs[1])...)
	one, err1 := space.BNF(letters[0])
	other, err2 := space.BNF(letters[1])
	return err1 == nil && err2 == nil && slices.EqualFunc(exprs[0], exprs[1], func(d, e *expr.Expr) bool {
		p, err1 := one.OfExpr(d)
		q, err2 := other.OfExpr(e)
		return err1 == nil && err2 == nil && p == q
	})
}

// budgetOf returns left, or a new budget without limits if that is nil.
func budgetOf(left *budget.Budget) *budget.Budget {
	return cmp.Or(left, budget.New(context.Background(), budget.Limits{}))
}

// AppendText appends the result for people: with proof, for those who ask whether the two are equal, as
// [Difference.AppendProof] does.
func (s *Search) AppendText(to []byte, screen *layout.Screen, proof bool) []byte {
	var b strings.Builder
	equal, differ := s.A+" and "+s.B+" are equal", s.A+" and "+s.B+" differ"
	if proof {
		equal, differ = fmt.Sprintf("%s: %s and %s accept the same strings",
			screen.Paint(nil, layout.Green, "proven"), s.A, s.B), string(screen.Paint(nil, layout.Red, "refuted"))
	}
	switch {
	case s.induction:
		b.WriteString(equal + ": each production that they need is defined alike, or derives the same\n")
	case s.Relation == Equal:
		b.WriteString(equal + ": what nests in the one corresponds to what nests in the other, and derives the same\n")
	case s.Relation == Unknown:
		fmt.Fprintf(&b, "undecided: %s and %s %s\n", s.A, s.B, s.LocalSentence())
		s.writeLocal(&b)
	default: // far says how far shorter strings are excluded
		only, far := s.A, s.Searched()
		if s.Region == OnlyB {
			only = s.B
		}
		switch {
		case s.Length+1 == len(*s.Word):
			far = "No shorter string is accepted by only one of them"
		case s.Length < 0:
			far = "There may be a shorter string that only one of them accepts"
		}
		fmt.Fprintf(&b, "%s: only %s accepts %s\n\n", differ, only, s.Word)
		if s.Cause != nil {
			fmt.Fprintf(&b, "  %s\n", s.Sentence)
			s.Cause.A.write(&b, 4)
			s.Cause.B.write(&b, 4)
			b.WriteByte('\n')
		} else if s.LocalSentence() != "" {
			s.writeLocal(&b)
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s.\n", far)
	}
	for _, a := range s.Assumed {
		fmt.Fprintf(&b, "Assumed: %s.\n", a)
	}
	return append(to, layout.Trim(b.String())...)
}

// Searched returns a sentence, without a full stop, that says up to where the two were found to derive the same; if
// they were not compared to any length or depth, it says that this is not known.
func (s *Search) Searched() string {
	var far []string
	if s.Length >= 0 {
		far = append(far, "are at most "+layout.Plural(s.Length, "byte")+" long")
	}
	if s.Depth >= 0 {
		far = append(far, fmt.Sprintf("nest at most %d deep", s.Depth))
	}
	if len(far) == 0 {
		return "It is not known up to which length both derive the same strings"
	}
	return "Both derive the same strings of those that " + strings.Join(far, ", and of those that ")
}
