package lang

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An NFA is a nondeterministic automaton with one start and one final state. If [BuildNFA] makes it, every edge has
// the terminal of the grammar that it reads.
type NFA struct {
	States       []NFAState
	Start, Final int32

	Budget *budget.Budget // charged for what is computed with it; nil for none

	// Spans are the uses of productions, and the parts of sequences, in an NFA of [BuildNFA] that keeps productions.
	Spans []Span
}

// A Span is a copy of a part of the grammar: the words of the part lead from one state to another. If Of is a Ref,
// the part is that use of a production. If it is a Seq, the part is its expression number I, or the rest of that
// literal after At bytes.
type Span struct {
	Of       *expr.Expr
	I, At    int
	In       *Context // where Of stands; nil for the start production
	From, To int32
}

// An NFAState is a state of an [NFA] with its edges.
type NFAState struct {
	Epsilon []int32 // states that can be entered without reading
	Edges   []Edge
}

// An Edge reads one byte of Set.
type Edge struct {
	Set  expr.Set
	To   int32
	Term *expr.Expr // the terminal occurrence that is read: a Class, a Literal, or a Ref to a production not kept
	At   int        // for a Literal, which of its bytes
	In   *Context   // where Term stands

	// Begin is the state in which the innermost kept production around Term begins, if it begins with Term. It is -1 if
	// Term stands further on in that production.
	Begin int32
}

// A Context is a way down from the start production to one that it uses. Contexts of one NFA are shared, so == compares
// them.
type Context struct {
	Up *Context // nil for the start production
	ID string   // the innermost production
}

// Path lists the production IDs from the start production down to c's own.
func (c *Context) Path() []string {
	var ids []string
	for ; c != nil; c = c.Up {
		ids = append(ids, c.ID)
	}
	slices.Reverse(ids)
	return ids
}

// NewNFA returns an automaton that has only its start and its final state, with a budget that may be nil.
func NewNFA(b *budget.Budget) *NFA {
	n := &NFA{Budget: b}
	n.Start, n.Final = n.State(), n.State()
	return n
}

// State adds a state, and returns its number.
func (n *NFA) State() int32 {
	n.States = append(n.States, NFAState{})
	return int32(len(n.States) - 1)
}

// Silent adds a step that reads nothing. From a state to itself it adds none.
func (n *NFA) Silent(from, to int32) {
	if from != to {
		n.States[from].Epsilon = append(n.States[from].Epsilon, to)
	}
}

// Read adds a step that reads one byte of s. If s is empty it adds none.
func (n *NFA) Read(from int32, s expr.Set, to int32) {
	if !s.IsEmpty() {
		n.States[from].Edges = append(n.States[from].Edges, Edge{Set: s, To: to})
	}
}

// Add makes a's words lead from one state to another, through a copy of a. The function maps the bytes of an edge to
// the bytes that are read in their place. If it reports silent, the edge can be taken without reading as well. A nil
// function maps each byte to itself.
func (n *NFA) Add(a *DFA, as func(expr.Set) (bytes expr.Set, silent bool), from, to int32) {
	base := int32(len(n.States))
	for range a.accept {
		n.State()
	}
	n.Silent(from, base)
	for q, ok := range a.accept {
		for _, e := range a.Edges(q) {
			if as != nil {
				silent := false
				if e.Set, silent = as(e.Set); silent {
					n.Silent(base+int32(q), base+e.To)
				}
			}
			n.Read(base+int32(q), e.Set, base+e.To)
		}
		if ok {
			n.Silent(base+int32(q), to)
		}
	}
}

// Live returns, by state of an automaton, whether one that ends can be reached from it. next calls visit for each
// state that q leads to.
func Live(ends []bool, next func(q int, visit func(to int32))) []bool {
	back := make([][]int32, len(ends))
	live := make([]bool, len(ends))
	var todo []int32
	for q, end := range ends {
		next(q, func(to int32) { back[to] = append(back[to], int32(q)) })
		if end {
			live[q], todo = true, append(todo, int32(q))
		}
	}
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range back[q] {
			if !live[p] {
				live[p], todo = true, append(todo, p)
			}
		}
	}
	return live
}

// Partition returns the coarsest byte classes that no edge of n splits.
func (n *NFA) Partition() *expr.Partition {
	p := expr.NewPartition()
	for i := range n.States {
		for _, e := range n.States[i].Edges {
			p.Split(e.Set)
		}
	}
	return p
}

// Determinize returns n's language by the subset construction. If a limit is passed it fails with an error that wraps
// [ErrTooLarge].
func (n *NFA) Determinize(l Limits) (a *DFA, err error) {
	defer budget.Catch(&err)
	l.Budget = cmp.Or(l.Budget, n.Budget)
	l = l.forGrammars()
	t, ok := n.subsets(l.maxDFA(), nil)
	if !ok {
		return nil, TooMany(l.maxDFA(), "states in a DFA")
	}
	return t.toDFA(), nil
}

// Derives reports whether n's words are those of a. It runs the subset construction next to a, until a subset shows a
// difference: all words that lead to a subset have the same endings, so that they lead to one state of a, which is
// minimal. It fails where [NFA.Determinize] does.
func (n *NFA) Derives(a *DFA, l Limits) (same bool, err error) {
	defer budget.Catch(&err)
	l.Budget = cmp.Or(l.Budget, n.Budget)
	l = l.forGrammars()
	stateOf := []int32{0} // by subset: the state of a
	var classOf []uint8   // by class of n: that of a
	t, ok := n.subsets(l.maxDFA(), func(t *table) bool {
		i := len(t.accept) - 1
		if i == 0 {
			if classOf, same = t.classesWithin(a); !same {
				return false
			}
		}
		q := int(stateOf[i])
		same = t.accept[i] == a.accept[q]
		for c, to := range t.next[i*t.k:] {
			p := a.next[q*a.k+int(classOf[c])]
			if int(to) == len(stateOf) { // subsets are numbered in the order in which they are met
				stateOf = append(stateOf, p)
			}
			same = same && stateOf[to] == p
		}
		return same
	})
	if !ok {
		return false, TooMany(l.maxDFA(), "states in a DFA")
	}
	t.discard()
	return same, nil
}

// classesWithin returns, by class of t, the class of a that holds its bytes. It is false if a tells apart two bytes
// that t does not.
func (t *table) classesWithin(a *DFA) (classes []uint8, ok bool) {
	classes = make([]uint8, t.k)
	met := make([]bool, t.k)
	for x, c := range t.class {
		if met[c] && classes[c] != a.class[x] {
			return nil, false
		}
		met[c], classes[c] = true, a.class[x]
	}
	return classes, true
}

// determinizeFully is Determinize without a limit on states.
func (n *NFA) determinizeFully() *DFA {
	t, _ := n.subsets(math.MaxInt, nil)
	return t.toDFA()
}

// subsets returns the automaton whose states are the sets of n's states that some word leads to. The start is state
// 0. If there are more than limit sets, ok is false and there is no automaton. goesOn, unless it is nil, is called with
// the automaton so far whenever the row of a state is complete, and ends the construction where it returns false.
func (n *NFA) subsets(limit int, goesOn func(t *table) bool) (t *table, ok bool) {
	classes := n.Partition()
	t = &table{class: classes.Class, k: classes.N, budget: n.Budget, next: (*spareRows.Get().(*[]int32))[:0]}
	read := n.classesRead(classes)

	// A subset is kept as its kernel: the states that edges lead to, before their closure by silent steps.
	var kernels listIndex
	var held int64
	alone := slices.Repeat([]int32{-1}, len(n.States)) // by state: the number of the subset whose kernel is that state
	intern := func(kernel []int32) int32 {
		// as in most subsets of an automaton that is nearly deterministic
		if len(kernel) == 1 && alone[kernel[0]] >= 0 {
			return alone[kernel[0]]
		}
		slices.Sort(kernel)
		kernel = slices.Compact(kernel)
		i, fresh := kernels.of(kernel)
		if fresh {
			held += int64(8*len(kernel) + 16*t.k + 64)
			n.Budget.Room(held)
		}
		if len(kernel) == 1 {
			alone[kernel[0]] = i
		}
		return i
	}
	intern([]int32{n.Start})

	mark := make([]int32, len(n.States)) // the last subset whose closure holds the state, plus one
	var stack []int32
	var reached targets
	var kernel []int32
	for i := 0; i < kernels.len(); i++ {
		if i >= limit {
			return nil, false
		}
		reached.reset(t.k)
		accept, steps := false, t.k
		for stack = append(stack[:0], kernels.at(int32(i))...); len(stack) > 0; {
			q := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if mark[q] == int32(i+1) {
				continue
			}
			mark[q] = int32(i + 1)
			steps += 1 + len(n.States[q].Epsilon) + len(n.States[q].Edges)
			accept = accept || q == n.Final
			stack = append(stack, n.States[q].Epsilon...)
			for j := range n.States[q].Edges {
				steps += len(read[q][j])
				reached.add(read[q][j], n.States[q].Edges[j].To)
			}
		}
		t.accept = append(t.accept, accept)
		t.next = slices.Grow(t.next, t.k)
		for _, list := range reached.listOf {
			// kernel is memory that all classes share: intern sorts it, and keeps a copy
			if reached.lists[list].number < 0 {
				kernel = reached.appendList(kernel[:0], list)
				reached.lists[list].number = intern(kernel)
			}
			t.next = append(t.next, reached.lists[list].number)
		}
		n.Budget.Step(steps)
		if goesOn != nil && !goesOn(t) {
			return t, true
		}
	}
	return t, true
}

// The targets of a subset are, by class, the list of states that its edges lead to. Most classes have one of a few
// lists, and lists with a common beginning share it: a list is the one before its last state was added, and that state.
type targets struct {
	listOf []int32 // by class: its list
	lists  []targetList
	adds   int32 // how often add was called
}

// A targetList is the list before, and then the state to.
type targetList struct {
	before, to int32
	number     int32 // of the subset with this kernel, -1 if it is not known

	// The last call of add that made this list longer, and the list that it made of it.
	added, longer int32
}

// reset gives each of k classes the empty list, which is list 0.
func (r *targets) reset(k int) {
	if r.listOf == nil {
		r.listOf = make([]int32, k)
	}
	clear(r.listOf)
	r.lists = append(r.lists[:0], targetList{before: -1, number: -1})
	r.adds = 0
}

// add adds a state to the lists of some classes. Classes that had one list have one list again.
func (r *targets) add(classes []uint8, to int32) {
	r.adds++
	for _, c := range classes {
		old := r.listOf[c]
		if r.lists[old].added != r.adds {
			r.lists[old].added, r.lists[old].longer = r.adds, int32(len(r.lists))
			r.lists = append(r.lists, targetList{before: old, to: to, number: -1})
		}
		r.listOf[c] = r.lists[old].longer
	}
}

// appendList appends the states of a list to states, the last first.
func (r *targets) appendList(states []int32, list int32) []int32 {
	for ; list > 0; list = r.lists[list].before {
		states = append(states, r.lists[list].to)
	}
	return states
}

// spareRows has the memory of subset tables that are no longer needed. Tables grow by copying, and one after the other
// is about as large.
var spareRows = sync.Pool{New: func() any { return new([]int32) }}

// toDFA returns the DFA of the language that t accepts from state 0, and discards t.
func (t *table) toDFA() *DFA {
	a := t.dfa(0) // shares no memory with t
	t.discard()
	return a
}

// discard gives the memory of t to the tables to come. t is of no use then.
func (t *table) discard() {
	rows := t.next
	t.next = nil
	spareRows.Put(&rows)
}

// classesRead returns, by state and edge, the classes that the edge reads. Edges with the same bytes share a list.
func (n *NFA) classesRead(classes *expr.Partition) [][][]uint8 {
	first := classes.First()
	of := map[expr.Set][]uint8{}
	read := make([][][]uint8, len(n.States))
	for q := range n.States {
		edges := n.States[q].Edges
		if len(edges) == 0 {
			continue
		}
		read[q] = make([][]uint8, len(edges))
		for i := range edges {
			list, ok := of[edges[i].Set]
			if !ok {
				for c, x := range first {
					if edges[i].Set.Has(x) {
						list = append(list, uint8(c))
					}
				}
				of[edges[i].Set] = list
			}
			read[q][i] = list
		}
	}
	return read
}

// splits reports whether some class lies partly inside s and partly outside.
func splits(class *[256]uint8, s expr.Set) bool {
	var inside, outside [256]bool
	for x, c := range class {
		if s.Has(byte(x)) {
			inside[c] = true
		} else {
			outside[c] = true
		}
		if inside[c] && outside[c] {
			return true
		}
	}
	return false
}
