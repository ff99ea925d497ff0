package bnf

import (
	"slices"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// minus is the name of a reference that stands for a difference of languages while a document is read: what its first
// subexpression derives and its second does not. Its Lit is the text. [exclude] replaces it.
const minus = "-"

// anyCharacter is the name of a reference to all characters, likewise: those of the production Char, where there is one that
// derives single characters.
const anyCharacter = "."

// maxExcluded is how many terminals and operators the expression for a difference may have.
const maxExcluded = 1 << 14

// exclude replaces the differences in the rules of g by expressions that derive exactly them, computed by automata. The error
// is a difference that nests or that uses itself, or one that is too large.
func exclude(g *expr.Grammar) error {
	const (
		unseen = iota
		open
		done
	)
	state := map[string]int{}
	var settle func(r *expr.Rule) error
	within := func(e *expr.Expr) error { // settles what e uses
		for _, id := range g.Reach(expr.Refs(e)...) {
			if r := g.Rule(id); r != nil {
				if err := settle(r); err != nil {
					return err
				}
			}
		}
		return nil
	}
	all := expr.In(expr.AnyByte)
	if g.CodePoints {
		all = utf8Range(0, utf8.MaxRune, "any character", expr.Pos{})
	}
	if r := g.Rule("Char"); r != nil && isCharacter(r.Expr) {
		all = r.Expr
	}
	var replace func(e *expr.Expr) (*expr.Expr, error)
	replace = func(e *expr.Expr) (_ *expr.Expr, err error) {
		switch {
		case e.Op == expr.Ref && e.Name == anyCharacter:
			return all, nil
		case len(e.Sub) == 0 || e.Chars != "":
			return e, nil
		}
		c := e.Map(func(s *expr.Expr) *expr.Expr {
			var failed error
			if s, failed = replace(s); failed != nil && err == nil {
				err = failed
			}
			return s
		})
		if err != nil || e.Op != expr.Ref {
			return c, err
		}
		return difference(g, c, within)
	}
	settle = func(r *expr.Rule) (err error) {
		switch {
		case state[r.ID] == open && hasMinus(r.Expr):
			return expr.Refusef(r.Pos, "`%s` excludes what is defined by itself", r.Name)
		case state[r.ID] != unseen:
			return nil
		}
		state[r.ID] = open
		if hasMinus(r.Expr) {
			r.Expr, err = replace(r.Expr)
		}
		state[r.ID] = done
		return err
	}
	for _, r := range g.Rules {
		if err := settle(r); err != nil {
			return err
		}
	}
	return nil
}

// isCharacter reports whether e is a single character, or a choice of some.
func isCharacter(e *expr.Expr) bool {
	return e.Op == expr.Class || e.Chars != "" || e.Op == expr.Alt && !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !isCharacter(s) })
}

func hasMinus(e *expr.Expr) (found bool) {
	expr.Walk(e, func(e *expr.Expr) bool {
		found = found || e.Op == expr.Ref && len(e.Sub) > 0
		return !found
	})
	return found
}

// difference returns an expression for a difference, whose parts have none.
func difference(g *expr.Grammar, e *expr.Expr, settle func(*expr.Expr) error) (*expr.Expr, error) {
	var of [2]*lang.DFA
	for i, s := range e.Sub {
		err := settle(s)
		if err == nil {
			of[i], err = lang.FromExpr(g, s)
		}
		if err != nil {
			return nil, expr.Refusef(e.Pos, "the exclusion %s cannot be computed: %v", e.Lit, err)
		}
	}
	d, err := of[0].Minus(of[1]).Expr(maxExcluded)
	if err != nil {
		return nil, expr.Refusef(e.Pos, "the exclusion %s cannot be computed: %v", e.Lit, err)
	}
	label := func(s *expr.Expr) *expr.Expr {
		if s.Op != expr.Class || s.Set.Minus(expr.Range(0, 0x7F)).IsEmpty() || !g.CodePoints {
			return s
		}
		c := *s
		if c.Chars = e.Lit; s.Set.Minus(expr.Range(0x80, 0xBF)).IsEmpty() {
			c.Chars = "the rest of " + e.Lit
		}
		return &c
	}
	return placed(rewrite(d, label), e.Pos), nil
}
