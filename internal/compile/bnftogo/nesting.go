package bnftogo

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// nested returns whether p is a production whose recursion nests, and is code at best: it is no automaton, and none of what it
// uses can use itself at its beginning.
func (c *compiler) nested(p *production) bool {
	if c.usesEmptyCircle(p.Rule) != nil {
		return false
	}
	used := c.facts.Used(p.Expr)
	used[p.ID] = true
	nests := false
	for id := range used {
		k := c.comp[id]
		if k == nil || !k.Right {
			continue
		}
		if !k.Left {
			return false
		}
		nests = true
	}
	return nests
}

// unrolled returns g with a copy of each production that uses itself for each depth up to n, and the name of the copy of a
// production that nests n deep. Deeper uses derive nothing. Depth counts the uses of a production inside itself or inside one
// that comes after it in its component.
func (c *compiler) unrolled(g *expr.Grammar, n int) (*expr.Grammar, func(id string) string) {
	number := map[string]int{}
	for i, r := range g.Rules {
		number[r.ID] = i
	}
	copyOf := func(id string, depth int) string { return fmt.Sprintf("%s %d", id, depth) }
	var rules []*expr.Rule
	for _, r := range g.Rules {
		k := c.comp[r.ID]
		if k == nil {
			d := *r
			d.Expr = renamed(r.Expr, func(e *expr.Expr) *expr.Expr {
				if c.comp[e.Name] == nil {
					return e
				}
				return &expr.Expr{Op: expr.Ref, Name: copyOf(e.Name, n), Pos: e.Pos}
			})
			rules = append(rules, &d)
			continue
		}
		for depth := range n + 1 {
			d := *r
			d.ID = copyOf(r.ID, depth)
			d.Expr = renamed(r.Expr, func(e *expr.Expr) *expr.Expr {
				to := depth
				switch {
				case c.comp[e.Name] == nil:
					return e
				case c.comp[e.Name] != k:
					to = n
				case number[e.Name] <= number[r.ID]:
					to--
				}
				if to < 0 {
					return &expr.Expr{Op: expr.Class, Pos: e.Pos}
				}
				return &expr.Expr{Op: expr.Ref, Name: copyOf(e.Name, to), Pos: e.Pos}
			})
			rules = append(rules, &d)
		}
	}
	return g.With(rules), func(id string) string {
		if c.comp[id] == nil {
			return id
		}
		return copyOf(id, n)
	}
}

// renamed returns e with its references replaced.
func renamed(e *expr.Expr, ref func(*expr.Expr) *expr.Expr) *expr.Expr {
	if e.Op == expr.Ref {
		return ref(e)
	}
	if len(e.Sub) == 0 {
		return e
	}
	return e.Map(func(s *expr.Expr) *expr.Expr { return renamed(s, ref) })
}

// nesting decides which productions whose recursion nests are code: those whose PEG accepts what they derive, both cut off at
// each depth up to Options.Nesting.
func (c *compiler) nesting(defined *expr.Grammar) {
	open := slices.DeleteFunc(slices.Clone(c.productions), func(p *production) bool {
		return p.start != dead || !c.facts.Derives(p.Expr) || !c.nested(p)
	})
	if len(open) == 0 {
		return
	}
	apart := c.apart(defined)
	open = slices.DeleteFunc(open, func(p *production) bool {
		used := c.facts.Used(p.Expr)
		used[p.ID] = true
		for _, r := range c.g.Rules { // in their order, so that the reason is always the same
			if at := apart[r.ID]; used[r.ID] && at != nil {
				p.refusal.Pos = at.Pos
				p.refusal.Reason += ", and no regular language tells what can stand at " + at.String() + " of `" + r.Name + "` from what follows"
				return true
			}
		}
		return false
	})
	// What uses less comes first: if it is too large, so is what uses it.
	slices.SortStableFunc(open, usesLess)
	most := cmp.Or(max(c.o.Nesting, 0), DefaultNesting)
	for depth := 1; depth <= most; depth++ {
		// The text first, then the checks: a check may name what follows, but uses nothing.
		text, name := c.unrolled(defined, depth)
		code, _ := c.unrolled(c.checks, depth)
		limits := lang.Limits{NFA: 1 << 15, DFA: 1 << 12}
		languages, err := lang.NewPEG(code, limits)
		if err != nil {
			return
		}
		large := map[string]bool{}
		for _, p := range open {
			if depth > 1 && p.nesting != depth-1 {
				continue
			}
			for id := range c.facts.Used(p.Expr) {
				large[p.ID] = large[p.ID] || large[id]
			}
			if large[p.ID] {
				p.why = "what it uses cannot be decided"
				continue
			}
			want, err := languageOf(text, name(p.ID), limits)
			var got *lang.DFA
			if err == nil {
				got, err = languages.Whole(expr.To(name(p.ID)))
			}
			if err != nil {
				large[p.ID] = true
				p.why = "cut off at a depth of " + strconv.Itoa(depth) + " it is too large to be decided"
				if !errors.Is(err, lang.ErrTooLarge) {
					p.why = err.Error()
				}
				continue
			}
			if !got.Equal(want) {
				p.nesting = -1
				continue
			}
			p.nesting = depth
			if depth == 1 {
				p.language = want
			}
		}
	}
	for _, p := range open {
		switch {
		case c.kind(p.ID) == 0 && c.builds(p.Expr, map[string]bool{}):
			p.refusal.Reason = "`" + p.Name + "` nests, has nodes and is none"
		case p.nesting > 0:
			p.code, p.refusal = true, nil
		case p.nesting < 0:
			p.refusal.Reason += ", and one byte of lookahead does not decide all of its choices"
		default:
			p.refusal.Reason += ", and " + p.why
		}
	}
}

// languageOf is [lang.FromBNF] within limits.
func languageOf(g *expr.Grammar, id string, l lang.Limits) (*lang.DFA, error) {
	n, err := lang.BuildNFA(g, id, lang.Options{Limits: l})
	if err != nil {
		return nil, err
	}
	return n.Determinize(l)
}

// DefaultNesting is the depth to which recursion that nests is proven if nothing else is asked for.
const DefaultNesting = 2

// mostNests is of how many productions that nest a production has such words at most.
const mostNests = 32

// deepWords returns words that nest n deep, some of them damaged: the time of code that goes back inside what nests grows
// exponentially on them.
func (c *compiler) deepWords(p *production, n int) []string {
	if len(c.comp) == 0 { // what a production uses takes time in a long chain
		return nil
	}
	used := c.facts.Used(p.Expr)
	used[p.ID] = true
	nests := slices.DeleteFunc(slices.Clone(c.g.Rules), func(r *expr.Rule) bool { return !used[r.ID] || c.comp[r.ID] == nil || !c.comp[r.ID].Right })
	if len(nests) == 0 {
		return nil
	}
	least := c.least()
	var all []string
	for i := 0; i < len(nests); i += len(nests)/mostNests + 1 {
		r := nests[i]
		left, right, ok := c.around(r.Expr, r.ID, least, map[string]bool{r.ID: true})
		if !ok {
			continue
		}
		outLeft, outRight, ok := c.outside(p, r)
		if !ok {
			continue
		}
		w := outLeft + strings.Repeat(left, n) + least.Words[r.ID] + strings.Repeat(right, n) + outRight
		all = append(all, w)
		if len(w) > 1 {
			all = append(all, w[:len(w)-1], w[:len(w)/2], w[:len(w)/2]+"\x00"+w[len(w)/2:])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// bounds returns words of p, and some that are none, in which what has counts comes just as often as it may, and once more or less.
func (c *compiler) bounds(p *production) []string {
	var all []string
	for _, r := range c.g.Rules {
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if e.Op != expr.Repeat || max(e.Min, e.Max) < enoughForLoop {
				return true
			}
			const hole = "" // which no production is called
			outLeft, outRight, used := c.outside(p, r)
			left, right, ok := c.around(r.Expr.With(e, expr.To(hole)), hole, c.least(), map[string]bool{r.ID: true})
			w, derives := c.least().Of(e.Sub[0])
			for _, n := range []int{e.Min - 1, e.Min, e.Max, e.Max + 1} {
				if used && ok && derives && n >= 0 {
					c.budget.Step(len(outLeft) + len(left) + n*len(w) + len(right) + len(outRight))
					all = append(all, outLeft+left+strings.Repeat(w, n)+right+outRight)
				}
			}
			return true
		})
	}
	return all
}

// outside returns what can stand left and right of r in a word of p, which can be r.
func (c *compiler) outside(p *production, r *expr.Rule) (left, right string, ok bool) {
	if r.ID == p.ID {
		return "", "", true
	}
	return c.around(p.Expr, r.ID, c.least(), map[string]bool{p.ID: true})
}

// shortestWords returns a short word of each production.
func (c *compiler) shortestWords() *expr.Short {
	return c.g.ShortWords(math.MaxInt, func(m []byte) byte { return m[len(m)/2] }, func(w string) {
		c.budget.Step(len(w))
		c.budget.Room(64 * int64(len(w)))
	})
}

// around returns what can stand left and right of the production id in a word of e.
func (c *compiler) around(e *expr.Expr, id string, least *expr.Short, seen map[string]bool) (left, right string, ok bool) {
	switch e.Op {
	case expr.Ref:
		if e.Name == id {
			return "", "", true
		}
		r := c.g.Rule(e.Name)
		if r == nil || seen[e.Name] {
			return "", "", false
		}
		seen[e.Name] = true
		return c.around(r.Expr, id, least, seen)
	case expr.Seq:
		for i, s := range e.Sub {
			left, right, ok := c.around(s, id, least, seen)
			if !ok {
				continue
			}
			for k := i - 1; k >= 0; k-- {
				w, fine := least.Of(e.Sub[k])
				left, ok = w+left, ok && fine
			}
			for _, x := range e.Sub[i+1:] {
				w, fine := least.Of(x)
				right, ok = right+w, ok && fine
			}
			if ok {
				return left, right, true
			}
		}
	case expr.Alt, expr.Repeat:
		for _, s := range e.Sub {
			left, right, ok := c.around(s, id, least, seen)
			if ok {
				if e.Op == expr.Repeat && e.Min > 1 {
					w, _ := least.Of(s)
					right += strings.Repeat(w, e.Min-1)
				}
				return left, right, true
			}
		}
	}
	return "", "", false
}
