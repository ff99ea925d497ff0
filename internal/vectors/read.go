package vectors

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// ReadInputs returns the inputs of a suite that [Plan.WriteLines] or [Plan.WriteJSONLines] wrote. The error names the line
// that is no vector, or is an [fs.PathError] where r fails.
func ReadInputs(name string, r io.Reader) (inputs []string, err error) {
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		line := bytes.TrimRight(text, "\r\n")
		if len(line) > 0 && line[0] != '#' {
			input, ok, bad := readVector(line)
			if bad != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, bad)
			}
			if ok {
				inputs = append(inputs, input)
			}
		}
		if err == io.EOF {
			return inputs, nil
		}
	}
}

// readVector returns the input of one vector; ok is false for a header.
func readVector(line []byte) (input string, ok bool, err error) {
	if line[0] != '{' {
		signs, rest, found := strings.Cut(string(line), " ")
		if !found || signs == "" || strings.Trim(signs, "+-") != "" {
			return "", false, errors.New(`not a vector: expected "+" or "-" for each RFC, a space, and a string`)
		}
		input, err = Unescape(rest)
		return input, true, err
	}
	var v struct {
		Header json.RawMessage
		Input  *string
		Base64 []byte
	}
	if err := json.Unmarshal(line, &v); err != nil {
		return "", false, err
	}
	if input, ok := octets.Join(v.Input, v.Base64); ok {
		return input, true, nil
	}
	if v.Header != nil && v.Input == nil {
		return "", false, nil
	}
	return "", false, errors.New("not one of input and base64")
}
