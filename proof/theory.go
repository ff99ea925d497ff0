// Package proof holds the theory in which Rocq proves what a certificate states.
package proof

import "embed"

// Names are the files of the theory, each behind those that it needs.
var Names = []string{
	"Grammar.v", "Notations.v", "Theory.v", "Normal.v", "Automaton.v", "Lines.v", "Checker.v", "Sound.v",
	"Table.v", "Reader.v", "Total.v",
}

// Theory has these files.
//
//go:embed Grammar.v Notations.v Theory.v Normal.v Automaton.v Lines.v Checker.v Sound.v Table.v Reader.v Total.v
var Theory embed.FS
