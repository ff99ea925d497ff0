package gopackage

import (
	"fmt"
	"go/format"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Beginning is a grammar from which a package is to be generated for the first time.
type Beginning struct {
	Name    string        // of the files, without their endings
	Package string        // the name of the package
	Grammar *expr.Grammar // unordered, in ABNF
	Start   string        // the production that Parse derives
	Command string        // the program that go generate runs: "bnfcheck"

	File     string       // the grammar's, relative to the package; "": it is to be written, as NAME.abnf
	Notation bnf.Notation // of the file that is written
	Args     []string     // options of bnfcheck generate by which it is read in that notation
}

// Begin returns the files that bnfcheck init writes: NAME.go with the go:generate line;
// NAME_test.go; and, unless the grammar has a file, NAME.abnf with the productions as they are
// printed, each with its place. The error is about the start, a production that cannot be taken
// out of its text, or a limit of the grammar's budget.
func Begin(b Beginning) (files []File, err error) {
	defer budget.Catch(&err)
	start, err := b.Grammar.Lookup(b.Start)
	if err != nil {
		return nil, err
	}
	if _, err := partFrom(b.Grammar, start.ID); err != nil {
		return nil, err
	}
	startName := start.Name
	if b.File == "" {
		b.File = b.Name + ".abnf"
		grammar, err := b.writeGrammar()
		if err != nil {
			return nil, err
		}
		files = append(files, File{b.File, grammar.text})
		startName = grammar.names[start.ID]
		b.Args = append(b.Args, grammar.args...)
	}
	code := fmt.Sprintf("package %s\n\n//go:generate %s generate%s --package %s%s -o .\n",
		b.Package, b.Command, quoteArgs([]string{b.File + "#" + startName}), b.Package, quoteArgs(b.Args))
	test, err := format.Source(b.testFile(start))
	if err != nil {
		return nil, err
	}
	return append(files, File{b.Name + ".go", []byte(code)}, File{b.Name + "_test.go", test}), nil
}
