package certificate

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A table is the automaton of a generated parser that explains rejections, with the language of
// each of its states.
type table struct {
	ast.Machine
	languages []int32
	rows      []uint16 // the states that need a row: all that a stated line leads to
	starts    []string // lines
}

// stateTable states for each wanted production, by ID, whether the table of the parser g accepts exactly the
// strings that the production derives. It sets c.tabled. If the table is right, it adds a line to its starts,
// the rows that this needs, and the ID to Summary.Tabled. If it is wrong, there is no line, only the ID in
// Summary.Wrong. A production for which neither can be computed is left out. c.err and c.pending are cleared
// for each production.
func (c *certificate) stateTable(g *ast.Grammar, wanted func(id string) bool) {
	c.tabled = &table{Machine: g.Machine()}
	t, seen := c.tabled, map[uint16]bool{0: true}
	accept, next := make([]bool, t.States()), make([]int32, t.States()*c.classes)
	for q := range accept {
		accept[q] = t.Accepts(uint16(q))
		for x, b := range c.first {
			if to := t.Step(uint16(q), b); to != 0 {
				next[q*c.classes+x] = lang.Local(int32(to))
			}
		}
	}
	if err := c.Within(func() { t.languages = c.Intern(accept, next) }); err != nil {
		return
	}
	for kind, p := range g.Productions {
		starts := t.Starts(ast.Kind(kind))
		if c.src.BNF.Rule(p.ID) == nil || len(starts) == 0 || !wanted(p.ID) {
			continue
		}
		c.err = nil
		clear(c.pending)
		x := c.intern(term{kind: ruleKind, name: "bnf " + p.ID})
		line, l, union, todo, before := "table "+p.ID, noWord, noWord, []uint16{}, len(t.rows)
		right := true
		err := c.Within(func() {
			if l = c.languageOf(x, emptyWord, false); c.err != nil {
				return
			}
			for _, s := range starts {
				if s.State != 0 {
					union = c.Union(union, t.languages[s.State])
					line += fmt.Sprint(" ", s.State)
					todo = append(todo, s.State)
				}
			}
			// The table is right if its starts have the language together, and each byte leads from each state to the
			// derivative of its language.
			right = union == l
			for right && len(todo) > 0 {
				q := todo[0]
				todo = todo[1:]
				if seen[q] {
					continue
				}
				seen[q] = true
				t.rows = append(t.rows, q)
				for b := range 256 {
					to := t.Step(q, byte(b))
					right = right && t.languages[to] == c.Derive(t.languages[q], int(c.class[b]))
					todo = append(todo, to)
				}
			}
		})
		if err != nil || c.err != nil || !right { // wrong, or not decided: nothing is stated
			if err == nil && c.err == nil {
				c.summary.Wrong = append(c.summary.Wrong, p.ID)
			}
			// Take back the rows of this production: another may need them, and then states them itself.
			for _, q := range t.rows[before:] {
				delete(seen, q)
			}
			t.rows = t.rows[:before]
		} else {
			c.addTriple(triple{x, emptyWord, false})
			union = noWord
			for _, s := range starts {
				if s.State != 0 {
					union = c.addOperation("union", union, t.languages[s.State])
				}
			}
			t.starts = append(t.starts, line)
			c.summary.Tabled = append(c.summary.Tabled, p.ID)
		}
	}
	for _, q := range t.rows {
		c.numberOf(t.languages[q])
	}
}

// writeTable writes the lines about the table: its columns, rows and starts. If there is no table, or it has
// no start, it writes nothing.
func (c *certificate) writeTable(line func(format string, args ...any)) {
	t := c.tabled
	if t == nil || len(t.starts) == 0 {
		return
	}
	columns := make([]expr.Set, 256)
	first, n := map[int]byte{}, 0
	for b := 255; b >= 0; b-- {
		x := t.Class(byte(b))
		columns[x].Add(byte(b))
		first[x] = byte(b)
		n = max(n, x+1)
	}
	for x, s := range columns[:n] {
		if !s.IsEmpty() {
			line("column %d %s", x, hexSet(s))
		}
	}
	for _, q := range t.rows {
		accepts := '-'
		if t.Accepts(q) {
			accepts = '+'
		}
		step := func(x int) int { return int(t.Step(q, first[x])) }
		line("row %d %c is %d%s", q, accepts, c.numberOf(t.languages[q]), formatSteps(n, step))
	}
	for _, s := range t.starts {
		line("%s", s)
	}
}

// formatSteps writes where each class leads, as " class:target" or " class-class:target" for
// neighbors; a target of 0 is left out.
func formatSteps(classes int, to func(class int) int) string {
	var b strings.Builder
	for x := 0; x < classes; {
		y := x
		for y+1 < classes && to(y+1) == to(x) {
			y++
		}
		switch {
		case to(x) == 0: // left out
		case x == y:
			fmt.Fprintf(&b, " %d:%d", x, to(x))
		default:
			fmt.Fprintf(&b, " %d-%d:%d", x, y, to(x))
		}
		x = y + 1
	}
	return b.String()
}
