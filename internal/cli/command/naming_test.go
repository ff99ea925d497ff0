package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// If several opened grammars have a production that nests at one place, as one file under several names can have,
// the error is the note of the first name every time.
func TestNestingErrorOfSeveralGrammars(t *testing.T) {
	n := &naming{opened: map[string]*catalog.Opened{}}
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		text := "s = \"(\" s \")\" / \"x\"\n"
		for k := range i {
			text += fmt.Sprintf("t%d = \"x\"\n", k)
		}
		n.opened[name] = &catalog.Opened{Grammar: must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)}
	}
	facts := expr.Analyze(n.opened["a"].Grammar.Rules)
	e := facts.SelfEmbedding("s")
	for range 20 {
		if err := n.nestingError(e); !strings.Contains(err.Error(), "1 of 1 rule ") {
			t.Fatalf("have %v", err)
		}
	}
}
