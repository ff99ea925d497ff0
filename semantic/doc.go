// Package semantic says what a URL means under RFC 1630 or RFC 1738. Syntax ends with the tree of package ast; this
// package begins there. It holds what the two RFCs say in prose: the parts of a URL and their defaults, what a client
// does with them, which strings stand for the same URL, and which rules a URL keeps that no BNF can state.
//
//	tree --Of--> *URL --Findings--> []Finding       rules as values, each citing its section
//	              |----Access-----> []Step          what a client would send; nothing is ever fetched
//	              |----Canonical--> string          one spelling for all URLs that mean the same
//
// Beside the typed URL stand the operations that work on text: [Component.Encode] and [Component.Decode], [Resolve]
// and [Relative] for RFC 1630's partial forms, [Extract] for URLs in running text, and [Fix], the nearest string that a
// grammar accepts.
//
// One typed URL serves both RFCs, so that they can be compared. Where they part, the methods follow the RFC whose tree
// the URL was made from ([URL.RFC]); a later text of one family (draft-ietf-uri-url-06) reads as its family does. Which
// sentence of either text became what is listed by [Sentences].
//
// The package imports the standard library and package ast alone, keeps no state, and never panics on any tree that a
// parser gives.
package semantic
