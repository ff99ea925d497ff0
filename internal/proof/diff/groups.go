package diff

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/report/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Group is the causes that one difference of the texts explains. Every cause is in one group, so the counts of the groups
// add up to those of the difference.
//
// What explains a cause is a change of the grammar of the side that stops by which it derives the witness: the sentence says
// what the change is, and [Difference.Edited] makes it. It changes the innermost production that both have and that they
// define differently. Where no change explains a cause the sentence says only where the two part.
type Group struct {
	Region  Region  `json:"region"` // OnlyA or OnlyB: the side that goes on
	Feature Feature `json:"feature"`
	Where   string  `json:"where"`           // the production: of the side that goes on for Allows, Adds and Parts, else of the other
	Other   string  `json:"other,omitempty"` // that of the other side, if it has another name
	Bytes   string  `json:"bytes,omitempty"` // for Allows and Parts: the bytes as a character class
	Text    string  `json:"text,omitempty"`  // what may be missing, is added, is derived, the scheme, or what is expected

	Sentence string     `json:"sentence"`
	Witness  quote.Word `json:"witness"` // the first of its strings
	Counts   Counts     `json:"counts"`  // the number of its strings of each length from 0
	Causes   []int      `json:"causes"`  // the places of its causes in Difference.Causes

	A *Line `json:"a,omitempty"` // the printed productions that differ
	B *Line `json:"b,omitempty"`

	edit edit
}

// A Line is a production as it is printed.
type Line struct {
	Production string `json:"production"` // the text's spelling
	Place      string `json:"place"`
	Printed    string `json:"printed"`
}

// Feature is what sets the side of a [Group] apart.
type Feature string

// The features.
const (
	Allows  Feature = "allows"  // characters in a production
	Omits   Feature = "omits"   // what the other side needs
	Adds    Feature = "adds"    // what the other side has not
	Derives Feature = "derives" // a string from a production
	Scheme  Feature = "scheme"  // a scheme that the other side has not
	Parts   Feature = "parts"   // nothing more is known than where the two part
	Exists  Feature = "exists"  // any string at all
)

// Total returns the number of strings of all lengths counted.
func (g *Group) Total() *big.Int { return Part{Counts: g.Counts}.Total() }

// groups sorts the causes into groups: first those of A, and of one side the one with most strings first. The cause with
// most strings chooses its explanation first; another joins it if that explains it as well.
func (d *Difference) groups() []Group {
	order := make([]int, len(d.Causes))
	totals := make([]*big.Int, len(d.Causes))
	for i := range order {
		order[i], totals[i] = i, d.Causes[i].Total()
	}
	slices.SortStableFunc(order, func(i, j int) int { return totals[j].Cmp(totals[i]) })
	index := map[string]int{}
	var out []Group
	for _, i := range order {
		c := &d.Causes[i]
		edits := d.walk.explain(c, func(e edit) (known expr.Set) {
			if n, ok := index[e.key(c.Region)]; ok {
				known = out[n].edit.set
			}
			return known
		})
		n := slices.IndexFunc(edits, func(e edit) bool {
			_, ok := index[e.key(c.Region)]
			return ok && (e.rank == edits[0].rank || e.rank == common)
		})
		e := edits[max(n, 0)]
		n, ok := index[e.key(c.Region)]
		if !ok {
			n = len(out)
			index[e.key(c.Region)] = n
			out = append(out, Group{Region: c.Region, Feature: e.feature, Counts: zeros(len(c.Counts) - 1), edit: e})
		}
		g := &out[n]
		g.edit.join(e)
		g.Causes = append(g.Causes, i)
		for length, count := range c.Counts {
			g.Counts[length].Add(g.Counts[length], count)
		}
	}
	for i := range out {
		slices.Sort(out[i].Causes)
		out[i].Witness = d.Causes[out[i].Causes[0]].Witness
		d.tell(&out[i])
	}
	slices.SortStableFunc(out, func(g, h Group) int {
		return cmp.Or(strings.Compare(string(g.Region), string(h.Region)), h.Total().Cmp(g.Total()), lang.Compare(string(g.Witness), string(h.Witness)))
	})
	return out
}

// Edited returns the grammar of the side that stops with the change that explains the group. The strings of the group are
// derived by it from the same production. ok is false where the sentence claims nothing like it.
func (d *Difference) Edited(g *Group) (*expr.Grammar, bool) {
	goes, stops := d.walk.sides(g.Region)
	switch g.Feature {
	case Scheme, Parts, Exists:
		return nil, false
	}
	return g.edit.apply(stops.side.Grammar, goes.side.Grammar), true
}

// tell fills in what g says in words.
func (d *Difference) tell(g *Group) {
	goes, stops := d.walk.sides(g.Region)
	a, b := d.Names()
	if g.Region == OnlyB {
		a, b = b, a
	}
	e := g.edit
	in, out := goes.line(e.other), stops.line(e.rule)
	g.A, g.B = in, out
	if g.Region == OnlyB {
		g.A, g.B = out, in
	}
	g.Where, g.Other = e.other.Label(), e.rule.Label()
	switch g.Feature {
	case Allows:
		g.Bytes = class(e.set)
		g.Sentence = fmt.Sprintf("%s allows %s in %s", a, e.read(), g.Where)
		switch {
		case g.Where == a: // two productions of one text
			g.Sentence = fmt.Sprintf("%s allows %s", a, e.read())
		case goes.side.Model:
			g.Sentence = fmt.Sprintf("%s allows %s where %s in %s does not", a, e.read(), b, g.Other)
		case stops.side.Model:
			if e.several {
				g.Sentence = fmt.Sprintf("%s allows %s", a, e.read())
			}
			g.Sentence += fmt.Sprintf(" where %s does not", b)
		case strings.EqualFold(g.Where, g.Other):
		case e.several:
			g.Where = g.Other
			g.Sentence = fmt.Sprintf("%s allows %s where %s is in %s", a, e.read(), b, g.Where)
		default:
			g.Sentence += fmt.Sprintf(", %s not in %s", b, g.Other)
		}
	case Omits:
		g.Where, g.Other = g.Other, g.Where
		if e.run == nil {
			g.Sentence = fmt.Sprintf("%s: %s may be empty", a, g.Where)
			break
		}
		g.Text = stops.spelled(e.run)
		g.Sentence = fmt.Sprintf("%s: %s may be missing in %s", a, g.Text, g.Where)
	case Adds:
		g.Text = goes.spelled(e.run)
		g.Sentence = fmt.Sprintf("%s adds %s in %s", a, g.Text, g.Where)
	case Derives:
		g.Text = several(e.words, goes.side.Grammar.Quote)
		g.Sentence = fmt.Sprintf("%s derives %s from %s", a, g.Text, g.Where)
		if goes.side.Model {
			g.Sentence = fmt.Sprintf("%s derives %s where %s in %s does not", a, g.Text, b, g.Other)
		}
	case Scheme:
		g.Text = several(e.words, func(s string) string { return "`" + s + "`" })
		is := "is another scheme"
		if len(e.words) > 1 {
			is = "are other schemes"
		}
		g.Sentence = fmt.Sprintf("%s: %s %s", a, g.Text, is)
	case Exists:
		g.Sentence = fmt.Sprintf("%s has strings, %s has none", a, b)
	default:
		g.Bytes = class(e.set)
		in := " in " + g.Where + ","
		if e.several {
			in, g.Where = "", g.Other
		}
		of, at := " of "+g.Other, " in "+g.Other
		if goes.side.Model {
			in = ""
		}
		if stops.side.Model {
			of, at = "", ""
		}
		if g.Bytes == "" && e.words == nil {
			g.Sentence = fmt.Sprintf("%s ends%s where %s needs more%s", a, in, b, of)
		} else {
			g.Sentence = fmt.Sprintf("%s goes on with %s%s where %s stops%s", a, e.read(), in, b, at)
		}
	}
	g.Sentence += "."
	if strings.EqualFold(g.Where, g.Other) {
		g.Other = ""
	}
}

// read returns what the side that goes on reads, in words.
func (e edit) read() string {
	var out []string
	if !e.set.IsEmpty() {
		out = append(out, list(e.set))
	}
	if len(e.words) > 0 {
		out = append(out, several(e.words, quote.CodePoints))
	}
	return strings.Join(out, " and ")
}

// several lists the first words.
func several(words []string, quote func(string) string) string {
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
	if last := len(out) - 1; last > 0 {
		return strings.Join(out[:last], ", ") + " and " + out[last]
	}
	return out[0]
}

// sides returns the side that goes on, and the one that stops.
func (w *walk) sides(r Region) (goes, stops *tracker) {
	if r == OnlyA {
		return w.a, w.b
	}
	return w.b, w.a
}

// follow returns the subset that s leads to.
func (t *tracker) follow(s string) int {
	n := 0
	for i := range len(s) {
		n = t.step(n, s[i])
	}
	return n
}

// list returns bytes in words: one by one if they are printable and two, or up to six of which none is a letter or a digit;
// else as a class.
func list(s expr.Set) string {
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
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return names[0]
}

// line returns a production as printed, nil if no text prints it.
func (t *tracker) line(r *expr.Rule) *Line {
	if r == nil || r.Pos.Line == 0 {
		return nil
	}
	place := r.Place(t.party().Title)
	if t.side.File {
		place = fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line)
	}
	return &Line{Production: r.Name, Place: place, Printed: unindented(r.Printed)}
}

// unindented returns lines without the white space that all of them begin with, and without that at their ends.
func unindented(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \n"), "\n")
	least := -1
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
		if n := len(line) - len(strings.TrimLeft(line, " ")); line != "" && (least < 0 || n < least) {
			least = n
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(least, 0), len(line)):]
	}
	return strings.Join(lines, "\n")
}
