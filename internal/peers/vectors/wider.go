package vectors

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The mutants of a class gain one byte of each class of the automaton, so they leave out most of the bytes that no
// word of the language contains. And they gain it in place of another byte, not next to it. Yet what programs take
// besides is just that: a space or a newline at an end, "_" between digits, a digit of another script.
//
// So a suite also has wider words, which need no search. A gap is a beginning and an end that fit together: there is
// a word of the language in which at most one part stands between them. Whatever stands in the gap, a parser that
// takes it there, and is the grammar otherwise, accepts the word. If the grammar rejects the word, it kills that
// parser. It does so wherever no word goes on with that byte; where some word does, only the mutants know an end that
// tells the two ways apart. The gaps are those of the places in the grammar, which the automaton of the mutants knows,
// and those of the states of the language's own automaton, which knows more beginnings: that of a second round, say.

// A Wider is the words of a suite that try what may stand in the gaps.
type Wider struct {
	Words []string // in the order of lang.Compare, each once

	// Kinds are how many of the first characters of all are tried in each gap of the places in the grammar, and in
	// each gap of the states of the automaton.
	Kinds [2]int
}

// Guarantee returns in words which implementations the words tell from the grammar.
func (w *Wider) Guarantee() string {
	if w.Kinds[0] == 0 {
		return ""
	}
	kinds := fmt.Sprintf("any of %d kinds", classKinds)
	if n := w.Kinds[0]; n < classKinds {
		kinds = fmt.Sprintf("%d of %d kinds", n, classKinds)
	}
	return fmt.Sprintf("; nor is it the grammar with a character of %s allowed at one place where no string has it", kinds)
}

// maxWider caps the number of wider words, and maxWiderBytes their bytes. Programs that are started for each string
// are slow, so beyond fewWider there are no more words than the kinds of bytes need at each place in the grammar.
const (
	fewWider      = 5_000
	maxWider      = 12_000
	maxWiderBytes = 8 << 20
)

// A kind is a set of bytes that programs treat alike, or else one character of several bytes. A single one is a letter
// or a digit by itself.
type kind struct {
	set    expr.Set
	text   string
	single bool
}

// kinds are what is put into gaps. The bytes of the sets are all bytes. Those that programs are most often found to
// take come first, for a suite that has not room for all.
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
		"\u0661", // a digit to what knows Unicode
		"\u00e9", // a letter
		"\u212a", // the Kelvin sign, which is a "k" if case is ignored
		"\u017f", // the long s
		"\u00a0", // white space
		"\u2028", // the end of a line
		"\ufeff", // the mark of the byte order, which many remove
	} {
		list = append(list, kind{text: s})
	}
	rest := expr.Range(0, 0xff)
	for _, k := range list {
		rest = rest.Minus(k.set)
	}
	for x := byte('!'); x <= '~'; x++ {
		if rest.Has(x) {
			add(singleByte(x))
		}
	}
	for _, x := range []byte("\v\f\x7f") {
		add(singleByte(x))
	}
	add(rest.Intersect(expr.Range(0, 0x1f)).Minus(expr.Bytes("\v\f")))
	for x := byte('0'); x <= 'z'; x++ {
		if !rest.Has(x) && x != ':' && x != ';' && x != '_' { // a letter or a digit
			list = append(list, kind{set: singleByte(x), single: true})
		}
	}
	return list
}()

// fewKinds is how many kinds are worth trying.
const fewKinds = 4

// classKinds is how many of kinds are not single.
var classKinds = slices.IndexFunc(kinds, func(k kind) bool { return k.single })

// textAfter returns a text of the kind: a byte that no word goes on with after the state q, if the kind has one.
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

// A gap is a beginning and an end of a word.
type gap struct{ before, after string }

// spareWider returns the wider words of the subject, or none if they take more than a quarter of the budget. They are
// not charged to the budget.
func (s *Subject) spareWider(m *marker) *Wider {
	wider := &Wider{}
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
		return &Wider{}
	}
	return wider
}

// widerWords returns the wider words for an automaton. m has the marked one of the same grammar; it is nil if that is
// too large. Then only the gaps of states are there.
func widerWords(a *lang.DFA, m *marker) *Wider {
	seen := map[string]bool{}
	wider := &Wider{}
	size := 0
	add := func(w string) {
		a.Budget().Step(1 + len(w)/8)
		if !seen[w] && size < maxWiderBytes {
			seen[w] = true
			size += len(w)
			wider.Words = append(wider.Words, w)
		}
	}
	add("")
	var gaps [2][]gap
	if m != nil {
		var more []string
		gaps[0], more = m.gapsOfPlaces(a.Budget())
		for _, w := range more {
			add(w)
		}
	}
	gaps[1] = gapsOfStates(a)
	for i, list := range gaps {
		slices.SortFunc(list, func(g, h gap) int {
			if c := lang.Compare(g.before+g.after, h.before+h.after); c != 0 {
				return c
			}
			return lang.Compare(g.before, h.before)
		})
		list = slices.Compact(list)
		for _, g := range list {
			add(g.before + g.after)
		}
		if len(list) > 0 {
			room := func(most int) int { return max(0, (most-len(wider.Words))/len(list)) }
			wider.Kinds[i] = min(len(kinds), room(fewWider))
			if i == 0 {
				wider.Kinds[i] = max(wider.Kinds[i], min(classKinds, room(maxWider)))
			}
			if wider.Kinds[i] < fewKinds {
				wider.Kinds[i] = 0
			}
		}
		for _, g := range list {
			q := a.Run(0, g.before)
			for _, k := range kinds[:wider.Kinds[i]] {
				w := g.before + k.textAfter(a, q) + g.after
				if !k.single || !a.Match(w) {
					add(w)
				}
			}
		}
	}
	slices.SortFunc(wider.Words, lang.Compare)
	return wider
}

// gapsOfStates returns the gaps after the first word that leads to each live state: before the byte of each class
// that goes on from there, and with that byte left out; and the end, if the state accepts.
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
				list = append(list, gap{before, string([]byte{a.Readable(c)}) + after}, gap{before, after})
			}
		}
	}
	return list
}

// gapsOfPlaces returns the gaps of each term and of each expression, at each use: before and after a shortest text of
// it, and in its place. The words are shortest around that text. more has the words in which the text stands twice.
func (m *marker) gapsOfPlaces(b *budget.Budget) (list []gap, more []string) {
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
		list = append(list, gap{before, text + after}, gap{before + text, after}, gap{before, after})
		more = append(more, before+text+text+after)
	}
	shortest := map[int32]part{} // by term
	text := map[int32]byte{}     // by term
	var terms []int32            // in the order in which they were found
	for q := range int32(len(m.arcs)) {
		if !inWord(q) {
			continue
		}
		for _, e := range m.edges[q] {
			if e.term < 0 || !inWord(e.to) || e.set.IsEmpty() {
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
	return list, more
}

// A part is the two states between which the automaton has the paths of an expression, at one use of it.
type part struct{ from, to int32 }

// A walk is what a search breadth first found: for each state that it met the last step of a shortest way there.
type walk struct {
	met    []bool
	length []int32 // how many bytes the way reads
	by     []hop
	order  []int32 // the states that were met
}

// A hop is a step to a state. It comes from another, and may read a byte.
type hop struct {
	from  int32
	byte  byte
	reads bool
}

// A neighbor is a state that one step leads to; set is what the step reads, and nil if that is nothing.
type neighbor struct {
	to  int32
	set *expr.Set
}

// newWalk returns a walk through n states that met none.
func newWalk(n int) *walk {
	return &walk{met: make([]bool, n), length: make([]int32, n), by: make([]hop, n)}
}

// reset forgets the states that were met, in as many steps.
func (w *walk) reset() {
	for _, q := range w.order {
		w.met[q] = false
	}
	w.order = w.order[:0]
}

// adjacent returns a function that lists the neighbors of a state in the grammar's own automaton: the arcs with a
// closed gate are not there.
func (m *marked) adjacent() func(q int32) []neighbor {
	var list []neighbor // overwritten by the next call
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

// walkFrom walks from a state to all that it leads to.
func (m *marked) walkFrom(start int32, neighbors func(q int32) []neighbor) *walk {
	w := newWalk(len(m.arcs))
	w.run(start, -1, neighbors)
	return w
}

// walkWithin walks from the beginning of a part to its end, and no further. It returns how many states it met.
func (m *marked) walkWithin(w *walk, p part) int {
	w.run(p.from, p.to, m.adjacent())
	return len(w.order)
}

// run walks from a state until it met stop. Steps that read nothing come first, so that the ways are shortest in bytes.
func (w *walk) run(start, stop int32, neighbors func(q int32) []neighbor) {
	meet := func(q int32, by hop, length int32) {
		w.met[q], w.by[q], w.length[q] = true, by, length
		w.order = append(w.order, q)
	}
	meet(start, hop{from: start}, 0)
	for level := 0; level < len(w.order); {
		for i := level; i < len(w.order); i++ {
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

// wordTo returns the bytes on the way to q: in the order of the way or, if forward is false, from q back to the start.
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
