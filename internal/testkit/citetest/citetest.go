// Package citetest lets tests say which sentences of the texts about URLs they hold a package to. A citation is the text
// and the line where the sentence begins, as in the tables grammar/NAME.sentences: "1738:94", "draft06:412". The tests
// of package semantic read the citations out of the source, so a key is always written out.
package citetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/grammar"
)

// keys holds the key of every listed sentence.
var keys = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, g := range bnfcheck.Grammars() {
		list, _ := grammar.Sentences(g.Name) // the tests of package grammar read every table
		for _, s := range list {
			known[fmt.Sprintf("%s:%d", strings.TrimPrefix(g.Name, "rfc"), s.First)] = true
		}
	}
	return known
})

// Cite fails t for a key that names no listed sentence.
func Cite(t testing.TB, cited ...string) {
	t.Helper()
	for _, k := range cited {
		if !keys()[k] {
			t.Errorf("%s is no listed sentence", k)
		}
	}
}

// Grammar returns the grammar of the text that a key begins with.
func Grammar(t testing.TB, key string) *bnfcheck.Grammar {
	t.Helper()
	text, _, _ := strings.Cut(key, ":")
	g, err := bnfcheck.Find(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
