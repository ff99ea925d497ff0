package prove

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// foldCase returns a copy of g with terminals that match letters of ASCII in either case. A class with one case of a
// letter gets both. A class with more than half of ASCII was written by the characters that it excludes: if it
// excludes one case, it excludes both.
func foldCase(g *expr.Grammar) *expr.Grammar {
	var fold func(e *expr.Expr) *expr.Expr
	fold = func(e *expr.Expr) *expr.Expr {
		switch e.Op {
		case expr.Class:
			c := *e
			c.Set = bothCases(e.Set)
			return &c
		case expr.Literal:
			var seq []*expr.Expr
			for i := range len(e.Lit) {
				seq = append(seq, expr.In(bothCases(expr.Bytes(e.Lit[i:i+1]))))
			}
			c := *expr.Cat(seq...)
			c.Pos, c.Chars = e.Pos, e.String()
			return &c
		}
		if len(e.Sub) == 0 {
			return e
		}
		return e.Map(fold)
	}
	return g.Rewritten(fold)
}

// bothCases returns s closed under the case of ASCII letters: by addition for a small class, by
// removal for one with more than half of ASCII.
func bothCases(s expr.Set) expr.Set {
	ascii := s.Intersect(expr.Range(0, 0x7f))
	if ascii.Len() > 64 {
		return bothLetters(s.Complement()).Complement()
	}
	return bothLetters(s)
}

// bothLetters returns s with the other case of each of its ASCII letters.
func bothLetters(s expr.Set) expr.Set {
	for c := byte('a'); c <= 'z'; c++ {
		if s.Has(c) || s.Has(c-'a'+'A') {
			s.Add(c)
			s.Add(c - 'a' + 'A')
		}
	}
	return s
}
