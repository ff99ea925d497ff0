package octets

const hexDigits = "0123456789ABCDEF"

// Printable reports whether a terminal shows b as one visible column, wherever it stands.
func Printable(b byte) bool { return b >= ' ' && b <= '~' }

// Quote returns s in double quotes, safe to print on any terminal: printable ASCII as it is, with a backslash before a
// quote and a backslash, and every other byte as \xHH. [strconv.Unquote] returns s.
func Quote(s string) string {
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

// AppendVisible appends c as it is if it is printable ASCII, and as \xHH otherwise.
func AppendVisible(b []byte, c byte) []byte {
	if Printable(c) {
		return append(b, c)
	}
	return append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
}
