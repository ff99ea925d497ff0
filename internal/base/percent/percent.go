// Package percent reads and writes the percent-encoding of URLs, in which an escape "%XX" stands for an octet. The
// texts since RFC 1630 agree on it; which octets need an escape differs, and is for callers to say.
//
// A "%" without two hexadecimal digits after it stands for itself here. No grammar of URLs derives one.
package percent

import (
	"iter"
	"strings"
)

const upperHex = "0123456789ABCDEF"

// Append appends the escape of an octet, with digits in upper case.
func Append(dst []byte, octet byte) []byte {
	return append(dst, '%', upperHex[octet>>4], upperHex[octet&15])
}

// texts holds the escape of every octet, one after the other, so that Of need not allocate.
var texts = func() string {
	var b []byte
	for octet := range 256 {
		b = Append(b, byte(octet))
	}
	return string(b)
}()

// Of returns the escape of an octet, with digits in upper case.
func Of(octet byte) string { return texts[len("%XX")*int(octet):][:len("%XX")] }

// At returns the octet of the escape at s[i], and reports whether there is one.
func At(s string, i int) (byte, bool) {
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

// All returns the offset of each escape in s, and the octet that it stands for.
func All(s string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for i := 0; ; {
			next := strings.IndexByte(s[i:], '%')
			if next < 0 {
				return
			}
			i += next
			octet, ok := At(s, i)
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

// Decode returns s with its escapes decoded. It copies only a string that has a "%".
func Decode(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	out := append(make([]byte, 0, len(s)), s[:i]...)
	for ; i < len(s); i++ {
		octet, ok := At(s, i)
		if ok {
			i += len("XX")
		} else {
			octet = s[i]
		}
		out = append(out, octet)
	}
	return string(out)
}

// EncodeExcept returns octets with all encoded but the unreserved ones and those in bare.
func EncodeExcept(octets, bare string) string {
	var out []byte
	for i := range len(octets) {
		if x := octets[i]; Unreserved(x) || strings.IndexByte(bare, x) >= 0 {
			out = append(out, x)
		} else {
			out = Append(out, x)
		}
	}
	return string(out)
}

// Unreserved reports whether b is unreserved in RFC 3986: it means the same bare and encoded in every component.
//
//	unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"   (RFC 3986 section 2.3)
func Unreserved(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' ||
		b == '-' || b == '.' || b == '_' || b == '~'
}

// Changes are those that [Normalize] makes besides putting the digits of escapes in upper case.
type Changes struct {
	Fold   bool // bare letters are put in lower case, those that Decode makes bare too
	Decode bool // the escapes of unreserved characters are decoded
}

// Normalize returns s with the digits of its escapes in upper case, and with the changes made. It copies only a string
// that changes.
func Normalize(s string, c Changes) string {
	var b []byte // nil as long as nothing has changed
	for i := 0; i < len(s); {
		text, n := s[i:i+1], 1
		if octet, ok := At(s, i); ok {
			text, n = Of(octet), len("%XX")
			if c.Decode && Unreserved(octet) {
				text = string(octet)
			}
		}
		if c.Fold && len(text) == 1 && 'A' <= text[0] && text[0] <= 'Z' {
			text = string(text[0] | 0x20)
		}
		if b == nil && text != s[i:i+n] {
			b = append(make([]byte, 0, len(s)), s[:i]...)
		}
		if b != nil {
			b = append(b, text...)
		}
		i += n
	}
	if b == nil {
		return s
	}
	return string(b)
}
