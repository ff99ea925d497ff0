package bnftogo

import (
	"encoding/binary"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An nfa is a grammar with its productions put in the places where they are used, as an automaton with ordered choices. A
// state stands for an expression and all that follows it up to the end of the input, so that two uses of a production share
// states exactly where they continue alike.
type nfa struct {
	states []state
	sets   expr.Numbering[expr.Set]
	same   map[string]int32 // states by what they are
	limit  int
	budget *budget.Budget
	held   int64 // bytes, of the automata that are made of it as well
}

// hold counts bytes that are kept as long as n is.
func (n *nfa) hold(bytes int) {
	n.held += int64(bytes)
	n.budget.Room(n.held)
}

type op uint8

const (
	opDead   op = iota
	opAccept    // the end of the input
	opByte      // a byte of a set, then next[0]
	opAlt       // the first of next from which the rest can be derived
	opAct       // an action, then next[0]
)

type state struct {
	op   op
	arg  int32 // the set of opByte, the action of opAct
	next []int32
}

// Actions: a kind opens a node of that kind.
const (
	actClose   = 0      // closes the innermost open node
	actMark    = 0xffff // marks the innermost open node
	actCloseTo = 0xfffe // closes nodes up to the one that was marked last, and removes that mark
	maxKind    = 0xfff0
)

const (
	dead   = 0
	accept = 1
)

func newNFA(limit int, b *budget.Budget) *nfa {
	return &nfa{
		states: []state{{op: opDead}, {op: opAccept}},
		same:   map[string]int32{},
		limit:  limit,
		budget: b,
	}
}

func (n *nfa) add(s state) int32 {
	n.budget.Step(8 + 4*len(s.next))
	key := make([]byte, 0, 8+4*len(s.next))
	key = append(key, byte(s.op))
	key = binary.LittleEndian.AppendUint32(key, uint32(s.arg))
	for _, t := range s.next {
		key = binary.LittleEndian.AppendUint32(key, uint32(t))
	}
	return expr.Memo(n.same, string(key), func() int32 { return n.fresh(s) })
}

// partition returns the classes of bytes that the states tell apart.
func (n *nfa) partition() *expr.Partition { return expr.NewPartition(n.sets.List...) }

func (n *nfa) fresh(s state) int32 {
	if len(n.states) >= n.limit {
		panic(&budget.Exceeded{Limit: budget.States, Size: int64(n.limit), Production: n.budget.At()})
	}
	n.hold(192 + 8*len(s.next))
	n.states = append(n.states, s)
	return int32(len(n.states) - 1)
}

func (n *nfa) byte(s expr.Set, next int32) int32 {
	if next == dead || s.IsEmpty() {
		return dead
	}
	id, _ := n.sets.Of(s)
	return n.add(state{op: opByte, arg: int32(id), next: []int32{next}})
}

func (n *nfa) act(action int, next int32) int32 {
	if next == dead {
		return dead
	}
	return n.add(state{op: opAct, arg: int32(action), next: []int32{next}})
}

// alt returns the ordered choice of the states. Those from which nothing is accepted are left out, and so is what has
// come before.
func (n *nfa) alt(next ...int32) int32 {
	var live []int32
	seen := map[int32]bool{}
	for _, q := range next {
		if q == dead {
			continue
		}
		if !seen[q] {
			seen[q] = true
			live = append(live, q)
		}
	}
	switch len(live) {
	case 0:
		return dead
	case 1:
		return live[0]
	}
	return n.add(state{op: opAlt, next: live})
}

// A then is what follows an expression: where to go on if nothing has been consumed since the iteration around it began,
// and where if something has. Outside of iterations both are the same.
type then struct{ none, some int32 }

func both(q int32) then { return then{q, q} }

// each returns what f makes of both.
func (k then) each(f func(q int32) int32) then {
	to := both(f(k.some))
	if k.none != k.some {
		to.none = f(k.none)
	}
	return to
}

type builder struct {
	*nfa
	g        *expr.Grammar
	facts    *expr.Facts
	kind     func(id string) int // of a production that is a node; else 0
	comp     map[string]*expr.Component
	leftmost map[*expr.Component]*expr.Rule // of each component, a production that can use itself before anything is read
	// emptyCircle has the productions that use themselves and derive the empty string alone.
	emptyCircle map[string]*expr.Rule

	memo  map[site]int32
	ends  map[tail]then
	exits map[int32]int32 // of tails
	tails map[int32]tail  // states at the end of a production that uses itself there
}

type site struct {
	e *expr.Expr
	k then
}

// build returns the state from which e is read and k follows.
func (b *builder) build(e *expr.Expr, k then) int32 {
	if k == both(dead) || !b.facts.Derives(e) {
		return dead
	}
	b.budget.Step(20)
	switch e.Op {
	case expr.Empty:
		return k.none
	case expr.Class:
		return b.byte(e.Set, k.some)
	case expr.Literal:
		q := k.some
		for i := len(e.Lit) - 1; i >= 0; i-- {
			q = b.byte(expr.Bytes(e.Lit[i:i+1]), q)
		}
		return q
	case expr.Node:
		return b.build(e.Sub[0], k)
	}
	at := site{e, k}
	if q, ok := b.memo[at]; ok {
		return q
	}
	var q int32
	switch e.Op {
	case expr.Ref:
		return b.enter(b.g.Rule(e.Name), k) // has a memory of its own
	case expr.Seq:
		for i := len(e.Sub) - 1; i > 0; i-- {
			q := b.build(e.Sub[i], k)
			if k.none != k.some {
				k = then{q, b.build(e.Sub[i], both(k.some))}
			} else {
				k = both(q)
			}
		}
		q = b.build(e.Sub[0], k)
	case expr.Alt:
		next := make([]int32, len(e.Sub))
		for i, s := range e.Sub {
			next[i] = b.build(s, k)
		}
		q = b.alt(next...)
	case expr.Repeat:
		q = b.repeat(e, k)
	}
	b.hold(96)
	b.memo[at] = q
	return q
}

// repeat returns the state of a repetition. The iterations that must be there may be empty, a further one may not.
func (b *builder) repeat(e *expr.Expr, k then) int32 {
	body := e.Sub[0]
	if e.Max == expr.Unbounded {
		loop := func(exit int32) int32 { return exit }
		if b.facts.NonEmpty(body) {
			loops := map[int32]int32{}
			again := func(exit int32) int32 { // at least one iteration has been read
				if q, ok := loops[exit]; ok {
					return q
				}
				q := b.fresh(state{op: opAlt})
				loops[exit] = q
				if first := b.build(body, then{dead, q}); first != dead {
					b.states[q].next = append(b.states[q].next, first)
				}
				if exit != dead {
					b.states[q].next = append(b.states[q].next, exit)
				}
				return q
			}
			loop = func(exit int32) int32 {
				if exit == k.some {
					return again(exit)
				}
				return b.alt(b.build(body, then{dead, again(k.some)}), exit)
			}
		}
		some := int32(dead)
		if k.some != dead {
			some = loop(k.some)
		}
		none := some
		if k.none != k.some {
			none = loop(k.none)
		}
		k = then{none, some}
	} else {
		// From the last that may be there to the first.
		end := k
		for i := e.Max; i > e.Min; i-- {
			if !b.facts.NonEmpty(body) {
				break
			}
			next := k.some // behind this iteration
			k = end.each(func(exit int32) int32 { return b.alt(b.build(body, then{dead, next}), exit) })
		}
	}
	for range e.Min {
		some := b.build(body, both(k.some))
		none := some
		if k.none != k.some {
			none = b.build(body, k)
		}
		k = then{none, some}
	}
	return k.none
}

// A path is a way from a state without consuming anything: what is done on it, and the state in which it ends, which
// reads a byte or is the end of the input.
type path struct {
	acts string // two bytes an action
	to   int32
}

// A meet is a state in which two ways end that do different things.
type meet struct {
	at         int32
	one, other string
}

// ways returns the paths from q, one for each state in which they end, in the order of the choices, and where two meet.
func (n *nfa) ways(q int32) (paths []path, meets []meet) {
	seen := map[int32]string{}
	var walk func(q int32, acts []byte)
	walk = func(q int32, acts []byte) {
		for {
			if one, ok := seen[q]; ok {
				if one != string(acts) {
					meets = append(meets, meet{q, one, string(acts)})
				}
				return
			}
			n.budget.Step(1 + len(acts))
			seen[q] = string(acts)
			s := &n.states[q]
			switch s.op {
			case opDead:
				return
			case opAccept, opByte:
				paths = append(paths, path{string(acts), q})
				return
			case opAct:
				acts = append(acts[:len(acts):len(acts)], byte(s.arg), byte(s.arg>>8))
				q = s.next[0]
			case opAlt:
				if len(s.next) == 0 {
					return
				}
				for _, p := range s.next[:len(s.next)-1] {
					walk(p, acts)
				}
				q = s.next[len(s.next)-1]
			}
		}
	}
	walk(q, nil)
	return paths, meets
}
