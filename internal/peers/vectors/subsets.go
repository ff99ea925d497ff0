package vectors

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A subsets is the deterministic automaton of a marked one, in which each state keeps the states that it stands for.
type subsets struct {
	*marked
	class   [256]uint8
	sets    []expr.Set // of each class
	letters []byte     // of each class the most readable byte, in the order of lang.Compare
	column  []int      // of each class, its place in letters
	nodes   []subset
	index   map[string]int32
	inNodes [][]int32 // by state: the subsets that hold it
	seen    []int32   // by state: the last round of close that met it
	round   int32
	columns [][][]uint8 // by state and edge: the places in letters of what it reads
	fanned  [][]int32
	closed  []int32

	// The mutant that is being looked at.
	flip []bool // gates that are not as by default
	hit  []bool // terms that read another set
	by   expr.Set
	add  bool

	steps int // left for all mutants together
}

type subset struct {
	kernel, closure []int32
	accept          bool
	next            []int32 // by place in letters
	word            string  // that first leads here
}

// newSubsets follows the marked automaton with all gates as by default.
func newSubsets(m *marked, most, steps int) (*subsets, error) {
	x := &subsets{
		marked: m, steps: steps, index: map[string]int32{}, seen: make([]int32, len(m.arcs)),
		flip: make([]bool, len(m.gates)), hit: make([]bool, len(m.terms)),
	}
	p := expr.NewPartition()
	for _, edges := range m.edges {
		for _, e := range edges {
			p.Split(e.set)
		}
	}
	x.class = p.Class
	x.sets = p.Sets()
	x.column = make([]int, len(x.sets))
	for _, s := range x.sets {
		x.letters = append(x.letters, mostReadable(s))
	}
	slices.SortFunc(x.letters, byReadability)
	for i, b := range x.letters {
		x.column[x.class[b]] = i
	}
	x.fanned = make([][]int32, len(x.letters))
	of := map[expr.Set][]uint8{}
	for _, edges := range m.edges {
		list := make([][]uint8, len(edges))
		for i, e := range edges {
			if of[e.set] == nil {
				for c, b := range x.letters {
					if e.set.Has(b) {
						of[e.set] = append(of[e.set], uint8(c))
					}
				}
			}
			list[i] = of[e.set]
		}
		x.columns = append(x.columns, list)
	}
	x.intern([]int32{0}, "")
	for i := 0; i < len(x.nodes); i++ {
		if i > most || x.steps < 0 {
			return nil, fmt.Errorf("%w: more than %d states, or too many at a time", lang.ErrTooLarge, most)
		}
		n := &x.nodes[i]
		n.closure, n.accept = x.close(n.kernel)
		n.closure = slices.Clone(n.closure)
		next := make([]int32, len(x.letters))
		for c, b := range x.letters {
			next[c] = x.intern(x.step(n.closure, b), x.nodes[i].word+string([]byte{b}))
		}
		x.nodes[i].next = next
	}
	x.inNodes = make([][]int32, len(m.arcs))
	for i, n := range x.nodes {
		for _, q := range n.closure {
			x.inNodes[q] = append(x.inNodes[q], int32(i))
		}
	}
	return x, nil
}

func byReadability(a, b byte) int { return lang.Compare(string([]byte{a}), string([]byte{b})) }

func mostReadable(s expr.Set) byte { return slices.MinFunc(s.Members(), byReadability) }

func (x *subsets) intern(kernel []int32, word string) int32 {
	k := key(kernel)
	i, ok := x.index[k]
	if !ok {
		i = int32(len(x.nodes))
		x.index[k] = i
		x.nodes = append(x.nodes, subset{kernel: kernel, word: word})
	}
	return i
}

// next returns the subset after one on a byte.
func (x *subsets) next(node int32, b byte) int32 { return x.nodes[node].next[x.column[x.class[b]]] }

// close returns the states that can be entered without a byte by the mutant that is being looked at, and whether the
// final one is among them. The closure is overwritten by the next call.
func (x *subsets) close(kernel []int32) (closure []int32, accept bool) {
	x.round++
	closure = x.closed[:0]
	for _, q := range kernel {
		if x.seen[q] != x.round {
			x.seen[q] = x.round
			closure = append(closure, q)
		}
	}
	for i := 0; i < len(closure); i++ {
		q := closure[i]
		accept = accept || q == x.final
		for _, a := range x.arcs[q] {
			if (a.gate < 0 || x.gates[a.gate].open != x.flip[a.gate]) && x.seen[a.to] != x.round {
				x.seen[a.to] = x.round
				closure = append(closure, a.to)
			}
		}
	}
	x.steps -= len(closure)
	x.closed = closure
	return closure, accept
}

// step returns the kernel after a closure on a byte.
func (x *subsets) step(closure []int32, b byte) []int32 {
	var to []int32
	for _, q := range closure {
		for i := range x.edges[q] {
			e := &x.edges[q][i]
			has := e.set.Has(b)
			if e.term >= 0 && x.hit[e.term] && x.by.Has(b) {
				has = x.add
			}
			if has {
				to = append(to, e.to)
			}
		}
	}
	x.steps -= len(closure)
	slices.Sort(to)
	return slices.Compact(to)
}

// fan returns where each of the letters leads from a closure, unsorted. It is overwritten by the next call.
func (x *subsets) fan(closure []int32) [][]int32 {
	for c := range x.fanned {
		x.fanned[c] = x.fanned[c][:0]
	}
	for _, q := range closure {
		for i := range x.edges[q] {
			e := &x.edges[q][i]
			hit := e.term >= 0 && x.hit[e.term]
			for _, c := range x.columns[q][i] {
				if !hit || x.add || !x.by.Has(x.letters[c]) {
					x.fanned[c] = append(x.fanned[c], e.to)
				}
			}
			if hit && x.add {
				for c, b := range x.letters {
					if x.by.Has(b) {
						x.fanned[c] = append(x.fanned[c], e.to)
					}
				}
			}
		}
	}
	x.steps -= len(closure)
	return x.fanned
}

// match reports whether the mutant that is being looked at accepts w.
func (x *subsets) match(w string) bool {
	closure, accept := x.close([]int32{0})
	for i := range len(w) {
		closure, accept = x.close(x.step(closure, w[i]))
	}
	return accept
}

// mutate begins to look at a mutant: gates that are flipped, terms that read other bytes.
func (x *subsets) mutate(gates, terms []int32, by expr.Set, add bool) (restore func()) {
	for _, g := range gates {
		x.flip[g] = true
	}
	for _, t := range terms {
		x.hit[t] = true
	}
	x.by, x.add = by, add
	return func() {
		for _, g := range gates {
			x.flip[g] = false
		}
		for _, t := range terms {
			x.hit[t] = false
		}
	}
}

// distinguish returns a shortest word that the mutant which is being looked at accepts and the automaton does not, or the
// other way round; ok is false if there is none, and not decided if there are no steps left.
//
// The two can only part behind a state that is changed. So the search begins there, with what the mutant reaches, and
// goes on while that is not what the automaton reaches.
func (x *subsets) distinguish(gates, terms []int32) (w string, ok, decided bool) {
	var starts []int32
	for _, g := range gates {
		for _, q := range x.gates[g].from {
			starts = append(starts, x.inNodes[q]...)
		}
	}
	for _, t := range terms {
		for _, q := range x.terms[t].from {
			starts = append(starts, x.inNodes[q]...)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	letters := x.letters
	if len(terms) > 0 {
		b := x.by.Members()[0]
		if rest := x.sets[x.class[b]].Minus(x.by); x.letters[x.column[x.class[b]]] != b {
			letters = append(slices.Clone(letters), b)
		} else if !rest.IsEmpty() { // the others of its class are still read alike
			letters = append(slices.Clone(letters), mostReadable(rest))
		}
	}
	// A pair is a subset, and what the mutant reaches on the same word instead: kernels[from:to]. The word is that of the pair up with
	// another byte; of a negative one, that of the subset -1-up.
	type pair struct{ node, up, from, to, read int32 }
	var pairs []pair
	var kernels []int32
	visited := map[uint64]int32{} // the pairs by a hash, or the next free number
	follow := func(node, up int32, closure []int32, letters []byte) {
		var fan [][]int32
		if len(letters) > 1 {
			fan = x.fan(closure)
		}
		for i, b := range letters {
			to, kernel := x.next(node, b), []int32(nil)
			if i < len(fan) {
				slices.Sort(fan[i])
				kernel = slices.Compact(fan[i])
			} else {
				kernel = x.step(closure, b)
			}
			if slices.Equal(kernel, x.nodes[to].kernel) {
				continue
			}
			hash := uint64(to)
			for _, q := range kernel {
				hash = (hash ^ uint64(q)) * 0x9e3779b97f4a7c15
				hash ^= hash >> 29
			}
			p, ok := visited[hash]
			for ok && !(pairs[p].node == to && slices.Equal(kernels[pairs[p].from:pairs[p].to], kernel)) {
				hash++
				p, ok = visited[hash]
			}
			if !ok {
				visited[hash] = int32(len(pairs))
				pairs = append(pairs, pair{to, up, int32(len(kernels)), int32(len(kernels) + len(kernel)), int32(b)})
				kernels = append(kernels, kernel...)
			}
		}
	}
	word := func(p int32) string {
		var read []byte
		for ; p >= 0; p = pairs[p].up {
			read = append(read, byte(pairs[p].read))
		}
		slices.Reverse(read)
		return x.nodes[-1-p].word + string(read)
	}
	done := 0
	for length := 0; len(starts) > 0 || done < len(pairs); length++ {
		for end := len(pairs); done < end; done++ {
			if x.steps < 0 {
				return "", false, false
			}
			p := pairs[done]
			closure, accept := x.close(kernels[p.from:p.to])
			if accept != x.nodes[p.node].accept {
				return word(int32(done)), true, true
			}
			follow(p.node, int32(done), closure, letters)
		}
		for ; len(starts) > 0 && len(x.nodes[starts[0]].word) == length; starts = starts[1:] {
			n := &x.nodes[starts[0]]
			if len(gates) == 0 {
				follow(starts[0], -1-starts[0], n.closure, x.by.Members())
				continue
			}
			closure, accept := x.close(n.kernel)
			if accept != n.accept {
				return n.word, true, true
			}
			follow(starts[0], -1-starts[0], closure, letters)
		}
	}
	return "", false, true
}
