package ast

import (
	"bufio"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
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
		return int(list[0])
	}
	r.ok = false
	return 0
}
