// Package semantic says what a URL means under RFC 1630, RFC 1738, or the draft that became it. Syntax ends with the
// tree of package ast; this package begins there. It holds what the two RFCs say in prose: the parts of a URL and their
// defaults, what a client does with them, which strings stand for the same URL, and which rules a URL keeps that no BNF
// can state.
//
//	tree --Of--> *URL --Findings--> []Finding       rules as values, each citing its section
//	              |----Access-----> []Step          what a client would send; nothing is ever fetched
//	              |----Canonical--> string          one spelling for all URLs that mean the same
//
// Beside the typed URL stand the operations that work on text: [Component.Encode] and [Component.Decode], [Resolve]
// and [Relative] for RFC 1630's partial forms, [Extract] for URLs in running text, and [Fix], the nearest string that a
// grammar accepts.
//
// One typed URL serves all texts, so that they can be compared. What a production is to it follows from the
// production's name, which the texts of a family share ([Family]); what a text says in prose stands in one table
// ([Sentences]), each row with what it became. A draft is described by the rows in which it parts from its RFC and
// those of its rules: nothing else here knows its name but the two rules that no RFC has.
//
// Beside the packages of this module that give trees, it imports the standard library alone. It keeps no state, and never
// panics on any tree that a parser gives.
package semantic
