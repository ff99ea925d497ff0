package diff

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Group collects the classes of causes that one difference of the texts explains. Every class is in one group, so
// the counts of the groups add up to those of the difference.
//
// A change explains a cause if, with it, the grammar of the side that stops derives the witness. The sentence tells
// the change, and [Difference.Edited] makes it. The change is in the innermost production that both sides have and
// define differently. If no change explains a cause, the sentence only says where the two part.
type Group struct {
	Region Region `json:"region"` // OnlyA or OnlyB: the side that goes on
	Claim
	And []Also `json:"and,omitempty"` // the further changes that are needed

	Sentence string     `json:"sentence"`
	Witness  quote.Word `json:"witness"` // the first of its strings
	Counts   Counts     `json:"counts"`  // the number of its strings of each length from 0
	Causes   []int      `json:"causes"`  // the places of the causes of its classes in Difference.Causes

	A *Line `json:"a,omitempty"` // the printed productions that differ
	B *Line `json:"b,omitempty"`

	edits   edits
	classes []*Class
	machine *machine // the edited side that stops; nil if there is none
}

// A Claim is one change that the sentence of a [Group] tells.
type Claim struct {
	Feature Feature `json:"feature"`
	// The production: of the side that goes on for Allows, Adds and Parts, else of the other.
	Where string `json:"where"`
	Other string `json:"other,omitempty"` // that of the other side, if it has another name
	Bytes string `json:"bytes,omitempty"` // for Allows and Parts: the bytes as a character class
	// The part that may be missing or is added, the string that is derived, the scheme, or the terms that are
	// expected.
	Text string `json:"text,omitempty"`
}

// An Also is a further change, which does not suffice alone.
type Also struct {
	Claim
	A *Line `json:"a,omitempty"` // the printed productions that differ
	B *Line `json:"b,omitempty"`
}

// Lines returns the printed productions that differ, those of g and of g.And: first those of A and then those of B,
// each once.
func (g *Group) Lines() (lines [2][]*Line) {
	for _, also := range append([]Also{{g.Claim, g.A, g.B}}, g.And...) {
		for i, l := range []*Line{also.A, also.B} {
			if l != nil && !slices.ContainsFunc(lines[i], func(other *Line) bool { return *other == *l }) {
				lines[i] = append(lines[i], l)
			}
		}
	}
	return lines
}

// A Line is a production as it is printed.
type Line struct {
	Production string `json:"production"` // the text's spelling
	Place      string `json:"place"`
	Printed    string `json:"printed"`

	// Row and Column say where a regular expression reads on, or stops: a line and a column of Printed, from 1, in
	// bytes. They are 0 if that is not known, and in other notations.
	Row    int `json:"row,omitempty"`
	Column int `json:"column,omitempty"`
}

// A Feature is the kind of difference between the side of a [Group] and the other.
type Feature string

// The features.
const (
	Allows   Feature = "allows"   // characters in a production
	Omits    Feature = "omits"    // a part that the other side needs
	Adds     Feature = "adds"     // a part that the other side does not have
	Repeats  Feature = "repeats"  // a part of a production other numbers of times
	Has      Feature = "has"      // an alternative of a production, or one in another order
	Replaces Feature = "replaces" // a part of a production where the other side has another
	Derives  Feature = "derives"  // a string from a production
	Differs  Feature = "differs"  // the definition of a production, in several places
	Scheme   Feature = "scheme"   // a scheme that the other side has not
	Parts    Feature = "parts"    // only the place where the two part is known

	// The place where the two part, told by a production that both have. All strings of the group agree on it.
	Ends   Feature = "ends"   // goes on, or ends, after a production that the other side needs more of
	After  Feature = "after"  // goes on, or ends, after a production that the other side can have ended, too
	Within Feature = "within" // goes on, or ends, in a production that the other side is in, too
	Exists Feature = "exists" // any string at all
)

// Total returns the number of strings of all lengths counted.
func (g *Group) Total() *big.Int { return Part{Counts: g.Counts}.Total() }

// groups makes the groups of d, tells them in sentences and counts their strings. Those of OnlyA come before those of
// OnlyB, and in each region those with the most strings first. It sets Group in each class.
func (d *Difference) groups() (out []Group) {
	out = []Group{} // in JSON an empty list, as that of the causes, and not null
	w := d.walk
	w.wholeBudget = w.a.budget
	w.startExplaining()
	table := d.newPartings()
	w.groupsSoFar = table.makeGroups(d)
	counts := map[classKey]Counts{}
	for _, g := range w.groupsSoFar {
		slices.SortFunc(g.classes, func(k, l *Class) int { return lang.Compare(string(k.Witness), string(l.Witness)) })
		table.setWitness(g)
		g.Counts = zeros(len(w.leadingCounts) - 1)
		for _, k := range g.classes {
			counts[k.key] = g.Counts
			g.Causes = append(g.Causes, k.cause)
		}
		slices.Sort(g.Causes)
		g.Causes = slices.Compact(g.Causes)
		d.tellGroup(g)
	}
	w.startExplaining()
	w.a.budget, w.b.budget = w.wholeBudget, w.wholeBudget // the rest is counted against the comparison's own budget
	w.countClasses(func(k classKey) Counts { return counts[k] })
	slices.SortStableFunc(w.groupsSoFar, func(g, h *Group) int {
		return cmp.Or(
			strings.Compare(string(g.Region), string(h.Region)),
			h.Total().Cmp(g.Total()),
			lang.Compare(string(g.Witness), string(h.Witness)),
		)
	})
	for i, g := range w.groupsSoFar {
		out = append(out, *g)
		for _, k := range g.classes {
			k.Group = i
		}
	}
	return out
}

// groupOf returns the group that is told by these edits, nil if there is none.
func (w *walk) groupOf(region Region, es edits) *Group { return w.groupByKey[es.key(region)] }

// Limits on finding explanations: steps, further steps for explanations by several edits, and states kept,
// each with the edges read there.
const (
	allChecked = 1 << 22
	allJoint   = 1 << 18
	allKept    = 1 << 18
)

// startExplaining gives the next explanations their full number of steps. What the last ones took
// is charged to the comparison.
func (w *walk) startExplaining() { w.chargeAndLimit(allChecked) }

// chargeAndLimit charges the steps that explanations took to the comparison, and sets the limit for the next ones to
// steps.
func (w *walk) chargeAndLimit(steps int64) {
	w.wholeBudget.Charge(w.explainBudget)
	w.explainBudget = budgetOf(w.wholeBudget).Part(steps)
	w.a.budget, w.b.budget = w.explainBudget, w.explainBudget
}

// Edited returns the grammar of the side that stops with the change that the sentence of a group tells. After
// every beginning that both sides have and at which a string of the group parts, it goes on with strings of
// the side that goes on. It adds nothing else, and derives the witness of the group. ok is false if the
// sentence tells no change, after [Difference.Forget], and if the automaton of an exact change of characters
// is too large.
func (d *Difference) Edited(g *Group) (edited *expr.Grammar, ok bool) {
	goes, stops := d.walk.sidesOf(g.Region)
	if len(g.edits) == 0 { // see [Difference.Forget]
		return nil, false
	}
	if g.edits[0].change.judge() != nil { // a statement, which changes no grammar
		return nil, false
	}
	// An exact change allows characters at some terminals only, which no text of a production can say. The grammar is
	// then made of the automaton, one production for each state.
	if m := g.machine; m != nil && m.extra != nil {
		a, err := m.widenedNFA().Determinize(lang.Limits{})
		if err != nil {
			return nil, false
		}
		return stops.side.Grammar.With(a.Grammar(func(q int) string {
			if q == 0 {
				return stops.rule.ID
			}
			return fmt.Sprintf("%s@%d", stops.rule.ID, q)
		}).Rules), true
	}
	return g.edits.apply(stops.side.Grammar, goes.side.Grammar), true
}

// Forget frees most of the memory of d: all that only [Difference.Cause] and [Difference.Edited] need. After it
// Edited returns false, and Cause must not be called.
func (d *Difference) Forget() {
	part := func(t *tracker) *tracker { return &tracker{side: t.side, rule: t.rule, dfa: t.dfa} }
	d.walk = &walk{a: part(d.walk.a), b: part(d.walk.b)}
	for i := range d.Groups {
		d.Groups[i].edits, d.Groups[i].machine, d.Groups[i].classes = nil, nil, nil
	}
}

// tellGroup sets the sentence of g, its claims, and the printed lines that differ. It must be called once: it appends
// to g.And.
func (d *Difference) tellGroup(g *Group) {
	a, _ := d.sideNames(g.Region)
	a = capitalize(a)
	for i, e := range g.edits {
		says := d.tellEdit(g.Region, e)
		goes, stops := d.walk.sidesOf(g.Region)
		in, out := goes.printedLine(e.other), stops.printedLine(e.rule)
		if says.alone {
			out = nil
		}
		first := d.Causes[g.classes[0].cause].ofClass(g.classes[0])
		in.setColumn(goes, first, e.other, true)
		out.setColumn(stops, first, e.rule, false)
		if g.Region == OnlyB {
			in, out = out, in
		}
		if i == 0 {
			g.Claim, g.A, g.B = says.Claim, in, out
			g.Sentence = a + says.text
			if says.whole {
				g.Sentence = says.text
			}
			continue
		}
		g.And = append(g.And, Also{says.Claim, in, out}) // a further edit continues the sentence of the first
		if rest, ok := strings.CutPrefix(says.text, ": "); ok {
			g.Sentence += "; and " + rest
		} else {
			g.Sentence += "; and it" + says.text
		}
	}
	g.Sentence += "."
}

// sideNames returns the names in sentences of the side of a region that goes on, and of the other. An expression that
// is compared with a grammar is "the expression".
func (d *Difference) sideNames(region Region) (goes, stops string) {
	goes, stops = d.Names()
	one, other := d.walk.sidesOf(region)
	if region == OnlyB {
		goes, stops = stops, goes
	}
	switch {
	case one.isExpression() && !other.isExpression():
		goes = "the expression"
	case other.isExpression() && !one.isExpression():
		stops = "the expression"
	}
	return goes, stops
}

// isExpression reports whether the side is a regular expression.
func (t *tracker) isExpression() bool { return t.side.Grammar.Notation == "regexp" }

// whereIn returns " in " and the label of a production; "" for the first production of an expression, which is all of
// it.
func (t *tracker) whereIn(label string) string {
	if t.isExpression() && label == t.side.Grammar.Rules[0].Label() {
		return ""
	}
	return " in " + label
}

// tellEdit returns the sentence of an edit in a region. If both productions of its claim have the same name, only
// Where has it.
func (d *Difference) tellEdit(region Region, e edit) sentence {
	goes, stops := d.walk.sidesOf(region)
	a, b := d.sideNames(region)
	s := e.change.tell(&e, telling{goes: goes, stops: stops, a: a, b: b})
	if !s.whole && strings.EqualFold(s.Where, s.Other) {
		s.Other = ""
	}
	return s
}

// capitalize returns a sentence that begins with "the" with "The" instead. Names keep their case.
func capitalize(s string) string {
	if rest, ok := strings.CutPrefix(s, "the "); ok {
		return "The " + rest
	}
	return s
}

// listSome lists the first three words in the order of lang.Compare, as quote spells them, and then "others" if there
// are more: "a, b, c and others". It leaves words as they are.
func listSome(words []string, quote func(string) string) string {
	words = slices.Clone(words)
	slices.SortStableFunc(words, lang.Compare)
	var out []string
	for i, word := range words {
		if i == 3 {
			out = append(out, "others")
			break
		}
		out = append(out, quote(word))
	}
	return layout.List(out, "and")
}

// sidesOf returns the trackers of the side that goes on in a region, and of the side that stops.
func (w *walk) sidesOf(r Region) (goes, stops *tracker) {
	if r == OnlyA {
		return w.a, w.b
	}
	return w.b, w.a
}

// subsetAfter returns the subset that s leads to from the start.
func (t *tracker) subsetAfter(s string) int {
	n := 0
	for i := range len(s) {
		n = t.step(n, s[i])
	}
	return n
}

// listBytes returns bytes in words. A single byte, two visible ones, and up to six visible ones that are no letters or
// digits are quoted one by one, the last two joined by joint. Others are a class.
func listBytes(s expr.Set, joint string) string {
	members := s.Members()
	one := func(b byte) bool {
		return b > ' ' && b < 0x7f && (len(members) <= 2 || !('0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'))
	}
	if len(members) > 6 || len(members) > 1 && slices.ContainsFunc(members, func(b byte) bool { return !one(b) }) {
		return s.String()
	}
	names := make([]string, len(members))
	for i, b := range members {
		names[i] = ast.Quote(string([]byte{b}))
	}
	return layout.List(names, joint)
}

// printedLine returns a production as it is printed; nil for nil, and if no text prints it.
func (t *tracker) printedLine(r *expr.Rule) *Line {
	if r == nil || r.Pos.Line == 0 {
		return nil
	}
	place := r.Place(t.newParty().Title)
	if t.side.File {
		place = fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line)
	}
	printed := r.Printed
	if !t.isExpression() {
		printed = layout.Unindent(strings.TrimRight(printed, " \n"))
	}
	return &Line{Production: r.Name, Place: place, Printed: printed}
}

// setColumn sets Row and Column of l, the line of r, to the term of a regular expression at which cause c parts: the
// one that reads on if goes is set, and otherwise the last one that could have. It leaves them 0 if the witness shows
// no such term, or if a limit is passed. l may be nil.
func (l *Line) setColumn(t *tracker, c *Cause, r *expr.Rule, goes bool) {
	if l == nil || t.side.Grammar.Notation != "regexp" || l.Printed != r.Printed || t.nfa == nil {
		return
	}
	defer giveUpOverBudget()
	m := t.newMatcher(string(c.Witness))
	if c.Offset >= len(m.before) {
		return
	}
	for _, q := range m.before[c.Offset] {
		for i := range t.nfa.States[q].Edges {
			e := &t.nfa.States[q].Edges[i]
			reads := c.Offset < len(m.s) && e.Set.Has(m.s[c.Offset]) && m.acceptsFrom(e.To, c.Offset+1)
			if reads != goes {
				continue
			}
			row, column := e.Term.Pos.Line-r.Pos.Line+1, e.Term.Pos.Col
			if row == 1 {
				column -= r.Pos.Col - 1
			}
			if column > 0 && cmp.Or(row-l.Row, column-l.Column) > 0 {
				l.Row, l.Column = row, column
			}
		}
	}
}
