package prove

import (
	"cmp"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// runs is the automaton of the successful runs of a PEG expression over whole inputs: a nondeterministic automaton in
// which every word that the expression matches has exactly one accepting path, and that path shows what the parser
// did: which alternatives it took, where it went round a repetition once more, where nodes begin and end.
//
// It is the PEG read as an unordered expression with guards. Where the parser can come to the second alternative only
// if the first does not match, the path into the second carries the promise that the first does not match here
// ([promises]); leaving a repetition promises that there is no further round; !e and &e are promises and nothing else.
// By the equations of package lang for S(e, K) these are the same words, and since the guards of the ways out of a
// choice exclude each other, no word has two paths.
//
// A state is a stack of what is still to be matched, and a set of promises.
type runs struct {
	grammar  *expr.Grammar
	promises *promises
	how      runOptions
	limit    int

	frames  expr.Numbering[frame]
	configs expr.Numbering[config]
	edges   [][]runEdge
	final   []bool
	live    []bool // an accepting end can be reached
}

// A frame is the top of a stack of things still to be matched, with the number of the stack below it. Equal
// stacks have equal numbers.
type frame struct {
	op    frameOp
	e     *expr.Expr
	count int32 // Literal: bytes matched; Repeat: rounds
	rest  int32
	depth int32 // nodes that are open
}

// A frameOp says what a frame stands for.
type frameOp uint8

const (
	opEnd   frameOp = iota // the end of the input
	opAny                  // the rest of the input, whatever it is
	opMatch                // match e; count bytes or rounds of it are done
	opClose                // a node ends here
)

// A config is the meaning of a state of the automaton: a stack and a set of promises, by their numbers.
type config struct{ stack, promises int32 }

// A runEdge is a step: it reads a byte of some classes, or it is silent and may be an event.
type runEdge struct {
	to      int32
	classes expr.Set // of class numbers; empty for a silent step
	event   event
}

// An event is an action of the parser in a silent step.
type event struct {
	op eventOp
	option
}

// An option is one way on from a choice: the alternative of an Alt with this index, or for a Repeat one more round
// (index is more) or none (noMore). In events about nodes, e is the Node.
type option struct {
	e     *expr.Expr
	index int
}

const (
	more   = 0
	noMore = 1
)

// An eventOp is a kind of event.
type eventOp uint8

const (
	noEvent eventOp = iota
	took            // a choice took an alternative
	opened          // a node begins
	closed          // a node ends
)

// runOptions select the runs, and the events that they show.
type runOptions struct {
	prefix bool // a run may end anywhere, not at the end of the input only
	nodes  bool // events tell where nodes begin and end; rules must not call themselves out of nodes then
	// For these options the guards are left out: they need not wait for the earlier alternatives to fail.
	relaxed func(option) bool
}

// newRuns builds the automaton for a start expression. Package lang must have been able to compile the rules that it
// reaches, each of which must exist. l must have been made from these rules and from that which start is a part of,
// and have compiled all that they depend on. newRuns fails, with an error that wraps [lang.ErrTooLarge], if there are
// more than limits.NFA states or stacks, 1<<18 by default, or 16 times as many promises.
func newRuns(g *expr.Grammar, l *lookaheads, start *expr.Expr, how runOptions, limits lang.Limits) (*runs, error) {
	r := &runs{
		grammar: g, promises: newPromises(l), how: how, limit: cmp.Or(limits.NFA, 1<<18),
	}
	end := frame{op: opEnd}
	if how.prefix {
		end.op = opAny
	}
	r.stateFor(r.pushExpr(start, r.internFrame(end)), 0)
	for i := 0; i < len(r.configs.List); i++ {
		if i > r.limit || len(r.frames.List) > r.limit {
			return nil, lang.TooMany(r.limit, "states in the runs of a PEG")
		}
		r.expandState(int32(i))
		if r.tooMany() {
			return nil, lang.TooMany(16*r.limit, "conditions in the runs of a PEG")
		}
	}
	r.markLive()
	return r, nil
}

// tooMany reports whether the promises exceed their limit.
func (r *runs) tooMany() bool { return r.promises.size > 16*r.limit }

// internFrame returns the number of the stack whose top is f.
func (r *runs) internFrame(f frame) int32 {
	i, _ := r.frames.Of(f)
	return int32(i)
}

// pushExpr returns the stack on which e is to be matched before rest. A sequence is pushed operand
// by operand.
func (r *runs) pushExpr(e *expr.Expr, rest int32) int32 {
	switch e.Op {
	case expr.Empty:
		return rest
	case expr.Seq:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			rest = r.pushExpr(e.Sub[i], rest)
		}
		return rest
	}
	return r.internFrame(frame{op: opMatch, e: e, rest: rest, depth: r.frames.List[rest].depth})
}

// stateFor returns the state for a stack under promises, which is added if it is new.
func (r *runs) stateFor(stack, promises int32) int32 {
	i, fresh := r.configs.Of(config{stack, promises})
	if fresh {
		r.edges, r.final = append(r.edges, nil), append(r.final, false)
	}
	return int32(i)
}

// depth returns the number of nodes that are open in a state.
func (r *runs) depth(q int32) int { return int(r.frames.List[r.configs.List[q].stack].depth) }

// addSilent adds a step that reads nothing, unless its promises are broken.
func (r *runs) addSilent(from, stack, promises int32, ev event) {
	if promises != broken {
		r.edges[from] = append(r.edges[from], runEdge{to: r.stateFor(stack, promises), event: ev})
	}
}

// addRead adds to the steps out of from those over the bytes of s that lead to stack, apart from those that break a
// promise. There may be several, since the promises afterwards may depend on the byte, or none. s must be a union of
// the alphabet's classes.
func (r *runs) addRead(from int32, s expr.Set, stack, promises int32) {
	by := map[int32]int{} // promises afterwards -> edge
	for _, c := range r.promises.alphabet.classes(s).Members() {
		after := r.promises.afterClass(promises, int(c))
		if after == broken {
			continue
		}
		i, ok := by[after]
		if !ok {
			i = len(r.edges[from])
			by[after] = i
			r.edges[from] = append(r.edges[from], runEdge{to: r.stateFor(stack, after)})
		}
		r.edges[from][i].classes.Add(c)
	}
}

// expandState adds the steps out of a state, and marks it final if the input may end there. It stops early if there
// are too many promises.
func (r *runs) expandState(q int32) {
	k, p := r.configs.List[q].stack, r.configs.List[q].promises
	f := r.frames.List[k]
	switch f.op {
	case opEnd:
		r.final[q] = r.promises.holdAtEnd(p)
		return
	case opAny:
		r.final[q] = r.promises.holdAtEnd(p)
		r.addRead(q, expr.AnyByte, k, p)
		return
	case opClose:
		r.addSilent(q, f.rest, p, event{closed, option{e: f.e}})
		return
	}
	e := f.e
	switch e.Op {
	case expr.Class:
		r.addRead(q, e.Set, f.rest, p)
	case expr.Literal:
		rest := f.rest
		if int(f.count) < len(e.Lit)-1 {
			next := f
			next.count++
			rest = r.internFrame(next)
		}
		r.addRead(q, expr.Bytes(e.Lit[f.count:f.count+1]), rest, p)
	case expr.Ref:
		r.addSilent(q, r.pushExpr(r.grammar.Rule(e.Name).Expr, f.rest), p, event{})
	case expr.Alt:
		guarded := p // the promises that no alternative before the current one matches
		for i, s := range e.Sub {
			under := guarded
			if i > 0 && r.isRelaxed(option{e, i}) {
				under = p
			}
			r.addSilent(q, r.pushExpr(s, f.rest), under, event{took, option{e, i}})
			if r.tooMany() {
				return
			}
			if i < len(e.Sub)-1 && guarded != broken {
				guarded = r.promises.promiseHere(guarded, s, true)
			}
		}
	case expr.Repeat:
		r.expandRepeat(q, f, p)
	case expr.And, expr.Not:
		if p = r.promises.promiseHere(p, e.Sub[0], e.Op == expr.Not); p != broken {
			r.addSilent(q, f.rest, p, event{})
		}
	case expr.Node:
		if !r.how.nodes {
			r.addSilent(q, r.pushExpr(e.Sub[0], f.rest), p, event{})
			return
		}
		end := r.internFrame(frame{op: opClose, e: e, rest: f.rest, depth: f.depth + 1})
		r.addSilent(q, r.pushExpr(e.Sub[0], end), p, event{opened, option{e: e}})
	}
}

// isRelaxed reports whether the guard of an option is left out.
func (r *runs) isRelaxed(o option) bool { return r.how.relaxed != nil && r.how.relaxed(o) }

// expandRepeat adds the steps out of a state under promises p: one more round of f, the repetition that is its frame,
// and the end of it, each where the count of rounds allows it.
func (r *runs) expandRepeat(q int32, f frame, p int32) {
	e, n := f.e, int(f.count)
	again := func() int32 {
		if n+1 == e.Max {
			// The last round leaves no frame of its own, so a rule that calls itself at its end has finitely many
			// stacks.
			return r.pushExpr(e.Sub[0], f.rest)
		}
		next := f
		if e.Max != expr.Unbounded || n < e.Min {
			next.count++
		}
		return r.pushExpr(e.Sub[0], r.internFrame(next))
	}
	switch {
	case n < e.Min:
		r.addSilent(q, again(), p, event{})
	case n == e.Max:
		r.addSilent(q, f.rest, p, event{})
	default:
		r.addSilent(q, again(), p, event{took, option{e, more}})
		if !r.isRelaxed(option{e, noMore}) {
			p = r.promises.promiseHere(p, e.Sub[0], true)
		}
		r.addSilent(q, f.rest, p, event{took, option{e, noMore}})
	}
}

// markLive sets r.live: the states that lead to an accepting end.
func (r *runs) markLive() {
	r.live = lang.Live(r.final, func(q int, visit func(to int32)) {
		for _, e := range r.edges[q] {
			visit(e.to)
		}
	})
}

// language returns the words of the runs as a DFA over bytes. It fails if a limit is passed.
func (r *runs) language(limits lang.Limits) (*lang.DFA, error) {
	n := r.asNFA(r.promises.alphabet.expand, func(int32, event) expr.Set { return expr.Set{} })
	return n.Determinize(limits)
}

// asNFA returns the runs as an NFA over symbols of the caller's: read gives the symbols for a set of classes, silent
// those for the event of a silent step out of a state. A step without symbols remains silent. States that are not live
// have no steps.
func (r *runs) asNFA(read func(classes expr.Set) expr.Set, silent func(from int32, ev event) expr.Set) *lang.NFA {
	const first = 2 // the state for r's first
	n := lang.NewNFA(nil)
	n.States = slices.Grow(n.States, len(r.configs.List))
	for range r.configs.List {
		n.State()
	}
	if r.live[0] {
		n.Silent(n.Start, first)
	}
	for q, edges := range r.edges {
		if !r.live[q] {
			continue
		}
		from := int32(q) + first
		for _, e := range edges {
			if !r.live[e.to] {
				continue
			}
			var s expr.Set
			if e.classes.IsEmpty() {
				s = silent(int32(q), e.event)
			} else {
				s = read(e.classes)
			}
			if s.IsEmpty() {
				n.Silent(from, e.to+first)
			} else {
				n.Read(from, s, e.to+first)
			}
		}
		if r.final[q] {
			n.Silent(from, n.Final)
		}
	}
	return n
}
