package semantic

import (
	"fmt"
	"iter"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
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
func (p Part) Decoded() string { return percent.Decode(p.Raw) }

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
			if o, ok := percent.At(p.Raw, i); ok {
				n, octet = len("%XX"), o
			}
			if !yield(p.sub(i, i+n), octet) {
				return
			}
			i += n
		}
	}
}
