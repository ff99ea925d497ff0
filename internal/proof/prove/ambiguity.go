package prove

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/report/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A derivation is how the tree shows a word on one level.
type derivation []span

// derivations lists the derivations of text among the bracketed words of a, not more than max of them. A child that is
// empty and could be repeated for ever is not repeated.
func (b *brackets) derivations(a *lang.DFA, text string, max int) []derivation {
	n := lang.NewNFA(nil) // the text, with brackets anywhere
	end := n.Start
	for i := range len(text) + 1 {
		at := n.State()
		if i == 0 {
			n.Silent(end, at)
		} else {
			n.Read(end, only(b.alphabet.class[text[i-1]]), at)
		}
		n.Read(at, expr.Range(byte(b.alphabet.size()), byte(b.size()-1)), at)
		end = at
	}
	n.Silent(end, n.Final)
	with, _ := n.Determinize(lang.Limits{DFA: len(text) + 3}) // which has no more states
	a = a.Intersect(with)
	var out []derivation
	var children derivation
	on := map[int]bool{}
	var walk func(i, q int)
	walk = func(i, q int) {
		if len(out) >= max || on[q] || a.Dead(q) {
			return
		}
		on[q] = true
		defer delete(on, q)
		if a.Accepts(q) {
			out = append(out, append(derivation(nil), children...))
		}
		for s := b.alphabet.size(); s < b.size(); s++ {
			to := a.Next(q, byte(s))
			if a.Dead(to) {
				continue
			}
			if kind, opens, _ := b.bracket(s); opens {
				children = append(children, span{kind: kind, start: i})
				walk(i, to)
				children = children[:len(children)-1]
			} else {
				children[len(children)-1].end = i
				walk(i, to)
			}
		}
		if i < len(text) {
			walk(i+1, a.Next(q, b.alphabet.class[text[i]]))
		}
	}
	walk(0, 0)
	return out
}

// show writes a derivation with its children in brackets, each behind the name of its production in the text.
func (d derivation) show(text string, name func(id string) string) string {
	var s strings.Builder
	i := 0
	for _, c := range d {
		s.WriteString(text[i:c.start])
		s.WriteString("[" + name(c.kind))
		if c.end > c.start {
			s.WriteString(" " + text[c.start:c.end])
		}
		s.WriteString("]")
		i = c.end
	}
	s.WriteString(text[i:])
	return s.String()
}

// chosen returns those of some derivations of one word that the clauses, in their order, leave.
func chosen(all []derivation, clauses []bnf.Clause) []derivation {
	for _, c := range clauses {
		var best []derivation
		for _, d := range all {
			order := 0
			if len(best) > 0 {
				order = prefers(c, d, best[0])
			}
			if order > 0 {
				best = best[:0]
			}
			if order >= 0 {
				best = append(best, d)
			}
		}
		all = best
	}
	return all
}

// prefers returns which of two derivations a clause prefers: 1 for the first, -1 for the second, 0 for neither. Lengths are
// compared child by child; children that only one of the two has decide nothing.
func prefers(c bnf.Clause, d, e derivation) int {
	x, y := d.lengths(c.Child), e.lengths(c.Child)
	both := min(len(x), len(y))
	order := slices.Compare(x[:both], y[:both])
	if c.Prefer == bnf.Present || c.Prefer == bnf.Absent {
		order = cmp.Compare(min(len(x), 1), min(len(y), 1))
	}
	if c.Prefer == bnf.Absent || c.Prefer == bnf.Shortest {
		order = -order
	}
	return order
}

func (d derivation) lengths(kind string) []int {
	var out []int
	for _, c := range d {
		if c.kind == kind {
			out = append(out, c.end-c.start)
		}
	}
	return out
}

// maxDerivations is how many derivations of one string are looked at.
const maxDerivations = 1000

// findAmbiguity looks for strings with several derivations, and checks the ledger against what it finds.
func (r *row) findAmbiguity(p *proof) error {
	amb, err := r.brackets.notChosen(r.derived, r.derived, nil, p.beside())
	if err != nil {
		return err
	}
	settled := p.settled[r.Production]
	if amb == nil {
		if len(settled) > 0 {
			r.fault(Derivation, nil, "%s chooses among derivations, and there is one of every string", settled[0])
		}
		return nil
	}
	w, _ := amb.Shortest()
	r.ambiguous = amb
	all := r.derivations(r.derived, w, maxDerivations)
	a := &Ambiguity{Production: r.Production, Word: quote.Word(w), Readings: settled}
	for _, d := range all {
		a.Derivations = append(a.Derivations, d.show(w, p.name))
	}
	r.ambiguity = a
	if p.pair.Ledger == nil {
		return nil
	}
	if len(settled) == 0 {
		r.fault(Derivation, new(quote.Word(w)), "%s has several derivations, %s and %s, and no reading chooses one", quote.Word(w), a.Derivations[0], a.Derivations[1])
	} else if best := chosen(all, p.choose[r.Production]); len(best) != 1 {
		r.fault(Derivation, new(quote.Word(w)), "%s has several derivations, and %d are left by %s", quote.Word(w), len(best), strings.Join(settled, " with "))
	}
	return nil
}
