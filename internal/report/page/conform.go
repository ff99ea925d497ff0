package page

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
)

// CheckConform returns the first thing that is wrong with results that were read from a file, or nil. They must be
// those of a run: of at least one grammar, all built in and by their own names, and at least one parser, with a
// comparison of each parser with each grammar, parser by parser. No two parsers may have one name; a grammar may be
// there twice. Of what can be null in a file, r must not be nil, and no fault may be. It does not look at pairs,
// groups or numbers.
func CheckConform(r *conform.Report) error {
	if len(r.Grammars) == 0 || len(r.Implementations) == 0 {
		return fmt.Errorf("no grammars or no implementations")
	}
	for _, name := range r.Grammars {
		if g, err := bnfcheck.Find(name); err != nil {
			return err
		} else if g.Name != name {
			return fmt.Errorf("no grammar %q", name)
		}
	}
	if want := len(r.Implementations) * len(r.Grammars); len(r.Comparisons) != want {
		return fmt.Errorf("%d comparisons, and not %d", len(r.Comparisons), want)
	}
	names := map[string]bool{}
	next := r.Comparisons // those still to come; by the count above there are enough
	for _, o := range r.Implementations {
		if names[o.Name] {
			return fmt.Errorf("two implementations %q", o.Name)
		}
		names[o.Name] = true
		for _, g := range r.Grammars {
			if next[0].Implementation != o.Name || next[0].Grammar != g {
				return fmt.Errorf("no comparison of %q and %s in its place", o.Name, g)
			}
			next = next[1:]
		}
		for _, f := range o.Faults {
			if f == nil {
				return fmt.Errorf("a fault of %q that says nothing", o.Name)
			}
		}
	}
	return nil
}

// removeControls escapes, in place, the control characters in the names and messages of r, which come from outside:
// no text may move a cursor or turn a line around. It returns r, which may be nil; no fault in it may be. The
// inputs stay as they are; whatever shows them treats them as bytes.
func removeControls(r *conform.Report) *conform.Report {
	if r == nil {
		return nil
	}
	for i := range r.Implementations {
		o := &r.Implementations[i]
		makeVisible(&o.Name, &o.GaveUp)
		for _, f := range o.Faults {
			makeVisible((*string)(&f.Kind), &f.Detail) // a file may have any text for a kind
		}
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		makeVisible(&c.Implementation)
		for k := range c.Groups {
			g := &c.Groups[k]
			makeVisible(&g.Component, &g.Production, &g.At, &g.Bytes, &g.How, &g.Term, &g.Ours, &g.Theirs, &g.Error)
			for e := range g.Expected {
				makeVisible(&g.Expected[e])
			}
		}
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		makeVisible(&p.A, &p.B)
		for k := range p.Shortest {
			makeVisible(&p.Shortest[k].A, &p.Shortest[k].B)
		}
	}
	return r
}

// makeVisible escapes the control characters of texts in place.
func makeVisible(texts ...*string) {
	for _, s := range texts {
		*s = results.Visible(*s)
	}
}
