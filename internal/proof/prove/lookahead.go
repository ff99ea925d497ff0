package prove

import (
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// lookaheads are the conditions under which a PEG goes one way and not another: that an expression does, or does not,
// match some beginning of what is left of the input. Each is a regular language, S(e, all) in the words of package lang.
type lookaheads struct {
	alphabet *alphabet
	of       map[*expr.Expr]int32 // expression -> its language
	langs    []lookahead
	failed   map[string]error // rules with an expression that has none
	reaches  map[string]bool  // rules that use one that has failed, or have
}

// A lookahead is one such language.
type lookahead struct {
	next   []int32 // by state and class
	accept []bool
	dead   int32 // the state from which nothing is accepted, or -1
	full   int32 // the state from which everything is accepted, or -1
}

// newLookaheads compiles every expression of the rules on which a choice depends: the alternatives before the last, what
// is repeated, and the operands of & and !. Where that cannot be done, because a rule is not well-formed or a limit is
// passed, the rule has failed.
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
				on = e.Sub[:len(e.Sub)-1]
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

// A promise is that what is left of the input is, or for not is not, accepted by a lookahead's automaton from a state.
// Promises are numbers: the language, the state and the sign in one.
type promise int64

func newPromise(l, q int32, not bool) promise {
	p := promise(l)<<33 | promise(q)<<1
	if not {
		p |= 1
	}
	return p
}

func (p promise) lang() int32  { return int32(p >> 33) }
func (p promise) state() int32 { return int32(p >> 1) }
func (p promise) not() bool    { return p&1 != 0 }

// Promise sets, interned: number 0 is the empty set, which always holds.
type promises struct {
	*lookaheads
	sets  [][]promise
	index map[string]int32
	size  int                // of all sets
	memo  map[[2]int32]int32 // after a set has read a class
}

// broken is the set of promises that cannot be kept.
const broken int32 = -1

func newPromises(l *lookaheads) *promises {
	p := &promises{lookaheads: l, index: map[string]int32{}, memo: map[[2]int32]int32{}}
	p.intern(nil)
	return p
}

func (p *promises) intern(set []promise) int32 {
	slices.Sort(set)
	set = slices.Compact(set)
	var key []byte
	for _, x := range set {
		key = binary.LittleEndian.AppendUint64(key, uint64(x))
	}
	i, ok := p.index[string(key)]
	if !ok {
		i = int32(len(p.sets))
		p.index[string(key)] = i
		p.sets = append(p.sets, set)
		p.size += len(set)
	}
	return i
}

// reduce returns the value of a promise by itself: it always holds, it never does, or it depends on the input.
func (p *promises) reduce(x promise) (always, never bool) {
	l := &p.langs[x.lang()]
	always, never = x.state() == l.full, x.state() == l.dead
	if x.not() {
		return never, always
	}
	return always, never
}

// with adds the promise that e matches here, or does not.
func (p *promises) with(set int32, e *expr.Expr, not bool) int32 {
	x := newPromise(p.of[e], 0, not)
	switch always, never := p.reduce(x); {
	case always:
		return set
	case never:
		return broken
	}
	if slices.Contains(p.sets[set], newPromise(p.of[e], 0, !not)) {
		return broken
	}
	return p.intern(append(slices.Clone(p.sets[set]), x))
}

// after returns what a set promises once a byte of class c is read.
func (p *promises) after(set int32, c int) int32 {
	if set == 0 {
		return 0
	}
	key := [2]int32{set, int32(c)}
	if to, ok := p.memo[key]; ok {
		return to
	}
	var out []promise
	to := int32(0)
	for _, x := range p.sets[set] {
		l := &p.langs[x.lang()]
		y := newPromise(x.lang(), l.next[int(x.state())*p.alphabet.size()+c], x.not())
		always, never := p.reduce(y)
		if never {
			to = broken
			break
		}
		if !always {
			out = append(out, y)
		}
	}
	if to != broken {
		to = p.intern(out)
		for _, x := range p.sets[to] { // one promise and its opposite
			if !x.not() && slices.Contains(p.sets[to], x|1) {
				to = broken
				break
			}
		}
	}
	p.memo[key] = to
	return to
}

// kept reports whether the promises hold at the end of the input.
func (p *promises) kept(set int32) bool {
	return !slices.ContainsFunc(p.sets[set], func(x promise) bool { return p.langs[x.lang()].accept[x.state()] == x.not() })
}
