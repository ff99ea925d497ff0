package diff

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// settle returns the groups of d. The guesses that explain one string of a cause are tried, those of the cause with most
// strings first. A guess that holds becomes a group of all classes that it explains. For a class that is left its own string
// is explained; then edits are tried together; and the rest is told by its places.
func (s *partings) settle(d *Difference) (told []*Group) {
	w := s.w
	order := make([]int, len(d.Causes))
	totals := make([]*big.Int, len(d.Causes))
	free := make([]int, len(d.Causes)) // how many classes have no group yet
	for i := range order {
		order[i], totals[i], free[i] = i, d.Causes[i].Total(), len(d.Causes[i].Classes)
	}
	slices.SortStableFunc(order, func(i, j int) int { return totals[j].Cmp(totals[i]) })
	numbers := map[*Class]int{}
	for i, k := range s.list {
		numbers[k] = i
	}
	tried := map[string]bool{}
	try := func(region Region, es edits) {
		key := es.key(region)
		if tried[key] || es[0].feature == Parts || !s.speaks(region, es) {
			return
		}
		tried[key] = true
		g := s.decide(region, es)
		if g == nil {
			return
		}
		told = append(told, g)
		w.keyed[key] = g
		for _, k := range g.classes {
			s.owner[numbers[k]] = g
			free[k.cause]--
		}
	}
	explain := func(c *Cause, joint bool, done func() bool) {
		for _, es := range w.explain(c, joint) {
			for i := range es { // one of edits that explain a string together often explains where it parts
				if len(es) > 1 && !done() {
					try(c.Region, es[i:i+1:i+1])
				}
			}
			if done() {
				return
			}
			try(c.Region, es)
		}
	}
	causes := func(joint bool) {
		for _, i := range order {
			if c := &d.Causes[i]; free[i] > 0 {
				explain(c, joint, func() bool { return free[i] == 0 })
			}
		}
	}
	causes(false)
	for _, i := range order {
		c, looked := &d.Causes[i], 0
		for k := range c.Classes {
			number := numbers[&c.Classes[k]]
			if s.owner[number] == nil && looked < maxLooked && string(c.Classes[k].Witness) != string(c.Witness) {
				looked++
				explain(c.only(&c.Classes[k]), false, func() bool { return s.owner[number] != nil })
			}
		}
	}
	w.charge(allJoint)
	causes(true)
	w.explaining()
	return append(told, s.places(d)...)
}

// speaks reports whether a reader of the side that stops knows where the edits are: what is added is added in a production
// that both have, in the start productions, or in what has no names on one side, and what is allowed in less than all.
func (s *partings) speaks(region Region, es edits) bool {
	goes, stops := s.w.sides(region)
	return goes.isExpression() || stops.isExpression() || !slices.ContainsFunc(es, func(e edit) bool {
		switch e.feature {
		case Adds:
			return e.other != goes.rule && stops.namesake(e.other) == nil
		case Allows: // all is allowed in all of the string
			return e.other == goes.rule && e.rule != stops.rule
		}
		return false
	})
}

// maxLooked caps the classes of one cause that are explained by their own strings.
const maxLooked = 1

// decide returns the group of the classes that have no group yet and that the edits explain, nil if there are none, if the
// edits do not hold, or if that would take too long.
func (s *partings) decide(region Region, es edits) (g *Group) {
	defer spare()
	_, stops := s.w.sides(region)
	var of []bool
	var m *machine
	switch e := &es[0]; {
	case e.feature == Parts:
		return nil
	case e.feature == Exists:
		of = make([]bool, len(s.list))
		for i := range of {
			of[i] = s.region[i] == region
		}
	case e.feature == Scheme:
		of = s.schemes(region)
		c := *e
		c.words = s.schemeNames(region)
		es = edits{c}
	case e.feature == Allows && len(es) == 1 && e.whole == nil && e.words == nil && !stops.side.Grammar.Ordered:
		c := *e
		if of, m = s.allowed(region, &c); m != nil {
			c.machine = m
		}
		es = edits{c}
	case e.feature == Allows && len(es) == 1 && e.whole == nil:
		c := *e
		c.points = c.words != nil
		es = edits{c}
		of, m = s.edited(region, es)
		if parts := s.bytes(of); c.points {
			ascii := expr.Range(0, utf8.RuneSelf-1)
			if es[0].set = parts.Intersect(ascii); parts.Minus(ascii).IsEmpty() {
				es[0].words = nil
			}
		}
	default:
		of, m = s.edited(region, es)
	}
	g = &Group{Region: region, edits: es}
	for i, yes := range of {
		if yes {
			g.classes = append(g.classes, s.list[i])
		}
	}
	if len(g.classes) == 0 {
		return nil
	}
	g.machine = m
	return g
}

// free reports whether a class is of a region and has no group yet.
func (s *partings) free(class int32, region Region) bool {
	return s.region[class] == region && s.owner[class] == nil
}

// edited decides edits by the grammar that they make.
func (s *partings) edited(region Region, es edits) (of []bool, m *machine) {
	goes, stops := s.w.sides(region)
	g := es.apply(stops.side.Grammar, goes.side.Grammar)
	s.w.left.Step(16 * len(g.Rules))
	g.Budget = s.w.left
	var n *lang.NFA
	var err error
	if g.Ordered {
		var a *lang.DFA
		if a, err = language(g, stops.rule.ID, lang.Limits{}); err == nil {
			n = withoutPlaces(a, stops.rule)
		}
	} else {
		n, err = lang.BuildNFA(g, stops.rule.ID, lang.Options{Limits: lang.Limits{NFA: allKept}})
	}
	if err != nil {
		return nil, nil
	}
	m = newMachine(goes, n, nil)
	m.points = es[0].points
	f := s.find(region, m, s.shared(region, es))
	if f.adds {
		return nil, nil
	}
	of = make([]bool, len(s.list))
	for i := range of {
		of[i] = f.all[i] && s.owner[i] == nil
		if f.some[i] && !of[i] && !(s.owner[i] != nil && s.owner[i].edits.within(es)) {
			return nil, nil
		}
	}
	return of, m
}

// within reports whether all edits of es are among fs.
func (es edits) within(fs edits) bool {
	return !slices.ContainsFunc(es, func(e edit) bool {
		return !slices.ContainsFunc(fs, func(f edit) bool { return e.key() == f.key() })
	})
}

// shared returns a function that reports whether edits may be held to a pair. What is left out or added somewhere is a
// matter of beginnings that both sides read up to there: where the side that goes on can read none of what the other reads
// next, the two differ in something else. It returns nil for edits that have no such place.
func (s *partings) shared(region Region, es edits) func(on, off int) bool {
	goes, stops := s.w.sides(region)
	var places []int32
	for _, e := range es {
		if e.feature != Omits && e.feature != Adds || e.whole != nil {
			return nil
		}
		for _, span := range stops.nfa.Spans {
			switch {
			case e.run == nil:
				if span.Of.Op == expr.Ref && span.Of.Name == e.rule.ID {
					places = append(places, span.From)
				}
			case slices.ContainsFunc(e.at, func(at lang.Span) bool { return at.Of == span.Of && at.I == span.I && at.At == span.At }):
				if e.feature == Omits {
					places = append(places, span.From)
				} else {
					places = append(places, span.To)
				}
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	return func(on, off int) bool {
		here := false
		viable := goes.viable(on)
		for _, q := range places {
			if _, ok := slices.BinarySearch(stops.subsets[off], q); !ok {
				continue
			}
			here = true
			for _, q := range stops.closure(q) {
				if q == stops.nfa.Final && goes.accepts(on) || slices.ContainsFunc(stops.nfa.States[q].Edges, func(e lang.Edge) bool {
					return !e.Set.Intersect(viable).IsEmpty()
				}) {
					return true
				}
			}
		}
		return !here
	}
}

// allowed makes an Allows exact: it sets its bytes to those of the classes that it returns, and returns the machine in which
// they are allowed at the terminals of the production that explain these classes, and nothing else.
func (s *partings) allowed(region Region, e *edit) (of []bool, exact *machine) {
	goes, stops := s.w.sides(region)
	var in map[*lang.Edge]bool
	if !goes.side.Model {
		in = goes.edgesIn(e.other.ID)
	}
	of = make([]bool, len(s.list))
	for i := range of {
		of[i] = s.free(int32(i), region)
	}
	within := map[int]expr.Set{} // by subset of the side that goes on: the bytes that it can read there in the production
	readable := func(on int) expr.Set {
		if in == nil {
			return expr.AnyByte
		}
		set, ok := within[on]
		if !ok {
			for _, q := range goes.subsets[on] {
				edges := goes.nfa.States[q].Edges
				for i := range edges {
					if in[&edges[i]] {
						set = set.Union(edges[i].Set)
					}
				}
			}
			within[on] = set
		}
		return set
	}
	open := map[*lang.Edge]bool{} // where a byte can be allowed: not in a character of several bytes
	for edge := range stops.edgesIn(e.rule.ID) {
		if !s.w.codePoints() || !edge.Set.Intersect(expr.Range(0, 0x7f)).IsEmpty() {
			open[edge] = true
		}
	}
	for i, k := range s.list { // all that the side that goes on reads in the production itself
		if c := &s.d.Causes[k.cause]; of[i] && c.At == AtByte && goes.last(c.on()) == e.other {
			e.set = e.set.Union(k.key.part)
		}
	}
	broad := newMachine(goes, stops.nfa, in)
	broad.extra = map[*lang.Edge]expr.Set{}
	for edge := range open {
		broad.extra[edge] = e.set
	}
	for {
		mine := func(class int32, on int, x byte) bool {
			return class >= 0 && of[class] && e.set.Has(x) && readable(on).Has(x)
		}
		with := map[*lang.Edge]expr.Set{} // what explains a parting there
		s.each(region, open, mine, true, func(on int, c byteClass, edge *lang.Edge) {
			if broad.joins(on, c.first, int32(goes.state[goes.step(on, c.first)]), edge.To) {
				with[edge] = with[edge].Union(c.bytes)
			}
		})
		useful := map[*lang.Edge]bool{}
		for edge := range with {
			useful[edge] = true
		}
		s.each(region, useful, mine, false, func(on int, c byteClass, edge *lang.Edge) {
			if !edge.Set.Intersect(goes.viable(on)).IsEmpty() {
				with[edge] = with[edge].Minus(c.bytes)
			}
		})
		exact = newMachine(goes, stops.nfa, in)
		exact.extra = map[*lang.Edge]expr.Set{}
		for edge, set := range with {
			if !set.IsEmpty() {
				exact.extra[edge] = set
			}
		}
		if len(exact.extra) == 0 {
			return nil, nil
		}
		f := s.find(region, exact, nil)
		if f.adds {
			return nil, nil
		}
		fewer, any := false, false
		for i := range of {
			if of[i] && !f.all[i] {
				of[i], fewer = false, true
			}
			any = any || of[i]
		}
		switch {
		case !any:
			return nil, nil
		case fewer:
			continue
		}
		for i := range of {
			if f.some[i] && !of[i] {
				return nil, nil
			}
		}
		e.set, e.several = s.bytes(of), false
		return of, exact
	}
}

// each calls f with each of the edges of the side that stops that leaves a pair and with each byte class that this side does not
// read there, of those which are mine or of those which are not.
func (s *partings) each(region Region, edges map[*lang.Edge]bool, mine func(class int32, on int, x byte) bool, yes bool, f func(on int, c byteClass, edge *lang.Edge)) {
	_, stops := s.w.sides(region)
	leaving := map[int][]*lang.Edge{} // by subset
	for pair := range s.w.pairs {
		on, off := s.sides(region, pair)
		list, ok := leaving[off]
		if !ok {
			for _, q := range stops.subsets[off] {
				all := stops.nfa.States[q].Edges
				for i := range all {
					if edges[&all[i]] {
						list = append(list, &all[i])
					}
				}
			}
			leaving[off] = list
		}
		if len(list) == 0 {
			continue
		}
		s.w.left.Step(s.columns / 2)
		for c := range s.w.classes {
			x := s.w.classes[c].first
			class := s.class[pair*s.columns+c]
			if s.next[pair*s.columns+c] >= 0 || class >= 0 && s.region[class] != region || mine(class, on, x) != yes || stops.derives(off, x) {
				continue
			}
			s.w.left.Step(1 + len(list))
			for _, edge := range list {
				f(on, s.w.classes[c], edge)
			}
		}
	}
}

// bytes returns the bytes at which classes part.
func (s *partings) bytes(of []bool) (set expr.Set) {
	for i, yes := range of {
		if yes {
			set = set.Union(s.list[i].key.part)
		}
	}
	return set
}

// schemes returns the classes of which every string has a scheme, by its form, that no string of the side that stops has:
// it parts in its scheme, or at the colon.
func (s *partings) schemes(region Region) []bool {
	goes, _ := s.w.sides(region)
	of := make([]bool, len(s.list))
	for i := range of {
		of[i] = s.free(int32(i), region)
	}
	inScheme := func(x byte) bool { return x == ':' || schemeOf(string([]byte{x})+":") != "" }
	always := map[int32]bool{} // by state: whether a colon must follow, after nothing but characters of schemes; as far as it is known
	var colon func(q int32) bool
	colon = func(q int32) bool {
		if yes, ok := always[q]; ok {
			return yes
		}
		always[q] = true // what leads back to it changes nothing
		s.w.left.Step(8)
		yes := !goes.dfa.Accepts(int(q))
		for _, e := range goes.dfa.Edges(int(q)) {
			if !goes.dfa.Live(int(e.To)) || !yes {
				continue
			}
			for _, x := range e.Set.Members() {
				yes = yes && inScheme(x)
			}
			yes = yes && (e.Set == expr.Bytes(":") || colon(e.To))
		}
		always[q] = yes
		return yes
	}
	for pair := range s.w.pairs {
		on, _ := s.sides(region, pair)
		before := s.w.access(&s.w.pairs[pair])
		for c := 0; c < s.columns; c++ {
			class := s.class[pair*s.columns+c]
			if class < 0 || !of[class] {
				continue
			}
			if c == s.columns-1 || strings.Contains(before, ":") || before != "" && schemeOf(before+":") == "" {
				of[class] = false
				continue
			}
			for _, x := range s.w.classes[c].bytes.Members() {
				of[class] = of[class] && inScheme(x) && (x == ':' || colon(int32(goes.state[goes.step(on, x)])))
			}
		}
	}
	return of
}

// schemeNames returns the first schemes, in lower case, that the side that goes on has and the other has not, at most
// maxSchemes of them.
func (s *partings) schemeNames(region Region) (names []string) {
	goes, stops := s.w.sides(region)
	type begin struct {
		on, off int
		word    string
	}
	seen := map[string]bool{}
	for todo := []begin{{}}; len(todo) > 0 && len(todo) < 1<<12 && len(names) < maxSchemes; todo = todo[1:] {
		n := todo[0]
		s.w.left.Step(64)
		for _, x := range lang.InOrder(expr.Range(0, utf8.RuneSelf-1)) {
			next := begin{goes.dfa.Next(n.on, x), stops.dfa.Next(n.off, x), n.word + strings.ToLower(string([]byte{x}))}
			switch {
			case !goes.dfa.Live(next.on):
			case x == ':':
				if n.word != "" && !stops.dfa.Live(next.off) && len(names) < maxSchemes {
					names = append(names, n.word)
				}
			case schemeOf(string([]byte{x})+":") != "" && !seen[next.word]:
				seen[next.word] = true
				todo = append(todo, next)
			}
		}
	}
	return names
}

// maxSchemes caps the schemes that one sentence has to choose from.
const maxSchemes = 5

// shortest returns the first string of a class that m turns: it has it, and the side that stops has not.
func (s *partings) shortest(region Region, k *Class, m *machine) (string, bool) {
	w := string(k.Witness)
	if m.matches(w, m.takes()) {
		return w, true
	}
	if k.offset >= len(w) {
		return "", false
	}
	type node struct {
		dfa, set int32
	}
	set := m.set(m.entered(m.nfa.Start))
	at := m.goes.dfa.Run(0, w[:k.offset+1])
	column := func(x byte) int {
		return slices.IndexFunc(s.w.classes, func(c byteClass) bool { return c.bytes.Has(x) })
	}
	for i := range k.offset + 1 {
		set = m.step(set, column(w[i]), w[i])
	}
	words := map[node]string{}
	start := node{int32(at), set}
	words[start] = w[:k.offset+1]
	for todo := []node{start}; len(todo) > 0; todo = todo[1:] {
		n := todo[0]
		m.left.Step(8 + s.columns)
		if m.goes.dfa.Accepts(int(n.dfa)) && slices.Contains(m.sets[n.set], m.nfa.Final) {
			return words[n], true
		}
		for c := range s.w.classes {
			x := s.w.classes[c].first
			next := node{int32(m.goes.dfa.Next(int(n.dfa), x)), m.step(n.set, c, x)}
			if _, ok := words[next]; ok || !m.goes.dfa.Live(int(next.dfa)) || len(m.sets[next.set]) == 0 {
				continue
			}
			words[next] = words[n] + string([]byte{x})
			todo = append(todo, next)
		}
	}
	return "", false
}

// takes returns what [tracker.matches] may take.
func (m *machine) takes() func(e *lang.Edge, b byte) bool {
	return func(e *lang.Edge, b byte) bool { return m.reads(e, b) }
}

// witness sets the witness of g to the first of its strings that its edits turn.
func (s *partings) witness(g *Group) {
	g.Witness = g.classes[0].Witness
	if g.machine == nil {
		return
	}
	s.w.explaining() // for each group as many steps
	g.machine.left = s.w.left
	defer spare()
	best := ""
	for _, k := range g.classes {
		if best != "" && lang.Compare(best, string(k.Witness)) < 0 {
			break
		}
		if w, ok := s.shortest(g.Region, k, g.machine); ok && (best == "" || lang.Compare(w, best) < 0) {
			best = w
		}
	}
	if best != "" {
		g.Witness = quote.Word(best)
	}
}
