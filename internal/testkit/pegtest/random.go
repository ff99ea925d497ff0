// Package pegtest makes random PEGs with nodes, for tests of packages that read or compile PEGs.
package pegtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Letters are the bytes that the terminals of a [Grammar] are about.
const Letters = "ab/%"

// A Grammar is a random PEG in pigeon's notation. Its rules are named with its prefix. None leads to itself.
type Grammar struct {
	Rules []Rule
}

// A Rule is a rule of a [Grammar].
type Rule struct {
	ID         string
	Production bool // else it is a rule beside the productions
	Lexical    bool // a production that makes no node
	Text       string
}

// String returns the rules as a .peg file has them, without a front.
func (g *Grammar) String() string {
	var b strings.Builder
	for _, r := range g.Rules {
		fmt.Fprintln(&b, r.Text)
	}
	return b.String()
}

// Rule returns the rule with this ID, or nil.
func (g *Grammar) Rule(id string) *Rule {
	for i := range g.Rules {
		if g.Rules[i].ID == id {
			return &g.Rules[i]
		}
	}
	return nil
}

// Random returns a grammar of up to six rules, the first of which is a production with a node. The rules have
// the shapes of the published grammars (segments and separators, guarded runs, escapes, options before a part
// that begins like them), all other forms of the notation, and combinations of both.
func Random(rng *rand.Rand, prefix string) *Grammar {
	n := 2 + rng.IntN(5)
	m := &maker{Rand: rng}
	rules := make([]Rule, n)
	for i := n - 1; i >= 0; i-- {
		r := Rule{ID: fmt.Sprintf("%s%c", prefix, 'a'+i), Production: true}
		switch k := rng.IntN(10); {
		case i == 0 || k < 5:
			r.Text = fmt.Sprintf(`%s <- v:( %s ) { return c.node("%[1]s", v) }`, r.ID, m.choice(2, true))
			m.productions = append(m.productions, r.ID)
		case k < 8:
			r.Lexical = true
			r.Text = r.ID + " <- " + m.choice(1+rng.IntN(2), false)
			m.plain = append(m.plain, r.ID)
		default:
			r.Production = false
			with := rng.IntN(2) == 0
			r.Text = r.ID + " <- " + m.choice(2, with)
			if with {
				m.others = append(m.others, r.ID)
			} else {
				m.plain = append(m.plain, r.ID)
			}
		}
		rules[i] = r
	}
	return &Grammar{rules}
}

type maker struct {
	*rand.Rand
	productions []string // those that are nodes
	others      []string // rules beside the productions that can make nodes
	plain       []string // rules without nodes
	labels      int      // how many have been used
}

func (m *maker) of(list ...string) string { return list[m.IntN(len(list))] }

// class returns a terminal of one byte.
func (m *maker) class() string {
	if m.IntN(60) == 0 {
		// which are long: a grammar with one has few states left for others
		return m.of(`[^a]`, `.`, `"é"`, `[ß-ü]`, `"a"i`)
	}
	return m.of(`"a"`, `"b"`, `"/"`, `"%"`, `[ab]`, `[ab]`, `[ab/]`, `[a/%]`, `[ab/%]`, `[b%]`)
}

// char returns a class, or one with longer sequences.
func (m *maker) char() string {
	switch m.IntN(6) {
	case 0: // one that its first byte does not tell
		return m.of(`( "a" / "ab" )`, `( "ab" / "a" )`, `( [ab/] / "//" )`, `( "%a" / "%" )`, `( "aa" / [ab] )`)
	case 1:
		return m.of(`( [ab] / "%" [ab] )`, `( [ab/] / "%" [ab] [ab] )`, `( "%" [ab] / [ab/] )`, `( "ab" / [/%] )`,
			`( "%" "a" )`)
	default:
		return m.class()
	}
}

// ref returns the name of a rule that has been made, or a terminal.
func (m *maker) ref(nodes bool) string {
	list := m.plain
	if nodes {
		list = append(append(list[:len(list):len(list)], m.productions...), m.productions...)
		list = append(list, m.others...)
	}
	if len(list) == 0 {
		return m.char()
	}
	return m.of(list...)
}

// node returns a node of some production in parentheses. Its label is its own, since all can be in one scope.
func (m *maker) node(e string) string {
	m.labels++
	label := "v"
	for k := m.labels; k > 0; k /= 26 {
		label += string(rune('a' + k%26))
	}
	return fmt.Sprintf(`( %s:( %s ) { return c.node("%s", %[1]s) } )`, label, e, m.of(m.productions...))
}

// item returns something that can stand in a sequence or before a suffix.
func (m *maker) item(depth int, nodes bool) string {
	switch k := m.IntN(12); {
	case k < 3:
		return m.class()
	case k < 4:
		return m.char()
	case k < 5:
		return m.of(`"ab"`, `"a/"`, `"%a"`, `"//"`)
	case k < 9:
		return m.ref(nodes)
	case k < 10 && nodes && len(m.productions) > 0:
		return m.node(m.choice(depth-1, true))
	case depth <= 0:
		return m.class()
	}
	return "( " + m.choice(depth-1, nodes) + " )"
}

// element returns an item, often with a suffix or a predicate.
func (m *maker) element(depth int, nodes bool) string {
	e := m.item(depth, nodes)
	switch m.IntN(10) {
	case 0, 1:
		return e + "?"
	case 2:
		return e + "*"
	case 3:
		return e + "+"
	case 4:
		return m.of("!", "&") + e
	}
	return e
}

// shape returns one of the shapes that the generator knows, with random parts.
func (m *maker) shape(depth int, nodes bool) string {
	x, y := m.item(depth-1, nodes), m.item(depth-1, nodes)
	c, d := m.class(), m.class()
	switch m.IntN(13) {
	case 0:
		return fmt.Sprintf("%s ( %s %[1]s )*", x, c)
	case 1:
		return fmt.Sprintf("( !%s %s )%s", m.of(c, "( "+c+" "+d+" )", m.ref(false)), m.char(), m.of("*", "+"))
	case 2:
		return fmt.Sprintf("( %s* %s )%s", c, d, m.of("*", "+"))
	case 3:
		return fmt.Sprintf("( %s %s )* %s", x, c, y)
	case 4:
		return fmt.Sprintf("( %s %s )? %s", x, c, y)
	case 5:
		return m.char() + m.of("*", "+")
	case 6:
		return fmt.Sprintf("%s %s%s", c, m.of(m.char(), x), m.of("*", "+", "?"))
	case 7:
		return fmt.Sprintf(`"a" %s / "b" %s / "/" %s / %s`, x, y, c, d)
	case 8:
		e := m.class()
		return fmt.Sprintf("%s* ( %s %s* )*", e, c, m.of(e, e, d))
	case 9:
		return fmt.Sprintf("%s ( !( %s %[1]s ) %[3]s )* ( %[2]s %[1]s ( !( %[2]s %[1]s ) %[3]s )* )*", c, d, m.class())
	case 10:
		return fmt.Sprintf("%s %s( %s%s %s )", c, m.of("!", "&"), m.of("!", "&"), m.of(c, d, x), y)
	case 11:
		if nodes && len(m.productions) > 0 { // labels; the last has fewer first bytes
			tail := m.of(c+"*", "( "+d+"* "+c+" )*", c+"+")
			return fmt.Sprintf("( %s %s )* %s", m.node("[ab/] "+tail), d, m.node(m.of("[ab]", `"a"`, "[ab/]")+" "+tail))
		}
		fallthrough
	default:
		return fmt.Sprintf("%s / %s", x, y)
	}
}

// sequence returns one to three elements, or a shape in parentheses.
func (m *maker) sequence(depth int, nodes bool) string {
	if depth > 0 && m.IntN(4) == 0 {
		return "( " + m.shape(depth, nodes) + " )"
	}
	n := 1 + m.IntN(3)
	all := make([]string, n)
	for i := range all {
		all[i] = m.element(depth, nodes)
	}
	return strings.Join(all, " ")
}

// choice returns one to three sequences as alternatives, or a sequence or a shape.
func (m *maker) choice(depth int, nodes bool) string {
	switch m.IntN(5) {
	case 0, 1:
		return m.sequence(depth, nodes)
	case 2:
		return m.shape(depth, nodes)
	}
	n := 1 + m.IntN(3)
	all := make([]string, n)
	for i := range all {
		all[i] = m.sequence(depth, nodes)
	}
	return strings.Join(all, " / ")
}

// Words returns the words over the letters that are at most n bytes long, shorter ones first.
func Words(letters string, n int) []string { return Behind("", letters, n) }

// Behind returns the words over the letters that are at most n bytes long, shorter ones first, each with before in
// front.
func Behind(before, letters string, n int) []string {
	words := []string{before}
	for level := words; n > 0; n-- {
		var next []string
		for _, w := range level {
			for i := range len(letters) {
				next = append(next, w+letters[i:i+1])
			}
		}
		words, level = append(words, next...), next
	}
	return words
}
