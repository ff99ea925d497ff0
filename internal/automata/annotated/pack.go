package annotated

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Pack returns lists of numbers as package ast unpacks them: lengths and runs of numbers, compressed, in base64.
func Pack(lists ...[]int) string { return pack(flate.BestCompression, lists) }

// Store is Pack, without the time for compressing, for what is unpacked at once.
func Store(lists ...[]int) string { return pack(flate.NoCompression, lists) }

func pack(level int, lists [][]int) string {
	var b []byte
	put := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	for _, list := range lists {
		put(len(list))
		for len(list) > 0 {
			times := 1
			for times < len(list) && list[times] == list[0] {
				times++
			}
			put(list[0])
			put(times)
			list = list[times:]
		}
	}
	var out bytes.Buffer
	if len(b) > 1<<20 { // it takes many seconds for what repeats that often
		level = min(level, flate.BestSpeed)
	}
	w, _ := flate.NewWriter(&out, level) // whose error is a level that there is not
	w.Write(b)                           // into memory, as does Close
	w.Close()
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// PackTables returns tables as [ast.Tables] holds them packed.
func PackTables(t *ast.Tables) string {
	var lists [][]int
	add := func(list []int) { lists = append(lists, list) }
	counted := func(n int, at func(i int) []int) {
		var counts, all []int
		for i := range n {
			counts, all = append(counts, len(at(i))), append(all, at(i)...)
		}
		add(counts)
		add(all)
	}
	var accepts []int
	for _, n := range t.Notes {
		accepts = append(accepts, 0)
		if n.Accept {
			accepts[len(accepts)-1] = 1
		}
	}
	add(Numbers(t.Classes[:]))
	add([]int{t.Width})
	add(Numbers(t.Next))
	add(Numbers(t.Note))
	add(accepts)
	counted(len(t.Notes), func(i int) []int { return Numbers(t.Notes[i].In) })
	counted(len(t.Notes), func(i int) []int { return Numbers(t.Notes[i].Expected) })
	add([]int{len(t.Expectations)})
	counted(len(t.Expectations), func(i int) []int { return Numbers([]byte(t.Expectations[i].Term)) })
	counted(len(t.Expectations), func(i int) []int { return Numbers(expr.Set(t.Expectations[i].First).Members()) })
	counted(len(t.Expectations), func(i int) []int { return Numbers(t.Expectations[i].In) })
	add([]int{len(t.Starts)})
	var states, explained, counts []int
	var all []ast.TableStart
	for _, starts := range t.Starts {
		counts, all = append(counts, len(starts)), append(all, starts...)
	}
	for _, s := range all {
		states, explained = append(states, int(s.State)), append(explained, int(s.Explained))
	}
	add(states)
	add(explained)
	counted(len(all), func(i int) []int { return Numbers([]byte(all[i].Prefix)) })
	add(counts)
	return Pack(lists...)
}

// Numbers returns numbers as Pack takes them.
func Numbers[N ~uint8 | ~uint16](list []N) []int {
	out := make([]int, len(list))
	for i, n := range list {
		out[i] = int(n)
	}
	return out
}

// Members returns for each set, and in it for each class of a partition, 1 if the set has the class and 0 if not.
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
