package ast

const hexDigits = "0123456789ABCDEF"

// printable reports whether a terminal shows b as one visible column, wherever it stands.
func printable(b byte) bool { return b >= ' ' && b <= '~' }

// Quote gives s in double quotes, safe to print on any terminal: printable ASCII as it stands, but for the
// quote and the backslash, which get a backslash before them, and every other byte as \xHH. Characters
// beyond ASCII are shown as their bytes, since bytes are what the grammars are about, and so no control
// character and no bidirectional trick gets through. [strconv.Unquote] gives s back.
func Quote(s string) string {
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			b = append(b, '\\')
		}
		b = appendVisible(b, s[i])
	}
	return string(append(b, '"'))
}

func appendVisible(b []byte, c byte) []byte {
	if printable(c) {
		return append(b, c)
	}
	return append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
}

func columns(c byte) int {
	if printable(c) {
		return 1
	}
	return len(`\xHH`)
}

const (
	ellipsis = "..."
	minWidth = 16 // two ellipses, and room for what stands between them
)

// Excerpt gives the part of s around offset, at most width columns wide, and the column (from 0) at which a
// caret under it points at that byte, or behind the last one if offset is len(s); the caret fits into the
// width as well. Bytes that are not printable ASCII are shown as \xHH; what is cut off on a side is shown as
// "...". A width under 16 counts as 16, an offset outside s as its nearest end.
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
		b = appendVisible(b, s[i])
	}
	if offset == hi {
		column = len(b)
	}
	if hi < len(s) {
		b = append(b, ellipsis...)
	}
	return string(b), column
}

// fits reports whether all of s can be shown, with the caret.
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

// window chooses the bytes lo..hi around offset that fill at most width columns: half of them before it, the
// rest after it, and what is left over before it again.
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
