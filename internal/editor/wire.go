package editor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The base protocol: a header of lines that end in CR LF, an empty line, and as many bytes of JSON as Content-Length
// says. The library's codec trusts the lengths that it reads, so this one replaces it: it caps a header at maxHeader
// bytes and a message at maxMessage.

const (
	maxHeader  = 4 << 10
	maxMessage = 32 << 20
)

// errLength reports a message without a usable length.
var errLength = errors.New("expected a header with a Content-Length")

// A codec reads and writes messages.
type codec struct{}

// WriteObject writes a message.
func (codec) WriteObject(w io.Writer, obj any) error {
	text, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	_, err = w.Write(append([]byte(fmt.Sprintf("Content-Length: %d\r\n\r\n", len(text))), text...))
	return err
}

// ReadObject reads a message into v. It returns [io.EOF] at the end of the input, and [io.ErrUnexpectedEOF] if that
// is inside a message. It also fails as readHeader does, and for what is no JSON or does not fit v.
func (codec) ReadObject(r *bufio.Reader, v any) error {
	length, err := readHeader(r)
	if err != nil {
		return err
	}
	// The bytes are read as they come, so that a length alone takes no memory.
	text, err := io.ReadAll(io.LimitReader(r, length))
	if err != nil {
		return err
	}
	if int64(len(text)) < length {
		return io.ErrUnexpectedEOF
	}
	return json.Unmarshal(text, v)
}

// readHeader reads a header and returns the length of the message. It skips empty lines before the header, and lines
// other than Content-Length, of which the last counts. It returns [io.EOF] only if no header begins, and errLength if
// there is no usable length. It fails if the header or the message would be too long.
func readHeader(r *bufio.Reader) (length int64, err error) {
	length = -1 // none yet
	begun := false
	for left := maxHeader; ; { // all lines together have at most maxHeader bytes
		line, err := readHeaderLine(r, left)
		left -= len(line)
		switch {
		case err == io.EOF && begun:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" && begun {
			break
		}
		begun = begun || line != ""
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 62)
			if err != nil {
				return 0, errLength
			}
			length = int64(n)
		}
	}
	switch {
	case length < 0:
		return 0, errLength
	case length > maxMessage:
		return 0, fmt.Errorf("a message of %d bytes; the most that is read is %d", length, maxMessage)
	}
	return length, nil
}

// readHeaderLine reads a line of a header and returns it with its newline. It fails if the line has more than most
// bytes. It returns [io.EOF] only if no line begins, and [io.ErrUnexpectedEOF] if the input ends inside it.
func readHeaderLine(r *bufio.Reader, most int) (string, error) {
	var b strings.Builder
	for b.Len() < most {
		c, err := r.ReadByte()
		if err == io.EOF && b.Len() > 0 {
			return "", io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		b.WriteByte(c)
		if c == '\n' {
			return b.String(), nil
		}
	}
	return "", errors.New("a header that is too long")
}
