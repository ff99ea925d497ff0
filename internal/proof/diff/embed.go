package diff

import (
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An embedder finds words that tell two productions apart, and puts them into strings of the
// start.
//
// A context of a production is a pair of strings, so that the start derives the one, the
// production, and the other. The contexts come from the grammar in the order of their length, as
// Dijkstra's algorithm finds them: what stands beside a use in an expression is a short word of
// it. Of each production the first few are kept, as some of them may hide a difference: a longer
// token where the other side has two.
type embedder struct {
	induction *Induction
	grammars  [2]*expr.Grammar // with the budget for questions to the general parser
	starts    [2]string
	text      bool // only UTF-8 is compared

	short    [2]*expr.Short
	contexts [2]map[string][]expr.Context
	parsers  map[asked]*interpreter.Deriver
}

// An asked names a production of a side that a parser was made for.
type asked struct {
	side int
	id   string
}

// Limits of the search for contexts.
const (
	longestShort    = 256  // bytes of a short word
	mostContexts    = 12   // of one production
	longestContexts = 4096 // bytes of a context
)

// newEmbedder returns an embedder for the productions of n. The grammars have the budgets for its questions; it finds
// their short words at once. text says that only UTF-8 is compared.
func newEmbedder(n *Induction, grammars [2]*expr.Grammar, starts [2]string, text bool) *embedder {
	e := &embedder{
		induction: n, grammars: grammars, starts: starts, text: text, parsers: map[asked]*interpreter.Deriver{},
	}
	for side, g := range grammars {
		e.short[side] = g.ShortWords(longestShort, lang.MostReadable, func(w string) { g.Budget.Step(4 + len(w)/8) })
	}
	return e
}

// difference compares the language of production id of side A, whose definition differs from its counterpart's, with
// that of the counterpart. differs is false if they are equal. words are some that only one side derives, by side;
// local.Word is the first of all, in the order of lang.Compare. local.A and local.B are not set. differs is also true,
// with no words, if it is not known whether the languages are equal.
func (e *embedder) difference(id string) (local LocalDifference, words [2][]string, differs bool) {
	n := e.induction
	local.rules = [2]*expr.Rule{n.a.Rule(id), n.b.Rule(n.to[id])}
	local.Production = local.rules[0].Label()
	// First by the automata, if there are any: they find equality, and the shortest words.
	if only, has, ok := n.compareLanguages(id); ok {
		if !has[0] && !has[1] {
			return local, words, false
		}
		for side := range words {
			if has[side] {
				words[side] = append(words[side], only[side])
			}
		}
	}
	// Then by the definitions, with other productions as letters. Such a word has to be confirmed by the parsers.
	for _, keep := range n.lettersFor(id) {
		l := n.withLetters(id, keep)
		for side := 0; l != nil && side < len(words); side++ {
			short := func(id string) (string, bool) {
				w, ok := e.short[side].Words[e.idOf(side, id)]
				return w, ok
			}
			w, ok := l.word(side, short)
			if ok && e.derives(side, e.idOf(side, id), w) == 1 && e.derives(1-side, e.idOf(1-side, id), w) == 0 {
				words[side] = append(words[side], w)
			}
		}
	}
	for side, region := range []Region{OnlyA, OnlyB} {
		for _, w := range words[side] {
			if local.Word == nil || lang.Compare(w, string(*local.Word)) < 0 {
				local.Word, local.Region = new(quote.Word(w)), region
			}
		}
	}
	return local, words, true
}

// idOf returns the ID of a production of side A on a side.
func (e *embedder) idOf(side int, id string) string {
	if side == 1 {
		return e.induction.to[id]
	}
	return id
}

// findEmbedded looks for a string that exactly one of the starts derives, with one of the words inside it. words has,
// by side, words that only this side of production id derives. It returns the shortest that it finds with its region,
// of several the first, beginning with side A; "" and nil if it finds none, or the questions pass a limit.
func (e *embedder) findEmbedded(id string, words [2][]string) (Region, *quote.Word) {
	var best *quote.Word
	var region Region
	for side, list := range words {
		if len(list) == 0 {
			continue
		}
		for _, c := range e.contextsOf(side, e.idOf(side, id)) {
			for _, w := range list {
				whole := c.Put(w)
				if best != nil && len(whole) >= len(*best) || e.text && !utf8.ValidString(whole) {
					continue
				}
				if e.derives(side, e.starts[side], whole) == 1 && e.derives(1-side, e.starts[1-side], whole) == 0 {
					best, region = new(quote.Word(whole)), []Region{OnlyA, OnlyB}[side]
				}
			}
		}
	}
	return region, best
}

// derives returns 1 if a production of a side derives w, 0 if not, and -1 if that cannot be decided within the
// budget.
func (e *embedder) derives(side int, id, w string) (answer int) {
	answer = -1
	defer giveUpOverBudget()
	d := expr.Memo(e.parsers, asked{side, id}, func() *interpreter.Deriver {
		d, err := interpreter.New(e.grammars[side], id, func(string) bool { return false })
		if err != nil {
			return nil
		}
		return d
	})
	if d == nil {
		return -1
	}
	yes, err := d.Accepts(w)
	switch {
	case err != nil:
		return -1
	case yes:
		return 1
	}
	return 0
}

// contextsOf returns short contexts of a production of a side, at most mostContexts, the shortest first; none if the
// budget does not suffice.
func (e *embedder) contextsOf(side int, id string) []expr.Context {
	if e.contexts[side] == nil {
		e.contexts[side] = map[string][]expr.Context{}
		func() {
			defer giveUpOverBudget()
			g := e.grammars[side]
			e.contexts[side] = g.Contexts(e.starts[side], e.short[side], mostContexts, longestContexts, g.Budget.Step)
		}()
	}
	return e.contexts[side][id]
}
