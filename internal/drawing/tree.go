package drawing

import (
	"fmt"
	"html"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// The measures of a tree.
const (
	levelStep  = 26 // between a state and those below it, to the right
	rowHeight  = 34 // of a state
	moreHeight = 26 // of more transitions of the same state
	chipHeight = 20
)

// Tree draws an automaton as the tree of the words that first lead to its states: a circle for each state, a double one
// where it accepts, and the bytes that lead on. A transition that does not go on in the tree stands beside its state, with
// the number of the state that it leads to. As a graph, where each transition is a line, the automaton of a parser is a
// thicket; a tree can be read however large it is. The dead state is left out. The drawing is as wide as width, if that
// can be, and label says what it shows.
func Tree(a *lang.DFA, width float64, label string) string {
	return tree(a, width, label).String()
}

func tree(a *lang.DFA, width float64, label string) *canvas {
	t := &planted{
		a: a, access: a.AccessWords(), wide: width,
		children: make([][]transition, a.States()), others: make([][]transition, a.States()), middle: make([]float64, a.States()),
		y: margin + radius,
	}
	if a.Live(0) {
		t.plant()
		t.row(0, margin+radius, margin)
	}
	c := &canvas{}
	c.open("automaton tree", label, t.reached+margin, t.y-rowHeight/2+margin)
	fmt.Fprintf(c, `<path class="edge" d="%s"/><path class="head" d="%s"/>`, t.lines.String(), t.heads.String())
	c.WriteString("\n" + t.states.String())
	c.close()
	return c
}

// A transition leads to a state with each byte of a set.
type transition struct {
	set expr.Set
	to  int
}

// label shows one byte as itself and other sets as classes.
func (s transition) label() string {
	if m := s.set.Members(); len(m) == 1 && m[0] > ' ' && m[0] < 0x7f {
		return visible(string(m))
	}
	return s.set.String()
}

// A planted automaton is drawn downwards.
type planted struct {
	a        *lang.DFA
	access   []string       // the words that first lead to the states
	children [][]transition // those of the tree, by the state that they leave
	others   [][]transition // those that are not

	lines, heads  path
	states        canvas
	middle        []float64 // of the rows of the states
	y             float64   // the middle of the next row
	wide, reached float64   // how wide the drawing is to be, and is
}

// plant divides the transitions into those of the tree and the others.
func (t *planted) plant() {
	for q := range t.a.States() {
		if t.a.Dead(q) {
			continue
		}
		at := map[int]int{}
		var all []transition
		for c := range t.a.Classes() {
			p := t.a.NextClass(q, c)
			if t.a.Dead(p) {
				continue
			}
			i, ok := at[p]
			if !ok {
				i = len(all)
				at[p] = i
				all = append(all, transition{to: p})
			}
			all[i].set = all[i].set.Union(t.a.ClassSet(c))
		}
		for _, s := range all {
			if w := t.access[s.to]; w != "" && w[:len(w)-1] == t.access[q] {
				t.children[q] = append(t.children[q], s)
			} else {
				t.others[q] = append(t.others[q], s)
			}
		}
	}
}

// row draws a state in the middle of the next row, what leads on from it, and the states below it, the lines to which
// begin at left. A state from which nothing leads but to one state of the tree has this one beside it.
func (t *planted) row(q int, x, left float64) {
	y := t.y
	for {
		t.state(q, x, y)
		if len(t.children[q]) != 1 || len(t.others[q]) > 0 {
			break
		}
		s := t.children[q][0]
		q, x = s.to, t.edge(s, x+radius, y)
	}
	right := x + radius + 12
	at := right
	for i, s := range t.others[q] {
		text := fmt.Sprintf("%s \u2192 %d", s.label(), s.to)
		if s.to == q {
			text = s.label() + " \u21ba"
		}
		size := textWidth(text) + 16
		if i > 0 && at+size > t.wide {
			at = right
			y += moreHeight
		}
		fmt.Fprintf(&t.states, `<a href="#q%d"><rect class="chip" x="%s" y="%s" width="%s" height="%d" rx="6"/>`,
			s.to, num(at), num(y-chipHeight/2), num(size), chipHeight)
		t.states.text(at+size/2, y, text)
		t.states.WriteString("</a>\n")
		at += size + 8
		t.reached = max(t.reached, at)
	}
	trunk, under := left+radius, y+radius+5
	t.y = y + rowHeight
	last := y
	for _, s := range t.children[q] {
		last = t.y
		t.row(s.to, t.edge(s, trunk, last), left+levelStep)
	}
	if last > y {
		t.lines.move(x, t.middle[q]+radius)
		t.lines.line(x, under)
		t.lines.line(trunk, under)
		t.lines.line(trunk, last)
	}
}

// edge draws a transition from x, with its label and the head of its arrow, and gives the middle of the state that it
// leads to.
func (t *planted) edge(s transition, x, y float64) (middle float64) {
	size := textWidth(s.label())
	end := x + 10 + size + 22
	t.lines.move(x, y)
	t.lines.line(x+7, y)
	t.lines.move(x+13+size, y)
	t.lines.line(end-5, y)
	head(&t.heads, end, y, 1, 0)
	t.states.text(x+10+size/2, y, s.label())
	return end + radius
}

// state draws a state. Its title is the word that first leads to it.
func (t *planted) state(q int, x, y float64) {
	t.middle[q] = y
	fmt.Fprintf(&t.states, `<g id="q%d"><title>after %s</title>`, q, html.EscapeString(ast.Quote(t.access[q])))
	t.states.circle(x, y, t.a.Accepts(q))
	fmt.Fprintf(&t.states, "<text class=\"number\" x=\"%s\" y=\"%s\">%d</text></g>\n", num(x), num(y+baseline), q)
	t.reached = max(t.reached, x+radius)
}
