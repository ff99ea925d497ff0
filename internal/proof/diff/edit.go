package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An edit is a change of the grammar of the side that stops, by which it derives what until then the other side alone did.
// The sentence of a group says what its edit does.
type edit struct {
	feature Feature
	rule    *expr.Rule // of the side that stops: what is changed
	other   *expr.Rule // of the side that goes on: what makes it go on

	set   expr.Set     // Allows: what can be read in rule, also in what it uses, in place of any other byte. Parts: what is read
	run   []*expr.Expr // Omits: what may be missing in rule, nil for all of it. Adds: what is added, of other
	at    []lang.Span  // Omits: where run begins in rule. Adds: the parts of the grammar that it comes after
	words []string     // Derives: what rule derives too; so for the code points of Allows. Scheme: the schemes. Parts: code points

	several bool // there are other productions than other in which the side that goes on does so

	rank, depth int // of several edits the one of the least rank is told; of these that with the longest run, then of the least depth
}

// key names what the edit changes. Edits that have the same are told together.
func (e edit) key(region Region) string {
	switch e.feature {
	case Omits:
		key := fmt.Sprint(region, e.feature, e.rule.ID, " ", e.run)
		if e.run != nil {
			key += fmt.Sprint(e.at[0].I, " ", e.at[0].At)
		}
		return key
	case Adds:
		return fmt.Sprint(region, e.feature, e.other.ID, " ", e.run)
	case Allows:
		return fmt.Sprint(region, e.feature, e.rule.ID, " ", strings.EqualFold(e.rule.Label(), e.other.Label()))
	}
	return fmt.Sprint(region, e.feature, e.rule.ID, " ", e.feature == Parts && e.set.IsEmpty())
}

// join adds to e what f, of the same key, changes as well.
func (e *edit) join(f edit) {
	if f.other != e.other {
		e.several = true
	}
	e.set = e.set.Union(f.set)
	for _, word := range f.words {
		if !slices.Contains(e.words, word) {
			e.words = append(e.words, word)
		}
	}
	for _, at := range f.at {
		if e.feature == Adds && !slices.ContainsFunc(e.at, func(s lang.Span) bool { return s.Of == at.Of && s.I == at.I }) {
			e.at = append(e.at, at)
		}
	}
}

// apply returns the grammar g of the side that stops with the edit.
func (e edit) apply(g, goes *expr.Grammar) *expr.Grammar {
	var more *expr.Expr
	if e.feature == Adds {
		more = expr.Opt(renamed(expr.Cat(e.run...), expr.Set{}))
	}
	var rules []*expr.Rule
	for _, r := range g.Rules {
		c := *r
		switch {
		case e.run != nil:
			c.Expr = e.rewrite(r.Expr, more)
			if more != nil && slices.ContainsFunc(e.at, func(s lang.Span) bool { return s.In == nil && s.Of.Name == r.ID }) {
				c.Expr = expr.Cat(c.Expr, more)
			}
		case r != e.rule:
		case e.feature == Allows && !e.set.IsEmpty():
			c.Expr = expr.To(" " + r.ID)
		case e.feature == Omits:
			c.Expr = expr.Opt(r.Expr)
		}
		if r == e.rule {
			for _, word := range e.words {
				c.Expr = expr.Or(c.Expr, expr.Lit(word))
			}
		}
		rules = append(rules, &c)
	}
	switch e.feature {
	case Allows:
		rules = append(rules, copies(g, e.rule.ID, e.set)...)
	case Adds:
		rules = append(rules, copies(goes, e.other.ID, expr.Set{})...)
	}
	return g.With(rules)
}

// rewrite returns s with what e says of its parts: with more, that comes after each of them, else the run may be missing.
func (e edit) rewrite(s *expr.Expr, more *expr.Expr) *expr.Expr {
	if s.Op != expr.Seq {
		c := s.Map(func(s *expr.Expr) *expr.Expr { return e.rewrite(s, more) })
		for _, at := range e.at {
			switch {
			case at.Of != s:
			case more != nil:
				return expr.Cat(c, more)
			default:
				return expr.Opt(c)
			}
		}
		return c
	}
	var out []*expr.Expr
	for i := 0; i < len(s.Sub); i++ {
		n := slices.IndexFunc(e.at, func(at lang.Span) bool { return at.Of == s && at.I == i })
		switch {
		case n < 0:
			out = append(out, e.rewrite(s.Sub[i], more))
		case more != nil:
			out = append(out, e.rewrite(s.Sub[i], more), more)
		default:
			if at := e.at[n].At; at > 0 {
				out = append(out, expr.Lit(s.Sub[i].Lit[:at]))
			}
			out = append(out, expr.Opt(expr.Cat(e.run...)))
			i += len(e.run) - 1
		}
	}
	return expr.Cat(out...)
}

// copies returns copies, under other names, of a production and of those it uses, in which also the bytes of the set are
// read wherever one is.
func copies(g *expr.Grammar, id string, set expr.Set) (rules []*expr.Rule) {
	for _, id := range g.Reach(id) {
		if r := g.Rule(id); r != nil {
			c := *r
			c.ID, c.Expr = " "+r.ID, renamed(r.Expr, set)
			rules = append(rules, &c)
		}
	}
	return rules
}

func renamed(e *expr.Expr, set expr.Set) *expr.Expr {
	switch e.Op {
	case expr.Ref:
		return expr.To(" " + e.Name)
	case expr.Class:
		return expr.In(e.Set.Union(set))
	case expr.Literal:
		var bytes []*expr.Expr
		for i := range len(e.Lit) {
			bytes = append(bytes, expr.In(expr.Bytes(e.Lit[i:i+1]).Union(set)))
		}
		return expr.Cat(bytes...)
	}
	return e.Map(func(s *expr.Expr) *expr.Expr { return renamed(s, set) })
}
