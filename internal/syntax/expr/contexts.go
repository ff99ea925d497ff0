package expr

import (
	"container/heap"
	"iter"
	"strings"
)

// A Context is the text before and after an expression in a longer string.
type Context struct{ Before, After string }

// len returns the number of bytes of the context.
func (c Context) len() int { return len(c.Before) + len(c.After) }

// Around returns the context of a part of an expression: before and after stand next to the part in the
// expression, and c is the context of the whole.
func (c Context) Around(before, after string) Context {
	return Context{c.Before + before, after + c.After}
}

// Put returns w in its context.
func (c Context) Put(w string) string { return c.Before + w + c.After }

// Contexts returns, for start and each production that it uses, short contexts in strings that start derives: at most
// most of them, none longer than longest bytes, the shortest first. The first of start is the empty one. Two uses can
// give one context twice. A production has no entry if it is not reached so. The contexts are found in the order of
// their length, as in Dijkstra's algorithm; the text next to a use is made of short words. charge is called with the
// cost of each step.
func (g *Grammar) Contexts(start string, short *Short, most, longest int, charge func(n int)) map[string][]Context {
	found := map[string][]Context{}
	queue := &contextQueue{{id: start}}
	for queue.Len() > 0 {
		next := heap.Pop(queue).(contextOf)
		charge(64 + next.len())
		r := g.Rule(next.id)
		if r == nil || len(found[next.id]) >= most {
			continue
		}
		found[next.id] = append(found[next.id], next.Context)
		short.eachUse(r.Expr, next.Context, func(id string, c Context) {
			if c.len() <= longest && len(found[id]) < most {
				charge(16 + c.len()/4)
				heap.Push(queue, contextOf{id, c})
			}
		})
	}
	return found
}

// eachUse calls visit for each production that e uses, with the context of the use if e itself has the context c.
// It leaves out the uses in a sequence that has a part without a short word, and those in a repetition whose other
// rounds have none.
func (s *Short) eachUse(e *Expr, c Context, visit func(id string, c Context)) {
	switch e.Op {
	case Ref:
		visit(e.Name, c)
	case Seq:
		for part, c := range s.Parts(e, c) {
			s.eachUse(part, c, visit)
		}
	case Alt:
		for _, part := range e.Sub {
			s.eachUse(part, c, visit)
		}
	case Repeat:
		// The other rounds that must be there: none for a star, whose Min-1 is -1.
		if rest, ok := s.rounds(e, e.Min-1); ok && e.Max != 0 {
			s.eachUse(e.Sub[0], c.Around("", rest), visit)
		}
	}
}

// Parts yields the parts of a sequence that has the context c, each with its context, in which the other parts have
// short words. It yields none if a part has no short word. The contexts are pieces of one string, so that a sequence
// of many parts takes little time and memory.
func (s *Short) Parts(seq *Expr, c Context) iter.Seq2[*Expr, Context] {
	return func(yield func(*Expr, Context) bool) {
		var whole strings.Builder
		whole.WriteString(c.Before)
		ends := make([]int, len(seq.Sub)) // where the word of each part ends in whole
		for i, part := range seq.Sub {
			w, ok := s.Of(part)
			if !ok {
				return
			}
			whole.WriteString(w)
			ends[i] = whole.Len()
		}
		whole.WriteString(c.After)
		start := len(c.Before)
		for i, part := range seq.Sub {
			if !yield(part, Context{whole.String()[:start], whole.String()[ends[i]:]}) {
				return
			}
			start = ends[i]
		}
	}
}

// rounds returns n short rounds of a repetition, or "" if n is 0 or less. ok is false if they are too long, or the
// body has no short word.
func (s *Short) rounds(repeat *Expr, n int) (string, bool) {
	if n <= 0 {
		return "", true
	}
	w, ok := s.Of(repeat.Sub[0])
	if !ok || len(w) > s.most/n {
		return "", false
	}
	return strings.Repeat(w, n), true
}

// Rounds returns n short rounds of a repetition. ok is false if they are too long, if the body has no short word,
// or if n is negative.
func (s *Short) Rounds(repeat *Expr, n int) (words string, ok bool) {
	if n < 0 {
		return "", false
	}
	return s.rounds(repeat, n)
}

// A contextOf is a context of a production that was found and not yet looked at.
type contextOf struct {
	id string
	Context
}

// A contextQueue is a heap of contexts, the shortest first.
type contextQueue []contextOf

func (q contextQueue) Len() int { return len(q) }

// Less orders contexts by length, those of one length by production, and then by the text before it. Those that differ
// only in the text after it are equal: which of them comes first depends on the order in which they were pushed.
func (q contextQueue) Less(i, j int) bool {
	if q[i].len() != q[j].len() {
		return q[i].len() < q[j].len()
	}
	if q[i].id != q[j].id {
		return q[i].id < q[j].id
	}
	return q[i].Before < q[j].Before
}

func (q contextQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *contextQueue) Push(x any)   { *q = append(*q, x.(contextOf)) }
func (q *contextQueue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
