// Package semantic tells what URLs mean: it parses, classifies, resolves, normalizes, compares and builds them,
// exactly as RFC 3986 says, and reads those of the first URL texts, RFC 1630 and RFC 1738, as their prose prescribes.
//
//	r, err := semantic.ParseReference("HTTP://example.com/a/../b?q=1") // any string, or why not, and where
//	if err != nil {
//		return err
//	}
//	fmt.Println(r.SchemeName(), r.Hostname(), r.PathSegments(), r.QueryPairs()) // decoded; r.Scheme, r.Path ... as written
//	fmt.Println(r.Relative(), r.Host.Kind)        // is it relative; is the host a name or an address
//	fmt.Println(r.Normalize())                    // http://example.com/b?q=1
//	ref, _ := semantic.ParseReference("../c?d")
//	abs, _ := r.Resolve(ref)                      // HTTP://example.com/c?d
//	page, _ := abs.JoinPath("e f")                // HTTP://example.com/c/e%20f?d
//	fmt.Println(semantic.Builder{Scheme: "https", Host: "h.example", Path: []string{"a/b"}}.Reference()) // https://h.example/a%2Fb
//	for _, f := range page.Findings() {           // what the RFC warns of
//		fmt.Println(f)
//	}
//
// # References of RFC 3986
//
// RFC 3986 knows no schemes, and its references need not be URLs. A [Reference] is in its components; nothing is
// decoded until it is asked for, and an absent component differs from an empty one.
//
//	string --ParseReference--> *Reference --Resolve----> *Reference      section 5.2, or backward-compatible
//	  tree --ReferenceOf------>     |-------Normalize--> Normalization   section 6.2, each rung of the ladder apart
//	components --[Builder]---->     |-------Compare----> Rung            the lowest on which two are equivalent
//	                                |-------JoinPath---> *Reference      elements encoded, dot segments removed
//	                                |-------Findings---> []Finding       section 7 among others
//	                                |-------URL--------> *url.URL        or what that would lose
//
// # URLs of RFC 1630 and RFC 1738
//
// All other texts share one type of URL, so they can be compared: its parts and their defaults, the steps of a client
// that accesses it, the strings that stand for the same URL, and violations of the rules that no BNF can state. What
// depends on the scheme is in [URL.Specific], of a type that has the scheme's name.
//
//	string --Parse--> *URL --Findings--> []Finding       rules as values, each citing its section
//	  tree --Of----->  |-----Access----> []Step          what a client would send; nothing is ever fetched
//	                   |-----Canonical-> string          one spelling for all URLs that mean the same
//
// [Component.Encode] and [Component.Decode] are for texts in one part of a URL. The rules are data: [Rules].
//
// # What else a program wants of URLs
//
// Package extract finds URLs in running text, fix finds the nearest string that a grammar accepts, and samehost tells
// whether two parsers see the same host. Package partial has RFC 1630's partial forms, and gopherplus the Gopher+
// strings of RFC 1738.
//
// The package imports the standard library and the packages of this module that it reads trees and tables from. It
// keeps no state, and never panics on a tree that a parser returns.
package semantic
