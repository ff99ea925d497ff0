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
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Sample counts what a parser was given, over all productions.
type Sample struct {
	Parser string `json:"parser"`
	Words  int    `json:"words"` // strings, accepted or not
	Trees  int    `json:"trees"` // trees that were compared with the BNF
	Wrong  int    `json:"wrong"` // verdicts and trees that are not as they should be
}

// sample runs the parsers. A proof about the PEG does not cover a mistake in the generator of a parser.
func (p *proof) sample() {
	p.samples = make([]Sample, len(p.pair.Parsers))
	for i, parser := range p.pair.Parsers {
		p.samples[i].Parser = parser.Name
	}
	var lock sync.Mutex
	each(len(p.rows), func(i int) {
		r := p.rows[i]
		words := p.sampleWords(r)
		for i, parser := range p.pair.Parsers {
			s := r.try(p, parser, words)
			lock.Lock()
			p.samples[i].Words += s.Words
			p.samples[i].Trees += s.Trees
			p.samples[i].Wrong += s.Wrong
			lock.Unlock()
		}
	})
}

// sampleWords returns strings that are worth trying: those that take every transition of the production's automaton, all
// short ones over its classes of bytes, ambiguous ones, and random ones.
func (p *proof) sampleWords(r *row) []string {
	words := p.words[r.Production]
	if words == nil || len(p.pair.Parsers) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(1630, 1738))
	all := words.TransitionCover()
	all = append(all, shortWords(words, 200)...)
	all = append(all, randomWords(rng, words, 40, 40)...)
	all = thin(distinct(all), p.opts.Words)
	if r.ambiguous != nil { // not to be thinned out: here the trees can go wrong
		all = append(all, thin(r.ambiguous.TransitionCover(), p.opts.Words)...)
		all = append(all, randomWords(rng, r.ambiguous, 40, 40)...)
	}
	return distinct(all)
}

func distinct(words []string) []string {
	slices.SortFunc(words, lang.Compare)
	return slices.Compact(words)
}

// thin leaves at most max of the words, or [DefaultWords] for 0, at equal distances.
func thin(words []string, max int) []string {
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

// shortWords returns all words over one byte of each class of a, accepted or not, up to the length at which they become more
// than max.
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

// randomWords draws n words of lengths up to max.
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

// try returns words to a parser. Of what is wrong the first is reported.
func (r *row) try(p *proof, parser catalog.Parser, words []string) (s Sample) {
	wrong := func(w string, format string, args ...any) {
		if s.Wrong++; s.Wrong == 1 {
			r.fault(TreeFault, new(quote.Word(w)), "%s, given %s: %s", parser.Name, quote.Word(w), fmt.Sprintf(format, args...))
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

// wrongInTree compares a tree with the BNF and the ledger, and returns what is wrong with it, or "".
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
		bracketed, ok := r.word(text, children)
		if !ok || !r.derived.Match(bracketed) {
			return fmt.Sprintf("%s does not derive %s", n.ID(), children.show(text, p.name))
		}
		if r.ambiguous == nil || !r.ambiguous.Match(text) {
			continue
		}
		all := r.derivations(r.derived, text, maxDerivations)
		if len(all) == maxDerivations { // too many to list; that it is the one the rule makes is proven to be enough
			if r.Tree == Proven && !r.made.Match(bracketed) {
				return fmt.Sprintf("%s shows %s, which is not the derivation that is chosen", n.ID(), children.show(text, p.name))
			}
			continue
		}
		if best := chosen(all, p.choose[n.ID()]); len(best) != 1 || !slices.Equal(best[0], children) {
			return fmt.Sprintf("%s shows %s, which is not the derivation that is chosen", n.ID(), children.show(text, p.name))
		}
	}
	return ""
}
