package annotated

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Pack returns lists of numbers as package ast unpacks them: for each list its length and, unless it is empty, the
// number of bytes that a number takes, then the lowest byte of each number, the next of each, and so on. The whole is
// compressed by DEFLATE, and written in printable ASCII (see encodeDense). Numbers must not be negative.
func Pack(lists ...[]int) string { return pack(flate.BestCompression, lists) }

// Store is like [Pack] without compression, for tables that are unpacked at once.
func Store(lists ...[]int) string { return pack(flate.NoCompression, lists) }

// pack packs lists with a level of DEFLATE, from 0 to 9. If there are more than 4 MiB to compress, a level above the
// fastest is lowered to that. Numbers must not be negative.
func pack(level int, lists [][]int) string {
	var b []byte
	for _, list := range lists {
		b = binary.AppendUvarint(b, uint64(len(list)))
		if len(list) == 0 {
			continue
		}
		// Bytes of one weight stand together: the high ones are nearly all the same, which compresses well.
		width := (bits.Len(uint(slices.Max(list)|1)) + 7) / 8
		b = append(b, byte(width))
		for shift := 0; shift < 8*width; shift += 8 {
			for _, n := range list {
				b = append(b, byte(n>>shift))
			}
		}
	}
	var out bytes.Buffer
	if len(b) > 4<<20 { // the best compression takes many seconds for long repetitive input
		level = min(level, flate.BestSpeed)
	}
	w := writerOf(level)
	w.Reset(&out)
	w.Write(b) // writes to memory, as Close does: no error
	w.Close()
	writers[level].Put(w)
	return encodeDense(out.Bytes())
}

// writers keeps used writers, by level: making one takes longer than packing a short list with it.
var writers [flate.BestCompression + 1]sync.Pool

// writerOf returns a writer of a level, used or new. The caller has to reset it, and puts it back.
func writerOf(level int) *flate.Writer {
	if w, ok := writers[level].Get().(*flate.Writer); ok {
		return w
	}
	w, _ := flate.NewWriter(nil, level) // fails only for an unknown level
	return w
}

// digits are the characters that encodeDense writes.
const digits = "!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~"

// encodeDense writes bytes in printable ASCII without quotation marks and backslashes: 13 bits, the lowest first, in
// two of 91 characters. The last 13 bits are filled up with zeros.
func encodeDense(data []byte) string {
	var text []byte
	var waiting uint32 // bits that are not written
	held := 0          // how many
	put := func() {
		value := waiting & (1<<13 - 1)
		text = append(text, digits[value%91], digits[value/91])
		waiting >>= 13
		held -= 13
	}
	for _, b := range data {
		waiting |= uint32(b) << held
		held += 8
		if held >= 13 {
			put()
		}
	}
	if held > 0 {
		put()
	}
	return string(text)
}

// Lists is the inverse of [Pack]: it returns all lists of a packed text, an empty one as a list without elements. It
// fails for a text that does not begin with lists in this form. What follows the compressed lists is passed over, and
// so are the bytes of a number beyond the eighth.
func Lists(packed string) ([][]int, error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(decodeDense(packed))))
	if err != nil {
		return nil, err
	}
	var lists [][]int
	for len(data) > 0 {
		n, size := binary.Uvarint(data)
		data = data[max(size, 0):]
		width := 0
		if size > 0 && n > 0 && len(data) > 0 {
			width = int(data[0])
			data = data[1:]
		}
		if size <= 0 || n > uint64(len(data)) || int(n)*width > len(data) || (n > 0) != (width > 0) {
			return nil, errors.New("the text is no packed lists")
		}
		list := make([]int, n)
		for plane := range width {
			for i := range list {
				list[i] |= int(data[i]) << (8 * plane)
			}
			data = data[n:]
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// decodeDense is the inverse of encodeDense, with one zero byte more at the end if the last two characters have eight
// bits or more to spare. It stops at the first pair of characters that are not both digits, and passes over a last
// character without a second one.
func decodeDense(text string) (data []byte) {
	var waiting uint32
	held := 0
	for ; len(text) >= 2; text = text[2:] {
		low, high := strings.IndexByte(digits, text[0]), strings.IndexByte(digits, text[1])
		if low < 0 || high < 0 {
			break
		}
		waiting |= uint32(low+91*high) << held
		for held += 13; held >= 8; held -= 8 {
			data = append(data, byte(waiting))
			waiting >>= 8
		}
	}
	return data
}

// Counted returns n lists as the two lists that package ast unpacks: the length of each, and all their elements. at
// returns the i-th list, and is called twice for each.
func Counted(n int, at func(i int) []int) (counts, all []int) {
	for i := range n {
		counts, all = append(counts, len(at(i))), append(all, at(i)...)
	}
	return counts, all
}

// NumberReached numbers states depth-first: first the states of order, then all that they lead to, then each
// state of from that has no number yet, with all that it leads to, before the next of from. So most states
// follow the one that leads to them, and the same small numbers come again, which compresses well.
//
// It returns the states in the order of their numbers, from 0, as all, and the numbers of the states in from as
// starts. counts has the number of successors of each state. to has all successors as an [ast.Automaton] has them
// packed: the number of each, less that of the state that leads to it, plus states, so that none is negative; states
// must be more than any number. next is called several times for a state, and has to return the same each time.
func NumberReached[Q ~int32](order, from []Q, next func(q Q) []Q, states int) (
	all []Q, starts, counts, to []int,
) {
	number := map[Q]int{}
	visit := func(q Q) {
		if _, ok := number[q]; !ok {
			number[q] = len(all)
			all = append(all, q)
		}
	}
	for _, q := range order {
		visit(q)
	}
	var stack []Q // still to be visited, the next on top
	visitAll := func(q Q) {
		for stack = append(stack, q); len(stack) > 0; {
			q := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if _, ok := number[q]; ok {
				continue
			}
			visit(q)
			for _, to := range slices.Backward(next(q)) {
				stack = append(stack, to)
			}
		}
	}
	for _, q := range order { // they have numbers, but their successors may have none
		for _, to := range next(q) {
			visitAll(to)
		}
	}
	for _, q := range from {
		visitAll(q)
		starts = append(starts, number[q])
	}
	for i, q := range all {
		list := next(q)
		counts = append(counts, len(list))
		for _, q := range list {
			to = append(to, number[q]-i+states)
		}
	}
	return all, starts, counts, to
}

// Bits returns the list with 1 for true and 0 for false.
func Bits(list []bool) []int {
	out := make([]int, len(list))
	for i, v := range list {
		if v {
			out[i] = 1
		}
	}
	return out
}

// PackTables returns tables as the field Packed of [ast.Tables] holds them. t.Packed must be empty, and stays so.
func PackTables(t *ast.Tables) string {
	var lists [][]int
	add := func(more ...[]int) { lists = append(lists, more...) }
	var accepts []bool
	for _, n := range t.Notes {
		accepts = append(accepts, n.Accept)
	}
	add(Numbers(t.Classes[:]), []int{t.Width}, Numbers(t.Next), Numbers(t.Note), Bits(accepts))
	add(Counted(len(t.Notes), func(i int) []int { return Numbers(t.Notes[i].In) }))
	add(Counted(len(t.Notes), func(i int) []int { return Numbers(t.Notes[i].Expected) }))
	add([]int{len(t.Expectations)})
	add(Counted(len(t.Expectations), func(i int) []int { return Numbers([]byte(t.Expectations[i].Term)) }))
	add(Counted(len(t.Expectations), func(i int) []int { return Numbers(expr.Set(t.Expectations[i].First).Members()) }))
	add(Counted(len(t.Expectations), func(i int) []int { return Numbers(t.Expectations[i].In) }))
	add([]int{len(t.Starts)})
	var states, explained, counts []int
	var all []ast.TableStart
	for _, starts := range t.Starts {
		counts, all = append(counts, len(starts)), append(all, starts...)
	}
	for _, s := range all {
		states, explained = append(states, int(s.State)), append(explained, int(s.Explained))
	}
	add(states, explained)
	add(Counted(len(all), func(i int) []int { return Numbers([]byte(all[i].Prefix)) }))
	add(counts)
	return Pack(lists...)
}

// Numbers converts a list to the numbers that [Pack] takes.
func Numbers[N ~uint8 | ~uint16](list []N) []int {
	out := make([]int, len(list))
	for i, n := range list {
		out[i] = int(n)
	}
	return out
}

// Members returns, for one set after the other, a number for each class of the partition: 1 if the set has bytes of
// the class, and otherwise 0.
func Members(of *expr.Partition, sets ...expr.Set) (list []int) {
	for _, s := range sets {
		in := make([]int, of.N)
		for _, c := range of.In(s) {
			in[c] = 1
		}
		list = append(list, in...)
	}
	return list
}
