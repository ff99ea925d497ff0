package bnf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Lists is a meaning of 1#element, which is elements with commas between.
type Lists int

// The readings of lists.
const (
	Sender    Lists = iota // as RFC 7230 section 7 has senders write them: element *( OWS "," OWS element )
	Recipient              // as RFC 7230 section 7 has recipients read them, with empty elements
	Lists2616              // as RFC 2616 section 2.1 describes them: *LWS around commas, and empty elements anywhere
)

// ListsNames are the names of the readings, in the order of their constants.
var ListsNames = []string{"sender", "recipient", "2616"}

// String returns the name of the reading.
func (l Lists) String() string { return ListsNames[l] }

// describe returns the reading in words, for notices.
func (l Lists) describe() string {
	return [...]string{
		"as RFC 7230 has senders write it", "as RFC 7230 has recipients read it", "as RFC 2616 describes it",
	}[l]
}

// ParseLists returns the reading with a name; the error for any other name lists those that there are.
func ParseLists(name string) (Lists, error) {
	i, err := indexOfName("lists", name, ListsNames)
	return Lists(i), err
}

// indexOfName returns the index of a reading's name in names; what says, for the error, what is read.
func indexOfName(what, name string, names []string) (int, error) {
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("unknown reading of %s %q; expected %s", what, name, layout.List(names, "or"))
}

// white begins the reference to white space in a list: the document's production, or that of RFC 7230 or RFC 2616.
const white = "#"

// list returns the expression for a list of elements e with this count, as r.Lists reads lists. The result may hold e
// more than once, and refers to white space by names that begin with white, which supplyCore resolves. A list of at
// most 0 elements is the empty word. list notices the list, and panics as bounds and countCopies do. In the comments,
// e is the element, and n and m are the count.
func (r *readerABNF) list(e *expr.Expr, count tokenABNF) *expr.Expr {
	least, most := bounds(strings.Replace(count.text, "#", "*", 1), count.pos)
	r.countCopies(e, count)
	r.lexerABNF.note.add(listNotice, count.pos, count.text)
	if most == 0 {
		return &expr.Expr{Op: expr.Empty, Pos: count.pos}
	}
	at := func(e *expr.Expr) *expr.Expr { return placed(e, count.pos) }
	comma := at(expr.Lit(","))
	any := func(e *expr.Expr) *expr.Expr { return at(expr.Times(e, 0, expr.Unbounded)) }
	space := at(expr.To(white + "OWS"))
	if r.Lists == Lists2616 {
		space = any(at(expr.To(white + "LWS")))
	}
	further := expr.Unbounded // elements after the first
	if most != expr.Unbounded {
		further = most - 1
	}
	times := func(e *expr.Expr) *expr.Expr {
		if further == 0 {
			return at(&expr.Expr{Op: expr.Empty})
		}
		return at(expr.Times(e, max(least-1, 0), further))
	}
	var list *expr.Expr // of one element or more
	switch {
	case r.Lists == Sender:
		// e (n-1)*(m-1)( OWS "," OWS e )
		list = expr.Cat(e, times(expr.Cat(space, comma, space, e)))
	case r.Lists == Recipient && least == 0 && most == expr.Unbounded:
		// [ ( "," / e ) *( OWS "," [ OWS e ] ) ]
		list = expr.Cat(expr.Or(comma, e), any(expr.Cat(space, comma, expr.Opt(expr.Cat(space, e)))))
	case r.Lists == Recipient:
		// *( "," OWS ) e (n-1)*(m-1)( 1*( OWS "," ) OWS e ) *( OWS "," ): for 1#e that is *( "," OWS ) e *( OWS "," [
		// OWS e ] )
		list = expr.Cat(any(expr.Cat(comma, space)), e,
			times(expr.Cat(at(expr.Times(expr.Cat(space, comma), 1, expr.Unbounded)), space, e)),
			any(expr.Cat(space, comma)))
	default:
		// *( *LWS "," ) *LWS e (n-1)*(m-1)( 1*( *LWS "," ) *LWS e ) *( *LWS "," )
		list = expr.Cat(any(expr.Cat(space, comma)), space, e,
			times(expr.Cat(at(expr.Times(expr.Cat(space, comma), 1, expr.Unbounded)), space, e)),
			any(expr.Cat(space, comma)))
	}
	if least > 0 {
		return list
	}
	switch { // a list without elements may still have commas
	case r.Lists == Lists2616:
		list = expr.Or(list, at(expr.Times(expr.Cat(space, comma), 1, expr.Unbounded)))
	case r.Lists == Recipient && most != expr.Unbounded:
		list = expr.Or(list, expr.Cat(comma, any(expr.Cat(space, comma))))
	}
	return at(expr.Opt(list))
}

// maxCopied caps the nodes of expressions that the lists of a document hold twice. Without it, nested lists would take
// exponential memory: a list in a list holds its elements four times.
const maxCopied = 1 << 20

// countCopies adds the size of e, which a list holds twice, to the total of the document, and panics with a refusal
// if that passes maxCopied. Outside of a document it counts nothing.
func (r *readerABNF) countCopies(e *expr.Expr, count tokenABNF) {
	if r.state == nil {
		return
	}
	expr.Walk(e, func(*expr.Expr) bool {
		r.state.copied++
		return r.state.copied <= maxCopied
	})
	if r.state.copied > maxCopied {
		panic(expr.Refusef(count.pos,
			"the list %q, with those before and inside it, is too large; write its element as a production of its own", count.text))
	}
}
