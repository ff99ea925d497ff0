package bnftogo

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Before a parser is written, it is compared with the grammar on many words. A difference is a
// defect of this program. The user then gets a slower parser that passes: the general parser
// instead of tables, or the general parser without code inside.
//
// This file has what the two checks share, the check of the general parser, and its words. That
// check is a test and no proof: it tries the shortest words, words that take every alternative,
// and words that nest. Each tree is checked to be a derivation by [ast.Checker], which shares no
// code with the parser. That it is the preferred one is checked against a general parser without
// code inside.

// Strict turns a failed self-check into an error. Tests set it, so that no fallback hides a
// defect.
var Strict bool

// A DefectError reports that no parser passed its check. It wraps an [*expr.Error].
type DefectError struct{ error }

// Unwrap returns the place and the message.
func (e *DefectError) Unwrap() error { return e.error }

// recordDefect records in c.Defects that the self-check of p failed, and what is done instead. If [Strict] is
// set, it records nothing and returns a [*DefectError].
func (c *compiler) recordDefect(p *production, wrong error, instead string) error {
	if Strict {
		const format = "the self-check of `%s` fails: %v"
		return &DefectError{expr.Refusef(p.Pos, format, p.Name, wrong)}
	}
	c.Defects = append(c.Defects, fmt.Sprintf("`%s`: %v; %s", p.Name, wrong, instead))
	return nil
}

// A generalCheck has the things that a general parser is compared with.
type generalCheck struct {
	grammar *ast.Grammar
	checker *ast.Checker
	alone   *ast.General // the parser without code inside; it is run without guides
}

// Limits on the check of the general parser for one production.
const (
	maxCheckSteps    = 1 << 20 // for all words together
	maxCheckMemory   = 20 << 20
	maxWordLength    = 200 // of words that are parsed
	maxShortest      = 24  // words of each production that are the shortest
	maxCovering      = 64  // words that lead through its expression
	maxJoinedLength  = 60  // of words that are put together
	maxTried         = 16  // words in [Program.Tried]
	maxRefCovering   = 4   // words that stand for a production in those of another
	maxMoreThanLeast = 4   // iterations beyond the least number
)

// checkGeneral compares parser with check on the words of [compiler.checkWords] up to maxWordLength. It returns the
// number of words that have a tree, and how the first wrong word is wrong; nil if none is. It stops, without an error,
// when the words have taken maxCheckSteps, or one has passed a limit. But if the parser without code needs few steps
// for that word, the word is wrong: code inside has made no nodes. checkGeneral sets c.Tried for p to the first words
// that have trees; if none has, it leaves c.Tried as it is.
func (c *compiler) checkGeneral(p *production, parser *ast.General, check generalCheck) (
	words int, wrong error,
) {
	// derive returns the nodes of a word, and the limit that stopped the parser.
	derive := func(parser *ast.General, w string, tree bool) ([]ast.Raw, bool, ast.Run) {
		run := ast.Run{
			Limits:   ast.Limits{Steps: maxCheckSteps, Memory: maxCheckMemory},
			Unguided: parser == check.alone,
		}
		nodes, ok := parser.Within(&run, nil, p.kind, w, tree)
		return nodes, ok, run
	}
	least, derives := c.leastWords().Words[p.ID]
	taken := 0
	for _, w := range c.checkWords(p) {
		if len(w) > maxWordLength {
			continue
		}
		nodes, ok, run := derive(parser, w, true)
		taken += run.Taken
		if run.Stopped != 0 || taken > maxCheckSteps {
			// Code inside that makes no nodes looks as if a limit was passed. It is told apart by
			// the parser without code, if that needs few steps for the same word.
			if run.Stopped != 0 {
				_, derived, run := derive(check.alone, w, true)
				if derived && run.Taken < maxCheckSteps/8 {
					return words, fmt.Errorf("%s has no tree", quote.Word(w))
				}
			}
			break
		}
		_, accepted, _ := derive(parser, w, false)
		// Of the words only least is known to be derived.
		leastRejected := !ok && derives && w == least
		if accepted != ok || leastRejected {
			return words, fmt.Errorf("%s is accepted: %t; it has a tree: %t", quote.Word(w), accepted, ok)
		}
		if !ok {
			continue
		}
		words++
		if words == 1 {
			c.Tried[p.ID] = nil // drops the words of an attempt with code inside
		}
		if len(c.Tried[p.ID]) < maxTried {
			c.Tried[p.ID] = append(c.Tried[p.ID], w)
		}
		tree := &ast.Tree{Grammar: check.grammar, Source: w, Nodes: nodes}
		if err := check.checker.Check(tree); err != nil {
			return words, fmt.Errorf("the tree of %s: %w", quote.Word(w), err)
		}
		want, ok, _ := derive(check.alone, w, true)
		if ok && !slices.Equal(nodes, want) {
			return words, fmt.Errorf("the tree of %s is not that which is chosen", quote.Word(w))
		}
	}
	return words, nil
}

// checkWords returns the words on which the general parser of p is checked, the shortest first. These are the
// shortest words of p, in which recursion stands on each side and optional parts are missing; words that take
// every alternative and count of its expression; and words that nest, some of them damaged, so that they need
// not be derived.
func (c *compiler) checkWords(p *production) []string {
	words := slices.Concat(c.shortestWords()[p.ID], c.coveringWords(p.Expr), c.nestedWords(p, 3))
	if w, ok := c.leastWords().Words[p.ID]; ok {
		words = append(words, w)
	}
	return firstShortest(words, len(words))
}

// firstShortest returns the shortest of the words, sorted and distinct, at most most of them. The slice is
// changed.
func firstShortest(words []string, most int) []string {
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	words = slices.Compact(words)
	return words[:min(len(words), most)]
}

// findShortestWords returns the shortest words of each production, at most maxShortest: the least fixed point of
// [compiler.shortestOf], by iteration from no words.
func (c *compiler) findShortestWords() map[string][]string {
	words := map[string][]string{}
	for grown := true; grown; {
		grown = false
		for _, r := range c.g.Rules {
			c.Budget.Step(maxShortest)
			list := c.shortestOf(r.Expr, words)
			if !slices.Equal(list, words[r.ID]) {
				words[r.ID] = list
				grown = true
			}
		}
	}
	return words
}

// shortestOf returns some of the shortest words of e, at most maxShortest and sorted by length, where known has those
// of each production. A class is represented by two bytes: the middle and the last. Words put together are at most
// maxJoinedLength long: a sequence or repetition whose words are all longer has none. The result may share memory with
// known.
func (c *compiler) shortestOf(e *expr.Expr, known map[string][]string) (words []string) {
	switch e.Op {
	case expr.Empty:
		return []string{""}
	case expr.Class:
		if m := e.Set.Members(); len(m) > 0 {
			middle, last := len(m)/2, len(m)-1
			return slices.Compact([]string{string(m[middle : middle+1]), string(m[last:])})
		}
	case expr.Literal:
		return []string{e.Lit}
	case expr.Ref:
		return known[e.Name]
	case expr.Alt:
		for _, s := range e.Sub {
			words = append(words, c.shortestOf(s, known)...)
		}
		return firstShortest(words, maxShortest)
	case expr.Seq:
		words = []string{""}
		for _, s := range e.Sub {
			words = joinShortest(words, c.shortestOf(s, known))
		}
	case expr.Repeat:
		// Beyond maxJoinedLength iterations no word would be kept, unless all are empty.
		once := c.shortestOf(e.Sub[0], known)
		words = []string{""}
		for range min(e.Min, maxJoinedLength) {
			words = joinShortest(words, once)
		}
		most := e.Min + maxMoreThanLeast
		if e.Max != expr.Unbounded {
			most = min(most, e.Max)
		}
		longer := words
		for n := e.Min; n < most; n++ {
			longer = joinShortest(longer, once)
			words = slices.Concat(words, longer)
		}
		return firstShortest(words, maxShortest)
	}
	return words
}

// joinShortest returns the maxShortest shortest concatenations of a word of begin and one of end, which are both
// sorted by length; none is longer than maxJoinedLength. The i-th and the j-th word make one of the n shortest only if
// (i+1)(j+1) <= n, since all pairs of words before them are no longer.
func joinShortest(begin, end []string) (words []string) {
	for i, a := range begin {
		for j, b := range end {
			if (i+1)*(j+1) > maxShortest {
				break
			}
			if len(a)+len(b) <= maxJoinedLength {
				words = append(words, a+b)
			}
		}
	}
	return firstShortest(words, maxShortest)
}

// coveringWords returns words of e, at most maxCovering and in no order. As far as these suffice, they take every
// alternative that derives something, and each repetition as often as it allows of zero times, once and twice. A
// repetition of at least two iterations contributes one short word alone. Productions that e uses contribute up to
// maxRefCovering of their shortest words. There are none if e derives nothing, and there may be none if its words
// are long.
func (c *compiler) coveringWords(e *expr.Expr) (words []string) {
	switch e.Op {
	case expr.Alt:
		for _, s := range e.Sub {
			if c.facts.Derives(s) {
				words = append(words, c.coveringWords(s)...)
			}
		}
	case expr.Seq:
		if !c.facts.Derives(e) {
			return nil
		}
		// One part after the other is covered, with short words for the others, until there are enough.
		for part, context := range c.leastWords().Parts(e, expr.Context{}) {
			for _, w := range c.coveringWords(part) {
				words = append(words, context.Put(w))
			}
			if len(words) >= maxCovering {
				break
			}
		}
	case expr.Repeat:
		if !c.facts.Derives(e) {
			return nil
		}
		once := c.coveringWords(e.Sub[0])
		if e.Min == 0 {
			words = []string{""}
		}
		if e.Min > 1 || e.Max == 0 || len(once) == 0 {
			w, _ := c.leastWords().Of(e)
			return append(words, w)
		}
		words = append(words, once...)
		if e.Max != 1 {
			first, last := once[0], once[len(once)-1]
			words = append(words, first+last, last+first)
		}
	case expr.Ref:
		list := c.shortestWords()[e.Name]
		return slices.Clone(list[:min(len(list), maxRefCovering)])
	default:
		return slices.Clone(c.shortestOf(e, nil))
	}
	return words[:min(len(words), maxCovering)]
}
