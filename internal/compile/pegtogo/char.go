package pegtogo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A char is a character in the sense of a specification: one byte of a class, or one of several sequences of
// bytes, told apart by their first bytes (RFC 1738: uchar = unreserved | escape).
type char struct {
	class expr.Set
	long  [][]expr.Set
}

// asChar returns e as a char. ok is false if e makes nodes, has a repetition or a lookahead, or uses a rule that uses
// itself, and unless the first byte decides among its alternatives, so that their order does not matter. A longer
// literal than maxCharLength, and a sequence that sequenceAsChar refuses, is no char either.
func (p *program) asChar(e *expr.Expr) (char, bool) {
	switch e.Op {
	case expr.Class:
		return char{class: e.Set}, true
	case expr.Literal:
		if len(e.Lit) == 1 {
			return char{class: expr.Bytes(e.Lit)}, true
		}
		if len(e.Lit) > maxCharLength {
			return char{}, false
		}
		var seq []expr.Set
		for i := range len(e.Lit) {
			seq = append(seq, expr.Bytes(e.Lit[i:i+1]))
		}
		return char{long: [][]expr.Set{seq}}, true
	case expr.Ref:
		if p.deep[e.Name] {
			return char{}, false
		}
		return p.asChar(p.grammar.Rule(e.Name).Expr) // a node is none, since Node is not among these cases
	case expr.Seq:
		return p.sequenceAsChar(e.Sub)
	case expr.Alt:
		var all char
		for _, s := range e.Sub {
			c, ok := p.asChar(s)
			if !ok || !all.toldApartFrom(c) {
				return char{}, false
			}
			all.class = all.class.Union(c.class)
			all.long = append(all.long, c.long...)
		}
		return all, true
	}
	return char{}, false
}

// The sequences that a char is written out as are capped: an escape of JSON has two. So is their length, since
// each byte is an operand of one condition, and gofmt takes time that grows with the square of the operands.
const (
	maxSequences  = 12
	maxCharLength = 64
)

// sequenceAsChar returns a sequence of chars as one char: all ways to choose one sequence of each. The
// sequences of one char differ in their first byte or, if that is the same, in a later one, so at most one of
// all matches. ok is false if a part is no char, if there would be more than maxSequences, or if one would be
// longer than maxCharLength.
func (p *program) sequenceAsChar(es []*expr.Expr) (char, bool) {
	all := [][]expr.Set{nil}
	for _, e := range es {
		c, ok := p.asChar(e)
		if !ok {
			return char{}, false
		}
		if !c.class.IsEmpty() || len(c.long) == 0 {
			c.long = append([][]expr.Set{{c.class}}, c.long...)
		}
		if len(all)*len(c.long) > maxSequences {
			return char{}, false
		}
		var longer [][]expr.Set
		for _, seq := range all {
			for _, rest := range c.long {
				if len(seq)+len(rest) > maxCharLength {
					return char{}, false
				}
				longer = append(longer, slices.Concat(seq, rest))
			}
		}
		all = longer
	}
	return char{long: all}, true
}

// toldApartFrom reports whether the first byte tells the sequences of c from everything in d, and
// those of d from everything in c.
func (c char) toldApartFrom(d char) bool {
	a, b := c.leadBytes(), d.leadBytes()
	return a.Intersect(b).IsEmpty() && a.Intersect(d.class).IsEmpty() && b.Intersect(c.class).IsEmpty()
}

// leadBytes returns the first bytes of the sequences.
func (c char) leadBytes() expr.Set {
	var t expr.Set
	for _, seq := range c.long {
		t = t.Union(seq[0])
	}
	return t
}

// without returns c without the bytes of t and without each sequence that can begin with one of them, even if that
// can begin with other bytes as well.
func (c char) without(t expr.Set) char {
	d := char{class: c.class.Minus(t)}
	for _, seq := range c.long {
		if seq[0].Intersect(t).IsEmpty() {
			d.long = append(d.long, seq)
		}
	}
	return d
}

// isOneByte reports whether c has no sequences.
func (c char) isOneByte() bool { return len(c.long) == 0 }

// spansPaths reports whether a run of c can span several segments of a path, and so be long.
func (c char) spansPaths() bool { return c.class.Has('/') && c.class.Len() > 2 }

// isPlainLoop reports whether a run of c is best written as a loop in place rather than a call.
func (c char) isPlainLoop() bool { return c.isOneByte() && !c.spansPaths() }

// key returns the class of c and then its sequences, as alternatives; the comments of the file show it, too. Chars
// that list their sequences in another order have another key.
func (c char) key() string {
	var b strings.Builder
	b.WriteString(c.class.String())
	for _, seq := range c.long {
		b.WriteString(" / ")
		for i, s := range seq {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s.String())
		}
	}
	return b.String()
}

// asRun returns the char of ( char )* or ( char )+, and for ( !guard char )* or ( !guard char )+ the guard too, which
// must not match the empty string. For any other expression ok is false.
func (p *program) asRun(e *expr.Expr) (guard *expr.Expr, c char, ok bool) {
	if e.Op != expr.Repeat || e.Max != expr.Unbounded || e.Min > 1 {
		return nil, char{}, false
	}
	body := e.Sub[0]
	if c, ok := p.asChar(body); ok {
		return nil, c, true
	}
	if body.Op == expr.Seq && len(body.Sub) == 2 && body.Sub[0].Op == expr.Not {
		guard := body.Sub[0].Sub[0]
		if c, ok := p.asChar(body.Sub[1]); ok && !p.facts.Nullable(guard) {
			return guard, c, true
		}
	}
	return nil, char{}, false
}

// classes numbers the sets of bytes that generated code tests, in the order of first use.
type classes struct {
	table string // the name of the first table
	sets  []expr.Set
	names []string
	index map[expr.Set]int
}

// classBit returns the names of the table that has class t, and of its bit there. If t is new it gets a bit,
// named after the lexical production with this class or, without one, after the current rule. That is a request:
// see [program.retract].
func (p *program) classBit(t expr.Set) (table, bit string) {
	if i, ok := p.classes.index[t]; ok {
		return p.classes.tableName(i), p.classes.names[i]
	}
	name := p.takeName(cmp.Or(p.lexicalClass(t), "in"+p.names[p.rule].title))
	p.classes.index[t] = len(p.classes.sets)
	p.classes.sets = append(p.classes.sets, t)
	p.classes.names = append(p.classes.names, name)
	return p.classes.tableName(p.classes.index[t]), name
}

// tableName returns the name of the table with class number i. A table holds [maxBits] classes.
func (c *classes) tableName(i int) string {
	if i < maxBits {
		return c.table
	}
	return fmt.Sprint(c.table, i/maxBits+1)
}

// maxBits is the number of bits of a table's elements.
const maxBits = 64

// lexicalClass returns a name made from the lexical production that is the class t or, failing that, from one
// that is t and some sequences; "" if there is none.
func (p *program) lexicalClass(t expr.Set) string {
	found := ""
	for _, r := range p.rules {
		if c, ok := p.asChar(r.Expr); ok && c.class == t {
			if c.isOneByte() {
				return "is" + p.names[r.ID].title
			}
			found = cmp.Or(found, "is"+p.names[r.ID].title)
		}
	}
	return found
}

// memberTest returns the Go condition that the byte b, a Go expression, is in t, or with in false
// that it is not. For one or two bytes the condition compares with them; for any other t it requests a class.
func (p *program) memberTest(t expr.Set, b string, in bool) string {
	eq, or, cmp := " == ", " || ", " != 0"
	if !in {
		eq, or, cmp = " != ", " && ", " == 0"
	}
	switch m := t.Members(); len(m) {
	case 1:
		return b + eq + quoteByte(m[0])
	case 2:
		return "(" + b + eq + quoteByte(m[0]) + or + b + eq + quoteByte(m[1]) + ")"
	}
	table, bit := p.classBit(t)
	return table + "[" + b + "]&" + bit + cmp
}

// quoteByte returns a byte as a Go constant.
func quoteByte(b byte) string {
	if b < 0x80 {
		return fmt.Sprintf("%q", rune(b))
	}
	return fmt.Sprintf("%#02x", b)
}
