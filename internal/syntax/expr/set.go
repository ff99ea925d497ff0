package expr

import (
	"fmt"
	"math/bits"
	"strings"
)

// Set is a set of bytes. The zero value is empty, and sets can be compared with ==.
type Set [4]uint64

// AnyByte holds all 256 bytes.
var AnyByte = Set{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// Bytes returns the set of the bytes in s.
func Bytes(s string) Set {
	var t Set
	for i := 0; i < len(s); i++ {
		t.Add(s[i])
	}
	return t
}

// Range returns the set of all bytes from lo to hi, both included.
func Range(lo, hi byte) Set {
	var t Set
	for b := int(lo); b <= int(hi); b++ {
		t.Add(byte(b))
	}
	return t
}

// Add puts b into s.
func (s *Set) Add(b byte) { s[b>>6] |= 1 << (b & 63) }

// Has reports whether b is in s.
func (s Set) Has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

// Union returns the bytes in s or t.
func (s Set) Union(t Set) Set { return Set{s[0] | t[0], s[1] | t[1], s[2] | t[2], s[3] | t[3]} }

// Intersect returns the bytes in both s and t.
func (s Set) Intersect(t Set) Set { return Set{s[0] & t[0], s[1] & t[1], s[2] & t[2], s[3] & t[3]} }

// Minus returns the bytes in s and not in t.
func (s Set) Minus(t Set) Set { return Set{s[0] &^ t[0], s[1] &^ t[1], s[2] &^ t[2], s[3] &^ t[3]} }

// Complement returns the bytes not in s.
func (s Set) Complement() Set { return AnyByte.Minus(s) }

// IsEmpty reports whether s has no byte.
func (s Set) IsEmpty() bool { return s == Set{} }

// Len counts the bytes in s.
func (s Set) Len() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

// Members lists the bytes in s, ascending.
func (s Set) Members() []byte {
	out := make([]byte, 0, s.Len())
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			out = append(out, byte(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return out
}

// Ranges lists the longest runs of neighboring bytes in s, ascending, each as its first and last byte.
func (s Set) Ranges() [][2]byte {
	var out [][2]byte
	for _, b := range s.Members() {
		if n := len(out); n > 0 && out[n-1][1]+1 == b {
			out[n-1][1] = b
		} else {
			out = append(out, [2]byte{b, b})
		}
	}
	return out
}

// String prints s as a character class: [0-9A-Fa-f], [^\x00-\x1f].
func (s Set) String() string {
	if s == AnyByte {
		return "."
	}
	var b strings.Builder
	b.WriteByte('[')
	if s.Len() > 128 {
		b.WriteByte('^')
		s = s.Complement()
	}
	for _, r := range s.Ranges() {
		b.WriteString(classByte(r[0]))
		if r[1] > r[0] {
			if r[1] > r[0]+1 {
				b.WriteByte('-')
			}
			b.WriteString(classByte(r[1]))
		}
	}
	b.WriteByte(']')
	return b.String()
}

// classByte returns a byte in the form of [Set.String], with a backslash if it needs one.
func classByte(c byte) string {
	switch {
	case strings.IndexByte(`]\^-`, c) >= 0:
		return `\` + string(rune(c))
	case c < 0x20 || c >= 0x7f:
		return fmt.Sprintf(`\x%02x`, c)
	}
	return string(rune(c))
}
