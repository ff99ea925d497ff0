package gopackage

import (
	"bytes"
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
)

// networkFile returns the file with the network that explains rejections, for a grammar in which a production embeds itself.
func (p *writer) networkFile() ([]byte, error) {
	n, err := annotated.Network(p.bnf, p.lexical)
	if err != nil {
		return nil, err
	}
	var b, start, kind, final, edges, empty bytes.Buffer
	for i, r := range p.bnf.Rules {
		fmt.Fprintf(&start, "%s: %d,\n", p.kind(r.ID), n.Start[i+1])
		fmt.Fprintf(&empty, "%s: %t,\n", p.kind(r.ID), n.Empty[i+1])
	}
	for q := range n.Kind {
		fmt.Fprintf(&kind, "%d,", n.Kind[q])
		fmt.Fprintf(&final, "%t,", n.Final[q])
		if q%16 == 15 {
			kind.WriteByte('\n')
			final.WriteByte('\n')
		}
		edges.WriteString("{")
		for _, e := range n.Edges[q] {
			fmt.Fprintf(&edges, "{To: %d, ", e.To)
			if e.Call != 0 {
				fmt.Fprintf(&edges, "Call: %d, ", e.Call)
			}
			fmt.Fprintf(&edges, "Set: ast.ByteSet{%#x, %#x, %#x, %#x}", e.Set[0], e.Set[1], e.Set[2], e.Set[3])
			if e.Term != "" {
				fmt.Fprintf(&edges, ", Term: %q", e.Term)
			}
			edges.WriteString("}, ")
		}
		edges.WriteString("},\n")
		if err := p.fits(edges.Len() / 4); err != nil {
			return nil, err
		}
	}
	p.header(&b)
	fmt.Fprintf(&b, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n\n// network holds the automata that explain rejections: %d states. Productions embed themselves.\nvar network = ast.Network{\nStart: []uint16{\n%s},\nKind: []ast.Kind{\n%s\n},\nFinal: []bool{\n%s\n},\nEdges: [][]ast.NetworkEdge{\n%s},\nEmpty: []bool{\n%s},\n}\n",
		p.Package, len(n.Kind), &start, &kind, &final, &edges, &empty)
	return b.Bytes(), nil
}
