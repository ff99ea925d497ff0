package bnftogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
)

// This file chooses the strings on which the time of code is measured. Code is slow if it reads
// again and again what it has read, which shows on strings that go round in a circle of the
// production's automaton many times, and are then accepted or rejected.

const (
	maxRows        = 48 // rows of one production
	maxRowsByUnit  = 6  // productions that are measured on one unit: more would show the same
	maxCircles     = 3  // circles through one state
	maxCircleBytes = 24 // the search for a circle ends at words that are longer
)

// chooseRows sets the rows of the productions that are code. Those that use the fewest others come
// first, since they get the units: where one is slow, so is every production that uses it. Their language must be set.
func (c *compiler) chooseRows() {
	code := slices.DeleteFunc(slices.Clone(c.productions), func(p *production) bool { return !p.code })
	slices.SortStableFunc(code, compareUses)
	for _, p := range code {
		p.rows = c.rowsOf(p)
	}
}

// rowsOf returns rows for p: a way to a state, a circle through it to be repeated, and an ending. Each circle makes two
// rows, with an ending that is accepted and with one that most languages reject. Of more than maxRows states every n-th
// is taken. rowsOf counts the units in c.rowsByUnit, and makes no row of one that has come maxRowsByUnit times. It
// stops at maxRows rows. p.language must be set.
func (c *compiler) rowsOf(p *production) []pegtogo.Row {
	d := p.language
	var all []pegtogo.Row
	heads := d.AccessWords()
	endings := d.Endings()
	step := len(heads)/maxRows + 1 // of many states, some from all of them
	for q := 0; q < len(heads); q += step {
		if d.Dead(q) {
			continue
		}
		tail, _ := endings(q)
		for _, unit := range circlesThrough(d, q) {
			if len(all) >= maxRows {
				return all
			}
			c.rowsByUnit[unit]++
			if c.rowsByUnit[unit] <= maxRowsByUnit {
				all = append(all,
					pegtogo.Row{Head: heads[q], Unit: unit, Tail: tail},
					pegtogo.Row{Head: heads[q], Unit: unit, Tail: "\x00"}) // few grammars derive it
			}
		}
	}
	return all
}

// circlesThrough returns at most maxCircles words that lead from q back to q: for one successor of q after the other
// the shortest by way of that. It searches breadth-first from each, and gives a successor up after words of
// maxCircleBytes.
func circlesThrough(d *lang.DFA, q int) []string {
	var all []string
	done := map[int]bool{}
	for class := range d.Classes() {
		first := d.NextClass(q, class)
		if d.Dead(first) || done[first] || len(all) == maxCircles {
			continue
		}
		done[first] = true
		words := map[int]string{first: string(d.Readable(class))} // from q to a state, of a byte at least
		for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			if at == q {
				all = append(all, words[q])
				break
			}
			if len(words[at]) > maxCircleBytes {
				break
			}
			for class := range d.Classes() {
				to := d.NextClass(at, class)
				if !d.Dead(to) && words[to] == "" {
					words[to] = words[at] + string(d.Readable(class))
					queue = append(queue, to)
				}
			}
		}
	}
	return all
}
