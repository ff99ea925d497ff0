// Command compare runs both parsers of random grammars on words and says where they differ. It is built with an overlay
// that has the grammars; without it, it has none.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
)

// parsers are those of one grammar: its own and pigeon's.
type parsers struct {
	*ast.Grammar
	pigeon func(start ast.Kind, src string) (*ast.Tree, error)
}

var grammars []parsers

type input struct {
	Words  [][]byte
	Covers []struct {
		Grammar, Production string
		Words               [][]byte
	}
}

func main() {
	var in input
	if err := json.NewDecoder(bufio.NewReader(os.Stdin)).Decode(&in); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	compared, wrong := 0, 0
	hold := func(p *parsers, k ast.Kind, w string) {
		compared++
		if diff := p.differ(k, w); diff != "" {
			if wrong++; wrong <= 5 {
				fmt.Printf("%s %s on %q: %s\n", p.Name, p.Production(k).ID, w, diff)
			}
		}
	}
	for i := range grammars {
		p := &grammars[i]
		for k := 1; k < len(p.Productions); k++ {
			for _, w := range in.Words {
				hold(p, ast.Kind(k), string(w))
			}
		}
		for _, c := range in.Covers {
			if c.Grammar != p.Name {
				continue
			}
			k, ok := p.Kind(c.Production)
			if !ok {
				fmt.Printf("%s has no production %s\n", p.Name, c.Production)
				wrong++
			}
			for _, w := range c.Words {
				hold(p, k, string(w))
			}
		}
	}
	fmt.Printf("%d words compared, %d differ\n", compared, wrong)
	if wrong > 0 || compared == 0 {
		os.Exit(1)
	}
}

// nodes is reused, with what the last parse left in it, as a Parser does.
var nodes []ast.Raw

// differ returns how the answers on src differ, or "".
func (p *parsers) differ(start ast.Kind, src string) string {
	want, err := p.pigeon(start, src)
	var ok bool
	nodes, ok = p.Parse(nodes[:0], start, src)
	switch {
	case ok != (err == nil):
		return fmt.Sprintf("pigeon accepts: %t, the compiled parser: %t", err == nil, ok)
	case p.Accept(start, src) != ok:
		return fmt.Sprintf("parse: %t, accept: %t", ok, !ok)
	case ok && !slices.Equal(nodes, want.Nodes):
		return fmt.Sprintf("pigeon's nodes: %v, the compiled parser's: %v", want.Nodes, nodes)
	case !ok && len(nodes) != 0:
		return "a failure leaves nodes behind"
	}
	return ""
}
