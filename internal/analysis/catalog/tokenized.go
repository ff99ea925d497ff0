package catalog

import (
	"errors"
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/analysis/tokens"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// readTokens reads the grammar as one of tokens and sets n.Tokens, which keeps the text. If the production that is
// meant does not nest, n.Grammar becomes that of the automaton of its strings, for all who compute with it, and the
// production counts as asked for. If no @pass says what may stand between terminals, it adds a notice of what may. It
// uses n.Tell as [Opened.Start] does. It fails for a notation other than W3C's EBNF, and where Start or [tokens.New]
// fails. It also fails if a limit is passed; n.Tokens and the notice stay then.
func (n *Opened) readTokens() error {
	if n.terminals == nil {
		return fmt.Errorf("%s: --tokens is for grammars in W3C's EBNF", n.File)
	}
	r, err := n.Start()
	if err != nil {
		return err
	}
	if n.Tokens, err = tokens.New(n.Grammar, n.terminals.Is, n.terminals.Pass); err != nil {
		return err
	}
	between := "nothing"
	switch {
	case n.terminals.ByWhiteSpace != "":
		between = "any number of " + n.terminals.ByWhiteSpace +
			", since no @pass says otherwise; --pass EXPRESSION does"
	case n.terminals.Pass != nil: // @pass says it, so there is nothing to notice
		return n.modelTokens(r)
	}
	n.Notices = append(n.Notices, bnf.Notice{Pos: expr.Pos{File: n.File}, Message: "between terminals may stand " +
		between})
	return n.modelTokens(r)
}

// modelTokens replaces the grammar of n by the states of the automaton of r, and makes r the production asked for. It
// does nothing if r nests. It fails if a limit is passed.
func (n *Opened) modelTokens(r *expr.Rule) error {
	a, err := n.Tokens.Automaton(r.ID)
	if _, nests := errors.AsType[*expr.SelfEmbedding](err); nests {
		return nil
	}
	if err != nil {
		return err
	}
	g := a.Grammar(func(q int) string {
		if q == 0 {
			return r.ID
		}
		return fmt.Sprintf("%s@%d", r.ID, q)
	})
	text := n.Grammar
	g.Name, g.Title, g.File, g.Notation, g.CodePoints, g.Budget = text.Name, text.Title, text.File, text.Notation,
		text.CodePoints, text.Budget
	for _, rule := range g.Rules {
		rule.Pos, rule.Name, rule.State = r.Pos, rule.ID, rule.ID != r.ID
	}
	g.Rules[0].Printed = r.Printed
	n.Asked, n.exact, n.places, n.Grammar, n.Within = r.ID, a, g, g, g
	return nil
}

// LooksTokenized reports whether the grammar looks like one of tokens and is not read so.
func (n *Opened) LooksTokenized() bool { return n.Tokens == nil && bnf.LooksTokenized(n.Grammar) }
