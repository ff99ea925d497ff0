package repair

import (
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

// A Language is the language of a grammar, ready to be searched. It is safe for concurrent use.
type Language struct {
	machine ast.Machine
	starts  []start
	without []uint16 // where a string without a scheme begins
	trie    []prefix // of the starts' prefixes; 0 is the empty one
	options Options
	written []byte    // all bytes that a string can have, the best to read first
	special [256]bool // the delimiters that a target knows, and the bytes of the trie
	free    sync.Pool
}

// Options are the differences between the RFCs.
type Options struct {
	FoldScheme bool        // letters of the scheme may be put in lower case
	Reserved   ast.ByteSet // characters that have a reserved meaning: to encode one costs more
	Relative   ast.Kind    // derives the strings without a scheme; 0: there are none
	Users      []string    // the schemes whose user information may be encoded; nil: all
}

// A start is a state where a string begins that has this prefix, and no longer one that is a scheme's own.
type start struct {
	prefix string
	state  uint16
}

// A prefix is a node of the trie.
type prefix struct {
	next map[byte]int16
	own  bool // a string that begins with it is derived by a scheme's own production, or not at all
}

// noPrefix is the node of a text that is not a prefix of any start's.
const noPrefix int16 = -1

// New returns the language of the strings that can follow lead: those that the production of their scheme
// derives or, if the scheme has none, the generic one. With the lead "url:" it has the strings after it in
// RFC 1630's prefixedurl. New returns nil if the grammar has no automaton for that.
func New(g *ast.Grammar, lead string, options Options) *Language {
	m := g.Machine()
	l := &Language{machine: m, options: options, trie: []prefix{{}}, written: alphabet(m)}
	for _, s := range m.Starts(g.Default) {
		if rest, ok := strings.CutPrefix(s.Prefix, lead); ok {
			own := slices.ContainsFunc(g.Schemes, func(o ast.Scheme) bool { return o.Kind == s.Explained })
			l.addStart(rest, l.runFrom(s.State, lead), own)
		}
	}
	for _, b := range []byte(":/?#@") {
		l.special[b] = true
	}
	for _, p := range l.trie {
		for b := range p.next {
			l.special[b] = true
		}
	}
	if len(l.starts) == 0 {
		return nil
	}
	if options.Relative != 0 {
		for _, s := range m.Starts(options.Relative) {
			l.without = append(l.without, s.State)
		}
	}
	return l
}

// addStart adds a state to begin in for strings with the prefix text. The state 0 is none, and is ignored.
// own says that the prefix is that of a scheme with a production of its own.
func (l *Language) addStart(text string, state uint16, own bool) {
	if state == 0 {
		return
	}
	node := int16(0)
	for i := range len(text) {
		child, ok := l.trie[node].next[text[i]]
		if !ok {
			child = int16(len(l.trie))
			l.trie = append(l.trie, prefix{})
			if l.trie[node].next == nil {
				l.trie[node].next = map[byte]int16{}
			}
			l.trie[node].next[text[i]] = child
		}
		node = child
	}
	l.trie[node].own = own
	l.starts = append(l.starts, start{text, state})
}

// runFrom returns the state after q on s; 0 is the dead state.
func (l *Language) runFrom(q uint16, s string) uint16 {
	for i := 0; i < len(s) && q != 0; i++ {
		q = l.machine.Step(q, s[i])
	}
	return q
}

// characters are those that are best to read, in this order; all other bytes come after them.
const characters = "a0/.:@?;=-~!+,$&'()*_%\"bcdefghijklmnopqrstuvwxyz123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ#"

// alphabet lists the bytes that can be read in some state: in the order of characters, then the others, ascending.
func alphabet(m ast.Machine) (list []byte) {
	var known, read [256]bool // by class
	reads := func(b byte) bool {
		c := m.Class(b)
		for q := uint16(0); !known[c] && int(q) < m.States(); q++ {
			read[c] = read[c] || m.Step(q, b) != 0
		}
		known[c] = true
		return read[c]
	}
	for i := range len(characters) + 256 {
		b := byte(i - len(characters))
		if i < len(characters) {
			b = characters[i]
		} else if strings.IndexByte(characters, b) >= 0 {
			continue
		}
		if reads(b) {
			list = append(list, b)
		}
	}
	return list
}

// A state is that of a reader of a string t, which may be the repair of a string s: the state of the
// grammar's automaton, and how t compares with s so far.
type state struct {
	q     uint16
	start uint8 // the index in starts of t's beginning, while t is in the trie
	phase phase
	node  int16 // of the trie, or noPrefix
	depth int16 // of node

	// at is how much of the scheme or the host of s has been read, or -1 if t has another.
	at int32
}

// A phase is the part of the string that a reader is in.
type phase uint8

const (
	inScheme    phase = iota
	afterColon        // or at the beginning of a string without a scheme
	afterSlash        // ":/"
	inHost            // or in the user information: an "@" may follow
	inOtherHost       // the same, but at does not matter: the text read is not the beginning of the host of s
	afterEscape       // the same, after an octet was encoded: an "@" must follow
	inPort            // after the host of s and ":", unless an "@" follows
	inRest
)

// A target is a string s to be repaired, with all of it that the cost of reading depends on.
type target struct {
	*Language
	text        string
	scheme      string
	host        string
	hasScheme   bool
	hasUser     bool
	hostCounts  bool
	opens       bool // the host has a "[" that is not closed
	hostFrom    int  // the span of the host, which is not encoded
	hostTo      int
	encodesFrom int // no octet before this offset may be encoded

	fault int // the place of the error, once encoded has been called

	// Bounds on the scheme and host parts of the cost: every string that is searched for costs base, and none
	// has a part of never.
	base, never Cost

	tried []byte // see bytesToTry
}

// target returns s as a string to repair.
func (l *Language) target(s string) *target {
	p := Split(s)
	t := &target{
		Language: l, text: s, scheme: p.Scheme.Text, host: p.Host.Text,
		hasScheme: p.Scheme.Present, hasUser: p.User.Present, hostCounts: p.Scheme.Present || p.Host.Present,
		hostFrom: p.Host.Start, hostTo: p.Host.End(), encodesFrom: p.Path.Start,
	}
	t.opens = strings.HasPrefix(t.host, "[") && !strings.Contains(t.host, "]")
	if p.Host.Present {
		t.encodesFrom = p.Host.End()
	}
	if p.User.Present && (l.options.Users == nil || slices.Contains(l.options.Users, strings.ToLower(t.scheme))) {
		t.encodesFrom = p.User.Start
	}
	return t
}

// bytesToTry lists the bytes that step has to be tried with: all that are delimiters or occur in the scheme,
// the host and the prefixes; and of the others, the most readable one of each class. It keeps the list.
func (t *target) bytesToTry() []byte {
	if t.tried != nil {
		return t.tried
	}
	special := t.special
	for _, text := range [...]string{t.scheme, t.host} {
		for i := range len(text) {
			b := lower(text[i])
			special[b] = true
			if 'a' <= b && b <= 'z' {
				special[b-'a'+'A'] = true
			}
		}
	}
	var seen [256]bool // by class
	t.tried = make([]byte, 0, len(t.written))
	for _, b := range t.written {
		c := t.machine.Class(b)
		if special[b] || !seen[c] {
			t.tried = append(t.tried, b)
		}
		seen[c] = seen[c] || !special[b]
	}
	return t.tried
}

// mayBeWithout reports whether strings without a scheme are searched: only if the text has none either.
func (t *target) mayBeWithout() bool { return !t.hasScheme && len(t.without) > 0 }

// startStates returns the states that a reader can begin in.
func (t *target) startStates() []state {
	list := make([]state, len(t.starts))
	for i, s := range t.starts {
		list[i] = state{q: s.state, start: uint8(i)}
	}
	if t.mayBeWithout() {
		for _, q := range t.without {
			list = append(list, state{q: q, node: noPrefix, phase: afterColon})
		}
	}
	return list
}

// step reads b, and returns the next state and the cost of the difference that b makes certain, without the
// part that is in t.base. It reports false if no string that is searched for continues with b.
func (t *target) step(k state, b byte) (state, Cost, bool) {
	if k.phase == inRest && k.node == noPrefix { // what advanceState would do, for most bytes of most strings
		k.q = t.machine.Step(k.q, b)
		return k, 0, k.q != 0
	}
	k, cost, ok := t.advanceState(k, b)
	return k, cost &^ t.base, ok && cost&t.never == 0
}

// advanceState is step without regard to t.base, and mostly to t.never: it only reports false early for a
// scheme or a host that already differs and must not.
func (t *target) advanceState(k state, b byte) (state, Cost, bool) {
	known := k.node != noPrefix && t.starts[k.start].prefix != ""
	k.q = t.machine.Step(k.q, b)
	if k.q == 0 || !t.descend(&k, b) {
		return k, 0, false
	}
	// The machine decides what is derived; the phase, how far the byte makes scheme and host differ from
	// those of s. A difference that is not allowed is given up as soon as it shows.
	var cost Cost
	switch k.phase {
	case inScheme:
		switch {
		case b == ':':
			if !t.hasScheme || int(k.at) != len(t.scheme) {
				cost = schemeDiffers
				if !known {
					cost += unknownScheme
				}
			}
			k.phase, k.at = afterColon, 0
		case b == '/' || b == '?' || b == '#':
			return k, 0, false
		default:
			k.at = t.schemeRead(k.at, b)
			if k.at < 0 && t.never&schemeDiffers != 0 {
				return k, 0, false
			}
		}
	case afterColon:
		if b == '/' {
			k.phase = afterSlash
		} else {
			k.phase, cost = inRest, t.costOfHost(t.host != "")
		}
	case afterSlash:
		if b == '/' {
			k.phase = t.phaseAtHost()
		} else {
			k.phase, cost = inRest, t.costOfHost(t.host != "")
		}
	case inHost, inOtherHost, afterEscape, inPort:
		switch {
		case b == '/' || b == '?' || b == '#':
			if k.phase == afterEscape {
				return k, 0, false
			}
			cost = t.costOfHost(!t.sameHost(k))
			k.phase, k.at = inRest, 0
		case b == '@':
			k.phase, k.at = t.phaseAtHost(), 0
			if !t.hasUser {
				k.phase = inOtherHost
			}
		case k.phase != inHost:
			if k.phase == inPort && b == ']' && t.opens { // the ":" was in an address
				k.phase = inOtherHost
			}
		case b == ':' && int(k.at) == len(t.host):
			k.phase, k.at = inPort, 0
		default:
			if int(k.at) < len(t.host) && lower(t.host[k.at]) == lower(b) {
				k.at++
			} else {
				k.phase, k.at = inOtherHost, 0
			}
		}
		if k.phase == inOtherHost && !t.hasUser && t.never&hostDiffers != 0 && t.hostCounts {
			return k, 0, false
		}
	}
	return k, cost, true
}

// descend moves k one byte down the trie, or out of it where the trie ends. It reports false if t cannot have
// k's start.
func (t *target) descend(k *state, b byte) bool {
	if k.node == noPrefix {
		return true
	}
	own := t.starts[k.start].prefix
	if int(k.depth) < len(own) && own[k.depth] != b { // off the prefix that the start is for
		return false
	}
	child, ok := t.trie[k.node].next[b]
	if ok {
		k.node = child
		k.depth++
		if t.trie[child].own && int(k.depth) > len(own) { // a longer prefix, which has a start of its own
			return false
		}
		ok = len(t.trie[child].next) > 0
	}
	if !ok { // out of the trie: nothing more depends on the start
		k.node, k.depth, k.start = noPrefix, 0, 0
	}
	return true
}

// schemeRead returns how much of the scheme has been read after b, if at bytes had been before. It returns -1
// if b, or an earlier byte, does not continue the scheme.
func (t *target) schemeRead(at int32, b byte) int32 {
	if at >= 0 && int(at) < len(t.scheme) && (b == t.scheme[at] || b == lower(t.scheme[at])) {
		return at + 1
	}
	return -1
}

// lower returns b in lower case.
func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// phaseAtHost returns the phase at the beginning of a host: one that compares it with the host of s
// only if that matters.
func (t *target) phaseAtHost() phase {
	if !t.hostCounts || t.base&hostDiffers != 0 {
		return inOtherHost
	}
	return inHost
}

// sameHost reports whether the host that has been read is that of s.
func (t *target) sameHost(k state) bool {
	return k.phase == inPort || k.phase == inHost && int(k.at) == len(t.host)
}

// costOfHost returns the cost of the host: 0 if it does not differ, and wherever hosts do not count.
func (t *target) costOfHost(differs bool) Cost {
	if differs && t.hostCounts {
		return hostDiffers
	}
	return 0
}

// costOfEnding returns the cost of ending in k, without the part that is in t.base, and whether a string that
// is searched for ends there.
func (t *target) costOfEnding(k state) (Cost, bool) {
	cost, ok := t.costOfEnd(k)
	return cost &^ t.base, ok && cost&t.never == 0
}

// costOfEnd is costOfEnding without regard to t.base and t.never.
func (t *target) costOfEnd(k state) (Cost, bool) {
	if !t.machine.Accepts(k.q) || k.node != noPrefix && int(k.depth) < len(t.starts[k.start].prefix) {
		return 0, false
	}
	switch k.phase {
	case inScheme, afterEscape:
		return 0, false
	case afterColon, afterSlash:
		return t.costOfHost(t.host != ""), true
	case inRest:
		return 0, true
	}
	return t.costOfHost(!t.sameHost(k)), true
}

// encodeAt reads the escape of the text's byte at an offset. It returns the state after the escape and the
// cost: of the escape itself, and of reading its three bytes. It reports false if nothing may be encoded
// there, as in the scheme and the host, or if no string that is searched for continues with the escape.
func (t *target) encodeAt(k state, at int) (state, Cost, bool) {
	if k.phase == inScheme || at < t.encodesFrom || at >= t.hostFrom && at < t.hostTo {
		return k, 0, false
	}
	b := t.text[at]
	before := k.phase
	cost := escape
	if t.Reserved(t.text, at) {
		cost = 2 * escape
	}
	text := percent.Of(b)
	for i := range len(text) {
		next, more, ok := t.step(k, text[i])
		if !ok {
			return k, 0, false
		}
		k, cost = next, cost+more
	}
	if before >= inHost && before < inRest {
		k.phase, k.at = afterEscape, 0
	}
	return k, cost, true
}

// canGoOn reports whether k can be on the way to an end: the ":" of a scheme, or the "@" after an escape, can
// still be read.
func (t *target) canGoOn(k state) bool {
	delimiter := byte('@')
	switch k.phase {
	case inScheme:
		delimiter = ':'
	case afterEscape:
		// the delimiter is "@"
	default:
		return true
	}
	for seen, todo := map[uint16]bool{k.q: true}, []uint16{k.q}; len(todo) > 0; todo = todo[1:] {
		if t.machine.Step(todo[0], delimiter) != 0 {
			return true
		}
		for _, b := range t.bytesToTry() {
			next := t.machine.Step(todo[0], b)
			if next != 0 && !seen[next] && b != '/' && b != '?' && b != '#' {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return false
}

// Reserved reports whether the byte of a text at an offset has a reserved meaning. A "%" has one if it begins
// an escape.
func (l *Language) Reserved(text string, at int) bool {
	if b := text[at]; b != '%' {
		return l.Reserves(b)
	}
	_, ok := percent.At(text, at)
	return ok
}

// Reserves reports whether a character has a reserved meaning.
func (l *Language) Reserves(b byte) bool { return l.options.Reserved.Has(b) }

// foldAt returns the byte at an offset in lower case, and whether it may be put in lower case: only a capital
// letter of the scheme may.
func (t *target) foldAt(at int) (byte, bool) {
	if !t.options.FoldScheme || at >= len(t.scheme) {
		return 0, false
	}
	b := t.text[at]
	return lower(b), lower(b) != b
}
