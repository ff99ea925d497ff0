package lang

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// WriteDOT writes a as a graph in the language of Graphviz's dot. Accepting states are doubly circled, the bytes that
// lead from one state to another stand on one edge as a character class, and the dead state is left out unless it is
// the start. It fails only if w does.
func (a *DFA) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("digraph {\n\trankdir=LR\n\tnode [shape=circle]\n\tstart [shape=point]\n\tstart -> 0\n")
	for q, ok := range a.accept {
		if a.Dead(q) && q > 0 {
			continue
		}
		if ok {
			fmt.Fprintf(b, "\t%d [shape=doublecircle]\n", q)
		}
		for _, e := range a.Edges(q) {
			fmt.Fprintf(b, "\t%d -> %d [label=\"%s\"]\n", q, e.To, dotEscaper.Replace(SetLabel(e.Set)))
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

var dotEscaper = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// SetLabel returns a set of bytes as the label of an edge: a single visible byte as itself, and any other set as a
// character class.
func SetLabel(s expr.Set) string {
	if m := s.Members(); len(m) == 1 && m[0] > ' ' && m[0] < 0x7f {
		return string(rune(m[0]))
	}
	return s.String()
}
