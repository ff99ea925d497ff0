// Package grammar holds the grammars as data: for every text its productions as printed (.bnf), their transcription for
// pigeon (.peg) and the ledger of how they are read (.readings). A text that the others are only held against has its
// productions (.abnf) and its ledger, and no transcription.
package grammar

import "embed"

// Files holds the grammar files, each under its plain name: "rfc1738.bnf".
//
//go:embed *.bnf *.abnf *.peg *.readings
var Files embed.FS
