// Data writes what the Rocq files in proof/ are about, as package rocq does for any pair: for a published grammar its productions and
// the rules of its PEG, and the certificate, with the table of the parser in package gen as a program has it.
//
//	data DIR GRAMMAR ...
//
// For rfc1738 the files are DIR/Rfc1738.v and DIR/Rfc1738Certificate.v.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/proof/rocq"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: data DIR GRAMMAR ...")
		os.Exit(2)
	}
	for _, name := range os.Args[2:] {
		if err := write(os.Args[1], name); err != nil {
			fmt.Fprintln(os.Stderr, "data:", err)
			os.Exit(1)
		}
	}
}

func write(dir, name string) error {
	pair, err := catalog.Published(name)
	if err != nil {
		return err
	}
	src := certificate.Source{BNF: pair.BNF, PEG: pair.PEG, Readings: pair.Ledger.Readings}
	for _, g := range bnfcheck.Grammars() {
		if g.Name == name {
			src.Parser = g.Grammar
		}
	}
	from := fmt.Sprintf("%s: grammar/%s.bnf and grammar/%[2]s.peg, written by proof/data", pair.BNF.Title, name)
	files, _, err := rocq.Pair(strings.ToUpper(name[:1])+name[1:], from, src)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
