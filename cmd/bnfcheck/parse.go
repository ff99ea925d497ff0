package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
)

func newParse(s *streams) *cobra.Command {
	p := &parsing{streams: s}
	cmd := &cobra.Command{
		Use:   "parse [--rfc 1630|1738] [--start PRODUCTION] URL",
		Short: "Print the tree of a URL under each RFC",
		Long: `parse prints how a production derives a string: a tree whose nodes are productions,
with the part of the string that each derives. Without --start that is what the
grammar starts with: url in RFC 1738; in RFC 1630 fragmentaddress, a prefixedurl,
url or uri with an optional fragment. Every production can be a start.

A string that is not derived is explained on standard error, and the exit status
is 1.`,
		Example: `  bnfcheck parse --rfc 1738 'ftp://host.dom/%2Fetc/motd;type=a'
  bnfcheck parse --start hostport host.dom:80
  bnfcheck parse --format json 'gopher://host.dom/11/about%09xyz'`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(_ *cobra.Command, args []string) error { return p.run(args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	p.rfcs = addRFC(cmd)
	flags.StringVar(&p.start, "start", "", "derive the string from `PRODUCTION`: its ID, or its name where only one has it")
	flags.BoolVar(&p.foldScheme, "fold-scheme", false, "treat upper case letters in the scheme as lower case")
	p.format = addChoice(cmd, "format", "how to print", "text", "json")
	flags.IntVar(&p.maxLength, "max-length", bnfcheck.DefaultMaxLength, "refuse strings of more than `N` bytes")
	_ = cmd.RegisterFlagCompletionFunc("start", p.completeProduction)
	return cmd
}

// parsing carries out one parse command.
type parsing struct {
	*streams
	rfcs       *rfcs
	start      string
	foldScheme bool
	format     *choice
	maxLength  int
}

func (p *parsing) run(input string) error {
	if p.maxLength < 1 {
		return fmt.Errorf("invalid argument \"%d\" for \"--max-length\" flag: it must be positive", p.maxLength)
	}
	parsers, err := p.parsers()
	if err != nil {
		return err
	}
	rejected := false
	for i, parser := range parsers {
		tree, err := parser.Parse(input)
		if p.format.value == "json" {
			_, writeErr := p.out.Write(parsedJSON(parser, input, tree, err))
			if writeErr != nil {
				return writeErr
			}
		} else {
			if writeErr := p.writeText(parser, input, tree, err, i, len(parsers)); writeErr != nil {
				return writeErr
			}
		}
		rejected = rejected || err != nil
	}
	if rejected {
		return errNegative
	}
	return nil
}

// parsers gives a parser for each grammar that has the start production.
func (p *parsing) parsers() ([]*bnfcheck.Parser, error) {
	var list []*bnfcheck.Parser
	var problems []error
	for _, g := range *p.rfcs {
		parser := g.Parser()
		parser.FoldScheme, parser.MaxLength = p.foldScheme, p.maxLength
		if p.start != "" {
			kind, err := g.Lookup(p.start)
			switch {
			case err != nil && names(g, p.start) > 1:
				return nil, err
			case err != nil:
				problems = append(problems, err)
				continue
			}
			parser.Start = kind
		}
		list = append(list, parser)
	}
	if len(list) == 0 {
		return nil, oneLine(problems)
	}
	return list, nil
}

// oneLine joins errors by semicolons.
func oneLine(errs []error) error {
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Error()
	}
	return errors.New(strings.Join(texts, "; "))
}

func (p *parsing) writeText(parser *bnfcheck.Parser, input string, tree *ast.Tree, err error, i, n int) error {
	if n > 1 {
		var b []byte
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(p.paint(b, bold, parser.Grammar().Name), '\n')
		if _, err := p.out.Write(b); err != nil {
			return err
		}
	}
	if err == nil {
		_, err = p.out.Write([]byte(tree.String()))
		return err
	}
	if e, ok := errors.AsType[*ast.SyntaxError](err); ok {
		p.complain("%s", excerpt(e, p.width))
	}
	p.complain("%v", err)
	return nil
}

// excerpt shows the place of an error: the input, and a caret below it.
func excerpt(e *ast.SyntaxError, width int) string {
	if width == 0 {
		width = roomy
	}
	text, column := ast.Excerpt(e.Input, e.Offset, width-indent)
	margin := strings.Repeat(" ", indent)
	return margin + text + "\n" + margin + strings.Repeat(" ", column) + "^"
}

// parsedJSON is one line: what ast makes of a tree, or an object of the same form with an error in the tree's place.
func parsedJSON(parser *bnfcheck.Parser, input string, tree *ast.Tree, err error) []byte {
	if err == nil {
		return appendJSON(nil, tree)
	}
	b := appendString([]byte(`{"grammar":`), parser.Grammar().Name)
	b = appendOctets(append(b, ','), "input", input)
	b = append(b, `,"error":`...)
	if e, ok := errors.AsType[*ast.SyntaxError](err); ok {
		b = appendError(b, e)
	} else {
		b = append(appendString(append(b, `{"message":`...), err.Error()), '}')
	}
	return append(b, "}\n"...)
}

// completeProduction offers the productions of the chosen grammars.
func (p *parsing) completeProduction(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return productionIDs(*p.rfcs), cobra.ShellCompDirectiveNoFileComp
}

func productionIDs(list rfcs) []string {
	var ids []string
	seen := map[string]bool{}
	for _, g := range list {
		for _, p := range g.Productions() {
			if !seen[p.ID] {
				seen[p.ID] = true
				ids = append(ids, p.ID)
			}
		}
	}
	return ids
}
