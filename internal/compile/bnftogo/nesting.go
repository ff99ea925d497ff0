package bnftogo

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file proves code of recursion that nests, as far as that can be done with automata.
//
// A PEG of a nesting production becomes code if two things hold. Its choices are right at every
// depth (apart.go). And for each depth up to Options.Nesting, PEG and grammar, with recursion cut
// off at that depth, have one minimal automaton: replacing each production by a copy for each
// depth makes both regular. The second is a check of the whole, as far as it reaches; it proves
// nothing about deeper strings.
//
// The file also makes the words on which such code, and loops that count, are compared.

// canBeNestingCode reports whether p is no automaton because its recursion nests, and nothing that
// it uses can use itself at its beginning, which code could not follow.
func (c *compiler) canBeNestingCode(p *production) bool {
	if c.emptyCircleIn(p.Rule) != nil {
		return false
	}
	used := c.facts.Used(p.Expr)
	used[p.ID] = true
	nests := false
	for id := range used {
		k := c.comp[id]
		if k == nil || !k.Right { // nothing follows the use: right recursion does not nest
			continue
		}
		if !k.Left {
			return false
		}
		nests = true
	}
	return nests
}

// unrollRecursion returns g with a copy of each production of a component (c.comp) for each depth from 0 to n. Any
// other stays one production and keeps its ID, also one of c.emptyCircle, which still uses itself. nameAt returns
// the ID of the copy that may nest n deep, or that of the production that stays. Deeper uses derive nothing. Depth
// counts the uses of a production inside itself or inside one that comes after it in its component: each circle of
// uses has such a use.
func (c *compiler) unrollRecursion(g *expr.Grammar, n int) (
	unrolled *expr.Grammar, nameAt func(id string) string,
) {
	number := map[string]int{}
	for i, r := range g.Rules {
		number[r.ID] = i
	}
	copyName := func(id string, depth int) string { return fmt.Sprintf("%s %d", id, depth) }
	var rules []*expr.Rule
	for _, r := range g.Rules {
		k := c.comp[r.ID]
		if k == nil {
			// A production outside may use a component from its first depth on.
			d := *r
			d.Expr = replaceRefs(r.Expr, func(e *expr.Expr) *expr.Expr {
				if c.comp[e.Name] == nil {
					return e
				}
				return &expr.Expr{Op: expr.Ref, Name: copyName(e.Name, n), Pos: e.Pos}
			})
			rules = append(rules, &d)
			continue
		}
		for depth := range n + 1 {
			d := *r
			d.ID = copyName(r.ID, depth)
			d.Expr = replaceRefs(r.Expr, func(e *expr.Expr) *expr.Expr {
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
					return &expr.Expr{Op: expr.Class, Pos: e.Pos} // derives nothing
				}
				return &expr.Expr{Op: expr.Ref, Name: copyName(e.Name, to), Pos: e.Pos}
			})
			rules = append(rules, &d)
		}
	}
	return g.With(rules), func(id string) string {
		if c.comp[id] == nil {
			return id
		}
		return copyName(id, n)
	}
}

// replaceRefs returns e with each reference replaced by the result of replace. e is not changed.
func replaceRefs(e *expr.Expr, replace func(*expr.Expr) *expr.Expr) *expr.Expr {
	if e.Op == expr.Ref {
		return replace(e)
	}
	if len(e.Sub) == 0 {
		return e
	}
	return e.Map(func(s *expr.Expr) *expr.Expr { return replaceRefs(s, replace) })
}

// chooseNestingCode decides which productions whose recursion nests are code. defined is the grammar with every name
// defined; c.checks must be set. It sets code, nesting and language (cut off at depth 1) of those that are, and
// takes their refusal away; it says in the refusal of the other candidates what else speaks against them, and may
// set their nesting too. If at one depth no automata of the PEG can be made, none becomes code, and what was set
// before stays: the refusals of those with an undecided choice, and nesting and language by smaller depths.
func (c *compiler) chooseNestingCode(defined *expr.Grammar) {
	left := slices.DeleteFunc(slices.Clone(c.productions), func(p *production) bool {
		return p.start != choice.Dead || p.scanned || !c.facts.Derives(p.Expr) || !c.canBeNestingCode(p)
	})
	if len(left) == 0 {
		return
	}
	undecided := c.findUndecided(defined)
	left = slices.DeleteFunc(left, func(p *production) bool {
		used := c.facts.Used(p.Expr)
		used[p.ID] = true
		for _, r := range c.g.Rules { // in their order, so that the reason is always the same
			if at := undecided[r.ID]; used[r.ID] && at != nil {
				p.refusal.Pos = at.Pos
				p.refusal.Reason += ", and no regular language tells what can stand at " +
					at.String() + " of `" + r.Name + "` from what follows"
				return true
			}
		}
		return false
	})
	// Productions that use fewer come first: if one is too large, so is every production that uses
	// it.
	slices.SortStableFunc(left, compareUses)
	most := cmp.Or(max(c.options.Nesting, 0), DefaultNesting)
	for depth := 1; depth <= most; depth++ {
		if !c.compareAtDepth(left, defined, depth) {
			return
		}
	}
	for _, p := range left {
		switch {
		case c.hasHiddenNodes(p.Rule):
			p.refusal.Reason = "`" + p.Name + "` nests, has nodes and is none"
		case p.nesting > 0:
			p.code = true
			p.refusal = nil
		case p.nesting < 0:
			p.refusal.Reason += ", and one byte of lookahead does not decide all of its choices"
		default:
			p.refusal.Reason += ", and " + p.reason
		}
	}
}

// compareAtDepth compares the PEG and the grammar of each production that has passed the depth before, with recursion
// cut off at this depth. It sets nesting: the depth if they are equal, -1 if not; if an automaton is too large it
// leaves nesting as it is, and sets reason. Where they are equal at depth 1 it sets language. It returns false if no
// automata of the PEG can be made at all; then nothing is decided.
func (c *compiler) compareAtDepth(list []*production, defined *expr.Grammar, depth int) bool {
	// The productions are unrolled before the checks are considered: a check may name what
	// follows, but it uses nothing.
	text, nameAt := c.unrollRecursion(defined, depth)
	code, _ := c.unrollRecursion(c.checks, depth)
	limits := lang.Limits{NFA: 1 << 15, DFA: 1 << 12}
	languages, err := lang.NewPEG(code, limits)
	budget.Again(err)
	if err != nil {
		return false
	}
	large := map[string]bool{}
	for _, p := range list {
		if depth > 1 && p.nesting != depth-1 {
			continue
		}
		for id := range c.facts.Used(p.Expr) {
			large[p.ID] = large[p.ID] || large[id]
		}
		if large[p.ID] {
			p.reason = "what it uses cannot be decided"
			continue
		}
		want, err := languageWithin(text, nameAt(p.ID), limits)
		var got *lang.DFA
		if err == nil {
			got, err = languages.Whole(expr.To(nameAt(p.ID)))
		}
		if err != nil {
			large[p.ID] = true
			p.reason = "cut off at a depth of " + strconv.Itoa(depth) + " it is too large to be decided"
			if !errors.Is(err, lang.ErrTooLarge) {
				p.reason = err.Error()
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
	return true
}

// languageWithin returns the minimal automaton of a production of g. It fails as [lang.BuildNFA] does, and with
// [lang.ErrTooLarge] if a limit of l is passed.
func languageWithin(g *expr.Grammar, id string, l lang.Limits) (*lang.DFA, error) {
	n, err := lang.BuildNFA(g, id, lang.Options{Limits: l})
	if err != nil {
		return nil, err
	}
	return n.Determinize(l)
}

// DefaultNesting is the depth to which nesting recursion is proven by default.
const DefaultNesting = 2

// maxNests caps how many nesting productions contribute words to one production.
const maxNests = 32

// nestedWords returns words of p in which a production nests n deep, and damaged ones: cut off, and with a zero
// byte inside. The time of code that goes back inside recursion grows exponentially on them. They are sorted, each
// once. Of many productions that nest it takes maxNests. It returns none if nothing in p nests, or if no words
// around the uses are found.
func (c *compiler) nestedWords(p *production, n int) []string {
	if len(c.comp) == 0 { // saves Used, which takes time in a long chain of productions
		return nil
	}
	used := c.facts.Used(p.Expr)
	used[p.ID] = true
	// Without something after its use, a production uses itself at its end, and does not nest.
	nests := slices.DeleteFunc(slices.Clone(c.g.Rules), func(r *expr.Rule) bool {
		return !used[r.ID] || c.comp[r.ID] == nil || !c.comp[r.ID].Right
	})
	if len(nests) == 0 {
		return nil
	}
	least := c.leastWords()
	var all []string
	for i := 0; i < len(nests); i += len(nests)/maxNests + 1 { // at most maxNests, evenly spread
		r := nests[i]
		left, right, ok := c.contextIn(r.Expr, r.ID, map[string]bool{r.ID: true})
		if !ok {
			continue
		}
		outLeft, outRight, ok := c.contextInProduction(p, r)
		if !ok {
			continue
		}
		inner := strings.Repeat(left, n) + least.Words[r.ID] + strings.Repeat(right, n)
		w := outLeft + inner + outRight
		all = append(all, w)
		if len(w) > 1 {
			half := len(w) / 2
			all = append(all, w[:len(w)-1], w[:half], w[:half]+"\x00"+w[half:])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// countWords returns strings for the loops that count in p: for each repetition with high counts a
// string with as many iterations as it may have at least and at most, and with one less and one
// more. The last two need not be words of p. A repetition for which no words around it are found has none.
func (c *compiler) countWords(p *production) []string {
	var all []string
	for _, r := range c.g.Rules {
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if e.Op != expr.Repeat || max(e.Min, e.Max) < enoughForLoop {
				return true
			}
			// The name of no production stands for the repetition, so that its context can be
			// asked for.
			const hole = ""
			outLeft, outRight, used := c.contextInProduction(p, r)
			holed := r.Expr.With(e, expr.To(hole))
			left, right, ok := c.contextIn(holed, hole, map[string]bool{r.ID: true})
			w, derives := c.leastWords().Of(e.Sub[0])
			if !used || !ok || !derives {
				return true
			}
			for _, n := range []int{e.Min - 1, e.Min, e.Max, e.Max + 1} {
				if n < 0 { // no upper limit makes Max negative
					continue
				}
				around := len(outLeft) + len(left) + len(right) + len(outRight)
				c.Budget.Step(around + n*len(w))
				all = append(all, outLeft+left+strings.Repeat(w, n)+right+outRight)
			}
			return true
		})
	}
	return all
}

// contextInProduction returns strings that can stand left and right of r in a word of p, "" if r
// is p. ok is false if none are found: see contextIn.
func (c *compiler) contextInProduction(p *production, r *expr.Rule) (left, right string, ok bool) {
	if r.ID == p.ID {
		return "", "", true
	}
	return c.contextIn(p.Expr, r.ID, map[string]bool{p.ID: true})
}

// findLeastWords returns a short word of each production that derives any, with the middle byte of
// each class. It panics if a limit of the budget is passed.
func (c *compiler) findLeastWords() *expr.Short {
	middle := func(members []byte) byte { return members[len(members)/2] }
	return c.g.ShortWords(math.MaxInt, middle, func(w string) {
		c.Budget.Step(len(w))
		c.Budget.Room(64 * int64(len(w)))
	})
}

// contextIn returns short strings that stand left and right of the production id in a word of e. ok is false
// if e does not use id, or only through productions in seen, or if another part of e derives nothing. It adds
// all productions that it visits to seen.
func (c *compiler) contextIn(e *expr.Expr, id string, seen map[string]bool) (
	left, right string, ok bool,
) {
	least := c.leastWords()
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
		return c.contextIn(r.Expr, id, seen)
	case expr.Seq:
		for i, s := range e.Sub {
			left, right, ok := c.contextIn(s, id, seen)
			if !ok {
				continue
			}
			// The parts on both sides contribute their short words, from the inside out.
			for k := i - 1; k >= 0; k-- {
				w, derives := least.Of(e.Sub[k])
				left = w + left
				ok = ok && derives
			}
			for _, x := range e.Sub[i+1:] {
				w, derives := least.Of(x)
				right += w
				ok = ok && derives
			}
			if ok {
				return left, right, true
			}
		}
	case expr.Alt, expr.Repeat:
		for _, s := range e.Sub {
			left, right, ok := c.contextIn(s, id, seen)
			if !ok {
				continue
			}
			if e.Op == expr.Repeat && e.Min > 1 {
				w, _ := least.Of(s)
				right += strings.Repeat(w, e.Min-1)
			}
			return left, right, true
		}
	}
	return "", "", false
}
