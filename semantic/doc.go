// Package semantic interprets URLs as the prose of RFC 1630, RFC 1738, and the draft that became it, prescribes, and references as that of
// RFC 3986 does. It begins where syntax ends, with the tree of package ast: it finds the parts of a URL and their defaults, the steps of a client
// that accesses it, the strings that stand for the same URL, and violations of the rules that no BNF can state.
//
//	string --Parse--> *URL --Findings--> []Finding       rules as values, each citing its section
//	  tree --Of----->  |-----Access----> []Step          what a client would send; nothing is ever fetched
//	                   |-----Canonical-> string          one spelling for all URLs that mean the same
//
// Other operations work on text: [Component.Encode] and [Component.Decode], [Resolve] and [Relative] for RFC 1630's partial
// forms, [Extract] for URLs in running text, and [Fix] for the nearest string that a grammar accepts.
//
// RFC 3986 knows no schemes, and its references need not be URLs. They have a type of their own, with what its prose prescribes:
//
//	string --ParseReference--> *Reference --Resolve----> *Reference      section 5.2, strict or backward-compatible
//	  tree --ReferenceOf------>     |-------Normalize--> Normalization   section 6.2, each rung of the ladder apart
//	                                |-------Compare----> Rung            the lowest on which two are equivalent
//	                                |-------Findings---> []Finding       section 7 among others
//	                                |-------URL--------> *url.URL        or what that would lose
//
// [CompareHosts] tells whether two parsers see the same host.
//
// All other texts share one type of URL, so they can be compared. The name of a production, which the texts of a family share
// ([Family]), determines its part in the URL. The prose is data: the tables of sentences in package grammar ([Sentences]). A draft
// needs no code: its rows are those of its rules, and those where it differs from its RFC. Two rules that no RFC has are the
// exception.
//
// To add a rule, write a [Rule] in the file of its scheme (gopher.go) or of its subject (rules_host.go), and name its ID in the
// row of the sentence that states it. The rule takes its section and line from there. Its domain (domain.go) says which URLs it is
// about.
//
// The package imports the standard library and the packages of this module that it reads trees and tables from. It keeps no
// state, and never panics on a tree that a parser returns.
package semantic
