package grammartest_test

import (
	"fmt"
	"math/rand"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"testing"
	"testing/quick"

	"github.com/bnfcheck/bnfcheck/grammartest"
)

// t is that of a test function; examples have none.
var t *testing.T

// A URL parser, against RFC 3986. What is known to differ is listed in testdata/TestParse.known,
// which BNFCHECK_UPDATE=1 writes.
func ExampleGrammar_Conform() {
	g := grammartest.Load(t, "rfc3986#URI-reference")
	g.Conform(t, func(s string) bool {
		_, err := url.Parse(s)
		return err == nil
	})
}

// An expression for semantic versions, against their grammar: exact.
func ExampleGrammar_EqualRegexp() {
	g := grammartest.Load(t, "semver.abnf#semver")
	g.EqualRegexp(t, regexp.MustCompile(`\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)\z`))
}

// The parts of an HTTP header, against the text of RFC 9110.
func ExampleComponents() {
	g := grammartest.Load(t, "rfc9110.txt#media-type")
	parse := regexp.MustCompile(`^([^/]+)/([^;]+)`)
	g.Conform(t, parse.MatchString, grammartest.Components(func(s string) map[string]string {
		m := parse.FindStringSubmatch(s)
		return map[string]string{"type": m[1], "subtype": m[2]}
	}, "type", "subtype"))
}

// The new version of a grammar takes all that the old one does.
func ExampleGrammar_Contains() {
	grammartest.Load(t, "new.abnf#message").Contains(t, grammartest.Load(t, "old.abnf#message"))
}

// Words for property tests: a generator for testing/quick. For pgregory.net/rapid it is
// rapid.SampledFrom(words).
func ExampleGrammar_Words() {
	g := grammartest.Load(new(testing.T), "testdata/version.abnf#version")
	var words []string
	for w := range g.Words(100, 1) {
		words = append(words, w)
	}
	config := &quick.Config{Values: func(v []reflect.Value, r *rand.Rand) { v[0] = reflect.ValueOf(words[r.Intn(len(words))]) }}
	fmt.Println(quick.Check(func(w string) bool { return slices.Contains(words, w) }, config))
	// Output: <nil>
}

// Any function of a grammar can be fuzzed from its own words.
func ExampleGrammar_Seed() {
	_ = func(f *testing.F) {
		g := grammartest.Load(f, "testdata/version.abnf#version")
		g.Seed(f, 100)
		f.Fuzz(func(t *testing.T, s string) {
			if g.Accepts(s) != (g.Reason(s) == nil) {
				t.Error(s)
			}
		})
	}
}
