package annotated

import (
	"slices"
	"strings"
)

// A Reading is one way in which an input can go on. Path has the productions that would read the next byte,
// outermost first. Begins says that this byte would be the beginning of the innermost one: none of its bytes
// was read, and no optional part of it was skipped.
type Reading struct {
	Path   []string
	Begins bool
}

// Place returns the path down to the innermost production that all readings share. A rejection names it as
// the place where the input goes wrong, and a difference as the place where one side stops. There must be at
// least one reading.
//
// A reading that merely goes on after an inner production ends does not count: the "/" and "?" that may
// follow an hsegment leave the place in the hsegment. If the readings branch, and the branches end in the
// same productions, those are shared, below one step that names the branches: "(waisindex | waisdoc)". So the
// place is the hsegment at the end of a segment, the host where a hostname or a hostnumber may begin, the
// login where a user or a host may be open, the schemepart where an ip-schemepart may begin or another xchar.
// The last step is always a production.
func Place(readings []Reading) []string {
	// A path that another one continues is left out, unless its production begins there: its reading goes on after an
	// inner production ends.
	outer := map[string]bool{} // the paths that another one continues
	for _, r := range readings {
		for i := range r.Path {
			outer[strings.Join(r.Path[:i], "\n")] = true
		}
	}
	var paths [][]string
	seen := map[string]bool{}
	for _, r := range readings {
		key := strings.Join(r.Path, "\n")
		if (!outer[key] || r.Begins) && !seen[key] {
			seen[key] = true
			paths = append(paths, r.Path)
		}
	}
	return sharedPath(paths)
}

// sharedPath returns the longest prefix that all the paths share. If the paths branch after it, and the
// shared paths of all branches end in the same productions, a step that names the branches follows, and then
// those productions. A branch that consists of these productions alone is named "directly".
func sharedPath(paths [][]string) []string {
	top := paths[0] // shared from the top
	for _, p := range paths[1:] {
		n := 0
		for n < min(len(top), len(p)) && p[n] == top[n] {
			n++
		}
		top = top[:n]
	}
	// The branches below it, by their first production.
	var order []string
	branches := map[string][][]string{}
	for _, p := range paths {
		if len(p) == len(top) {
			return top
		}
		name := p[len(top)]
		if branches[name] == nil {
			order = append(order, name)
		}
		branches[name] = append(branches[name], p)
	}
	var rests [][]string
	for _, name := range order {
		rests = append(rests, sharedPath(branches[name])[len(top):])
	}
	bottom := rests[0] // shared by the branches at their ends
	for _, r := range rests[1:] {
		n := 0
		for n < min(len(bottom), len(r)) && r[len(r)-1-n] == bottom[len(bottom)-1-n] {
			n++
		}
		bottom = bottom[len(bottom)-n:]
	}
	if len(bottom) == 0 {
		return top
	}
	var between []string
	for _, r := range rests {
		r = r[:len(r)-len(bottom)]
		if len(r) == 0 {
			r = []string{"directly"}
		}
		between = append(between, strings.Join(r, " > "))
	}
	return slices.Concat(top, []string{"(" + strings.Join(between, " | ") + ")"}, bottom)
}
