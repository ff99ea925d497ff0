package diff

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// A Group is the causes that one feature of a text explains: it allows some characters in a production, it does not need
// something, or it lets a string end. Every cause is in one group, so the counts of the groups add up to those of the
// difference.
//
// The feature is found by repairing the witness of a cause: of the edits of single bytes by which the side that stops
// would accept it, the fewest; of several such lists, the one that begins first; and its first edit. A byte that is
// replaced or deleted is one that only the other side allows there; a byte that is inserted is one that only this side
// needs.
type Group struct {
	Region  Region  `json:"region"` // OnlyA or OnlyB: the side that allows it
	Feature Feature `json:"feature"`
	Where   string  `json:"where"`            // the innermost production: of the side that allows it for Allows, else of the other
	Bytes   string  `json:"bytes,omitempty"`  // for Allows: the bytes as a character class
	Needs   string  `json:"needs,omitempty"`  // for Omits and Ends: what the other side needs there
	Before  string  `json:"before,omitempty"` // for Omits: what the side that allows it reads there

	Sentence string      `json:"sentence"`
	Witness  octets.Word `json:"witness"` // the first of its strings
	Counts   Counts      `json:"counts"`  // the number of its strings of each length from 0
	Causes   []int       `json:"causes"`  // the places of its causes in Difference.Causes

	A *Line `json:"a,omitempty"` // the printed productions that the feature rests on
	B *Line `json:"b,omitempty"`

	bytes expr.Set
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
	Allows Feature = "allows" // characters in a production
	Omits  Feature = "omits"  // what the other side needs before what follows
	Ends   Feature = "ends"   // where the other side needs more
)

// Total returns the number of strings of all lengths counted.
func (g *Group) Total() *big.Int { return Part{Counts: g.Counts}.Total() }

// groups sorts the causes into groups: first those of A, and of one side the one with most strings first.
func (d *Difference) groups() []Group {
	w := d.walk
	type key struct {
		Region
		Feature
		where, needs, before string
	}
	index := map[key]int{}
	var out []Group
	for i := range d.Causes {
		c := &d.Causes[i]
		g := w.feature(c)
		k := key{g.Region, g.Feature, g.Where, g.Needs, g.Before}
		n, ok := index[k]
		if !ok {
			n = len(out)
			index[k] = n
			g.Counts = zeros(len(c.Counts) - 1)
			out = append(out, g)
		}
		o := &out[n]
		o.bytes = o.bytes.Union(g.bytes)
		o.Causes = append(o.Causes, i)
		for length, count := range c.Counts {
			o.Counts[length].Add(o.Counts[length], count)
		}
	}
	for i := range out {
		out[i].Bytes = class(out[i].bytes)
		out[i].Sentence = d.sentence(&out[i])
	}
	slices.SortStableFunc(out, func(g, h Group) int {
		return cmp.Or(strings.Compare(string(g.Region), string(h.Region)), h.Total().Cmp(g.Total()), lang.Compare(string(g.Witness), string(h.Witness)))
	})
	return out
}

// sentence returns in words what g allows.
func (d *Difference) sentence(g *Group) string {
	goes, stops := d.A, d.B
	if g.Region == OnlyB {
		goes, stops = d.B, d.A
	}
	name := goes.short(stops)
	switch {
	case g.Feature == Allows && g.Where == name: // two productions of one text
		return fmt.Sprintf("%s allows %s.", name, list(g.bytes))
	case g.Feature == Allows:
		return fmt.Sprintf("%s allows %s in %s.", name, list(g.bytes), g.Where)
	case g.Feature == Ends && g.Needs == "":
		return fmt.Sprintf("%s has strings, %s has none.", name, stops.short(goes))
	case g.Feature == Ends:
		return fmt.Sprintf("%s lets %s end without %s.", name, g.Where, g.Needs)
	}
	return fmt.Sprintf("%s needs no %s before %s in %s.", name, g.Needs, g.Before, g.Where)
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

// feature returns the group of c alone.
func (w *walk) feature(c *Cause) Group {
	goes, stops := w.a, w.b
	if c.Region == OnlyB {
		goes, stops = w.b, w.a
	}
	g := Group{Region: c.Region, Witness: c.Witness}
	set := func(in, out *Line) {
		g.A, g.B = in, out
		if c.Region == OnlyB {
			g.A, g.B = out, in
		}
	}
	s := string(c.Witness)
	e, ok := stops.repair(s)
	if !ok { // it has no strings at all
		g.Feature, g.Where = Ends, goes.rule.Name
		set(goes.line(goes.rule.Name), stops.line(stops.rule.Name))
		return g
	}
	run := goes.run(s)
	if e.kind != inserts {
		g.Feature, g.Where = Allows, shared(goes.path(run.subset[e.at], run.edges[e.at]), stops)
		if goes.rule.Pos.Line == 0 { // a model, which was learned: the productions of the other are better known
			g.Where = stops.last(s, e.at)
		}
		for _, class := range w.classes {
			if class.bytes.Has(s[e.at]) {
				g.bytes = class.bytes
			}
		}
		if e.at == c.Offset {
			g.bytes = g.bytes.Union(c.bytes)
		}
		out := stops.line(g.Where)
		if out == nil {
			out = stops.line(stops.last(s, e.at))
		}
		set(goes.line(g.Where), out)
		return g
	}
	place := stops.reading(stops.follow(s[:e.at]), stops.like(e.b))
	g.Where = shared(place.Path, goes)
	if len(place.Terms) > 0 {
		g.Needs = place.Terms[0]
	}
	if e.at == len(s) {
		g.Feature = Ends
		set(goes.line(goes.last(s, e.at)), stops.line(g.Where))
		return g
	}
	g.Feature = Omits
	if names := goes.terms(run.edges[e.at]).told(); len(names) > 0 {
		g.Before = names[0]
	}
	set(goes.line(goes.last(s, e.at)), stops.line(g.Where))
	return g
}

// shared returns the innermost production on a path that the other side has as well, since a reader of both texts looks for
// that; the innermost of all where there is none but the first.
func shared(path []string, other *tracker) string {
	for i := len(path) - 1; i > 0; i-- {
		if _, err := other.side.Grammar.Lookup(path[i]); err == nil {
			return path[i]
		}
	}
	return path[len(path)-1]
}

// line returns a production as printed, nil where the start production uses none, or several, of that name.
func (t *tracker) line(name string) *Line {
	var r *expr.Rule
	for _, id := range t.side.Grammar.Reach(t.rule.ID) {
		if other := t.side.Grammar.Rule(id); other != nil && other.Name == name {
			if r != nil {
				return nil
			}
			r = other
		}
	}
	if r == nil || r.Pos.Line == 0 { // no text prints it
		return nil
	}
	place := r.Place(t.party().Title)
	if t.side.File && r.Pos.Line > 0 {
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

// follow returns the subset that s leads to.
func (t *tracker) follow(s string) int {
	n := 0
	for i := range len(s) {
		n = t.step(n, s[i])
	}
	return n
}

// alike reports whether the minimal automaton does not tell two bytes apart.
func (t *tracker) alike(b, c byte) bool { return t.dfa.ClassOf(b) == t.dfa.ClassOf(c) }

// like returns the bytes that neither automaton tells from b.
func (t *tracker) like(b byte) (bytes expr.Set) {
	for x := range 256 {
		if t.class[x] == t.class[b] {
			bytes.Add(byte(x))
		}
	}
	return bytes
}

// last returns the innermost production that t is in after the first n bytes of s, as far as it can read them.
func (t *tracker) last(s string, n int) string {
	at := 0
	for i := range n {
		next := t.step(at, s[i])
		if !t.live(next) {
			break
		}
		at = next
	}
	path := t.whole(at)
	return path[len(path)-1]
}

// A run is how a tracker reads a string that it accepts.
type run struct {
	subset []int          // before each byte
	edges  [][]*lang.Edge // for each byte those by which it can be read such that the string is accepted
}

func (t *tracker) run(s string) run {
	r := run{make([]int, len(s)), make([][]*lang.Edge, len(s))}
	n := 0
	for i := range len(s) {
		r.subset[i] = n
		n = t.step(n, s[i])
	}
	useful := map[int32]bool{t.nfa.Final: true} // states from which the rest is accepted
	for i := len(s) - 1; i >= 0; i-- {
		before := map[int32]bool{}
		for _, k := range t.subsets[r.subset[i]] {
			for j := range t.nfa.States[k].Edges {
				e := &t.nfa.States[k].Edges[j]
				if e.Set.Has(s[i]) && slices.ContainsFunc(t.nfa.Closure(e.To), func(to int32) bool { return useful[to] }) {
					before[k] = true
					r.edges[i] = append(r.edges[i], e)
				}
			}
		}
		useful = before
	}
	return r
}

// The kinds of an edit.
const (
	replaces = iota // or deletes
	inserts
)

// An edit is the first of those that repair a string.
type edit struct {
	at   int
	kind int
	b    byte // what is inserted
}

// repair returns the first edit of those that make t accept s, which t does not accept: of the fewest edits of single bytes
// those that begin first. It is not ok if t accepts nothing.
func (t *tracker) repair(s string) (first edit, ok bool) {
	if !t.live(0) {
		return edit{}, false
	}
	// Dijkstra's algorithm over the places (offset, state), each with the first edit that led there.
	type place struct{ at, state int }
	var q repairs
	done := map[place]bool{}
	classes := t.firstBytes()
	state := 0
	push := func(cost, at, state int, first edit) {
		if t.dfa.Live(state) {
			heap.Push(&q, repairing{cost, at, state, first})
		}
	}
	for at := 0; at <= len(s); at++ {
		if at < len(s) {
			push(1, at+1, state, edit{at: at, kind: replaces})
		}
		for _, b := range classes {
			to := t.dfa.Next(state, b)
			if at < len(s) {
				push(1, at+1, to, edit{at: at, kind: replaces})
			}
			if at == len(s) || !t.alike(b, s[at]) { // before a byte like it is the same as after that
				push(1, at, to, edit{at: at, kind: inserts, b: b})
			}
		}
		if at == len(s) {
			break
		}
		if state = t.dfa.Next(state, s[at]); !t.dfa.Live(state) {
			break
		}
	}
	for len(q) > 0 {
		r := heap.Pop(&q).(repairing)
		p := place{r.at, r.state}
		if done[p] {
			continue
		}
		done[p] = true
		if r.at == len(s) && t.dfa.Accepts(r.state) {
			return r.first, true
		}
		if r.at < len(s) {
			push(r.cost, r.at+1, t.dfa.Next(r.state, s[r.at]), r.first)
			push(r.cost+1, r.at+1, r.state, r.first)
		}
		for _, b := range classes {
			to := t.dfa.Next(r.state, b)
			push(r.cost+1, r.at, to, r.first)
			if r.at < len(s) {
				push(r.cost+1, r.at+1, to, r.first)
			}
		}
	}
	return edit{}, false
}

// firstBytes returns the most readable byte of each class of t.dfa.
func (t *tracker) firstBytes() (bytes []byte) {
	for c := range t.dfa.Classes() {
		bytes = append(bytes, readable(t.dfa.ClassSet(c))[0])
	}
	return bytes
}

// A repairing is a place that waits to be looked at.
type repairing struct {
	cost, at, state int
	first           edit
}

// repairs is a heap: the cheapest first; of these the one whose first edit is first, and replaces rather than inserts.
type repairs []repairing

func (q repairs) Len() int      { return len(q) }
func (q repairs) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q repairs) Less(i, j int) bool {
	return cmp.Or(q[i].cost-q[j].cost, q[i].first.at-q[j].first.at, q[i].first.kind-q[j].first.kind, int(q[i].first.b)-int(q[j].first.b)) < 0
}
func (q *repairs) Push(x any) { *q = append(*q, x.(repairing)) }
func (q *repairs) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
