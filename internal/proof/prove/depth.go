package prove

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A depth holds what a proof knows about recursions that no finite automaton follows. Where they are read to a depth,
// the two grammars are replaced by what is derived, and what is matched, within it.
//
// A match that goes deeper has a third outcome, besides success and failure. So there are three languages to compare:
// what the production derives within the depth, what the rule matches without going deeper, and the inputs on which the
// rule goes deeper. The rule is proven to the depth if
//
//   - every string of the first is in the second, and so it is matched. A string in neither of the others refutes the
//     rule, since it is derived and the match fails; one in the third leaves the question open;
//   - every string of the second is derived, at whatever depth. A string that is not derived within the depth is
//     looked for at greater depths, and one that is derived at none refutes the rule.
type depth struct {
	p        *proof
	bnf, peg *expr.Nesting
	nests    map[string]bool // productions and rules that nest, or use one that does

	// What is derived within the depth, and matched without going deeper. Both are nil if no depth is asked for.
	derives *lang.BNF
	matches *lang.PEG

	deeper map[int]*lang.BNF // by depth: what is derived within it, as far as computed; see derivesWithin
}

// newDepth finds the recursions of both grammars and, if a depth was asked for, reads them to it. It fails if
// something nests and the depth is negative, or a grammar would have too many rules at it (see [expr.Nesting.To]).
func (p *proof) newDepth() (*depth, error) {
	d := &depth{p: p, bnf: p.pair.BNF.Nesting(), peg: p.pair.PEG.Nesting(), deeper: map[int]*lang.BNF{}}
	d.nests = map[string]bool{}
	for _, n := range []*expr.Nesting{d.bnf, d.peg} {
		maps.Copy(d.nests, n.Users())
	}
	if p.opts.Nesting == nil {
		return d, nil
	}
	g, err := d.peg.To(*p.opts.Nesting)
	if err != nil {
		return nil, err
	}
	if d.matches, err = p.space.PEG(g); err != nil {
		return nil, err
	}
	d.derives, err = d.derivesWithin(*p.opts.Nesting)
	return d, err
}

// derivesWithin returns the languages of productions within a nesting of n, and keeps them for the next call. It fails
// where [expr.Nesting.To] does, and keeps nothing then.
func (d *depth) derivesWithin(n int) (*lang.BNF, error) {
	if b := d.deeper[n]; b != nil {
		return b, nil
	}
	g, err := d.bnf.To(n)
	if err != nil {
		return nil, err
	}
	d.deeper[n], err = d.p.space.BNF(g)
	return d.deeper[n], err
}

// appliesTo reports whether a production is to be proven to a depth: one was asked for, and it or
// its rule nests.
func (d *depth) appliesTo(id string) bool { return d.derives != nil && d.nests[id] }

// compareToDepth is compareLanguages for a production that is proven to a depth, Options.Nesting, which must be set.
// It sets Depth, the languages with matchedDeeper, Equal, and as witnesses the strings that refute the rule. A derived
// string on which the rule only comes deeper refutes nothing: it leaves r.Equal false, with a fault. So does whatever
// cannot be computed, with one exception: if the string that refutes the rule is not found, there is no fault, and
// r.bnfOnly has the error.
func (p *proof) compareToDepth(r *row) {
	n := *p.opts.Nesting
	r.Depth = &n
	to := expr.To(r.Production)
	derived, err := p.onlyText(p.depth.derives.Of(r.Production))
	p.recordRefusal(r, p.pair.BNF, err)
	// Read to a depth, the recursion ends; only the original shows whether the rule as written ends.
	if err := p.matches.WellFormed(r.Production); err != nil {
		p.recordRefusal(r, p.pair.PEG, err)
		return
	}
	matched, err2 := p.depth.matches.WholeOf(to)
	if err2 == nil {
		r.matchedDeeper, err2 = p.depth.matches.DeeperOf(to)
	}
	p.recordRefusal(r, p.pair.PEG, err2)
	if err != nil || err2 != nil {
		return
	}
	r.languagesKnown, r.derivedLanguage, r.matched = true, derived, matched
	undecided := func(err error) bool {
		if err != nil {
			r.addFault(kindOfError(err), nil, "%v", err)
		}
		return err != nil
	}
	lost, err := p.space.Minus(derived, matched)
	if undecided(err) {
		return
	}
	// On strings of matchedDeeper the rule may still succeed; the others of lost refute it.
	failed, err := p.space.Minus(lost, r.matchedDeeper)
	if undecided(err) {
		return
	}
	r.Equal = true
	if failed != lang.NoWord {
		r.Equal = false
		r.bnfOnly = p.shortestWord(failed)
	} else if lost != lang.NoWord {
		r.Equal = false
		if w := p.shortestWord(lost); !undecided(w.err) && w.word != nil {
			r.addFault(Limit, w.word,
				"the production derives %s within a nesting of %d, and on it the rule comes deeper", *w.word, n)
		}
	}
	p.refuteUnderived(r, matched, n)
}

// refuteUnderived looks for a string that the rule matches within the depth n and the production does not derive at
// any depth. It leaves r as it is if every string of matched is derived within some depth from n to 2n+2. At each
// depth it gives the shortest of the others to the interpreter of the BNF, which knows no depth. If that string is
// not derived at all, refuteUnderived clears r.Equal and sets r.pegOnly; if it is, the next depth is tried. If the
// interpreter does not know, strings are left at the last depth, or a limit is passed, it clears r.Equal and adds a
// fault.
func (p *proof) refuteUnderived(r *row, matched lang.Language, n int) {
	for m := n; ; m++ {
		b, err := p.depth.derivesWithin(m)
		var derived, over lang.Language
		if err == nil {
			derived, err = b.Of(r.Production)
		}
		if err == nil {
			over, err = p.space.Minus(matched, derived)
		}
		var w string
		if err == nil {
			if over == lang.NoWord {
				return
			}
			w, _, err = p.space.Shortest(over)
		}
		if err != nil {
			r.Equal = false
			r.addFault(kindOfError(err), nil, "%v", err)
			return
		}
		// w is not derived within m: the interpreter, if it can, says whether it is derived at all.
		derivable, ok := interpreter.Derives(p.pair.BNF, r.Production, w)
		switch {
		case ok && !derivable:
			r.Equal = false
			r.pegOnly = witness{word: new(quote.Word(w))}
			return
		case !ok || m >= 2*n+2:
			r.Equal = false
			r.addFault(Limit, new(quote.Word(w)),
				"the rule matches %s within a nesting of %d, and the production does not derive it within %d",
				quote.Word(w), n, m)
			return
		}
	}
}

// notes returns at most one note, about the productions that nest, or use one that does, and are not equal. It names
// the recursions of the BNF or, if none of these matter, those of the PEG. There is none if a depth was asked for, or
// for a pair with a ledger.
func (d *depth) notes() (list []string) {
	if d.derives != nil || d.p.pair.Ledger != nil {
		return nil
	}
	not := 0
	for _, r := range d.p.rows {
		if d.nests[r.Production] && !r.Equal {
			not++
		}
	}
	if not == 0 {
		return nil
	}
	for _, n := range []*expr.Nesting{d.bnf, d.peg} {
		heads := slices.DeleteFunc(n.Heads(), func(r *expr.Rule) bool {
			return !d.p.used[r.ID] || !d.p.needed[r.ID] && n != d.peg
		})
		if note := catalog.NestingNote(heads, not, len(d.p.rows), "proves them to that depth"); note != "" {
			return []string{note}
		}
	}
	return nil
}

// assumption returns a sentence that names the productions that are proven to a depth, and that depth; "" if
// there are none.
func (d *depth) assumption() string {
	if d.derives == nil {
		return ""
	}
	var names []string
	for _, r := range d.p.rows {
		if r.Depth != nil && r.Equal {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	what := strings.Join(names, ", ")
	if len(names) > 8 {
		what = fmt.Sprintf("%s and %d others", strings.Join(names[:8], ", "), len(names)-8)
	}
	return fmt.Sprintf("to a nesting of %d, and no deeper, every string that is derived within it is matched, and "+
		"every match that stays within it is derived (--nesting): %s",
		*d.p.opts.Nesting, what)
}
