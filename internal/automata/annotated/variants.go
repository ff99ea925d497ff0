package annotated

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Variant is one way to explain a production that is a choice among URL schemes: for an input that begins with
// Prefix, Expr was meant.
type Variant struct {
	Prefix    string // up to the colon: "http:"; "" for all other inputs
	Explained string // the production that was chosen: "httpurl", "genericurl"
	Expr      *expr.Expr

	// Alternative is the production that the choice names, "otherurl" for genericurl; else Explained.
	Alternative string
}

// Generic returns the ID of the production that id, a choice among schemes, names for URLs of any other
// scheme. It returns "" if there is none, or if id is not such a choice. g must have id.
func Generic(g *expr.Grammar, id string) string {
	all := Variants(g, id)
	if last := all[len(all)-1]; len(all) > 1 && last.Explained != id {
		return last.Alternative
	}
	return ""
}

// Variants returns the ways to explain the production id, the one without a prefix last. A scheme is recognized by
// the literal that an alternative begins with, up to a colon. The last variant explains the only alternative
// without a scheme, or the production itself if there are several or none. A production with fewer than two schemes
// has only the variant that is the production itself. g must have the production.
func Variants(g *expr.Grammar, id string) []Variant { return AllVariants(g)(id) }

// AllVariants returns a function that is [Variants] for the productions of g. The results for nested productions are
// kept between its calls. Like [Variants] and [Generic], the function panics with a limit of g's budget.
func AllVariants(g *expr.Grammar) func(id string) []Variant {
	v := &varying{g, map[string]bool{}, map[string][]Variant{}, 0}
	return v.variants
}

// variants is [Variants] for the grammar of v. Of several alternatives with one prefix the first counts.
func (v *varying) variants(id string) []Variant {
	r := v.g.Rule(id)
	all, ok := v.known[id]
	if !ok {
		all = v.choicesOf(r.Expr, id)
	}
	var named, rest []Variant
	for _, v := range all {
		switch {
		case v.Prefix == "":
			rest = append(rest, v)
		case !slices.ContainsFunc(named, func(other Variant) bool { return other.Prefix == v.Prefix }):
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

// A varying finds the alternatives of productions. open has the productions whose choices are being computed,
// and cut counts how often one of these was met again and left out: a result during which cut has grown is
// not complete, and is not kept in known.
type varying struct {
	g     *expr.Grammar
	open  map[string]bool
	known map[string][]Variant // the complete results, by production
	cut   int
}

// choicesOf returns a variant for each alternative that e can begin with, in the order of the text. in is the
// production that e belongs to.
//
// It looks into the first part of a sequence and into productions that come first, so that schemes are found wherever
// they are named; the rest of the sequence follows each variant. A literal before a choice of schemes gives a variant
// by itself, and one with each scheme after it: "url:" and "url:http:". A literal that names a scheme explains in,
// and a reference to a production with a single scheme is one variant, which explains that production.
//
// There is always a variant. An expression that names no scheme gives one without a prefix. If it refers to a
// production, that one is explained. If this production is only a reference to another, the inner one is explained,
// and the outer one is the Alternative. In all other cases in is explained, also for a reference to an undefined
// production, or to one that is being computed, which is counted in v.cut. choicesOf panics with a limit of the
// grammar's budget.
func (v *varying) choicesOf(e *expr.Expr, in string) []Variant {
	v.g.Budget.Step(16) // a production that uses itself is looked at on each way to it
	switch e.Op {
	case expr.Alt:
		var out []Variant
		for _, s := range e.Sub {
			out = append(out, v.choicesOf(s, in)...)
		}
		return out
	case expr.Seq:
		first, rest := e.Sub[0], e.Sub[1:]
		vs := v.choicesOf(first, in)
		isPrefix := first.Op == expr.Literal && len(vs) == 1 && vs[0].Prefix == first.Lit
		if isPrefix && rest[0].Op == expr.Ref {
			return v.prefixed(e, vs[0], in)
		}
		for i, x := range vs {
			vs[i].Expr = expr.Cat(append([]*expr.Expr{x.Expr}, rest...)...)
		}
		return vs
	case expr.Literal:
		if i := strings.IndexByte(e.Lit, ':'); i > 0 {
			return []Variant{{e.Lit[:i+1], in, e, in}}
		}
	case expr.Ref:
		r := v.g.Rule(e.Name)
		if r == nil {
			break
		}
		if v.open[e.Name] {
			v.cut++
			break
		}
		vs := slices.Clone(v.choicesOfRule(e.Name, r))
		prefixes := map[string]bool{}
		for _, x := range vs {
			prefixes[x.Prefix] = true
		}
		switch {
		case len(prefixes) > 1: // a choice itself
			return vs
		case len(vs) > 0 && vs[0].Prefix != "": // one scheme: the production as a whole
			return []Variant{{vs[0].Prefix, e.Name, e, e.Name}}
		case r.Expr.Op == expr.Ref: // another name for a production: explain that
			for i := range vs {
				vs[i].Alternative = e.Name
			}
			return vs
		}
		return []Variant{{"", e.Name, e, e.Name}}
	}
	return []Variant{{"", in, e, in}}
}

// prefixed returns the variants of e, a sequence that begins with a literal and a reference: "url:" url. The first is
// the literal's own, made of the whole of e. Then come the schemes of the production that is referred to, each after
// the prefix; its alternatives without a scheme are left to the first. in is the production that e belongs to.
func (v *varying) prefixed(e *expr.Expr, literal Variant, in string) []Variant {
	first, second, rest := e.Sub[0], e.Sub[1], e.Sub[2:]
	literal.Expr = e
	vs := []Variant{literal}
	for _, x := range v.choicesOf(second, in) {
		if x.Prefix == "" {
			continue
		}
		x.Prefix = first.Lit + x.Prefix
		x.Expr = expr.Cat(append([]*expr.Expr{expr.Cat(first, x.Expr)}, rest...)...)
		vs = append(vs, x)
	}
	return vs
}

// choicesOfRule is choicesOf for the production id, whose rule is r. A complete result is kept in known, and must not
// be changed; one from which v.cut left something out is computed anew each time.
func (v *varying) choicesOfRule(id string, r *expr.Rule) []Variant {
	if vs, ok := v.known[id]; ok {
		return vs
	}
	before := v.cut
	v.open[id] = true
	vs := v.choicesOf(r.Expr, id)
	delete(v.open, id)
	if v.cut == before {
		v.known[id] = vs
	}
	return vs
}
