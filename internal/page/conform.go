package page

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/conform"
)

// CheckConform says what is wrong with results that were read from a file: they must be those of a run, with a comparison
// of each parser with each grammar.
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
