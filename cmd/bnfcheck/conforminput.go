package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/conform"
	"github.com/bnfcheck/bnfcheck/internal/vectors"
)

// subject gives who judges, and what is asked about.
func (c *conforming) subject(names []string) (judges []conform.Judge, inputs []string, err error) {
	production := ""
	for _, name := range names {
		if !c.rfcs.hasScheme(name) {
			production = name
		}
	}
	fromFiles := c.suite != "" || len(c.files) > 0
	switch {
	case production != "" && len(names) > 1:
		return nil, nil, fmt.Errorf("%s is no scheme: several schemes or one production", ast.Quote(production))
	case production != "":
		if judges, inputs, err = conform.ByProduction(production, *c.rfcs...); err != nil {
			return nil, nil, fmt.Errorf("%s is no scheme, and %w", ast.Quote(production), err)
		}
	case fromFiles && len(names) > 0:
		return nil, nil, errors.New("--suite and --file cannot be used together with schemes")
	default:
		for _, g := range *c.rfcs {
			judges = append(judges, conform.Judge{Grammar: g})
		}
	}
	switch {
	case fromFiles:
		inputs, err = c.fromFiles()
	case production == "":
		inputs, err = conform.Cover(names...)
	}
	return judges, inputs, err
}

func (r *rfcs) hasScheme(name string) bool {
	for _, g := range bnfcheck.Grammars() {
		if _, ok := g.Scheme(name); ok {
			return true
		}
	}
	return false
}

var errNothingToAsk = errors.New("there is no string to ask about")

// fromFiles reads the strings that --suite and --file name.
func (c *conforming) fromFiles() (inputs []string, err error) {
	if c.suite == "-" && slices.Contains(c.files, "-") {
		return nil, errors.New("standard input can be read only once")
	}
	if c.suite != "" {
		list, err := check.OpenFiles([]string{c.suite}, c.in)
		if err != nil {
			return nil, err
		}
		defer list.Close()
		if inputs, err = vectors.ReadInputs(list[0].Title(), list[0].Reader); err != nil {
			return nil, suiteError(err)
		}
	}
	list, err := check.OpenFiles(c.files, c.in)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	if len(list) > 0 {
		lines, err := readLines(list)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, lines...)
	}
	if len(inputs) == 0 {
		return nil, &inputError{errNothingToAsk}
	}
	return inputs, nil
}

// readLines reads the URLs of lists, as check reads them.
func readLines(list check.Sources) (urls []string, err error) {
	in := &check.Input{Sources: list, Limit: bnfcheck.DefaultMaxLength}
	b := &check.Batch{}
	for more := true; more; {
		more = in.Next(b)
		for l := range b.Lines(in.Limit) {
			if l.Length > in.Limit {
				return nil, &inputError{fmt.Errorf("%s:%d: %d bytes, and the longest URL has %d", l.Source.Title(), l.Number, l.Length, in.Limit)}
			}
			urls = append(urls, l.Text)
		}
	}
	return urls, in.Cause
}

// suiteError returns an error of [vectors.ReadInputs] as one of the input.
func suiteError(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return err
	}
	return &inputError{err}
}
