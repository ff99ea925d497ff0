package pegtest

import (
	"math/bits"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Node is a node of a tree in pre-order: its production, where it begins and ends, and where the node after it
// stands in the list.
type Node struct {
	ID             string
	From, To, Next int
}

// First returns the tree that package interpreter chooses. It is an oracle, and shares no code with a parser.
//
// It tries all derivations of w in order: depth first, from left to right, the first alternative, one more iteration.
// An iteration beyond the least number is never empty. A production never stands inside itself with the same text,
// and goes on where it uses itself at its very end. Nodes are the root and the productions that node reports.
//
// A least fixed point tells beforehand between which places a production can stand, so that First gives up a way at
// once if the rest of w cannot follow. The condition on productions inside themselves is met by trying, in
// exponential time at worst: known is false if no steps are left, or if g has no production start. Words have at most
// 63 bytes.
func First(g *expr.Grammar, start string, node func(id string) bool, w string,
	steps int) (tree []Node, derived, known bool) {
	f := &firstFinder{g: g, node: node, w: w, steps: steps, reach: map[string][]uint64{}}
	f.reachable()
	r := g.Rule(start)
	derived = f.match(&expr.Expr{Op: expr.Ref, Name: start}, 0, "", nil)
	if f.steps < 0 || r == nil {
		return nil, false, false
	}
	return f.tree(), derived, true
}

// A firstFinder looks for the first derivation of w. A set of places in w is a number with a bit for each.
type firstFinder struct {
	g     *expr.Grammar
	node  func(id string) bool
	w     string
	steps int
	reach map[string][]uint64 // by production and place: where what it derives from there can end

	open   *openProduction
	closed []closedProduction // in the order of their ends
	marks  []firstMark
}

// An openProduction has begun at a place, inside another one.
type openProduction struct {
	id     string
	at     int
	marked bool   // it is a node
	ends   uint64 // where it may end: further left than similar ones around it
	before int    // how many had ended when it began
	around *openProduction
}

// A closedProduction is one that has ended.
type closedProduction struct {
	id       string
	from, to int
}

// A firstMark is where a node begins or, without an ID, where the innermost node ends.
type firstMark struct {
	id string
	at int
}

// A firstThen is the next thing to match: an expression; the further iterations of a repetition; or the end
// of a production.
type firstThen struct {
	e    *expr.Expr
	tail string // the node at whose very end e stands, or ""

	again    *expr.Expr
	done     int // iterations
	begun    int // where the last of them began
	closes   *openProduction
	followed *firstThen
}

// reachable finds where productions can end.
func (f *firstFinder) reachable() {
	for _, r := range f.g.Rules {
		f.reach[r.ID] = make([]uint64, len(f.w)+1)
	}
	for grown := true; grown; {
		grown = false
		for _, r := range f.g.Rules {
			for at := range len(f.w) + 1 {
				if ends := f.ends(r.Expr, 1<<at); ends != f.reach[r.ID][at] {
					f.reach[r.ID][at], grown = ends, true
				}
			}
		}
	}
}

// ends returns the places where e can end if it begins at one of the places from, as far as reach knows yet.
func (f *firstFinder) ends(e *expr.Expr, from uint64) (to uint64) {
	switch e.Op {
	case expr.Empty:
		return from
	case expr.Class, expr.Literal:
		for at := range places(from) {
			if end := terminal(e, f.w, at); end >= 0 {
				to |= 1 << end
			}
		}
	case expr.Ref:
		for at := range places(from) {
			if f.reach[e.Name] != nil {
				to |= f.reach[e.Name][at]
			}
		}
	case expr.Seq:
		for _, s := range e.Sub {
			from = f.ends(s, from)
		}
		return from
	case expr.Alt:
		for _, s := range e.Sub {
			to |= f.ends(s, from)
		}
	case expr.Repeat:
		return f.iterated(e, 0, from)
	}
	return to
}

// iterated is ends of a repetition that has made some iterations.
func (f *firstFinder) iterated(e *expr.Expr, done int, from uint64) uint64 {
	for ; done < e.Min; done++ {
		from = f.ends(e.Sub[0], from)
	}
	to := from
	for ; e.Max == expr.Unbounded || done < e.Max; done++ {
		from = f.ends(e.Sub[0], from)
		if from&^to == 0 {
			break
		}
		to |= from
	}
	return to
}

// places yields the members of a set of places.
func places(set uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}

// canEnd reports whether k can lead from some places to the end of w.
func (f *firstFinder) canEnd(k *firstThen, from uint64) bool {
	for ; k != nil && from != 0; k = k.followed {
		switch {
		case k.e != nil:
			from = f.ends(k.e, from)
		case k.again != nil:
			from = f.iterated(k.again, k.done, from)
		default:
			from &= k.closes.ends
		}
	}
	return from&(1<<len(f.w)) != 0
}

// match reports whether there is a derivation by e from a place on, and then k. If there is, the marks are its nodes.
// It counts a step, and is false as well when none are left, which f.steps < 0 tells apart.
func (f *firstFinder) match(e *expr.Expr, at int, tail string, k *firstThen) bool {
	// After this, e matches in some way that lets k reach the end: a terminal cannot fail any more.
	if f.steps--; f.steps < 0 || !f.canEnd(k, f.ends(e, 1<<at)) {
		return false
	}
	switch e.Op {
	case expr.Empty:
		return f.then(k, at)
	case expr.Class, expr.Literal:
		return f.then(k, terminal(e, f.w, at))
	case expr.Ref:
		return f.production(f.g.Rule(e.Name), at, tail, k)
	case expr.Seq:
		for i := len(e.Sub) - 1; i > 0; i-- {
			k = &firstThen{e: e.Sub[i], tail: tail, followed: k}
			tail = ""
		}
		return f.match(e.Sub[0], at, tail, k)
	case expr.Alt:
		return slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return f.match(s, at, tail, k) })
	case expr.Repeat:
		return f.iterate(&firstThen{again: e, tail: tail, begun: -1, followed: k}, at)
	}
	return false
}

// then goes on with k at a place.
func (f *firstFinder) then(k *firstThen, at int) bool {
	switch {
	case k == nil:
		return at == len(f.w)
	case k.e != nil:
		return f.match(k.e, at, k.tail, k.followed)
	case k.again != nil:
		if k.done > k.again.Min && at == k.begun {
			return false // an iteration beyond the least number is never empty
		}
		return f.iterate(k, at)
	}
	return f.close(k, at)
}

// iterate goes on in a repetition: with one more iteration or, failing that, with the parts that follow.
func (f *firstFinder) iterate(k *firstThen, at int) bool {
	e := k.again
	if e.Max == expr.Unbounded || k.done < e.Max {
		inside := ""
		if k.done+1 == e.Max {
			inside = k.tail // the last that there can be ends where the repetition ends
		}
		more := &firstThen{again: e, tail: k.tail, done: k.done + 1, begun: at, followed: k.followed}
		if f.match(e.Sub[0], at, inside, more) {
			return true
		}
	}
	return k.done >= e.Min && f.then(k.followed, at)
}

// production begins a production, and goes on with its right-hand side and then k. It is false if its like around it,
// at the same place, leave it no place to end. On failure the state of f is as before.
func (f *firstFinder) production(r *expr.Rule, at int, tail string, k *firstThen) bool {
	if r == nil {
		return false
	}
	ends := f.reach[r.ID][at]
	for o := f.open; o != nil; o = o.around {
		if o.id == r.ID && o.at == at { // it ends further right
			ends &^= 1 << (bits.Len64(ends) - 1)
		}
		if ends == 0 {
			return false
		}
	}
	isNode := f.open == nil || f.node(r.ID)
	o := &openProduction{
		id: r.ID, at: at, marked: isNode && tail != r.ID, ends: ends, before: len(f.closed), around: f.open,
	}
	if isNode {
		tail = r.ID
	}
	marks := len(f.marks)
	if o.marked {
		f.marks = append(f.marks, firstMark{r.ID, at})
	}
	f.open = o
	if f.match(r.Expr, at, tail, &firstThen{closes: o, followed: k}) {
		return true
	}
	f.open, f.marks = o.around, f.marks[:marks]
	return false
}

// close ends a production and goes on with the parts that follow. It returns false, and changes nothing, if
// an equal production with the same text is inside it.
func (f *firstFinder) close(k *firstThen, at int) bool {
	o := k.closes
	is := closedProduction{o.id, o.at, at}
	if slices.Contains(f.closed[o.before:], is) {
		return false
	}
	closed, marks := len(f.closed), len(f.marks)
	f.open, f.closed = o.around, append(f.closed, is)
	if o.marked {
		f.marks = append(f.marks, firstMark{at: at})
	}
	if f.then(k.followed, at) {
		return true
	}
	f.open, f.closed, f.marks = o, f.closed[:closed], f.marks[:marks]
	return false
}

// tree returns the marks as nodes.
func (f *firstFinder) tree() (tree []Node) {
	var open []int
	for _, m := range f.marks {
		if m.id != "" {
			open = append(open, len(tree))
			tree = append(tree, Node{ID: m.id, From: m.at})
			continue
		}
		top := len(open) - 1
		tree[open[top]].To, tree[open[top]].Next = m.at, len(tree)
		open = open[:top]
	}
	return tree
}
