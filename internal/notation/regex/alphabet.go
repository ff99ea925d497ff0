package regex

import (
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// classes divide the symbols of an alphabet into those that some sets do not tell apart: symbols up to last[i], and
// after last[i-1], are in class[i]. count is the number of classes.
type classes struct {
	last  []rune
	class []int32
	count int
}

// partition returns the classes of the symbols up to last that the sets tell apart. The sets must have no symbol above
// last.
func partition(sets []set, last rune) *classes {
	cuts := []rune{last}
	for _, s := range sets {
		for _, r := range s {
			if r.Lo > 0 {
				cuts = append(cuts, r.Lo-1)
			}
			cuts = append(cuts, r.Hi)
		}
	}
	slices.Sort(cuts)
	p := &classes{last: slices.Compact(cuts)}
	var ids expr.Numbering[string]
	keys := make([][]byte, len(p.last))
	for i, s := range sets {
		for _, r := range s {
			for j, _ := slices.BinarySearch(p.last, r.Lo); j < len(p.last) && p.last[j] <= r.Hi; j++ {
				keys[j] = binary.AppendVarint(keys[j], int64(i))
			}
		}
	}
	for _, key := range keys {
		id, _ := ids.Of(string(key))
		p.class = append(p.class, int32(id))
	}
	p.count = len(ids.List)
	return p
}

// classOf returns the class of a symbol.
func (p *classes) classOf(r rune) int32 {
	i, _ := slices.BinarySearch(p.last, r)
	return p.class[i]
}

// classesIn returns, by class, whether its symbols are in s. s must be one of the sets of the partition, or a union of
// some.
func (p *classes) classesIn(s set) []bool {
	in := make([]bool, p.count)
	for _, r := range s {
		for i, _ := slices.BinarySearch(p.last, r.Lo); i < len(p.last) && p.last[i] <= r.Hi; i++ {
			in[p.class[i]] = true
		}
	}
	return in
}

// spelling returns the trie that spells the characters of r's alphabet in bytes. kinds has, for each kind of
// character in it, the classes of its symbols: two for a pair of UTF-16 units, otherwise one. The first p.count kinds
// are the classes themselves. The byte 0 is broken for flavors whose strings have none.
func (r *Regex) spelling(p *classes) (t *trie, kinds [][]int) {
	for c := range p.count {
		kinds = append(kinds, []int{c})
	}
	switch r.last {
	case lastByte:
		t = &trie{nodes: make([][256]int32, 1)}
		for b := range rune(256) {
			t.nodes[0][b] = -1 - p.classOf(b)
		}
		if r.dialect.has[noZero] {
			t.nodes[0][0] = broken
		}
		return t, kinds
	case lastPoint:
		return newTrie(p.last, p.class), kinds
	}
	// A character beyond U+FFFF is two units: each pair of classes is a kind.
	last, kind := slices.Clone(p.last), slices.Clone(p.class)
	// Between two of lowCuts all low halves are of one class, and after each high half so are the characters.
	lowCuts := []rune{0xdfff}
	for _, l := range p.last {
		if l >= 0xdc00 && l < 0xdfff {
			lowCuts = append(lowCuts, l)
		}
	}
	slices.Sort(lowCuts)
	var pairs expr.Numbering[[2]int32]
	for hi := rune(0xd800); hi < 0xdc00; hi++ {
		for _, lo := range lowCuts {
			pair := [2]int32{p.classOf(hi), p.classOf(lo)}
			i, fresh := pairs.Of(pair)
			if fresh {
				kinds = append(kinds, []int{int(pair[0]), int(pair[1])})
			}
			id := int32(p.count + i)
			end := 0x10000 + (hi-0xd800)<<10 + (lo - 0xdc00)
			if n := len(last) - 1; last[n] > 0xffff && kind[n] == id {
				last[n] = end
			} else {
				last, kind = append(last, end), append(kind, id)
			}
		}
	}
	return newTrie(last, kind), kinds
}

// The last symbols of the alphabets.
const (
	lastByte  = 0xff
	lastUnit  = 0xffff
	lastPoint = 0x10ffff
)
