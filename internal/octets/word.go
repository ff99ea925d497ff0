// Package octets writes strings of bytes for people, in quotes, and for programs, as JSON. It imports only the standard
// library, so that package ast and package semantic can import it.
package octets

// A Word is a string of a language: any bytes.
type Word string

// String returns w safe for a terminal. Like a URL it has no quotation marks unless it is empty, begins with one, or has a
// space or a byte that is not printable.
func (w Word) String() string {
	for i := range len(w) {
		if c := w[i]; c == ' ' || !Printable(c) || i == 0 && (c == '"' || c == '\'' || c == '`') {
			return Quote(string(w))
		}
	}
	if w == "" {
		return `""`
	}
	return string(w)
}
