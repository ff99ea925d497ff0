package regex

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An inst is an instruction of the program that an expression is compiled to.
type inst struct {
	op   instOp
	x, y int32 // the next instruction, and another; x is preferred
	arg  int32 // iSet: the number of the set; iLook: that of the lookaround
}

type instOp uint8

const (
	iSet    instOp = iota // reads a symbol of the set, and goes on at x
	iSplit                // x or y
	iLoop                 // x or y; if nothing was read since the loop was last entered, only the one that leaves it
	iLook                 // x, if lookaround arg matches, or with y = 1 if it does not
	iAtomic               // the first match of the instructions at x, and then y
	iMatch                // the end of the expression, of a lookaround or of an atomic group

	// The following are there until [compiler.unfold] removes them.
	iMark // the group of slot arg has matched its text y, or is forgotten if y is 0; x
	iRef  // reads the text of the group of slot arg, by the texts y; x
	iTest // x if the group of slot arg has matched, else y
)

// A look is a lookaround. Equal lookarounds are one.
type look struct {
	start  int32
	behind bool
	scope  []int32 // the lookbehinds inside of it, and those inside of these, ascending
}

// A compiler makes a program.
type compiler struct {
	budget *budget.Budget
	r      *Regex
	prog   []inst
	lazy   map[int32]bool // the loops that prefer to be left
	sets   []set
	setIDs expr.Numbering[string]
	looks  []look
	lookID map[string]int32
	// For each lookaround that is being compiled, and first the whole expression, the lookbehinds in it.
	inside [][]int32
	texts  [][][]int32 // for each reference, the sets that it reads for each text of its group

	emptyGroups map[int]bool // for each group that was called, whether it has no instructions
}

// compile returns the compiler with the program, and the instruction that it begins at. It panics if a limit of the
// budget is passed.
func (r *Regex) compile(b *budget.Budget) (c *compiler, start int32) {
	c = &compiler{
		budget: b, r: r, lazy: map[int32]bool{}, lookID: map[string]int32{}, inside: make([][]int32, 1),
		emptyGroups: map[int]bool{},
	}
	return c, c.unfold(c.compileNode(r.root, c.emit(r.root, inst{op: iMatch})))
}

// maxProgram caps the instructions of an expression, unless the budget has its own limit.
const maxProgram = 1 << 20

// emit appends an instruction of n to the program and returns its number. It takes steps from the budget, and panics
// where these are used up or the program is too long.
func (c *compiler) emit(n *node, i inst) int32 {
	c.budget.Step(8)
	if len(c.prog)%1024 == 0 {
		c.budget.In(c.r.placeOf(n))
		c.budget.State(len(c.prog), maxProgram)
	}
	c.prog = append(c.prog, i)
	return int32(len(c.prog) - 1)
}

// compileNode compiles n and returns its first instruction; the last ones lead to next. Parts are compiled from the
// last to the first, since each needs its successor.
func (c *compiler) compileNode(n *node, next int32) int32 {
	switch n.op {
	case opEmpty:
		return next
	case opSet:
		return c.emit(n, inst{op: iSet, x: next, arg: c.internSet(n.set)})
	case opSeq:
		for _, s := range slices.Backward(n.sub) {
			next = c.compileNode(s, next)
		}
		return next
	case opAlt:
		start := int32(-1)
		for _, s := range slices.Backward(n.sub) {
			at := c.compileNode(s, next)
			if start < 0 {
				start = at
			} else { // this branch, or the splits between those after it
				start = c.emit(n, inst{op: iSplit, x: at, y: start})
			}
		}
		return start
	case opGroup:
		if n.slot > 0 {
			return c.groupNode(n, next)
		}
		return c.compileNode(n.sub[0], next)
	case opRef:
		return c.refNode(n, next)
	case opTest:
		yes, no := c.compileNode(n.sub[0], next), c.compileNode(n.sub[1], next)
		return c.emit(n, inst{op: iTest, x: yes, y: no, arg: int32(n.slot - 1)})
	case opCall:
		// Groups without instructions, which take no steps, could call each other exponentially often.
		if c.isEmpty(n) {
			return next
		}
		return c.compileNode(c.r.groups[n.group], next)
	case opAtomic:
		return c.emit(n, inst{op: iAtomic, x: c.compileNode(n.sub[0], c.emit(n, inst{op: iMatch})), y: next})
	case opRepeat:
		return c.repeat(n, next)
	}
	id := c.internLook(n) // a lookaround
	not := int32(0)
	if n.not {
		not = 1
	}
	return c.emit(n, inst{op: iLook, x: next, y: not, arg: id})
}

// repeat compiles a repetition and returns its first instruction; the last ones lead to next. It makes min copies of
// the part, and then a loop or max-min more copies, each of which can be left out. For a part without instructions it
// emits none, and returns next. Each round ends as forget says, unless max is 1.
func (c *compiler) repeat(n *node, next int32) int32 {
	split := func(op instOp, body, out int32) inst {
		if n.lazy {
			return inst{op: op, x: out, y: body}
		}
		return inst{op: op, x: body, y: out}
	}
	if c.isEmpty(n.sub[0]) {
		return next
	}
	// body compiles one round, which leads to next.
	body := func(next int32) int32 {
		if n.max != 1 && c.r.slots > 0 {
			next = c.forget(n, next)
		}
		return c.compileNode(n.sub[0], next)
	}
	start := next
	if n.max < 0 {
		loop := c.emit(n, inst{op: iLoop})
		c.prog[loop] = split(iLoop, body(loop), next)
		if n.lazy {
			c.lazy[loop] = true
		}
		start = loop
	}
	for i := n.max; i > n.min; i-- {
		start = c.emit(n, split(iSplit, body(start), next))
	}
	for range n.min {
		start = body(start)
	}
	return start
}

// isEmpty reports whether compileNode emits no instructions for n. It is false for a lookaround and for a choice, even
// of nothing but empty parts. A step of the budget is taken for each part.
func (c *compiler) isEmpty(n *node) bool {
	c.budget.Step(1)
	switch n.op {
	case opEmpty:
		return true
	case opSeq:
		return !slices.ContainsFunc(n.sub, func(s *node) bool { return !c.isEmpty(s) })
	case opGroup:
		return n.slot == 0 && c.isEmpty(n.sub[0])
	case opRepeat:
		return n.max == 0 || c.isEmpty(n.sub[0])
	case opCall:
		isEmpty, known := c.emptyGroups[n.group]
		if !known {
			isEmpty = c.isEmpty(c.r.groups[n.group])
			c.emptyGroups[n.group] = isEmpty
		}
		return isEmpty
	}
	return false
}

// internSet returns the number of a set among those of the program.
func (c *compiler) internSet(s set) int32 {
	id, fresh := c.setIDs.Of(fmt.Sprint(s))
	if fresh {
		c.sets = append(c.sets, s)
	}
	return int32(id)
}

// internLook returns the number of the lookaround n, and compiles it the first time; whether n is negated makes no
// difference. It enters the lookbehinds inside n, and n itself if it is one, in the scope of the lookaround around
// it.
func (c *compiler) internLook(n *node) int32 {
	key := string(c.key(nil, n))
	id, ok := c.lookID[key]
	if !ok {
		c.inside = append(c.inside, nil)
		start := c.compileNode(n.sub[0], c.emit(n, inst{op: iMatch}))
		scope := c.inside[len(c.inside)-1]
		c.inside = c.inside[:len(c.inside)-1]
		slices.Sort(scope)
		id = int32(len(c.looks))
		c.looks, c.lookID[key] = append(c.looks, look{start, n.op == opBehind, slices.Compact(scope)}), id
	}
	if around := len(c.inside) - 1; around >= 0 {
		c.inside[around] = append(c.inside[around], c.looks[id].scope...)
		if c.looks[id].behind {
			c.inside[around] = append(c.inside[around], id)
		}
	}
	return id
}

// key appends to b a text that is the same for equal lookarounds. Whether n itself is negated is not part of it, since
// the instruction has that. The sets in n get numbers in c.
func (c *compiler) key(b []byte, n *node) []byte {
	c.budget.Step(8)
	b = fmt.Append(b, "(", n.op, n.min, n.max, n.lazy)
	if n.op == opSet {
		b = fmt.Append(b, c.internSet(n.set))
	}
	if n.op == opCall || n.slot > 0 { // the number of any other group has no effect on what matches
		b = fmt.Append(b, n.group)
	}
	for _, s := range n.sub {
		if s.op == opAhead || s.op == opBehind {
			b = fmt.Append(b, s.not)
		}
		b = c.key(b, s)
	}
	return append(b, ')')
}

// scope returns the lookbehinds that the whole expression needs, ascending. A lookbehind has a higher number than those
// inside it.
func (c *compiler) scope() []int32 {
	slices.Sort(c.inside[0])
	return slices.Compact(c.inside[0])
}
