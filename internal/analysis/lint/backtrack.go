package lint

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// checkBacktracking reports a regular expression if an engine that tries one derivation after the other takes more
// than linear time before it gives up: the beginning of some string has an exponential number of derivations, or a
// polynomial one (Weber and Seidl, "On the degree of ambiguity of finite automata", 1991). Only one such beginning is
// looked at: nothing is reported if all strings that begin with it match. The word of the finding repeats the part 20
// times. r is a production of l.g; the text that may stand around a match is in l.searched. It fails if a limit is
// passed.
func (l *linter) checkBacktracking(r *expr.Rule) error {
	a, err := l.spread.automaton(l.inlined(r.Expr, map[string]*expr.Expr{}))
	if err != nil {
		return err
	}
	p := newPumper(a, l.options.Limits.pairs())
	state, pump, time := int32(-1), "", "exponential"
	if state, pump, err = p.exponential(); err == nil && state < 0 {
		time = "polynomial"
		state, pump, err = p.polynomial()
	}
	if err != nil || state < 0 {
		return err
	}
	before, _, err := p.search(1, [3]int32{a.start}, [3]int32{state}, func(int, int32) bool { return true })
	if err != nil {
		return err
	}
	for l.report.Grammar.UTF8 && pump != "" && !utf8.RuneStart(pump[0]) {
		before, pump = before+pump[:1], pump[1:]+pump[:1] // rotate, so that the part begins at a character
	}
	// The engine gives up if no match begins where the string does: the text that an unanchored expression may have
	// before a match is left out. begun returns an expression without it.
	var begun func(e *expr.Expr) *expr.Expr
	begun = func(e *expr.Expr) *expr.Expr {
		if text, ok := l.searched.Written[e]; ok && text == "" && e.Max == expr.Unbounded && e.Pos == r.Pos {
			return &expr.Expr{Op: expr.Empty}
		}
		return e.Map(begun)
	}
	d, err := l.spread.derived(begun(l.searched.Rule(r.ID).Expr))
	if err != nil {
		return err
	}
	rest := d.Complement()
	if l.g.UTF8 {
		text, err := lang.Text()
		if err != nil {
			return err
		}
		rest = rest.Intersect(text)
	}
	// As many rounds as there are states lead into the cycle in which further rounds stay; 100 mostly do.
	after, ok := rest.ShortestFrom(rest.Run(0, before+strings.Repeat(pump, min(100, rest.States()))))
	if !ok {
		return nil // every continuation of this word matches, so the engine never gives up on it
	}
	f := l.found(Backtracking, results.Warning, r.Expr.Pos, r,
		"`%s` takes %s time in an engine that backtracks: on %s, %s any number of times, and %s",
		r.Name, time, l.g.Quote(before), l.g.Quote(pump), l.g.Quote(after))
	f.Word = new(quote.Word(before + strings.Repeat(pump, 20) + after))
	return nil
}

// inlined returns e with each name replaced by the right-hand side of its production. A name inside its own production
// stays. known holds the replacements made so far.
func (l *linter) inlined(e *expr.Expr, known map[string]*expr.Expr) *expr.Expr {
	l.g.Budget.Step(4)
	if e.Op != expr.Ref {
		return e.Map(func(s *expr.Expr) *expr.Expr { return l.inlined(s, known) })
	}
	if known[e.Name] == nil {
		known[e.Name] = e // inside itself it stays a name
		known[e.Name] = l.inlined(l.g.Rule(e.Name).Expr, known)
	}
	return known[e.Name]
}

// matchAlone returns the grammar of the matches of a regular expression alone, without the text that may stand
// before and after a match. around maps each part that changed to the original part of g. A part keeps its place,
// but a sequence that has lost its beginning is at the first of its parts that are left. For other grammars it
// returns g and nil.
func matchAlone(g *expr.Grammar) (m *expr.Grammar, around map[*expr.Expr]*expr.Expr) {
	if len(g.Written) == 0 {
		return g, nil
	}
	around = map[*expr.Expr]*expr.Expr{}
	written := maps.Clone(g.Written)
	var without func(e *expr.Expr) *expr.Expr
	without = func(e *expr.Expr) *expr.Expr {
		g.Budget.Step(4)
		text, ok := g.Written[e] // "" for the text around a match, which nothing in the expression spells
		c := &expr.Expr{Op: expr.Empty, Pos: e.Pos}
		if !ok || text != "" {
			if c = e.Map(without); slices.Equal(c.Sub, e.Sub) {
				return e
			}
			isLeft := func(s *expr.Expr) bool { return s.Op != expr.Empty }
			if i := slices.IndexFunc(c.Sub, isLeft); e.Op == expr.Seq && i >= 0 {
				c.Pos = c.Sub[i].Pos // a sequence begins where the first of its parts that are left does
			}
			if ok {
				written[c] = text
			}
		}
		around[c] = e
		return c
	}
	m = g.Rewritten(without)
	m.Written = written
	return m, around
}

// A pumper looks for words that lead from states of an automaton to themselves in several ways.
type pumper struct {
	*automaton
	table       [][]int32
	order       []readable
	componentOf []int     // the component of each state
	loops       [][]int32 // of each component, the states that read, if it has a cycle
	left        int       // combinations that may still be looked at
	limit       int
}

// newPumper returns a pumper for a, whose searches look at no more than limit combinations of states in all. It lists
// the reading states of each component with a cycle in loops.
func newPumper(a *automaton, limit int) *pumper {
	classes := expr.NewPartition()
	for q := range a.arcs {
		for _, s := range a.arcs[q] {
			classes.Split(s.set)
		}
	}
	p := &pumper{
		automaton:   a,
		table:       a.table(classes),
		order:       preferred(classes),
		componentOf: make([]int, len(a.arcs)),
		left:        limit,
		limit:       limit,
	}
	next := func(q int) (list []int) {
		for _, s := range a.steps[q] {
			list = append(list, int(s.to))
		}
		for _, s := range a.arcs[q] {
			list = append(list, int(s.to))
		}
		return list
	}
	for i, states := range expr.Components(len(a.arcs), next) {
		var reads []int32
		for _, q := range states {
			p.componentOf[q] = i
			if len(a.arcs[q]) > 0 && (len(states) > 1 || slices.Contains(next(q), q)) { // it reads, in a cycle
				reads = append(reads, int32(q))
			}
		}
		p.loops = append(p.loops, reads)
	}
	return p
}

// exponential returns a state that some word, pump, leads back to itself in two ways; state is -1 if there is none.
// Either all states of a component are like that or none is, so it looks at one of each. It fails if a limit is passed;
// state means nothing then.
func (p *pumper) exponential() (state int32, pump string, err error) {
	for i, loop := range p.loops {
		if len(loop) == 0 {
			continue
		}
		q := loop[0]
		// A search of two runs: the third place is for polynomial.
		pump, ok, err := p.search(2, [3]int32{q, q}, [3]int32{q, q},
			func(_ int, r int32) bool { return p.componentOf[r] == i })
		if ok || err != nil {
			return q, pump, err
		}
	}
	return -1, "", nil
}

// polynomial returns a state q that some word, pump, leads back to itself and also to a state r of another component,
// which the same word leads back to itself; state is -1 if there is none. Such a word leads the three states (q, q, r)
// to (q, r, r). Add an edge from the latter back to the former, for all q and r: then the two are in one component if
// and only if there is such a word for some q and r in it. It fails if a limit is passed; state means nothing then.
func (p *pumper) polynomial() (state int32, pump string, err error) {
	for i, loop := range p.loops { // a component comes after those that it leads to
		if len(loop) == 0 {
			continue
		}
		for j, other := range p.loops[:i] {
			if len(other) == 0 {
				continue
			}
			// The first state stays in q's component and the last in r's; the second goes from the one to the other.
			allowed := func(k int, s int32) bool {
				return k == 1 || k == 0 && p.componentOf[s] == i || k == 2 && p.componentOf[s] == j
			}
			index := map[[3]int32]int{}
			var places [][3]int32
			add := func(q [3]int32, _ int16) {
				if _, ok := index[q]; !ok && p.left >= 0 && allowed(0, q[0]) && allowed(2, q[2]) {
					p.left--
					p.budget.Step(8)
					index[q] = len(places)
					places = append(places, q)
				}
			}
			for _, q := range loop {
				for _, r := range other {
					add([3]int32{q, q, r}, 0)
				}
			}
			starts := places // the combinations (q, q, r): others only come after them
			for n := 0; n < len(places); n++ {
				p.follow(3, places[n], add)
			}
			if p.left < 0 {
				return -1, "", p.tooMany()
			}
			in := make([]int, len(places))
			for c, list := range expr.Components(len(places), func(n int) (next []int) {
				p.follow(3, places[n], func(q [3]int32, _ int16) {
					if k, ok := index[q]; ok {
						next = append(next, k)
					}
				})
				// The added edge leads from (q, r, r) back to (q, q, r), if q and r are states that read.
				if at := places[n]; at[1] == at[2] {
					if k, ok := index[[3]int32{at[0], at[0], at[1]}]; ok && k < len(starts) {
						next = append(next, k)
					}
				}
				return next
			}) {
				for _, n := range list {
					in[n] = c
				}
			}
			// The components tell where there is a word; only there is it searched for.
			for n, at := range starts {
				to := [3]int32{at[0], at[2], at[2]}
				if k, ok := index[to]; ok && in[k] == in[n] {
					if pump, ok, err := p.search(3, at, to, allowed); ok || err != nil {
						return at[0], pump, err
					}
				}
			}
		}
	}
	return -1, "", nil
}

// tooMany returns the error for more places than p.limit.
func (p *pumper) tooMany() error {
	return lang.TooMany(p.limit, "places when its derivations are compared")
}

// follow calls f with each combination of states that the first n of at lead to. If a state has steps that read
// nothing, only the first such state takes them, and the others stay; read is -1 then. If none has a step, all of them
// read the same byte: one of each class that all can read, in p.order.
func (p *pumper) follow(n int, at [3]int32, f func(q [3]int32, read int16)) {
	for k := range n {
		if steps := p.steps[at[k]]; len(steps) > 0 {
			for _, s := range steps {
				q := at
				q[k] = s.to
				f(q, -1)
			}
			return
		}
	}
	for _, c := range p.order {
		q, ok := at, true
		for k := 0; k < n && ok; k++ {
			row := p.table[q[k]]
			if ok = row != nil && row[c.class] >= 0; ok {
				q[k] = row[c.class]
			}
		}
		if ok {
			f(q, int16(c.byte))
		}
	}
}

// search returns a shortest word that leads the first n states of from to those of to at the same time; ok is false if
// there is none. The others must be 0 in both. allowed says which states each may pass, and is not asked about from.
// For n = 2 the two ways must differ; they count as one state for as long as they are the same. They have no order:
// allowed must not depend on i, and to must be sorted. For n = 3 the word is not empty, as it may be for fewer. search
// takes the combinations that it looks at from p.left, and fails if there are too many; every later search fails then,
// too.
func (p *pumper) search(n int, from, to [3]int32, allowed func(i int, q int32) bool) (word string, ok bool, err error) {
	type place struct {
		q      [3]int32
		differ bool
	}
	type arrival struct {
		place
		up   int32
		read int16 // a byte, or -1
	}
	seen := map[place]bool{}
	list := []arrival{{place{from, n != 2}, -1, -1}}
	arrive := func(q [3]int32, differ bool, up int, read int16) {
		for k := range n {
			if !allowed(k, q[k]) {
				return
			}
		}
		if n == 2 && q[0] > q[1] {
			q[0], q[1] = q[1], q[0]
		}
		if next := (place{q, differ}); p.left >= 0 && !seen[next] {
			p.left--
			p.budget.Step(8)
			seen[next] = true
			list = append(list, arrival{next, int32(up), read})
		}
	}
	// Steps that read nothing are followed before the next byte, so words come in the order of their lengths.
	for level := list; len(level) > 0; {
		var after []arrival
		for i := len(list) - len(level); i < len(list); i++ {
			at := list[i]
			if p.left < 0 {
				return "", false, p.tooMany()
			}
			if at.q == to && at.differ && (i > 0 || n == 1) {
				var b []byte
				for j := i; j > 0; j = int(list[j].up) {
					if list[j].read >= 0 {
						b = append(b, byte(list[j].read))
					}
				}
				slices.Reverse(b)
				if len(b) > 0 || n != 3 {
					return string(b), true, nil
				}
			}
			steps := p.steps[at.q[0]]
			if at.differ || len(steps) == 0 {
				p.follow(n, at.q, func(q [3]int32, read int16) {
					if read < 0 {
						arrive(q, at.differ, i, read)
					} else {
						after = append(after, arrival{place{q, at.differ}, int32(i), read})
					}
				})
				continue
			}
			for x, s := range steps { // the two ways are still the same
				if p.left < 0 { // a choice of 100,000 has billions of pairs
					return "", false, p.tooMany()
				}
				for y, t := range steps[x:] {
					arrive([3]int32{s.to, t.to}, y > 0, i, -1)
				}
			}
		}
		start := len(list)
		for _, next := range after {
			arrive(next.q, next.differ, int(next.up), next.read)
		}
		level = list[start:]
	}
	return "", false, nil
}
