// Certcheck checks a certificate that the rules of a PEG are the productions of a BNF. It shares no code with the program that
// writes certificates. It does not search: each line of a certificate follows from others by one rule, and is looked at once.
// The format and the rules are in docs/certificates.md.
//
//	certcheck [--allow-open] [--map PRODUCTION=RULE] GRAMMAR PEG CERTIFICATE [PRODUCTION ...]
//
// Where PEG is -, there is none, and each production is to be what the table in the certificate accepts.
//
// The exit status is 0 if every line is right and every production, or every one that is named, equals the rule of its name; 1
// otherwise; 2 for wrong usage.
//
// Begin at [check], which says how a verdict comes about.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"unicode"
)

func main() {
	ask := request{rules: map[string]string{}}
	flag.BoolVar(&ask.open, "allow-open", false, "allow productions that the certificate leaves open or out")
	flag.Func("map", "the rule that a production is to equal, as `PRODUCTION=RULE`; may be repeated", func(arg string) error {
		production, rule, ok := strings.Cut(arg, "=")
		if !ok {
			return errors.New("expected PRODUCTION=RULE")
		}
		ask.rules[production] = rule
		return nil
	})
	flag.Parse()
	if flag.NArg() < 3 {
		exit(2, errors.New("expected GRAMMAR PEG CERTIFICATE [PRODUCTION ...]"))
	}
	var texts [3]string
	for i, file := range flag.Args()[:3] {
		if i == 1 && file == "-" {
			ask.alone, file = true, os.DevNull
		}
		text, err := os.ReadFile(file)
		exit(2, err)
		texts[i] = string(text)
	}
	ask.productions = flag.Args()[3:]
	report, err := check([3]string(flag.Args()), texts, ask)
	fmt.Print(printable(report))
	exit(1, err)
}

// exit ends the program with a status if there is an error.
func exit(status int, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, printable("certcheck: "+err.Error()))
		os.Exit(status)
	}
}

// printable returns a text without what a terminal could take as a command.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' || unicode.IsPrint(c) {
			return c
		}
		return unicode.ReplacementChar
	}, text)
}
