package page

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/report/results"
)

// CheckConform reports what is wrong with results that were read from a file: they must be those of a run, with a
// comparison of each parser with each grammar.
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
	next := r.Comparisons
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

// harmless returns results in which no text moves a cursor or turns a line around: names, and what programs say, come from
// outside. The inputs stay as they are; whatever shows them takes them for bytes.
func harmless(r *conform.Report) *conform.Report {
	if r == nil {
		return nil
	}
	out := *r
	out.Implementations = slices.Clone(r.Implementations)
	for i := range out.Implementations {
		o := &out.Implementations[i]
		visible(&o.Name, &o.GaveUp)
		o.Faults = slices.Clone(o.Faults)
		for k, f := range o.Faults {
			clean := *f
			visible((*string)(&clean.Kind), &clean.Detail)
			o.Faults[k] = &clean
		}
	}
	out.Comparisons = slices.Clone(r.Comparisons)
	for i := range out.Comparisons {
		c := &out.Comparisons[i]
		visible(&c.Implementation)
		c.Groups = slices.Clone(c.Groups)
		for k := range c.Groups {
			g := &c.Groups[k]
			visible(&g.Component, &g.Production, &g.At, &g.Bytes, &g.How, &g.Term, &g.Ours, &g.Theirs, &g.Error)
			g.Expected = slices.Clone(g.Expected)
			for e := range g.Expected {
				visible(&g.Expected[e])
			}
		}
	}
	out.Pairs = slices.Clone(r.Pairs)
	for i := range out.Pairs {
		p := &out.Pairs[i]
		visible(&p.A, &p.B)
		p.Shortest = slices.Clone(p.Shortest)
		for k := range p.Shortest {
			visible(&p.Shortest[k].A, &p.Shortest[k].B)
		}
	}
	return &out
}

func visible(texts ...*string) {
	for _, s := range texts {
		*s = results.Visible(*s)
	}
}
