package conform

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
)

// faulty are parsers of RFC 3986 but for one edit: what they reject besides, and what they accept besides.
var faulty = []struct {
	what            string
	rejects, accept *regexp.Regexp
}{
	{what: "every tilde", rejects: regexp.MustCompile(`~`)},
	{what: "every semicolon", rejects: regexp.MustCompile(`;`)},
	{what: "a plus in a scheme", rejects: regexp.MustCompile(`^[^:/?#]*\+[^:/?#]*:`)},
	{what: "a capital V", rejects: regexp.MustCompile(`\[V`)},
	{what: "two digits in the version of an address", rejects: regexp.MustCompile(`\[[vV][0-9A-Fa-f]{2}`)},
	{what: "a colon in an address of the future", rejects: regexp.MustCompile(`\[[vV][^\]]*:`)},
	{what: "six groups behind two colons", rejects: regexp.MustCompile(`\[::([0-9A-Fa-f]{1,4}:){5}[0-9A-Fa-f]{1,4}\]`)},
	{what: "five groups behind one and two colons", rejects: regexp.MustCompile(`\[[0-9A-Fa-f]{1,4}::([0-9A-Fa-f]{1,4}:){4}[0-9A-Fa-f]{1,4}\]`)},
	{what: "an empty port", rejects: regexp.MustCompile(`^([^:/?#]+:)?//[^/?#]*:([/?#]|$)`)},
	{what: "a question mark in a fragment", rejects: regexp.MustCompile(`#.*\?`)},
	{what: "small letters in an escape of a query", rejects: regexp.MustCompile(`\?[^#]*%([a-f].|.[a-f])`)},
	{what: "a colon in the first segment of a path of a URI", rejects: regexp.MustCompile(`^[A-Za-z][-+.0-9A-Za-z]*:[^/?#:]+:`)},
	{what: "an octet of 250 and more in an address", rejects: regexp.MustCompile(`[:.]25[0-5][.\]]`)},
	{what: "accepts a circumflex in a query", accept: regexp.MustCompile(`^[a-z:/]*\?\^$`)},
	{what: "accepts an octet of 256", accept: regexp.MustCompile(`^//\[::256\.0\.0\.0\]$`)},
}

// ofReferences are the strings that are asked about references.
var ofReferences = sync.OnceValues(func() ([]string, error) { return Cover([]Judge{References(published.References(), false)}, nil) })

// TestDefaultStringsFindEveryFault checks the strings that are asked by default against parsers with one fault each, and
// their number against what a person waits for.
func TestDefaultStringsFindEveryFault(t *testing.T) {
	inputs := must.Of(ofReferences())(t)
	if len(inputs) > 20_000 {
		t.Errorf("%d strings", len(inputs))
	}
	if longtest.Enabled() && !slices.Equal(inputs, must.Of(Cover([]Judge{References(published.References(), true)}, nil))(t)) {
		t.Error("other strings for parsers of URIs")
	}
	g := bnfcheck.RFC3986
	for _, f := range faulty {
		if !slices.ContainsFunc(inputs, func(w string) bool {
			derived := g.Accept(g.Default, w)
			return derived && f.rejects != nil && f.rejects.MatchString(w) || !derived && f.accept != nil && f.accept.MatchString(w)
		}) {
			t.Errorf("nothing finds: %s", f.what)
		}
	}
	// What Ruby's URI.parse rejects.
	for _, part := range []string{"[::a:a:a:a:a:a]", "[V"} {
		if !slices.ContainsFunc(inputs, func(w string) bool { return strings.Contains(w, "http://"+part) && g.Accept(g.Default, w) }) {
			t.Errorf("no http://%s", part)
		}
	}
}
