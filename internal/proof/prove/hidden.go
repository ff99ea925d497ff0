package prove

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Hidden is an alternative of an ordered choice that an earlier one keeps from being taken,
// always or for some strings. A repetition counts as a choice between one more round and none.
type Hidden struct {
	Rule        string   `json:"rule"`               // the production in whose rule the choice stands
	Start       string   `json:"start"`              // the production that the parser starts with
	Pos         expr.Pos `json:"-"`                  // of the choice
	Place       string   `json:"place"`              // Pos
	Choice      string   `json:"choice"`             // the choice
	Alternative string   `json:"alternative"`        // the hidden alternative
	Lookahead   bool     `json:"lookahead,omitzero"` // the choice stands in a lookahead; Start does not matter there

	// Without a word, the alternative is never taken. With one, it would be taken if the choice did not commit; Word is
	// the shortest string that is lost, and Shadow the alternative that is taken instead, at the byte Offset.
	Word   *quote.Word `json:"word,omitempty"`
	Shadow string      `json:"shadow,omitempty"`
	Offset int         `json:"offset,omitzero"`

	said bool // a fault says so
}

// Never reports whether the alternative is never taken.
func (h Hidden) Never() bool { return h.Word == nil }

// String describes the alternative and what hides it, in one sentence.
func (h Hidden) String() string {
	if h.Never() {
		where := "when parsing " + h.Start
		if h.Lookahead {
			where = "in a lookahead"
		}
		return fmt.Sprintf("%s: in %s, %s is never taken %s", h.Rule, h.Choice, h.Alternative, where)
	}
	return fmt.Sprintf("%s: in %s, %s is taken at offset %d and hides %s, so that %s rejects %s",
		h.Rule, h.Choice, h.Shadow, h.Offset, h.Alternative, h.Start, *h.Word)
}

// describe returns the option as the choice is written: an alternative, "nothing", "one more x" or
// "no more x".
func (o option) describe() string { return o.describeWith((*expr.Expr).String) }

// describeWith is describe with the texts of expressions from text. o must be an option of an Alt or a Repeat, not one
// of a Node.
func (o option) describeWith(text func(*expr.Expr) string) string {
	switch {
	case o.e.Op == expr.Alt:
		return text(o.e.Sub[o.index])
	case o.e.Max == 1 && o.index == more:
		return text(o.e.Sub[0])
	case o.e.Max == 1:
		return "nothing"
	case o.index == more:
		return "one more " + text(o.e.Sub[0])
	}
	return "no more " + text(o.e.Sub[0])
}

// asHidden returns a Hidden for the option, without a word.
func (o option) asHidden(rule, start string) Hidden {
	return Hidden{
		Rule:        rule,
		Start:       start,
		Pos:         o.e.Pos,
		Place:       o.e.Pos.String(),
		Choice:      o.e.String(),
		Alternative: o.describe(),
	}
}

// listChoices returns the expressions in e at which a PEG commits itself, in the order of the text: its choices, and
// the repetitions that can end early. Choices among the encodings of a character are left out, since nobody wrote
// them. It also returns the operands of the outermost lookaheads, and does not look inside them. It does not follow
// references.
func listChoices(e *expr.Expr) (choices, lookaheads []*expr.Expr) {
	expr.Walk(e, func(e *expr.Expr) bool {
		switch e.Op {
		case expr.And, expr.Not:
			lookaheads = append(lookaheads, e.Sub[0])
			return false
		case expr.Alt:
			// A class that is not ASCII is a choice among encodings, which nobody wrote.
			if !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return s.Pos.Line > 0 }) {
				return false
			}
			choices = append(choices, e)
		case expr.Repeat:
			if e.Min != e.Max {
				choices = append(choices, e)
			}
		}
		return true
	})
	return choices, lookaheads
}

// optionsOf returns the options of a choice, in the order that the parser tries them.
func optionsOf(choice *expr.Expr) []option {
	if choice.Op == expr.Repeat {
		return []option{{choice, more}, {choice, noMore}}
	}
	var out []option
	for i := range choice.Sub {
		out = append(out, option{choice, i})
	}
	return out
}

// takenOptions returns the options that some successful run takes.
func (r *runs) takenOptions() map[option]bool {
	out := map[option]bool{}
	for q, edges := range r.edges {
		if !r.live[q] {
			continue
		}
		for _, e := range edges {
			if e.event.op == took && r.live[e.to] {
				out[e.event.option] = true
			}
		}
	}
	return out
}

// neverTaken returns the options that are not in taken. A choice without any option in taken is left out: no run
// comes to it, and the alternative around it is reported instead.
func neverTaken(choices []*expr.Expr, taken map[option]bool) []option {
	var out []option
	for _, c := range choices {
		all := optionsOf(c)
		if !slices.ContainsFunc(all, func(o option) bool { return taken[o] }) {
			continue
		}
		for _, o := range all {
			if !taken[o] {
				out = append(out, o)
			}
		}
	}
	return out
}

// A deviation is a place in a word at which a run takes an option, and the parser, committed to an
// earlier one, another.
type deviation struct {
	option
	instead option
	offset  int
}

// maxDeviating caps the steps of one search for deviations: for each option on the way, the bytes left to read.
const maxDeviating = 1 << 24

// deviations finds a run over w with as few deviations as possible from what the parser does, and returns these
// deviations in order: none if the parser matches w. The runs must have been built with some choices that do not
// commit (runOptions.relaxed). ok is false if there is no run over w, or if the search takes more than [maxDeviating]
// steps. It is a breadth-first search in which only deviations count (a 0-1 BFS): near holds the places at the current
// number of deviations, far those with one more.
func (r *runs) deviations(w string) (out []deviation, ok bool) {
	type place struct {
		q int32
		i int
	}
	type arrival struct {
		from place
		dev  *deviation
		cost int
	}
	came := map[place]arrival{{0, 0}: {from: place{-1, 0}}}
	done := map[place]bool{}
	steps := maxDeviating
	near, far := []place{{0, 0}}, []place(nil)
	for len(near) > 0 || len(far) > 0 {
		if len(near) == 0 {
			near, far = far, nil
		}
		p := near[len(near)-1]
		near = near[:len(near)-1]
		if done[p] {
			continue
		}
		done[p] = true
		if p.i == len(w) && r.final[p.q] { // follow the arrivals back to the start
			for p.q >= 0 {
				a := came[p]
				if a.dev != nil {
					out = append(out, *a.dev)
				}
				p = a.from
			}
			slices.Reverse(out)
			return out, true
		}
		for _, e := range r.edges[p.q] {
			to := place{e.to, p.i}
			if !r.live[e.to] {
				continue
			}
			a := arrival{from: p, cost: came[p].cost}
			if !e.classes.IsEmpty() {
				if p.i == len(w) || !e.classes.Has(r.promises.alphabet.class[w[p.i]]) {
					continue
				}
				to.i++
			} else if e.event.op == took {
				if steps -= 1 + len(w) - p.i; steps < 0 {
					return nil, false
				}
				if instead := r.committedOption(e.event.option, w[p.i:]); instead != e.event.option {
					a.dev = &deviation{e.event.option, instead, p.i}
					a.cost++
				}
			}
			if old, seen := came[to]; !seen || a.cost < old.cost {
				came[to] = a
				if a.dev != nil {
					far = append(far, to)
				} else {
					near = append(near, to)
				}
			}
		}
	}
	return nil, false
}

// committedOption returns the option of o's choice that the parser takes when rest is to come: the first whose
// expression matches a prefix of rest, if that is before o, and else o. The languages of the options before o must be
// known: see newLookaheads.
func (r *runs) committedOption(o option, rest string) option {
	matches := func(e *expr.Expr) bool {
		l := &r.promises.langs[r.promises.of[e]]
		q := int32(0)
		for i := range len(rest) {
			q = l.next[int(q)*r.promises.alphabet.size()+int(r.promises.alphabet.class[rest[i]])]
		}
		return l.accept[q]
	}
	if o.e.Op == expr.Repeat {
		if o.index == noMore && matches(o.e.Sub[0]) {
			return option{o.e, more}
		}
		return o
	}
	for i := range o.index {
		if matches(o.e.Sub[i]) {
			return option{o.e, i}
		}
	}
	return o
}

// findLosses finds the strings that are lost because choices commit: those that the rule start would match if each
// of the choices tried all its alternatives, whatever follows. words is the language that it does match, and ruleOf
// has the rule in which each choice stands. It returns one Hidden, with a shortest string, for each option that is to
// blame. The search is repeated with the options found so far committing again, until nothing more is lost. It fails
// where [proof.runsOf] does, if a limit is passed, or if no option is found to blame.
func (p *proof) findLosses(start string, choices []*expr.Expr, words *lang.DFA,
	ruleOf map[*expr.Expr]string) ([]Hidden, error) {
	free := map[option]bool{} // options that do not wait for the earlier ones to fail
	for _, c := range choices {
		for _, o := range optionsOf(c) {
			free[o] = true
		}
	}
	var out []Hidden
	for len(free) > 0 {
		r, err := p.runsOf(start, runOptions{relaxed: func(o option) bool { return free[o] }})
		if err != nil {
			return nil, err
		}
		all, err := r.language(p.sideLimits())
		if err != nil {
			return nil, err
		}
		w, ok := all.ShortestOutside(words)
		if !ok {
			break
		}
		dev, ok := r.deviations(w)
		if !ok || len(dev) == 0 {
			return nil, fmt.Errorf("%s: no alternative is to blame for %q", start, w)
		}
		d := dev[0]
		h := d.asHidden(ruleOf[d.e], start)
		h.Word, h.Shadow, h.Offset = new(quote.Word(w)), d.instead.describe(), d.offset
		out = append(out, h)
		delete(free, d.option)
	}
	return out, nil
}

// findHidden adds to r.hidden the alternatives of the rule, as a start, that are never taken or lose strings, and
// those never taken in its lookaheads. For the start of the grammar it also looks at all other rules, but not at their
// lookaheads. r.runs and r.words must be set. It fails if a limit is passed, or where findLosses does; r.hidden then
// has what was found before.
func (r *row) findHidden(p *proof) error {
	own, _ := listChoices(r.peg.Expr)
	taken := r.runs.takenOptions()
	for _, o := range neverTaken(own, taken) {
		r.hidden = append(r.hidden, o.asHidden(r.Production, r.Production))
	}
	lost, err := p.findLosses(r.Production, own, r.words, p.ruleOf)
	if err != nil {
		return err
	}
	r.hidden = append(r.hidden, lost...)
	if err := r.hiddenAhead(p, r.peg.Expr); err != nil {
		return err
	}
	if r.Production != p.pair.Start {
		return nil
	}
	// Inputs of the start reach all other rules, where some alternatives may be hidden by the rules around them.
	var all []*expr.Expr
	for _, rule := range p.pair.PEG.Rules {
		if rule.ID != r.Production {
			choices, _ := listChoices(rule.Expr)
			all = append(all, choices...)
		}
	}
	for _, o := range neverTaken(all, taken) {
		r.hidden = append(r.hidden, o.asHidden(p.ruleOf[o.e], r.Production))
	}
	lost, err = p.findLosses(r.Production, all, r.words, p.ruleOf)
	r.hidden = append(r.hidden, lost...) // none if there is an error
	return err
}

// hiddenAhead adds to r.hidden the alternatives inside the lookaheads of e, and in those that these have, that are
// never taken, whatever the input. It does not follow references. The lookaheads of all rules that e reaches must have
// been compiled. It fails if a limit is passed; r.hidden then has what was found before.
func (r *row) hiddenAhead(p *proof, e *expr.Expr) error {
	_, ahead := listChoices(e)
	for _, operand := range ahead {
		runs, err := newRuns(p.pair.PEG, p.lookaheads, operand, runOptions{prefix: true}, p.sideLimits())
		if err != nil {
			return err
		}
		choices, _ := listChoices(operand)
		for _, o := range neverTaken(choices, runs.takenOptions()) {
			h := o.asHidden(r.Production, r.Production)
			h.Lookahead = true
			r.hidden = append(r.hidden, h)
		}
		if err := r.hiddenAhead(p, operand); err != nil {
			return err
		}
	}
	return nil
}

// sortHidden sorts by place, and returns all without the alternatives that are never taken from the start of the
// grammar if they are also never taken when their own rule is the start. It reuses all.
func sortHidden(all []Hidden) []Hidden {
	slices.SortStableFunc(all, func(a, b Hidden) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Choice, b.Choice),
		)
	})
	type key struct {
		pos                 expr.Pos
		choice, alternative string
	}
	byItself := map[key]bool{}
	of := func(h Hidden) key { return key{h.Pos, h.Choice, h.Alternative} }
	for _, h := range all {
		if h.Never() && h.Start == h.Rule {
			byItself[of(h)] = true
		}
	}
	return slices.DeleteFunc(all, func(h Hidden) bool { return h.Never() && h.Start != h.Rule && byItself[of(h)] })
}
