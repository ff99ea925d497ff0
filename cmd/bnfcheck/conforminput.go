package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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
		if inputs, err = readSuite(list[0].Title(), list[0].Reader); err != nil {
			return nil, err
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

// readSuite reads the inputs of vectors that were written as lines or as lines of JSON.
func readSuite(name string, r io.Reader) (inputs []string, err error) {
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, &ioError{name, err}
		}
		line := bytes.TrimRight(text, "\r\n")
		if len(line) > 0 && line[0] != '#' {
			input, ok, bad := readVector(line)
			if bad != nil {
				return nil, &inputError{fmt.Errorf("%s:%d: %w", name, number, bad)}
			}
			if ok {
				inputs = append(inputs, input)
			}
		}
		if err == io.EOF {
			return inputs, nil
		}
	}
}

// readVector reads one vector; it is not ok for a header.
func readVector(line []byte) (input string, ok bool, err error) {
	if line[0] != '{' {
		signs, rest, found := strings.Cut(string(line), " ")
		if !found || signs == "" || strings.Trim(signs, "+-") != "" {
			return "", false, errors.New(`not a vector: expected "+" or "-" for each RFC, a space, and a string`)
		}
		input, err = vectors.Unescape(rest)
		return input, true, err
	}
	var v struct {
		Header json.RawMessage
		Input  *string
		Base64 []byte
	}
	if err := json.Unmarshal(line, &v); err != nil {
		return "", false, err
	}
	switch {
	case v.Input != nil:
		return *v.Input, true, nil
	case v.Base64 != nil:
		return string(v.Base64), true, nil
	case v.Header != nil:
		return "", false, nil
	}
	return "", false, errors.New("neither input nor base64")
}
