package bnf

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// RBNF is Routing Backus-Naur Form (RFC 5511), which describes the messages of routing protocols as sequences of
// objects:
//
//	production   = "<" name ">" "::=" alternatives
//	alternatives = alternative *( "|" alternative )
//	alternative  = 1*( element [ "..." ] )                   ; "..." is one or more
//	element      = "<" name ">" / "(" alternatives ")" / "[" alternatives "]"
//
// Objects are binary, and have no productions. One stands for itself here, its name in angle brackets: what a message
// derives are the sequences of its objects, as in "<Common Header><RP>".
const RBNF = "rbnf"

func init() {
	notations[RBNF] = notation{
		production: readProductionRBNF, right: readRightRBNF, split: splitRBNF, settle: settleRBNF, codePoints: true,
		inDocuments: true,
	}
	marksOf[RBNF] = []string{"rbnf"}
}

// splitRBNF takes a document apart into its productions. It fails as splitAngles does.
func splitRBNF(file string, lines []string, n reading) (*outline, error) {
	l, _, err := splitAngles(file, lines, RBNF, n)
	return l, err
}

// A readerRBNF reads one production, or one right-hand side.
type readerRBNF struct{ descent }

// readProductionRBNF reads one production: a name in angle brackets, "::=" or another sign that splitAngles takes for
// one, and alternatives. After an error made has at most the name.
func readProductionRBNF(p printed, n reading) (made production, err error) {
	defer made.inError(&err)
	defer expr.Catch(&err)
	r := &readerRBNF{descent{reading: n, printed: p}}
	m := beginsAngle().FindStringSubmatchIndex(p.text)
	if m == nil {
		panic(r.unexpected(`a production such as "<name> ::= ..."`))
	}
	made.name = strings.Join(strings.Fields(p.text[m[2]:m[3]]), " ")
	r.offset = m[1]
	made.right = r.whole()
	return made, nil
}

// readRightRBNF reads a right-hand side without a name.
func readRightRBNF(p printed, n reading) (e *expr.Expr, err error) {
	defer expr.Catch(&err)
	return (&readerRBNF{descent{reading: n, printed: p}}).whole(), nil
}

// whole reads alternatives up to the end of the text, and panics with the error if something else follows.
func (r *readerRBNF) whole() *expr.Expr {
	e := r.alternatives()
	if r.peek() != 0 {
		panic(r.unexpected(`a name in angle brackets, "(", "[", "|", "..." or the end of the production`))
	}
	return e
}

// peek skips white space, form feeds and vertical tabs as well, and returns the byte that follows, without consuming
// it; 0 at the end.
func (r *readerRBNF) peek() byte {
	for ; r.offset < len(r.text); r.offset++ {
		if c := r.text[r.offset]; strings.IndexByte(" \t\n\r\f\v", c) < 0 {
			return c
		}
	}
	return 0
}

// alternatives reads one or more alternatives with "|" between them, up to a closing bracket or the end. It panics as
// alternative does.
func (r *readerRBNF) alternatives() *expr.Expr {
	var alts []*expr.Expr
	for {
		if alts = append(alts, r.alternative()); r.peek() != '|' {
			return expr.Or(alts...)
		}
		r.offset++
	}
}

// alternative reads elements up to "|", a closing bracket or the end, which it leaves; "..." or "…" after an element
// makes it one or more. It panics with the error if there is no element, and as element does.
func (r *readerRBNF) alternative() *expr.Expr {
	var seq []*expr.Expr
	for {
		c := r.peek()
		if c == 0 || c == '|' || c == ')' || c == ']' {
			if len(seq) == 0 {
				panic(r.unexpected(`a name in angle brackets, "(" or "["`))
			}
			return expr.Cat(seq...)
		}
		e := r.element(c)
		for _, dots := range []string{"...", "…"} {
			if r.peek(); strings.HasPrefix(r.rest(), dots) {
				e = placed(expr.Times(e, 1, expr.Unbounded), e.Pos)
				r.offset += len(dots)
			}
		}
		seq = append(seq, e)
	}
}

// element reads a name in angle brackets, a group ( ) or an option [ ]. c is the byte that follows, as peek returned
// it. It panics with the error for anything else and for a bracket that is not closed, and as enter and alternatives
// do.
func (r *readerRBNF) element(c byte) *expr.Expr {
	pos := r.here()
	if m := angleName().FindStringSubmatch(r.rest()); m != nil {
		r.offset += len(m[0])
		return placed(expr.To(strings.Join(strings.Fields(m[1]), " ")), pos)
	}
	if c != '(' && c != '[' {
		panic(r.unexpected(`a name in angle brackets, "(" or "["`))
	}
	r.enter(1)
	e := r.alternatives()
	if r.peek() != brackets[c] {
		panic(r.unexpected(`"` + string(brackets[c]) + `", which closes the bracket at ` + pos.String()))
	}
	r.leave(1)
	if c == '[' {
		return placed(expr.Opt(e), pos)
	}
	return e
}

// settleRBNF replaces each reference in g's rules that has no production by a literal: its name in angle brackets.
// Prose stays. One notice, at the first such reference, lists the names.
func settleRBNF(g *expr.Grammar, note *notes) {
	var names []string
	seen := map[string]bool{}
	var first expr.Pos
	for _, r := range g.Rules {
		r.Expr = rewrite(r.Expr, func(e *expr.Expr) *expr.Expr {
			if e.Op != expr.Ref || g.Rule(e.Name) != nil || isProse(e.Name) {
				return e
			}
			if !seen[e.Name] {
				seen[e.Name] = true
				names = append(names, "<"+e.Name+">")
			}
			if first.Line == 0 {
				first = e.Pos
			}
			return placed(expr.Lit("<"+e.Name+">"), e.Pos)
		})
	}
	if len(names) > 0 {
		note.addf(first, "%s without a production %s for %s: %s", layout.Plural(len(names), "object"),
			layout.Agree(len(names), "stands", "stand"), layout.Agree(len(names), "itself", "themselves"),
			layout.Some(names, namedMost, ", "))
	}
}
