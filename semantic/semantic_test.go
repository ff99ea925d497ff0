package semantic_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// typed returns the typed URL of a string that the grammar of a family must accept.
func typed(t testing.TB, rfc semantic.Family, s string) *semantic.URL {
	t.Helper()
	return typedBy(t, grammar(rfc), s)
}

// typedBy returns the typed URL of a string that a grammar must accept.
func typedBy(t testing.TB, g *bnfcheck.Grammar, s string) *semantic.URL {
	t.Helper()
	u, err := semantic.Parse(g, s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return u
}

func grammar(rfc semantic.Family) *bnfcheck.Grammar {
	if rfc == semantic.Family1630 {
		return bnfcheck.RFC1630
	}
	return bnfcheck.RFC1738
}

// published returns the grammar of a text by its name.
func published(t testing.TB, text string) *bnfcheck.Grammar {
	t.Helper()
	return must.Of(bnfcheck.Find(text))(t)
}

// typedTexts returns the grammars that typed URLs are made of.
func typedTexts() []*bnfcheck.Grammar {
	return []*bnfcheck.Grammar{bnfcheck.RFC1630, bnfcheck.RFC1738, bnfcheck.Draft06}
}

var families = [...]semantic.Family{semantic.Family1630, semantic.Family1738}

// sentenceKeys has the keys of the listed sentences. Tests name those that they hold the package to by [citetest.Cite],
// and TestEverySentence reads these citations out of the tests' source.
var sentenceKeys = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range semantic.Sentences() {
		m[s.Key()] = true
	}
	return m
}()

// examples returns the strings of golden/testdata/schemes, which probe the edges of every scheme.
func examples(t testing.TB) []string {
	t.Helper()
	return goldentest.Inputs(t, "../golden/testdata/schemes/*.golden")
}
