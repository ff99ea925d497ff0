// Certcheck checks a certificate that the rules of a PEG match exactly what the productions of a
// BNF derive. It shares no code with the program that writes certificates. It does not search:
// each line of a certificate follows from others by one rule, and is looked at once. The format
// and the rules are in docs/certificates.md.
//
//	certcheck [--allow-open] [--allow-invalid-utf8] [--map PRODUCTION=RULE] GRAMMAR PEG CERTIFICATE [PRODUCTION ...]
//
// If PEG is "-", there is no PEG: each production is compared with the table in the certificate.
//
// The exit status is 0 if every line is right and every production (or every production named on
// the command line) equals the rule of its name. It is 1 otherwise, and 2 for wrong usage or a
// file that cannot be read.
//
// In this package x and y are numbers of terms, l is the number of a language, q of a row of the
// table, and b is a byte. A side is "bnf", the grammar, or "peg". "x before l" is the language of
// the words with a prefix that x derives (or, in the PEG, that x consumes when it succeeds) and a
// rest in l.
//
// Begin reading in check.go, which says how a verdict comes about.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
)

// main checks the files that the command line names, prints the report, and ends with the status that the package
// comment states.
func main() {
	ask := request{rules: map[string]string{}}
	addMapping := func(arg string) error {
		production, rule, ok := strings.Cut(arg, "=")
		if !ok {
			return errors.New("expected PRODUCTION=RULE")
		}
		ask.rules[production] = rule
		return nil
	}
	const (
		openUsage    = "allow productions that the certificate leaves open or out"
		invalidUsage = "the parser of the PEG is told AllowInvalidUTF8(true), as for prove --invalid-utf8 allow"
		mapUsage     = "the rule that a production is to equal, as `PRODUCTION=RULE`; may be repeated"
	)
	flag.BoolVar(&ask.allowOpen, "allow-open", false, openUsage)
	flag.Func("map", mapUsage, addMapping)
	flag.BoolVar(&ask.letInvalid, "allow-invalid-utf8", false, invalidUsage)
	flag.Parse()
	if flag.NArg() < 3 {
		exitOnError(2, errors.New("expected GRAMMAR PEG CERTIFICATE [PRODUCTION ...]"))
	}
	var texts [3]string
	for i, file := range flag.Args()[:3] {
		if i == 1 && file == "-" { // an empty text is read in its place, a PEG without rules
			ask.noPEG, file = true, os.DevNull
		}
		text, err := readFile(file, mostRead)
		exitOnError(2, err)
		texts[i] = text
	}
	ask.productions = flag.Args()[3:]
	report, err := check([3]string(flag.Args()), texts, ask)
	fmt.Print(printable(report))
	exitOnError(1, err)
}

// mostRead caps the bytes of a file: a device may have no end.
const mostRead = 128 << 20

// readFile returns the text of a file. It fails if the file has more than so many bytes.
func readFile(name string, most int64) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return "", err
	case int64(len(text)) > most:
		return "", fmt.Errorf("%s: more than %d bytes, the most that is read", name, most)
	}
	return string(text), nil
}

// exitOnError prints err and ends the program with the status; it does nothing if err is nil.
func exitOnError(status int, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, printable("certcheck: "+err.Error()))
		os.Exit(status)
	}
}

// printable replaces each character that does not print, except line feeds, by U+FFFD. A
// certificate could otherwise send commands to the terminal.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' || unicode.IsPrint(c) {
			return c
		}
		return unicode.ReplacementChar
	}, text)
}
