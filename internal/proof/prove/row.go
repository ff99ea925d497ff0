package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A row is a production at work.
type row struct {
	Row
	bnf, peg *expr.Rule

	known                    bool // what is derived and what is matched
	derivedLanguage, matched lang.Language
	matchedDeeper            lang.Language // on which the rule comes deeper than it is read
	bnfOnly, pegOnly         witness

	because []string // the wrong rules that it uses, if it is wrong because of them
	root    []string // and the causes that lead to it
	cause   *Cause

	words *lang.DFA // what the rule matches; nil if it is not looked at further
	runs  *runs
	maker
	derived   *lang.DFA // the bracketed words of the BNF
	ambiguous *lang.DFA // the words with several derivations; nil if there are none

	shown     func(quote.Word) string
	hidden    []Hidden
	blamed    []option // that faults say are hidden
	ambiguity *Ambiguity
	faults    []Fault
	notes     []string
}

// fault adds a fault. Words are written as messages of the BNF have them.
func (r *row) fault(k Kind, w *quote.Word, format string, args ...any) {
	for i, arg := range args {
		if w, ok := arg.(quote.Word); ok {
			args[i] = r.shown(w)
		}
	}
	r.faults = append(r.faults, Fault{Production: r.Production, Kind: k, Place: r.RulePlace, Message: fmt.Sprintf(format, args...), Word: w})
}

// wrong reports a string that only one side has, and more about it: parts that may be empty.
func (r *row) wrong(w quote.Word, at expr.Pos, more []string, format string, args ...any) {
	r.fault(Language, &w, format, args...)
	f := &r.faults[len(r.faults)-1]
	f.at, f.parts = at, append([]string{f.Message}, slices.DeleteFunc(more, func(s string) bool { return s == "" })...)
	f.Message = strings.Join(f.parts, "; ")
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

// languages reports how what the rule matches differs from what the production derives.
func (r *row) languages(p *proof) {
	r.Mark = string(compareText(r.bnf.Expr, r.peg.Expr))
	r.Node = p.pair.Ledger != nil && p.nodes[r.Production]
	if !r.known {
		return
	}
	if r.words != nil && p.words[r.Production] != nil && r.Depth == nil {
		var err error
		if r.runs, err = p.runs(r.Production, runOptions{nodes: p.hasTree(r)}); err != nil {
			r.failed(p, err)
		}
	}
	if r.Equal {
		return
	}
	r.BNFOnly, r.PEGOnly = r.bnfOnly.word, r.pegOnly.word
	if r.cause != nil || len(r.root) > 0 {
		if r.causes(p); len(r.faults) == 0 {
			r.unshown()
		}
		return
	}
	within := ""
	if r.Depth != nil {
		within = fmt.Sprintf(" within a nesting of %d", *r.Depth)
	}
	if r.BNFOnly != nil {
		why, at := p.blame(r, string(*r.BNFOnly))
		r.wrong(*r.BNFOnly, at, []string{why}, "the production derives %s%s, and the rule does not match it", *r.BNFOnly, within)
	}
	if r.PEGOnly != nil {
		r.fault(Language, r.PEGOnly, "the rule matches %s, and the production does not derive it", *r.PEGOnly)
	}
	r.unshown()
}

// unshown reports a wrong rule for which no string was found.
func (r *row) unshown() {
	if err := cmp.Or(r.bnfOnly.err, r.pegOnly.err); err != nil && r.BNFOnly == nil && r.PEGOnly == nil && r.Depth == nil {
		r.fault(Language, nil, "the rule does not match what the production derives; which string shows it was not found: %v", err)
	}
}

// causes reports a wrong rule that is a cause, with several strings, or one that is wrong because of others.
func (r *row) causes(p *proof) {
	r.Because = r.root
	if r.cause == nil {
		because := "; wrong because of " + strings.Join(r.root, ", ")
		switch {
		case r.BNFOnly != nil:
			r.fault(Language, r.BNFOnly, "the production derives %s, and the rule does not match it%s", *r.BNFOnly, because)
		case r.PEGOnly != nil:
			r.fault(Language, r.PEGOnly, "the rule matches %s, and the production does not derive it%s", *r.PEGOnly, because)
		}
		return
	}
	c := r.cause
	also := func(words []quote.Word, first quote.Word) string {
		var list []string
		for _, w := range words {
			if w != first {
				list = append(list, r.shown(w))
			}
		}
		if len(list) == 0 {
			return ""
		}
		return ", nor " + strings.Join(list, ", ")
	}
	more := []string{"", c.Even, ""}
	if len(c.Cycle) > 0 {
		more[0] = "none of " + strings.Join(c.Cycle, ", ") + " is wrong by itself: they use each other"
	}
	if c.Mend != "" {
		more[2] = "to mend it, " + c.Mend
	}
	if len(c.BNFOnly) > 0 {
		w := c.BNFOnly[0]
		why, at := p.blame(r, string(w))
		r.wrong(w, at, append([]string{why}, more...), "the production derives %s, and the rule does not match it%s", w, also(c.BNFOnly, w))
		more = nil
	}
	if len(c.PEGOnly) > 0 {
		w := c.PEGOnly[0]
		r.wrong(w, expr.Pos{}, more, "the rule matches %s, and the production does not derive it%s", w, also(c.PEGOnly, w))
	}
}

// beside returns the limits for what is computed for one rule beside its language. Where no trees rest on it, the rules
// share a limit.
func (p *proof) beside() lang.Limits {
	l := p.limits
	if p.pair.Ledger != nil {
		return l
	}
	most := max(1<<10, min(1<<16, 1<<20/max(1, len(p.rows))))
	for _, limit := range []*int{&l.NFA, &l.DFA} {
		*limit = cmp.Or(*limit, most)
	}
	return l
}

// decided returns whether the rule is equal, or nil where that is open: nothing refutes it then.
func (r *row) decided() *bool {
	refuted := slices.ContainsFunc(r.faults, func(f Fault) bool { return f.Kind == Language })
	if !r.Equal && !refuted && open(r.Row) {
		return nil
	}
	return &r.Equal
}

// forget lets go of what only trees and parsers need.
func (r *row) forget() {
	r.words, r.runs, r.maker, r.derived, r.ambiguous = nil, nil, maker{}, nil, nil
}

// runs returns the runs of a rule.
func (p *proof) runs(id string, how runOptions) (*runs, error) {
	if p.lookaheads.reaches[id] {
		ids := []string{id}
		if p.lookaheads.failed[id] == nil {
			ids = p.pair.PEG.Reach(id)
		}
		for _, id := range ids {
			if err := p.lookaheads.failed[id]; err != nil {
				return nil, fmt.Errorf("rule %q: %w", id, err)
			}
		}
	}
	return newRuns(p.pair.PEG, p.lookaheads, expr.To(id), how, p.beside())
}

// hasTree reports whether the trees of a rule are a matter of the proof. Those of a rule that calls itself, or one that does,
// are not flat, and wrong already.
func (p *proof) hasTree(r *row) bool {
	if p.pair.Ledger == nil {
		return false
	}
	if p.recursive[r.Production] != nil {
		r.fault(TreeFault, nil, "the rule calls itself, so that its nodes stand in one another")
	}
	return !slices.ContainsFunc(p.pair.PEG.Reach(r.Production), func(id string) bool { return p.recursive[id] != nil })
}

// blame returns what the choice that loses w does, and its place, if it is one.
func (p *proof) blame(r *row, w string) (why string, at expr.Pos) {
	all, err := p.runs(r.Production, runOptions{relaxed: func(option) bool { return true }})
	if err != nil {
		return "", at
	}
	dev, ok := all.deviations(w)
	if !ok || len(dev) == 0 {
		return "", at
	}
	d := dev[0]
	r.blamed = append(r.blamed, d.option)
	text := func(e *expr.Expr) string { return spelled(p.pair.PEG.Rule(p.ruleOf[d.e]), e) }
	does := fmt.Sprintf("%s hides %s", d.instead.named(text), d.named(text))
	switch {
	case d.e.Op == expr.Repeat && d.e.Max == 1:
		does = d.instead.named(text) + " is taken, and what follows it fails"
	case d.e.Op == expr.Repeat:
		does = text(d.e) + " goes on, and what follows it fails"
	}
	return fmt.Sprintf("at offset %d %s, in %s (%s)", d.offset, does, p.ruleOf[d.e], d.e.Pos), d.e.Pos
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
		kinds := slices.DeleteFunc(expr.Refs(r.bnf.Expr), func(id string) bool { return !p.nodes[id] })
		r.brackets, err = newBrackets(p.alphabet, append(kinds, madeKinds(p.pair.PEG, inner)...)...)
		if err != nil {
			return err
		}
		node := func(id string) bool { return p.nodes[id] }
		size := 0
		words := func(id string) *lang.DFA {
			w := p.words[id]
			if w == nil {
				_, unknown := p.derived(id)
				if unknown == nil && err == nil {
					err = fmt.Errorf("%w: the words of %s", lang.ErrTooLarge, p.name(id))
				}
				return lang.Empty()
			}
			if size += w.States(); size > maxLooked && err == nil {
				err = fmt.Errorf("%w: the words of what %s uses", lang.ErrTooLarge, p.name(r.Production))
			}
			if err != nil {
				return lang.Empty()
			}
			return w
		}
		derived, tooLarge := r.brackets.derived(r.bnf, node, words, p.beside())
		if err = cmp.Or(err, tooLarge); err != nil {
			return err
		}
		r.derived = derived
		if r.runs.how.nodes {
			r.made, err = r.brackets.made(r.runs, r.peg, p.beside())
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
			r.fault(TreeFault, new(quote.Word(w)), "the tree of %s is no derivation: %s", quote.Word(w), show(w))
			return nil
		}
		if r.ambiguous != nil {
			wrong, err := r.notChosen(r.made, r.derived, p.choose[r.Production], p.limits)
			if err != nil {
				return err
			}
			leavesOne := wrong == nil
			r.ambiguity.Chosen, r.ambiguity.Decided = leavesOne, &leavesOne
			if wrong != nil {
				w, _ := wrong.Shortest()
				best := chosen(r.derivations(r.derived, w, maxDerivations), p.choose[r.Production])
				var want []string
				for _, d := range best {
					want = append(want, d.show(w, p.name))
				}
				r.fault(TreeFault, new(quote.Word(w)), "the tree of %s shows %s, and %s leaves %s",
					quote.Word(w), show(w), strings.Join(p.settled[r.Production], " with "), strings.Join(want, " and "))
				return nil
			}
			r.ambiguity.Shown = show(string(r.ambiguity.Word))
		}
		wrong, err := madeOtherwise(r.runs, r.peg.Expr.Op == expr.Node, p.makers, p.limits)
		if err != nil {
			return err
		}
		if wrong != nil {
			w, _ := wrong.Shortest()
			r.fault(TreeFault, new(quote.Word(w)), "in the tree of %s there is a node that its production does not make of the same text as a start", quote.Word(w))
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
