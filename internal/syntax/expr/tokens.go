package expr

import "slices"

// Tokens returns a function that reports whether a production of g, given by its ID, derives single characters: a
// byte, a choice of such productions, or an escape, which is a fixed byte followed by such productions, each perhaps
// a fixed number of times; a class after the byte makes no escape. It is false for an ID without a production, and for
// a production that uses itself. The function keeps its answers, so it is not safe for concurrent use.
func Tokens(g *Grammar) func(id string) bool {
	memo := map[string]bool{}
	var token func(e *Expr) bool
	token = func(e *Expr) bool {
		switch e.Op {
		case Class:
			return true
		case Literal:
			return len(e.Lit) == 1
		case Alt:
			return !slices.ContainsFunc(e.Sub, func(s *Expr) bool { return !token(s) })
		case Seq:
			escape := e.Sub[0].Op == Literal && len(e.Sub[0].Lit) == 1
			for _, s := range e.Sub[1:] {
				if s.Op == Repeat && s.Min == s.Max {
					s = s.Sub[0]
				}
				escape = escape && s.Op == Ref && token(s)
			}
			return escape
		case Ref:
			is, ok := memo[e.Name]
			if r := g.Rule(e.Name); !ok && r != nil {
				memo[e.Name] = false // while it is being decided: a production that uses itself is no token
				is = token(r.Expr)
				memo[e.Name] = is
			}
			return is
		}
		return false
	}
	return func(id string) bool { return token(To(id)) }
}
