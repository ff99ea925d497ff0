package bnftoregexp

import "github.com/bnfcheck/bnfcheck/internal/automata/lang"

// marksAreUnique reports whether every word of a has its marks in one place only: no two words are the same
// without their marks. Groups then hold the same text however the expression is written, and leave an engine
// no choice.
func marksAreUnique(a *lang.DFA, marks []byte) bool {
	isMark := [256]bool{}
	for _, m := range marks {
		isMark[m] = true
	}
	// A pair is the two states that one string without marks leads to, by ways whose marks differ or not.
	type pair struct {
		p, q   int
		differ bool
	}
	type way struct {
		q     int
		marks string
	}
	ways := map[int][]way{}
	from := func(q int) []way { // every state that marks alone lead to; no mark comes twice
		if w, ok := ways[q]; ok {
			return w
		}
		list := []way{{q, ""}}
		for i := 0; i < len(list); i++ {
			for _, m := range marks {
				if to := a.Next(list[i].q, m); a.Live(to) {
					list = append(list, way{to, list[i].marks + string([]byte{m})})
				}
			}
		}
		ways[q] = list
		return list
	}
	seen := map[pair]bool{{}: true}
	for todo := []pair{{}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, v := range from(at.p) {
			for _, w := range from(at.q) {
				a.Budget().Step(1)
				differ := at.differ || v.marks != w.marks
				if differ && a.Accepts(v.q) && a.Accepts(w.q) {
					return false
				}
				for c := range a.Classes() {
					if isMark[a.Readable(c)] {
						continue
					}
					next := pair{a.NextClass(v.q, c), a.NextClass(w.q, c), differ}
					if next.p > next.q {
						next.p, next.q = next.q, next.p
					}
					if !a.Dead(next.p) && !a.Dead(next.q) && !seen[next] {
						seen[next] = true
						todo = append(todo, next)
					}
				}
			}
		}
	}
	return true
}
