package semantic

import (
	"fmt"
	"iter"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Part is a piece of a URL: its text as written, and its place. The zero Part is absent. A part that is present may
// be empty, which is different: "ftp://@host.com/" has an empty user name, "ftp://host.com/" has none (RFC 1738
// section 3.1).
type Part struct {
	Raw     string // as written, escapes included
	start   int32
	present bool
}

// Present reports whether the URL has this part, empty or not.
func (p Part) Present() bool { return p.present }

// Start returns the offset of the part's first byte in the URL.
func (p Part) Start() int { return int(p.start) }

// End returns the offset of the first byte after the part.
func (p Part) End() int { return int(p.start) + len(p.Raw) }

// String returns the place and the text of the part as a node's is printed, 7..15 "host.dom", and "absent" for the
// zero Part. It is safe for a terminal. The text itself is Raw.
func (p Part) String() string {
	if !p.present {
		return "absent"
	}
	return fmt.Sprintf("%d..%d %s", p.Start(), p.End(), ast.Quote(p.Raw))
}

// Decoded returns the octets that the part stands for: each triplet of "%" and two hexadecimal digits is the octet with
// that value, each other character the octet that is its code in US-ASCII (RFC 1738 section 2.2; RFC 1630,
// "Conventional URI encoding scheme"). Only a part that holds an escape is copied.
func (p Part) Decoded() string { return decode(p.Raw) }

// sub returns the piece of p between two offsets that count from p's start.
func (p Part) sub(from, to int) Part {
	return Part{Raw: p.Raw[from:to], start: p.start + int32(from), present: true}
}

// cut splits p around the first sep. Without a sep, before is p and after is absent.
func (p Part) cut(sep byte) (before, after Part) {
	if i := strings.IndexByte(p.Raw, sep); i >= 0 {
		return p.sub(0, i), p.sub(i+1, len(p.Raw))
	}
	return p, Part{}
}

// Split returns the pieces of p between the separators, empty ones included; an absent part has none.
func (p Part) Split(sep byte) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		if !p.present {
			return
		}
		from := 0
		for i := range len(p.Raw) {
			if p.Raw[i] != sep {
				continue
			}
			if !yield(p.sub(from, i)) {
				return
			}
			from = i + 1
		}
		yield(p.sub(from, len(p.Raw)))
	}
}

// octets returns the octets that p stands for, each with the character or triplet that it is written as.
func (p Part) octets() iter.Seq2[Part, byte] {
	return func(yield func(Part, byte) bool) {
		for i := 0; i < len(p.Raw); {
			n, octet := 1, p.Raw[i]
			if o, ok := escaped(p.Raw, i); ok {
				n, octet = len("%XX"), o
			}
			if !yield(p.sub(i, i+n), octet) {
				return
			}
			i += n
		}
	}
}

// decode expands escapes. A "%" without two hexadecimal digits after it stands for itself; no accepted URL has one.
func decode(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	return string(appendDecoded(append(make([]byte, 0, len(s)), s[:i]...), s[i:]))
}

// appendDecoded appends s with its escapes decoded.
func appendDecoded(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if octet, ok := escaped(s, i); ok {
			dst = append(dst, octet)
			i += 2
			continue
		}
		dst = append(dst, s[i])
	}
	return dst
}

// escaped returns the octet of the triplet at s[i], and reports whether there is one.
func escaped(s string, i int) (byte, bool) {
	if i+2 >= len(s) || s[i] != '%' {
		return 0, false
	}
	hi, ok1 := hexValue(s[i+1])
	lo, ok2 := hexValue(s[i+2])
	return hi<<4 | lo, ok1 && ok2
}

// hexValue returns the value of a hexadecimal digit, and reports whether b is one.
func hexValue(b byte) (byte, bool) {
	switch {
	case '0' <= b && b <= '9':
		return b - '0', true
	case 'A' <= b && b <= 'F':
		return b - 'A' + 10, true
	case 'a' <= b && b <= 'f':
		return b - 'a' + 10, true
	}
	return 0, false
}

const upperHex = "0123456789ABCDEF"

// appendEscape appends the escape of an octet, with digits in upper case.
func appendEscape(dst []byte, octet byte) []byte {
	return append(dst, '%', upperHex[octet>>4], upperHex[octet&15])
}

// escapeTexts holds the escape of every octet, one after the other.
var escapeTexts = func() string {
	var b []byte
	for octet := range 256 {
		b = appendEscape(b, byte(octet))
	}
	return string(b)
}()

// escapes returns the offset of each triplet in s and the octet it stands for.
func escapes(s string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for i := 0; ; {
			next := strings.IndexByte(s[i:], '%')
			if next < 0 {
				return
			}
			i += next
			octet, ok := escaped(s, i)
			if !ok {
				i++
				continue
			}
			if !yield(i, octet) {
				return
			}
			i += len("%XX")
		}
	}
}
