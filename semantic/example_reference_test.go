package semantic_test

import (
	"fmt"
	"log"

	"github.com/bnfcheck/bnfcheck/semantic"
)

// The usual steps with a URL of today.
func ExampleParseReference() {
	r, err := semantic.ParseReference("HTTP://example.com/a/../b?q=1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.SchemeName(), r.Hostname(), r.PathSegments(), r.QueryPairs())
	fmt.Println(r.Relative(), r.Host.Kind)
	fmt.Println(r.Normalize())
	ref, err := semantic.ParseReference("../c?d")
	if err != nil {
		log.Fatal(err)
	}
	abs, err := r.Resolve(ref)
	fmt.Println(abs, err)
	page, err := abs.JoinPath("e f")
	fmt.Println(page, err)
	// Output:
	// http example.com [a .. b] [[q 1]]
	// false registered name
	// http://example.com/b?q=1
	// HTTP://example.com/c?d <nil>
	// HTTP://example.com/c/e%20f?d <nil>
}

// A URL of its parts, each encoded as its place wants it.
func ExampleBuilder() {
	r, err := semantic.Builder{
		Scheme: "https",
		Host:   "example.com",
		Path:   []string{"a b", "c/d"},
		Query:  [][2]string{{"q", "1&2"}},
	}.Reference()
	fmt.Println(r, err)
	// Output: https://example.com/a%20b/c%2Fd?q=1%262 <nil>
}
