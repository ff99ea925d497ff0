// Command bnfcheck proves that a grammar and a parser accept the same strings, or prints the shortest string on which
// they disagree.
//
//	bnfcheck lint mail.abnf                       what is wrong or surprising in a grammar
//	bnfcheck check mail.abnf someone@example.org  whether it derives a string, or where and why not
//	bnfcheck prove mail.abnf mail.peg             whether a PEG or a regular expression is the grammar
//	bnfcheck generate mail.abnf -o mail           a Go package with a proven parser
//	bnfcheck help                                 all commands
//
// The exit statuses are those of the table in internal/cli/command/status.go. A reader that closes the pipe early ends
// the program quietly, with the exit status of the work done so far.
package main

import "github.com/bnfcheck/bnfcheck/internal/cli/command"

func main() { command.Main() }
