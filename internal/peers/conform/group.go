package conform

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// findUnheard returns the first input that the implementation did not decide and should have, if it decided none of that
// sort: none that the judge accepts, or none that it rejects. decided has the sorts of which it decided some. It returns
// nil if there is no such input, and if nothing was decided at all, since that is said elsewhere.
func findUnheard(j Judge, inputs []string, answers []Answer, decided map[bool]bool) (first *unheard) {
	if decided[true] == decided[false] {
		return nil
	}
	// find sets first if the input is of the other sort. It fails if the grammar exceeds a limit.
	find := func(w string) (err error) {
		defer budget.Catch(&err)
		f := j.findingOn(w)
		if !f.elsewhere && !decided[f.accepted] && (!f.accepted || j.asksAbout(f)) {
			first = &unheard{w, f.accepted}
		}
		return nil
	}
	for i, w := range inputs {
		if answers[i].Verdict == Undecided && find(w) == nil && first != nil {
			return first
		}
	}
	return nil
}

// compareAnswers compares the answers of an implementation with a judge; answers[i] is the answer to
// inputs[i]. The inputs are in the order of lang.Compare, so that the first one in a group is its shortest. Inputs
// that the implementation did not decide are passed over. For a judge of URLs, an accepted string without a scheme is
// taken for rejected. The groups have no numbers yet.
func compareAnswers(name string, j Judge, inputs []string, answers []Answer) Comparison {
	j.known = newExplanations(j.Grammar, j.startProduction())
	c := Comparison{
		Implementation: name,
		Grammar:        j.Grammar.Name,
		Production:     j.productionID(),
		File:           j.File,
		Asked:          len(inputs),
	}
	s := &sorter{
		judge:    j,
		g:        j.Grammar,
		start:    j.startProduction(),
		file:     j.File,
		groups:   map[key]*open{},
		traveled: map[transition]int{},
		inside:   map[uint16][]ast.Kind{},
		loose:    map[ast.Kind]*loose{},
		terms:    map[uint16]*terms{},
	}
	tallies := make([]Tally, components)
	for k := range components {
		tallies[k].Component = j.componentName(k)
	}
	for _, name := range j.Names() {
		tallies = append(tallies, Tally{Component: name})
	}
	tell := canTell(answers)
	var less []int             // the indexes of inputs that the grammar alone accepts
	var both []string          // the inputs that both accept
	decided := map[bool]bool{} // by whether the grammar accepts inputs: the implementation decided some of them
	// one compares the answer to one input. It fails if the grammar exceeds a limit, and so does not judge
	// the input. Then it has counted nothing: all that can pass a limit is findingOn.
	one := func(i int, w string, a Answer) (err error) {
		defer budget.Catch(&err)
		f := j.findingOn(w)
		if f.elsewhere {
			c.Elsewhere++
			return nil
		}
		c.Compared++
		if f.accepted && a.Verdict == Rejected && !j.asksAbout(f) {
			return nil // of a scheme that it need not know, its rejection says nothing
		}
		decided[f.accepted] = true
		switch {
		case !f.accepted && a.Verdict == Accepted:
			c.More++
			why := f.why()
			s.countTooMany(w, why, true)
			s.addAcceptsMore(w, why)
		case !f.accepted:
			if explains(s.g) { // otherwise nothing is known to surround the place
				s.countTooMany(w, f.why(), false)
			}
		case a.Verdict == Rejected:
			c.Less++
			less = append(less, i)
		case a.Verdict == Accepted:
			c.Both++
			both = append(both, w)
			s.tallyComponents(tallies[:components], w, f, a, tell)
			s.tallyNamed(tallies[components:], w, f, a)
		}
		return nil
	}
	for i, w := range inputs {
		a := answers[i]
		if j.judgesURLs() {
			a = a.requireScheme()
		}
		if a.Verdict != Accepted && a.Verdict != Rejected {
			continue
		}
		if err := one(i, w, a); err != nil {
			if c.Unjudged++; c.Unjudged == 1 {
				c.UnjudgedFirst, c.UnjudgedWhy = quote.Word(w), err.Error()
			}
		}
	}
	c.unheard = findUnheard(j, inputs, answers, decided)
	if len(less) > 0 {
		s.countTravels(both)
	}
	s.addAcceptsLess(inputs, answers, less) // last, when all transitions that accepted inputs take are known
	for _, t := range tallies {
		if t != (Tally{Component: t.Component}) {
			c.Tallies = append(c.Tallies, t)
		}
	}
	c.Groups = s.finishGroups()
	s.nameCommonSurroundings(c.Groups)
	return c
}

// countTravels counts in s.traveled the transitions of inputs that both accept. Only inputs that the implementation
// refuses ask for them. An input for whose tree a limit is passed is left out.
func (s *sorter) countTravels(both []string) {
	count := func(w string) (err error) {
		defer budget.Catch(&err)
		taken, _ := transitionsOf(s.g, s.start, w)
		for _, t := range taken {
			s.traveled[t]++
		}
		return nil
	}
	for _, w := range both {
		_ = count(w)
	}
}

// tallyComponents counts in tallies, by component, how the values that an implementation sees in w are like those of
// the grammar; both accept w. A component of which one of them says nothing is not counted. It adds w to a group
// for each component that differs. tell is the result of canTell.
func (s *sorter) tallyComponents(tallies []Tally, w string, f finding, a Answer, tell [components]bool) {
	for k := range components {
		theirs := a.Components[k]
		like := s.judge.compare(k, f.components, theirs, tell[k])
		switch like {
		case Same:
			tallies[k].Same++
		case Respelled:
			tallies[k].Respelled++
		case Blank:
			tallies[k].Blank++
		case Different:
			tallies[k].Different++
		}
		if like == Blank || like == Different {
			s.addOtherComponent(w, k, s.judge.componentName(k), offsetOf(w, k, f.components), f.components[k], theirs)
		}
	}
}

// tallyNamed is tallyComponents for the components that a user has named; tallies are in the order of Judge.Named.
// Values are the same if their text is, byte by byte, and different if not; an absent one is like an empty one.
func (s *sorter) tallyNamed(tallies []Tally, w string, f finding, a Answer) {
	for k, kind := range s.judge.Named {
		tally := &tallies[k]
		ours, theirs := f.named[tally.Component], a.Named[tally.Component]
		switch {
		case !theirs.Said:
			// it does not report this component: nothing to compare
		case ours.Text == theirs.Text:
			tally.Same++
		default:
			tally.Different++
			from := s.offsetOfNamed(w, kind, ours.Text)
			s.addOtherComponent(w, Component(k), tally.Component, from, ours, theirs)
		}
	}
}

// A sorter puts inputs into groups. Its methods add to groups and count in loose.
type sorter struct {
	judge    Judge
	g        *ast.Grammar
	start    ast.Kind
	file     string
	groups   map[key]*open
	traveled map[transition]int // by how many inputs that both accept
	inside   map[uint16][]ast.Kind
	loose    map[ast.Kind]*loose
	terms    map[uint16]*terms // by state of the automaton that explains; see termsOf
}

// A loose production is one in which inputs go wrong: asked counts them, and taken those that the
// implementation accepts all the same. groups has the indexes of the groups that lie in it.
type loose struct {
	production   string
	asked, taken int
	groups       []int
}

// surroundingAt returns the productions, other than the start, that every continuation is inside of at the
// place where the grammar rejects w. There are none if the grammar has no automaton that explains rejections. The slice
// is shared.
func (s *sorter) surroundingAt(w string) []ast.Kind {
	if !explains(s.g) {
		return nil
	}
	taken, _ := transitionsOf(s.g, s.start, w)
	q := taken[len(taken)-1].state
	in, known := s.inside[q]
	if !known {
		for i, e := range s.g.Machine().Expected(q) { // the intersection of all e.In, without the start
			if i == 0 {
				in = slices.Clone(e.In)
			}
			in = slices.DeleteFunc(in, func(k ast.Kind) bool { return k == s.start || !slices.Contains(e.In, k) })
		}
		s.inside[q] = in
	}
	return in
}

// countTooMany counts an input that the grammar rejects in s.loose, for each production that surrounds the
// place where it goes wrong. taken says that the implementation accepts it. It does nothing if why is nil.
func (s *sorter) countTooMany(w string, why *rejection, taken bool) {
	if why == nil {
		return
	}
	for _, k := range s.surroundingAt(w) {
		l := s.loose[k]
		if l == nil {
			l = &loose{production: s.g.Production(k).Name}
			s.loose[k] = l
		}
		if l.asked++; taken {
			l.taken++
		}
	}
}

// nameCommonSurroundings sets loose of groups of kind AcceptsMore. A production counts if at least nine in
// ten strings that go wrong in it were taken, and it surrounds two groups or more; of several around a group,
// the one that surrounds most groups wins, and of equals the first in the grammar. It also fills loose.groups, and must be
// called once.
func (s *sorter) nameCommonSurroundings(groups []Group) {
	for i, g := range groups {
		if g.Kind != AcceptsMore {
			continue
		}
		for _, k := range s.surroundingAt(string(g.Shortest)) {
			if l := s.loose[k]; 10*l.taken >= 9*l.asked {
				l.groups = append(l.groups, i)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(s.loose)) {
		l := s.loose[k]
		for _, i := range l.groups {
			if old := groups[i].loose; len(l.groups) > 1 && (old == nil || len(l.groups) > len(old.groups)) {
				groups[i].loose = l
			}
		}
	}
}

// A key identifies a group: inputs with the same key belong together.
type key struct {
	kind       Kind
	component  Component
	production ast.Kind
	class      int16
	what       string // the refused term, the expected terms, or how a component differs
	surely     bool
}

// letters is the class, in a key, of all letters and digits: next to end and nowhere.
const letters = -3

// An open group is one that inputs are still added to.
type open struct {
	Group
	transitions map[transition]bool
	bytes       expr.Set // the bytes met at the place, for a group whose class is letters
}

// addToGroup counts an input in the group of k. If w is the group's first input, it makes the group and
// returns fresh; the caller then fills in the place. in has the productions around the place, and t is the
// transition at which the two differ, which it counts. It leaves the bytes of a group of letters to
// [sorter.widenGroup].
func (s *sorter) addToGroup(k key, w string, in []ast.Kind, t transition) (g *open, fresh bool) {
	if g, ok := s.groups[k]; ok {
		g.Count++
		g.transitions[t] = true
		return g, false
	}
	p := s.g.Production(k.production)
	g = &open{transitions: map[transition]bool{t: true}, Group: Group{
		Kind: k.kind, Production: p.Name, Section: p.Section, Line: p.Line,
		Printed: quote.Passage(p.Printed), File: s.file,
		Count: 1, Surely: k.surely, Shortest: quote.Word(w),
	}}
	for _, kind := range in {
		switch {
		case kind == k.production:
			// it is not around itself
		case len(g.Around) < quote.LongNames:
			g.Around = append(g.Around, s.g.Production(kind).Name)
		default:
			g.MoreAround++
		}
	}
	s.groups[k] = g
	return g, true
}

// addAcceptsMore adds an input that the grammar rejects and the implementation accepts: they differ at the
// transition into the dead state. It does nothing if why is nil.
func (s *sorter) addAcceptsMore(w string, why *rejection) {
	if why == nil { // refused for its length, before any transition
		return
	}
	t := transition{uint16(s.start), end} // without an automaton, the start stands for the state
	if explains(s.g) {
		taken, _ := transitionsOf(s.g, s.start, w)
		t = taken[len(taken)-1]
	} else if why.Offset < len(w) {
		t.class = int16(w[why.Offset])
	}
	k := key{kind: AcceptsMore, production: why.Explained, class: t.class, surely: true}
	if len(why.In) > 0 {
		k.production = why.In[0]
	}
	// One letter is as good a witness as another; so is one character where a lexical production reads a
	// single one.
	if why.Offset < len(w) && (isAlphanumeric(w[why.Offset]) || s.g.Production(k.production).Lexical) {
		k.class, k.what = letters, s.termsOf(why, t).joined
	}
	g, fresh := s.addToGroup(k, w, why.In, t)
	if fresh {
		g.Offset, g.Expected = why.Offset, s.termsOf(why, t).list
		if more := len(g.Expected) - quote.LongNames; more > 0 {
			g.Expected, g.MoreExpected = g.Expected[:quote.LongNames], more
		}
		s.setPlace(&g.Group, w, why.Offset, t)
	}
	s.widenGroup(g, k, t)
}

// widenGroup adds the bytes of transition t to those of a group of letters, and updates g.Bytes. It leaves
// any other group alone.
func (s *sorter) widenGroup(g *open, k key, t transition) {
	if k.class != letters {
		return
	}
	g.bytes = g.bytes.Union(s.bytesTaking(t))
	if g.bytes.Len() > 1 {
		g.Bytes = g.bytes.String()
	}
}

// A suspect is a transition that may be the reason why an implementation refuses an input.
type suspect struct {
	key key
	at  int // offset in the input
	t   transition
}

// suspectsOf lists the transitions of w that no input accepted by both takes or, if there is none, the one
// that the fewest take. The end of the input is read by the production that explains all of it. If the
// grammar has no automaton that explains rejections (see explains), it lists the productions in the tree of w
// instead, inner ones first: those that are in the tree of no input accepted by both or, if there is none,
// the start.
func (s *sorter) suspectsOf(w string) []suspect {
	taken, explained := transitionsOf(s.g, s.start, w)
	list := make([]suspect, len(taken))
	if !explains(s.g) { // taken has the productions in its tree, outer ones first
		for i, t := range slices.Backward(taken) {
			k := key{kind: AcceptsLess, production: ast.Kind(t.state), class: end, surely: s.traveled[t] == 0}
			list[len(taken)-1-i] = suspect{k, 0, t}
		}
		if rare := slices.DeleteFunc(slices.Clone(list), func(x suspect) bool { return !x.key.surely }); len(rare) > 0 {
			return rare
		}
		return list[len(list)-1:]
	}
	least := 0
	for i, t := range taken {
		k := key{kind: AcceptsLess, class: t.class, surely: s.traveled[t] == 0}
		if i < len(w) {
			k.production, k.what = readerOf(s.g, t, w[i])
			if isAlphanumeric(w[i]) {
				k.class = letters
			}
		} else {
			k.production, k.what = explained, ast.EndOfInput
		}
		list[i] = suspect{k, i, t}
		if s.traveled[t] < s.traveled[taken[least]] {
			least = i
		}
	}
	if !list[least].key.surely {
		return list[least : least+1]
	}
	return slices.DeleteFunc(list, func(x suspect) bool { return !x.key.surely })
}

// addAcceptsLess adds the inputs that the grammar accepts and the implementation rejects; refused has their
// indexes. A transition that w takes could be to blame; as few are blamed as explain all inputs, by the
// greedy rule for set covers (Johnson, "Approximation Algorithms for Combinatorial Problems", 1974): time and
// again the one that explains most of the inputs left; of several the one with the least offset in its input, and then
// that of the first input.
func (s *sorter) addAcceptsLess(inputs []string, answers []Answer, refused []int) {
	left := make(map[int][]suspect, len(refused))
	for _, i := range refused {
		left[i] = s.suspectsOf(inputs[i])
	}
	for len(left) > 0 {
		counts := map[key]int{} // of inputs, so each counts once for a key
		for _, list := range left {
			for i, x := range list {
				if !slices.ContainsFunc(list[:i], func(y suspect) bool { return y.key == x.key }) {
					counts[x.key]++
				}
			}
		}
		var best suspect
		most := 0
		for _, i := range refused { // in this order, so that the result is the same every time
			for _, x := range left[i] {
				if n := counts[x.key]; n > most || n == most && x.at < best.at {
					best, most = x, n
				}
			}
		}
		for _, i := range refused {
			at := slices.IndexFunc(left[i], func(x suspect) bool { return x.key == best.key })
			if at < 0 {
				continue
			}
			x, w := left[i][at], inputs[i]
			around := s.g.Machine().In(x.t.state)
			g, fresh := s.addToGroup(x.key, w, around, x.t)
			if fresh {
				g.Offset, g.Term, g.Error = x.at, x.key.what, answers[i].Error
				if explains(s.g) {
					s.setPlace(&g.Group, w, x.at, x.t)
				}
			}
			s.widenGroup(g, x.key, x.t)
			delete(left, i)
		}
	}
}

// addOtherComponent adds an input that both accept, seeing different values of a component. The component is
// called name and begins at offset from of w. c is the URL component, or the index in Judge.Named of one that
// a user has named.
func (s *sorter) addOtherComponent(w string, c Component, name string, from int, ours, theirs Value) {
	how, at := partingOf(ours, theirs, w)
	nowhereInside := at < 0 // a value is absent or empty, so that no byte of it is the place of the difference
	offset := min(from+max(at, 0), len(w))
	t := transition{class: end}
	if offset < len(w) {
		t = s.transitionAt(w, offset)
	}
	if nowhereInside {
		t.class = nowhere
	}
	around := nodesAt(s.g, s.start, w, offset)
	k := key{kind: OtherComponent, component: c, class: t.class, what: how, surely: true}
	switch {
	case s.judge.Named != nil: // components of a user's grammar: no letters, no names of RFC 3986
	case nowhereInside:
		around = s.surroundingComponent(w, name, around)
	case offset < len(w) && isAlphanumeric(w[offset]):
		k.class = letters
	}
	if len(around) > 0 {
		k.production = around[0]
	}
	g, fresh := s.addToGroup(k, w, around, t)
	if fresh {
		g.Component, g.How, g.Offset = name, how, offset
		g.Ours, g.Theirs = ours.String(), theirs.String()
		if !nowhereInside {
			s.setPlace(&g.Group, w, offset, t)
		}
	}
	s.widenGroup(g, k, t)
}

// surroundingComponent returns the productions around the whole component, inner before outer, the component's own
// first. A component that is absent as a whole is not absent from the production of its first character. It returns
// around if no production in the tree of w is that component, or if s.judge judges by no grammar of references.
func (s *sorter) surroundingComponent(w, component string, around []ast.Kind) []ast.Kind {
	if !s.judge.judgesReferences() {
		return around
	}
	tree, err := s.g.Derive(s.start, w)
	if err != nil {
		return around
	}
	componentOf := catalog.PublishedAs(s.judge.Grammar).ComponentOf
	var outer []ast.Kind
	for _, n := range tree.Root().All() {
		if componentOf[n.Name()] == component {
			for _, m := range tree.Root().All() {
				if m.Start() <= n.Start() && n.End() <= m.End() && m.Index() <= n.Index() {
					outer = append(outer, m.Kind())
				}
			}
			slices.Reverse(outer)
			return outer
		}
	}
	return around
}

// offsetOfNamed returns the offset of a component that a user has named: that of the first node of its
// production or, without such a node, of the first occurrence of text; 0 if there is none.
func (s *sorter) offsetOfNamed(w string, kind ast.Kind, text string) int {
	if tree, err := s.g.Derive(s.start, w); err == nil {
		if n, ok := tree.Root().Find(kind); ok {
			return n.Start()
		}
	}
	return max(strings.Index(w, text), 0)
}

// setPlace sets g.At, the byte or end of input where the two differ, and g.Bytes if several bytes take the
// transition.
func (s *sorter) setPlace(g *Group, w string, offset int, t transition) {
	if t.class == end || offset >= len(w) {
		g.At = ast.EndOfInput
		return
	}
	g.At = ast.Quote(w[offset : offset+1])
	if class := s.bytesTaking(t); class.Len() > 1 {
		g.Bytes = class.String()
	}
}

// transitionAt returns the transition by which the grammar, which accepts w, reads the byte at offset. Without an
// automaton it is one of the start, and its class is the byte itself; offset must be less than len(w) then. If the
// automaton breaks before, the class is end, and the state 0.
func (s *sorter) transitionAt(w string, offset int) transition {
	if !explains(s.g) {
		return transition{uint16(s.start), int16(w[offset])}
	}
	taken, _ := transitionsOf(s.g, s.start, w)
	if offset >= len(taken) {
		return transition{class: end}
	}
	return taken[offset]
}

// bytesTaking returns the bytes of the transition's class: the empty set for the end of the input, and if the grammar
// has no automaton, which has no classes.
func (s *sorter) bytesTaking(t transition) (class expr.Set) {
	if !explains(s.g) {
		return class
	}
	for x := range 256 {
		if int16(s.g.Machine().Class(byte(x))) == t.class {
			class.Add(byte(x))
		}
	}
	return class
}

// The ways in which a component differs that code asks for again.
const (
	noneForEmpty = "it sees none in the place of an empty one"
	emptyForNone = "it sees an empty one in the place of none"
	elsewhere    = "it stands elsewhere"
	rewritten    = "it is rewritten"
)

// partingOf tells how an implementation's value differs from the grammar's. at is the offset, in the
// grammar's value or just after it, of the delimiter at which only one of them cuts, or of the first byte
// that differs; -1 if a value is absent or empty.
func partingOf(ours, theirs Value, w string) (how string, at int) {
	a, b := ours.Text, theirs.Text
	cut := func(s string, at int) bool { return at >= 0 && at < len(s) && !isAlphanumeric(s[at]) }
	before := len(a) - len(b) - 1 // the byte before b, if a ends with b
	later := strings.HasSuffix(a, b) && cut(a, before)
	switch {
	case a == "" && b == "" && ours.Present:
		return noneForEmpty, -1
	case a == "" && b == "":
		return emptyForNone, -1
	case !theirs.Present || b == "":
		return "it sees none", -1
	case !ours.Present || a == "":
		return "it sees one, the grammar none", -1
	case later && a[before] == '@': // if a both begins and ends with b, this is the likelier reading
		return "it begins later, behind this", before
	case strings.HasPrefix(a, b) && cut(a, len(b)):
		return "it ends sooner", len(b)
	case later:
		return "it begins later, behind this", before
	case strings.HasPrefix(b, a) && cut(b, len(a)):
		return "it ends later", len(a)
	}
	// No delimiter explains it: the place is the first byte that differs.
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	if strings.Contains(w, b) && !strings.Contains(a, b) {
		return elsewhere, min(at, len(a)-1)
	}
	return rewritten, min(at, len(a)-1)
}

// isAlphanumeric reports whether x is a letter or a digit, which delimits nothing.
func isAlphanumeric(x byte) bool {
	return 'a' <= x|0x20 && x|0x20 <= 'z' || '0' <= x && x <= '9'
}

// offsetOf returns the offset in w at which component c begins. Components come in their order, with nothing
// but delimiters between them, so each is the first occurrence of its text after those before it. If the text
// of c does not occur there, the offset is the end of the components before it.
func offsetOf(w string, c Component, all Components) int {
	from := 0
	for i := range c {
		if v := all[i]; v.Present {
			if at := strings.Index(w[from:], v.Text); at >= 0 {
				from += at + len(v.Text)
			}
		}
	}
	return from + max(strings.Index(w[from:], all[c].Text), 0)
}

// nodesAt returns the productions of the nodes that contain the byte at offset, inner before outer; at the
// end of w, of those that end there. It returns nil if w has no tree.
func nodesAt(g *ast.Grammar, start ast.Kind, w string, offset int) []ast.Kind {
	tree, err := g.Derive(start, w)
	if err != nil {
		return nil
	}
	var in []ast.Kind
	for _, n := range tree.Root().All() {
		if n.Start() <= offset && (offset < n.End() || offset == len(w) && n.End() == len(w)) {
			in = append(in, n.Kind())
		}
	}
	slices.Reverse(in)
	return in
}

// finishGroups sets Transitions of each group, and returns the groups in the order of Comparison.Groups, which is the
// same every time. They have no numbers yet.
func (s *sorter) finishGroups() []Group {
	// a component that is only absent or empty comes after all that differ
	blank := func(g *open) bool { return g.How == noneForEmpty || g.How == emptyForNone }
	rank := func(g *open) int {
		switch {
		case blank(g):
			return int(components)
		case g.Kind == OtherComponent && g.Component == Host.String():
			return -1
		case g.Kind == OtherComponent:
			c, _ := componentNamed(g.Component)
			return int(c)
		case g.Kind == AcceptsMore:
			return int(components) + 1
		}
		return int(components) + 2
	}
	list := slices.SortedFunc(maps.Values(s.groups), func(a, b *open) int {
		return cmp.Or(rank(a)-rank(b), b.Count-a.Count, lang.Compare(string(a.Shortest), string(b.Shortest)),
			a.Offset-b.Offset, cmp.Compare(a.Production, b.Production), cmp.Compare(a.How, b.How),
			cmp.Compare(a.Component, b.Component)) // components of a user's grammar can begin at one place
	})
	var groups []Group
	for _, g := range list {
		g.Transitions = len(g.transitions)
		groups = append(groups, g.Group)
	}
	return groups
}
