package diff

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A walk is the two sides of a comparison run side by side, for as long as both can still accept. Every string that
// exactly one of them accepts leaves the walk at one place: by the first byte after which the other can accept no
// more, or by ending.
type walk struct {
	a, b          *tracker
	classes       []byteClass
	pairs         []pair
	index         map[[2]int]int
	groups        []group
	groupID       expr.Numbering[groupKey]
	causeClasses  [][]expr.Set                   // by group: the byte classes of its causes
	wholeBudget   *budget.Budget                 // of the whole comparison
	explainBudget *budget.Budget                 // for explanations
	parts         map[*expr.Rule]map[string]bool // see [explainer.occursElsewhere]
	kept          int                            // states kept to decide which classes an edit explains
	held          int64                          // bytes that the pairs take, and what is made of them
	textual       map[Region]edits               // see [walk.textualEdits], as far as known
	leadingCounts [][]*big.Int                   // see [walk.countLeading]
	groupsSoFar   []*Group                       // the groups made so far
	groupByKey    map[string]*Group              // the groups, by the key of their edits
}

// A byteClass is a set of bytes that neither side's grammar tells apart.
type byteClass struct {
	bytes expr.Set
	first byte // the most readable one
}

// A pair is a subset of each tracker that one string leads to, both live.
type pair struct {
	a, b  int
	from  int    // the pair before it, in the first string in the order of lang.Compare that leads here
	by    byte   // the last byte of that string
	depth int    // the length of that string
	steps []step // to the next pairs, which are live as well
	exits []exit
}

// firstWord returns the first string in the order of lang.Compare that leads to a pair.
func (w *walk) firstWord(p *pair) string {
	w.a.budget.Step(p.depth / 4)
	s := make([]byte, p.depth)
	for ; p.depth > 0; p = &w.pairs[p.from] {
		s[p.depth-1] = p.by
	}
	return string(s)
}

// chargeHeld adds to the memory that is kept, and panics if it has become too large.
func (w *walk) chargeHeld(bytes int) {
	w.held += int64(bytes)
	w.a.budget.Room(w.held)
}

type step struct {
	to    int // in walk.pairs
	bytes int // the number of bytes that lead there
}

// An exit is one way to part after a pair.
type exit struct {
	group int
	bytes expr.Set
	to    int // the state of the minimal automaton of the side that goes on
}

// A group is a way of parting as a reader sees it: which side goes on, at what, and in which productions of
// either side. The productions are only in the key of walk.groupID.
type group struct {
	region Region
	at     At
}

// A groupKey is a group with the paths down to the productions of the two sides.
type groupKey struct {
	group
	a, b string
}

// An At says at what two languages part.
type At string

// The values of At. AtStart is for a language without any string.
const (
	AtStart At = "start"
	AtByte  At = "byte"
	AtEnd   At = "end"
)

// newWalk runs the two sides side by side over all strings. From then on both take their steps from one budget: that
// of a or, if a has none, that of b. If one side has no strings there is one pair alone, at which the other goes on;
// if neither has, there is none. It fails if there are more pairs than limits.DFA, or its default, and panics where
// the budget is used up.
func newWalk(a, b *tracker, limits lang.Limits) (*walk, error) {
	w := &walk{
		a:          a,
		b:          b,
		classes:    commonClasses(a, b),
		index:      map[[2]int]int{},
		parts:      map[*expr.Rule]map[string]bool{},
		textual:    map[Region]edits{},
		groupByKey: map[string]*Group{},
	}
	a.budget = cmp.Or(a.budget, b.budget)
	b.budget = a.budget
	if !a.isLive(0) || !b.isLive(0) {
		if a.isLive(0) || b.isLive(0) {
			w.pairs = []pair{{exits: []exit{w.exitAfter(0, 0, AtStart, expr.Set{})}}}
		}
		return w, nil
	}
	limit := limits.DFA
	if limit <= 0 {
		limit = 1 << 20
	}
	w.numberOf(pair{})
	for i := 0; i < len(w.pairs); i++ { // breadth-first by readable bytes, so in the order of the access words
		if len(w.pairs) > limit {
			return nil, lang.TooMany(limit, "pairs of states")
		}
		steps, exits := w.expandPair(i)
		w.pairs[i].steps, w.pairs[i].exits = steps, exits
		w.chargeHeld(192 + 16*len(steps) + 64*len(exits))
	}
	return w, nil
}

// commonClasses returns the byte classes of the two sides together, in the order of their most readable bytes.
func commonClasses(a, b *tracker) []byteClass {
	var classes []byteClass
	var pairs expr.Numbering[[2]uint8]
	for _, x := range lang.InOrder(expr.AnyByte) {
		c, fresh := pairs.Of([2]uint8{a.class[x], b.class[x]})
		if fresh {
			classes = append(classes, byteClass{first: x})
		}
		classes[c].bytes.Add(x)
	}
	return classes
}

// numberOf returns the number of a pair, which it adds if it is new.
func (w *walk) numberOf(p pair) int {
	key := [2]int{p.a, p.b}
	i, ok := w.index[key]
	if !ok {
		i = len(w.pairs)
		w.index[key] = i
		w.pairs = append(w.pairs, p)
	}
	return i
}

// expandPair returns the steps and exits after a pair. It numbers the pairs that the steps lead to, new ones
// included.
func (w *walk) expandPair(i int) (steps []step, exits []exit) {
	p := w.pairs[i]
	if w.a.accepts(p.a) != w.b.accepts(p.b) {
		exits = append(exits, w.exitAfter(p.a, p.b, AtEnd, expr.Set{}))
	}
	w.a.budget.Step(2 * len(w.classes))
	for _, c := range w.classes {
		a, b := w.a.step(p.a, c.first), w.b.step(p.b, c.first)
		switch la, lb := w.a.isLive(a), w.b.isLive(b); {
		case la && lb:
			next := w.numberOf(pair{a: a, b: b, from: i, by: c.first, depth: p.depth + 1})
			steps = append(steps, step{next, c.bytes.Len()})
		case la || lb:
			x := w.exitAfter(p.a, p.b, AtByte, c.bytes)
			same := func(y exit) bool { return y.group == x.group && y.to == x.to }
			if i := slices.IndexFunc(exits, same); i >= 0 {
				exits[i].bytes = exits[i].bytes.Union(x.bytes)
			} else {
				exits = append(exits, x)
			}
		}
	}
	return steps, exits
}

// exitAfter returns the exit from the subsets a and b: by a byte of a class, by the end, or because one side has no
// strings. Exits at the same places have one group, which is added to w.groups the first time.
func (w *walk) exitAfter(a, b int, at At, bytes expr.Set) exit {
	g := group{OnlyA, at}
	x := exit{bytes: bytes, to: w.a.state[a]}
	switch at {
	case AtStart:
		if !w.a.isLive(a) {
			g.region, x.to = OnlyB, w.b.state[b]
		}
	case AtEnd:
		if !w.a.accepts(a) {
			g.region, x.to = OnlyB, w.b.state[b]
		}
	case AtByte:
		first := bytes.Members()[0]
		if to := w.a.step(a, first); w.a.isLive(to) {
			x.to = w.a.state[to]
		} else {
			g.region, x.to = OnlyB, w.b.state[w.b.step(b, first)]
		}
	}
	pa, pb := w.pathsAt(a, b, g, bytes)
	id, fresh := w.groupID.Of(groupKey{g, strings.Join(pa, " "), strings.Join(pb, " ")})
	if fresh {
		w.groups = append(w.groups, g)
	}
	x.group = id
	return x
}

// pathsAt returns the paths of the places where the two part. For the side that goes on at a byte, only the
// productions that read the bytes count; otherwise all that can be read counts. The caller must not change them.
func (w *walk) pathsAt(a, b int, g group, bytes expr.Set) (pa, pb []string) {
	switch {
	case g.at != AtByte:
		return w.a.fullPath(a), w.b.fullPath(b)
	case g.region == OnlyA:
		return w.a.pathTaking(a, w.a.edgesReading(a, bytes)), w.b.fullPath(b)
	}
	return w.a.fullPath(a), w.b.pathTaking(b, w.b.edgesReading(b, bytes))
}

// placesAt returns the places of A and B where the two part, each with its terms: those that the side that goes on
// reads, the end of the input if the two part there, and those that the other expects.
func (w *walk) placesAt(a, b int, g group, bytes expr.Set) (pa, pb Place) {
	pathA, pathB := w.pathsAt(a, b, g, bytes)
	read, expected := w.termsAt(a, b, g, bytes)
	on, off := read.shownNames(), expected.shownNames()
	if g.at == AtEnd {
		on = []string{ast.EndOfInput}
	}
	if g.region == OnlyB {
		on, off = off, on
	}
	return w.a.placeAt(pathA, on), w.b.placeAt(pathB, off)
}

// termsAt returns the terms that the side that goes on reads, and those that the other expects, at the exit of group
// g from two subsets. At the end the former reads none.
func (w *walk) termsAt(a, b int, g group, bytes expr.Set) (read, expected *terms) {
	goes, stops := w.sidesOf(g.region)
	at, end := a, b
	if g.region == OnlyB {
		at, end = b, a
	}
	read = &terms{}
	switch g.at {
	case AtByte:
		read = goes.termsOf(goes.edgesReading(at, bytes))
	case AtStart:
		read = goes.termsAfter(at)
	}
	return read, stops.termsAfter(end)
}

// codePoints reports whether the texts have code points.
func (w *walk) codePoints() bool { return w.a.side.Grammar.CodePoints || w.b.side.Grammar.CodePoints }

// pointStart returns the offset at which the code point around an offset of s begins.
func (w *walk) pointStart(s string, offset int) int {
	for w.codePoints() && !utf8.ValidString(s[:offset]) {
		offset--
	}
	return offset
}

// pointAt returns the code point beyond ASCII around an offset of s, "" if there is none.
func (w *walk) pointAt(s string, offset int) string {
	at := w.pointStart(s, offset)
	if _, size := utf8.DecodeRuneInString(s[at:]); w.codePoints() && size > 1 {
		return s[at : at+size]
	}
	return ""
}

// readAtCause returns the bytes that c is read at. If the texts have code points these are only the bytes of ASCII,
// and words has some code points beyond.
func (w *walk) readAtCause(c *Cause) (ascii expr.Set, words []string) {
	if !w.codePoints() {
		return c.bytes, nil
	}
	s := string(c.Witness)
	if point := w.pointAt(s, c.Offset); point != "" {
		return expr.Set{}, []string{point}
	}
	ascii = c.bytes.Intersect(expr.Range(0, utf8.RuneSelf-1))
	goes, _ := w.sidesOf(c.Region)
	q := goes.dfa.Run(0, s[:c.Offset])
	if ascii == c.bytes {
		return ascii, nil
	}
	const begin, never = -1, -2 // beside the states
	next := func(at int, b byte) int {
		switch {
		case at == begin && c.bytes.Has(b):
			return goes.dfa.Next(q, b)
		case at < 0:
			return never
		}
		return goes.dfa.Next(at, b)
	}
	return ascii, firstPoints(begin, next, func(at int) bool { return at >= 0 && goes.dfa.Live(at) })
}
