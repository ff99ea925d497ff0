package main

import "slices"

// A set is a set of bytes.
type set [4]uint64

func (s *set) add(lo, hi int) {
	for b := lo; b <= hi; b++ {
		s[b>>6] |= 1 << (b & 63)
	}
}

func (s set) has(b int) bool { return s[b>>6]>>(b&63)&1 != 0 }

func (s set) union(t set) set { return set{s[0] | t[0], s[1] | t[1], s[2] | t[2], s[3] | t[3]} }

// A term is an expression of a grammar in few kinds: "empty", "bytes", "seq", "alt", "star", "and", "not" and "rule"; "bad" is
// what is not covered. Terms that look alike are one term, so that a term is a number.
type term struct {
	kind string
	a, b int
	set  set
	name string // of a rule, with "bnf " or "peg " before it; why a term is bad
}

var (
	terms []term
	known map[term]int
)

const empty = 0

func mk(t term) int {
	x, ok := known[t]
	if !ok {
		if x = len(terms); x > 1<<21 {
			fail("the grammars have more than %d terms", x)
		}
		known[t] = x
		terms = append(terms, t)
	}
	return x
}

func mkBad(why string) int { return mk(term{kind: "bad", name: why}) }

func mkBytes(s set) int { return mk(term{kind: "bytes", set: s}) }

// mkSeq: ( a b ) c = a ( b c ), and "" a = a "" = a.
func mkSeq(a, b int) int {
	switch {
	case a == empty:
		return b
	case b == empty:
		return a
	case terms[a].kind == "seq":
		return mkSeq(terms[a].a, mkSeq(terms[a].b, b))
	}
	return mk(term{kind: "seq", a: a, b: b})
}

// mkAlt: ( a / b ) / c = a / ( b / c ), and neighbouring single bytes are one set.
func mkAlt(a, b int) int {
	x, y := terms[a], terms[b]
	switch {
	case x.kind == "alt":
		return mkAlt(x.a, mkAlt(x.b, b))
	case x.kind == "bytes" && y.kind == "bytes":
		return mkBytes(x.set.union(y.set))
	case x.kind == "bytes" && y.kind == "alt" && terms[y.a].kind == "bytes":
		return mk(term{kind: "alt", a: mkBytes(x.set.union(terms[y.a].set)), b: y.b})
	}
	return mk(term{kind: "alt", a: a, b: b})
}

func mkAlts(all []int) int {
	x := all[len(all)-1]
	for _, a := range slices.Backward(all[:len(all)-1]) {
		x = mkAlt(a, x)
	}
	return x
}

// mkRepeat: a*2*4 = a a ( a ( a / "" ) / "" ), and a*2* = a a a*. There is no bound where most is negative.
func mkRepeat(a, least, most int) int {
	x := empty
	switch {
	case least > 1<<12 || most > 1<<12:
		return mkBad("a count above 4096")
	case most < 0:
		x = mk(term{kind: "star", a: a})
	}
	for i := least; i < most; i++ {
		x = mkAlt(mkSeq(a, x), empty)
	}
	for range least {
		x = mkSeq(a, x)
	}
	return x
}

func mkLiteral(s string) int {
	x := empty
	for i := len(s) - 1; i >= 0; i-- {
		var one set
		one.add(int(s[i]), int(s[i]))
		x = mkSeq(mkBytes(one), x)
	}
	return x
}

// A grammar is the rules of one side, by name.
type grammar struct {
	side     string          // "bnf " or "peg "
	rules    map[string]int  // as they are written
	bodies   map[string]int  // with the names in place of which one byte stands
	open     map[string]bool // rules whose body is being made
	nullable map[string]bool // rules that can match the empty word
	loops    map[string]bool // rules that can come back to themselves before they have read anything
}

// finish makes the bodies of all rules, and finds what is nullable and what loops.
func (g *grammar) finish() {
	g.bodies, g.open, g.nullable, g.loops = map[string]int{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for name := range g.rules {
		g.body(name)
	}
	for changed := true; changed; {
		changed = false
		for name, x := range g.bodies {
			if !g.nullable[name] && g.canBeEmpty(x) {
				g.nullable[name], changed = true, true
			}
		}
	}
	starts := map[string][]string{}
	for name, x := range g.bodies {
		g.starts(x, func(to string) { starts[name] = append(starts[name], to) })
	}
	for name := range g.bodies {
		seen := map[string]bool{}
		for todo := slices.Clone(starts[name]); len(todo) > 0; {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !seen[n] {
				seen[n] = true
				todo = append(todo, starts[n]...)
			}
		}
		g.loops[name] = seen[name]
	}
}

func (g *grammar) body(name string) int {
	if _, ok := g.bodies[name]; !ok {
		g.open[name] = true
		g.bodies[name] = g.normal(g.rules[name])
		g.open[name] = false
	}
	return g.bodies[name]
}

// normal returns a term in which the names of rules that are one byte have been replaced.
func (g *grammar) normal(x int) int {
	switch t := terms[x]; t.kind {
	case "seq":
		return mkSeq(g.normal(t.a), g.normal(t.b))
	case "alt":
		return mkAlt(g.normal(t.a), g.normal(t.b))
	case "star", "and", "not":
		return mk(term{kind: t.kind, a: g.normal(t.a)})
	case "rule":
		name := t.name[len(g.side):]
		if _, ok := g.rules[name]; !ok {
			return mkBad(name + " is not defined")
		}
		if !g.open[name] && terms[g.body(name)].kind == "bytes" {
			return g.body(name)
		}
	}
	return x
}

// canBeEmpty reports whether a term can match the empty word; where it cannot be told, it can.
func (g *grammar) canBeEmpty(x int) bool {
	switch t := terms[x]; t.kind {
	case "bytes":
		return false
	case "seq":
		return g.canBeEmpty(t.a) && g.canBeEmpty(t.b)
	case "alt":
		return g.canBeEmpty(t.a) || g.canBeEmpty(t.b)
	case "rule":
		return g.nullable[t.name[len(g.side):]]
	}
	return true
}

// starts calls f for the rules that a term can use before it has read anything.
func (g *grammar) starts(x int, f func(string)) {
	switch t := terms[x]; t.kind {
	case "seq", "alt":
		g.starts(t.a, f)
		if t.kind == "alt" || g.canBeEmpty(t.a) {
			g.starts(t.b, f)
		}
	case "star", "and", "not":
		g.starts(t.a, f)
	case "rule":
		f(t.name[len(g.side):])
	}
}
