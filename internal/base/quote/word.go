// Package quote writes strings of bytes for people, in quotes, and for programs, as JSON. It imports only the standard
// library, so that package ast and package semantic can import it.
package quote

import "unicode/utf8"

// A Word is a string of a language: any bytes.
type Word string

// Points returns w as a string of code points: what [CodePoints] returns if it is UTF-8 with a character outside of
// ASCII, and what String returns otherwise.
func (w Word) Points() string {
	if utf8.ValidString(string(w)) && utf8.RuneCountInString(string(w)) < len(w) {
		return CodePoints(string(w))
	}
	return w.String()
}

// String returns w safe for a terminal. Like a URL it has no quotation marks unless it is empty, begins with one, or
// has a space or a byte that is not printable.
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
