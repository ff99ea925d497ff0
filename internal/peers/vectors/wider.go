package vectors

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A wider parser accepts all words of the language, and others. The mutants model that: they allow one more byte of
// each class of the automaton in the place of another byte. So they leave out most of the bytes that no word
// contains, and never insert one. Yet what programs take besides is just that: a space or a newline at an end, "_"
// between digits, a digit of another script.
//
// So a suite also has wider words, which need no search. A gap is a beginning and an end of words, between which a
// word of the language has nothing, or one part. A text is put into the gap. If no word goes on with that text
// after the beginning, the result is not in the language, and kills every parser that takes the text there and is
// the grammar otherwise. If some word does go on so, the result may be in the language: to find an end that tells
// the two apart is left to the mutants.
//
// The gaps are those of the places in the grammar, which the automaton of the mutants knows, and those of the
// states of the language's own automaton. The latter has more beginnings: those in the second round of a
// repetition, say.

// The gaps of a suite are of these two sorts.
const (
	ofPlaces = iota // in the grammar
	ofStates        // of the language's automaton
	gapSorts
)

// A Wider is the words of a suite that try what may stand in the gaps.
type Wider struct {
	Words []string // in the order of lang.Compare, each once

	// Kinds has, for each sort of gaps, how many of kinds are tried in each of them; they are the first ones.
	Kinds [gapSorts]int
}

// Guarantee describes the parsers that the words tell from the grammar, as a clause that goes on about "an
// implementation"; "" if there are none.
func (w *Wider) Guarantee() string {
	const clause = "; nor is it the grammar with all characters of one of %s kinds allowed at one place" +
		" where no string has one"
	switch n := w.Kinds[ofPlaces]; {
	case n == 0:
		return ""
	case n < loneKinds:
		return fmt.Sprintf(clause, fmt.Sprintf("%d of %d", n, loneKinds))
	}
	return fmt.Sprintf(clause, strconv.Itoa(loneKinds))
}

// Programs that are started for each string are slow, so the words are few: up to fewWider, each kind is tried in
// each gap; up to maxWider, only those kinds that are not lone, and only in the gaps of places. No words beyond
// maxWiderBytes are made.
const (
	fewWider      = 5_000
	maxWider      = 12_000
	maxWiderBytes = 8 << 20
)

// A kind is what a gap is filled with: any byte of a set that programs treat alike, or else a text of several bytes. A
// lone kind is a single letter or digit, which the kind of all letters or digits has, too.
type kind struct {
	set  expr.Set
	text string
	lone bool
}

// kinds are what is put into gaps. Together the sets have all bytes. White space and the signs that people write
// between digits and words come first, for a suite that has no room for all, and the lone kinds last.
var kinds = func() (list []kind) {
	add := func(s expr.Set) { list = append(list, kind{set: s}) }
	for _, x := range []byte(" \n_-.\t\r+,:/;%") {
		add(singleByte(x))
	}
	list = append(list, kind{text: "\r\n"})
	add(expr.Range('0', '9'))
	add(expr.Range('a', 'z'))
	add(expr.Range('A', 'Z'))
	add(singleByte(0))
	add(expr.Range(0x80, 0xff))
	for _, s := range []string{
		"\u0661",       // the digit one of Arabic script
		"\u00e9",       // é, a letter
		"\u212a",       // the Kelvin sign, a "k" if case is ignored
		"\u017f",       // the long s, an "s" if case is ignored
		"\u00a0",       // the no-break space
		"\u2028",       // the line separator
		"\ufeff",       // the byte order mark, which many remove
		"\u00b2",       // the superscript two, a digit to some
		"\uff11",       // the digit one of full width, which is "1" once a text is normalized
		"\uff41",       // the letter a of full width, likewise
		"\u0301",       // a combining accent, which belongs to the letter before it
		"\u200b",       // the zero width space, which many remove
		"\u2010",       // a hyphen that is no "-"
		"\u3002",       // a full stop that is a "." in names of hosts
		"\U0001f600",   // a character beyond 16 bits
		"\xed\xa0\x80", // half of a surrogate pair, which is no UTF-8
		"\xc0\xaf",     // a "/" in two bytes, which is no UTF-8 either
		"%41",          // an "A" once it is decoded
		"%31",          // a "1"
		"0x1",          // a number of C
	} {
		list = append(list, kind{text: s})
	}
	alphanumeric := expr.Range('0', '9').Union(expr.Range('A', 'Z')).Union(expr.Range('a', 'z'))
	rest := expr.Range(0, 0xff) // the bytes in no set so far
	for _, k := range list {
		rest = rest.Minus(k.set)
	}
	for _, x := range rest.Intersect(expr.Range('!', '~')).Members() { // other punctuation
		add(singleByte(x))
	}
	white := "\v\f"
	for _, x := range []byte(white + "\x7f") {
		add(singleByte(x))
	}
	add(rest.Intersect(expr.Range(0, 0x1f)).Minus(expr.Bytes(white))) // other controls
	for _, x := range alphanumeric.Members() {
		list = append(list, kind{set: singleByte(x), lone: true})
	}
	return list
}()

// fewKinds is how many kinds are worth trying: of fewer, a suite that has no room for more tries none.
const fewKinds = 4

// loneKinds is the index of the first lone kind, and so the number of those before.
var loneKinds = slices.IndexFunc(kinds, func(k kind) bool { return k.lone })

// textAfter returns a text of the kind: its only one, or else the most readable of its bytes that no word goes on with
// after the state q. If words go on with each of its bytes, it is the most readable of all.
func (k *kind) textAfter(a *lang.DFA, q int) string {
	if k.text != "" {
		return k.text
	}
	rest := k.set.Minus(a.Viable(q))
	if rest.IsEmpty() {
		rest = k.set
	}
	return string([]byte{mostReadable(rest)})
}

// A gap is a beginning and an end of words, between which a text is tried.
type gap struct{ before, after string }

// spareWider returns the wider words of the subject, or none if they take more than a quarter of the steps that the
// budget has in all. They are not charged to it: what a suite can do without takes no steps from the rest. m is as
// in widerWords.
func (s *Subject) spareWider(m *marker) (wider Wider) {
	find := func() (err error) {
		defer budget.Catch(&err)
		a := s.DFA
		if b := a.Budget(); b != nil {
			a = a.Charged(b.Part(int64(b.Share(2))))
		}
		wider = widerWords(a, m)
		return nil
	}
	if find() != nil {
		return Wider{}
	}
	return wider
}

// widerWords returns the wider words for an automaton. m has the marked one of the same grammar; it is nil if that
// is too large, and then there are only the gaps of states. It panics if the steps are used up.
func widerWords(a *lang.DFA, m *marker) Wider {
	var wider Wider
	seen := map[string]bool{}
	size, full := 0, false
	add := func(w string) {
		a.Budget().Step(1 + len(w)/8)
		switch {
		case seen[w]:
		case size >= maxWiderBytes:
			full = true
		default:
			seen[w] = true
			size += len(w)
			wider.Words = append(wider.Words, w)
		}
	}
	add("") // a parser that asks for nothing takes it
	var gaps [gapSorts][]gap
	if m != nil {
		var doubled []string
		gaps[ofPlaces], doubled = m.gapsOfPlaces(a.Budget())
		for _, w := range doubled {
			add(w)
		}
	}
	for _, w := range largeNumbers(a) {
		add(w)
	}
	gaps[ofStates] = gapsOfStates(a)
	for sort, list := range gaps {
		list = sortedGaps(list)
		for _, g := range list {
			add(g.before + g.after)
		}
		wider.Kinds[sort] = kindsFor(sort, len(list), len(wider.Words))
		for _, g := range list {
			q := a.Run(0, g.before)
			for _, k := range kinds[:wider.Kinds[sort]] {
				w := g.before + k.textAfter(a, q) + g.after
				if !k.lone || !a.Match(w) { // a letter that fits there tells nothing
					add(w)
				}
			}
		}
	}
	if full { // not all words are there that Kinds promises
		wider.Kinds = [gapSorts]int{}
	}
	slices.SortFunc(wider.Words, lang.Compare)
	return wider
}

// sortedGaps sorts gaps, the shortest word first, and returns each once.
func sortedGaps(list []gap) []gap {
	slices.SortFunc(list, func(g, h gap) int {
		return cmp.Or(lang.Compare(g.before+g.after, h.before+h.after), lang.Compare(g.before, h.before))
	})
	return slices.Compact(list)
}

// kindsFor returns how many kinds, the first ones, are tried in each of so many gaps of a sort, if there are so many
// words already: see fewWider. It returns 0 if there is no room for fewKinds.
func kindsFor(sort, gaps, words int) int {
	if gaps == 0 {
		return 0
	}
	n := min(len(kinds), (fewWider-words)/gaps)
	if sort == ofPlaces {
		n = max(n, min(loneKinds, (maxWider-words)/gaps))
	}
	if n < fewKinds {
		return 0
	}
	return n
}

// maxNumbers caps the words that largeNumbers returns.
const maxNumbers = 1000

// largeNumbers returns a word for each state that takes any number of digits and each of the numbers that programs have
// trouble with: the number stands after the first word that leads to the state, and before its first ending. All of
// these words are in the language. If they are too many, those of the states with the longest beginnings are left out.
func largeNumbers(a *lang.DFA) (list []string) {
	ending := a.Endings()
	for q, before := range a.AccessWords() {
		after, ok := ending(q)
		for x := byte('0'); ok && x <= '9'; x++ {
			ok = a.Next(q, x) == q
		}
		switch {
		case !ok:
			continue
		case len(list) >= maxNumbers:
			return list
		}
		for _, n := range append(slices.Clip(numbers), "18446744073709551616") { // beyond 64 bits
			list = append(list, before+n+after)
		}
	}
	return list
}

// gapsOfStates returns the gaps after the first word that leads to each live state: for each class of bytes that goes
// on from there, that before a byte of it, and that in the place of the byte; and the gap at the end, if the state
// accepts. What a gap has after it is the first word that is accepted from there. The gaps are in the order of the
// states; that at the end is the first of its state.
func gapsOfStates(a *lang.DFA) (list []gap) {
	ending := a.Endings()
	for q, before := range a.AccessWords() {
		if a.Dead(q) {
			continue
		}
		if a.Accepts(q) {
			list = append(list, gap{before, ""})
		}
		for c := range a.Classes() {
			if after, ok := ending(a.NextClass(q, c)); ok {
				list = append(list, gap{before, string([]byte{a.Readable(c)}) + after})
				list = append(list, gap{before, after})
			}
		}
	}
	return list
}

// gapsOfPlaces returns the gaps of each term and of each expression, at each use of the production that it stands
// in: those before, after and in the place of a shortest text of it, in a shortest word around that text. doubled
// has the words in which the text stands twice. It panics if the steps of b are used up.
func (m *marker) gapsOfPlaces(b *budget.Budget) (list []gap, doubled []string) {
	steps := len(m.arcs)
	for q := range m.arcs {
		steps += len(m.arcs[q]) + len(m.edges[q])
	}
	b.Step(steps)
	begin, end := m.walkFrom(0, m.adjacent()), m.walkFrom(m.final, m.adjacentBackward())
	inWord := func(q int32) bool { return begin.met[q] && end.met[q] }
	add := func(p part, text string) {
		before, after := begin.wordTo(p.from, true), end.wordTo(p.to, false)
		b.Step(1 + (len(before)+len(text)+len(after))/2)
		list = append(list, gap{before, text + after})
		list = append(list, gap{before + text, after})
		list = append(list, gap{before, after})
		doubled = append(doubled, before+text+text+after)
	}
	// A term has the same number at all its places in one use, as in the rounds of a counted repetition.
	shortest := map[int32]part{} // by term
	text := map[int32]byte{}     // by term
	var terms []int32            // in the order in which they were found
	for q := range int32(len(m.arcs)) {
		if !inWord(q) {
			continue
		}
		for _, e := range m.edges[q] {
			if e.term < 0 || !inWord(e.to) || e.set.IsEmpty() { // without a term, only a mutant has the edge
				continue
			}
			known, ok := shortest[e.term]
			if !ok {
				terms = append(terms, e.term)
			} else if begin.length[q]+end.length[e.to] >= begin.length[known.from]+end.length[known.to] {
				continue
			}
			shortest[e.term], text[e.term] = part{q, e.to}, mostReadable(e.set)
		}
	}
	for _, t := range terms {
		add(shortest[t], string([]byte{text[t]}))
	}
	within := newWalk(len(m.arcs))
	for _, p := range m.parts {
		if !inWord(p.from) || !inWord(p.to) {
			continue
		}
		b.Step(m.walkWithin(within, p))
		if within.met[p.to] {
			add(p, within.wordTo(p.to, true))
		}
		within.reset()
	}
	return list, doubled
}

// A part is the two states between which the automaton has the paths of an expression, at one use of its
// production.
type part struct{ from, to int32 }

// A walk is what a breadth-first search found: for each state that it met, the last step of a shortest way there.
// For other states length and by mean nothing.
type walk struct {
	met    []bool
	length []int32 // how many bytes the way reads
	by     []hop
	order  []int32 // the states that were met
}

// A hop is the last step of the way to a state. It comes from another state, and may read a byte; that to the start
// comes from the start.
type hop struct {
	from  int32
	byte  byte
	reads bool
}

// A neighbor is a state that one step leads to. The step reads a byte of set, which must not be changed, or nothing
// if set is nil.
type neighbor struct {
	to  int32
	set *expr.Set
}

// newWalk returns a walk through n states that has met none.
func newWalk(n int) *walk {
	return &walk{met: make([]bool, n), length: make([]int32, n), by: make([]hop, n)}
}

// reset forgets the states that were met, in time that grows with their number alone.
func (w *walk) reset() {
	for _, q := range w.order {
		w.met[q] = false
	}
	w.order = w.order[:0]
}

// adjacent returns a function that lists the neighbors of a state in the grammar's own automaton: arcs with a
// closed gate, which only mutants have, are not there. A list is good until the next call.
func (m *marked) adjacent() func(q int32) []neighbor {
	var list []neighbor
	return func(q int32) []neighbor {
		list = list[:0]
		for _, a := range m.arcs[q] {
			if a.gate < 0 || m.gates[a.gate].open {
				list = append(list, neighbor{to: a.to})
			}
		}
		for i := range m.edges[q] {
			if e := &m.edges[q][i]; !e.set.IsEmpty() {
				list = append(list, neighbor{e.to, &e.set})
			}
		}
		return list
	}
}

// adjacentBackward is adjacent with all steps reversed.
func (m *marked) adjacentBackward() func(q int32) []neighbor {
	back := make([][]neighbor, len(m.arcs))
	forward := m.adjacent()
	for q := range int32(len(m.arcs)) {
		for _, n := range forward(q) {
			back[n.to] = append(back[n.to], neighbor{q, n.set})
		}
	}
	return func(q int32) []neighbor { return back[q] }
}

// nowhere is no state.
const nowhere = -1

// walkFrom walks from a state to all that it leads to.
func (m *marked) walkFrom(start int32, neighbors func(q int32) []neighbor) *walk {
	w := newWalk(len(m.arcs))
	w.run(start, nowhere, neighbors)
	return w
}

// walkWithin walks from the beginning of a part to its end, past which no state is met: all paths out of a part
// lead through its end. It returns how many states it met. The walk must be new or reset.
func (m *marked) walkWithin(w *walk, p part) int {
	w.run(p.from, p.to, m.adjacent())
	return len(w.order)
}

// run walks from a state until it comes to stop, or through all if that is nowhere. In rounds, it takes all steps
// that read nothing, and then those that read one byte, so that the ways are shortest in bytes. The walk must be
// new or reset.
func (w *walk) run(start, stop int32, neighbors func(q int32) []neighbor) {
	// A list of neighbors is good until the next call, so it is asked for twice: a state's steps that read a byte come
	// after those of all other states that read nothing.
	meet := func(q int32, by hop, length int32) {
		w.met[q], w.by[q], w.length[q] = true, by, length
		w.order = append(w.order, q)
	}
	meet(start, hop{from: start}, 0)
	for level := 0; level < len(w.order); {
		for i := level; i < len(w.order); i++ { // meet makes it longer
			q := w.order[i]
			if q == stop {
				return
			}
			for _, n := range neighbors(q) {
				if n.set == nil && !w.met[n.to] {
					meet(n.to, hop{from: q}, w.length[q])
				}
			}
		}
		end := len(w.order)
		for _, q := range w.order[level:end] {
			for _, n := range neighbors(q) {
				if n.set != nil && !w.met[n.to] {
					meet(n.to, hop{q, mostReadable(*n.set), true}, w.length[q]+1)
				}
			}
		}
		level = end
	}
}

// wordTo returns the bytes on the way from the start to q, which must have been met; reversed, if forward is false,
// as a walk against the steps needs them.
func (w *walk) wordTo(q int32, forward bool) string {
	word := make([]byte, 0, w.length[q])
	for {
		by := w.by[q]
		if by.reads {
			word = append(word, by.byte)
		}
		if by.from == q {
			break
		}
		q = by.from
	}
	if forward {
		slices.Reverse(word)
	}
	return string(word)
}
