package ast

import "github.com/bnfcheck/bnfcheck/internal/base/quote"

// Quote returns s in quotation marks, safe to print on any terminal. They are double quotes, or
// backquotes if s has a double quote or a backslash. Printable ASCII stands for itself, and every
// other byte is written as \xHH. If s has such a byte, or a backquote, the quotation marks are
// double quotes in any case, and a double quote or backslash in s is preceded by a backslash. So
// characters beyond ASCII are shown as their bytes, which is what the grammars are about, and no
// control character or bidirectional override reaches the terminal. [strconv.Unquote] returns s
// again.
func Quote(s string) string { return quote.Quote(s) }

// columns returns how many columns a byte takes in an excerpt: one, or four as \xHH.
func columns(c byte) int {
	if quote.Printable(c) {
		return 1
	}
	return len(`\xHH`)
}

const (
	ellipsis = "..."
	minWidth = 16 // two ellipses and some text
)

// Excerpt returns the part of s around offset, at most width columns wide, and the column (from 0)
// at which a caret on the next line points at the byte at offset, or just after the last byte if
// offset is len(s). The caret fits into the width too. Bytes that are not printable ASCII are
// written as \xHH, and "..." marks text that is cut off. A width below 16 counts as 16, and an
// offset outside s as the nearest end of s.
func Excerpt(s string, offset, width int) (text string, column int) {
	offset = min(max(offset, 0), len(s))
	width = max(width, minWidth)
	lo, hi := 0, len(s)
	if !fits(s, offset, width) {
		lo, hi = window(s, offset, width-2*len(ellipsis))
	}
	b := make([]byte, 0, width)
	if lo > 0 {
		b = append(b, ellipsis...)
	}
	for i := lo; i < hi; i++ {
		if i == offset {
			column = len(b)
		}
		b = quote.AppendVisible(b, s[i])
	}
	if offset == hi {
		column = len(b)
	}
	if hi < len(s) {
		b = append(b, ellipsis...)
	}
	return string(b), column
}

// fits reports whether all of s and the caret fit into width columns.
func fits(s string, offset, width int) bool {
	if len(s) > width {
		return false
	}
	need := 0
	if offset == len(s) {
		need = 1
	}
	for i := range len(s) {
		need += columns(s[i])
	}
	return need <= width
}

// window returns the bytes lo..hi around offset that fit into width columns. It takes up to half of
// the columns for the bytes before offset, then as many as needed for those after it, and uses any
// remaining columns for bytes before it.
func window(s string, offset, width int) (lo, hi int) {
	lo, hi = offset, offset
	used := 1 // the caret's column
	if offset < len(s) {
		used = columns(s[offset])
		hi++
	}
	for lo > 0 && used+columns(s[lo-1]) <= width/2 {
		lo--
		used += columns(s[lo])
	}
	for hi < len(s) && used+columns(s[hi]) <= width {
		used += columns(s[hi])
		hi++
	}
	for lo > 0 && used+columns(s[lo-1]) <= width {
		lo--
		used += columns(s[lo])
	}
	return lo, hi
}
