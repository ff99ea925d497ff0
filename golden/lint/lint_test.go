// Package lint holds golden files of what bnfcheck lint finds in every published grammar and in those that they are compared
// with. They change only through
//
//	go test ./golden/lint -update
//
// and every change is read against the texts before it is committed.
package lint

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/report/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
	"github.com/bnfcheck/bnfcheck/internal/syntax/lint"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestLint(t *testing.T) {
	for _, name := range catalog.Names() {
		opened := must.Of(catalog.Open(name, catalog.Usual))(t)
		r := must.Of(lint.Lint(opened.Grammar, lint.Options{}))(t)
		goldentest.Check(t, name+".golden", goldentest.Output("findings", string(r.AppendText(nil, &layout.Screen{Width: 110}, nil))))
	}
}
