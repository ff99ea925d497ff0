package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// didYouMean adds to an error about a name the known names that are nearest to it, where any is near. Known names may
// have a description after a tab, as completion wants it.
func didYouMean(err error, name string, known ...func() []string) error {
	most := min(2, len(name)/3) // edits; a name of one or two letters is near to too many
	var near []string
	for _, list := range known {
		for _, k := range list() {
			k, _, _ = strings.Cut(k, "\t")
			n := levenshtein.ComputeDistance(name, k)
			switch {
			case n > most || slices.Contains(near, k):
				continue
			case n < most:
				most, near = n, nil
			}
			near = append(near, k)
		}
	}
	if len(near) == 0 {
		return err
	}
	return fmt.Errorf("%w. Did you mean %s?", err, strings.Join(near, " or "))
}
