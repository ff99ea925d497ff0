package bnftogo

import (
	"slices"
)

// A path is a way from a state without consuming anything: what is done on it, and the state in which it ends, which
// reads a byte or is the end of the input.
type path struct {
	acts string // two bytes an action
	to   int32
}

// A way is what is known of the paths from a state: one for each state in which they end, in the order of the choices; and where
// two meet that do different things.
type way struct {
	paths []path
	meets []meet
}

type meet struct {
	at         int32
	one, other string
}

// ways returns the paths from q.
func (n *nfa) ways(q int32) way {
	seen := map[int32]string{}
	var w way
	var walk func(q int32, acts []byte)
	walk = func(q int32, acts []byte) {
		for {
			if one, ok := seen[q]; ok {
				if one != string(acts) {
					w.meets = append(w.meets, meet{q, one, string(acts)})
				}
				return
			}
			n.budget.Step(1 + len(acts))
			seen[q] = string(acts)
			s := &n.states[q]
			switch s.op {
			case opDead:
				return
			case opAccept, opByte:
				w.paths = append(w.paths, path{string(acts), q})
				return
			case opAct:
				acts = append(acts[:len(acts):len(acts)], byte(s.arg), byte(s.arg>>8))
				q = s.next[0]
			case opAlt:
				if len(s.next) == 0 {
					return
				}
				for _, p := range s.next[:len(s.next)-1] {
					walk(p, acts)
				}
				q = s.next[len(s.next)-1]
			}
		}
	}
	walk(q, nil)
	return w
}

// A cell is what is done in a state at the next byte, before it is consumed.
type cell struct {
	kind cellKind
	acts string
	to   int32 // the next state, the row that looks further, or the site
}

type cellKind uint8

const (
	cellDead cellKind = iota
	cellGo            // perform acts, consume the byte, go on in state to; at the end of the input, accept
	cellLook          // look at the byte behind it in row to
	cellAsk           // ask the backward automaton at site to
)

// A transducer reads the input once and writes the tree. Its states are lists of states of the nfa, in the order in which
// they are preferred, of which one is right; as long as all do the same, no choice is made.
type transducer struct {
	n     *nfa
	d     *dfa
	way   map[int32]way
	lists [][]int32
	index map[string]int32
	rows  [][]cell // by list; width+1 cells, the last for the end of the input
	looks [][]cell
	depth []int // by look: how many bytes behind the first it reads, with those that follow
	sites []site2
	limit int

	doubts []doubt
	noted  map[string]bool
}

// A site2 is a choice that no bounded number of bytes decides.
type site2 struct {
	cands []cand
	cells []cell // by label
}

// A cand is a state of the nfa in which one may be after the next byte, and what has been done before that.
type cand struct {
	to    int32
	label int // candidates with one label do the same
}

func newTransducer(n *nfa, d *dfa, limit int) *transducer {
	return &transducer{n: n, d: d, way: map[int32]way{}, noted: map[string]bool{}, index: map[string]int32{}, limit: limit}
}

func (t *transducer) list(l []int32) int32 {
	key := make([]byte, 0, 4*len(l))
	for _, q := range l {
		key = append32(key, q)
	}
	if i, ok := t.index[string(key)]; ok {
		return i
	}
	if len(t.lists) >= t.limit {
		panic(tooLarge{})
	}
	i := int32(len(t.lists))
	t.lists = append(t.lists, slices.Clone(l))
	t.index[string(key)] = i
	return i
}

// explore makes the rows of all states that can be reached from start.
func (t *transducer) explore(start int32) {
	t.list([]int32{start})
	for i := 0; i < len(t.lists); i++ {
		t.rows = append(t.rows, t.row(t.lists[i]))
	}
}

// row returns the cells of a list.
func (t *transducer) row(l []int32) []cell {
	t.n.budget.Step(t.d.width * (1 + len(l)))
	var all []path
	seen := map[int32]string{}
	for _, q := range l {
		w, ok := t.way[q]
		if !ok {
			w = t.n.ways(q)
			t.way[q] = w
		}
		for _, m := range w.meets {
			t.merged(-1, m.at, m.one, m.other)
		}
		for _, p := range w.paths {
			if one, ok := seen[p.to]; !ok {
				seen[p.to] = p.acts
				all = append(all, p)
			} else if one != p.acts {
				t.merged(-1, p.to, one, p.acts)
			}
		}
	}
	row := make([]cell, t.d.width+1)
	for _, p := range all {
		if p.to == accept {
			row[t.d.width] = cell{kind: cellGo, acts: p.acts}
		}
	}
	memo := map[string]cell{}
	var key []byte
	for c := range t.d.width {
		var cands []cand
		var labels []string
		key = key[:0]
		for _, p := range all {
			s := &t.n.states[p.to]
			if s.op != opByte || !t.d.holds[s.arg][c] {
				continue
			}
			next := s.next[0]
			label := slices.Index(labels, p.acts)
			if i := slices.IndexFunc(cands, func(x cand) bool { return x.to == next }); i >= 0 {
				if cands[i].label != label {
					t.merged(c, next, labels[cands[i].label], p.acts)
				}
				continue
			}
			if label < 0 {
				label = len(labels)
				labels = append(labels, p.acts)
			}
			cands = append(cands, cand{next, label})
			key = append32(append32(key, p.to), next)
		}
		if len(cands) == 0 {
			continue
		}
		known, ok := memo[string(key)]
		if !ok {
			known = t.choose(c, cands, labels)
			memo[string(key)] = known
		}
		row[c] = known
	}
	return row
}

// choose returns the cell for the candidates.
func (t *transducer) choose(class int, cands []cand, labels []string) cell {
	cells := make([]cell, len(labels))
	get := func(label int) cell {
		if cells[label].kind == cellDead {
			var l []int32
			for _, x := range cands {
				if x.label == label {
					l = append(l, x.to)
				}
			}
			cells[label] = cell{cellGo, labels[label], t.list(l)}
		}
		return cells[label]
	}
	if len(labels) == 1 {
		return get(0)
	}
	t.n.budget.Step(len(cands) * len(cands))
	v := make([]choice, len(cands))
	for i, x := range cands {
		v[i] = choice{t.d.of(x.to), x.label}
		for j, y := range cands[:i] {
			if y.label != x.label {
				t.note(doubt{class: class, acts: labels[y.label] + "\xff\xff|" + labels[x.label]}, func() ([]int, bool) {
					return t.d.common(v[j].state, v[i].state)
				})
			}
		}
	}
	v = t.simplify(v)
	if label, ok := decided(v); ok {
		return get(label)
	}
	l := lookahead{t: t, get: get, index: map[string]int32{}, open: map[string]bool{}}
	looks, depths := len(t.looks), len(t.depth)
	if row, ok := l.row(v, 1); ok {
		return cell{kind: cellLook, to: row}
	}
	t.looks, t.depth = t.looks[:looks], t.depth[:depths]
	s := site2{cands: cands, cells: cells}
	for i := range cells {
		get(i)
	}
	t.sites = append(t.sites, s)
	return cell{kind: cellAsk, to: int32(len(t.sites) - 1)}
}

// A choice is a candidate as a state of the dfa.
type choice struct {
	state int32
	label int
}

// simplify leaves out the choices from which nothing is accepted, and those that an earlier one makes superfluous.
func (t *transducer) simplify(v []choice) []choice {
	var out []choice
	for _, x := range v {
		if x.state == 0 {
			continue
		}
		if !slices.ContainsFunc(out, func(y choice) bool { return t.d.contains(y.state, x.state) }) {
			out = append(out, x)
		}
	}
	return out
}

// decided returns the label that all have.
func decided(v []choice) (int, bool) {
	for _, x := range v {
		if x.label != v[0].label {
			return 0, false
		}
	}
	return v[0].label, true
}

// A lookahead reads the bytes behind the next one until they decide.
type lookahead struct {
	t     *transducer
	get   func(label int) cell
	index map[string]int32
	open  map[string]bool
}

// The greatest lookahead that is a table, in bytes behind the next one, and the most rows that one choice may have.
const (
	maxLook = 16
	maxRows = 64
)

// row returns the row for the choices. ok is false if they are not decided within the limits.
func (l *lookahead) row(v []choice, depth int) (int32, bool) {
	key := make([]byte, 0, 8*len(v))
	for _, x := range v {
		key = append32(append32(key, x.state), int32(x.label))
	}
	if i, ok := l.index[string(key)]; ok {
		return i, true
	}
	if l.open[string(key)] || depth > maxLook || len(l.open) >= maxRows {
		return 0, false
	}
	l.open[string(key)] = true
	d := l.t.d
	row := make([]cell, d.width+1)
	most := 1
	for c := range d.width {
		next := make([]choice, len(v))
		for i, x := range v {
			next[i] = choice{d.row(x.state)[c], x.label}
		}
		next = l.t.simplify(next)
		if len(next) == 0 {
			continue
		}
		if label, ok := decided(next); ok {
			row[c] = l.get(label)
			continue
		}
		further, ok := l.row(next, depth+1)
		if !ok {
			return 0, false
		}
		most = max(most, 1+l.t.depth[further])
		row[c] = cell{kind: cellLook, to: further}
	}
	for _, x := range v {
		if d.accepts[x.state] {
			row[d.width] = l.get(x.label)
			break
		}
	}
	i := int32(len(l.t.looks))
	l.t.looks = append(l.t.looks, row)
	l.t.depth = append(l.t.depth, most)
	l.index[string(key)] = i
	return i, true
}
