package machine

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A Variant is one way to explain a production: where the input begins with Prefix, what was meant is Expr, which is
// the production with all its choices among schemes taken.
type Variant struct {
	Prefix    string // up to the colon: "http:"; "" for all other inputs
	Explained string // the production that was chosen: "httpurl", "genericurl"
	Expr      *expr.Expr

	// Alternative is the production that the choice names: "otherurl", which is another name for genericurl. Else it is
	// Explained.
	Alternative string
}

// Generic returns the ID of the production that a choice among schemes, the production id, names for URLs of any scheme. It
// is "" if there is none.
func Generic(g *expr.Grammar, id string) string {
	all := Variants(g, id)
	if last := all[len(all)-1]; len(all) > 1 && last.Explained != id {
		return last.Alternative
	}
	return ""
}

// Variants returns the ways to explain the production id, the one without a prefix last. A production that is no choice
// among schemes has that one only. The scheme that an alternative is for is read off the literal it begins with: all up
// to its first colon.
func Variants(g *expr.Grammar, id string) []Variant {
	r := g.Rule(id)
	var named, rest []Variant
	for _, v := range variants(g, r.Expr, id, map[string]bool{}) {
		switch {
		case v.Prefix == "":
			rest = append(rest, v)
		case !hasPrefix(named, v.Prefix):
			named = append(named, v)
		}
	}
	if len(named) < 2 {
		return []Variant{{Explained: id, Expr: r.Expr, Alternative: id}}
	}
	generic := Variant{Explained: id, Expr: r.Expr, Alternative: id}
	if len(rest) == 1 {
		generic = rest[0]
	}
	return append(named, generic)
}

func hasPrefix(vs []Variant, prefix string) bool {
	for _, v := range vs {
		if v.Prefix == prefix {
			return true
		}
	}
	return false
}

// variants returns e's choices, one for each alternative; in is the production that e belongs to.
func variants(g *expr.Grammar, e *expr.Expr, in string, seen map[string]bool) []Variant {
	switch e.Op {
	case expr.Alt:
		var out []Variant
		for _, s := range e.Sub {
			out = append(out, variants(g, s, in, seen)...)
		}
		return out
	case expr.Seq:
		first, rest := e.Sub[0], e.Sub[1:]
		vs := variants(g, first, in, seen)
		if first.Op == expr.Literal && len(vs) == 1 && vs[0].Prefix == first.Lit && rest[0].Op == expr.Ref {
			// "url:" url: the schemes of what follows, behind the prefix
			out := vs
			for _, v := range variants(g, rest[0], in, seen) {
				if v.Prefix != "" {
					out = append(out, Variant{first.Lit + v.Prefix, v.Explained, expr.Cat(first, v.Expr), v.Alternative})
				}
			}
			vs = out
			for i := range vs {
				if i == 0 {
					vs[i].Expr = e
				} else {
					vs[i].Expr = expr.Cat(append([]*expr.Expr{vs[i].Expr}, rest[1:]...)...)
				}
			}
			return vs
		}
		out := make([]Variant, len(vs))
		for i, v := range vs {
			v.Expr = expr.Cat(append([]*expr.Expr{v.Expr}, rest...)...)
			out[i] = v
		}
		return out
	case expr.Literal:
		if i := strings.IndexByte(e.Lit, ':'); i > 0 {
			return []Variant{{e.Lit[:i+1], in, e, in}}
		}
	case expr.Ref:
		r := g.Rule(e.Name)
		if r == nil || seen[e.Name] {
			break
		}
		seen[e.Name] = true
		defer delete(seen, e.Name)
		vs := variants(g, r.Expr, e.Name, seen)
		prefixes := map[string]bool{}
		for _, v := range vs {
			prefixes[v.Prefix] = true
		}
		switch {
		case len(prefixes) > 1: // a choice itself
			return vs
		case len(vs) > 0 && vs[0].Prefix != "": // one scheme: the production as a whole
			return []Variant{{vs[0].Prefix, e.Name, e, e.Name}}
		case r.Expr.Op == expr.Ref: // another name for a production: explain that
			all := variants(g, r.Expr, e.Name, seen)
			for i := range all {
				all[i].Alternative = e.Name
			}
			return all
		}
		return []Variant{{"", e.Name, e, e.Name}}
	}
	return []Variant{{"", in, e, in}}
}
