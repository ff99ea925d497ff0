package prove

import (
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The lookaheads of a PEG are the conditions under which it goes one way and not another: that an
// expression matches, or does not match, some prefix of the rest of the input. Each condition is a
// regular language of rests, S(e, all) in the notation of package lang.
type lookaheads struct {
	alphabet *alphabet
	of       map[*expr.Expr]int32 // the index in langs of the language of an expression
	langs    []lookahead
	failed   map[string]error // rules with an expression whose language is not known, and why
	reaches  map[string]bool  // rules that have failed, or use one that has
}

// A lookahead is the automaton of one such language.
type lookahead struct {
	next   []int32 // by state and class
	accept []bool
	dead   int32 // the state that accepts nothing, or -1
	full   int32 // the state that accepts everything, or -1
}

// newLookaheads compiles, of the rules, every expression that a choice depends on: all alternatives but the last,
// the operands of repetitions, and those of & and !. If one cannot be compiled, because it is not well-formed or a
// limit is passed, its rule is entered in failed: what was compiled before it is kept, and the rest of the rule is
// left out. The caller sets reaches.
func newLookaheads(a *alphabet, rules []*expr.Rule, p *lang.PEG) *lookaheads {
	l := &lookaheads{alphabet: a, of: map[*expr.Expr]int32{}, failed: map[string]error{}}
	var known expr.Numbering[string]
	add := func(e *expr.Expr) error {
		if _, ok := l.of[e]; ok {
			return nil
		}
		d, err := p.Prefix(e)
		if err != nil {
			return err
		}
		i, fresh := known.Of(d.Key())
		if fresh {
			l.langs = append(l.langs, newLookahead(a, d))
		}
		l.of[e] = int32(i)
		return nil
	}
	for _, r := range rules {
		var err error
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			var on []*expr.Expr
			switch e.Op {
			case expr.Alt:
				on = e.Sub[:len(e.Sub)-1] // the last alternative is never given up for another
			case expr.Repeat, expr.And, expr.Not:
				on = e.Sub
			}
			for _, s := range on {
				if err == nil {
					err = add(s)
				}
			}
			return err == nil
		})
		if err != nil {
			l.failed[r.ID] = err
		}
	}
	return l
}

// newLookahead returns the table of d, with the states that accept nothing and everything.
func newLookahead(a *alphabet, d *lang.DFA) lookahead {
	l := lookahead{next: a.table(d), dead: -1, full: -1}
	not := d.Complement()
	for q := range d.States() {
		l.accept = append(l.accept, d.Accepts(q))
		if d.Dead(q) {
			l.dead = int32(q)
		}
		if not.Dead(q) {
			l.full = int32(q)
		}
	}
	return l
}

// A promise is a statement about the rest of the input: a lookahead's automaton accepts it from a
// given state, or, negated, does not accept it. It packs the number of the language, the state and
// the sign.
type promise int64

// newPromise returns the promise about language l from state q; not negates it.
func newPromise(l, q int32, not bool) promise {
	p := promise(l)<<33 | promise(q)<<1
	if not {
		p |= 1
	}
	return p
}

// lang returns the number of the language that is promised.
func (p promise) lang() int32 { return int32(p >> 33) }

// state returns the state of its automaton that has been reached.
func (p promise) state() int32 { return int32(p >> 1) }

// not reports whether the promise is that the language does not match.
func (p promise) not() bool { return p&1 != 0 }

// promises holds sets of promises, each under a number. Number 0 is the empty set, which always
// holds.
type promises struct {
	*lookaheads
	sets  [][]promise
	index map[string]int32
	size  int                // promises in all sets together
	memo  map[[2]int32]int32 // results of afterClass

	made []promise // scratch: the set that intern is asked for
	key  []byte    // scratch of intern
}

// broken stands for a set of promises that no input keeps.
const broken int32 = -1

// newPromises returns a store that has only the empty set.
func newPromises(l *lookaheads) *promises {
	p := &promises{lookaheads: l, index: map[string]int32{}, memo: map[[2]int32]int32{}}
	p.intern(nil)
	return p
}

// intern returns the number of a set. It sorts set in place, drops duplicates, and keeps a copy if it is new.
func (p *promises) intern(set []promise) int32 {
	slices.Sort(set)
	set = slices.Compact(set)
	p.key = p.key[:0]
	for _, x := range set {
		p.key = binary.LittleEndian.AppendUint64(p.key, uint64(x))
	}
	i, ok := p.index[string(p.key)]
	if !ok {
		i = int32(len(p.sets))
		p.index[string(p.key)] = i
		p.sets = append(p.sets, slices.Clone(set))
		p.size += len(set)
	}
	return i
}

// settledValue reports whether a promise holds for every rest of the input, and whether it holds for none.
func (p *promises) settledValue(x promise) (always, never bool) {
	l := &p.langs[x.lang()]
	always, never = x.state() == l.full, x.state() == l.dead
	if x.not() {
		return never, always
	}
	return always, never
}

// promiseHere returns the set with one more promise: that e matches a prefix of the rest of the input, or with not,
// that it matches none. It returns broken only if no input keeps all. A set that is not broken may still be one that
// no input keeps. e must be among the expressions of the lookaheads, and set must not be broken.
func (p *promises) promiseHere(set int32, e *expr.Expr, not bool) int32 {
	x := newPromise(p.of[e], 0, not)
	switch always, never := p.settledValue(x); {
	case always:
		return set
	case never:
		return broken
	}
	if slices.Contains(p.sets[set], newPromise(p.of[e], 0, !not)) {
		return broken
	}
	p.made = append(append(p.made[:0], p.sets[set]...), x)
	return p.intern(p.made)
}

// afterClass returns the promises that a set, which must not be broken, leaves for the rest after a byte of class c.
// It returns broken if that byte breaks one, or if one of those that are left is the negation of another.
func (p *promises) afterClass(set int32, c int) int32 {
	if set == 0 {
		return 0
	}
	key := [2]int32{set, int32(c)}
	if to, ok := p.memo[key]; ok {
		return to
	}
	p.made = p.made[:0]
	to := int32(0)
	for _, x := range p.sets[set] {
		l := &p.langs[x.lang()]
		y := newPromise(x.lang(), l.next[int(x.state())*p.alphabet.size()+c], x.not())
		always, never := p.settledValue(y)
		if never {
			to = broken
			break
		}
		if !always {
			p.made = append(p.made, y)
		}
	}
	if to != broken {
		to = p.intern(p.made)
		for _, x := range p.sets[to] { // a promise and its negation, which differ in the lowest bit
			if !x.not() && slices.Contains(p.sets[to], x|1) {
				to = broken
				break
			}
		}
	}
	p.memo[key] = to
	return to
}

// holdAtEnd reports whether all promises of a set hold if the rest is empty.
func (p *promises) holdAtEnd(set int32) bool {
	isBroken := func(x promise) bool { return p.langs[x.lang()].accept[x.state()] == x.not() }
	return !slices.ContainsFunc(p.sets[set], isBroken)
}
