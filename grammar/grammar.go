// Package grammar holds the grammars as data: for every text its productions as printed (.bnf), their transcription for
// pigeon (.peg) and the ledger of how they are read (.readings). A text that the others are only compared with has its
// productions (.reference) and its ledger, but no transcription. The printed URLs of a text (.printed), the sentences of its prose
// (.sentences) and its claims about its own grammar (.claims) are tables, each embedded by itself: a program that reads one
// does not link the others.
package grammar

import "embed"

// Files holds the grammar files, each under its plain name: "rfc1738.bnf".
//
//go:embed *.bnf *.reference *.peg *.readings *.claims
var Files embed.FS

// Names holds the productions of the RFCs whose names others take, names/rfc9110.abnf for one, and names/index, which lists them.
//
//go:embed names
var Names embed.FS
