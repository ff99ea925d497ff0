package bnf

import "strings"

// A markFinder finds the next of one kind of mark on a line. It remembers what it found, so that searches whose offsets
// ascend take linear time together, however long the lines are and however many marks are missing. All searches
// must be in the same text and for the same mark.
type markFinder struct {
	from int // of the last search
	next int // the first mark from there on, or the end of the text
	end  int // the end of its line
}

// find returns the offset in text of the first mark, from an offset on, that is on the same line as that offset. It is
// -1 if there is none.
func (f *markFinder) find(text, mark string, from int) int {
	if from < f.from { // the reader went back
		*f = markFinder{}
	}
	// first returns the first offset of s: the one that is known, unless it has been passed.
	first := func(known int, s string) int {
		if known > from {
			return known
		}
		if n := strings.Index(text[from:], s); n >= 0 {
			return from + n
		}
		return len(text)
	}
	f.from, f.next, f.end = from, first(f.next, mark), first(f.end, "\n")
	if f.next >= f.end {
		return -1
	}
	return f.next
}
