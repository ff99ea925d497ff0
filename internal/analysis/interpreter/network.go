package interpreter

import (
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file makes the tables of the general parser ([ast.General]).
//
// Each production is an automaton with ordered choices of its own, which package choice builds. A
// reference usually is a call of another production's automaton. There are two exceptions: a
// production that uses itself at its end goes on at its beginning, so that it is one node with its
// parts in order; and small productions that are no nodes are put in where they are used.
//
// A production that can be inside itself with the same text ("cyclic") has a second automaton for
// use at the end of a production that it goes on with, which knows that production's beginning.
//
// In this package a kind is the number of a production, from 1; from len(Rules)+1 on it numbers
// the second automata.

// A network is the automata of the productions in the making.
type network struct {
	*grammar
	*choice.Builder
	starts []choice.StateID // by kind: where its automaton begins; choice.Dead if there is none yet, or ever
	of     []int            // by kind: the production that it is, as a kind
	kinds  map[call]int     // the kind of each production, and of each call that has an automaton of its own
	todo   []call           // called, perhaps built already; see buildAll
	small  map[string]bool  // the results of isSmall
	proven map[int]bool     // kinds whose nodes are made by code
	cyclic map[string]bool  // productions that can be inside themselves with the same text

	in     *expr.Rule // the production in the making, or that at whose end it stands
	inline bool       // all that it uses is put in

	// Of tables that only accept:
	put     Put             // with a Size of 0 in all other tables
	putting map[string]bool // productions that were put in by puts around the place that is built

	// Of tables that explain rejections:
	terms *annotated.Terms       // nil otherwise: nothing is explained
	words expr.Numbering[string] // the terms that states read, by their marks; empty without terms
}

// A call is a production that is called: by itself or, if it is cyclic, at the end of the
// production at, which it goes on with.
type call struct{ id, at string }

// maxInline caps the size of an expression that is put in where it is used.
const maxInline = 64

// An Inside tells of a production whether it is proven, so that code makes its nodes, and whether
// it is whole: read as one automaton, since no byte that could continue it can stand after it.
type Inside func(id string) (proven, whole bool)

// nothingProven is the [Inside] of a general parser that derives everything itself.
func nothingProven(string) (proven, whole bool) { return false, false }

// packedStateBytes is the additional memory of a state once it is packed and read from the tables.
const packedStateBytes = 320

// packTables returns the tables with which a general parser makes trees of the starts. They have an automaton for each
// start and for each production that is called, and further ones for the calls of cyclic productions that know where
// they stand. inside says which productions are proven or whole.
func (in *grammar) packTables(inside Inside, starts ...string) string {
	n := in.newNetwork()
	for id := range expr.Circles(in.Rules, in.aloneIn) {
		n.cyclic[id] = true
	}
	n.buildAll(inside, starts)
	return n.packNetwork(starts)
}

// A Put says which productions are put in where they are used, in tables that only accept. Productions that do not
// use themselves are put in up to Size, or up to 64 if that is more. If Recursive is set, those that use themselves
// are put in whatever their size, but not into themselves. With a Size of 0 Recursive does not count.
type Put struct {
	Size      int
	Recursive bool
}

// puts reports whether n.put has r put in where it is used inside n.in: one that uses itself if n.put says so, and
// any other if it is small. It is false if n.put has a Size of 0, as in all tables that make nodes; useOf then puts
// in small productions by itself. It is also false inside r itself.
func (n *network) puts(r *expr.Rule) bool {
	if n.put.Size == 0 || r.ID == n.in.ID || n.putting[r.ID] {
		return false
	}
	if n.facts.Component(r.ID).Recursive {
		return n.put.Recursive
	}
	return n.isSmall(r)
}

// packAccepting returns the tables that accept what some productions derive, and make no nodes, and how many states
// were made for them; those that packNetwork leaves out count. The parser reads all between two calls as one
// automaton, so it is the faster the fewer calls are left.
func (in *grammar) packAccepting(put Put, starts ...string) (packed string, states int) {
	n := in.newNetwork()
	n.put = put
	n.putting = map[string]bool{}
	n.buildAll(nothingProven, starts)
	return n.packNetwork(starts), len(n.States)
}

// packExplaining returns the tables that explain rejections by any production, and how many states were made for them;
// those that packNetwork leaves out count. The tables call each production that they use, and name what each state
// reads, so that the parser knows where it is. Of several productions with one ID they have the first.
func (in *grammar) packExplaining() (packed string, states int) {
	n := in.newNetwork()
	n.terms = annotated.NewTerms(in.Grammar)
	n.words.Of("") // the mark of states that read nothing
	n.Mark = func(e *expr.Expr, i int) int32 {
		mark, _ := n.words.Of(n.terms.Of(e, i, n.in.ID))
		return int32(mark)
	}
	var starts []string
	for _, r := range in.Rules {
		if in.rules[r.ID].Rule == r { // the first of its ID
			starts = append(starts, r.ID)
		}
	}
	n.buildAll(nothingProven, starts)
	return n.packNetwork(starts), len(n.States)
}

// newNetwork returns a network without automata, in which each production has its kind. It treats none as cyclic, and
// builds references by n.reference. A caller that sets n.put makes n.putting, too, before anything is built.
func (in *grammar) newNetwork() *network {
	n := &network{
		grammar: in,
		Builder: choice.NewBuilder(in.facts, choice.Limits{
			Budget:     in.Budget,
			StateBytes: packedStateBytes,
			StateSteps: 100, // to pack it
		}),
		starts: make([]choice.StateID, len(in.Rules)+1),
		of:     make([]int, len(in.Rules)+1),
		kinds:  map[call]int{},
		small:  map[string]bool{},
		proven: map[int]bool{},
		cyclic: map[string]bool{},
	}
	n.Reference = n.reference
	for i, r := range in.Rules {
		n.of[i+1] = i + 1
		if c := (call{id: r.ID}); n.kinds[c] == 0 {
			n.kinds[c] = i + 1
		}
	}
	return n
}

// buildAll builds the automata of some productions, and of those that are called from them. Building one adds calls to
// n.todo, and buildAll ends when that is empty.
func (n *network) buildAll(inside Inside, starts []string) {
	for _, id := range starts {
		n.todo = append(n.todo, call{id: id})
	}
	for len(n.todo) > 0 {
		c := n.todo[len(n.todo)-1]
		n.todo = n.todo[:len(n.todo)-1]
		n.buildCalled(c, inside)
	}
}

// buildCalled builds the automaton of a production that is called, unless it is there or the production derives
// nothing; then nothing changes. It sets n.starts of the kind, and adds to n.todo what the production calls. n.in
// becomes the production, or that at whose end it is called. n.inline becomes what inside says about the called
// production being whole. If inside says that this is proven, n.proven of the kind is set. What the builder remembers
// of the automaton before is forgotten.
func (n *network) buildCalled(c call, inside Inside) {
	r, kind := n.Rule(c.id), n.kinds[c]
	if n.starts[kind] != choice.Dead || !n.facts.Derives(r.Expr) {
		return
	}
	n.Forget() // its states lead to an end of its own
	n.in = r
	if c.at != "" { // at the end of another production, r goes on with that
		n.in = n.Rule(c.at)
	}
	proven, whole := inside(c.id)
	n.inline = whole
	if proven {
		n.proven[kind] = true
	}
	end := n.Intern(choice.State{Op: opcode.End, Arg: int32(kind)})
	n.starts[kind] = n.enter(r, choice.Always(end))
}

// aloneIn lists the references in e that may derive a whole string of e, while the other parts of e are empty: names,
// some of them several times, or without a production. What these use in turn is not listed. The list lacks none, and
// may have more, since aloneIn does not look at the counts of repetitions: 2x lists x. A production that is listed for
// nothing costs a call where a jump would do.
func (in *grammar) aloneIn(e *expr.Expr) (ids []string) {
	if e.Op == expr.Ref {
		return []string{e.Name}
	}
	solid := 0 // how many parts of a sequence cannot be empty
	if e.Op == expr.Seq {
		for _, s := range e.Sub {
			if !in.facts.Nullable(s) {
				solid++
			}
		}
	}
	for _, s := range e.Sub {
		// An alternative or a repetition has no parts beside s: others stays 0.
		others := solid
		if solid == 1 && !in.facts.Nullable(s) { // s itself is the one part that cannot be empty
			others = 0
		}
		if others == 0 {
			ids = append(ids, in.aloneIn(s)...)
		}
	}
	return ids
}

// reference is the [choice.Builder.Reference] of a network: useOf, once for each site.
func (n *network) reference(e *expr.Expr, k choice.Continuation, last bool) choice.StateID {
	return n.Once(choice.Site{E: e, K: k, Last: last}, func() choice.StateID {
		return n.useOf(n.Rule(e.Name), k, last)
	})
}

// useOf returns the state that derives r inside n.in, which must be set, and then goes on with k; last reports that
// the use is at the end of n.in. The first of these that fits is made of it:
//
//   - a call, if the parser has to know the production, to explain a rejection;
//   - the states of r themselves, if all are put in;
//   - a call of an automaton of its own, if the use is last, r is cyclic, and r is n.in or no node;
//   - a jump to the beginning of r, if the use is last and r is n.in, or is no node and uses n.in in turn;
//   - the states of r themselves, if puts says so, or if r is small, is no node and does not use itself;
//   - a call.
//
// Unless it is a jump, the result is [choice.Dead] if k cannot follow, or if r derives nothing. Each call is added to
// n.todo, also one whose state is Dead. A call of an automaton of its own may get a new kind in n.kinds, n.of and
// n.starts.
func (n *network) useOf(r *expr.Rule, k choice.Continuation, last bool) choice.StateID {
	own, of := n.facts.Component(n.in.ID), n.facts.Component(r.ID)
	node := n.rules[r.ID].kind != 0
	c := call{id: r.ID}
	switch {
	case n.terms != nil: // a call, which tells the parser what production it is in
	case n.inline: // whether a use is last does not matter, since nothing is called
		return n.Build(r.Expr, k, false)
	case last && (r.ID == n.in.ID || !node) && n.cyclic[r.ID]:
		// A jump would hide from the general parser that the production is inside itself with the
		// same text, which it refuses. So this is a call, of an automaton that knows n.in.
		c.at = n.in.ID
		if n.kinds[c] == 0 {
			n.kinds[c] = len(n.of)
			n.of = append(n.of, n.kinds[call{id: r.ID}])
			n.starts = append(n.starts, choice.Dead)
		}
	case last && (r.ID == n.in.ID || !node && of.Recursive && of == own):
		return n.enter(r, k)
	case n.puts(r):
		n.putting[r.ID] = true
		defer delete(n.putting, r.ID)
		return n.Build(r.Expr, k, last)
	case !node && !of.Recursive && n.isSmall(r):
		return n.Build(r.Expr, k, false) // r does not come back to n.in, so it does not matter whether a use is last
	}
	n.todo = append(n.todo, c)
	next := []choice.StateID{choice.Dead, choice.Dead} // after something was read, and after nothing
	if n.facts.NonEmpty(r.Expr) {
		next[0] = k.AfterSome
	}
	if n.facts.Nullable(r.Expr) {
		next[1] = k.AfterNone
	}
	if next[0] == choice.Dead && next[1] == choice.Dead {
		return choice.Dead
	}
	return n.Intern(choice.State{Op: opcode.Call, Arg: int32(n.kinds[c]), Next: next})
}

// isSmall reports whether the expression of r is at most as large as maxInline, or n.put.Size if that is more. Counts
// are written out, and so are the productions that it uses, but for two kinds that count as calls: nodes and, if n.put
// has a Size, productions that use themselves. With a Size of 0 a production that uses itself, other than by way of a
// node, makes r too large. Callers ask only for productions that are no nodes and do not use themselves. The answers
// are kept, so n.put must not change after the first.
func (n *network) isSmall(r *expr.Rule) bool {
	return expr.Memo(n.small, r.ID, func() bool {
		putIn := func(r *expr.Rule) bool {
			return n.rules[r.ID].kind == 0 && (n.put.Size == 0 || !n.facts.Component(r.ID).Recursive)
		}
		return n.Fits(r.Expr, max(maxInline, n.put.Size), putIn)
	})
}

// enter returns a state for the beginning of r at the end of n.in, with k to follow; it is never [choice.Dead], but
// leads nowhere if r derives nothing or k cannot follow. The state is known before it is built, so that r can go on
// with itself.
func (n *network) enter(r *expr.Rule, k choice.Continuation) choice.StateID {
	at := choice.Site{E: r.Expr, K: k, Last: true, Whole: true}
	if q, ok := n.Known(at); ok {
		return q
	}
	q := n.AddDistinct(choice.State{Op: opcode.Choice})
	n.Remember(at, q)
	e := r.Expr
	if n.terms != nil {
		e = n.terms.Mark(e)
	}
	if body := n.Build(e, k, true); body != choice.Dead {
		n.States[q].Next = []choice.StateID{body}
	}
	return q
}

// packNetwork returns the tables of all automata that were built, in the form that [ast.General] reads. starts are the
// productions that they were built for: these decide what can follow a production. States that no automaton reaches
// are left out. It takes nothing of the budget, since building a state has paid for packing it.
func (n *network) packNetwork(starts []string) string {
	successors := func(q choice.StateID) []choice.StateID { return n.States[q].Next }
	// Dead comes first, so that it is state 0: it stands in n.starts for kinds without an automaton.
	order, numbers, counts, next := annotated.NumberReached(
		[]choice.StateID{choice.Dead}, n.starts, successors, len(n.States))
	var ops, args, marks []int
	for _, q := range order {
		ops = append(ops, int(n.States[q].Op))
		args = append(args, int(n.States[q].Arg))
		if n.terms != nil {
			marks = append(marks, int(n.States[q].Mark))
		}
	}
	lengths, letters := annotated.Counted(len(n.words.List), func(i int) []int {
		return annotated.Numbers([]byte(n.words.List[i]))
	})
	part := n.Partition()
	firsts, follows := n.firstAndFollow(starts)
	var follow []int
	var node, proven []bool
	for k := range n.starts {
		follow = append(follow, annotated.Members(part, follows[k])...)
		follow = append(follow, 1) // a flag after the members: the end of the input is taken to follow anything
		// Kinds above len(n.Rules) are productions at the end of others, which make no node of their own.
		isNode := k > 0 && k <= len(n.Rules) && n.rules[n.Rules[k-1].ID].kind == ast.Kind(k)
		node = append(node, isNode)
		proven = append(proven, n.proven[k])
	}
	return annotated.Pack(
		annotated.Numbers(part.Class[:]),
		[]int{part.N},
		annotated.Members(part, n.Sets.List...),
		ops,
		args,
		counts,
		[]int{len(n.States)}, // what NumberReached adds to each element of next
		next,
		numbers,
		n.of,
		annotated.Bits(node),
		annotated.Bits(proven),
		annotated.Members(part, firsts...),
		follow,
		marks,
		[]int{len(n.words.List)},
		lengths,
		letters,
	)
}

// firstAndFollow returns, by kind, the bytes that can begin a string of a production, and those that can
// follow one if these productions are the starts. Both are empty for a kind without an automaton.
func (n *network) firstAndFollow(starts []string) (first, follow []expr.Set) {
	first = make([]expr.Set, len(n.starts))
	follow = make([]expr.Set, len(n.starts))
	rules := n.Part(starts...).Rules
	begins := n.facts.First(rules)
	after := begins.Follow(rules)
	for k, q := range n.starts {
		if q != choice.Dead {
			id := n.Rules[n.of[k]-1].ID
			first[k] = begins.Of(expr.To(id))
			follow[k] = after[id]
		}
	}
	return first, follow
}
