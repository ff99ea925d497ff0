package main

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// All JSON is printed in ASCII, so that no text in it can move a terminal's cursor or turn the rest of a line around.

// appendJSON appends v as one line. v must be made of what encoding/json knows.
func appendJSON(b []byte, v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return append(octets.AppendString(append(b, `{"error":`...), err.Error()), "}\n"...)
	}
	return octets.AppendASCII(b, buf.String())
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
