package semantic

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// MaxEdited is the length of the longest input for which [Fix] looks for a smallest edit.
const MaxEdited = 4 << 10

// Repair is a string that a grammar accepts, near one that it rejects.
type Repair struct {
	URL   string
	Edits []Edit // in the order in which they were made; none if the input is accepted as it is

	// Guess says that the edits that have a reason were not enough: some are only the smallest that lead to a string of
	// the grammar. A guess is to be offered, never applied silently.
	Guess bool
}

// Wild reports whether r is a guess that adds, drops or replaces more than three characters. It seldom is what anybody
// meant, so that a program may rather say nothing.
func (r Repair) Wild() bool {
	if !r.Guess {
		return false
	}
	guessed := 0
	for _, e := range r.Edits {
		switch e.Kind {
		case Delete, Substitute, Insert:
			guessed += max(len(e.Old), len(e.New))
		}
	}
	return guessed > 3
}

// EditKind says what an [Edit] does.
type EditKind uint8

const (
	Unwrap       EditKind = iota + 1 // take off "<", ">", "URL:" and white space around a URL or between its lines
	FoldScheme                       // write the scheme in lower case
	DropFragment                     // leave out "#" and what follows, where the RFC has no fragments
	EncodeOctet                      // write an octet as an escape
	Delete                           // guess: leave out a character
	Substitute                       // guess: write another character
	Insert                           // guess: add a character
)

var editKinds = [...]string{"", "unwrap", "fold-scheme", "drop-fragment", "encode", "delete", "substitute", "insert"}

// String gives the kind in lower case.
func (k EditKind) String() string {
	if int(k) < len(editKinds) {
		return editKinds[k]
	}
	return "EditKind(" + strconv.Itoa(int(k)) + ")"
}

// Edit is one step of a [Repair].
type Edit struct {
	Kind    EditKind
	Offset  int    // in the input, of the first byte that is replaced
	Old     string // "" for an insertion
	New     string
	Changes bool   // the URL may not mean any more what its author meant
	Why     string // with the section that it rests on
}

// String gives the edit as one line.
func (e Edit) String() string {
	text := e.Kind.String() + " at offset " + strconv.Itoa(e.Offset) + ": "
	switch {
	case e.Old == "":
		text += ast.Quote(e.New)
	case e.New == "":
		text += ast.Quote(e.Old)
	default:
		text += ast.Quote(e.Old) + " -> " + ast.Quote(e.New)
	}
	return text + " (" + e.Why + ")"
}

// The reasons for which there is no repair.
var (
	ErrNoMachine = errors.New("semantic: the grammar has no automaton to repair strings with")
	ErrTooLong   = errors.New("semantic: encoding is not enough, and the input is too long to look for a smallest edit (" + strconv.Itoa(MaxEdited) + " bytes)")
)

// Fix gives the nearest string that g accepts. First come the edits that have a reason in the RFC: the wrapper
// <URL:...> and white space are taken off, the scheme is written in lower case, a fragment is dropped where g has none,
// and octets that cannot stand where they are, but can as an escape, are encoded. If that is not enough the answer is a
// guess: a smallest number of single characters deleted, substituted or inserted, besides octets encoded, found exactly
// on the automaton of the production that explains the input ([ast.Grammar.Explain]): the scheme's own, where the
// scheme is known.
//
// The work for a guess grows with the length of the input times the number of the production's states. The error is
// [ErrTooLong] for an input that needs one and is longer than [MaxEdited], or [ErrNoMachine].
func Fix(g *ast.Grammar, input string) (Repair, error) { return fix(g, input, false) }

// FixStrict is [Fix] for those to whom a string is not accepted that only the generic production derives, though its
// scheme has a production of its own ([GenericOnly]): it gives the nearest string that the scheme's own production
// derives.
func FixStrict(g *ast.Grammar, input string) (Repair, error) { return fix(g, input, true) }

func fix(g *ast.Grammar, input string, strict bool) (Repair, error) {
	if g.Machine == nil || int(g.Default) >= len(g.Machine.Starts) {
		return Repair{}, ErrNoMachine
	}
	if g.Accept(g.Default, input) && !(strict && g.Explain(g.Default, input) != nil) {
		return Repair{URL: input}, nil
	}
	d := newDraft(input)
	family := RFC(0)
	if t := textOf(g); t != nil {
		if family = t.roles.family; family == RFC1738 {
			d.from = t.title()
		}
	}
	d.unwrap(family == RFC1630 && prefixed(g, input))
	d.foldScheme()
	if family == RFC1738 {
		d.dropFragment()
	}
	w := walker{g.Machine, d}
	q := w.start(g.Default)
	if q == 0 {
		return Repair{}, ErrNoMachine
	}
	if steps, ok := w.encode(q); ok {
		d.apply(steps)
		return Repair{URL: d.text, Edits: d.edits}, nil
	}
	if len(d.text) > MaxEdited {
		return Repair{}, ErrTooLong
	}
	steps, ok := w.nearest(q)
	if !ok {
		return Repair{}, ErrNoMachine
	}
	d.apply(steps)
	return Repair{URL: d.text, Edits: d.edits, Guess: true}, nil
}

// draft is the text under repair. at holds where in the input each byte of text stands, and at last the input's length.
type draft struct {
	from  string // the text that the edits rest on: of RFC 1738's family, since RFC 1630 has neither wrappers nor a word on upper case
	text  string
	at    []int
	edits []Edit
}

func newDraft(input string) *draft {
	d := &draft{from: "RFC 1738", text: input, at: make([]int, len(input)+1)}
	for i := range d.at {
		d.at[i] = i
	}
	return d
}

// change puts a text in place of text[from:to].
type change struct {
	from, to int
	text     string
	edit     Edit // Kind, Changes and Why
}

// rewrite makes changes, which stand in the order of the text and do not overlap, in one pass.
func (d *draft) rewrite(changes ...change) {
	if len(changes) == 0 {
		return
	}
	text := make([]byte, 0, len(d.text)+2*len(changes))
	at := make([]int, 0, cap(text)+1)
	done := 0
	for _, c := range changes {
		text = append(append(text, d.text[done:c.from]...), c.text...)
		at = append(at, d.at[done:c.from]...)
		for i := range len(c.text) {
			at = append(at, d.at[min(c.from+i, c.to)])
		}
		done = c.to
		c.edit.Offset, c.edit.Old, c.edit.New = d.at[c.from], d.text[c.from:c.to], c.text
		d.edits = append(d.edits, c.edit)
	}
	d.text = string(append(text, d.text[done:]...))
	d.at = append(at, d.at[done:]...)
}

// unwrap takes off what the appendix of RFC 1738 puts around a URL, and that of the draft before it. White space inside
// goes with a wrapper, and around line breaks; elsewhere it is an octet to be encoded. The prefix is kept where it is
// that of RFC 1630's prefixedurl.
func (d *draft) unwrap(keepPrefix bool) {
	unwrapped := Edit{Kind: Unwrap, Why: "wrapper and white space are no part of the URL, " + d.from + " appendix"}
	off := func(from, to int) {
		if from < to {
			d.rewrite(change{from, to, "", unwrapped})
		}
	}
	trim := func() {
		off(0, len(d.text)-len(strings.TrimLeft(d.text, whiteSpace)))
		off(len(strings.TrimRight(d.text, whiteSpace)), len(d.text))
	}
	trim()
	wrapped := strings.HasPrefix(d.text, "<")
	if wrapped {
		off(0, len("<"))
		off(len(strings.TrimSuffix(d.text, ">")), len(d.text))
		trim()
	}
	if !keepPrefix && len(d.text) > len("URL:") && strings.EqualFold(d.text[:len("URL:")], "URL:") {
		wrapped = true
		off(0, len("URL:"))
		trim()
	}
	var gaps []change
	for i := 0; i < len(d.text); i++ {
		if strings.IndexByte(whiteSpace, d.text[i]) < 0 {
			continue
		}
		from := i
		for i+1 < len(d.text) && strings.IndexByte(whiteSpace, d.text[i+1]) >= 0 {
			i++
		}
		if wrapped || strings.ContainsAny(d.text[from:i+1], "\r\n") {
			gaps = append(gaps, change{from, i + 1, "", unwrapped})
		}
	}
	d.rewrite(gaps...)
}

// prefixed reports whether input begins as RFC 1630's prefixedurl does, with "url:" and a scheme that g knows.
func prefixed(g *ast.Grammar, input string) bool {
	rest, ok := strings.CutPrefix(input, "url:")
	scheme, _, colon := strings.Cut(rest, ":")
	_, known := g.Scheme(scheme)
	return ok && colon && known
}

func (d *draft) foldScheme() {
	colon := strings.IndexByte(d.text, ':')
	if colon <= 0 || !beginsWithScheme(d.text) {
		return
	}
	if s := strings.ToLower(d.text[:colon]); s != d.text[:colon] {
		d.rewrite(change{0, colon, s, Edit{Kind: FoldScheme,
			Why: "upper-case letters are equivalent to lower-case ones in scheme names, " + d.from + " section 2.1"}})
	}
}

func (d *draft) dropFragment() {
	if i := strings.IndexByte(d.text, '#'); i >= 0 {
		d.rewrite(change{i, len(d.text), "", Edit{Kind: DropFragment, Changes: true,
			Why: d.from + " has no fragments: the URL now designates the whole object; \"#\" as data is written %23, section 2.2"}})
	}
}

// step is what becomes of one byte of the text, or of the place before it.
type step struct {
	kind EditKind // 0: it stays
	b    byte     // Substitute, Insert: the new byte
	at   int32
}

// escapeTexts holds the escape of every octet, one after the other.
var escapeTexts = func() string {
	var b []byte
	for octet := range 256 {
		b = appendEscape(b, byte(octet))
	}
	return string(b)
}()

// reserved reports whether a character may have a special meaning within a scheme (RFC 1738 section 2.2) or, "#", after a URL.
func reserved(b byte) bool { return strings.IndexByte(";/?:@=&#", b) >= 0 }

// apply makes the edits that steps ask for, given in the order of the text.
func (d *draft) apply(steps []step) {
	changes := make([]change, 0, len(steps))
	for _, s := range steps {
		at := int(s.at)
		c := change{from: at, to: at + 1, edit: Edit{Kind: s.kind, Changes: true, Why: "a guess"}}
		switch s.kind {
		case EncodeOctet:
			b := d.text[at]
			c.text = escapeTexts[3*int(b) : 3*int(b)+3]
			if c.edit.Changes = reserved(b); c.edit.Changes {
				c.edit.Why = "it cannot stand here as a reserved character; encoded it is data, which may change the meaning, " + d.from + " section 2.2"
			} else {
				c.edit.Why = "the octet must be encoded, " + d.from + " section 2.2; RFC 1630, Conventional URI encoding scheme"
			}
		case Substitute:
			c.text = string(rune(s.b))
		case Insert:
			c.to, c.text = at, string(rune(s.b))
		}
		changes = append(changes, c)
	}
	d.rewrite(changes...)
}

// walker runs an automaton over a draft.
type walker struct {
	m *ast.Machine
	d *draft
}

// start gives the state to begin in: that of the longest prefix that the text begins with.
func (w walker) start(start ast.Kind) uint16 {
	best, state := -1, uint16(0)
	for _, s := range w.m.Starts[start] {
		if len(s.Prefix) > best && strings.HasPrefix(w.d.text, s.Prefix) {
			best, state = len(s.Prefix), s.State
		}
	}
	return state
}

func (w walker) next(q uint16, b byte) uint16 {
	return w.m.Next[int(q)*w.m.Width+int(w.m.Classes[b])]
}

func (w walker) accepts(q uint16) bool { return w.m.Notes[w.m.Note[q]].Accept }

// read takes the byte at an offset as it is, or as an escape where only that leads on. It gives 0 where neither does. A "%"
// that begins no escape is never taken as it is. In the host an escape leads nowhere: RFC 1630's BNF has it, but no host has
// such a name.
func (w walker) read(q uint16, at int, authority bool) (next uint16, kind EditKind) {
	b := w.d.text[at]
	if _, ok := escaped(w.d.text, at); b != '%' || ok {
		if next = w.next(q, b); next != 0 {
			return next, 0
		}
	}
	if authority {
		return 0, 0
	}
	next = q
	for _, c := range appendEscape(nil, b) {
		if next = w.next(next, c); next == 0 {
			return 0, 0
		}
	}
	return next, EncodeOctet
}

// authority gives the span of the text in which nothing is to be encoded: from the scheme to the end of what follows "//".
func (w walker) authority() int {
	colon := strings.IndexByte(w.d.text, ':') + 1
	if !strings.HasPrefix(w.d.text[colon:], "//") {
		return colon
	}
	if i := strings.IndexAny(w.d.text[colon+2:], "/?#"); i >= 0 {
		return colon + 2 + i
	}
	return len(w.d.text)
}

// encode reads the text with no other edit than octets encoded. There is one way at most.
func (w walker) encode(q uint16) (steps []step, ok bool) {
	limit := w.authority()
	for at := range len(w.d.text) {
		next, kind := w.read(q, at, at < limit)
		if next == 0 {
			return nil, false
		}
		if kind != 0 {
			steps = append(steps, step{kind: kind, at: int32(at)})
		}
		q = next
	}
	return steps, w.accepts(q)
}

// nearest gives a cheapest way through the graph of (offset, state) to an accepting state at the end of the text, by
// Dijkstra's algorithm. To keep a byte costs nothing, to delete, substitute or insert one costs an edit. Among the ways
// with the fewest edits that is taken which rather deletes than inserts, rather inserts than substitutes, and encodes
// fewest reserved characters.
func (w walker) nearest(q0 uint16) ([]step, bool) {
	const edit = 1 << 16 // dearer than all preferences together: there are at most 2 for a byte
	states, index := w.reachable(q0)
	leads, from := w.leads(states, index)
	limit := w.authority()
	text, width := w.d.text, len(states)
	places := make([]place, (len(text)+1)*width)
	for i := range places {
		places[i].cost = math.MaxInt32
	}
	var queue frontier
	reach := func(from int32, to int, cost int32, s step) {
		if p := &places[to]; !p.done && cost < p.cost {
			p.cost, p.from, p.step = cost, from, s
			queue.push(cost, int32(to))
		}
	}
	reach(-1, 0, 0, step{})
	for len(queue) > 0 {
		to := queue.pop()
		p := &places[to]
		if p.done {
			continue
		}
		p.done = true
		at := int(to) / width
		here := at * width // the places at this offset, and after them those at the next
		state := int(to) - here
		q := states[state]
		if at == len(text) && w.accepts(q) {
			var steps []step
			for ; to >= 0; to = places[to].from {
				if s := places[to].step; s.kind != 0 {
					steps = append(steps, s)
				}
			}
			slices.Reverse(steps)
			return steps, true
		}
		if at < len(text) {
			if next, kind := w.read(q, at, at < limit); next != 0 {
				cost := p.cost
				if kind == EncodeOctet && reserved(text[at]) {
					cost += 2
				}
				reach(to, here+width+int(index[next]), cost, step{kind: kind, at: int32(at)})
			}
			reach(to, here+width+state, p.cost+edit, step{kind: Delete, at: int32(at)})
		}
		for _, l := range leads[from[state]:from[state+1]] {
			if at < len(text) {
				reach(to, here+width+int(l.to), p.cost+edit+2, step{Substitute, l.b, int32(at)})
			}
			reach(to, here+int(l.to), p.cost+edit+1, step{Insert, l.b, int32(at)})
		}
	}
	return nil, false
}

// place is a state at an offset of the text, and the cheapest way there that is known.
type place struct {
	cost int32
	from int32 // the place before it, or -1
	step step
	done bool
}

// frontier is a binary heap, the cheapest first; of two that cost the same, the one further on. A key has the cost in its
// upper half, and the complement of the place in its lower one.
type frontier []uint64

func (f *frontier) push(cost, to int32) {
	key := uint64(uint32(cost))<<32 | uint64(^uint32(to))
	*f = append(*f, key)
	h := *f
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent] <= key {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = key
}

func (f *frontier) pop() (to int32) {
	h := *f
	to = int32(^uint32(h[0]))
	last := h[len(h)-1]
	h = h[:len(h)-1]
	*f = h
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if last <= h[child] {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	return to
}

// A lead is a byte that may be written in a state, and the place in the list of states of the one that it leads to.
type lead struct {
	to int32
	b  byte
}

// leads gives those of all states, one state after the other; those of the i-th are list[from[i]:from[i+1]]. Of the bytes
// that lead to the same state only the best to read is one: the others cost as much.
func (w walker) leads(states []uint16, index []int32) (list []lead, from []int32) {
	symbols := w.symbols()
	seen := make([]int32, len(states)) // by state, the last one that had a lead to it, from 1
	for i, q := range states {
		from = append(from, int32(len(list)))
		for _, b := range symbols {
			next := w.next(q, b)
			if next == 0 || seen[index[next]] == int32(i)+1 {
				continue
			}
			seen[index[next]] = int32(i) + 1
			list = append(list, lead{index[next], b})
		}
	}
	return list, append(from, int32(len(list)))
}

// reachable lists the states that can be reached from q, and gives their places in the list.
func (w walker) reachable(q uint16) (states []uint16, index []int32) {
	states, index = []uint16{q}, make([]int32, len(w.m.Note))
	for i := range index {
		index[i] = -1
	}
	index[q] = 0
	for i := 0; i < len(states); i++ {
		row := w.m.Next[int(states[i])*w.m.Width:][:w.m.Width]
		for _, next := range row {
			if next != 0 && index[next] < 0 {
				index[next] = int32(len(states))
				states = append(states, next)
			}
		}
	}
	return states, index
}

// symbols gives a byte of each class of printable ones, the best to read first.
func (w walker) symbols() []byte {
	var list []byte
	var done [256]bool
	for _, b := range []byte("a0/.:@?;=-~!+,$&'()*_%\"bcdefghijklmnopqrstuvwxyz123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ#") {
		if class := w.m.Classes[b]; !done[class] {
			done[class] = true
			list = append(list, b)
		}
	}
	return list
}
