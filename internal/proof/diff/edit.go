package diff

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An edit is a change of the grammar of the side that stops that makes it derive strings that only the other side
// derived. The sentence of a group tells its edits. change.go lists the kinds of changes.
type edit struct {
	change
	rule  *expr.Rule // of the side that stops: the production that is changed
	other *expr.Rule // of the side that goes on: the production that makes it go on

	// whole is set by [editInOnePlace]: the definition of other in the names of the side that stops, which rule is to
	// derive too. uses are copies of the productions in it that this side does not have. If whole is nil, the change
	// itself is applied.
	whole *expr.Expr
	uses  []*expr.Rule

	all     bool                // the two sides differ in nothing else, so that this explains every string
	derives func(s string) bool // see [walk.deriverWith]; nil if it is not known
	several bool                // the side that goes on also does so in productions other than other

	// Of several edits that explain a cause the one with the lowest rank is told; among these the one that spells most,
	// and then the one with the least depth.
	rank, depth int
}

// edits are made together: one, or several if none of them is enough.
type edits []edit

// key identifies what the edits change in the side that stops of a region. Causes whose edits have the same key are
// told together.
func (es edits) key(region Region) string {
	keys := make([]string, len(es))
	for i := range es {
		keys[i] = es[i].key()
	}
	slices.Sort(keys)
	return string(region) + strings.Join(keys, " and ")
}

// key identifies what the edit changes.
func (e *edit) key() string { return string(e.change.feature()) + e.change.key(e) }

// join changes es in place: each edit also makes the change of the edit in fs that has the same key.
func (es edits) join(fs edits) {
	for i := range es {
		for _, f := range fs {
			if es[i].key() == f.key() {
				es[i].join(f)
			}
		}
	}
}

// join changes e in place: it also makes the change of f, which has the same key. e keeps its whole only if f has one
// too, and several is set if f is of another production on either side.
func (e *edit) join(f edit) {
	if f.other != e.other || f.rule != e.rule {
		e.several = true
	}
	if f.whole == nil {
		e.whole, e.all = nil, false
	}
	e.change = e.change.join(f.change)
}

// rewritingFor returns the changes that the edit makes to the grammar of the side that stops: those of its change or,
// if e.whole is set, only that this is one more alternative. goes is the grammar of the other side. The names of
// productions that the change adds begin with prefix.
func (e *edit) rewritingFor(goes *expr.Grammar, prefix string) rewriting {
	if e.whole == nil {
		return e.change.rewrite(e, goes, prefix)
	}
	return rewriting{
		rule: func(r *expr.Rule, body *expr.Expr) *expr.Expr {
			if r.ID == e.rule.ID {
				return expr.Or(body, e.whole)
			}
			return body
		},
		rules: e.uses,
	}
}

// apply returns the grammar g of the side that stops with the edits; goes is that of the other.
//
// First the parts of all productions are rewritten, then the productions, and then those are added
// that the new parts use. Changes everywhere in a production copy it, with all that it uses: those of
// inner productions come first, so that the outer ones copy them.
func (es edits) apply(g, goes *expr.Grammar) *expr.Grammar {
	all := make(rewritings, len(es))
	for i := range es {
		all[i] = es[i].rewritingFor(goes, strings.Repeat("+", i+1))
	}
	var rules []*expr.Rule
	for _, r := range g.Rules {
		c := *r
		c.Expr = all.rewrite(r.Expr)
		for _, w := range all {
			if w.rule != nil {
				c.Expr = w.rule(r, c.Expr)
			}
		}
		rules = append(rules, &c)
	}
	for _, w := range all {
		rules = append(rules, w.rules...)
	}
	g = g.With(rules)
	// A production that uses another one reaches more productions than that: the order is by their number.
	order := make([]int, len(es))
	reach := make([]int, len(es))
	for i := range es {
		order[i] = i
		reach[i] = len(g.Reach(es[i].rule.ID))
	}
	slices.SortStableFunc(order, func(i, j int) int { return reach[i] - reach[j] })
	for n, i := range order {
		// Blanks and not "+", since a copy of a production whose name begins with "+" must not get the name of another.
		if change := all[i].everywhere; change != nil {
			g = change(g, strings.Repeat(" ", n+1))
		}
	}
	return g
}

// rewritings are the changes of edits that are made together.
type rewritings []rewriting

// rewrite returns e with the changes inside it: added parts come after the part that they follow, and omitted parts
// become optional.
func (all rewritings) rewrite(e *expr.Expr) *expr.Expr {
	if e.Op == expr.Seq {
		return all.rewriteSequence(e)
	}
	c := e.Map(all.rewrite)
	for _, w := range all {
		if w.part != nil {
			c = w.part(e, c)
		}
	}
	return c
}

// rewriteSequence is rewrite for a sequence. Of several runs that may be missing and begin with one element, only the
// longest is made optional, which covers the others.
func (all rewritings) rewriteSequence(e *expr.Expr) *expr.Expr {
	var out []*expr.Expr
	for i := 0; i < len(e.Sub); i++ {
		var part *expr.Expr
		skipped := 0
		for _, w := range all {
			if w.omitted == nil {
				continue
			}
			run, stays := w.omitted(e, i)
			if len(run) <= skipped {
				continue // a longer run is optional already
			}
			missing := all.rewrite(run[0])
			if len(run) > 1 {
				missing = expr.Cat(run...).Map(all.rewrite)
			}
			part = expr.Cat(expr.Lit(e.Sub[i].Lit[:stays]), expr.Opt(missing))
			skipped = len(run)
		}
		if part == nil {
			part = all.rewrite(e.Sub[i])
		}
		out = append(out, part)
		if more := all.addedAfter(e, i); more != nil {
			out = append(out, expr.Cat(more...))
		}
		i += max(skipped-1, 0)
	}
	return expr.Cat(out...)
}

// addedAfter lists the parts that the edits add after the i-th element of a sequence; nil for none.
func (all rewritings) addedAfter(e *expr.Expr, i int) (more []*expr.Expr) {
	for _, w := range all {
		if w.added == nil {
			continue
		}
		if added := w.added(e, i); added != nil {
			more = append(more, added)
		}
	}
	return more
}

// copyWithUses returns copies of a production and of those it uses, with name put before their IDs. If also is not
// nil, each character in the copies may be also instead. Names without a production are left out.
func copyWithUses(g *expr.Grammar, id, name string, also *expr.Expr) (rules []*expr.Rule) {
	for _, used := range g.Reach(id) {
		if r := g.Rule(used); r != nil {
			c := *r
			c.ID, c.Expr = name+r.ID, prefixRefs(r.Expr, name, also)
			rules = append(rules, &c)
		}
	}
	return rules
}

// prefixRefs returns a copy of e with name put before each reference. If also is not nil, each character, which is a
// class, a byte of a literal or a code point, may be also instead.
func prefixRefs(e *expr.Expr, name string, also *expr.Expr) *expr.Expr {
	switch {
	case e.Op == expr.Ref:
		return expr.To(name + e.Name)
	case also == nil:
	case e.Op == expr.Class || e.Chars != "":
		return expr.Or(e, also)
	case e.Op == expr.Literal:
		var bytes []*expr.Expr
		for i := range len(e.Lit) {
			bytes = append(bytes, expr.Or(expr.Lit(e.Lit[i:i+1]), also))
		}
		return expr.Cat(bytes...)
	}
	return e.Map(func(s *expr.Expr) *expr.Expr { return prefixRefs(s, name, also) })
}
