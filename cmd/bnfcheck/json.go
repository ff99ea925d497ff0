package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/results"
)

// All JSON is printed in ASCII, so that no text in it can move a terminal's cursor or turn the rest of a line around.

// appendJSON appends v as one line. v must be made of what encoding/json knows.
func appendJSON(b []byte, v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return append(appendString(append(b, `{"error":`...), err.Error()), "}\n"...)
	}
	return results.AppendASCII(b, buf.String())
}

// printAll prints values as text or as JSON, one a line.
func printAll[T any](s *streams, format *choice, values []T, writeText func(io.Writer, []T) error) error {
	if format.value == "text" {
		return writeText(s.out, values)
	}
	for _, v := range values {
		if _, err := s.out.Write(appendJSON(nil, v)); err != nil {
			return err
		}
	}
	return nil
}

// appendString appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= ' ' && r <= '~':
			b = append(b, byte(r))
		default:
			b = results.AppendEscape(b, r)
		}
	}
	return append(b, '"')
}

// appendOctets appends a member whose value is s or, where s is not UTF-8, its base64, under a name that says so.
func appendOctets(b []byte, name, s string) []byte {
	if utf8.ValidString(s) {
		return appendString(append(append(append(b, '"'), name...), `":`...), s)
	}
	b = append(append(append(b, '"'), name...), `_base64":"`...)
	return append(base64.StdEncoding.AppendEncode(b, []byte(s)), '"')
}
