package bnf

import (
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// supplyCore appends to g the core rules of RFC 5234, and the white space of lists, as far as g uses them without
// defining them, and enters them in s. The rules of g get new expressions, whose references name the IDs of these
// rules. A core rule that uses another one uses the document's own, if there is one: a document's DIGIT changes the
// meaning of HEXDIG.
func supplyCore(g *expr.Grammar, s *scope) {
	known := coreRules()
	core := map[string]*expr.Rule{} // the rules are copied, since those of coreRules must not change
	for key, r := range known.byName {
		c := *r
		core[key] = &c
	}
	used := map[*expr.Rule]bool{}
	var use func(r *expr.Rule)
	use = func(r *expr.Rule) {
		r.Expr = rewrite(r.Expr, func(e *expr.Expr) *expr.Expr {
			if e.Op != expr.Ref {
				return e
			}
			if own := s.ruleAnywhere(r.Part, refName(e.Name)); own != nil {
				if IsCore(r) { // a core rule has its references in capitals; the document's ID may differ in case
					return &expr.Expr{Op: expr.Ref, Name: own.ID, Pos: e.Pos}
				}
				return e
			}
			key := s.key(e.Name)
			if !strings.HasPrefix(key, white) {
				key = s.key(refName(e.Name))
			}
			to := core[key]
			if to == nil || to == r {
				return e
			}
			if !used[to] {
				used[to] = true
				use(to)
			}
			return &expr.Expr{Op: expr.Ref, Name: to.ID, Pos: e.Pos}
		})
	}
	for _, r := range slices.Clone(g.Rules) {
		use(r)
	}
	for _, key := range known.order {
		if r := core[key]; used[r] {
			g.Rules = append(g.Rules, r)
			s.add(r)
		}
	}
}

// reconcileCore compares each core rule that the document defines again with that of RFC 5234, and notices it. One with
// the same meaning stays. If prose stands in the document's own rule, and Notation.Define has nothing for it, the
// expression of the core rule replaces that of the rule. Any other rule keeps its own expression. Rules that
// Notation.Define supplies are passed over.
func (c *collector) reconcileCore() {
	known := coreRules()
	for _, r := range c.grammar.Rules {
		core := known.byName[c.scope.key(r.Name)]
		switch {
		case core == nil || IsCore(r) || r.Part == partSupplied:
		case c.sameMeaning(r.Expr, core.Expr):
			c.note.add(coreNotice, r.Pos, r.Name)
		case c.hasProse(r) && c.definition(r.Name) == nil:
			r.Expr = rewrite(core.Expr, func(e *expr.Expr) *expr.Expr { return e })
			c.note.addf(r.Pos, "`%s` is prose; the core rule of RFC 5234 is read", r.Name)
		default:
			c.note.addf(r.Pos,
				"`%s` is a core rule of RFC 5234, and other here: %s there; the document's own is read", r.Name,
				core.Expr)
		}
	}
}

// A core is the core rules and the white space of lists.
type core struct {
	byName map[string]*expr.Rule // by name in lower case; that of the white space of lists begins with white
	order  []string              // the keys of byName, sorted
}

// coreRules returns the core rules and the white space of lists. They are not to be changed.
var coreRules = sync.OnceValue(func() *core {
	c := &core{byName: map[string]*expr.Rule{}}
	for prefix, text := range map[string]string{"": coreABNF, white: whiteABNF} {
		l := mustBuiltIn(split(fileCore, strings.Split(text, "\n"), ABNF, reading{}))
		for _, p := range l.productions {
			read := mustBuiltIn(readProductionABNF(p, reading{Notation: Usual}))
			r := &expr.Rule{
				ID:      read.name,
				Name:    read.name,
				Part:    p.part.name,
				Section: p.section,
				Printed: p.text,
				Expr:    read.right,
				Pos:     p.at(0),
			}
			c.byName[prefix+strings.ToLower(read.name)] = r
			c.order = append(c.order, prefix+strings.ToLower(read.name))
		}
	}
	slices.Sort(c.order)
	return c
})

// mustBuiltIn returns v and panics if err is not nil: only a mistake in a text that is part of this program can cause
// that.
func mustBuiltIn[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// IsCore reports whether r is one of the core rules of ABNF, or white space of lists, which need no definition.
func IsCore(r *expr.Rule) bool { return r.Pos.File == fileCore }

// allCore reports whether r is a core rule that uses no rule of the document.
func allCore(g *expr.Grammar, r *expr.Rule) bool {
	isOwn := func(id string) bool {
		used := g.Rule(id)
		return used != nil && !IsCore(used)
	}
	return IsCore(r) && !slices.ContainsFunc(g.Reach(r.ID), isOwn)
}

// IsCoreName reports whether a name is that of a rule in RFC 5234 appendix B.1.
func IsCoreName(name string) bool {
	return coreRules().byName[strings.ToLower(name)] != nil
}

// fileCore is the name of the file in the positions of core rules.
const fileCore = "RFC 5234"

// coreABNF holds the rules of RFC 5234 appendix B.1.
const coreABNF = `@ part core "RFC 5234 appendix B.1"
ALPHA  = %x41-5A / %x61-7A
BIT    = "0" / "1"
CHAR   = %x01-7F
CR     = %x0D
CRLF   = CR LF
CTL    = %x00-1F / %x7F
DIGIT  = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB   = %x09
LF     = %x0A
LWSP   = *(WSP / CRLF WSP)
OCTET  = %x00-FF
SP     = %x20
VCHAR  = %x21-7E
WSP    = SP / HTAB
`

// whiteABNF is the white space that lists have around their commas, where the document does not define it.
const whiteABNF = `@ part lists "RFC 7230 section 3.2.3"
OWS = *( SP / HTAB )
@ section RFC 2616 section 2.2
LWS = [ CRLF ] 1*( SP / HTAB )
`

// CoreRules returns the core rules of RFC 5234, appendix B.1, sorted by name. They are not to be changed.
func CoreRules() (list []*expr.Rule) {
	known := coreRules()
	for _, key := range known.order {
		if r := known.byName[key]; !strings.HasPrefix(key, white) {
			list = append(list, r)
		}
	}
	return list
}
