package interpreter

import (
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A network is the productions of a grammar as an [ast.General] has them: for each an automaton that reads bytes and calls
// productions, with ordered choices. A production that uses itself at its end goes on at its beginning, and what is small and is no
// node is put in where it is used.
type network struct {
	*grammar
	states []netState // state 0 leads nowhere
	sets   expr.Numbering[expr.Set]
	starts []int32 // by kind
	of     []int   // by kind: the production that it is, as a kind
	kinds  map[netUse]int
	todo   []netUse
	small  map[string]bool
	proven map[int]bool    // kinds whose nodes are made by code
	cyclic map[string]bool // productions that can be inside themselves with the same text

	in   *expr.Rule // the production in the making, or that at whose end it stands
	all  bool       // all that it uses is put in
	memo map[netSite]int32
	same map[string]int32
}

type netState struct {
	op   opcode.Op
	arg  int
	next []int32
}

// A netUse is a production that is called: by itself or, if it can be inside itself with the same text, at the end of a production that it
// goes on with.
type netUse struct{ id, at string }

// A netThen is what follows an expression: where to go on if nothing has been read since the iteration around it began, and where
// if something has.
type netThen struct{ none, some int32 }

// A netSite is an expression before what follows, at the end of its production or not; or, if whole, a production.
type netSite struct {
	e     *expr.Expr
	k     netThen
	tail  bool
	whole bool
}

// smallest is the size of an expression that is put in.
const smallest = 64

// An Inside tells of a production that it is proven, so that code makes its nodes, and that no byte with which it could go on can stand
// behind it, so that it is read as one automaton.
type Inside func(id string) (proven, whole bool)

func nothingProven(string) (proven, whole bool) { return false, false }

// pack returns the tables of the productions that are to be parsed.
func (in *grammar) pack(inside Inside, starts ...string) string {
	n := &network{grammar: in, states: make([]netState, 1), kinds: map[netUse]int{}, small: map[string]bool{}, cyclic: map[string]bool{}, proven: map[int]bool{}}
	n.starts, n.of = make([]int32, len(in.Rules)+1), make([]int, len(in.Rules)+1)
	for i, r := range in.Rules {
		n.of[i+1] = i + 1
		if use := (netUse{id: r.ID}); n.kinds[use] == 0 {
			n.kinds[use] = i + 1
		}
	}
	for id := range expr.Circles(in.Rules, in.alone) {
		n.cyclic[id] = true
	}
	for _, id := range starts {
		n.todo = append(n.todo, netUse{id: id})
	}
	for len(n.todo) > 0 {
		use := n.todo[len(n.todo)-1]
		n.todo = n.todo[:len(n.todo)-1]
		r, kind := in.Rule(use.id), n.kinds[use]
		if n.starts[kind] != 0 || !in.facts.Derives(r.Expr) {
			continue
		}
		n.in, n.memo, n.same = r, map[netSite]int32{}, map[string]int32{}
		proven, whole := inside(use.id)
		if n.all = whole; proven {
			n.proven[kind] = true
		}
		if use.at != "" {
			n.in = in.Rule(use.at)
		}
		end := n.add(netState{op: opcode.End, arg: kind})
		n.starts[kind] = n.enter(r, netThen{end, end}, true)
	}
	return n.packed(starts)
}

// alone lists the productions that can be all of what e derives.
func (in *grammar) alone(e *expr.Expr) (ids []string) {
	if e.Op == expr.Ref {
		return []string{e.Name}
	}
	for i, s := range e.Sub {
		if e.Op != expr.Seq || !slices.ContainsFunc(e.Sub, func(o *expr.Expr) bool { return o != s && !in.facts.Nullable(o) }) {
			ids = append(ids, in.alone(e.Sub[i])...)
		}
	}
	return ids
}

func (n *network) fresh(s netState) int32 {
	n.Budget.Step(100 + 4*len(s.next))
	n.Budget.Room(int64(len(n.states)) * 512) // with what is packed and read from it
	n.states = append(n.states, s)
	return int32(len(n.states) - 1)
}

// add returns the state that is s.
func (n *network) add(s netState) int32 {
	key := binary.LittleEndian.AppendUint64(nil, uint64(s.arg)<<3|uint64(s.op))
	for _, q := range s.next {
		key = binary.LittleEndian.AppendUint32(key, uint32(q))
	}
	return expr.Memo(n.same, string(key), func() int32 { return n.fresh(s) })
}

func (n *network) byte(s expr.Set, next int32) int32 {
	if next == 0 || s.IsEmpty() {
		return 0
	}
	id, _ := n.sets.Of(s)
	return n.add(netState{opcode.Byte, id, []int32{next}})
}

func (n *network) choice(next ...int32) int32 {
	var live []int32
	for _, q := range next {
		if q != 0 {
			live = append(live, q)
		}
	}
	switch len(live) {
	case 0:
		return 0
	case 1:
		return live[0]
	}
	return n.add(netState{op: opcode.Choice, next: live})
}

// build returns the state from which e is read and k follows. Tail reports that e stands at the end of the production.
func (n *network) build(e *expr.Expr, k netThen, tail bool) int32 {
	if k == (netThen{}) || !n.facts.Derives(e) {
		return 0
	}
	switch e.Op {
	case expr.Empty:
		return k.none
	case expr.Class:
		return n.byte(e.Set, k.some)
	case expr.Literal:
		q := k.some
		for i := len(e.Lit) - 1; i >= 0; i-- {
			q = n.byte(expr.Bytes(e.Lit[i:i+1]), q)
		}
		return q
	}
	at := netSite{e: e, k: k, tail: tail}
	q, ok := n.memo[at]
	if ok {
		return q
	}
	n.Budget.Step(20)
	switch e.Op {
	case expr.Ref:
		q = n.ref(e, k, tail)
	case expr.Seq:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			last := tail && i == len(e.Sub)-1
			next := netThen{n.build(e.Sub[i], k, last), 0}
			if next.some = next.none; k.none != k.some && i > 0 {
				next.some = n.build(e.Sub[i], netThen{k.some, k.some}, last)
			}
			k = next
		}
		q = k.none
	case expr.Alt:
		next := make([]int32, len(e.Sub))
		for i, s := range e.Sub {
			next[i] = n.build(s, k, tail)
		}
		q = n.choice(next...)
	case expr.Repeat:
		q = n.repeat(e, k, tail)
	}
	n.memo[at] = q
	return q
}

// ref returns the state of the use of a production.
func (n *network) ref(e *expr.Expr, k netThen, tail bool) int32 {
	r := n.Rule(e.Name)
	in, of := n.facts.Component(n.in.ID), n.facts.Component(r.ID)
	node := n.rules[r.ID].kind != 0
	use := netUse{id: r.ID}
	switch {
	case n.all:
		return n.build(r.Expr, k, false)
	case tail && (r.ID == n.in.ID || !node) && n.cyclic[r.ID]:
		if use.at = n.in.ID; n.kinds[use] == 0 {
			n.kinds[use] = len(n.of)
			n.of, n.starts = append(n.of, n.kinds[netUse{id: r.ID}]), append(n.starts, 0)
		}
	case tail && (r.ID == n.in.ID || !node && of.Recursive && of == in):
		return n.enter(r, k, true)
	case !node && !of.Recursive && n.isSmall(r):
		return n.build(r.Expr, k, false)
	}
	n.todo = append(n.todo, use)
	next := []int32{0, 0}
	if n.facts.NonEmpty(r.Expr) {
		next[0] = k.some
	}
	if n.facts.Nullable(r.Expr) {
		next[1] = k.none
	}
	if next[0]|next[1] == 0 {
		return 0
	}
	return n.add(netState{opcode.Call, n.kinds[use], next})
}

// isSmall reports whether the expression of r is small, with all that it uses and its counts written out.
func (n *network) isSmall(r *expr.Rule) bool {
	return expr.Memo(n.small, r.ID, func() bool {
		return n.Fits(r.Expr, smallest, func(r *expr.Rule) bool { return n.rules[r.ID].kind == 0 })
	})
}

// enter returns the state in which a production begins in which k follows, also of itself.
func (n *network) enter(r *expr.Rule, k netThen, tail bool) int32 {
	at := netSite{e: r.Expr, k: k, tail: tail, whole: true}
	q, ok := n.memo[at]
	if !ok {
		q = n.fresh(netState{op: opcode.Choice})
		n.memo[at] = q
		if body := n.build(r.Expr, k, tail); body != 0 {
			n.states[q].next = []int32{body}
		}
	}
	return q
}

// repeat returns the state of a repetition. The iterations that must be there may be empty, a further one may not.
func (n *network) repeat(e *expr.Expr, k netThen, tail bool) int32 {
	body := e.Sub[0]
	if e.Max == expr.Unbounded {
		tail = false
		if n.facts.NonEmpty(body) {
			loop := n.fresh(netState{op: opcode.Choice}) // at least one iteration has been read
			first := n.build(body, netThen{0, loop}, false)
			n.states[loop].next = []int32{first}
			if k.some != 0 {
				n.states[loop].next = append(n.states[loop].next, k.some)
			}
			if k.none == k.some {
				k = netThen{loop, loop}
			} else {
				k = netThen{n.choice(first, k.none), loop}
			}
		}
	} else {
		end, next := k, k // behind the last iteration, and behind this one
		for i := e.Max; i > e.Min && n.facts.NonEmpty(body); i-- {
			more := n.build(body, netThen{0, next.some}, tail && i == e.Max)
			next = netThen{n.choice(more, end.none), n.choice(more, end.some)}
		}
		tail = tail && e.Max == e.Min
		k = next
	}
	for i := range e.Min {
		some := n.build(body, netThen{k.some, k.some}, tail && i == 0)
		none := some
		if k.none != k.some {
			none = n.build(body, k, tail && i == 0)
		}
		k = netThen{none, some}
	}
	return k.none
}

// packed returns the tables, of some productions and those that they use.
func (n *network) packed(of []string) string {
	order, starts, counts, next := annotated.NumberReached([]int32{0}, n.starts, func(q int32) []int32 { return n.states[q].next }, len(n.states))
	var ops, args []int
	for _, q := range order {
		ops, args = append(ops, int(n.states[q].op)), append(args, n.states[q].arg)
	}
	part := expr.NewPartition(n.sets.List...)
	classes, members := annotated.Numbers(part.Class[:]), annotated.Members(part, n.sets.List...)
	firsts, follows := n.borders(of)
	var follow []int
	var node, proven []bool
	for k := range n.starts {
		follow = append(append(follow, annotated.Members(part, follows[k])...), 1)
		node = append(node, k > 0 && k <= len(n.Rules) && n.rules[n.Rules[k-1].ID].kind == ast.Kind(k))
		proven = append(proven, n.proven[k])
	}
	return annotated.Pack(classes, []int{part.N}, members, ops, args, counts, []int{len(n.states)}, next, starts, n.of, annotated.Bits(node), annotated.Bits(proven), annotated.Members(part, firsts...), follow)
}

// borders returns the first bytes of what each production derives, and those that can follow it where these are the starts.
func (n *network) borders(starts []string) (first, follow []expr.Set) {
	first, follow = make([]expr.Set, len(n.starts)), make([]expr.Set, len(n.starts))
	rules := n.Part(starts...).Rules
	begins := n.facts.First(rules)
	after := begins.Follow(rules)
	for k, q := range n.starts {
		if q != 0 {
			id := n.Rules[n.of[k]-1].ID
			first[k], follow[k] = begins.Of(expr.To(id)), after[id]
		}
	}
	return first, follow
}
