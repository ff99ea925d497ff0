package editor

import (
	"math"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

// An editor may send many edits in one message: 100,000 when it replaces one letter everywhere. Each range refers to
// the text that the edits before it have left. An editedText is a gap buffer of lines, so that an edit costs the lines
// that it changes and the distance from the edit before it: editors go through a text in one direction.

// An editedText is a text to which edits are applied, as lines around a cursor. Each line has its line end, except the
// last, which has none and may be empty.
type editedText struct {
	above []string // the lines before the cursor
	below []string // the lines after the cursor, the last one first; never empty
	size  int      // of the text, in bytes
	utf8  bool     // columns are bytes, as in lineIndex
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

// replace replaces a range by a text. A place outside the text counts as the nearest one in it, and an end before the
// start as the start.
func (t *editedText) replace(r protocol.Range, replacement string) {
	start, end := r.Start, r.End
	endOfText := protocol.Position{Line: uint32(len(t.above) + len(t.below) - 1), Character: math.MaxUint32}
	if start.Line > endOfText.Line {
		start = endOfText
	}
	if end.Line > endOfText.Line {
		end = endOfText
	}
	if end.Line < start.Line {
		end = start
	}
	t.moveTo(int(start.Line))
	lines := end.Line - start.Line
	old := t.popBelow(int(lines) + 1)
	changed := newLineIndex(old, t.utf8).span(protocol.Range{
		Start: protocol.Position{Line: 0, Character: start.Character},
		End:   protocol.Position{Line: lines, Character: end.Character},
	})
	now := old[:changed.Start] + replacement + old[changed.End:]
	t.size += len(now) - len(old)
	// A CR at the end of the line above and a LF that now follows it are one line end.
	if n := len(t.above); n > 0 && strings.HasSuffix(t.above[n-1], "\r") && strings.HasPrefix(now, "\n") {
		now = t.above[n-1] + now
		t.above = t.above[:n-1]
	}
	t.pushBelow(now)
}

// moveTo moves the cursor to the beginning of a line, counted from 0, which must exist.
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

// popBelow removes a number of lines after the cursor, which must exist, and returns them as one text.
func (t *editedText) popBelow(lines int) string {
	var b strings.Builder
	n := len(t.below) - lines
	for _, line := range slices.Backward(t.below[n:]) {
		b.WriteString(line)
	}
	t.below = t.below[:n]
	return b.String()
}

// pushBelow inserts the lines of a text after the cursor. If there are lines after the cursor, the text must end with a
// line end.
func (t *editedText) pushBelow(text string) {
	starts := newLineIndex(text, t.utf8).starts
	if len(t.below) > 0 {
		starts = starts[:len(starts)-1] // behind the line end at its end the index has another, empty line
	}
	end := len(text)
	for _, start := range slices.Backward(starts) {
		t.below = append(t.below, text[start:end])
		end = start
	}
}
