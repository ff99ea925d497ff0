package gopackage

import (
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Beginning describes a package that is to be generated for the first time.
type Beginning struct {
	Name    string        // of the files, without their endings
	Package string        // the name of the package
	Grammar *expr.Grammar // unordered, in ABNF
	Start   string        // the production that Parse derives

	File     string       // the grammar's, relative to the package; "": it is to be written, as NAME.abnf
	Notation bnf.Notation // of the file that is written
	Args     []string     // options of bnfcheck generate for reading it in that notation
}

// A Draft has the parts of a new package that do not depend on the language.
type Draft struct {
	Files    []File   // NAME.abnf with the productions as they are printed, each with its place; or none
	Args     []string // of bnfcheck generate: the grammar with its start, --package, and how it is read
	Examples Examples
}

// Draft returns the draft of a package. b.Package and, without b.File, b.Name must be set: both go into the arguments.
// Draft fails if there is no such start, with a [*bnf.MissingError] if the start uses a name without a production, if
// the start derives nothing, if a production cannot be taken out of its text, or if a limit of the grammar's budget is
// passed. The examples have a budget of their own: if that is passed there are fewer.
func (b Beginning) Draft() (d *Draft, err error) {
	defer budget.Catch(&err)
	start, err := b.Grammar.Lookup(b.Start)
	if err != nil {
		return nil, err
	}
	if err := bnf.CheckMissing(b.Grammar, start.ID); err != nil {
		return nil, err
	}
	if err := checkDerives(b.Grammar, start); err != nil {
		return nil, err
	}
	d = &Draft{Args: []string{b.File + "#" + start.Name, "--package", b.Package}}
	if b.File == "" {
		grammar, err := b.writeGrammar()
		if err != nil {
			return nil, err
		}
		name := b.Name + ".abnf"
		d.Files = []File{{name, grammar.text}}
		d.Args[0] = name + "#" + grammar.names[start.ID]
		b.Args = slices.Concat(b.Args, grammar.args) // of this copy of b
	}
	d.Args = append(d.Args, b.Args...)
	d.Examples = b.findExamples(start)
	return d, nil
}

// Begin returns the first files of a Go package in a folder: those of the [Draft]; NAME.go, with a line for go
// generate; and NAME_test.go. If b.Package is not set, it is the name of the package that is in the folder or, if
// there is none, chosen by ChoosePackage. NAME is b.Name or, if that is not set, the name of the package, or generate
// if a generated file has that name. Begin also returns the commands that a person is to run there next, up to go
// test. It writes nothing. It fails for a name that a package or its files cannot have, if the first Go file in the
// folder is not Go, and where Draft fails.
func Begin(folder string, b Beginning) (files []File, steps []string, err error) {
	if b.Package == "" {
		if b.Package, err = packageIn(folder); err != nil {
			return nil, nil, err
		}
	}
	if err := b.ChoosePackage(folder); err != nil {
		return nil, nil, err
	}
	usual := b.Package
	if slices.Contains(Files, usual+".go") || slices.Contains(Files, usual+"_test.go") {
		usual = "generate"
	}
	if err := b.ChooseName(usual); err != nil {
		return nil, nil, err
	}
	command, steps := b.chooseCommand(folder)
	d, err := b.Draft()
	if err != nil {
		return nil, nil, err
	}
	code := fmt.Sprintf("package %s\n\n%s", b.Package, generateLine(command, d.Args))
	test, err := format.Source(writeExamples(b.Package, d.Examples))
	if err != nil {
		return nil, nil, err
	}
	return append(d.Files, File{b.Name + ".go", []byte(code)}, File{b.Name + "_test.go", test}), steps, nil
}

// generateLine returns the go:generate line that runs bnfcheck generate by a command, with these arguments. No shell
// reads the line. Go generate itself takes quoted strings of Go as arguments, and replaces the names of variables after
// a dollar sign, in quoted strings too. So a dollar sign in an argument is written as the variable that holds one.
func generateLine(command string, args []string) string {
	var words []string
	for _, a := range args {
		words = append(words, strings.ReplaceAll(a, "$", "${DOLLAR}"))
	}
	return fmt.Sprintf("//go:generate %s generate%s -o .\n", command, quoteArgs(words))
}

// checkDerives returns an error if a start derives no string: a package for it would refuse every input. The
// error names the production to blame: the first, from the start on, that cannot end since each way through it uses it
// again, or else the start.
func checkDerives(g *expr.Grammar, start *expr.Rule) error {
	facts := expr.Analyze(g.Rules)
	if facts.Derives(expr.To(start.ID)) {
		return nil
	}
	usesItself := expr.Circles(g.Rules, expr.Refs)
	for _, id := range g.Reach(start.ID) {
		r := g.Rule(id)
		if r == nil || facts.Derives(expr.To(id)) || usesItself[id] == nil {
			continue
		}
		because := ""
		if r != start {
			because = fmt.Sprintf(", nor does `%s`, which uses it", start.Name)
		}
		return expr.Refusef(r.Pos, "`%s` derives no string, since each way through it uses it again%s; "+
			"where this is no production, leave its line out with --lines", r.Name, because)
	}
	return expr.Refusef(start.Pos, "`%s` derives no string", start.Name)
}
