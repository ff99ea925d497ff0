package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Large grammars differ in few productions. So two sides are first compared production by production, each with the
// one of its name, without an automaton of the whole:
//
//   - Two productions whose expressions are equal, with names of productions as letters, denote the same operation
//     on languages. Where that holds for every production that both starts need, the two grammars are one system of
//     equations, and derive the same as its least solution, however they recurse or nest. A name that only one side
//     has is replaced by its definition. So are, in a second try, those of regular productions, whose languages may
//     overlap: only what nests is a letter then. A pair that is equal by its automata is a constant of the system,
//     whatever it uses.
//   - The first productions that differ, in the order in which each comes after those that it uses, are compared by
//     themselves: by their automata where they are regular and small, else by words over letters, in which a short
//     word of each production replaces its letter.
//   - Such a word is put into the shortest derivations from the start that use the production (see embed.go), and
//     both starts are asked. The two sides differ only if exactly one of them derives the whole.
//
// The cost of the first step is linear in the two texts. The others have fixed shares of the budget.

// A LocalDifference is a production that derives other strings on the other side.
type LocalDifference struct {
	Production string `json:"production"`       // as side A spells it
	Region     Region `json:"region,omitempty"` // that Word is of: OnlyA or OnlyB
	// A string that only one of the two productions derives, or nil if none was found.
	Word *quote.Word `json:"word,omitempty"`
	A    *Line       `json:"a,omitempty"`
	B    *Line       `json:"b,omitempty"`

	rules [2]*expr.Rule
}

// An Induction compares the productions of two grammars, paired by their IDs. It is not safe for concurrent use.
type Induction struct {
	a, b     *expr.Grammar
	to, from map[string]string // from the IDs of a to those of b, and back
	// By ID of a: whether the definition is the same on the other side, with names as letters.
	known map[string]bool
	same  map[string]bool // by ID of a: whether the definitions of all that the production needs are the same

	// By ID of each side: the productions that nest, and those that use them. It is set by [Induction.isRegular].
	nests [2]map[string]bool
}

// NewInduction returns the Induction that compares a with b, two grammars of one kind. start are the IDs of two
// productions that are counterparts in any case; "" for none. The others are paired by their IDs: first those that
// are equal, then those that the notation takes for equal, such as IDs in another case; of several the first. Each
// has at most one counterpart.
func NewInduction(a, b *expr.Grammar, start [2]string) *Induction {
	n := &Induction{
		a:     a,
		b:     b,
		to:    map[string]string{},
		from:  map[string]string{},
		known: map[string]bool{},
		same:  map[string]bool{},
	}
	pair := func(x, y string) {
		if n.to[x] == "" && n.from[y] == "" {
			n.to[x], n.from[y] = y, x
		}
	}
	if start[0] != "" {
		pair(start[0], start[1])
	}
	// A name in the same case comes before one that differs only in case, since a grammar can have both.
	byKey := map[string]string{}
	for _, r := range slices.Backward(b.Rules) {
		byKey[b.Key(r.ID)] = r.ID
	}
	for _, r := range a.Rules {
		if b.Rule(r.ID) != nil {
			pair(r.ID, r.ID)
		}
	}
	for _, r := range a.Rules {
		if id := byKey[b.Key(r.ID)]; id != "" {
			pair(r.ID, id)
		}
	}
	return n
}

// Same reports whether the production id of a is defined as its counterpart is, and so is every
// production that it needs. It is sound for ordered grammars too. False means only that the texts
// differ, that a production has no counterpart, or that one is refused.
func (n *Induction) Same(id string) bool {
	todo, seen := []string{id}, map[string]bool{id: true}
	for i := 0; i < len(todo); i++ {
		x := n.a.Rule(todo[i])
		y := n.b.Rule(n.to[todo[i]])
		if n.same[todo[i]] {
			continue
		}
		if x == nil || y == nil || x.Refused != nil || y.Refused != nil || !n.alike(x.Expr, y.Expr) {
			return false
		}
		for _, used := range expr.Refs(x.Expr) {
			if !seen[used] && n.a.Rule(used) != nil {
				seen[used] = true
				todo = append(todo, used)
			}
		}
	}
	for _, id := range todo {
		n.same[id] = true
	}
	return true
}

// alike reports whether two expressions are equal, with each production replaced by its counterpart. A name that
// neither side defines is the same on both.
func (n *Induction) alike(d, e *expr.Expr) bool {
	if d.Op != e.Op || len(d.Sub) != len(e.Sub) {
		return false
	}
	if d.Lit != e.Lit || d.Set != e.Set || d.Min != e.Min || d.Max != e.Max {
		return false
	}
	if d.Op == expr.Ref || d.Op == expr.Node || d.Op == expr.Deep {
		if n.a.Rule(d.Name) == nil && n.b.Rule(e.Name) == nil {
			return n.a.Key(d.Name) == n.b.Key(e.Name)
		}
		if n.to[d.Name] != e.Name {
			return false
		}
	}
	return slices.EqualFunc(d.Sub, e.Sub, n.alike)
}

// Comparable reports whether two sides can be compared by their productions: each is the whole language that
// its grammar's production derives, and their inputs are of one kind.
func Comparable(a, b catalog.Language) bool {
	return a.Exact == nil && b.Exact == nil && a.Prefix == b.Prefix &&
		a.Grammar.Ordered == b.Grammar.Ordered && a.Grammar.UTF8 == b.Grammar.UTF8
}

// SameText reports whether the two sides are defined in the same words, so that they are equal whatever they derive.
// It is false for sides that are not [Comparable], and for one without its production.
func SameText(a, b catalog.Language) bool {
	if !Comparable(a, b) {
		return false
	}
	x, err1 := a.Grammar.Lookup(a.Production)
	y, err2 := b.Grammar.Lookup(b.Production)
	return err1 == nil && err2 == nil && NewInduction(a.Grammar, b.Grammar, [2]string{x.ID, y.ID}).Same(x.ID)
}

// ChangedItself reports whether the definition of a production itself differs, and not only the definitions of
// productions that it uses. It is also true if one of the two productions does not exist.
func ChangedItself(a, b catalog.Language) bool {
	x, err1 := a.Grammar.Lookup(a.Production)
	y, err2 := b.Grammar.Lookup(b.Production)
	if err1 != nil || err2 != nil {
		return true
	}
	return !NewInduction(a.Grammar, b.Grammar, [2]string{x.ID, y.ID}).alike(x.Expr, y.Expr)
}

// DisplayOrder returns the indexes of the comparisons in the order to show them: those whose definitions differ
// themselves first, since the others only follow from them. A comparison with a grammar that is built in is among the
// first in any case.
func DisplayOrder(list []Comparison) []int {
	var first, later []int
	for i, c := range list {
		if c.A.File && c.B.File && !ChangedItself(c.A, c.B) {
			later = append(later, i)
		} else {
			first = append(first, i)
		}
	}
	return append(first, later...)
}

// WithSmallBudget returns the comparison with a budget of few steps, for sides that are already known to be equal. The
// steps are not charged to the old budget. Without a budget the comparison stays as it is.
func (c Comparison) WithSmallBudget() Comparison {
	x, y, _ := withPartOfBudget(localSteps, c.A.Grammar, c.B.Grammar)
	if c.A.Grammar.Budget != nil {
		c.A.Grammar, c.B.Grammar = x, y
	}
	return c
}

// letterSteps caps the steps for comparing one definition, localSteps those for one production's language, and
// embedSteps those for all questions to the general parser.
const (
	letterSteps = 1 << 22
	localSteps  = 1 << 24
	embedSteps  = 1 << 26
)

// changed lists the IDs of a whose definitions differ, of those that bottomUp lists, in its order. A definition that
// cannot be compared counts as different.
func (n *Induction) changed(start string) (differ []string) {
	for _, id := range n.bottomUp(start) {
		if !n.sameDefinition(id) {
			differ = append(differ, id)
		}
	}
	return differ
}

// bottomUp lists the start, which must have a counterpart, and the IDs of a that have one and that the start needs on
// either side. Each comes after those that it uses, as far as there is such an order.
func (n *Induction) bottomUp(start string) (list []string) {
	seen := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		if seen[id] {
			return
		}
		seen[id] = true
		for _, used := range n.uses(id) {
			visit(used)
		}
		list = append(list, id)
	}
	visit(start)
	return list
}

// reach returns the productions with a counterpart that the start needs on either side, and the start, by their IDs
// in a. It does not go through productions that equal has as true.
func (n *Induction) reach(start string, equal map[string]bool) map[string]bool {
	needed := map[string]bool{start: true}
	for todo := []string{start}; len(todo) > 0; todo = todo[1:] {
		if equal[todo[0]] {
			continue
		}
		for _, used := range n.uses(todo[0]) {
			if !needed[used] {
				needed[used] = true
				todo = append(todo, used)
			}
		}
	}
	return needed
}

// uses lists the IDs of a that the production id or its counterpart, which must exist, uses. A name that only one side
// has is followed to those that it uses.
func (n *Induction) uses(id string) (ids []string) {
	met := map[string]bool{}
	var in func(g *expr.Grammar, r *expr.Rule, counterpart func(id string) (string, bool))
	in = func(g *expr.Grammar, r *expr.Rule, counterpart func(id string) (string, bool)) {
		for _, used := range expr.Refs(r.Expr) {
			of, paired := counterpart(used)
			if paired {
				if !slices.Contains(ids, of) {
					ids = append(ids, of)
				}
			} else if next := g.Rule(used); next != nil && !met[used] {
				met[used] = true
				in(g, next, counterpart)
			}
		}
	}
	in(n.a, n.a.Rule(id), func(id string) (string, bool) { return id, n.to[id] != "" })
	clear(met)
	in(n.b, n.b.Rule(n.to[id]), func(id string) (string, bool) { return n.from[id], n.from[id] != "" })
	return ids
}

// sameDefinition reports whether a production and its counterpart, which must exist, are defined alike, or have equal
// languages with one of the choices of [Induction.lettersFor]. It is false if that cannot be decided.
func (n *Induction) sameDefinition(id string) bool {
	return expr.Memo(n.known, id, func() bool {
		x, y := n.a.Rule(id), n.b.Rule(n.to[id])
		return n.alike(x.Expr, y.Expr) || slices.ContainsFunc(n.lettersFor(id), func(keep func(string) bool) bool {
			l := n.withLetters(id, keep)
			return l != nil && l.of[0] == l.of[1]
		})
	})
}

// lettersFor lists the choices of letters with which to compare a production and its counterpart, each as the argument
// keep of [Induction.withLetters]: first every name, then only what nests. A regular production has no second choice:
// its own automaton decides, and makes it a constant.
func (n *Induction) lettersFor(id string) []func(id string) bool {
	keepAll := func(string) bool { return true }
	if n.isRegular(id) {
		return []func(string) bool{keepAll}
	}
	return []func(string) bool{keepAll, n.isNested}
}

// isRegular reports whether a production of a and its counterpart, which it must have, neither nest nor use what nests.
func (n *Induction) isRegular(id string) bool {
	if n.nests[0] == nil {
		n.nests = [2]map[string]bool{n.a.Nesting().Users(), n.b.Nesting().Users()}
	}
	return !n.nests[0][id] && !n.nests[1][n.to[id]]
}

// isNested is the opposite of isRegular.
func (n *Induction) isNested(id string) bool { return !n.isRegular(id) }

// A lettered is a production and its counterpart as languages over bytes and letters, in one space. The letter for
// production n of names is the byte mark, which neither grammar has, followed by n in two bytes.
type lettered struct {
	space *lang.Space
	of    [2]lang.Language
	names []string // IDs of a, by number
	mark  byte
}

// withLetters returns production id and its counterpart with names as letters. keep reports, for an ID of a, whether
// the production stays a letter. Others, and names without a counterpart, are replaced by their definitions.
// withLetters returns nil if that is not regular, or too large, if it takes more than letterSteps, if no byte is free,
// or if there are more than 1<<16 names. The steps are charged to n.a.Budget.
func (n *Induction) withLetters(id string, keep func(id string) bool) *lettered {
	part := n.a.Budget.Part(letterSteps)
	defer n.a.Budget.Charge(part)
	defer giveUpOverBudget()
	// letterOf returns the ID of a that a name of a side is the letter of; ok is false if the name is none.
	letterOf := func(side int, id string) (of string, ok bool) {
		if side == 1 {
			id = n.from[id]
		}
		return id, id != "" && n.to[id] != "" && keep(id)
	}
	var number expr.Numbering[string]
	free := expr.AnyByte
	var rules [2][]*expr.Rule
	for k, g := range []*expr.Grammar{n.a, n.b} {
		start := []string{id, n.to[id]}[k]
		met := map[string]bool{start: true}
		for todo := []*expr.Rule{g.Rule(start)}; len(todo) > 0; todo = todo[1:] {
			r := todo[0]
			expr.Terminals(r.Expr, func(s expr.Set) { free = free.Minus(s) })
			for _, used := range expr.Refs(r.Expr) {
				if of, ok := letterOf(k, used); ok {
					number.Of(of)
				} else if next := g.Rule(used); next != nil && !met[used] {
					met[used] = true
					todo = append(todo, next)
				}
			}
			rules[k] = append(rules[k], r)
		}
	}
	if free.IsEmpty() && len(number.List) > 0 || len(number.List) > 1<<16 {
		return nil
	}
	l := &lettered{names: number.List}
	if !free.IsEmpty() {
		l.mark = free.Members()[0]
	}
	var grammars [2]*expr.Grammar
	for k, g := range []*expr.Grammar{n.a, n.b} {
		var put func(e *expr.Expr) *expr.Expr
		put = func(e *expr.Expr) *expr.Expr {
			if e.Op != expr.Ref {
				return e.Map(put)
			}
			of, ok := letterOf(k, e.Name)
			if !ok {
				return e
			}
			i, _ := number.Of(of)
			return expr.Lit(string([]byte{l.mark, byte(i >> 8), byte(i)}))
		}
		lettersOf := g.With(rules[k]).Rewritten(put)
		// The expressions no longer use the names of these rules, so the first rule may have any name.
		lettersOf.Budget, lettersOf.UTF8 = part, false
		grammars[k] = lettersOf
	}
	l.space = lang.NewSpace(lang.Limits{}, grammars[:])
	for k, g := range grammars {
		b, err := l.space.BNF(g)
		if err != nil {
			return nil
		}
		if l.of[k], err = b.Of(g.Rules[0].ID); err != nil {
			return nil
		}
	}
	return l
}

// word returns a word of the production on one side that its definition on the other side does not have, with a short
// word of each production in place of its letter. The other side may derive it nevertheless, in another way. ok is
// false if there is none, or the budget does not suffice.
func (l *lettered) word(side int, short func(id string) (string, bool)) (word string, ok bool) {
	defer giveUpOverBudget()
	only, err := l.space.Minus(l.of[side], l.of[1-side])
	if err != nil {
		return "", false
	}
	w, ok, err := l.space.Shortest(only)
	if err != nil || !ok {
		return "", false
	}
	var out []byte
	for i := 0; i < len(w); i++ {
		if len(l.names) == 0 || w[i] != l.mark {
			out = append(out, w[i])
			continue
		}
		s, ok := short(l.names[int(w[i+1])<<8|int(w[i+2])])
		if !ok {
			return "", false
		}
		out = append(out, s...)
		i += 2
	}
	return string(out), true
}

// compareLanguages compares the languages of a production and its counterpart, which it must have, by their automata.
// has tells by side whether it has a word of its own, and only has a shortest one. ok is false, and the rest means
// nothing, if a production nests, is too large, or takes more than localSteps. The steps are charged to n.a.Budget.
func (n *Induction) compareLanguages(id string) (only [2]string, has [2]bool, ok bool) {
	part := n.a.Budget.Part(localSteps)
	defer n.a.Budget.Charge(part)
	defer giveUpOverBudget()
	x, y := n.a.Part(id), n.b.Part(n.to[id])
	x.Budget, y.Budget = part, part
	space := lang.NewSpace(lang.Limits{}, []*expr.Grammar{x, y})
	var of [2]lang.Language
	for k, g := range []*expr.Grammar{x, y} {
		b, err := space.BNF(g)
		if err != nil {
			return only, has, false
		}
		if of[k], err = b.Of([]string{id, n.to[id]}[k]); err != nil {
			return only, has, false
		}
	}
	for k := range of {
		rest, err := space.Minus(of[k], of[1-k])
		if err != nil {
			return only, has, false
		}
		if only[k], has[k], err = space.Shortest(rest); err != nil {
			return only, has, false
		}
	}
	return only, has, true
}

// compareTexts sets Relation to Equal, and reports it, if every production that the two sides need is defined alike.
func (s *Search) compareTexts(a, b catalog.Language, rules [2]*expr.Rule) bool {
	if !Comparable(a, b) || !NewInduction(a.Grammar, b.Grammar, [2]string{rules[0].ID, rules[1].ID}).Same(rules[0].ID) {
		return false
	}
	s.Relation, s.induction = Equal, true
	return true
}

// compareProductions compares two sides production by production. It sets Relation to Equal if every difference of
// the texts leaves the languages equal, and otherwise lists in Local the productions that differ, or may differ if
// their Word is nil. word is one that exactly one start derives, and region says which; nil if none was found. It is
// that of the first of these productions that has one. It does nothing for ordered grammars, and for sides that are
// not [Comparable]. If a limit is passed, what was found by then stays.
func (s *Search) compareProductions(a, b catalog.Language, rules [2]*expr.Rule) (region Region, word *quote.Word) {
	if !Comparable(a, b) || a.Grammar.Ordered {
		return "", nil
	}
	defer giveUpOverBudget()
	n := NewInduction(a.Grammar, b.Grammar, [2]string{rules[0].ID, rules[1].ID})
	x, y, charge := withPartOfBudget(embedSteps, a.Grammar, b.Grammar)
	defer charge()
	ta, tb := textOf(a, rules[0], x), textOf(b, rules[1], y)
	e := newEmbedder(n, [2]*expr.Grammar{x, y}, [2]string{rules[0].ID, rules[1].ID}, a.Grammar.UTF8 || b.Grammar.UTF8)
	type found struct {
		id    string
		local LocalDifference
		words [2][]string
	}
	var all []found
	equal := map[string]bool{} // productions whose definitions differ and whose languages do not
	for _, id := range n.changed(rules[0].ID) {
		local, words, differs := e.difference(id)
		if equal[id] = !differs; differs {
			all = append(all, found{id, local, words})
		}
	}
	needed := n.reach(rules[0].ID, equal)
	for _, f := range all {
		if !needed[f.id] { // only productions with equal languages use it
			continue
		}
		f.local.A, f.local.B = ta.printedLine(f.local.rules[0]), tb.printedLine(f.local.rules[1])
		s.Local = append(s.Local, f.local)
		if word == nil {
			region, word = e.findEmbedded(f.id, f.words)
		}
	}
	if len(s.Local) == 0 {
		s.Relation, s.induction = Equal, true
	}
	return region, word
}

// mostLocal caps the productions that a sentence names, and those whose lines are shown.
const mostLocal = 4

// shownLocal returns the productions that are known to differ; if there are none, those that may.
func (s *Search) shownLocal() (shown []LocalDifference, known bool) {
	for _, l := range s.Local {
		if l.Word != nil {
			shown = append(shown, l)
		}
	}
	if len(shown) > 0 {
		return shown, true
	}
	return s.Local, false
}

// LocalSentence returns the end of a sentence about the two sides. It names the productions that differ, or if none is
// known to, those whose definitions do, and says that it is not known whether the sides themselves differ. It is "" if
// Local is empty.
func (s *Search) LocalSentence() string {
	shown, known := s.shownLocal()
	if len(shown) == 0 {
		return ""
	}
	var names []string
	for _, l := range shown {
		names = append(names, "`"+l.Production+"`")
	}
	list := layout.Some(names, mostLocal, ", ")
	if !known {
		return fmt.Sprintf("define %s differently; whether that is seen from `%s` is not decided", list, s.start)
	}
	return fmt.Sprintf("differ in %s; whether that is seen from `%s` is not decided", list, s.start)
}

// writeLocal writes the first productions that differ or may, at most mostLocal, each with its two lines and its
// shortest difference if that is known.
func (s *Search) writeLocal(b *strings.Builder) {
	shown, _ := s.shownLocal()
	for _, l := range shown[:min(len(shown), mostLocal)] {
		switch {
		case l.Word == nil:
			fmt.Fprintf(b, "\n  No string is known that only one of the two `%s` derives.\n", l.Production)
		case l.Region == OnlyB:
			fmt.Fprintf(b, "\n  `%s` derives %s in %s only.\n", l.Production, l.Word, s.titles[1])
		default:
			fmt.Fprintf(b, "\n  `%s` derives %s in %s only.\n", l.Production, l.Word, s.titles[0])
		}
		l.A.write(b, 4)
		l.B.write(b, 4)
	}
}
