package bnf

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// An EmbeddingError says that a production stands inside itself with something on either side, so that no finite
// automaton need exist for it.
type EmbeddingError struct {
	Pos     expr.Pos
	Name    string   // the production
	Through []string // the names of those between it and itself, in order; none if it uses itself directly
}

// Error gives "file:line:col: `a` embeds itself through `b`".
func (e *EmbeddingError) Error() string { return e.Pos.String() + ": " + e.what() }

func (e *EmbeddingError) what() string {
	s := "`" + e.Name + "` embeds itself"
	if len(e.Through) > 0 {
		s += " through `" + strings.Join(e.Through, "`, `") + "`"
	}
	return s
}

// Regular gives an [*EmbeddingError] if a production that id derives from embeds itself: A derives uAv, for words u and v
// that are not empty. A context-free grammar without such a production derives a regular language (N. Chomsky, "On
// certain formal properties of grammars", Information and Control 2, 1959), and an automaton for it can be built
// directly. The decision is exact: uses that can never be part of a derivation do not count.
func Regular(g *expr.Grammar, id string) error {
	start, err := g.Lookup(id)
	if err != nil {
		return err
	}
	f := newFacts(g)
	seen := map[*expr.Rule]bool{start: true}
	for todo := []*expr.Rule{start}; len(todo) > 0; todo = todo[1:] {
		if e := f.embedding(todo[0]); e != nil {
			return e
		}
		for _, u := range f.uses[todo[0]] {
			if !seen[u.of] {
				seen[u.of] = true
				todo = append(todo, u.of)
			}
		}
	}
	return nil
}

// embeddings gives, for the first production of every group that embed themselves through each other, how it does.
func (l *linter) embeddings() map[*expr.Rule]*EmbeddingError {
	found := map[*expr.Rule]*EmbeddingError{}
	covered := map[*expr.Rule]bool{}
	for _, r := range l.g.Rules {
		if covered[r] {
			continue
		}
		if e := l.facts.embedding(r); e != nil {
			found[r] = e
			from := l.facts.reachable(r)
			for other := range from {
				covered[other] = covered[other] || l.facts.reachable(other)[r]
			}
		}
	}
	return found
}

// A use is an occurrence of a production in a right-hand side.
type use struct {
	of          *expr.Rule
	left, right bool // something not empty can stand on that side of it
}

// A step is a production on the way from A back to A, with what the uses so far could have on either side of A.
type step struct {
	rule        *expr.Rule
	left, right bool
}

// embedding gives the shortest way on which a embeds itself, or nil. What stands to the left and to the right of a adds
// up over the uses on the way, and they are chosen independently; so it is enough to search for a closed way with a use
// that has something on its left and a use, perhaps another one, that has something on its right.
func (f *facts) embedding(a *expr.Rule) *EmbeddingError {
	start := step{rule: a}
	from := map[step]step{start: {}}
	for todo := []step{start}; len(todo) > 0; todo = todo[1:] {
		for _, u := range f.uses[todo[0].rule] {
			next := step{u.of, todo[0].left || u.left, todo[0].right || u.right}
			if _, ok := from[next]; ok {
				continue
			}
			from[next] = todo[0]
			if next == (step{a, true, true}) {
				return &EmbeddingError{Pos: a.Pos, Name: a.Name, Through: between(from, next)}
			}
			todo = append(todo, next)
		}
	}
	return nil
}

// between names the productions on the way to last, which begins and ends with the same one.
func between(from map[step]step, last step) []string {
	var names []string
	seen := map[*expr.Rule]bool{last.rule: true}
	for s := from[last]; s.rule != nil; s = from[s] {
		if !seen[s.rule] {
			seen[s.rule] = true
			names = append([]string{s.rule.Name}, names...)
		}
	}
	return names
}

// reachable gives the productions that a derivation from r can use.
func (f *facts) reachable(r *expr.Rule) map[*expr.Rule]bool {
	seen := map[*expr.Rule]bool{}
	for todo := []*expr.Rule{r}; len(todo) > 0; todo = todo[1:] {
		for _, u := range f.uses[todo[0]] {
			if !seen[u.of] {
				seen[u.of] = true
				todo = append(todo, u.of)
			}
		}
	}
	return seen
}

// facts says which words the expressions of a grammar can derive, as far as length matters.
type facts struct {
	rules map[string]*expr.Rule
	words map[*expr.Rule]words
	uses  map[*expr.Rule][]use
}

// words is a set of lengths: whether an expression derives the empty word, and whether it derives a longer one.
type words struct{ empty, longer bool }

func (w words) any() bool        { return w.empty || w.longer }
func (w words) or(v words) words { return words{w.empty || v.empty, w.longer || v.longer} }
func (w words) then(v words) words {
	return words{w.empty && v.empty, w.any() && v.any() && (w.longer || v.longer)}
}

func newFacts(g *expr.Grammar) *facts {
	f := &facts{rules: map[string]*expr.Rule{}, words: map[*expr.Rule]words{}, uses: map[*expr.Rule][]use{}}
	for _, r := range g.Rules {
		if f.rules[r.ID] == nil {
			f.rules[r.ID] = r
		}
	}
	for changed := true; changed; { // to the least fixed point
		changed = false
		for _, r := range g.Rules {
			if w := f.derives(r.Expr); w != f.words[r] {
				f.words[r] = w
				changed = true
			}
		}
	}
	for _, r := range g.Rules {
		f.collect(r, r.Expr, false, false)
	}
	return f
}

func (f *facts) rule(id string) *expr.Rule { return f.rules[id] }

// nullable says whether e derives the empty word.
func (f *facts) nullable(e *expr.Expr) bool { return f.derives(e).empty }

func (f *facts) derives(e *expr.Expr) words {
	switch e.Op {
	case expr.Empty:
		return words{empty: true}
	case expr.Class:
		return words{longer: !e.Set.IsEmpty()}
	case expr.Literal:
		return words{longer: true}
	case expr.Ref:
		return f.words[f.rules[e.Name]]
	case expr.Seq:
		w := words{empty: true}
		for _, s := range e.Sub {
			w = w.then(f.derives(s))
		}
		return w
	case expr.Alt:
		var w words
		for _, s := range e.Sub {
			w = w.or(f.derives(s))
		}
		return w
	case expr.Repeat:
		w := f.derives(e.Sub[0])
		if e.Max == 0 {
			w = words{}
		}
		return words{empty: w.empty || e.Min == 0, longer: w.longer}
	case expr.And, expr.Not:
		return words{empty: true}
	default:
		return f.derives(e.Sub[0])
	}
}

// collect adds the uses in e, a part of r's right-hand side with something on its left or right if so said. What derives
// no word at all is never part of a derivation, and neither is anything in sequence with it.
func (f *facts) collect(r *expr.Rule, e *expr.Expr, left, right bool) {
	switch e.Op {
	case expr.Ref:
		if to := f.rules[e.Name]; to != nil && f.words[to].any() {
			f.uses[r] = append(f.uses[r], use{to, left, right})
		}
	case expr.Seq:
		if !f.derives(e).any() {
			return
		}
		for i, s := range e.Sub {
			l, rt := left, right
			for _, before := range e.Sub[:i] {
				l = l || f.derives(before).longer
			}
			for _, after := range e.Sub[i+1:] {
				rt = rt || f.derives(after).longer
			}
			f.collect(r, s, l, rt)
		}
	case expr.Repeat:
		if e.Max == 0 {
			return
		}
		again := (e.Max == expr.Unbounded || e.Max > 1) && f.derives(e.Sub[0]).longer
		f.collect(r, e.Sub[0], left || again, right || again)
	default:
		for _, s := range e.Sub {
			f.collect(r, s, left, right)
		}
	}
}
