package prove

import (
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An alphabet divides the bytes into classes that no terminal of some grammars tells apart, so that automata over them
// have rows of a few dozen entries and not of 256.
type alphabet struct {
	class [256]uint8
	bytes []expr.Set // of each class
	first []byte     // one byte of each class
}

// newAlphabet returns the coarsest alphabet for the terminals of some grammars: one class of all bytes if there are
// none.
func newAlphabet(grammars ...*expr.Grammar) *alphabet {
	classes := expr.NewPartition()
	for _, g := range grammars {
		for _, r := range g.Rules {
			classes.SplitByTerminals(r.Expr)
		}
	}
	return &alphabet{classes.Class, classes.Sets(), classes.First()}
}

// size returns the number of classes.
func (a *alphabet) size() int { return len(a.bytes) }

// classes returns the numbers of the classes that s consists of, as a set. s must be a union of classes.
func (a *alphabet) classes(s expr.Set) expr.Set {
	var out expr.Set
	for c, b := range a.first {
		if s.Has(b) {
			out.Add(byte(c))
		}
	}
	return out
}

// expand is the inverse of classes: it returns the bytes of a set of class numbers.
func (a *alphabet) expand(classes expr.Set) expr.Set {
	var out expr.Set
	for _, c := range classes.Members() {
		out = out.Union(a.bytes[c])
	}
	return out
}

// table returns the successors of a DFA by class: next[q*size+c]. The DFA must not tell bytes of one class apart.
func (a *alphabet) table(d *lang.DFA) []int32 {
	next := make([]int32, 0, d.States()*a.size())
	for q := range d.States() {
		for _, b := range a.first {
			next = append(next, int32(d.Next(q, b)))
		}
	}
	return next
}
