package gopackage

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// A Record tells how a package was made. It stands in the comment lines of grammar.go, or of the module in
// another language.
type Record struct {
	Language string // of the package; "" for Go
	Format   int
	Args     []string // of bnfcheck generate, run in the folder of the package
	Inputs   []Recorded

	Inside      bool   // the general parser has code inside
	Certificate string // hash of the certificate of the PEG, in hexadecimal digits; "" if there is none
}

// A Recorded is an input of a package, as it was when the package was made.
type Recorded struct {
	Path string // relative to the folder of the package, with slashes
	Sum  string // of its text: see [Sum]
}

// Sum returns the SHA-256 of a text in hexadecimal digits, the form in which records hold it.
func Sum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// ReadRecord reads the record in the text of grammar.go, up to its package clause, or in that of a module of another
// language. It ignores lines that it does not know, and those with other words than it knows, so that it can read a
// record of a later format. Of several lines that say the same, inputs apart, the last counts. It fails if a number or
// a quoted string cannot be read, be it in a line that it does not know, or if there is no record; the Record then has
// what was read before.
func ReadRecord(text []byte) (Record, error) {
	r := Record{Format: -1}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "package ") {
			break
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "//bnfcheck:"), " ")
		if !ok || !strings.HasPrefix(line, "//bnfcheck:") {
			continue
		}
		args, err := splitArgs(value)
		switch {
		case key == "language":
			r.Language = value
		case key == "format":
			r.Format, err = strconv.Atoi(value)
		case key == "generate" && err == nil:
			r.Args = args
		case key == "input" && err == nil && len(args) == 3:
			r.Inputs = append(r.Inputs, Recorded{args[0], args[2]})
		case key == "certificate" && err == nil && len(args) == 2 && args[0] == "sha256":
			r.Certificate = args[1]
		case key == "proven", key == "assumed": // in a module of another language, or in a package before format 4
			r.Inside = r.Inside || strings.HasPrefix(value, bnftogo.SaysInside)
			err = nil // these lines are sentences and no arguments
		}
		if err != nil {
			return r, fmt.Errorf("cannot read %q: %w", strings.TrimSpace(line), err)
		}
	}
	if r.Format < 0 {
		return r, errors.New("no line //bnfcheck:format")
	}
	return r, nil
}

// quoteArgs returns arguments for a record or a go:generate line, each as quoteArg has it and with a space before it.
func quoteArgs(args []string) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(" " + quoteArg(a))
	}
	return b.String()
}

// quoteArg returns an argument as a word of a record or a go:generate line. It is a quoted string of Go if it is empty,
// or has a space, a quote of any kind, a backslash, a dollar sign, or a character that is not printable ASCII. Other
// signs stay bare: no shell reads these lines.
func quoteArg(a string) string {
	needsQuotes := func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("\"\\$`'", r)
	}
	if a == "" || strings.ContainsFunc(a, needsQuotes) {
		return strconv.Quote(a)
	}
	return a
}

// splitArgs is the inverse of quoteArgs. An argument that does not begin with a double quote ends at the next space.
// splitArgs fails if a quoted string does not end, or is not one of Go.
func splitArgs(line string) (args []string, err error) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " ") {
		if line[0] != '"' {
			var a string
			a, line, _ = strings.Cut(line, " ")
			args = append(args, a)
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, err
		}
		a, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		line = line[len(quoted):]
	}
	return args, nil
}

// ChangedChoices describes the differences between the entries of two lock files, one a line: first the new and
// changed ones in the order of is, then those that are gone in that of was. Entries are compared by ID. If a file
// cannot be read, the only line is the error; if no entry differs, the only line has again, a clause on how the
// package is made again.
func ChangedChoices(was, is []byte, again string) (list []string) {
	old, err := bnf.ParseReadings(LockName, was)
	if err != nil {
		return []string{err.Error()}
	}
	now, err := bnf.ParseReadings(LockName, is)
	if err != nil {
		return []string{err.Error()}
	}
	find := func(in []bnf.Reading, id string) (bnf.Reading, bool) {
		for _, r := range in {
			if r.ID == id {
				return r, true
			}
		}
		return bnf.Reading{}, false
	}
	// New and changed entries in the order of the new file, then those that are gone.
	for _, r := range now {
		before, ok := find(old, r.ID)
		switch {
		case !ok:
			list = append(list, fmt.Sprintf("%s: a choice that it does not have: %s: %s",
				LockName, r.ID, r.ReadAs))
		case before.String() != r.String():
			list = append(list, fmt.Sprintf("%s: the choice %s has changed: %s; it was %s",
				LockName, r.ID, r.ReadAs, before.ReadAs))
		}
	}
	for _, r := range old {
		if _, ok := find(now, r.ID); !ok {
			list = append(list, fmt.Sprintf("%s: the choice %s is none any more", LockName, r.ID))
		}
	}
	if len(list) == 0 {
		list = []string{LockName + " is not what its grammar makes: " + again}
	}
	return list
}
