package prove

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/treecheck"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Sample counts the strings and trees that a parser was tried with, over all productions.
type Sample struct {
	Parser string `json:"parser"`
	Words  int    `json:"words"` // strings, accepted or not
	Trees  int    `json:"trees"` // trees that were compared with the BNF
	Wrong  int    `json:"wrong"` // wrong verdicts and wrong trees
}

// runParsers gives sample strings of each production to each parser of the pair, several at the same time. It sets
// p.samples, and adds a fault to a row for each parser that is wrong there. A proof about the PEG does not cover a
// mistake in the program that made a parser of it.
func (p *proof) runParsers() {
	p.samples = make([]Sample, len(p.pair.Parsers))
	for i, parser := range p.pair.Parsers {
		p.samples[i].Parser = parser.Name
	}
	var lock sync.Mutex
	budget.InParallel(len(p.rows), func(i int) {
		r := p.rows[i]
		words := p.sampleWords(r)
		for i, parser := range p.pair.Parsers {
			s := r.tryParser(p, parser, words)
			lock.Lock()
			p.samples[i].Words += s.Words
			p.samples[i].Trees += s.Trees
			p.samples[i].Wrong += s.Wrong
			lock.Unlock()
		}
	})
}

// sampleWords returns strings to try parsers on, sorted, each once. A transition cover of the production's
// automaton, up to 200 short words, accepted or not, and 40 random words from a fixed seed are thinned out to
// Options.Words. If r is ambiguous, a transition cover of its ambiguous words, thinned out by itself, and 40 random
// ones are added. The result is empty if the automaton was not made or the pair has no parsers.
func (p *proof) sampleWords(r *row) []string {
	words := p.words[r.Production]
	if words == nil || len(p.pair.Parsers) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(1630, 1738))
	all := words.TransitionCover()
	all = append(all, shortWords(words, 200)...)
	all = append(all, randomWords(rng, words, 40, 40)...)
	all = thinOut(distinct(all), p.opts.Words)
	if r.ambiguous != nil { // thinned out apart from the others: here the trees can go wrong
		all = append(all, thinOut(r.ambiguous.TransitionCover(), p.opts.Words)...)
		all = append(all, randomWords(rng, r.ambiguous, 40, 40)...)
	}
	return distinct(all)
}

// distinct sorts words, in place, and returns them without duplicates.
func distinct(words []string) []string {
	slices.SortFunc(words, lang.Compare)
	return slices.Compact(words)
}

// thinOut returns at most max of the words, evenly spaced; [DefaultWords] if max is 0, all if it is
// negative.
func thinOut(words []string, max int) []string {
	max = cmp.Or(max, DefaultWords)
	if max < 0 || len(words) <= max {
		return words
	}
	out := make([]string, max)
	for i := range out {
		out[i] = words[i*len(words)/max]
	}
	return out
}

// shortWords returns all words over one byte of each class of a, accepted or not, in the order of their
// lengths. It stops before the length that would make them more than max. It always has the empty word.
func shortWords(a *lang.DFA, max int) []string {
	out := []string{""}
	for from := 0; ; {
		to := len(out)
		if (to-from)*a.Classes() > max-len(out) {
			return out
		}
		for _, w := range out[from:to] {
			for c := range a.Classes() {
				out = append(out, w+string([]byte{a.Readable(c)}))
			}
		}
		from = to
	}
}

// randomWords draws n times a length up to max and an accepted word of it. There are fewer than n words if some
// lengths have none.
func randomWords(rng *rand.Rand, a *lang.DFA, n, max int) []string {
	s := a.Sampler(max)
	var out []string
	for range n {
		if w, ok := s.Sample(rng, rng.IntN(max+1)); ok {
			out = append(out, w)
		}
	}
	return out
}

// tryParser gives words to a parser and counts the results. The first wrong verdict or tree becomes a fault of r, of
// kind TreeFault; the others are only counted. If there are words, p.words must have the automaton of the production.
func (r *row) tryParser(p *proof, parser catalog.Parser, words []string) (s Sample) {
	wrong := func(w string, format string, args ...any) {
		if s.Wrong++; s.Wrong == 1 {
			r.addFault(TreeFault, new(quote.Word(w)), "%s, given %s: %s", parser.Name, quote.Word(w),
				fmt.Sprintf(format, args...))
		}
	}
	for _, w := range words {
		s.Words++
		tree, err := parser.Parse(r.Production, w)
		switch want := p.words[r.Production].Match(w); {
		case want && err != nil:
			wrong(w, "rejected (%v), though it is derived", err)
		case !want && err == nil:
			wrong(w, "accepted, though it is not derived")
		case want:
			s.Trees++
			if what := p.wrongInTree(r.Production, tree); what != "" {
				wrong(w, "%s", what)
			}
		}
	}
	return s
}

// wrongInTree returns the first mistake in a parser's tree for a string that start derives, or "". It checks whether
// the spans nest, whether the root is start, whether each node is a derivation of the BNF, and whether it is the one
// that the ledger chooses; the pair must have one. If a text has maxDerivations derivations or more, the node is held
// against what the rule makes instead, provided that its trees are proven. Nodes whose bracketed words are not known
// are passed over.
func (p *proof) wrongInTree(start string, tree *ast.Tree) string {
	if err := treecheck.Tree(tree); err != nil {
		return err.Error()
	}
	if id := tree.Root().ID(); id != start {
		return fmt.Sprintf("the root is %s", id)
	}
	for _, n := range tree.Root().All() {
		r := p.byID[n.ID()]
		if r == nil || r.derived == nil {
			continue
		}
		text := n.Text()
		var children derivation
		for c := range n.Children() {
			children = append(children, span{c.ID(), c.Start() - n.Start(), c.End() - n.Start()})
		}
		if !p.words[n.ID()].Match(text) {
			return fmt.Sprintf("%s does not derive its text %s", n.ID(), quote.Word(text))
		}
		bracketed, ok := r.bracketWord(text, children)
		if !ok || !r.derived.Match(bracketed) {
			return fmt.Sprintf("%s does not derive %s", n.ID(), children.show(text, p.nameInText))
		}
		if r.ambiguous == nil || !r.ambiguous.Match(text) {
			continue
		}
		all := r.listDerivations(r.derived, text, maxDerivations)
		// Too many to list; the proof has shown that the tree is the one that the rule makes.
		if len(all) == maxDerivations {
			if r.Tree == Proven && !r.made.Match(bracketed) {
				return fmt.Sprintf("%s shows %s, which is not the derivation that is chosen", n.ID(),
					children.show(text, p.nameInText))
			}
			continue
		}
		if best := applyClauses(all, p.choose[n.ID()]); len(best) != 1 || !slices.Equal(best[0], children) {
			return fmt.Sprintf("%s shows %s, which is not the derivation that is chosen", n.ID(),
				children.show(text, p.nameInText))
		}
	}
	return ""
}
