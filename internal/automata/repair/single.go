package repair

import "slices"

// maxSingle caps the bytes that are read to find a single edit.
const maxSingle = 1 << 24

// NearestSingle is [NearestPlain] for a language that has no automaton, only a function that knows its
// strings. It looks for one byte to delete, substitute or insert. fault is the length of the longest
// beginning of s that a string of the language has too: no edit after it mends the error there.
//
// Among single edits it has the preferences of NearestPlain, and of equals it takes the one nearest to the
// fault. If s itself is accepted there are no steps. It reports false if no single edit is known to do: there
// is none, or trying them all would take too long.
func NearestSingle(accepts func(s string) bool, fault int, s string) (steps []Step, ok bool) {
	if accepts(s) {
		return nil, true
	}
	t := &single{accepts: accepts, s: s}
	near := max(fault-1, 0)
	for _, places := range [][2]int{{near, fault}, {0, near - 1}} {
		finds := []func(at int) (Step, bool){t.otherCase, t.insertion, t.likeForOne, t.deletion, t.replacement}
		for _, find := range finds {
			for at := places[1]; at >= places[0]; at-- {
				if t.read > maxSingle { // too much was read: nothing more is tried
					return nil, false
				}
				if step, ok := find(at); ok {
					return []Step{step}, true
				}
			}
		}
	}
	return nil, false
}

// A single is the state of one call of [NearestSingle].
type single struct {
	accepts func(s string) bool
	s       string
	edited  []byte
	read    int // bytes of all strings that were tried
}

// niceBytes has all bytes, those first that are nicer to show.
var niceBytes = func() (list []byte) {
	for x := range 256 {
		list = append(list, byte(x))
	}
	slices.SortStableFunc(list, func(x, y byte) int {
		switch {
		case nicer(x, y):
			return -1
		case nicer(y, x):
			return 1
		}
		return 0
	})
	return list
}()

// mends reports whether s is accepted with the edit. It also reports false once too much was read.
func (t *single) mends(step Step) bool {
	if t.read > maxSingle {
		return false
	}
	at := int(step.Offset)
	t.edited = append(t.edited[:0], t.s[:at]...)
	if step.Kind != Delete {
		t.edited = append(t.edited, step.Byte)
	}
	if step.Kind != Insert {
		at++
	}
	t.edited = append(t.edited, t.s[at:]...)
	t.read += len(t.edited) + 1
	return t.read <= maxSingle && t.accepts(string(t.edited))
}

// insertion returns the step that inserts the nicest byte before offset at that mends s; it reports false if
// none does.
func (t *single) insertion(at int) (Step, bool) {
	for _, x := range niceBytes {
		if step := (Step{Kind: Insert, Offset: int32(at), Byte: x}); t.mends(step) {
			return step, true
		}
	}
	return Step{}, false
}

// deletion returns the step that deletes the byte at an offset, and reports whether that mends s.
func (t *single) deletion(at int) (Step, bool) {
	step := Step{Kind: Delete, Offset: int32(at)}
	return step, at < len(t.s) && t.mends(step)
}

// otherCase returns the step that puts the letter at an offset in its other case, and reports whether that
// mends s.
func (t *single) otherCase(at int) (Step, bool) { return t.substitution(at, isOtherCase) }

// likeForOne is substitution by a byte of the same sort.
func (t *single) likeForOne(at int) (Step, bool) {
	return t.substitution(at, func(old, by byte) bool { return sortOf(old) == sortOf(by) })
}

// replacement is substitution by a byte of another sort.
func (t *single) replacement(at int) (Step, bool) {
	return t.substitution(at, func(old, by byte) bool { return sortOf(old) != sortOf(by) })
}

// substitution returns the step that substitutes the nicest wanted byte for the one at an offset, among those
// that mend s. It reports false if none does.
func (t *single) substitution(at int, wanted func(old, by byte) bool) (Step, bool) {
	if at >= len(t.s) {
		return Step{}, false
	}
	for _, x := range niceBytes {
		step := Step{Kind: Substitute, Offset: int32(at), Byte: x}
		if x != t.s[at] && wanted(t.s[at], x) && t.mends(step) {
			return step, true
		}
	}
	return Step{}, false
}

// isOtherCase reports whether two bytes are one letter in its two cases.
func isOtherCase(x, y byte) bool { return x^y == 0x20 && sortOf(x) == letter }
