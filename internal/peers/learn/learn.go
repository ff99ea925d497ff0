package learn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Options choose how to learn. The zero value works, and begins with one class of bytes.
type Options struct {
	// Classes is the automaton whose classes of bytes are the first letters; nil for one letter.
	Classes *lang.DFA

	// Try has words to try a hypothesis on before any others: the vectors of the RFC, addresses that are
	// known to work. Behavior that none of them shows, and that takes many letters in a row to show, is found
	// only by luck. The sequence is gone through for each hypothesis, up to the first word that shows a mistake; nil
	// for none.
	Try iter.Seq[string]

	Random     int    // random words to try a hypothesis on; 0 for 10000, negative for none
	Seed       uint64 // for the random words
	Extra      int    // states that the parser may have more than the model, for the complete suite at the end
	MaxQueries int    // questions at most, without those that the cache answers; 0 for 5 million. See bytesPerQuery
	MaxStates  int    // states of the model at most; 0 for 5000

	Cache    *Cache         // nil for an empty one
	Progress func(Progress) // called every now and then; may be nil
}

// Progress tells how far learning has come.
type Progress struct {
	Phase   string // "building", "tree", "words", "random", "bytes", "suite", "known", "again"
	States  int    // of the hypothesis
	Classes int
	Queries int // questions asked
}

// A Result is a model of a parser.
type Result struct {
	DFA *lang.DFA

	// Exact says that the last hypothesis passed all its tests. Then DFA is exactly what the parser accepts
	// if the parser is an automaton with at most DFA.States() + Extra states that reads the bytes of each of
	// DFA's classes alike, and if it is one with at most DFA.States() states over all bytes. If Exact is
	// false, learning ended with an error, and DFA is the last hypothesis that was complete.
	Exact bool
	Extra int

	Queries    int      // questions asked
	Again      int      // those of them that had been asked before
	Known      int      // words whose answers were in the cache at the beginning
	Hypotheses int      // how many there were
	Undecided  []string // the words on which the parser did not decide, in the order of lang.Compare
}

// Guarantee says in words how far the result is exact.
func (r *Result) Guarantee() string {
	if !r.Exact {
		return "not shown to be exact: learning ended before the model was found to agree with the parser " +
			"everywhere that was to be tried"
	}
	n := r.DFA.States()
	return fmt.Sprintf("exact if the parser is a deterministic automaton with at most n = %d states, or with "+
		"at most n + k = %d + %d states and reads the bytes of each of the %d classes "+
		"alike", n, n, r.Extra, r.DFA.Classes())
}

// An InconsistentError has a word to which a parser gave two answers: it is no automaton, and has no model. A
// result comes with the error.
type InconsistentError struct {
	Word         string
	First, Again Answer
}

func (e *InconsistentError) Error() string {
	return fmt.Sprintf("its answers contradict each other: %s was %v, and then, when asked again, %v",
		ast.Quote(e.Word), e.First, e.Again)
}

// The errors of limits that were passed. A result comes with each.
var (
	ErrQueries = errors.New("no more questions allowed")
	ErrStates  = errors.New("the model has too many states")
)

// Learn learns which words the parser accepts. It asks again before it believes: about the words that a new
// state or class of bytes rests on, and at the end about all those that the model rests on.
//
// If a limit is passed, it fails with [ErrQueries] or [ErrStates], with an error that wraps [lang.ErrTooLarge] if a
// hypothesis is too large, or with the error of [vectors.CompleteSuite] if the suite at the end is; if the parser
// contradicts itself, with an [*InconsistentError]; if ctx is done, or the oracle or the cache's Log fails, with their
// errors. The result is then the last hypothesis that was complete, or nil if there was none. A negative
// o.Extra, o.MaxQueries or o.MaxStates fails at once, without a result.
func Learn(ctx context.Context, oracle Oracle, o Options) (r *Result, err error) {
	l := &learner{ctx: ctx, oracle: oracle, o: o, piece: firstPiece}
	switch {
	case o.Extra < 0:
		return nil, fmt.Errorf("%d extra states", o.Extra)
	case o.MaxQueries < 0:
		return nil, fmt.Errorf("%d questions at most", o.MaxQueries)
	case o.MaxStates < 0:
		return nil, fmt.Errorf("%d states at most", o.MaxStates)
	case o.Random == 0:
		l.o.Random = 10000
	}
	if o.MaxQueries == 0 {
		l.o.MaxQueries = 5_000_000
	}
	if o.MaxStates == 0 {
		l.o.MaxStates = 5000
	}
	if o.Cache == nil {
		l.o.Cache = &Cache{}
	}
	l.result.Known = l.o.Cache.Len()
	l.confirmed = maps.Clone(l.o.Cache.confirmed)
	defer func() {
		switch e := recover().(type) {
		case nil:
		case stopped:
			r, err = l.makeResult(), e.error
		default:
			panic(e)
		}
	}()
	// Each counterexample makes the hypothesis larger, so this ends: at the latest by a limit, which panics.
	for l.makeFirstHypothesis(); ; {
		w := l.counterexample()
		if w == nil {
			break
		}
		l.refine(*w)
	}
	l.confirmModel()
	l.result.Exact = true
	return l.makeResult(), nil
}

// stopped is the value that a learner's methods panic with to end learning early.
type stopped struct{ error }

// A learner is a hypothesis with the parser that it describes.
type learner struct {
	ctx    context.Context
	oracle Oracle
	o      Options

	class   [256]int
	letters []letter
	states  []state
	tree    *node
	dfa     *lang.DFA // the hypothesis, nil while it is being built

	confirmed map[string]bool // the words whose answers an earlier run has confirmed

	result Result
	phase  string
	piece  int // how many questions are put at once
}

// A letter is a class of bytes that have not been found to differ.
type letter struct {
	set expr.Set
	rep byte // its most readable byte, at first
}

// A state of the hypothesis is an access word: access words are closed under prefixes, and written in representatives.
type state struct {
	access string
	accept bool
	leaf   *node
	next   []int // by letter
}

// A node of the discrimination tree asks a question: is the access word, followed by the suffix, accepted?
// Its leaves are the states. Any two states are told apart by the question of the node where their ways part.
type node struct {
	up     *node
	suffix string
	answer [2]*node
	state  int // the index of a leaf's state; -1 for any other node
}

// childFor returns a pointer to the child for an answer; the child is nil if there is none.
func (n *node) childFor(yes bool) **node {
	if yes {
		return &n.answer[1]
	}
	return &n.answer[0]
}

// reportProgress reports how far learning is to the caller, if it asked for that.
func (l *learner) reportProgress() {
	if l.o.Progress != nil {
		l.o.Progress(Progress{l.phase, len(l.states), len(l.letters), l.result.Queries})
	}
}

// makeResult completes the result; it returns nil if no hypothesis was ever complete.
func (l *learner) makeResult() *Result {
	if l.result.DFA == nil {
		return nil
	}
	l.result.Extra = l.o.Extra
	l.result.Undecided = l.o.Cache.undecidedWords()
	return &l.result
}

// batch is how many questions are put at once, at most. A slow parser is asked fewer, about as many as it
// answers in a second: a run that is cut off has then lost no more, and its progress shows.
const (
	batch      = 1 << 12
	firstPiece = 64
	pieceTime  = time.Second
)

// bytesPerQuery caps the bytes of all words that have answers, since these are kept in memory: so many for each question
// that a run may ask, but at least those for fewestQueries. A run that passes the cap is out of questions.
const bytesPerQuery = 128

// fewestQueries is the least number of questions for which words have room: see bytesPerQuery. A test sets less.
var fewestQueries int64 = 1 << 20

// limitBytes panics with [stopped] if the words that have answers pass the cap of bytesPerQuery.
func (l *learner) limitBytes() {
	bytes := l.o.Cache.bytes
	if bytes > bytesPerQuery*max(int64(l.o.MaxQueries), fewestQueries) {
		const message = "%w: the strings with answers have %d bytes together; to allow more questions allows more bytes"
		panic(stopped{fmt.Errorf(message, ErrQueries, bytes)})
	}
}

// askAll asks the parser piece by piece, as far as the limit on questions allows, and keeps the answers in
// the cache. It panics with [stopped] at an error, if the limit is passed, and if ctx is done; the answers before
// that are kept.
func (l *learner) askAll(words []string) {
	left := l.o.MaxQueries - l.result.Queries
	tooMany := len(words) > left
	if tooMany { // another run goes on from the answers to the others
		words = words[:left]
	}
	for len(words) > 0 {
		n := min(l.piece, len(words))
		l.askPiece(words[:n])
		l.limitBytes()
		words = words[n:]
	}
	if tooMany {
		panic(stopped{ErrQueries})
	}
	l.endAt(l.ctx.Err())
}

// endAt ends learning, by a panic with [stopped], if err is not nil.
func (l *learner) endAt(err error) {
	if err != nil {
		panic(stopped{err})
	}
}

// askPiece asks the parser and adds its answers to the cache. It panics with [stopped] if that fails or an
// answer contradicts an earlier one; the answers are in the cache even then, unless there are none. It counts them in
// l.result, and adjusts l.piece to the time that the parser took.
func (l *learner) askPiece(words []string) {
	l.endAt(l.ctx.Err())
	start := time.Now()
	answers, err := l.oracle.Ask(l.ctx, words)
	l.endAt(err)
	if len(answers) != len(words) {
		panic(stopped{fmt.Errorf("%d answers to %d questions", len(answers), len(words))})
	}
	l.result.Queries += len(words)
	var contradiction error
	for i, w := range words {
		if before, known := l.o.Cache.Answer(w); known {
			l.result.Again++
			if contradiction == nil && (before == Accepted) != (answers[i] == Accepted) {
				contradiction = &InconsistentError{w, before, answers[i]}
			}
		}
	}
	l.endAt(l.o.Cache.Add(words, answers))
	l.reportProgress()
	l.endAt(contradiction)
	switch took := time.Since(start); {
	case took < pieceTime/2 && len(words) == l.piece:
		l.piece = min(2*l.piece, batch)
	case took > 2*pieceTime:
		l.piece = max(l.piece/2, 1)
	}
}

// confirm asks the parser again about words with known answers. Those that an earlier run confirmed are left
// out, so that a run with a small limit makes progress. Those that this run confirmed are not: their answers
// may have changed since. It panics as askPiece does, and so if an answer is another now. The slice is changed.
func (l *learner) confirm(words ...string) {
	words = slices.DeleteFunc(words, func(w string) bool { return l.confirmed[w] })
	slices.Sort(words)
	l.askAll(slices.Compact(words))
}

// confirmModel asks again about all words that the model rests on: those that led each transition down the
// tree to a state. A word that was answered alike twice before is not asked a third time. It sets l.phase.
func (l *learner) confirmModel() {
	l.phase = "again"
	var words []string
	add := func(w string, p int) {
		for n := l.states[p].leaf.up; n != nil; n = n.up {
			if word := w + n.suffix; !l.o.Cache.confirmed[word] {
				words = append(words, word)
			}
		}
	}
	add("", 0)
	for _, s := range l.states {
		for c, p := range s.next {
			add(s.access+string([]byte{l.letters[c].rep}), p)
		}
	}
	l.confirm(words...)
}

// ask returns, for each of the words, whether the parser accepts it: from the cache, or by asking, as askAll does. An
// undecided word counts as rejected.
func (l *learner) ask(words []string) (accepted []bool) {
	for words := range slices.Chunk(words, batch) {
		var missing []string
		asked := map[string]bool{}
		for _, w := range words {
			if _, ok := l.o.Cache.Answer(w); !ok && !asked[w] {
				asked[w] = true
				missing = append(missing, w)
			}
		}
		l.askAll(missing)
		for _, w := range words {
			a, _ := l.o.Cache.Answer(w)
			accepted = append(accepted, a == Accepted)
		}
	}
	return accepted
}
