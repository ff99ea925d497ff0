// Package octets holds strings of bytes as people and programs are shown them.
package octets

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Word is a string of a language: any bytes. Its JSON form is a string or, where it is not UTF-8, an object
// {"base64": ...}.
type Word string

// MarshalJSON returns w as JSON.
func (w Word) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(w)) {
		return json.Marshal(string(w))
	}
	return json.Marshal(map[string][]byte{"base64": []byte(w)})
}

// String returns w safe for a terminal. Like a URL it stands without quotes, except where it is empty or has a space, a
// quote, or what cannot be printed.
func (w Word) String() string {
	for i := range len(w) {
		if c := w[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return ast.Quote(string(w))
		}
	}
	if w == "" {
		return `""`
	}
	return string(w)
}
