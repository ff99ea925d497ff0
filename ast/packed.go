package ast

import (
	"bufio"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
	"sync"
)

// A packedReader reads packed tables: unsigned numbers, each in the variable length of encoding/binary, compressed by DEFLATE, in the
// standard encoding of base64. A list is its length, and then each value with the number of times that it follows.
type packedReader struct {
	rest *bufio.Reader
	ok   bool
}

func newPackedReader(packed string) *packedReader {
	return &packedReader{bufio.NewReader(flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))), true}
}

func (r *packedReader) number() uint32 {
	v, err := binary.ReadUvarint(r.rest)
	if !r.ok || err != nil || v > math.MaxUint32 {
		r.ok = false
		return 0
	}
	return uint32(v)
}

func (r *packedReader) list() []uint32 {
	const most = 1 << 26
	n := int(r.number())
	if n == 0 || n > most {
		r.ok = r.ok && n == 0
		return nil
	}
	var list []uint32
	for len(list) < n && r.ok {
		v, times := r.number(), int(r.number())
		if times == 0 || times > n-len(list) {
			r.ok = false
			return nil
		}
		for range times {
			list = append(list, v)
		}
	}
	return list
}

// single reads a list of one number.
func (r *packedReader) single() int {
	if list := r.list(); len(list) == 1 {
		return int(min(list[0], 1<<26)) // as many as a list may have
	}
	r.ok = false
	return 0
}

// counted reads a list of lists: the length of each, and then all elements.
func (r *packedReader) counted(n int, f func(i int, list []uint32)) {
	counts, all := r.list(), r.list()
	if r.ok = r.ok && len(counts) == n; !r.ok {
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

// unpack returns tables: themselves, or what read makes of those that are packed.
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

// unpacked holds the tables that were packed.
var unpacked sync.Map // of *Tables

// byteSet returns the set of these bytes.
func byteSet(list []uint32) (s ByteSet) {
	for _, b := range list {
		s[b>>6&3] |= 1 << (b & 63)
	}
	return s
}

// explaining reads tables that explain rejections. It returns noTables if they are damaged.
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
