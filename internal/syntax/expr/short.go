package expr

import "strings"

// A Short has, in Words, a short word for each production that derives one, by ID. A word has at most most bytes,
// unless it is that of a single literal.
type Short struct {
	Words map[string]string
	pick  func(members []byte) byte
	most  int
}

// ShortWords finds short words of the productions of an unordered grammar, of at most most bytes each; see [Short].
// pick chooses the byte that stands for a class. charge is called for each word that is made, to count the cost.
func (g *Grammar) ShortWords(most int, pick func(members []byte) byte, charge func(w string)) *Short {
	s := &Short{map[string]string{}, pick, most}
	for changed := true; changed; {
		changed = false
		for _, r := range g.Rules {
			if w, ok := s.Of(r.Expr); ok {
				charge(w)
				if old, known := s.Words[r.ID]; !known || len(w) < len(old) {
					s.Words[r.ID], changed = w, true
				}
			}
		}
	}
	return s
}

// Of returns a short word of e, an expression of a BNF; ok is false if none is known, and for the operators that only
// a PEG has. A word that is put together has at most s.most bytes, but a literal is returned whatever its length.
func (s *Short) Of(e *Expr) (word string, ok bool) {
	switch e.Op {
	case Empty:
		return "", true
	case Class:
		if m := e.Set.Members(); len(m) > 0 {
			return string([]byte{s.pick(m)}), true
		}
	case Literal:
		return e.Lit, true
	case Ref:
		word, ok = s.Words[e.Name]
	case Seq:
		var all strings.Builder
		for _, x := range e.Sub {
			w, ok := s.Of(x)
			if !ok || len(w) > s.most-all.Len() {
				return "", false
			}
			all.WriteString(w)
		}
		return all.String(), true
	case Alt:
		for _, x := range e.Sub {
			if w, has := s.Of(x); has && (!ok || len(w) < len(word)) {
				word, ok = w, true
			}
		}
	case Repeat:
		if e.Min == 0 {
			return "", true
		}
		if w, has := s.Of(e.Sub[0]); has && len(w) <= s.most/e.Min {
			return strings.Repeat(w, e.Min), true
		}
	}
	return word, ok
}

// Longest returns a bound for the length of the words of e, capped at most: no word is longer. The bound is too large
// only where a part derives nothing, and for lookaheads, which count like any other part. A production that uses itself
// counts as most, and so does a name without a production. known keeps the results of productions between calls for one
// grammar with the same most; it must be empty at first.
func (g *Grammar) Longest(e *Expr, most int, known map[string]int) (n int) {
	switch e.Op {
	case Class:
		n = 1
	case Literal:
		n = len(e.Lit)
	case Ref:
		if _, ok := known[e.Name]; !ok {
			known[e.Name] = most // while it is computed: a production that uses itself; for good without a production
			if r := g.Rule(e.Name); r != nil {
				known[e.Name] = g.Longest(r.Expr, most, known)
			}
		}
		n = known[e.Name]
	case Repeat:
		rounds := most
		if e.Max != Unbounded {
			rounds = min(e.Max, most)
		}
		n = g.Longest(e.Sub[0], most, known) * rounds
	case Seq:
		for _, s := range e.Sub {
			n += g.Longest(s, most, known)
		}
	default:
		for _, s := range e.Sub {
			n = max(n, g.Longest(s, most, known))
		}
	}
	return min(n, most)
}
