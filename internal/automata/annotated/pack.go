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

// counted returns a list of lists as package ast unpacks them: the length of each, and all elements.
func counted(n int, at func(i int) []int) (counts, all []int) {
	for i := range n {
		counts, all = append(counts, len(at(i))), append(all, at(i)...)
	}
	return counts, all
}

// Reached returns the states that are reached from some, in the order in which they are found, behind those of an order. It returns the places
// of from in it and, as an [ast.Automaton] has them packed, how many states each leads to and how far these are from it.
func Reached(order, from []int32, next func(q int32) []int32, states int) (all []int32, starts, counts, to []int) {
	number := map[int32]int{}
	visit := func(q int32) int {
		if _, ok := number[q]; !ok {
			number[q] = len(all)
			all = append(all, q)
		}
		return number[q]
	}
	for _, q := range order {
		visit(q)
	}
	for _, q := range from {
		starts = append(starts, visit(q))
	}
	for i := 0; i < len(all); i++ {
		list := next(all[i])
		counts = append(counts, len(list))
		for _, q := range list {
			to = append(to, visit(q)-i+states) // most are near, so that many numbers come again
		}
	}
	return all, starts, counts, to
}

// Bits returns 1 for true.
func Bits(list []bool) []int {
	out := make([]int, len(list))
	for i, v := range list {
		if v {
			out[i] = 1
		}
	}
	return out
}

// PackNetwork returns a network as [ast.Network] holds it packed.
func PackNetwork(n *ast.Network) string {
	var kinds expr.Numbering[ast.NetworkEdge] // apart from where they lead to
	var calls []int
	counts, edges := counted(len(n.Edges), func(q int) (list []int) {
		for _, e := range n.Edges[q] {
			to := int(e.To)
			e.To = 0
			i, fresh := kinds.Of(e)
			if fresh {
				calls = append(calls, int(e.Call))
			}
			list = append(list, i, to)
		}
		return list
	})
	lengths, terms := counted(len(calls), func(i int) []int { return Numbers([]byte(kinds.List[i].Term)) })
	sizes, sets := counted(len(calls), func(i int) []int { return Numbers(expr.Set(kinds.List[i].Set).Members()) })
	return Pack(Numbers(n.Start), Numbers(n.Kind), Bits(n.Final), Bits(n.Empty), calls, lengths, terms, sizes, sets, counts, edges)
}

// PackTables returns tables as [ast.Tables] holds them packed.
func PackTables(t *ast.Tables) string {
	var lists [][]int
	add := func(more ...[]int) { lists = append(lists, more...) }
	var accepts []bool
	for _, n := range t.Notes {
		accepts = append(accepts, n.Accept)
	}
	add(Numbers(t.Classes[:]), []int{t.Width}, Numbers(t.Next), Numbers(t.Note), Bits(accepts))
	add(counted(len(t.Notes), func(i int) []int { return Numbers(t.Notes[i].In) }))
	add(counted(len(t.Notes), func(i int) []int { return Numbers(t.Notes[i].Expected) }))
	add([]int{len(t.Expectations)})
	add(counted(len(t.Expectations), func(i int) []int { return Numbers([]byte(t.Expectations[i].Term)) }))
	add(counted(len(t.Expectations), func(i int) []int { return Numbers(expr.Set(t.Expectations[i].First).Members()) }))
	add(counted(len(t.Expectations), func(i int) []int { return Numbers(t.Expectations[i].In) }))
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
	add(counted(len(all), func(i int) []int { return Numbers([]byte(all[i].Prefix)) }))
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
