package ast

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"sync"
)

// A packedReader reads packed tables: lists of unsigned numbers, compressed by DEFLATE, and written
// in printable ASCII (see [denseReader]). A list is its length, as a varint of encoding/binary, the
// number of bytes of an element, the lowest byte of each element, then the next byte of each, and
// so on. An empty list is its length alone.
type packedReader struct {
	rest *bufio.Reader
	ok   bool // false once the tables are found to be damaged; what is read then means nothing
}

// newPackedReader returns a reader of packed tables.
func newPackedReader(packed string) *packedReader {
	return &packedReader{bufio.NewReader(flate.NewReader(&denseReader{text: packed})), true}
}

// A denseReader reads bytes that are written in printable ASCII without quotation marks and
// backslashes. That leaves 91 characters, and two of them hold 13 bits, since 91 * 91 > 1 << 13.
// The lowest bits come first. This takes 8 % less room than base64. Line breaks ("\n") are for people: they
// may stand before a pair of characters, but not inside one. The last byte is followed by zero bits.
type denseReader struct {
	text string
	bits uint32 // read and not yet returned, the next ones lowest
	held int    // the number of these bits
}

const (
	denseDigits = 91
	denseBits   = 13
)

// denseDigit returns the value of a character, or -1 for one that is no digit.
func denseDigit(c byte) int {
	const digits = "!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~"
	return strings.IndexByte(digits, c)
}

// ReadByte implements [io.ByteReader]. It fails with io.EOF at the end of the text, even if a single
// character is left there, and with io.ErrUnexpectedEOF at two characters that do not stand for 13 bits.
func (r *denseReader) ReadByte() (byte, error) {
	for r.held < 8 {
		r.text = strings.TrimLeft(r.text, "\n")
		if len(r.text) < 2 {
			return 0, io.EOF
		}
		low, high := denseDigit(r.text[0]), denseDigit(r.text[1])
		value := low + denseDigits*high
		if low < 0 || high < 0 || value >= 1<<denseBits {
			return 0, io.ErrUnexpectedEOF
		}
		r.text = r.text[2:]
		r.bits |= uint32(value) << r.held
		r.held += denseBits
	}
	b := byte(r.bits)
	r.bits >>= 8
	r.held -= 8
	return b, nil
}

// Read implements [io.Reader].
func (r *denseReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		p[n], err = r.ReadByte()
		if err != nil {
			break
		}
		n++
	}
	if n > 0 {
		err = nil // it comes again with the next call
	}
	return n, err
}

// number reads a number of at most 32 bits, as a varint of encoding/binary. If the tables are
// damaged it returns 0 and sets ok to false.
func (r *packedReader) number() uint32 {
	v, err := binary.ReadUvarint(r.rest)
	if !r.ok || err != nil || v > math.MaxUint32 {
		r.ok = false
		return 0
	}
	return uint32(v)
}

// list reads a list, which is nil if it is empty. If the tables are damaged it returns nil and sets
// ok to false. Memory grows with the bytes that are read, so that a damaged length allocates
// nothing.
func (r *packedReader) list() []uint32 {
	const most = 1 << 26
	n := int(r.number())
	if n == 0 || n > most {
		r.ok = r.ok && n == 0
		return nil
	}
	width := int(r.byte())
	if width == 0 || width > 4 {
		r.ok = false
	}
	var list []uint32
	for plane := range width {
		for i := 0; i < n && r.ok; i++ {
			if plane == 0 {
				list = append(list, 0)
			}
			list[i] |= uint32(r.byte()) << (8 * plane)
		}
	}
	if !r.ok {
		return nil
	}
	return list
}

// byte reads one byte. At the end it returns 0 and sets ok to false.
func (r *packedReader) byte() byte {
	b, err := r.rest.ReadByte()
	r.ok = r.ok && err == nil
	return b
}

// single reads a list of one number, and returns the number, capped at the length of the longest
// list so that callers can allocate by it. For a list of any other length it returns 0 and sets ok
// to false.
func (r *packedReader) single() int {
	if list := r.list(); len(list) == 1 {
		return int(min(list[0], 1<<26)) // the most elements of a list
	}
	r.ok = false
	return 0
}

// counted reads n lists, written as a list of their lengths and one of all their elements, and calls f with each. If
// the tables are damaged it sets ok to false, and may have called f with some. Elements that are left over are
// ignored.
func (r *packedReader) counted(n int, f func(i int, list []uint32)) {
	counts, all := r.list(), r.list()
	r.ok = r.ok && len(counts) == n
	if !r.ok {
		return
	}
	for i, count := range counts {
		if int(count) > len(all) {
			r.ok = false
			return
		}
		f(i, all[:count])
		all = all[count:]
	}
}

// narrow returns a list with elements of a smaller type, which drops their higher bits. It returns
// nil for an empty list.
func narrow[To ~uint8 | ~uint16](list []uint32) []To {
	if len(list) == 0 {
		return nil
	}
	out := make([]To, len(list))
	for i, v := range list {
		out[i] = To(v)
	}
	return out
}

// unpack returns t if packed is empty. Otherwise it returns the tables that read reads from packed,
// and keeps them in unpacked under t.
func unpack[T any](t *T, packed string, read func(*packedReader) *T) *T {
	if packed == "" {
		return t
	}
	known, ok := unpacked.Load(t)
	if !ok {
		known, _ = unpacked.LoadOrStore(t, read(newPackedReader(packed)))
	}
	return known.(*T)
}

// unpacked holds what was unpacked: a *Tables under the *Tables that held it packed, and an
// *unpackedRules under its *Grammar.
var unpacked sync.Map

// byteSet returns the set of these bytes.
func byteSet(list []uint32) (s ByteSet) {
	for _, b := range list {
		s[b>>6&3] |= 1 << (b & 63)
	}
	return s
}

// explaining reads tables that explain rejections. It returns noTables if they are damaged. Numbers in them that lead
// nowhere are not looked for: the methods of [Machine] take these for the dead state.
func (r *packedReader) explaining() *Tables {
	t := &Tables{}
	if classes := r.list(); len(classes) == 256 {
		copy(t.Classes[:], narrow[uint8](classes))
	} else {
		return noTables
	}
	t.Width = r.single()
	t.Next, t.Note = narrow[uint16](r.list()), narrow[uint16](r.list())
	t.Notes = make([]TableNote, 0, len(t.Note))
	for _, accept := range r.list() {
		t.Notes = append(t.Notes, TableNote{Accept: accept != 0})
	}
	r.counted(len(t.Notes), func(i int, list []uint32) { t.Notes[i].In = narrow[Kind](list) })
	r.counted(len(t.Notes), func(i int, list []uint32) { t.Notes[i].Expected = narrow[uint16](list) })
	t.Expectations = make([]Expectation, r.single())
	r.counted(len(t.Expectations), func(i int, list []uint32) { t.Expectations[i].Term = string(narrow[uint8](list)) })
	r.counted(len(t.Expectations), func(i int, list []uint32) { t.Expectations[i].First = byteSet(list) })
	r.counted(len(t.Expectations), func(i int, list []uint32) { t.Expectations[i].In = narrow[Kind](list) })
	// The starts of all productions follow each other; then comes how many each production has.
	t.Starts = make([][]TableStart, r.single())
	var all []TableStart
	states, explained := r.list(), r.list()
	r.counted(len(states), func(i int, list []uint32) {
		if i < len(explained) {
			all = append(all, TableStart{string(narrow[uint8](list)), uint16(states[i]), Kind(explained[i])})
		}
	})
	for k, n := range r.list() {
		if k >= len(t.Starts) || int(n) > len(all) {
			return noTables
		}
		t.Starts[k], all = all[:n:n], all[n:]
	}
	if !r.ok {
		return noTables
	}
	return t
}
