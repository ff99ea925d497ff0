package learn

import (
	"cmp"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// makeFirstHypothesis makes the first hypothesis: the state of the empty word, and all states that its
// transitions lead to.
func (l *learner) makeFirstHypothesis() {
	l.phase = "building"
	a := cmp.Or(l.o.Classes, lang.All())
	for c := range a.Classes() {
		l.addLetter(a.ClassSet(c), a.Readable(c))
	}
	l.tree = &node{state: -1} // asks whether the word itself is accepted
	l.sift(l.tree, []string{""})
	l.closeHypothesis()
}

// addLetter adds a class of bytes as a letter, and moves these bytes to it in l.class. Its transitions are unknown.
// The sets of other letters stay as they are.
func (l *learner) addLetter(set expr.Set, rep byte) {
	for _, x := range set.Members() {
		l.class[x] = len(l.letters)
	}
	l.letters = append(l.letters, letter{set, rep})
	for q := range l.states {
		l.states[q].next = append(l.states[q].next, unknown)
	}
}

// unknown is the target of a transition that has not been sifted yet.
const unknown = -1

// sift carries words down the tree from a node, all together and level by level, and returns the states that
// they lead to. A word that comes to an empty place becomes a new state.
func (l *learner) sift(from *node, words []string) []int {
	at := make([]*node, len(words))
	todo := make([]int, len(words))
	for i := range words {
		at[i], todo[i] = from, i
	}
	for len(todo) > 0 {
		questions := make([]string, 0, len(todo))
		todo = slices.DeleteFunc(todo, func(i int) bool { return at[i].state >= 0 })
		for _, i := range todo {
			questions = append(questions, words[i]+at[i].suffix)
		}
		answers := l.ask(questions)
		for j, i := range todo {
			place := at[i].childFor(answers[j])
			if *place == nil {
				leaf := l.addState(words[i])
				leaf.up, *place = at[i], leaf
			}
			at[i] = *place
		}
	}
	states := make([]int, len(words))
	for i, n := range at {
		states[i] = n.state
	}
	return states
}

// addState makes a new state with a word as its access word, and returns its leaf, which is not in the tree
// yet. It asks the parser whether the word is accepted. The state's transitions are unknown. It panics with
// [stopped] if there are too many states, and where asking does.
func (l *learner) addState(access string) *node {
	if len(l.states) == l.o.MaxStates {
		panic(stopped{ErrStates})
	}
	accept := l.ask([]string{access})
	leaf := &node{state: len(l.states)}
	l.states = append(l.states, state{access, accept[0], leaf, slices.Repeat([]int{unknown}, len(l.letters))})
	return leaf
}

// closeHypothesis finds all unknown transitions, including those of new states that it comes to; then the
// hypothesis is complete. It sets l.dfa and the result's DFA.
func (l *learner) closeHypothesis() {
	for l.resift(unknown, l.tree) {
	}
	l.result.Hypotheses++
	l.dfa = l.hypothesisDFA()
	l.result.DFA = l.dfa
	l.reportProgress()
}

// hypothesisDFA returns the language of the hypothesis, which must be complete. It panics with [stopped] if that is
// too large.
func (l *learner) hypothesisDFA() *lang.DFA {
	n := lang.NFA{States: make([]lang.NFAState, len(l.states)+1), Final: int32(len(l.states))}
	for q, s := range l.states {
		if s.accept {
			n.Silent(int32(q), n.Final)
		}
		for c, p := range s.next {
			n.Read(int32(q), l.letters[c].set, int32(p))
		}
	}
	a, err := n.Determinize(lang.Limits{})
	if err != nil {
		panic(stopped{err})
	}
	return a
}

// stateAfter returns the state of the hypothesis after w, from state q on.
func (l *learner) stateAfter(q int, w string) int {
	for i := range len(w) {
		q = l.states[q].next[l.class[w[i]]]
	}
	return q
}

// refine makes the hypothesis agree with the parser about w. It asks for w's answer again first, and sets l.phase.
// Like all that asks, it panics with [stopped] at an error or a limit.
func (l *learner) refine(w string) {
	l.phase = "building"
	l.confirm(w)
	for {
		answer := l.ask([]string{w})
		if l.states[l.stateAfter(0, w)].accept == answer[0] {
			return
		}
		l.refineOnce(w, answer[0])
		l.closeHypothesis()
	}
}

// refineOnce takes apart a word w on which the hypothesis is wrong; right is the parser's answer to it. The
// hypothesis is never wrong on the empty word, whose state was made by asking. Write q_i for the state after i bytes
// of w. The parser's answer to the access word of q_i followed by the rest of w is right for i = 0, and the other one
// at the end. Binary search finds a byte x where it turns, with v after it: access(q) x v and access(p) v differ,
// where p = l.states[q].next[c] is the hypothesis's state after x, a byte of class c. If x is not like its class's
// representative there, the class is split; if it is, p is. The new transitions are still unknown.
func (l *learner) refineOnce(w string, right bool) {
	// answer returns the parser's answer to the access word of q_i followed by the rest of w.
	answer := func(i int) bool {
		access := l.states[l.stateAfter(0, w[:i])].access
		return l.ask([]string{access + w[i:]})[0]
	}
	low, high := 0, len(w) // right at low, wrong at high
	for high-low > 1 {
		middle := (low + high) / 2
		if answer(middle) == right {
			low = middle
		} else {
			high = middle
		}
	}
	q, x, v := l.stateAfter(0, w[:low]), w[low], w[high:]
	access := l.states[q].access
	c := l.class[x]
	if rep := l.letters[c].rep; rep != x {
		if l.ask([]string{access + string([]byte{rep}) + v})[0] != right {
			l.confirm(access+w[low:], access+string([]byte{rep})+v)
			l.splitLetter(c, access, v)
			return
		}
		x = rep
	}
	l.splitState(l.states[q].next[c], access+string([]byte{x}), v)
}

// splitLetter makes a new letter of the bytes of class c that do not get the representative's answer, between
// u and v. There must be some.
func (l *learner) splitLetter(c int, u, v string) {
	members := l.letters[c].set.Members()
	words := make([]string, len(members))
	for i, x := range members {
		words[i] = u + string([]byte{x}) + v
	}
	answers := l.ask(words)
	rep := answers[slices.Index(members, l.letters[c].rep)]
	var like, unlike expr.Set
	for i, x := range members {
		if answers[i] == rep {
			like.Add(x)
		} else {
			unlike.Add(x)
		}
	}
	l.letters[c].set = like
	l.addLetter(unlike, lang.InOrder(unlike)[0])
}

// splitState makes a new state of an access word that was taken to lead to p, but differs from p's own when v
// follows. All answers that tell the two from each other, and from the other states, are asked for again
// first. If one of them is another now, confirm panics: so a parser whose answers change gets no states from its
// changes. It sifts the transitions to p again.
func (l *learner) splitState(p int, access, v string) {
	old := l.states[p].leaf
	words := []string{l.states[p].access + v, access + v}
	answers := l.ask(words)
	for n := old.up; n != nil; n = n.up {
		words = append(words, l.states[p].access+n.suffix, access+n.suffix)
	}
	l.confirm(words...) // from here on the first answers hold
	leaf := l.addState(access)
	inner := &node{up: old.up, suffix: v, state: -1}
	for i, n := range old.up.answer {
		if n == old {
			old.up.answer[i] = inner
		}
	}
	*inner.childFor(answers[0]), *inner.childFor(answers[1]) = old, leaf
	old.up, leaf.up = inner, inner

	l.resift(p, inner) // the transitions to p lead to one of the two
}

// resift sifts again, from a node of the tree down, the transitions that lead to p so far, and corrects them.
// It reports whether there were any.
func (l *learner) resift(p int, from *node) bool {
	type transition struct{ q, c int }
	var open []transition
	var words []string
	for q, s := range l.states {
		for c, to := range s.next {
			if to == p {
				open = append(open, transition{q, c})
				words = append(words, s.access+string([]byte{l.letters[c].rep}))
			}
		}
	}
	to := l.sift(from, words)
	for i, t := range open {
		l.states[t.q].next[t.c] = to[i]
	}
	return len(open) > 0
}
