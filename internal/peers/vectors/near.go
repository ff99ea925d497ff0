package vectors

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
)

// maxNear caps the number of strings that Near returns, and maxNearBytes their bytes: each string near a long base is
// about as long.
const (
	maxNear      = 200_000
	maxNearBytes = 64 << 20
)

// Near returns the strings that are at most one edit away from one of the bases: a byte deleted, or a byte of each
// class of the automaton inserted or substituted. Each occurs once, after its base. They suit parsers that also check
// the meaning of a string, and so refuse most strings of a suite: here most of a base stays as it is. complete is
// false if there are maxNear of them or more, or maxNearBytes of bytes; list then has the first.
func Near(d *lang.DFA, bases []string) (list []string, complete bool) {
	seen := map[string]bool{}
	size := 0 // of all strings in list
	add := func(parts ...string) {
		w := strings.Join(parts, "")
		if !seen[w] && len(list) < maxNear && size < maxNearBytes {
			seen[w] = true
			list = append(list, w)
			size += len(w)
		}
	}
	for _, base := range bases {
		add(base)
		for at := range len(base) + 1 {
			before, after := base[:at], base[at:]
			if after != "" {
				add(before, after[1:])
			}
			for c := range d.Classes() {
				x := string([]byte{d.Readable(c)})
				add(before, x, after)
				if after != "" {
					add(before, x, after[1:])
				}
			}
			if len(list) == maxNear || size >= maxNearBytes { // there may be more
				return list, false
			}
		}
	}
	return list, true
}
