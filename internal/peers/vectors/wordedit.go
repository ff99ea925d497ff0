package vectors

import (
	"fmt"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A wordEdit replaces the bytes from..to of a word with by: one byte more, less or another, or two neighbors exchanged.
type wordEdit struct {
	kind     string
	from, to int
	by       string
}

// The kinds of edits.
const (
	insertion   = "insert"
	deletion    = "delete"
	replacement = "replace"
	exchange    = "exchange" // of two neighbors
)

// apply returns what the edit makes of w.
func (e wordEdit) apply(w string) string { return w[:e.from] + e.by + w[e.to:] }

// byteAt returns the byte at an offset of what the edit makes of w. ok is false at its end.
func (e wordEdit) byteAt(w string, at int) (b byte, ok bool) {
	switch {
	case at < e.from:
		return w[at], true
	case at < e.from+len(e.by):
		return e.by[at-e.from], true
	}
	at += e.to - e.from - len(e.by)
	if at == len(w) {
		return 0, false
	}
	return w[at], true
}

// describe returns in words what the edit does to w, and where.
func (e wordEdit) describe(w string) string {
	old, by := w[e.from:e.to], e.by
	what := ""
	switch e.kind {
	case insertion:
		what = ast.Quote(by) + " put in"
	case deletion:
		what = ast.Quote(old) + " left out"
	case replacement:
		what = ast.Quote(by) + " for " + ast.Quote(old)
	case exchange:
		what = ast.Quote(old[:1]) + " and " + ast.Quote(old[1:]) + " exchanged"
	}
	return fmt.Sprintf("%s at %d of %s", what, e.from, ast.Quote(w))
}

// An editedWord is a word that a accepts, with what is needed to judge its edits. After an edit, the rest of the word
// may be read through states that never meet those of the word again: one byte more in a bounded repetition shifts
// all counts. Reading the rest anew for each edit would take time quadratic in the word. So what comes of each state
// that is met at every eighth offset is kept, and edits before that offset find it there.
type editedWord struct {
	a      *lang.DFA
	w      string
	states []int32 // after each prefix of w
	kept   map[wordPlace]bool
	passed []wordPlace // scratch space of accepts

	// The tables that explain rejections, if a walk through them is enough; see [editedWord.setTables].
	subject       *Subject // whose rejections they explain
	tables        ast.Machine
	longestPrefix int      // the length of the longest prefix of a word that its start state depends on
	tableStates   []uint16 // after each prefix of w; 0 is dead
	keptBreaks    map[tablePlace]tablePlace
	passedTables  []tablePlace
}

// A wordPlace is an offset in a word, and the state from which the rest is read.
type wordPlace struct{ at, state int32 }

// A tablePlace is a wordPlace with the state of the tables.
type tablePlace struct {
	wordPlace
	tableState uint16
}

// isKept reports whether what follows from a place is kept.
func (p wordPlace) isKept() bool { return p.at%8 == 0 }

// newEditedWord returns an editedWord for [editedWord.set].
func newEditedWord(a *lang.DFA) *editedWord {
	return &editedWord{a: a, kept: map[wordPlace]bool{}, keptBreaks: map[tablePlace]tablePlace{}}
}

// set makes w, which x.a must accept, the word; setTables must be called anew before breakOf. It charges the budget of
// x.a, as the methods that follow the automaton do; steps of tables alone are not charged.
func (x *editedWord) set(w string) {
	x.a.Budget().Step(len(w))
	x.w, x.states = w, append(x.states[:0], 0)
	for i := range len(w) {
		x.states = append(x.states, int32(x.a.Next(int(x.states[i]), w[i])))
	}
	clear(x.kept)
	clear(x.keptBreaks)
}

// eachRejected calls yield for each edit of the word after which a does not accept it: first insertions, then by offset
// the others. Bytes that are put in, or stand for another, are the most readable of their classes. Several edits may
// make one word.
func (x *editedWord) eachRejected(yield func(e wordEdit)) {
	letters, w := x.a.Letters(), x.w
	x.a.Budget().Step(2 * (len(w) + 1) * (len(letters) + 1))
	try := func(kind string, from, to int, by string) {
		if !x.accepts(wordPlace{int32(to), int32(x.a.Run(int(x.states[from]), by))}) {
			yield(wordEdit{kind, from, to, by})
		}
	}
	for i := range len(w) + 1 {
		for _, b := range letters {
			try(insertion, i, i, string([]byte{b}))
		}
	}
	for i := range len(w) {
		try(deletion, i, i+1, "")
		for _, b := range letters {
			try(replacement, i, i+1, string([]byte{b}))
		}
		if i > 0 {
			try(exchange, i-1, i+1, w[i:i+1]+w[i-1:i])
		}
	}
}

// accepts reports whether the rest of the word is accepted from a place.
func (x *editedWord) accepts(p wordPlace) (ok bool) {
	x.passed = x.passed[:0]
	first := p.at
	for {
		q := int(p.state)
		if ok = p.state == x.states[p.at]; ok { // from here on the states are those of the word
			break
		}
		if !x.a.Live(q) {
			break
		}
		if int(p.at) == len(x.w) {
			ok = x.a.Accepts(q)
			break
		}
		if p.isKept() {
			known := false
			if ok, known = x.kept[p]; known {
				break
			}
			x.passed = append(x.passed, p)
		}
		p = wordPlace{p.at + 1, int32(x.a.Next(q, x.w[p.at]))}
	}
	x.a.Budget().Step(int(p.at-first) / 4)
	for _, q := range x.passed {
		x.kept[q] = ok
	}
	return ok
}

// setTables makes [editedWord.breakOf] explain the rejections of s by tables. It is called after set, for each word.
func (x *editedWord) setTables(s *Subject, tables ast.Machine) {
	x.subject, x.tables, x.longestPrefix = s, tables, 0
	for _, start := range tables.Starts(s.Production) {
		x.longestPrefix = max(x.longestPrefix, len(start.Prefix))
	}
	x.tableStates = append(x.tableStates[:0], tables.Start(s.Production, x.w).State)
	for i := range len(x.w) {
		x.tableStates = append(x.tableStates, tables.Step(x.tableStates[i], x.w[i]))
	}
}

// breakOf is [Subject.brokenByTables] for what an edit makes of the word, asked of the Subject that setTables was
// given. state is the automaton's at the break. Where the tables accept, at is 0, and state is the one at offset 0.
func (x *editedWord) breakOf(e wordEdit) (broken string, at, state int) {
	// another start may apply, or the tables break before the edit
	if e.from < x.longestPrefix || x.tableStates[e.from] == 0 {
		return x.breakOfWhole(e)
	}
	q, t := int(x.states[e.from]), x.tableStates[e.from]
	for i := range len(e.by) {
		to := x.tables.Step(t, e.by[i])
		if to == 0 {
			return x.breakAtCharacter(e, t, e.from+i, q)
		}
		q, t = x.a.Next(q, e.by[i]), to
	}
	end := x.breakFrom(tablePlace{wordPlace{int32(e.to), int32(q)}, t})
	read := int(end.at)
	if read == len(x.w) && x.tables.Accepts(end.tableState) { // as in brokenByTables
		return x.subject.ID(), 0, 0
	}
	return x.breakAtCharacter(e, end.tableState, e.from+len(e.by)+read-e.to, int(end.state))
}

// breakOfWhole is breakOf by all of what the edit makes of the word.
func (x *editedWord) breakOfWhole(e wordEdit) (broken string, at, state int) {
	v := e.apply(x.w)
	broken, at = x.subject.brokenByTables(x.tables, v)
	return broken, at, x.a.Run(0, v[:at])
}

// breakAtCharacter moves a break in bytes, at an offset where the tables are in the state t and the automaton is in q,
// to where [ast.Grammar.Explain] has it, and returns what breakOf does. In a grammar of code points that is the
// beginning of the character. Where its bytes are no character, it is after those of them that can be read as U+FFFD.
func (x *editedWord) breakAtCharacter(e wordEdit, t uint16, at, q int) (broken string, offset, state int) {
	if !x.subject.Grammar.CodePoints {
		return x.subject.nameInTables(x.tables, t), at, q
	}
	first := max(0, at-utf8.UTFMax)
	var around []byte // up to utf8.UTFMax bytes before the break, and as many after it
	for i := first; i < at+utf8.UTFMax; i++ {
		b, ok := e.byteAt(x.w, i)
		if !ok {
			break
		}
		around = append(around, b)
	}
	start, brokenBytes := quote.CharacterStart(string(around), at-first)
	start += first
	switch {
	case start == at:
		return x.subject.nameInTables(x.tables, t), at, q
	case start < x.longestPrefix: // 0xFF may stand for a byte of the prefix, so that another start applies
		return x.breakOfWhole(e)
	}
	q, t = x.statesAfter(e, start)
	// As in ast.Grammar.Explain, each byte may be read as U+FFFD, for which 0xFF stands. That holds for the explanation
	// only: the state that is returned is that after the bytes themselves.
	for range brokenBytes {
		to := x.tables.Step(t, 0xFF)
		if to == 0 {
			break
		}
		q, t = x.a.Next(q, around[start-first]), to
		start++
	}
	return x.subject.nameInTables(x.tables, t), start, q
}

// statesAfter returns the states of the automaton and the tables after the first n bytes of what an edit makes of the
// word. They must not break before.
func (x *editedWord) statesAfter(e wordEdit, n int) (q int, t uint16) {
	at := min(n, e.from)
	q, t = int(x.states[at]), x.tableStates[at]
	x.a.Budget().Step((n - at) / 4)
	for ; at < n; at++ {
		b, _ := e.byteAt(x.w, at)
		q, t = x.a.Next(q, b), x.tables.Step(t, b)
	}
	return q, t
}

// breakFrom returns the place at which the tables break if they read the rest of the word from p. That is its end if
// they read it all.
func (x *editedWord) breakFrom(p tablePlace) tablePlace {
	x.passedTables = x.passedTables[:0]
	read := 0
	for int(p.at) < len(x.w) {
		if p.isKept() {
			if end, known := x.keptBreaks[p]; known {
				p = end
				break
			}
			x.passedTables = append(x.passedTables, p)
		}
		to := x.tables.Step(p.tableState, x.w[p.at])
		if to == 0 {
			break
		}
		p = tablePlace{wordPlace{p.at + 1, int32(x.a.Next(int(p.state), x.w[p.at]))}, to}
		read++
	}
	x.a.Budget().Step(read / 4) // from a kept break on, nothing is read
	for _, q := range x.passedTables {
		x.keptBreaks[q] = p
	}
	return p
}
