package diff

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A walk is the two sides of a comparison run side by side for as long as both can still accept. Every string that
// exactly one of them accepts leaves it at one place: by the first byte after which the other can accept no more, or by
// ending.
type walk struct {
	a, b    *tracker
	classes []byteClass
	pairs   []pair
	index   map[[2]int]int
	groups  []group
	groupID expr.Numbering[string]
	bytes   [][]expr.Set                   // by group: the byte classes of its causes
	all     *budget.Budget                 // of the comparison
	left    *budget.Budget                 // for explanations
	parts   map[*expr.Rule]map[string]bool // see [explainer.elsewhere]
	kept    int                            // states of what is kept to find out which classes groups explain
	held    int64                          // bytes of the pairs, and of what is made of them
	counts  map[Region]edits               // see [walk.recounts], as far as they are known
	lead    [][]*big.Int                   // see [walk.leads]
	told    []*Group                       // so far
	keyed   map[string]*Group              // by the keys of their edits
}

// A byteClass is bytes that neither side's BNF tells apart.
type byteClass struct {
	bytes expr.Set
	first byte // the most readable one
}

// A pair is a subset of each tracker that one string leads to, both live.
type pair struct {
	a, b  int
	from  int    // the pair before it, in the first string in the order of lang.Compare that leads here
	by    byte   // the last of that string
	depth int    // how long it is
	steps []step // to pairs that are live as well
	exits []exit
}

// access returns the first string in the order of lang.Compare that leads to a pair.
func (w *walk) access(p *pair) string {
	w.a.left.Step(p.depth / 4)
	s := make([]byte, p.depth)
	for ; p.depth > 0; p = &w.pairs[p.from] {
		s[p.depth-1] = p.by
	}
	return string(s)
}

// hold fails where what is kept has become too large.
func (w *walk) hold(bytes int) {
	w.held += int64(bytes)
	w.a.left.Room(w.held)
}

type step struct {
	to    int // in walk.pairs
	bytes int // how many
}

// An exit is where the two part after a pair.
type exit struct {
	group int
	bytes expr.Set
	to    int // the state of the minimal automaton of the side that goes on
}

// A group is a way of parting as a reader tells them apart: who goes on, at what, and in which productions of either
// side; these are in the key of walk.groupID only.
type group struct {
	region Region
	at     At
}

// At is what two languages part at.
type At string

// What two languages can part at. AtStart is for a language without any string.
const (
	AtStart At = "start"
	AtByte  At = "byte"
	AtEnd   At = "end"
)

// newWalk runs the two side by side over all strings.
func newWalk(a, b *tracker, limits lang.Limits) (*walk, error) {
	w := &walk{a: a, b: b, classes: commonClasses(a, b), index: map[[2]int]int{}, keyed: map[string]*Group{}, counts: map[Region]edits{}, parts: map[*expr.Rule]map[string]bool{}}
	a.left = cmp.Or(a.left, b.left)
	b.left = a.left
	if !a.live(0) || !b.live(0) {
		if a.live(0) || b.live(0) {
			w.pairs = []pair{{exits: []exit{w.exit(0, 0, AtStart, expr.Set{})}}}
		}
		return w, nil
	}
	limit := limits.DFA
	if limit <= 0 {
		limit = 1 << 20
	}
	w.enter(pair{})
	for i := 0; i < len(w.pairs); i++ { // breadth-first by readable bytes, so in the order of the access words
		if len(w.pairs) > limit {
			return nil, lang.TooMany(limit, "pairs of states")
		}
		steps, exits := w.expand(i)
		w.pairs[i].steps, w.pairs[i].exits = steps, exits
		w.hold(192 + 16*len(steps) + 64*len(exits))
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

// enter returns the number of a pair.
func (w *walk) enter(p pair) int {
	key := [2]int{p.a, p.b}
	i, ok := w.index[key]
	if !ok {
		i = len(w.pairs)
		w.index[key] = i
		w.pairs = append(w.pairs, p)
	}
	return i
}

// expand finds what follows a pair.
func (w *walk) expand(i int) (steps []step, exits []exit) {
	p := w.pairs[i]
	if w.a.accepts(p.a) != w.b.accepts(p.b) {
		exits = append(exits, w.exit(p.a, p.b, AtEnd, expr.Set{}))
	}
	w.a.left.Step(2 * len(w.classes))
	for _, c := range w.classes {
		a, b := w.a.step(p.a, c.first), w.b.step(p.b, c.first)
		switch la, lb := w.a.live(a), w.b.live(b); {
		case la && lb:
			steps = append(steps, step{w.enter(pair{a: a, b: b, from: i, by: c.first, depth: p.depth + 1}), c.bytes.Len()})
		case la || lb:
			x := w.exit(p.a, p.b, AtByte, c.bytes)
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

// exit returns the exit after the subsets a and b by one class of bytes, by the end, or because one side has no strings.
func (w *walk) exit(a, b int, at At, bytes expr.Set) exit {
	g := group{OnlyA, at}
	x := exit{bytes: bytes, to: w.a.state[a]}
	switch at {
	case AtStart:
		if !w.a.live(a) {
			g.region, x.to = OnlyB, w.b.state[b]
		}
	case AtEnd:
		if !w.a.accepts(a) {
			g.region, x.to = OnlyB, w.b.state[b]
		}
	case AtByte:
		first := bytes.Members()[0]
		if to := w.a.step(a, first); w.a.live(to) {
			x.to = w.a.state[to]
		} else {
			g.region, x.to = OnlyB, w.b.state[w.b.step(b, first)]
		}
	}
	pa, pb := w.paths(a, b, g, bytes)
	id, fresh := w.groupID.Of(fmt.Sprint(g, strings.Join(pa, " "), "\n", strings.Join(pb, " ")))
	if fresh {
		w.groups = append(w.groups, g)
	}
	x.group = id
	return x
}

// paths returns the paths of the places where the two part.
func (w *walk) paths(a, b int, g group, bytes expr.Set) (pa, pb []string) {
	pa, pb = w.a.whole(a), w.b.whole(b)
	switch {
	case g.at == AtByte && g.region == OnlyA:
		pa = w.a.path(a, w.a.readers(a, bytes))
	case g.at == AtByte:
		pb = w.b.path(b, w.b.readers(b, bytes))
	}
	return pa, pb
}

// places returns where the two sides are where they part: the one that goes on with what it reads, the other with what it
// expects.
func (w *walk) places(a, b int, g group, bytes expr.Set) (pa, pb Place) {
	pathA, pathB := w.paths(a, b, g, bytes)
	read, expected := w.terms(a, b, g, bytes)
	on, off := read.told(), expected.told()
	if g.at == AtEnd {
		on = []string{ast.EndOfInput}
	}
	if g.region == OnlyB {
		on, off = off, on
	}
	return w.a.at(pathA, on), w.b.at(pathB, off)
}

// terms returns what the side that goes on reads, and what the other expects, where places are.
func (w *walk) terms(a, b int, g group, bytes expr.Set) (read, expected *terms) {
	goes, stops := w.sides(g.region)
	at, end := a, b
	if g.region == OnlyB {
		at, end = b, a
	}
	read = &terms{}
	switch g.at {
	case AtByte:
		read = goes.terms(goes.readers(at, bytes))
	case AtStart:
		read = goes.expected(at)
	}
	return read, stops.expected(end)
}

// codePoints reports whether the texts have code points.
func (w *walk) codePoints() bool { return w.a.side.Grammar.CodePoints || w.b.side.Grammar.CodePoints }

// pointStart returns where the code point begins that an offset of s is in.
func (w *walk) pointStart(s string, offset int) int {
	for w.codePoints() && !utf8.ValidString(s[:offset]) {
		offset--
	}
	return offset
}

// point returns the code point outside of ASCII that an offset of s is in, "" if there is none.
func (w *walk) point(s string, offset int) string {
	at := w.pointStart(s, offset)
	if _, size := utf8.DecodeRuneInString(s[at:]); w.codePoints() && size > 1 {
		return s[at : at+size]
	}
	return ""
}

// read returns what c is read at, of texts that have code points the bytes of ASCII and some code points beyond.
func (w *walk) read(c *Cause) (ascii expr.Set, words []string) {
	if !w.codePoints() {
		return c.bytes, nil
	}
	s := string(c.Witness)
	if point := w.point(s, c.Offset); point != "" {
		return expr.Set{}, []string{point}
	}
	ascii = c.bytes.Intersect(expr.Range(0, utf8.RuneSelf-1))
	goes, _ := w.sides(c.Region)
	q := goes.dfa.Run(0, s[:c.Offset])
	if ascii != c.bytes {
		words = points(func(word string) bool { return c.bytes.Has(word[0]) && goes.dfa.Live(goes.dfa.Run(q, word)) })
	}
	return ascii, words
}
