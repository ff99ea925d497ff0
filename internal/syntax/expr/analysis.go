package expr

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Facts hold what is known about the words that rules derive: whether they are empty, and what can stand around a
// use. A rule of a PEG derives what its expression does with alternatives in no order and lookaheads empty.
type Facts struct {
	byRule     map[string]*fact
	components []*Component
	high       map[*Expr]words // for every 16th level of an expression: see remember
}

// A fact is what is known about one rule.
type fact struct {
	rule  *Rule
	words words
	uses  []Use
	in    *Component
}

// at returns the fact about the rule with this ID, or an empty one if there is no such rule.
func (f *Facts) at(id string) *fact {
	if x := f.byRule[id]; x != nil {
		return x
	}
	return &nothing
}

var nothing fact

// A Use is an occurrence of a rule in an expression.
type Use struct {
	ID string

	// Left and Right report whether something that is not empty can stand before and after the occurrence.
	Left, Right bool
}

// words reports whether an expression derives the empty word, and whether it derives a longer one.
type words struct{ empty, longer bool }

// any reports whether there is a word.
func (w words) any() bool { return w.empty || w.longer }

// Analyze returns the facts about the rules. A rule that is not among them derives nothing. If two have one ID,
// the first counts.
func Analyze(rules []*Rule) *Facts {
	f := &Facts{byRule: make(map[string]*fact, len(rules)), high: map[*Expr]words{}}
	for _, r := range rules {
		if f.byRule[r.ID] == nil {
			f.byRule[r.ID] = &fact{rule: r}
		}
	}
	users := map[string][]*Rule{}
	var todo []*Rule
	waiting := map[*Rule]bool{}
	for _, r := range slices.Backward(rules) { // users mostly come before what they use
		if f.at(r.ID).rule != r {
			continue
		}
		for _, id := range Refs(r.Expr) {
			users[id] = append(users[id], r)
		}
		todo = append(todo, r)
		waiting[r] = true
	}
	for ; len(todo) > 0; todo = todo[1:] { // up to the least fixed point
		r := todo[0]
		delete(waiting, r)
		if w := f.of(r.Expr); w != f.at(r.ID).words {
			f.at(r.ID).words = w
			for _, u := range users[r.ID] {
				if !waiting[u] {
					waiting[u] = true
					todo = append(todo, u)
				}
			}
		}
	}
	for _, x := range f.byRule {
		f.Remember(x.rule.Expr)
	}
	for _, x := range f.byRule {
		x.uses = f.collect(nil, x.rule.Expr, false, false)
	}
	f.findComponents(rules)
	return f
}

// Nullable reports whether e derives the empty word. For a PEG it reports whether e may succeed without consuming
// anything; it errs only on the side of true.
func (f *Facts) Nullable(e *Expr) bool { return f.of(e).empty }

// RepeatsEmpty reports whether e is a repetition without limit of an expression that derives the empty word.
func (f *Facts) RepeatsEmpty(e *Expr) bool {
	return e.Op == Repeat && e.Max == Unbounded && f.Nullable(e.Sub[0])
}

// Derives reports whether e derives any word.
func (f *Facts) Derives(e *Expr) bool { return f.of(e).any() }

// NonEmpty reports whether e derives a word other than the empty one.
func (f *Facts) NonEmpty(e *Expr) bool { return f.of(e).longer }

// Uses lists the occurrences of rules in the expression of the rule with this ID, in order. An occurrence that
// cannot be part of a derivation is left out.
func (f *Facts) Uses(id string) []Use { return f.at(id).uses }

// UsesIn is like [Facts.Uses] for an expression.
func (f *Facts) UsesIn(e *Expr) []Use { return f.collect(nil, e, false, false) }

// Leftmost lists the rules that e itself names where nothing need have been read before, in order. It does not look
// into these rules. References inside lookaheads count, and a rule can be listed twice.
func (f *Facts) Leftmost(e *Expr) (ids []string) {
	for _, ref := range f.LeftmostRefs(e) {
		ids = append(ids, ref.Name)
	}
	return ids
}

// LeftmostRefs is like [Facts.Leftmost], but returns the references themselves, with their places.
func (f *Facts) LeftmostRefs(e *Expr) (refs []*Expr) {
	if e.Op == Ref {
		return []*Expr{e}
	}
	for _, s := range e.Sub {
		refs = append(refs, f.LeftmostRefs(s)...)
		if e.Op == Seq && !f.Nullable(s) {
			break
		}
	}
	return refs
}

// Used returns the rules that e uses, directly or indirectly. It leaves out the occurrences that [Facts.Uses]
// leaves out.
func (f *Facts) Used(e *Expr) map[string]bool {
	used := map[string]bool{}
	for todo := f.collect(nil, e, false, false); len(todo) > 0; todo = todo[1:] {
		if id := todo[0].ID; !used[id] {
			used[id] = true
			todo = append(todo, f.at(id).uses...)
		}
	}
	return used
}

// Remember stores the facts about every sixteenth level of e, and about each part that has many parts, so that a
// question about an inner part of a high expression, or a thousand questions about a wide one, do not walk all of it
// each time. It must not be called while others ask.
func (f *Facts) Remember(e *Expr) { f.remember(e) }

// remember does the work of Remember. It returns the height of e, and how many parts a question about e walks
// through from now on: one if the facts about e itself are stored.
func (f *Facts) remember(e *Expr) (height, walked int) {
	for _, s := range e.Sub {
		h, n := f.remember(s)
		height, walked = max(height, h), walked+n
	}
	height, walked = height+1, walked+1
	if height%16 == 0 || walked > manyParts {
		f.high[e] = f.of(e)
		walked = 1
	}
	return height, walked
}

// manyParts is the number of parts beyond which the facts about an expression are remembered.
const manyParts = 64

// of returns which words e derives, by the facts so far about the rules that it uses. While Analyze runs, these
// can be too few.
func (f *Facts) of(e *Expr) words {
	if len(f.high) > 0 && len(e.Sub) > 0 {
		if w, ok := f.high[e]; ok {
			return w
		}
	}
	switch e.Op {
	case Class:
		return words{longer: !e.Set.IsEmpty()}
	case Literal:
		return words{longer: true}
	case Ref:
		return f.at(e.Name).words
	case Seq:
		all := words{empty: true}
		for _, s := range e.Sub {
			w := f.of(s)
			if !w.any() {
				return words{}
			}
			all = words{all.empty && w.empty, all.longer || w.longer}
		}
		return all
	case Alt:
		var all words
		for _, s := range e.Sub {
			w := f.of(s)
			all = words{all.empty || w.empty, all.longer || w.longer}
		}
		return all
	case Repeat:
		w := f.of(e.Sub[0])
		return words{w.empty || e.Min == 0, w.longer && e.Max != 0}
	case Node:
		return f.of(e.Sub[0])
	case Deep: // never succeeds
		return words{}
	}
	return words{empty: true} // Empty, And, Not
}

// collect appends the uses in e to uses. left and right report whether a non-empty word can stand on that side of
// e. It adds nothing for an e that derives nothing.
func (f *Facts) collect(uses []Use, e *Expr, left, right bool) []Use {
	if !f.Derives(e) {
		return uses
	}
	switch e.Op {
	case Ref:
		return append(uses, Use{e.Name, left, right})
	case Seq:
		// Up to the last part with a non-empty word, something can follow a part.
		last := len(e.Sub) - 1
		for last > 0 && !f.NonEmpty(e.Sub[last]) {
			last--
		}
		for i, s := range e.Sub {
			uses = f.collect(uses, s, left, right || i < last)
			left = left || f.NonEmpty(s)
		}
	case And, Not: // a lookahead is no part of the derivation
	case Repeat:
		if e.Max == 0 {
			break
		}
		again := (e.Max == Unbounded || e.Max > 1) && f.NonEmpty(e.Sub[0])
		return f.collect(uses, e.Sub[0], left || again, right || again)
	default:
		for _, s := range e.Sub {
			uses = f.collect(uses, s, left, right)
		}
	}
	return uses
}

// A SelfEmbedding is a production A that derives uAv, for words u and v that are not empty: it need not be regular.
type SelfEmbedding struct {
	Pos        Pos      // of the production
	Production string   // its name in the text
	Through    []string // the names on the path from it to itself, in order; none if it uses itself directly
}

// Error returns "file:line:col: `a` embeds itself through `b`".
func (e *SelfEmbedding) Error() string { return at(e.Pos, e.Message()) }

// Message returns the error without the place.
func (e *SelfEmbedding) Message() string {
	return "`" + e.Production + "` embeds itself" + Through(e.Through)
}

// Through formats the names on the path of a recursion, " through `a`, `b`". It returns "" if there are none.
func Through(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " through `" + strings.Join(names, "`, `") + "`"
}

// SelfEmbedding returns the shortest path on which the rule with this ID embeds itself, or nil. A context-free
// grammar without self-embedding derives a regular language (N. Chomsky, "On certain formal properties of
// grammars", Information and Control 2, 1959). The decision is exact, because [Facts.Uses] is.
//
// The words to the left and to the right of the rule add up over the uses on the path, and the two are chosen
// independently. So it is enough to search for a closed path with a use that has something on its left and a use,
// perhaps another one, that has something on its right.
//
// In a component of more than a thousand rules the path is not searched, and Through is empty.
func (f *Facts) SelfEmbedding(id string) *SelfEmbedding {
	const many = 1000
	if c := f.at(id).in; c == nil || !c.Embeds() {
		return nil
	} else if len(c.Rules) > many {
		return &SelfEmbedding{Pos: f.at(id).rule.Pos, Production: f.at(id).rule.Label()}
	}
	start := Use{ID: id}
	from := map[Use]Use{start: {}}
	for todo := []Use{start}; len(todo) > 0; todo = todo[1:] {
		for _, u := range f.at(todo[0].ID).uses {
			next := Use{u.ID, todo[0].Left || u.Left, todo[0].Right || u.Right}
			if _, ok := from[next]; ok {
				continue
			}
			from[next] = todo[0]
			if next == (Use{id, true, true}) {
				return &SelfEmbedding{f.at(id).rule.Pos, f.at(id).rule.Label(), f.between(from, next)}
			}
			todo = append(todo, next)
		}
	}
	return nil
}

// between returns the names of the rules on the path to last, without its first and last rule, which are the same.
// from has, for each use on the path, the use before it. A rule that comes twice is named once.
func (f *Facts) between(from map[Use]Use, last Use) []string {
	var names []string
	seen := map[string]bool{last.ID: true, "": true}
	for s := from[last]; s != (Use{}); s = from[s] {
		if !seen[s.ID] {
			seen[s.ID] = true
			names = append(names, f.at(s.ID).rule.Label())
		}
	}
	slices.Reverse(names)
	return names
}

// Undefined lists the references in e to rules that g does not have, in the order of the text.
func (g *Grammar) Undefined(e *Expr) []*Expr {
	var out []*Expr
	Walk(e, func(e *Expr) bool {
		if e.Op == Ref && g.Rule(e.Name) == nil {
			out = append(out, e)
		}
		return true
	})
	return out
}

// Reach lists these IDs, as they are given, and then all other names that the expressions of their rules use, directly
// or indirectly, breadth-first, each once. It includes names without a definition.
func (g *Grammar) Reach(ids ...string) []string {
	return g.reach(ids, func(r *Rule) []string { return Refs(r.Expr) })
}

// ReachInText is like [Grammar.Reach], with the names that only the text of a rule uses: see [Rule.Uses].
func (g *Grammar) ReachInText(ids ...string) []string { return g.reach(ids, (*Rule).Uses) }

// reach is [Grammar.Reach] for the names that uses returns.
func (g *Grammar) reach(ids []string, uses func(*Rule) []string) []string {
	out := slices.Clone(ids)
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	for i := 0; i < len(out); i++ {
		r := g.Rule(out[i])
		if r == nil {
			continue
		}
		for _, id := range uses(r) {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// Reached is like [Grammar.Reach], but returns a set.
func (g *Grammar) Reached(ids ...string) map[string]bool { return setOf(g.Reach(ids...)) }

// ReachedInText is like [Grammar.ReachInText], but returns a set.
func (g *Grammar) ReachedInText(ids ...string) map[string]bool { return setOf(g.ReachInText(ids...)) }

// setOf returns a set of these IDs.
func setOf(ids []string) map[string]bool {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// ByPlace returns a function that finds the rules around a place: the last one that begins at the place or before it,
// and the first one that begins after it. Either is nil if there is none. The rules must be of one file.
func ByPlace(rules []*Rule) func(Pos) (before, after *Rule) {
	compare := func(a, b Pos) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) }
	inOrder := slices.SortedStableFunc(slices.Values(rules), func(a, b *Rule) int { return compare(a.Pos, b.Pos) })
	return func(pos Pos) (before, after *Rule) {
		next := Pos{Line: pos.Line, Col: pos.Col + 1}
		i, _ := slices.BinarySearchFunc(inOrder, next, func(r *Rule, p Pos) int { return compare(r.Pos, p) })
		if i > 0 {
			before = inOrder[i-1]
		}
		if i < len(inOrder) {
			after = inOrder[i]
		}
		return before, after
	}
}

// EndOfLine is the column after the end of every line.
const EndOfLine = math.MaxInt - 1

// UsedByOthers returns, by ID, whether the text of another rule uses a rule. A rule that only itself uses has the entry
// false, and one that no rule uses has none.
func (g *Grammar) UsedByOthers() map[string]bool {
	used := map[string]bool{}
	for _, r := range g.Rules {
		for _, id := range r.Uses() {
			used[id] = used[id] || id != r.ID
		}
	}
	return used
}

// Path lists the rules on a shortest path of at least one use from one rule to another, the first included and the
// last not. It returns nil if there is none. uses returns the uses in an expression: [Refs], or some of them.
func (g *Grammar) Path(from, to string, uses func(*Expr) []string) []string {
	up := map[string]string{}
	for todo := []string{from}; len(todo) > 0; todo = todo[1:] {
		r := g.Rule(todo[0])
		if r == nil {
			continue
		}
		for _, id := range uses(r.Expr) {
			if id == to {
				way := []string{todo[0]}
				for way[0] != from {
					way = slices.Insert(way, 0, up[way[0]])
				}
				return way
			}
			if _, ok := up[id]; !ok && id != from {
				up[id] = todo[0]
				todo = append(todo, id)
			}
		}
	}
	return nil
}

// Circles returns, for each rule that uses itself, directly or through others, its strongly connected component:
// the rules that it uses and that use it, in their order. The rules of a component share the slice. uses returns the
// uses in an expression: [Refs], or some of them. If two rules have one ID, the first counts.
func Circles(rules []*Rule, uses func(*Expr) []string) map[string][]*Rule {
	circles := map[string][]*Rule{}
	for _, group := range Groups(rules, func(r *Rule) []string { return uses(r.Expr) }) {
		if len(group) == 1 && !slices.Contains(uses(group[0].Expr), group[0].ID) {
			continue
		}
		for _, r := range group {
			circles[r.ID] = group
		}
	}
	return circles
}

// Users returns, by ID, the IDs of the rules whose texts use each, in the order of g. Names without a definition have
// entries too.
func (g *Grammar) Users() map[string][]string { return g.users((*Rule).Uses) }

// users is [Grammar.Users] for the names that uses returns.
func (g *Grammar) users(uses func(*Rule) []string) map[string][]string {
	users := map[string][]string{}
	for _, r := range g.Rules {
		for _, id := range uses(r) {
			users[id] = append(users[id], r.ID)
		}
	}
	return users
}

// Using returns these IDs and those of all rules whose expressions use them, directly or through others.
func (g *Grammar) Using(ids ...string) map[string]bool {
	users := g.users(func(r *Rule) []string { return Refs(r.Expr) })
	using := map[string]bool{}
	for ids = slices.Clone(ids); len(ids) > 0; ids = ids[1:] {
		if !using[ids[0]] {
			using[ids[0]] = true
			ids = append(ids, users[ids[0]]...)
		}
	}
	return using
}
