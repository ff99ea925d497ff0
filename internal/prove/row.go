package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// A row is a production at work.
type row struct {
	Row
	bnf, peg *expr.Rule

	words *lang.DFA // what the rule matches
	runs  *runs
	maker
	derived   *lang.DFA // the bracketed words of the BNF
	ambiguous *lang.DFA // the words with several derivations; nil if there are none

	hidden    []Hidden
	ambiguity *Ambiguity
	faults    []Fault
	notes     []string
}

func (r *row) fault(k Kind, w *octets.Word, format string, args ...any) {
	r.faults = append(r.faults, Fault{Production: r.Production, Kind: k, Place: r.RulePlace, Message: fmt.Sprintf(format, args...), Word: w})
}

// failed records an error of an analysis that the trees need. Of a pair without trees nothing rests on it.
func (r *row) failed(p *proof, err error) {
	if p.pair.Ledger != nil {
		r.fault(failure(err), nil, "%v", err)
		return
	}
	note := fmt.Sprintf("%s: %s: which alternatives are hidden, and what is ambiguous, could not be found out: %v", r.RulePlace, r.Production, err)
	if !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}

// languages compares what the rule matches with what the production derives.
func (r *row) languages(p *proof) {
	r.Mark = string(compareText(r.bnf.Expr, r.peg.Expr))
	r.Node = p.pair.Ledger != nil && p.nodes[r.Production]
	words := p.words[r.Production]
	if err := p.failed[r.Production]; err != nil {
		because := ""
		if failure(err) == Limit {
			because = tooLargeBecause(p.pair.BNF, r.Production, func(id string) bool { return p.failed[id] != nil })
		}
		r.fault(failure(err), nil, "%v%s", err, because)
		r.faults[len(r.faults)-1].Place = r.Place
	}
	if r.words == nil || words == nil {
		return
	}
	r.BNFStates, r.PEGStates, r.Classes = words.States(), r.words.States(), words.Classes()
	var err error
	if r.runs, err = p.runs(r.Production, runOptions{nodes: p.hasTree(r)}); err != nil {
		r.failed(p, err)
	}
	if r.Equal = r.words.Equal(words); r.Equal {
		return
	}
	if w, ok := words.Minus(r.words).Shortest(); ok {
		r.BNFOnly = new(octets.Word(w))
		r.fault(Language, r.BNFOnly, "the production derives %s, and the rule does not match it%s", *r.BNFOnly, p.blame(r, w))
	}
	if w, ok := r.words.Minus(words).Shortest(); ok {
		r.PEGOnly = new(octets.Word(w))
		r.fault(Language, r.PEGOnly, "the rule matches %s, and the production does not derive it", *r.PEGOnly)
	}
}

// runs returns the runs of a rule.
func (p *proof) runs(id string, how runOptions) (*runs, error) {
	for _, id := range p.pair.PEG.Reach(id) {
		if err := p.lookaheads.failed[id]; err != nil {
			return nil, fmt.Errorf("rule %q: %w", id, err)
		}
	}
	return newRuns(p.pair.PEG, p.lookaheads, expr.To(id), how, p.limits)
}

// hasTree reports whether the trees of a rule are a matter of the proof. Those of a rule that calls itself, or one that does,
// are not flat, and wrong already.
func (p *proof) hasTree(r *row) bool {
	if p.pair.Ledger == nil {
		return false
	}
	if p.recursive[r.Production] {
		r.fault(TreeFault, nil, "the rule calls itself, so that its nodes stand in one another")
	}
	return !slices.ContainsFunc(p.pair.PEG.Reach(r.Production), func(id string) bool { return p.recursive[id] })
}

// blame returns the choice that loses w, if it is one.
func (p *proof) blame(r *row, w string) string {
	all, err := p.runs(r.Production, runOptions{relaxed: func(option) bool { return true }})
	if err != nil {
		return ""
	}
	dev, ok := all.deviations(w)
	if !ok || len(dev) == 0 {
		return ""
	}
	d := dev[0]
	return fmt.Sprintf(": at offset %d %s hides %s in %s (%s)", d.offset, d.instead.name(), d.name(), p.ruleOf[d.e], d.e.Pos)
}

// bracketed compares what the rule makes with the production's derivations, and finds what is ambiguous and what is
// hidden.
func (r *row) bracketed(p *proof) {
	if r.runs == nil {
		return
	}
	if err := r.findHidden(p); err != nil {
		r.failed(p, err)
	}
	inner := r.peg.Expr
	if inner.Op == expr.Node {
		inner = inner.Sub[0]
	}
	err := func() (err error) {
		kinds := childKinds(r.bnf.Expr, func(id string) bool { return p.nodes[id] })
		r.brackets, err = newBrackets(p.alphabet, append(kinds, madeKinds(p.pair.PEG, inner)...)...)
		if err != nil {
			return err
		}
		node := func(id string) bool { return p.nodes[id] }
		words := func(id string) *lang.DFA {
			if w := p.words[id]; w != nil {
				return w
			}
			return lang.Empty()
		}
		if r.derived, err = r.brackets.derived(r.bnf, node, words, p.limits); err != nil {
			return err
		}
		if r.runs.how.nodes {
			r.made, err = r.brackets.made(r.runs, r.peg, p.limits)
		}
		return err
	}()
	if err == nil {
		err = r.findAmbiguity(p)
	}
	if err != nil {
		r.failed(p, err)
	}
}

// trees proves that the rule makes the trees that it should.
func (r *row) trees(p *proof) {
	if p.pair.Ledger == nil || r.made == nil || !r.Equal || len(r.faults) > 0 {
		return
	}
	show := func(w string) string {
		if made := r.derivations(r.made, w, 1); len(made) == 1 {
			return made[0].show(w, p.name)
		}
		return w
	}
	r.Tree = Refuted
	err := func() error {
		if wrong := r.made.Minus(r.derived); !wrong.IsEmpty() {
			words, err := r.plain(wrong, p.limits)
			if err != nil {
				return err
			}
			w, _ := words.Shortest()
			r.fault(TreeFault, new(octets.Word(w)), "the tree of %s is no derivation: %s", octets.Word(w), show(w))
			return nil
		}
		if r.ambiguous != nil {
			wrong, err := r.notChosen(r.made, r.derived, p.choose[r.Production], p.limits)
			if err != nil {
				return err
			}
			if wrong != nil {
				w, _ := wrong.Shortest()
				best := chosen(r.derivations(r.derived, w, maxDerivations), p.choose[r.Production])
				var want []string
				for _, d := range best {
					want = append(want, d.show(w, p.name))
				}
				r.fault(TreeFault, new(octets.Word(w)), "the tree of %s shows %s, and %s leaves %s",
					octets.Word(w), show(w), strings.Join(p.settled[r.Production], " with "), strings.Join(want, " and "))
				return nil
			}
			r.ambiguity.Chosen = true
			r.ambiguity.Shown = show(string(r.ambiguity.Word))
		}
		wrong, err := madeOtherwise(r.runs, r.peg.Expr.Op == expr.Node, p.makers, p.limits)
		if err != nil {
			return err
		}
		if wrong != nil {
			w, _ := wrong.Shortest()
			r.fault(TreeFault, new(octets.Word(w)), "in the tree of %s there is a node that its production does not make of the same text as a start", octets.Word(w))
			return nil
		}
		r.Tree = Proven
		return nil
	}()
	if err != nil {
		r.Tree = Open
		r.failed(p, err)
	}
}
