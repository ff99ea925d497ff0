package bnftogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
)

// mostRows is how many rows a production is measured on at most, and sameRows how many productions one unit.
const (
	mostRows = 48
	sameRows = 6
)

// measured finds the rows of the productions that are code, of those first that use less: where one is slow, what uses it is slow
// as well.
func (c *compiler) measured() {
	code := slices.DeleteFunc(slices.Clone(c.productions), func(p *production) bool { return !p.code })
	slices.SortStableFunc(code, usesLess)
	for _, p := range code {
		p.rows = c.rows(p)
	}
}

// rows returns strings that go round in the automaton of p, accepted as far as they go, and then accepted as a whole or
// rejected: code that reads anew what it has read is slow on one of them.
func (c *compiler) rows(p *production) []pegtogo.Row {
	d := p.language
	var all []pegtogo.Row
	heads := d.AccessWords()
	endings := d.Endings()
	step := len(heads)/mostRows + 1
	for q := 0; q < len(heads); q += step {
		if d.Dead(q) {
			continue
		}
		tail, _ := endings(q)
		for _, unit := range circles(d, q) {
			if len(all) >= mostRows {
				return all
			}
			if c.units[unit]++; c.units[unit] <= sameRows {
				all = append(all, pegtogo.Row{Head: heads[q], Unit: unit, Tail: tail}, pegtogo.Row{Head: heads[q], Unit: unit, Tail: "\x00"})
			}
		}
	}
	return all
}

// circles returns for some successors of q the shortest word that leads by way of that successor back to q.
func circles(d *lang.DFA, q int) []string {
	var all []string
	done := map[int]bool{}
	for c := range d.Classes() {
		first := d.NextClass(q, c)
		if d.Dead(first) || done[first] || len(all) == 3 {
			continue
		}
		done[first] = true
		words := map[int]string{first: string(d.Readable(c))}
		for level := []int{first}; len(level) > 0; level = level[1:] {
			at := level[0]
			if at == q {
				all = append(all, words[q])
				break
			}
			if len(words[at]) > 24 {
				break
			}
			for c := range d.Classes() {
				if to := d.NextClass(at, c); !d.Dead(to) && words[to] == "" {
					words[to] = words[at] + string(d.Readable(c))
					level = append(level, to)
				}
			}
		}
	}
	return all
}
