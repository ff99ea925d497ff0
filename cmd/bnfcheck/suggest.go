package main

import (
	"fmt"
	"slices"
	"strings"
)

// didYouMean adds to an error about a name the known names that are nearest to it, where any is near. Known names may
// have a description after a tab, as completion wants it.
func didYouMean(err error, name string, known ...func() []string) error {
	most := min(2, len(name)/3) // edits; a name of one or two letters is near to too many
	var near []string
	for _, list := range known {
		for _, k := range list() {
			k, _, _ = strings.Cut(k, "\t")
			n := edits(name, k)
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

// edits is the least number of bytes to insert, delete or replace that makes b of a (Levenshtein's distance).
func edits(a, b string) int {
	row := make([]int, len(b)+1) // row[j]: from the part of a before i to the first j bytes of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
