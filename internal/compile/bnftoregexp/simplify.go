package bnftoregexp

import (
	"hash/maphash"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Here expressions have neither Literals nor Refs, and no sequence in a sequence. An expression that derives
// the empty string besides other words is a repetition from 0, and never an alternative. A Node is a group.

var (
	empty   = &expr.Expr{Op: expr.Empty}
	nothing = expr.In(expr.Set{})
)

// isNothing reports whether e is the empty class, which matches no string.
func isNothing(e *expr.Expr) bool { return e.Op == expr.Class && e.Set.IsEmpty() }

// sequenceParts returns the parts of a sequence, none for the empty expression, and e alone if it is no
// sequence. The slice belongs to e, and must not be changed.
func sequenceParts(e *expr.Expr) []*expr.Expr {
	if e.Op == expr.Empty {
		return nil
	}
	return e.Factors()
}

// alternativesOf returns the parts of an alternation, or e alone if it is none. The slice belongs to e, and
// must not be changed.
func alternativesOf(e *expr.Expr) []*expr.Expr {
	if e.Op == expr.Alt {
		return e.Sub
	}
	return []*expr.Expr{e}
}

// nullable reports whether e, which has no references, matches the empty string.
func nullable(e *expr.Expr) bool {
	switch e.Op {
	case expr.Empty:
		return true
	case expr.Seq:
		return !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !nullable(s) })
	case expr.Alt:
		return slices.ContainsFunc(e.Sub, nullable)
	case expr.Repeat:
		return e.Min == 0 || nullable(e.Sub[0])
	case expr.Node:
		return nullable(e.Sub[0])
	}
	return false
}

// asRepetition returns the body and the counts of a repetition; for any other e, these are e itself, 1 and 1.
func asRepetition(e *expr.Expr) (body *expr.Expr, min, max int) {
	if e.Op == expr.Repeat {
		return e.Sub[0], e.Min, e.Max
	}
	return e, 1, 1
}

// addCounts returns m+n, or [expr.Unbounded] if one of them is that.
func addCounts(m, n int) int {
	if m == expr.Unbounded || n == expr.Unbounded {
		return expr.Unbounded
	}
	return m + n
}

// multiplyCounts returns m*n. A product of [expr.Unbounded] is that, except with 0.
func multiplyCounts(m, n int) int {
	switch {
	case m == 0 || n == 0:
		return 0
	case m == expr.Unbounded || n == expr.Unbounded:
		return expr.Unbounded
	}
	return m * n
}

// repeat returns e repeated min to max times. A repetition of a repetition becomes one if that leaves out no
// number of rounds.
func repeat(e *expr.Expr, min, max int) *expr.Expr {
	switch {
	case e.Op == expr.Empty || max == 0 || isNothing(e) && min == 0:
		return empty
	case isNothing(e) || min == 1 && max == 1:
		return e
	case e.Op == expr.Repeat:
		if !hasGaps(e, min, max) {
			return repeat(e.Sub[0], multiplyCounts(e.Min, min), multiplyCounts(e.Max, max))
		}
	case nullable(e) && min == 0 && max == 1:
		return e
	}
	return expr.Times(e, min, max)
}

// hasGaps reports whether a repetition e, itself repeated min to max times, leaves out numbers of rounds
// between the fewest and the most. For (x{a,b}){c,d} these are ac to bc, a(c+1) to b(c+1), and so on. There
// are no gaps if the first two ranges touch, or if there is only the first.
func hasGaps(e *expr.Expr, min, max int) bool {
	a, b, c := e.Min, e.Max, min
	switch {
	case min == max:
		return false
	case b == expr.Unbounded: // all from ac on; but c = 0 adds 0 rounds to those from a on
		return c == 0 && a > 1
	}
	return multiplyCounts(a, c+1) > multiplyCounts(b, c)+1
}

// equalLists reports whether two lists are of the same length and equal part by part.
func equalLists(a, b []*expr.Expr) bool { return slices.EqualFunc(a, b, equal) }

// equal reports whether two expressions are written alike.
func equal(x, y *expr.Expr) bool {
	if x == y {
		return true
	}
	return x.Op == y.Op && x.Set == y.Set && x.Min == y.Min && x.Max == y.Max && x.Name == y.Name &&
		equalLists(x.Sub, y.Sub)
}

// seed makes hashes differ from run to run, which nothing may depend on.
var seed = maphash.String(maphash.MakeSeed(), "")

// hashOf returns a number that is equal for expressions that are written alike.
func hashOf(e *expr.Expr) uint64 {
	h := seed
	mix := func(v uint64) { // as in FNV, with a word in place of a byte
		h = (h ^ v) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	mix(uint64(e.Op))
	for _, word := range e.Set {
		mix(word)
	}
	mix(uint64(e.Min))
	mix(uint64(e.Max))
	for i := range len(e.Name) {
		mix(uint64(e.Name[i]))
	}
	for _, s := range e.Sub {
		mix(hashOf(s))
	}
	return h
}

// joinSequence returns the sequence of es, with neighboring rounds of the same body merged. It is nothing if
// one of them is.
func joinSequence(es ...*expr.Expr) *expr.Expr {
	var j joiner
	for _, e := range es {
		for _, s := range sequenceParts(e) {
			if isNothing(s) {
				return nothing
			}
			j.push(s)
			for j.mergeLast() {
				// What was merged may be one more round of the part before it.
			}
		}
	}
	return expr.Cat(j.parts...)
}

// sequenceOf returns the sequence of parts that follow each other in a sequence already, so that nothing is left to
// merge. It shares the list.
func sequenceOf(list []*expr.Expr) *expr.Expr {
	switch len(list) {
	case 0:
		return empty
	case 1:
		return list[0]
	}
	return &expr.Expr{Op: expr.Seq, Sub: list[:len(list):len(list)]}
}

// A joiner holds the parts of a sequence that is being made.
type joiner struct {
	parts []*expr.Expr

	// repeated has the indexes of the parts that are repeated sequences, in ascending order, so that mergeLast need
	// not look at all parts.
	repeated []int
}

// push appends a part, and merges nothing.
func (j *joiner) push(e *expr.Expr) {
	if e.Op == expr.Repeat && e.Sub[0].Op == expr.Seq {
		j.repeated = append(j.repeated, len(j.parts))
	}
	j.parts = append(j.parts, e)
}

// replaceFrom puts e in place of the parts from index i on.
func (j *joiner) replaceFrom(i int, e *expr.Expr) {
	j.parts = j.parts[:i]
	known, _ := slices.BinarySearch(j.repeated, i)
	j.repeated = j.repeated[:known]
	j.push(e)
}

// mergeLast merges the last parts into one if they are rounds of the same body: x x* becomes x+, and x y (x y)*
// becomes (x y)+. It reports whether it did.
func (j *joiner) mergeLast() bool {
	n := len(j.parts)
	if n < 2 {
		return false
	}
	// x x*, x* x or x x: two parts with one body
	x, a, b := asRepetition(j.parts[n-2])
	y, c, d := asRepetition(j.parts[n-1]) // once, if it is no repetition
	if equal(x, y) {
		j.replaceFrom(n-2, repeat(x, a+c, addCounts(b, d)))
		return true
	}
	// x y (x y)*: the parts before the last one are its body
	if k := len(y.Sub); y.Op == expr.Seq && k < n && equalLists(j.parts[n-1-k:n-1], y.Sub) {
		j.replaceFrom(n-1-k, repeat(y, c+1, addCounts(d, 1)))
		return true
	}
	// (x y)* x y: all parts after the repetition are its body
	for _, i := range slices.Backward(j.repeated) {
		if z, a, b := asRepetition(j.parts[i]); equalLists(j.parts[i+1:], z.Sub) {
			j.replaceFrom(i, repeat(z, a+1, addCounts(b, 1)))
			return true
		}
	}
	return false
}

// alternation returns the alternation of es, with classes merged, duplicates dropped, and common parts at the
// beginnings and ends of alternatives written once. cost returns the length of an expression in writing.
func alternation(cost func(*expr.Expr) int, es ...*expr.Expr) *expr.Expr {
	// An alternative that may be empty is taken without the empty string, and all of them together become
	// optional in the end.
	var out []*expr.Expr
	optional, class := false, -1         // class is the index in out of the set of single bytes
	written := map[uint64][]*expr.Expr{} // the expressions in out, by hash, if out is long
	// stands reports whether s is in out already. If not, it enters s in written; the caller appends it to
	// out.
	stands := func(s *expr.Expr) bool {
		const long = 16
		in, h := out, uint64(0)
		if len(out) > long {
			if len(written) == 0 {
				for _, o := range out {
					h := hashOf(o)
					written[h] = append(written[h], o)
				}
			}
			h = hashOf(s)
			in = written[h]
		}
		found := slices.ContainsFunc(in, func(t *expr.Expr) bool { return equal(s, t) })
		if !found && len(out) > long {
			written[h] = append(in, s)
		}
		return found
	}
	// The alternatives in es, and those inside of them: of (a|b)? there are two.
	for _, e := range es {
		for _, s := range alternativesOf(e) {
			if s.Op == expr.Repeat && s.Min == 0 && s.Max == 1 {
				optional = true
				s = s.Sub[0]
			}
			for _, s := range alternativesOf(s) {
				switch {
				case s.Op == expr.Empty:
					optional = true
				case isNothing(s), stands(s):
					// it adds nothing
				case s.Op == expr.Class && class >= 0:
					out[class] = expr.In(out[class].Set.Union(s.Set))
				default:
					if s.Op == expr.Class {
						class = len(out)
					}
					out = append(out, s)
				}
			}
		}
	}
	best := shortestAlternation(cost, out)
	switch {
	case !optional:
		return best
	case best == nothing: // the empty string was the only alternative
		return empty
	case best.Op == expr.Repeat && best.Min == 1: // x* for (x+)?
		return repeat(best.Sub[0], 0, best.Max)
	}
	return repeat(best, 0, 1)
}

// shortestAlternation returns the alternation of es, which all differ. It writes the common beginnings or the
// common ends of alternatives once, if that makes it shorter or if all of them have one in common.
func shortestAlternation(cost func(*expr.Expr) int, es []*expr.Expr) *expr.Expr {
	best := expr.Or(es...)
	if len(es) < 2 {
		return best
	}
	least := cost(best)
	const both = 12 // longer lists are factored only in the first way that makes them shorter
	for _, atEnd := range []bool{false, true} {
		groups := factorCommon(cost, es, atEnd)
		switch len(groups) {
		case len(es):
			continue
		case 1:
			return groups[0]
		}
		if e := alternation(cost, groups...); cost(e) < least {
			best, least = e, cost(e)
			if len(es) > both {
				break
			}
		}
	}
	return best
}

// foldRepeats returns e with each run of equal parts of a sequence made a repetition: x y x y x y x becomes
// (x y){3} x. The repeated part has at least two elements; [joinSequence] merges single ones.
func foldRepeats(e *expr.Expr) *expr.Expr {
	e = e.Map(foldRepeats)
	if e.Op != expr.Seq {
		return e
	}
	list := e.Sub
	for width := 2; width <= len(list)/2; width++ {
		for i := 0; i+2*width <= len(list); i++ {
			n := 1
			for i+(n+1)*width <= len(list) && equalLists(list[i:i+width], list[i+n*width:i+(n+1)*width]) {
				n++
			}
			if n > 1 {
				round := expr.Times(expr.Cat(list[i:i+width]...), n, n)
				list = append(append(list[:i:i], round), list[i+n*width:]...)
			}
		}
	}
	return expr.Cat(list...)
}

// splitRound returns one round of an expression that begins with one, and the rest of it: x and x* for x+. Without a
// round to split off, it returns e itself, and the empty expression.
func splitRound(e *expr.Expr) (round, rest *expr.Expr) {
	body, min, max := asRepetition(e)
	if min == 0 || min > 1 && body.Op != expr.Class { // (x y){3} is easier to read than x y x y x y
		return e, empty
	}
	if max != expr.Unbounded {
		max--
	}
	return body, repeat(body, min-1, max)
}

// factorCommon merges expressions that begin alike: ab and ac become a(b|c). None of them is empty. With
// atEnd it merges those that end alike. A repetition of at least one round begins with its body, so that a+b
// and ac become a(a*b|c); one of at least two rounds does so only if the body is a class. It merges all that
// can be: the caller has to see whether the result is shorter. cost is for [alternation] alone. The result
// has one expression for each group, in the order of the first members.
func factorCommon(cost func(*expr.Expr) int, es []*expr.Expr, atEnd bool) []*expr.Expr {
	var out []*expr.Expr
	for _, g := range groupByHead(es, atEnd) {
		if len(g.members) == 1 {
			out = append(out, g.members[0])
			continue
		}
		common, tails := g.split(atEnd)
		if atEnd {
			out = append(out, joinSequence(alternation(cost, tails...), common))
		} else {
			out = append(out, joinSequence(common, alternation(cost, tails...)))
		}
	}
	return out
}

// A headGroup has expressions that begin with the same: with head or, as ab and a+c do, with one round of it.
// Where they are compared at the end, head is the last part.
type headGroup struct {
	head     *expr.Expr // the first part of the first member
	round    *expr.Expr // one round of head: see splitRound
	sameHead bool       // all members begin with head, and not only with one round of it
	members  []*expr.Expr
}

// groupByHead puts each expression into the first group that begins with one round of the same.
func groupByHead(es []*expr.Expr, atEnd bool) (groups []*headGroup) {
	for _, e := range es {
		head, _ := cutHead(e, atEnd)
		round, _ := splitRound(head)
		i := slices.IndexFunc(groups, func(g *headGroup) bool { return equal(g.round, round) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &headGroup{head: head, round: round, sameHead: true})
		}
		g := groups[i]
		g.sameHead = g.sameHead && equal(g.head, head)
		g.members = append(g.members, e)
	}
	return groups
}

// split returns the part that all members begin with, and each member without it.
func (g *headGroup) split(atEnd bool) (common *expr.Expr, tails []*expr.Expr) {
	for _, e := range g.members {
		head, rest := cutHead(e, atEnd)
		if g.sameHead {
			tails = append(tails, sequenceOf(rest))
			continue
		}
		// Without one round, the rest of the head still stands before the other parts.
		switch _, more := splitRound(head); {
		case more.Op == expr.Empty:
			tails = append(tails, sequenceOf(rest))
		case atEnd:
			tails = append(tails, joinSequence(sequenceOf(rest), more))
		default:
			tails = append(tails, joinSequence(more, sequenceOf(rest)))
		}
	}
	if g.sameHead {
		return g.head, tails
	}
	return g.round, tails
}

// cutHead returns the first part of a sequence, and the others; with atEnd the last part, and the others.
func cutHead(e *expr.Expr, atEnd bool) (head *expr.Expr, rest []*expr.Expr) {
	list := sequenceParts(e)
	if n := len(list) - 1; atEnd {
		return list[n], list[:n]
	}
	return list[0], list[1:]
}
