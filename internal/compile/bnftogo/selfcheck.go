package bnftogo

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Before a parser is written, it is compared with the grammar on many words. A difference is a defect of this program. The user then
// gets a slower parser that passes: the general parser instead of tables, or the general parser without code inside.

// Strict turns a failed self-check into an error. Tests set it, so that no fallback hides a defect.
var Strict bool

// A DefectError is that no parser passed its check. It wraps an [*expr.Error].
type DefectError struct{ error }

// Unwrap returns the place and the message.
func (e *DefectError) Unwrap() error { return e.error }

// defect notes that a self-check failed, and what is done instead.
func (c *compiler) defect(p *production, wrong error, instead string) error {
	if Strict {
		return &DefectError{expr.Refusef(p.Pos, "the self-check of `%s` fails: %v", p.Name, wrong)}
	}
	c.Defects = append(c.Defects, fmt.Sprintf("`%s`: %v; %s", p.Name, wrong, instead))
	return nil
}

// A generalCheck holds what a general parser is compared with: a checker of trees that shares nothing with it and, if it has code
// inside, the general parser without.
type generalCheck struct {
	of      *ast.Grammar
	checker *ast.Checker
	alone   *ast.General // or nil
}

// generalWrong compares a general parser on the words of [compiler.checkWords]. It returns the number of trees, and the first
// difference or nil.
func (c *compiler) generalWrong(p *production, parser *ast.General, check generalCheck) (words int, wrong error) {
	limits := ast.GeneralLimits{Steps: mostChecked, Items: mostChecked}
	least, derives := c.least().Words[p.ID]
	kind := ast.Kind(p.kind)
	taken := 0
	for _, w := range c.checkWords(p) {
		if len(w) > 200 {
			continue
		}
		nodes, ok, steps := parser.Within(limits, nil, kind, w, true)
		if taken += steps; taken > mostChecked {
			if steps > mostChecked && check.alone != nil { // code inside that makes no nodes is as if there were no steps left
				if _, derived, steps := check.alone.Within(limits, nil, kind, w, true); derived && steps < mostChecked/8 {
					return words, fmt.Errorf("%s has no tree", quote.Word(w))
				}
			}
			break
		}
		_, accepted, _ := parser.Within(limits, nil, kind, w, false)
		if accepted != ok || !ok && derives && w == least {
			return words, fmt.Errorf("%s is accepted: %t; it has a tree: %t", quote.Word(w), accepted, ok)
		}
		if !ok {
			continue
		}
		if words++; words == 1 {
			c.Tried[p.ID] = nil
		}
		if len(c.Tried[p.ID]) < mostTried {
			c.Tried[p.ID] = append(c.Tried[p.ID], w)
		}
		if err := check.checker.Check(&ast.Tree{Grammar: check.of, Source: w, Nodes: nodes}); err != nil {
			return words, fmt.Errorf("the tree of %s: %w", quote.Word(w), err)
		}
		if check.alone == nil {
			continue
		}
		if want, ok, _ := check.alone.Within(limits, nil, kind, w, true); ok && !slices.Equal(nodes, want) {
			return words, fmt.Errorf("the tree of %s is not that which is chosen", quote.Word(w))
		}
	}
	return words, nil
}

const (
	mostChecked  = 1 << 20 // steps for the words of one production
	mostShortest = 24      // words of each production that are the shortest
	mostCovering = 64      // words that lead through its expression
	longestWord  = 60
	mostTried    = 16 // words in [Program.Tried]
)

// checkWords returns the words on which the general parser of p is checked: the shortest that p derives, in which what can be empty is
// empty and recursion is on each side; words that take every alternative and count of its expression; and words that nest.
func (c *compiler) checkWords(p *production) []string {
	words := slices.Concat(c.shortest()[p.ID], c.covering(p.Expr), c.deepWords(p, 3))
	if w, ok := c.least().Words[p.ID]; ok {
		words = append(words, w)
	}
	return normal(words, len(words))
}

// normal returns so many of some words, the shortest first, each once.
func normal(words []string, most int) []string {
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	words = slices.Compact(words)
	return words[:min(len(words), most)]
}

// shortestOfAll returns the shortest words of each production. It iterates to the least fixed point. Two bytes stand for a class.
func (c *compiler) shortestOfAll() map[string][]string {
	words := map[string][]string{}
	for grown := true; grown; {
		grown = false
		for _, r := range c.g.Rules {
			c.budget.Step(mostShortest)
			if list := c.shortestOf(r.Expr, words); !slices.Equal(list, words[r.ID]) {
				words[r.ID], grown = list, true
			}
		}
	}
	return words
}

// shortestOf returns the shortest words of e, where those of productions are known.
func (c *compiler) shortestOf(e *expr.Expr, known map[string][]string) (words []string) {
	switch e.Op {
	case expr.Empty:
		return []string{""}
	case expr.Class:
		if m := e.Set.Members(); len(m) > 0 {
			return slices.Compact([]string{string(m[len(m)/2 : len(m)/2+1]), string(m[len(m)-1:])})
		}
	case expr.Literal:
		return []string{e.Lit}
	case expr.Ref:
		return known[e.Name]
	case expr.Alt:
		for _, s := range e.Sub {
			words = append(words, c.shortestOf(s, known)...)
		}
		return normal(words, mostShortest)
	case expr.Seq:
		words = []string{""}
		for _, s := range e.Sub {
			words = joined(words, c.shortestOf(s, known))
		}
	case expr.Repeat:
		once := c.shortestOf(e.Sub[0], known)
		words = []string{""}
		for range min(e.Min, longestWord) {
			words = joined(words, once)
		}
		const more = 4 // iterations beyond the least
		longer := words
		for n := e.Min; n < e.Min+more && (e.Max == expr.Unbounded || n < e.Max); n++ {
			longer = joined(longer, once)
			words = slices.Concat(words, longer)
		}
		return normal(words, mostShortest)
	}
	return words
}

// joined returns the shortest concatenations. The i-th and the j-th word make one of the shortest only if (i+1)(j+1) is small, since
// all pairs before them are no longer.
func joined(begin, end []string) (words []string) {
	for i, a := range begin {
		for j, b := range end {
			if (i+1)*(j+1) > mostShortest {
				break
			}
			if len(a)+len(b) <= longestWord {
				words = append(words, a+b)
			}
		}
	}
	return normal(words, mostShortest)
}

// covering returns words that take every alternative of e, and each repetition zero times, once and twice. Productions that e uses
// contribute their shortest words.
func (c *compiler) covering(e *expr.Expr) (words []string) {
	least := func(e *expr.Expr) string { w, _ := c.least().Of(e); return w }
	switch e.Op {
	case expr.Alt:
		for _, s := range e.Sub {
			if c.facts.Derives(s) {
				words = append(words, c.covering(s)...)
			}
		}
	case expr.Seq:
		if !c.facts.Derives(e) {
			return nil
		}
		for i, s := range e.Sub {
			left, right := "", ""
			for k, o := range e.Sub {
				if k < i {
					left += least(o)
				} else if k > i {
					right += least(o)
				}
			}
			for _, w := range c.covering(s) {
				words = append(words, left+w+right)
			}
		}
	case expr.Repeat:
		once := c.covering(e.Sub[0])
		if e.Min == 0 {
			words = []string{""}
		}
		if e.Min > 1 || e.Max == 0 || len(once) == 0 {
			return append(words, least(e))
		}
		words = append(words, once...)
		if e.Max != 1 {
			words = append(words, once[0]+once[len(once)-1], once[len(once)-1]+once[0])
		}
	case expr.Ref:
		list := c.shortest()[e.Name]
		return slices.Clone(list[:min(len(list), 4)])
	default:
		return slices.Clone(c.shortestOf(e, nil))
	}
	return words[:min(len(words), mostCovering)]
}
