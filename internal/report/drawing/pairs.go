package drawing

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// WritePairs writes both automata of d as one graph in the language of Graphviz's dot. A state is a pair of theirs,
// "-" for one that can accept no more. A pair where neither can is left out, unless it is the start. A pair where
// both accept has a double circle and both colors; one where only one accepts has that one's color. A dashed edge
// is one on which the two part: before it both can still accept, after it only one side can; the edges after that
// are plain. An edge has bytes, or code points if the texts have these and all strings of both are UTF-8. The error
// is w's.
func WritePairs(w io.Writer, d *diff.Difference) error {
	a, b := d.Automata()
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph {\n\trankdir=LR\n\tlabel=\"%s (blue) and %s (orange)\"\n",
		dotQuote(d.A.String()), dotQuote(d.B.String()))
	fmt.Fprint(out, "\tnode [shape=circle style=filled fillcolor=white]\n\tstart [shape=point]\n\tstart -> 0\n")

	points := d.CodePoints() && isText(a) && isText(b)
	var order expr.Numbering[pair]
	order.Of(pair{})
	for i := 0; i < len(order.List); i++ {
		s := order.List[i]
		fmt.Fprintf(out, "\t%d [label=\"%s\\n%s\"%s]\n",
			i, dotState(a, s.p), dotState(b, s.q), dotRegion(a.Accepts(s.p), b.Accepts(s.q)))
		edges := edgesOf{a: a, b: b, labels: map[pair]*label{}}
		edges.addFrom(s, points)
		for _, to := range edges.targets {
			j, _ := order.Of(to)
			style := ""
			if a.Live(s.p) && b.Live(s.q) && (a.Dead(to.p) || b.Dead(to.q)) {
				style = " style=dashed"
			}
			fmt.Fprintf(out, "\t%d -> %d [label=\"%s\"%s]\n", i, j, dotQuote(edges.labels[to].String()), style)
		}
	}
	fmt.Fprint(out, "}\n")
	return out.Flush()
}

// A pair is a state of either automaton.
type pair struct{ p, q int }

// A label is the set of symbols on an edge: bytes, and code points beyond ASCII as ranges.
type label struct {
	bytes  expr.Set
	points [][2]rune
}

// String returns the label as an edge shows it: its bytes, and then its ranges of code points.
func (l *label) String() string {
	var parts []string
	if !l.bytes.IsEmpty() {
		parts = append(parts, lang.SetLabel(l.bytes))
	}
	for _, r := range l.points {
		part := fmt.Sprintf("U+%04X", r[0])
		if r[1] > r[0] {
			part += fmt.Sprintf("-%04X", r[1])
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// isText reports whether all strings of a are UTF-8. It is false if the automaton of UTF-8 cannot be made.
func isText(a *lang.DFA) bool {
	text, err := lang.Text()
	return err == nil && a.Subset(text)
}

// An edgesOf has the labels of the edges from a pair.
type edgesOf struct {
	a, b    *lang.DFA
	targets []pair // in the order of the bytes
	labels  map[pair]*label
}

// addFrom adds the edges from s to targets and labels, but none to a pair where both sides are dead. With points,
// bytes beyond ASCII are followed to whole code points, as labels and targets; all strings must be UTF-8 then, and
// s must not be within a character.
func (e *edgesOf) addFrom(s pair, points bool) {
	for x := range 256 {
		switch to, ok := e.next(s, byte(x)); {
		case !ok: // both sides are dead there
		case !points || x < utf8.RuneSelf:
			e.labelTo(to).bytes.Add(byte(x))
		// The first byte of a code point of two, three or four bytes has its highest bits.
		case x < 0xE0:
			e.addPoints(to, rune(x&0x1F), 1)
		case x < 0xF0:
			e.addPoints(to, rune(x&0x0F), 2)
		default:
			e.addPoints(to, rune(x&0x07), 3)
		}
	}
}

// addPoints adds to the labels of the edges all code points that begin with the bytes read before s, end after n
// more, and lead to a pair where a side can still accept. r holds the bits so far. Neighboring code points to one
// pair become a range; for that, calls must come in the order of the code points.
func (e *edgesOf) addPoints(s pair, r rune, n int) {
	if n == 0 {
		l := e.labelTo(s)
		if last := len(l.points) - 1; last >= 0 && l.points[last][1] == r-1 {
			l.points[last][1] = r
		} else {
			l.points = append(l.points, [2]rune{r, r})
		}
		return
	}
	for x := range rune(0x40) {
		if to, ok := e.next(s, byte(0x80|x)); ok {
			e.addPoints(to, r<<6|x, n-1)
		}
	}
}

// next returns the pair that x leads to from s; ok is false if both sides are dead there.
func (e *edgesOf) next(s pair, x byte) (pair, bool) {
	to := pair{e.a.Next(s.p, x), e.b.Next(s.q, x)}
	return to, e.a.Live(to.p) || e.b.Live(to.q)
}

// labelTo returns the label of the edge to a pair, which is added if it is new.
func (e *edgesOf) labelTo(s pair) *label {
	if e.labels[s] == nil {
		e.labels[s] = &label{}
		e.targets = append(e.targets, s)
	}
	return e.labels[s]
}

// dotState returns the name of a state in a node: its number, or "-" for the dead state.
func dotState(a *lang.DFA, q int) string {
	if a.Dead(q) {
		return "-"
	}
	return fmt.Sprint(q)
}

// dotRegion returns the dot attributes of a state, depending on which of the automata accept there: a, b,
// both or neither.
func dotRegion(a, b bool) string {
	switch {
	case a && b:
		return ` shape=doublecircle fillcolor="#9ec1f7:#ffcf9e"`
	case a:
		return ` fillcolor="#9ec1f7"`
	case b:
		return ` fillcolor="#ffcf9e"`
	}
	return ""
}

// dotQuote quotes a string for dot.
func dotQuote(s string) string { return strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(s) }
