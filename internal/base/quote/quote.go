package quote

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

// Printable reports whether a terminal shows b as one visible column, wherever it stands.
func Printable(b byte) bool { return b >= ' ' && b <= '~' }

// Quote returns s in quotation marks, safe to print on any terminal. They are double quotes; if s holds a double quote
// or a backslash they are backquotes, so that it is shown as it is. Only a string that backquotes cannot hold, since
// it has a backquote itself or a byte that is not printable ASCII, is written with a backslash before a double quote
// and a backslash, and with \xHH for every byte that is not printable. [strconv.Unquote] returns s in each case.
func Quote(s string) string {
	raw, escaped := true, false
	for i := range len(s) {
		raw = raw && Printable(s[i]) && s[i] != '`'
		escaped = escaped || s[i] == '"' || s[i] == '\\'
	}
	if raw && escaped {
		return "`" + s + "`"
	}
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			b = append(b, '\\')
		}
		b = AppendVisible(b, s[i])
	}
	return string(append(b, '"'))
}

// CodePoints returns s with the code points outside of ASCII as U+061C, and what is between them in quotes. What is
// not UTF-8 is quoted as bytes.
func CodePoints(s string) string {
	var parts []string
	from := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if size > 1 {
			if from < i {
				parts = append(parts, Quote(s[from:i]))
			}
			parts = append(parts, fmt.Sprintf("U+%04X", r))
			from = i + size
		}
		i += size
	}
	if from < len(s) || s == "" {
		parts = append(parts, Quote(s[from:]))
	}
	return strings.Join(parts, " ")
}

// Name returns the name of a constant, names[v], or "Kind(17)" where there is none.
func Name[T ~uint8](kind string, v T, names ...string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return kind + "(" + strconv.Itoa(int(v)) + ")"
}

// List joins names as a sentence does: "a, b and c", with a word between the last two. Of more than LongNames it has
// the first, and the number of the others: "a, b and 3 more".
func List(names []string, word string) string {
	if more := len(names) - LongNames; more > 0 {
		return ListBeginning(names[:LongNames], more, word)
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// ListBeginning is List for names that are followed by more others, which are only counted.
func ListBeginning(names []string, more int, word string) string {
	if more == 0 {
		return List(names, word)
	}
	return fmt.Sprintf("%s %s %s more", strings.Join(names, ", "), word, Thousands(more))
}

// Thousands returns a number with its thousands apart: 1,000.
func Thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", Thousands(n/1000), n%1000)
}

// Visible returns s without quotation marks: printable ASCII as it is, and every other byte as \xHH.
func Visible(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		b = AppendVisible(b, s[i])
	}
	return string(b)
}

// AppendVisible appends c itself if it is printable ASCII, and \xHH if not.
func AppendVisible(b []byte, c byte) []byte {
	if Printable(c) {
		return append(b, c)
	}
	return append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
}
