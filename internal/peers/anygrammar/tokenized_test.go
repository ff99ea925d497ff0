package anygrammar

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A rejection of tokens is at the first token that is not expected or, if the tokens before can begin or are a string,
// where no terminal fits.
func TestTokensRejection(t *testing.T) {
	o := catalog.Usual
	o.Tokens = true
	file := filepath.Join(t.TempDir(), "x.ebnf")
	grammar := "statement ::= 'SELECT' NAME ';'\nNAME ::= [a-z]+\nWS ::= ' '\n@pass ::= WS+\n"
	must.Do(t, os.WriteFile(file, []byte(grammar), 0o666))
	p := must.Of(New(must.Of(catalog.Open(file+"#statement", o))(t)))(t)
	for s, offset := range map[string]int{
		"SELECT ; a":   7,
		"SELECT ; $":   7,
		"SELECT $":     7,
		"SELECT a":     8,
		"SELECT a; $":  10,
		"SELECT a; ; ": 10,
		"$":            0,
	} {
		_, err := p.Parse(s)
		e, ok := errors.AsType[*ast.SyntaxError](err)
		if !ok || e.Offset != offset || e.Grammar != p.Grammar || e.Input != s {
			t.Errorf("%q: %v; want a rejection at offset %d", s, err, offset)
		}
	}
}
