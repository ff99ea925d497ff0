package bnftogo

import (
	"encoding/binary"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
)

// A backward is a deterministic automaton that reads the input from its end. Its state at a place knows, for each site, which
// candidate is the first from which the rest of the input can be derived.
type backward struct {
	next   [][]int32 // by state and class
	labels [][]int   // by site and state; -1 where no candidate is right
}

// backward returns the automaton for the sites of t; its state 0 is that at the end of the input.
func (t *transducer) backward() *backward {
	d := t.d
	// The states of the dfa that matter, merged where they accept the same.
	index := map[int32]int32{}
	var states []int32
	use := func(s int32) int32 {
		i, ok := index[s]
		if !ok {
			i = int32(len(states))
			index[s] = i
			states = append(states, s)
		}
		return i
	}
	use(0)
	for _, s := range t.sites {
		for _, x := range s.cands {
			use(d.of(x.to))
		}
	}
	var next [][]int32
	for i := 0; i < len(states); i++ {
		row := make([]int32, d.width)
		for c, s := range d.row(states[i]) {
			row[c] = use(s)
		}
		next = append(next, row)
	}
	out := make([]string, len(states))
	for i, s := range states {
		if d.accepts[s] {
			out[i] = "x"
		}
	}
	block, n := refine(next, out, d.n.budget)
	merged := make([][]int32, n)
	ends := make([]bool, n)
	for i, b := range block {
		if merged[b] == nil {
			merged[b] = make([]int32, d.width)
			for c, p := range next[i] {
				merged[b][c] = block[p]
			}
		}
		ends[b] = out[i] != ""
	}

	// Its reversal: a state is the set of those from which the rest of the input is accepted.
	words := (n + 63) / 64
	first := make([]uint64, words)
	for i, is := range ends {
		if is {
			first[i/64] |= 1 << (i % 64)
		}
	}
	columns := make([][]int32, d.width)
	for c := range columns {
		columns[c] = make([]int32, n)
		for q, to := range merged {
			columns[c][q] = to[c]
		}
	}
	b := &backward{}
	known := map[string]int32{}
	var sets [][]uint64
	state := func(set []uint64) int32 {
		key := make([]byte, 0, 8*words)
		for _, w := range set {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
		if i, ok := known[string(key)]; ok {
			return i
		}
		if len(sets)*words >= t.limit*4 {
			panic(tooLarge{})
		}
		i := int32(len(sets))
		known[string(key)] = i
		sets = append(sets, set)
		return i
	}
	state(first)
	for i := 0; i < len(sets); i++ {
		set := sets[i]
		row := make([]int32, d.width)
		d.n.budget.Step(d.width * (words + n/4))
		for c := range row {
			before := make([]uint64, words)
			for q, p := range columns[c] {
				if set[p/64]>>(p%64)&1 != 0 {
					before[q/64] |= 1 << (q % 64)
				}
			}
			row[c] = state(before)
		}
		b.next = append(b.next, row)
	}
	outs := make([]string, len(sets))
	labels := make([][]int, len(t.sites))
	for k, s := range t.sites {
		labels[k] = make([]int, len(sets))
		for i, set := range sets {
			labels[k][i] = -1
			for _, x := range s.cands {
				if p := block[index[d.of(x.to)]]; set[p/64]>>(p%64)&1 != 0 {
					labels[k][i] = x.label
					break
				}
			}
			outs[i] += string(rune(labels[k][i] + 1))
		}
	}
	merge, n := refine(b.next, outs, d.n.budget)
	// State 0 keeps its number, since refine numbers the blocks in the order of their first states.
	small := &backward{next: make([][]int32, n), labels: make([][]int, len(t.sites))}
	for k := range labels {
		small.labels[k] = make([]int, n)
	}
	for i, m := range merge {
		if small.next[m] == nil {
			row := make([]int32, d.width)
			for c, p := range b.next[i] {
				row[c] = merge[p]
			}
			small.next[m] = row
			for k := range labels {
				small.labels[k][m] = labels[k][i]
			}
		}
	}
	return small
}

// refine is [lang.Refine] for states with outputs.
func refine(next [][]int32, out []string, left *budget.Budget) (block []int32, n int) {
	kind := make([]int32, len(next))
	index := map[string]int32{}
	for i, o := range out {
		k, ok := index[o]
		if !ok {
			k = int32(len(index))
			index[o] = k
		}
		kind[i] = k
	}
	return lang.Refine(next, kind, left)
}
