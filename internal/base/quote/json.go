package quote

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON has no strings of bytes. This package has the two forms in which bytes are written: a [Word] is a value, and
// [AppendMember] writes a member of an object, under one of two names. Where a struct has both members, [Split] returns
// their values and [Join] takes them. A string that is UTF-8 is a JSON string in both forms, any other is base64.

// MarshalJSON returns w as a string if it is UTF-8, and as an object {"base64": ...} otherwise.
func (w Word) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(w)) {
		return json.Marshal(string(w))
	}
	return json.Marshal(map[string][]byte{"base64": []byte(w)})
}

// errNoWord is the error of JSON that MarshalJSON does not write.
var errNoWord = errors.New(`neither a string nor {"base64":"..."}`)

// UnmarshalJSON sets w to the value that MarshalJSON writes as data.
func (w *Word) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		*w = Word(text)
		return nil
	}
	var object struct {
		Base64 *[]byte `json:"base64"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	if object.Base64 == nil {
		return errNoWord
	}
	*w = Word(*object.Base64)
	return nil
}

// Split returns s as text if it is UTF-8, and otherwise as bytes, which encoding/json writes in base64. The other
// result is nil, so that a member with omitempty is left out.
func Split(s string) (text *string, base64 []byte) {
	if utf8.ValidString(s) {
		return &s, nil
	}
	return nil, []byte(s)
}

// Join returns the string that Split was given. ok reports whether just one of text and base64 is there; without
// either the string is empty, and with both it is text.
func Join(text *string, base64 []byte) (s string, ok bool) {
	if text != nil {
		return *text, base64 == nil
	}
	return string(base64), base64 != nil
}

// AppendMember appends a member of an object: "name":"..." if s is UTF-8, and "name_base64":"..." otherwise. It is
// ASCII.
func AppendMember(b []byte, name, s string) []byte {
	b = append(append(b, '"'), name...)
	if utf8.ValidString(s) {
		return AppendString(append(b, `":`...), s)
	}
	b = append(b, `_base64":"`...)
	return append(base64.StdEncoding.AppendEncode(b, []byte(s)), '"')
}

// AppendString appends s as a JSON string in ASCII: a control character or a bidirectional mark that encoding/json
// leaves as it is could move a terminal's cursor or reorder its text. Bytes that are not UTF-8 become U+FFFD.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	for len(s) > 0 {
		n := 0
		for n < len(s) && plain[s[n]] {
			n++
		}
		b, s = append(b, s[:n]...), s[n:]
		if s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		if r == '"' || r == '\\' {
			b = append(b, '\\', byte(r))
		} else {
			b = appendEscape(b, r)
		}
		s = s[size:]
	}
	return append(b, '"')
}

// plain has the bytes that stand for themselves in a JSON string: printable ASCII without the quotation mark and the
// backslash.
var plain = func() (set [256]bool) {
	for b := ' '; b <= '~'; b++ {
		set[b] = b != '"' && b != '\\'
	}
	return set
}()

// AppendJSON appends v as encoding/json writes it on one line, but in ASCII, and without escapes for "<" and
// "&". It fails where encoding/json does.
func AppendJSON(b []byte, v any) ([]byte, error) { return AppendIndented(b, v, "", "") }

// AppendIndented is like [AppendJSON], with lines that are indented as [json.Indent] does it.
func AppendIndented(b []byte, v any, prefix, indent string) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	err := e.Encode(v)
	return AppendASCII(b, strings.TrimSuffix(text.String(), "\n")), err
}

// AppendASCII appends JSON text with every character outside printable ASCII escaped; white space between values
// stays. In text, control characters below U+0020 must be escaped already, as encoding/json does it.
func AppendASCII(b []byte, text string) []byte {
	for _, r := range text { // only strings hold other characters than ASCII
		if r < 0x7f {
			b = append(b, byte(r))
		} else {
			b = appendEscape(b, r)
		}
	}
	return b
}

// appendEscape appends r as an escape of a JSON string: \u20ac, or two of these beyond U+FFFF.
func appendEscape(b []byte, r rune) []byte {
	if r < 0x10000 {
		return fmt.Appendf(b, `\u%04x`, r)
	}
	high, low := utf16.EncodeRune(r)
	return fmt.Appendf(b, `\u%04x\u%04x`, high, low)
}
