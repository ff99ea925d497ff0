package partial_test

import (
	"fmt"
	"log"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/semantic/partial"
)

// RFC 1630's own table of examples, and where its rule as worded disagrees.
func ExampleResolve() {
	for _, form := range []string{"g", "/g", "//g", "../g", "g:h"} {
		r, err := partial.Resolve(bnfcheck.RFC1630, "magic://a/b/c//d/e/f", form)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(form, "\t", r.URI)
		if r.Disagrees() {
			fmt.Print("\tas worded: ", r.AsWorded)
		}
		fmt.Println()
	}
	// Output:
	// g	magic://a/b/c//d/e/g
	// /g	magic://a/g	as worded: magic://a/b/c//d/g
	// //g	magic://g
	// ../g	magic://a/b/c//d/g
	// g:h	g:h
}

// The inverse of Resolve.
func ExampleRelative() {
	form, err := partial.Relative(bnfcheck.RFC1630, "http://host/a/b/c", "http://host/a/b/d")
	fmt.Println(form, err)
	// Output: d <nil>
}
