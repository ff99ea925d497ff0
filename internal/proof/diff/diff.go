// Package diff computes how two languages differ, exactly and completely: the regions, their counts and shortest
// strings, and the causes, a catalog of all places where the two grammars part. It also compares a grammar with
// each of its ledger's readings switched ([ReadingEffects]) and measures grammars against a reference ([Distances]).
//
// # Words of this package
//
// Two sides, A and B, are run side by side over a string (walk.go). They part at the first byte after which only one
// of them can still accept, or where only one accepts at the end. The one that can is the side that goes on, the
// other is the side that stops: in code "goes" and "stops". The three regions are OnlyA, Both and OnlyB; a string of
// OnlyA parts with A going on.
//
//   - A parting is a pair of states and a byte, or the end, at which the two part.
//   - A [Class] is the partings that no automaton tells apart, a [Cause] the classes that look the same to a reader,
//     and a [Group] the causes that one change of a text explains. Each contains strings, and shows one: its
//     witness, the shortest and most readable.
//   - An edit is a change of the grammar of the side that stops (edit.go), of some kind (change.go). It explains a
//     string if with it that side derives the string too. explain.go guesses edits from witnesses, decide.go and
//     settle.go decide which guesses hold, and places.go tells the rest by where it is.
//   - A tracker (tracker.go) is one side: the minimal automaton of its language, which says what can still come, and
//     the automaton of its grammar, which says which productions are being read. A subset is a set of states of the
//     latter that one string leads to, by number.
//   - The namesake of a production is the one of the other side that has its name.
//
// Everything that looks for explanations takes steps of a budget of its own. Where that is used up, less is
// explained, and no answer is wrong: see [giveUpOverBudget].
//
// Where the budget of a grammar is used up, functions here panic with a *budget.Exceeded, which [Compare],
// [Comparison.Diff], [Distances], [Follow], [Large] and [Nested] return as an error; a comment says so only where
// something else comes back.
package diff

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Options limits [Compare]. The zero value is the default.
type Options struct {
	MaxLength int         // strings are counted up to this length; 0 stands for [DefaultMaxLength]
	Limits    lang.Limits // for the automata
}

// DefaultMaxLength is the default limit on the length of the strings that are counted. Every scheme of the
// two RFCs has URLs within it.
const DefaultMaxLength = 24

// maxLength returns MaxLength or its default.
func (o Options) maxLength() int {
	if o.MaxLength > 0 {
		return o.MaxLength
	}
	return DefaultMaxLength
}

// Relation is how two languages stand to each other.
type Relation string

// The relations of A to B. An empty language is contained in every other.
const (
	Equal       Relation = "equal"
	Contains    Relation = "contains"     // A holds all of B and more
	ContainedIn Relation = "contained in" // B holds all of A and more
	Disjoint    Relation = "disjoint"
	Overlapping Relation = "overlapping" // each has strings of its own, and they share some

	// The next two are for productions that nest, where nothing more precise may be known.
	Different Relation = "different"
	Unknown   Relation = "unknown"
)

// Region is one of the three parts into which two languages divide their union.
type Region string

// The regions.
const (
	OnlyA Region = "only A"
	Both  Region = "both"
	OnlyB Region = "only B"
)

// A Difference is the result of comparing two languages.
type Difference struct {
	Topic    string   `json:"topic,omitempty"` // that of the [Comparison], if there is one
	A        Party    `json:"a"`
	B        Party    `json:"b"`
	Relation Relation `json:"relation"`
	OnlyA    Part     `json:"only_a"`
	Both     Part     `json:"both"`
	OnlyB    Part     `json:"only_b"`

	// Assumed lists what the result rests on beside the texts, each a sentence without a full stop.
	Assumed []string `json:"assumed,omitempty"`

	// Causes is the complete catalog of the ways in which the two part, in the order of the witnesses. It partitions
	// the strings that exactly one side has: each has exactly one cause.
	Causes []Cause `json:"causes"`

	// Groups divides the causes by the change that explains them.
	Groups []Group `json:"groups"`

	walk *walk
}

// A Party is one side of a [Difference].
type Party struct {
	Grammar    string `json:"grammar"`           // "rfc1738"
	Title      string `json:"title"`             // "RFC 1738"
	Reading    string `json:"reading,omitempty"` // "as printed"
	Production string `json:"production"`        // its ID
	Name       string `json:"name"`              // the RFC's spelling
	Prefix     string `json:"prefix,omitempty"`  // see [catalog.Language]
	Section    string `json:"section,omitempty"`
	States     int    `json:"states"` // of the minimal automaton

	File string `json:"file,omitempty"` // where the production stands, if the grammar is not built in
	Line int    `json:"line,omitempty"`

	side catalog.Language
	// label replaces Title where the other side has the same: the file, "HEAD~1:rfc3986.txt".
	label string
}

// partiesOf describes the two sides of a comparison, so that their names differ.
func partiesOf(ta, tb *tracker) (a, b Party) {
	a, b = ta.newParty(), tb.newParty()
	labelApart(&a, &b)
	return a, b
}

// labelApart sets the labels of two sides that have one title but are in different files.
func labelApart(a, b *Party) {
	fileOf := func(p *Party) string {
		if p.side.File {
			return p.side.Grammar.File
		}
		return ""
	}
	if a.Title == b.Title && fileOf(a) != fileOf(b) {
		a.label, b.label = fileOf(a), fileOf(b)
	}
}

// title returns the name of the side's text for readers.
func (p Party) title() string { return cmp.Or(p.label, p.Title) }

// String returns "RFC 1738 httpurl", or the title alone for an expression; the reading, if there is one, follows in
// parentheses.
func (p Party) String() string {
	s := p.title()
	if p.side.Grammar.Notation != "regexp" {
		s += " " + p.Spelling()
	}
	if p.Reading != "" {
		s += " (" + p.Reading + ")"
	}
	return s
}

// Spelling returns the production as it is shown: "httpurl", or "genericurl of cid:".
func (p Party) Spelling() string {
	if p.Prefix != "" {
		return p.Name + " of " + p.Prefix
	}
	return p.Name
}

// shortName returns the shortest name that tells the party from the other: that of its text, "RFC 1738", with the
// reading if they differ in that, and for two productions of one text that of its production.
func (p Party) shortName(other Party) string {
	switch {
	case p.title() != other.title():
		return p.title()
	case p.Reading != other.Reading && p.Reading != "":
		return p.title() + " " + p.Reading
	case p.Reading != other.Reading:
		return p.title()
	}
	return p.Name
}

// A Part describes the strings of one region.
type Part struct {
	Shortest *quote.Word `json:"shortest,omitempty"` // nil if there is none; of several the most readable
	Counts   Counts      `json:"counts"`             // the number of strings of each length from 0

	// Deeper reports that the other side derives Shortest too, but only beyond the depth at which it was cut
	// off: see [catalog.Options]. DeeperUnknown reports that finding this out takes too much.
	Deeper        bool `json:"deeper,omitempty"`
	DeeperUnknown bool `json:"deeper_unknown,omitempty"`
}

// Total returns the number of strings of all lengths counted.
func (p Part) Total() *big.Int {
	sum := new(big.Int)
	for _, n := range p.Counts {
		sum.Add(sum, n)
	}
	return sum
}

// newPart returns the part for the language of a, with counts up to a length.
func newPart(a *lang.DFA, max int) Part {
	p := Part{Counts: a.Counts(max)}
	if w, ok := a.Shortest(); ok {
		p.Shortest = new(quote.Word(w))
	}
	return p
}

// Compare compares two languages exactly: it finds their regions, causes and groups. It fails for a production
// that does not exist, that is not regular (a [*expr.SelfEmbedding]) or that is too large ([lang.ErrTooLarge]),
// and for a side in a file that has no string ([catalog.Language.Nothing]).
func Compare(a, b catalog.Language, o Options) (d *Difference, err error) {
	defer budget.Catch(&err)
	if d, err = compare(a, b, o); err != nil {
		return nil, err
	}
	d.Groups = d.groups()
	if d.CodePoints() {
		d.inCodePoints()
	}
	return d, nil
}

// compare is [Compare] without the groups, which take most of its time, and with causes by bytes even where texts have
// code points. It panics where the budget is used up.
func compare(a, b catalog.Language, o Options) (d *Difference, err error) {
	text := a.Grammar.UTF8 || b.Grammar.UTF8
	ta, err := newTracker(a, text, o.Limits)
	if err != nil {
		return nil, err
	}
	tb, err := newTracker(b, text, o.Limits)
	if err != nil {
		return nil, err
	}
	// An empty side of a user's file is a mistake; with a prefix it may just have no such strings.
	for _, t := range []*tracker{ta, tb} {
		if t.side.File && t.side.Prefix == "" && t.dfa.IsEmpty() {
			return nil, t.side.Nothing()
		}
	}
	max := o.maxLength()
	d = &Difference{Relation: relationOf(ta.dfa, tb.dfa)}
	d.A, d.B = partiesOf(ta, tb)
	d.OnlyA = newPart(ta.dfa.Minus(tb.dfa), max)
	d.Both = newPart(ta.dfa.Intersect(tb.dfa), max)
	d.OnlyB = newPart(tb.dfa.Minus(ta.dfa), max)
	deeper := func(p *Part, other catalog.Language) {
		if other.Deeper != nil && p.Shortest != nil {
			yes, known := other.Deeper(string(*p.Shortest))
			p.Deeper, p.DeeperUnknown = yes && known, !known
		}
	}
	deeper(&d.OnlyA, b)
	deeper(&d.OnlyB, a)
	if d.walk, err = newWalk(ta, tb, o.Limits); err != nil {
		return nil, fmt.Errorf("%s against %s: %w", d.A, d.B, err)
	}
	for _, t := range []*tracker{ta, tb} {
		for _, a := range t.rule.Assumes {
			if !t.side.Grammar.Ordered && !slices.Contains(d.Assumed, a.Text) {
				d.Assumed = append(d.Assumed, a.Text)
			}
		}
		if t.cut {
			d.Assumed = append(d.Assumed, "strings that are not UTF-8 are left out of "+t.newParty().String())
		}
	}
	d.Causes = d.walk.makeCauses(max)
	return d, nil
}

// Automata returns the minimal automata of the two sides.
func (d *Difference) Automata() (a, b *lang.DFA) { return d.walk.a.dfa, d.walk.b.dfa }

// relationOf returns the relation of the language of a to that of b. Of several that hold, as where a language is
// empty, it is the first in the order Equal, Contains, ContainedIn, Disjoint.
func relationOf(a, b *lang.DFA) Relation {
	switch {
	case a.Equal(b):
		return Equal
	case b.Subset(a):
		return Contains
	case a.Subset(b):
		return ContainedIn
	case a.Disjoint(b):
		return Disjoint
	}
	return Overlapping
}
