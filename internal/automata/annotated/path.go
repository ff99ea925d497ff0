package annotated

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Reading is one way in which an input can go on. Path has the productions around the next byte, outermost first; the
// first Begun of them began before it. After is the production that ends just before the next byte and stands directly
// in the last one of Path: [Nothing] if there is none, [Anything] if it is not known.
type Reading struct {
	Path  []string
	Begun int
	After string
	Bytes expr.Set // the next byte is one of these; none if they are not known
}

// Nothing and Anything are values of the field After of a [Reading].
const (
	Nothing  = ""
	Anything = "*"
)

// Place returns the path down to the innermost production that all readings share. A rejection names it as the place
// where the input goes wrong, and a difference as the place where one side stops. There must be at least one reading,
// and all must begin with the same production. The function empty reports whether a production derives the empty
// string. Where productions nest, [ast.General] names the place of a rejection, and all readings count.
//
// A reading that follows an inner production does not count if that production could go on instead: the "/" and "?"
// that may follow an hsegment leave the place in the hsegment. If it is not known which one it follows, any production
// directly inside that could go on hides it. An inner production that only begins hides nothing, unless it can be
// empty: where the letters of a line may go on, or its end begin, the place is the line, and after the "/" of a path
// the hsegment, which is there in any case.
//
// A reading does not count either if productions directly inside, which began before, could read all of its bytes:
// after the "%" of an escape the place is the escape, although a "%09" could be the beginning of the next part.
//
// If the readings branch, and the branches end in the same productions, those are shared, below one step that names
// the branches: "(waisindex | waisdoc)". So the place is the hsegment at the end of a segment, the host where a
// hostname or a hostnumber may begin, the login where a user or a host may be open, the schemepart where an
// ip-schemepart may begin or another xchar. The last step is always a production.
func Place(readings []Reading, empty func(production string) bool) []string {
	// By the key of a path, see prefixKeys:
	goesOn := map[string]bool{}     // its last production could go on, which hides what follows it
	hides := map[string]bool{}      // a production that stands directly in its last one could go on
	inside := map[string]expr.Set{} // the bytes read in those that stand directly in its last one, and began before
	keys := make([]string, len(readings))
	for i, r := range readings {
		prefixes := prefixKeys(r.Path)
		keys[i] = prefixes[len(r.Path)]
		for j, name := range r.Path {
			around, here := prefixes[j], prefixes[j+1]
			if j < r.Begun || empty(name) {
				goesOn[here] = true
				hides[around] = true
			}
			if j < r.Begun {
				inside[around] = inside[around].Union(r.Bytes)
			}
		}
	}
	var paths [][]string
	seen := map[string]bool{}
	for i, r := range readings {
		hidden := !r.Bytes.IsEmpty() && r.Bytes.Minus(inside[keys[i]]).IsEmpty()
		switch r.After {
		case Nothing:
		case Anything:
			hidden = hidden || hides[keys[i]]
		default:
			hidden = hidden || goesOn[keyOf(keys[i], r.After)]
		}
		if !hidden && !seen[keys[i]] {
			seen[keys[i]] = true
			paths = append(paths, r.Path)
		}
	}
	return sharedPath(paths) // there is one: nothing hides a reading with the longest path
}

// prefixKeys returns for each n the key of the first n productions of a path: a string that no other path has.
func prefixKeys(path []string) []string {
	all := keyOf("", strings.Join(path, "\n"))
	keys := make([]string, len(path)+1)
	end := 0
	for i, name := range path {
		end += len(name) + 1
		keys[i+1] = all[:end]
	}
	return keys
}

// keyOf returns the key of the path with this key and one more production at its end. No name has a line feed.
func keyOf(around, name string) string { return around + "\n" + name }

// sharedPath returns the longest prefix that all the paths share, of which there must be at least one. If the paths
// branch after it, and the shared paths of all branches end in the same productions, a step that names the branches
// follows, and then those productions. A branch that consists of these productions alone is named "directly".
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
