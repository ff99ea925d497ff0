package editor

import (
	"math"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

// An editor sends several edits of a text in one message, 100,000 where it replaces a letter everywhere. The range of
// each is one of the text after the edits before it. An editedText keeps the text as lines around a cursor, so that an
// edit costs the lines that it changes and the way from the edit before it: editors go through a text from one end to
// the other.

// An editedText is a text to which edits are applied. Its lines have their ends, but for the last, which has none and
// may be empty.
type editedText struct {
	above []string // the lines before the cursor
	below []string // those from there on, the last line first; at least one
	size  int      // the bytes of all
	utf8  bool     // columns are bytes
}

// newEditedText returns a text to edit, with the cursor at its beginning.
func newEditedText(text string, utf8 bool) *editedText {
	t := &editedText{size: len(text), utf8: utf8}
	t.pushBelow(text)
	return t
}

// String returns the text after the edits so far.
func (t *editedText) String() string {
	var b strings.Builder
	b.Grow(t.size)
	for _, line := range t.above {
		b.WriteString(line)
	}
	for _, line := range slices.Backward(t.below) {
		b.WriteString(line)
	}
	return b.String()
}

// replace replaces a range by a text. A place outside the text counts as the nearest place in it, and an end before the
// start as the start.
func (t *editedText) replace(r protocol.Range, by string) {
	last := int64(len(t.above)+len(t.below)) - 1
	first := int64(r.Start.Line)
	if first > last { // its place is the end of the text
		first, r.Start = last, protocol.Position{Line: uint32(last), Character: math.MaxUint32}
	}
	t.moveTo(int(first))
	lines := max(1, min(int64(r.End.Line), last)-first+1)
	old := t.popBelow(int(lines))
	r.Start.Line -= uint32(first)
	// An end on a line before the start becomes the start.
	if int64(r.End.Line) < first {
		r.End = r.Start
	} else {
		r.End.Line -= uint32(first)
	}
	at := newLineIndex(old, t.utf8).span(r)
	now := old[:at.Start] + by + old[at.End:]
	t.size += len(now) - len(old)
	// A CR and a LF that now begins the next line are the end of one line.
	if n := len(t.above); n > 0 && strings.HasSuffix(t.above[n-1], "\r") {
		now = t.above[n-1] + now
		t.above = t.above[:n-1]
	}
	t.pushBelow(now)
}

// moveTo moves the cursor before a line, which the text must have.
func (t *editedText) moveTo(line int) {
	for len(t.above) > line {
		n := len(t.above) - 1
		t.below = append(t.below, t.above[n])
		t.above = t.above[:n]
	}
	for len(t.above) < line {
		n := len(t.below) - 1
		t.above = append(t.above, t.below[n])
		t.below = t.below[:n]
	}
}

// popBelow removes so many lines after the cursor, which must be there, and returns them as one text.
func (t *editedText) popBelow(lines int) string {
	n := len(t.below) - lines
	removed := slices.Clone(t.below[n:])
	slices.Reverse(removed)
	t.below = t.below[:n]
	return strings.Join(removed, "")
}

// pushBelow inserts the lines of a text after the cursor. A text that is not inserted before the end must end with the
// end of a line.
func (t *editedText) pushBelow(text string) {
	starts := newLineIndex(text, t.utf8).starts
	if len(t.below) > 0 { // the text ends with the end of a line, and what follows is there
		starts = starts[:len(starts)-1]
	}
	end := len(text)
	for _, start := range slices.Backward(starts) {
		t.below = append(t.below, text[start:end])
		end = start
	}
}
