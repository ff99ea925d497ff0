package drawing

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// WritePairs writes both automata of d as one graph in the language of Graphviz's dot: a state is a pair of theirs, "-" for one
// that can accept no more. Where both accept the circle is double and both colours meet; where one does it has that one's
// colour; a dashed edge is where they part. The error is that of w.
func WritePairs(w io.Writer, d *diff.Difference) error {
	a, b := d.Automata()
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph {\n\trankdir=LR\n\tlabel=\"%s (blue) and %s (orange)\"\n", dotQuote(d.A.String()), dotQuote(d.B.String()))
	fmt.Fprint(out, "\tnode [shape=circle style=filled fillcolor=white]\n\tstart [shape=point]\n\tstart -> 0\n")

	type state struct{ p, q int }
	index := map[state]int{{0, 0}: 0}
	order := []state{{0, 0}}
	for i := 0; i < len(order); i++ {
		s := order[i]
		fmt.Fprintf(out, "\t%d [label=\"%s\\n%s\"%s]\n", i, dotState(a, s.p), dotState(b, s.q), dotRegion(a.Accepts(s.p), b.Accepts(s.q)))
		var targets []state
		bytes := map[state]expr.Set{}
		for x := range 256 {
			to := state{a.Next(s.p, byte(x)), b.Next(s.q, byte(x))}
			if a.Dead(to.p) && b.Dead(to.q) {
				continue
			}
			set, ok := bytes[to]
			if !ok {
				targets = append(targets, to)
			}
			set.Add(byte(x))
			bytes[to] = set
		}
		for _, to := range targets {
			j, ok := index[to]
			if !ok {
				j = len(order)
				index[to] = j
				order = append(order, to)
			}
			style := ""
			if a.Live(s.p) && b.Live(s.q) && (a.Dead(to.p) || b.Dead(to.q)) {
				style = " style=dashed"
			}
			fmt.Fprintf(out, "\t%d -> %d [label=\"%s\"%s]\n", i, j, dotQuote(lang.SetLabel(bytes[to])), style)
		}
	}
	fmt.Fprint(out, "}\n")
	return out.Flush()
}

func dotState(a *lang.DFA, q int) string {
	if a.Dead(q) {
		return "-"
	}
	return fmt.Sprint(q)
}

// dotRegion returns the look of a state in which these accept.
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

func dotQuote(s string) string { return strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(s) }
