package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// appendJSON appends v as one line of JSON in ASCII, so that no text in it can move a terminal's cursor or turn the
// rest of the line around. v must be made of what encoding/json knows.
func appendJSON(b []byte, v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return append(b, fmt.Sprintf("{\"error\":%q}\n", err)...)
	}
	return appendASCII(b, buf.Bytes())
}

// appendASCII appends JSON with every character beyond printable ASCII, which can only stand in strings, written \uXXXX.
func appendASCII(b, text []byte) []byte {
	for len(text) > 0 {
		c := text[0]
		if c < 0x7f {
			b = append(b, c)
			text = text[1:]
			continue
		}
		r, n := utf8.DecodeRune(text)
		if r < 0x10000 {
			b = fmt.Appendf(b, `\u%04x`, r)
		} else {
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
		text = text[n:]
	}
	return b
}

// octets is text that may not be UTF-8: then it is given as base64, under another key.
type octets struct {
	Input  *string `json:"input,omitempty"`
	Base64 *string `json:"input_base64,omitempty"`
}

func newOctets(s string) octets {
	if utf8.ValidString(s) {
		return octets{Input: &s}
	}
	s = base64.StdEncoding.EncodeToString([]byte(s))
	return octets{Base64: &s}
}
