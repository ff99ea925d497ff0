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

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// ReadInputs returns the inputs of a suite that [Plan.WriteLines] or [Plan.WriteJSONLines] wrote: each line may be in
// either form, and comments, empty lines and headers are skipped. name is only for errors. It fails at a line that is
// no vector or longer than maxLine, naming it, and with an [fs.PathError] if r fails.
func ReadInputs(name string, r io.Reader) (inputs []string, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimRight(lines.Bytes(), "\r\n")
		if len(line) > 0 && line[0] != '#' {
			input, ok, bad := readVector(line)
			if bad != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, bad)
			}
			if ok {
				inputs = append(inputs, input)
			}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: a line of more than %d bytes: no vector is that long", name, number+1, maxLine)
	case err != nil:
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return inputs, nil
}

// maxLine caps the length of a line of a suite that is read: a string of a megabyte takes up to four times as much.
const maxLine = 8 << 20

// readVector returns the input of one vector; ok is false for a header. It fails for a line of another form; line must
// not be empty.
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
	if input, ok := quote.Join(v.Input, v.Base64); ok {
		return input, true, nil
	}
	if v.Header != nil && v.Input == nil {
		return "", false, nil
	}
	return "", false, errors.New("not one of input and base64")
}
