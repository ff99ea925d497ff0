package prove_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The trace ends as pigeon's parser does, and its successful attempts are the nodes of the tree: of every example, and
// of its beginnings.
func TestTraceIsWhatPigeonDoes(t *testing.T) {
	list := must.Of(os.ReadFile("../../../examples/urls.txt"))(t)
	for _, g := range bnfcheck.Grammars() {
		pair := must.Of(catalog.PublishedPair(g.Name))(t)
		start := g.Production(g.Default).ID
		inline := inlineNodes(pair.PEG)
		pigeon := pair.Parsers[len(pair.Parsers)-1]
		for url := range strings.Lines(string(list)) {
			url = strings.TrimSuffix(url, "\n")
			for _, s := range []string{url, url[:len(url)/2]} {
				tree, err := pigeon.Parse(start, s)
				w := peg.Traced(pair.PEG, start, s)
				if accepted := w.End == len(s); accepted != (err == nil) {
					t.Errorf("%s %q: traced to %d; %s says %v", g.Name, s, w.End, pigeon.Name, err)
				}
				if err != nil {
					continue
				}
				tried := map[[3]any]bool{}
				eachPart(w, func(t *peg.Trace) { tried[[3]any{t.Rule.ID, t.Start, t.End}] = true })
				for _, n := range tree.Root().All() {
					if id := n.ID(); !inline[id] && !tried[[3]any{id, n.Start(), n.End()}] {
						t.Errorf("%s %q: the trace has no %s %d..%d", g.Name, s, id, n.Start(), n.End())
					}
				}
			}
		}
	}
}

// eachPart calls f for a trace and all its parts, those with a rule.
func eachPart(t *peg.Trace, f func(*peg.Trace)) {
	if t.Rule == nil {
		return
	}
	f(t)
	for _, p := range t.Parts {
		eachPart(p, f)
	}
}

// inlineNodes returns the productions whose nodes are also built by the rules of others, which do not try them by name.
func inlineNodes(g *expr.Grammar) map[string]bool {
	inline := map[string]bool{}
	for _, r := range g.Rules {
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if e.Op == expr.Node && e != r.Expr {
				inline[e.Name] = true
			}
			return true
		})
	}
	return inline
}
