package expr

import (
	"fmt"
	"regexp"
	"strings"
)

// print prints e, in parentheses if it binds less tightly than bind.
func (e *Expr) print(b *strings.Builder, bind int) {
	if e.Chars != "" {
		b.WriteString(e.Chars)
		return
	}
	if own, ok := binds[e.Op]; ok && own < bind {
		b.WriteString("( ")
		defer b.WriteString(" )")
	}
	switch e.Op {
	case Empty:
		b.WriteString(`""`)
	case Class:
		b.WriteString(e.Set.String())
	case Literal:
		fmt.Fprintf(b, "%q", e.Lit)
	case Ref:
		b.WriteString(e.Name)
	case Seq, Alt:
		for i, s := range e.Sub {
			if i > 0 {
				b.WriteString([...]string{Seq: " ", Alt: " / "}[e.Op])
			}
			s.print(b, binds[e.Op]+1) // a sequence in a sequence keeps its own parentheses
		}
	case Repeat:
		e.Sub[0].print(b, bindSuffix+1)
		if e.Min == e.Max {
			fmt.Fprintf(b, "{%d,%d}", e.Min, e.Max)
		} else {
			b.WriteString(e.Quantifier())
		}
	case And, Not:
		b.WriteString([...]string{And: "&", Not: "!"}[e.Op])
		e.Sub[0].print(b, bindSuffix)
	case Node:
		e.Sub[0].print(b, bind)
	case Deep:
		b.WriteString("deeper")
	}
}

// Quantifier returns the sign for the counts of e, a Repeat, in regular expressions: "*", "{2,4}", "{3}".
func (e *Expr) Quantifier() string {
	switch {
	case e.Min == 0 && e.Max == Unbounded:
		return "*"
	case e.Min == 1 && e.Max == Unbounded:
		return "+"
	case e.Min == 0 && e.Max == 1:
		return "?"
	case e.Max == Unbounded:
		return fmt.Sprintf("{%d,}", e.Min)
	case e.Min == e.Max:
		return fmt.Sprintf("{%d}", e.Min)
	}
	return fmt.Sprintf("{%d,%d}", e.Min, e.Max)
}

// The binding strengths of the printed notation, weakest first.
const (
	bindAlt = iota
	bindSeq
	bindPrefix
	bindSuffix
)

var binds = map[Op]int{Alt: bindAlt, Seq: bindSeq, And: bindPrefix, Not: bindPrefix, Repeat: bindSuffix}

// asClass matches a name that would be a class of characters in brackets, but is a name in ABNF.
var asClass = regexp.MustCompile(`^(?:[A-Za-z]-[A-Za-z]|[0-9]-[0-9])+[_-]?$`)

// AsRanges returns ABNF for a name that would be a class of characters elsewhere: %x61-7A / %x5F for the name
// a-z_. It returns "" for any other name.
func AsRanges(name string) string {
	var ranges []string
	for ; asClass.MatchString(name); name = name[3:] {
		ranges = append(ranges, fmt.Sprintf("%%x%X-%X", name[0], name[2]))
	}
	if name != "" && ranges != nil {
		ranges = append(ranges, fmt.Sprintf("%%x%X", name[0]))
	}
	return strings.Join(ranges, " / ")
}
