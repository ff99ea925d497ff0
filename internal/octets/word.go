// Package octets writes strings of bytes for people, in quotes, and for programs, as JSON. It imports only the standard
// library, so that package ast and package semantic can import it.
package octets

// A Word is a string of a language: any bytes.
type Word string

// String returns w safe for a terminal. Like a URL it has no quotes unless it is empty or has a space, a quote, a backslash
// or a byte that is not printable.
func (w Word) String() string {
	for i := range len(w) {
		if c := w[i]; c == ' ' || !Printable(c) || c == '"' || c == '\\' {
			return Quote(string(w))
		}
	}
	if w == "" {
		return `""`
	}
	return string(w)
}
