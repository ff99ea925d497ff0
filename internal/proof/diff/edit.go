package diff

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An edit is a change of the grammar of the side that stops, by which it derives what until then the other side alone did.
// The sentence of a group says what its edit does.
type edit struct {
	feature Feature
	rule    *expr.Rule // of the side that stops: what is changed
	other   *expr.Rule // of the side that goes on: what makes it go on

	set expr.Set     // Allows: what can be read in rule, also in what it uses, in place of any other byte. Parts: what is read
	run []*expr.Expr // Omits: what may be missing in rule, nil for all of it. Adds: what is added, of other
	at  []lang.Span  // Omits: where run begins in rule. Adds: the parts of the grammar that it comes after, -1 for before all
	// Repeats: how often each side repeats run, the side that goes on first. The second is what is changed.
	counts  [2]*expr.Expr
	derives func(s string) bool // Repeats: see [walk.derives]

	instead *expr.Expr // Replaces: what rule has where other has run

	whole *expr.Expr   // see [once]: what rule derives too, nil if the edit changes a part of it
	uses  []*expr.Rule // copies of what whole uses and the side that stops has not
	all   bool         // the two sides differ in nothing else, so that this explains every string

	words []string // Derives: what rule derives too; so for the code points of Allows. Scheme: the schemes. Parts: code points

	stand   stand    // Parts: see there
	alone   bool     // Parts: only rule tells where it is
	points  bool     // Allows: each code point beyond ASCII can be read, of which words are some
	machine *machine // Allows: the exact edit; nil as long as it is a guess

	reordered bool // Has: rule has what run has, in another order
	several   bool // there are other productions than other in which the side that goes on does so

	rank, depth int // of several edits the one of the least rank is told; of these that with the longest run, then of the least depth
}

// beyondASCII derives the code points beyond ASCII.
var beyondASCII = expr.Encodings(utf8.RuneSelf, unicode.MaxRune)

// edits are changes that are made together: one, or several of which none is enough.
type edits []edit

// key names what the edits change. Causes whose edits have the same key are told together.
func (es edits) key(region Region) string {
	keys := make([]string, len(es))
	for i, e := range es {
		keys[i] = e.key()
	}
	slices.Sort(keys)
	return string(region) + strings.Join(keys, " and ")
}

func (e edit) key() string {
	switch e.feature {
	case Omits:
		key := fmt.Sprint(e.feature, e.rule.ID, " ", e.run)
		if len(e.at) > 0 {
			key += fmt.Sprint(e.at[0].I, " ", e.at[0].At)
		}
		return key
	case Adds:
		return fmt.Sprint(e.feature, e.other.ID, " ", e.run)
	case Repeats, Has, Replaces:
		return fmt.Sprint(e.feature, e.rule.ID, " ", e.run)
	case Allows:
		return fmt.Sprint(e.feature, e.rule.ID, " ", e.other.ID)
	case Parts:
		key := fmt.Sprint(e.feature, e.stand, e.stand != standEnded && e.set.IsEmpty() && e.words == nil)
		if e.rule != nil && (e.stand != "" || e.alone) {
			key += " " + e.rule.ID
		}
		if e.other != nil {
			key += " " + e.other.ID
		}
		return key
	}
	return fmt.Sprint(e.feature, e.rule.ID, " ", e.feature == Parts && e.set.IsEmpty())
}

// join adds to es what the edits fs, of the same key, change as well.
func (es edits) join(fs edits) {
	for i := range es {
		for _, f := range fs {
			if es[i].key() == f.key() {
				es[i].join(f)
			}
		}
	}
}

func (e *edit) join(f edit) {
	if f.other != e.other || f.rule != e.rule {
		e.several = true
	}
	e.set = e.set.Union(f.set)
	if f.whole == nil {
		e.whole, e.all = nil, false
	}
	for _, word := range f.words {
		if !slices.Contains(e.words, word) {
			e.words = append(e.words, word)
		}
	}
	for _, at := range f.at {
		if e.feature == Adds && !slices.ContainsFunc(e.at, func(s lang.Span) bool { return s.Of == at.Of && s.I == at.I }) {
			e.at = append(slices.Clip(e.at), at)
		}
	}
}

// apply returns the grammar g of the side that stops with the edits.
func (es edits) apply(g, goes *expr.Grammar) *expr.Grammar {
	var rules []*expr.Rule
	for _, r := range g.Rules {
		c := *r
		c.Expr = es.rewrite(r.Expr)
		for i, e := range es {
			switch {
			case e.whole != nil:
				if r.ID == e.rule.ID {
					c.Expr = expr.Or(c.Expr, e.whole)
				}
			case e.feature == Adds && slices.ContainsFunc(e.at, func(s lang.Span) bool { return s.In == nil && s.Of.Name == r.ID }):
				c.Expr = expr.Cat(c.Expr, e.more(i))
			case r.ID == e.rule.ID && e.feature == Has:
				c.Expr = expr.Or(c.Expr, renamed(expr.Cat(e.run...), added(i), nil))
			case r.ID == e.rule.ID && e.feature == Omits && e.run == nil:
				c.Expr = expr.Opt(c.Expr)
			}
			for _, word := range e.words {
				if r.ID == e.rule.ID && e.feature == Derives {
					c.Expr = expr.Or(c.Expr, expr.Lit(word))
				}
			}
		}
		rules = append(rules, &c)
	}
	for i, e := range es {
		rules = append(rules, e.uses...)
		if e.whole == nil && (e.feature == Adds || e.feature == Has) {
			rules = append(rules, copies(goes, e.other.ID, added(i), nil)...)
		}
	}
	g = g.With(rules)
	order := slices.Clone(es) // the inner ones first, so that the outer ones copy them
	slices.SortStableFunc(order, func(e, f edit) int { return len(g.Reach(e.rule.ID)) - len(g.Reach(f.rule.ID)) })
	for i, e := range order {
		if e.feature != Allows || e.whole != nil || e.set.IsEmpty() && e.words == nil {
			continue
		}
		also := expr.In(e.set)
		for _, word := range e.words {
			also = expr.Or(also, expr.Lit(word))
		}
		if e.points {
			also = expr.Or(also, expr.Or(beyondASCII...))
		}
		name := strings.Repeat(" ", i+1)
		rules = slices.Clone(g.Rules)
		for n, r := range rules {
			if r.ID == e.rule.ID {
				c := *r
				c.Expr = expr.To(name + r.ID)
				rules[n] = &c
			}
		}
		g = g.With(append(rules, copies(g, e.rule.ID, name, also)...))
	}
	return g
}

// added returns what the names of the copies begin with that the i-th edit adds.
func added(i int) string { return strings.Repeat("+", i+1) }

// more returns what the i-th edit adds.
func (e edit) more(i int) *expr.Expr {
	return expr.Opt(renamed(expr.Cat(e.run...), added(i), nil))
}

// rewrite returns s with what the edits say of its parts: what they add comes after a part, and what they omit may be missing.
func (es edits) rewrite(s *expr.Expr) *expr.Expr {
	if s.Op != expr.Seq {
		c := s.Map(es.rewrite)
		for i, e := range es {
			if e.feature == Repeats && e.whole == nil && e.counts[1] == s {
				c = expr.Or(c, expr.Times(c.Sub[0], e.counts[0].Min, e.counts[0].Max))
			}
			for _, at := range e.at {
				switch {
				case at.Of != s || e.run == nil:
				case e.feature == Adds && at.I < 0:
					c = expr.Cat(e.more(i), c)
				case e.feature == Adds:
					c = expr.Cat(c, e.more(i))
				default:
					c = expr.Opt(c)
				}
			}
		}
		return c
	}
	var out []*expr.Expr
	for n, e := range es {
		if e.feature == Adds && slices.ContainsFunc(e.at, func(at lang.Span) bool { return at.Of == s && at.I < 0 }) {
			out = append(out, e.more(n))
		}
	}
	for i := 0; i < len(s.Sub); i++ {
		var part, more *expr.Expr
		skipped := 0
		for n, e := range es {
			at := slices.IndexFunc(e.at, func(at lang.Span) bool { return at.Of == s && at.I == i })
			switch {
			case at < 0 || e.run == nil:
			case e.feature == Adds:
				more = expr.Cat(slices.DeleteFunc([]*expr.Expr{more, e.more(n)}, func(e *expr.Expr) bool { return e == nil })...)
			case len(e.run) > skipped:
				run := expr.Cat(e.run...).Map(es.rewrite)
				if len(e.run) == 1 {
					run = es.rewrite(e.run[0])
				}
				part = expr.Cat(expr.Lit(s.Sub[i].Lit[:e.at[at].At]), expr.Opt(run))
				skipped = len(e.run)
			}
		}
		if part == nil {
			part = es.rewrite(s.Sub[i])
		}
		if out = append(out, part); more != nil {
			out = append(out, more)
		}
		i += max(skipped-1, 0)
	}
	return expr.Cat(out...)
}

// copies returns copies of a production and of those it uses, whose names begin with another word, and which derive also, unless it
// is nil, in place of any character.
func copies(g *expr.Grammar, id, name string, also *expr.Expr) (rules []*expr.Rule) {
	for _, id := range g.Reach(id) {
		if r := g.Rule(id); r != nil {
			c := *r
			c.ID, c.Expr = name+r.ID, renamed(r.Expr, name, also)
			rules = append(rules, &c)
		}
	}
	return rules
}

func renamed(e *expr.Expr, name string, also *expr.Expr) *expr.Expr {
	switch {
	case e.Op == expr.Ref:
		return expr.To(name + e.Name)
	case also == nil:
	case e.Op == expr.Class || e.Chars != "":
		return expr.Or(e, also)
	case e.Op == expr.Literal:
		var bytes []*expr.Expr
		for i := range len(e.Lit) {
			bytes = append(bytes, expr.Or(expr.Lit(e.Lit[i:i+1]), also))
		}
		return expr.Cat(bytes...)
	}
	return e.Map(func(s *expr.Expr) *expr.Expr { return renamed(s, name, also) })
}
