package pegtogo

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A char is what the text calls a character: one byte of a class, or one of some longer sequences, each of which is
// told by its first byte (RFC 1738: uchar = unreserved | escape).
type char struct {
	class expr.Set
	long  [][]expr.Set
}

// charOf reads e as a char. It is one if its alternatives are told by their first byte, in any order.
func (p *program) charOf(e *expr.Expr) (char, bool) {
	switch e.Op {
	case expr.Class:
		return char{class: e.Set}, true
	case expr.Literal:
		if len(e.Lit) == 1 {
			return char{class: expr.Bytes(e.Lit)}, true
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
		return p.charOf(p.grammar.Rule(e.Name).Expr) // a node is none, since Node is not among these cases
	case expr.Seq:
		var seq []expr.Set
		for _, s := range e.Sub {
			c, ok := p.charOf(s)
			switch {
			case !ok:
				return char{}, false
			case len(c.long) == 0:
				seq = append(seq, c.class)
			case len(c.long) == 1 && c.class.IsEmpty():
				seq = append(seq, c.long[0]...)
			default:
				return char{}, false
			}
		}
		return char{long: [][]expr.Set{seq}}, true
	case expr.Alt:
		var all char
		for _, s := range e.Sub {
			c, ok := p.charOf(s)
			if !ok || !all.apart(c) {
				return char{}, false
			}
			all.class = all.class.Union(c.class)
			all.long = append(all.long, c.long...)
		}
		return all, true
	}
	return char{}, false
}

// apart reports whether c's longer sequences begin with other bytes than everything in d, and the other way round.
func (c char) apart(d char) bool {
	a, b := c.leads(), d.leads()
	return a.Intersect(b).IsEmpty() && a.Intersect(d.class).IsEmpty() && b.Intersect(c.class).IsEmpty()
}

// leads returns the bytes that the longer sequences begin with.
func (c char) leads() expr.Set {
	var t expr.Set
	for _, seq := range c.long {
		t = t.Union(seq[0])
	}
	return t
}

// without returns c without what begins with a byte of t.
func (c char) without(t expr.Set) char {
	d := char{class: c.class.Minus(t)}
	for _, seq := range c.long {
		if seq[0].Intersect(t).IsEmpty() {
			d.long = append(d.long, seq)
		}
	}
	return d
}

// single reports whether c is one byte.
func (c char) single() bool { return len(c.long) == 0 }

// wide reports whether a run of c can take a whole path.
func (c char) wide() bool { return c.class.Has('/') && c.class.Len() > 2 }

// short reports whether a run of c is a loop where it stands: it is no more than that.
func (c char) short() bool { return c.single() && !c.wide() }

// key is the same for the same chars.
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

// repeated finds ( e )* or ( e )+ over a char, also one with a guard: ( !guard char )*.
func (p *program) repeated(e *expr.Expr) (guard *expr.Expr, c char, ok bool) {
	if e.Op != expr.Repeat || e.Max != expr.Unbounded || e.Min > 1 {
		return nil, char{}, false
	}
	body := e.Sub[0]
	if c, ok := p.charOf(body); ok {
		return nil, c, true
	}
	if body.Op == expr.Seq && len(body.Sub) == 2 && body.Sub[0].Op == expr.Not {
		guard := body.Sub[0].Sub[0]
		if c, ok := p.charOf(body.Sub[1]); ok && !p.facts.Nullable(guard) {
			return guard, c, true
		}
	}
	return nil, char{}, false
}

// classes names the sets of bytes that the generated code asks for, in the order of first use.
type classes struct {
	table string // the name of the first table
	sets  []expr.Set
	names []string
	index map[expr.Set]int
}

// class returns the name of the table that has t, and that of its bit there. The bit's name is that of the lexical
// production with this class, else of the production that first asks.
func (p *program) class(t expr.Set) (table, bit string) {
	if i, ok := p.classes.index[t]; ok {
		return p.classes.tableName(i), p.classes.names[i]
	}
	name := p.unique(cmp.Or(p.lexicalClass(t), "in"+p.names[p.rule].title))
	p.classes.index[t] = len(p.classes.sets)
	p.classes.sets = append(p.classes.sets, t)
	p.classes.names = append(p.classes.names, name)
	return p.classes.tableName(p.classes.index[t]), name
}

// tableName is the name of the table with class number i. A table has room for as many classes as a uint64 has bits.
func (c *classes) tableName(i int) string {
	if i < maxBits {
		return c.table
	}
	return fmt.Sprint(c.table, i/maxBits+1)
}

const maxBits = 64

// lexicalClass finds the lexical production that is the class t, or the one that is t and some longer sequences.
func (p *program) lexicalClass(t expr.Set) string {
	found := ""
	for _, r := range p.rules {
		if c, ok := p.charOf(r.Expr); ok && c.class == t {
			if c.single() {
				return "is" + p.names[r.ID].title
			}
			found = cmp.Or(found, "is"+p.names[r.ID].title)
		}
	}
	return found
}

// member is the Go expression for whether the byte b (an expression) is in t or, for !in, is not.
func (p *program) member(t expr.Set, b string, in bool) string {
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
	table, bit := p.class(t)
	return table + "[" + b + "]&" + bit + cmp
}

func quoteByte(b byte) string {
	if b < 0x80 {
		return fmt.Sprintf("%q", rune(b))
	}
	return fmt.Sprintf("%#02x", b)
}
