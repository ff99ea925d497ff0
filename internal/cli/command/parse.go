package command

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/spf13/cobra"
)

// newParse returns the command parse, which prints the tree of a URL, or of a string under any grammar.
func newParse(s *streams) *cobra.Command {
	p := &parsing{streams: s}
	cmd := &cobra.Command{
		Use:   "parse [GRAMMAR] STRING|-f FILE|-",
		Short: "Print the tree of a URL or of a string under any grammar",
		Long: `parse prints how a production derives a string: a tree whose nodes are productions,
with the part of the string that each derives. Without a GRAMMAR it is the start of each
RFC: url in RFC 1738; fragmentaddress in RFC 1630, which is a prefixedurl, url or uri
with an optional fragment. Every production can be a start, as rfc1738#hostport.

--typed prints the meaning of a URL instead of its tree: its parts by the names that
the RFC gives them, the octets that they stand for, and the defaults.

The tree is built by the parser that programs import. --engine pigeon selects the one
that pigeon generates from the same .peg file; --trace first prints how its rules were
tried, each with the text that it matched, or "no"; "?" marks a lookahead.

The string is an argument, or all that a FILE or, for "-", standard input holds: every
byte of it, line ends too. After -- a "-" is the string. Files whose names end in .gz or .zst are
decompressed. Of a rejected file the line with the error is shown.

With a GRAMMAR the string is derived by its production. Of several derivations it is the
first one: depth first, the first printed alternative, then one more
iteration, wherever the whole string can still be derived, and no empty iteration.
Productions that derive single characters are no nodes.

If a string is not derived, the reason is printed on standard error.`,
		Example: `  bnfcheck parse --rfc 1738 'ftp://host.dom/%2Fetc/motd;type=a'
  bnfcheck parse rfc1738#hostport host.dom:80
  bnfcheck parse --format json 'gopher://host.dom/11/about%09xyz'
  bnfcheck parse uri.abnf#URI http://example.com/
  bnfcheck parse json.abnf -f config.json
  curl -s http://example.com/calendar.ics | bnfcheck parse rfc5545.abnf -`,
		Args:              p.takesOne,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.naming.withStrings(cmd, args, p.run)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&p.files, "file", "f", nil, "parse all that `FILE` holds, - for standard input")
	p.rfcs = addRFC(cmd)
	p.naming = addGrammar(s, cmd)
	flags.BoolVar(&p.typed, "typed", false, "print the typed URL instead of the tree")
	p.engine = addChoice(cmd, "engine", "parser to use", "fast", "pigeon")
	flags.BoolVar(&p.trace, "trace", false, "with --engine pigeon: show how the rules were tried")
	flags.BoolVar(&p.foldScheme, "fold-scheme", false, "treat upper case letters in the scheme as lower case")
	p.format = addChoice(cmd, "format", "how to print", "text", "json")
	addMaxLength(cmd, &p.maxLength, "strings")
	cmd.MarkFlagsMutuallyExclusive("grammar", "rfc")
	return cmd
}

// parsing carries out one parse command.
type parsing struct {
	*streams
	rfcs       *rfcs
	naming     *naming
	files      []string // the value of --file, and in run "-" for an argument that is standard input
	start      string   // the ID of a production of a published grammar; "" for the start of each
	typed      bool
	engine     *choice
	trace      bool
	foldScheme bool
	format     *choice
	maxLength  int
}

// takesOne wants one string: an argument or a file.
func (p *parsing) takesOne(_ *cobra.Command, args []string) error {
	if n := len(args) + len(p.files); n != 1 {
		return fmt.Errorf("parse takes one string or one file, and got %d", n)
	}
	return nil
}

// readInput returns the string to parse, from the argument or all that the file holds. It sets p.files to "-" if the
// argument stands for standard input. A file above --max-length is an *ast.TooLongError; an argument is not measured
// here. It also fails if the grammar is read from standard input as well.
func (p *parsing) readInput(args []string) (string, error) {
	args, p.files = splitDashes(p.naming.cmd, args, p.files)
	if len(args) > 0 {
		return args[0], nil
	}
	if err := p.naming.refuseSharedStdin(p.files); err != nil {
		return "", err
	}
	list, err := p.openFiles(p.files)
	if err != nil {
		return "", err
	}
	defer list.Close()
	in := &check.Input{Sources: list, Limit: p.maxLength, Whole: true}
	batch := &check.Batch{}
	in.Next(batch)
	for line := range batch.Lines(p.maxLength) { // the file as one, or none if reading failed
		if line.Length > p.maxLength {
			return "", &ast.TooLongError{Limit: p.maxLength, Length: line.Length}
		}
		return line.Text, nil
	}
	return "", in.Cause
}

// run parses the input with each grammar, and prints the trees or the errors. A published grammar that --grammar
// names replaces *p.rfcs, and the production that is meant becomes p.start; any other is left to parseByGrammar. It
// fails with errNegative if a grammar rejects the input, and for flags that exclude each other.
func (p *parsing) run(args []string) error {
	if err := atLeast("max-length", p.maxLength, 1); err != nil {
		return err
	}
	switch {
	case p.trace && p.engine.value != "pigeon":
		return errors.New("--trace is for --engine pigeon")
	case p.trace && p.format.value == "json":
		return errors.New("--trace is text, and cannot be used with --format json")
	}
	input, err := p.readInput(args)
	if err != nil {
		return err
	}
	if name := p.naming.grammar; name != "" {
		o, r, err := p.naming.start(name)
		if err != nil {
			return err
		}
		if published.Of(o) == nil {
			return p.parseByGrammar(o, input)
		}
		*p.rfcs, p.start = rfcs{published.Of(o)}, r.ID
	}
	parsers, err := p.parsers()
	if err != nil {
		return err
	}
	for i, parser := range parsers {
		tree, err := parser.Parse(input)
		var traced []byte
		if _, tooLong := errors.AsType[*ast.TooLongError](err); p.engine.value == "pigeon" && !tooLong {
			var fatal error
			if traced, tree, err, fatal = p.byPigeon(parser, tree, err); fatal != nil {
				return fatal
			}
		}
		if err != nil {
			p.earned = errNegative // a limit is an error of p.result
		}
		b, err := p.result(parser.Grammar().Name, input, tree, err, nil)
		if err != nil {
			return err
		}
		b = append(traced, b...)
		if p.format.value == "text" && len(parsers) > 1 {
			var heading []byte
			if i > 0 {
				heading = append(heading, '\n')
			}
			heading = append(p.Paint(heading, layout.Bold, parser.Grammar().Name), '\n')
			b = append(heading, b...)
		}
		if _, err := p.out.Write(b); err != nil {
			return err
		}
	}
	return p.earned
}

// parseByGrammar prints the tree of a string under a user's grammar. Flags that only the generated parsers have are
// refused. It fails with errNegative if the grammar rejects the string, and as undecided if the parser passes a limit.
func (p *parsing) parseByGrammar(o *catalog.Opened, input string) error {
	switch {
	case p.typed || p.foldScheme || p.engine.value != "fast":
		return fmt.Errorf("--typed, --fold-scheme and --engine are for RFCs with a parser, which %s is not",
			o.Grammar.Title)
	case len(input) > p.maxLength:
		return &ast.TooLongError{Limit: p.maxLength, Length: len(input)}
	}
	parser, err := anygrammar.New(o)
	if err != nil {
		return classifyNameError(err)
	}
	tree, err := parser.Parse(input)
	switch {
	case errors.Is(err, interpreter.ErrTooLarge):
		return p.naming.undecided(err)
	case err != nil:
		p.earned = errNegative
	default:
		if err := p.checkTextOf(tree); err != nil {
			return p.naming.undecided(err)
		}
	}
	b, err := p.result(parser.Grammar.Name, input, tree, err, parser)
	if err == nil {
		_, err = p.out.Write(b)
	}
	return cmp.Or(err, p.earned)
}

// checkTextOf fails if what is printed of a tree takes more than half of --limit-memory: each node has its text, so
// that 100,000 brackets in each other have gigabytes.
func (p *parsing) checkTextOf(tree *ast.Tree) error {
	b, err := p.naming.budget()
	if err != nil {
		return err
	}
	const perNode, perLevel = 64, 2
	size := int64(0)
	for depth, n := range tree.Root().All() {
		size += int64(n.End() - n.Start() + perLevel*depth + perNode)
	}
	if size > b.MaxBytes()/2 {
		return fmt.Errorf("%w: the tree has about %d MB of text, and may have %d; --limit-memory raises the limit",
			budget.ErrTooLarge, size>>20, b.MaxBytes()/2>>20)
	}
	return nil
}

// byPigeon parses again by pigeon's parser what the fast parser has parsed, with --fold-scheme already applied. fast
// and rejection are the result of the fast parser, which must have looked at the input. tree and err are pigeon's
// result, where the message of err is the fast parser's; traced is the text for --trace, nil without it; fatal is any
// failure other than a rejection.
func (p *parsing) byPigeon(
	parser *bnfcheck.Parser, fast *ast.Tree, rejection error,
) (traced []byte, tree *ast.Tree, err, fatal error) {
	g := parser.Grammar()
	start := cmp.Or(parser.Start, g.Default)
	var input string
	if e, ok := errors.AsType[*ast.SyntaxError](rejection); ok {
		input = e.Input
	} else {
		input = fast.Source
	}
	pair, err := catalog.PublishedPair(g.Name)
	if err != nil {
		return nil, nil, nil, &inputError{err}
	}
	id := g.Production(start).ID
	if p.trace {
		traced = append(peg.Traced(pair.PEG, id, input).AppendText(nil, &p.Screen, input), '\n')
	}
	for _, engine := range pair.Parsers {
		if engine.Name == p.engine.value {
			if tree, err = engine.Parse(id, input); err != nil { // pigeon's own message says little
				err = g.Rejection(start, input)
			}
			return traced, tree, err, nil
		}
	}
	return nil, nil, nil, fmt.Errorf("%s has no parser %s", g.Name, p.engine.value)
}

// result returns the output for one grammar: the tree, or with --typed the URL. For a rejection, err, it
// complains and returns nothing, or returns an object of JSON. by has the words for a rejection under a
// user's grammar, nil for published ones.
func (p *parsing) result(grammar, input string, tree *ast.Tree, err error, by check.Production) ([]byte, error) {
	asJSON := p.format.value == "json"
	switch {
	case err != nil && asJSON:
		return render.AppendRejection(nil, grammar, input, err, by), nil
	case err != nil:
		if e, ok := errors.AsType[*ast.SyntaxError](err); ok {
			caret := render.Caret
			if len(p.files) > 0 {
				caret = render.LineCaret
			}
			p.complain("%s", caret(e, p.Width))
		}
		if by != nil {
			err = errors.New(by.Message(err))
		}
		p.complain("%v", err)
		return nil, nil
	case !p.typed && asJSON:
		return render.TreeJSON(tree), nil
	case !p.typed:
		return []byte(tree.String()), nil
	}
	// --typed: a tree of RFC 3986 is a reference, and one of an older text a URL.
	if r, err := semantic.ReferenceOf(tree); err == nil {
		if asJSON {
			return render.JSON(nil, r), nil
		}
		return []byte(r.Table()), nil
	}
	u, err := new(semantic.Reader).OfWritten(tree, input)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--typed: %s derives no URLs", tree.Root().Name())
	case asJSON:
		return render.JSON(nil, u), nil
	}
	return []byte(u.Table()), nil
}

// parsers returns a parser for each chosen grammar, with p.start as its start if that is set. It fails if a grammar has
// no such production.
func (p *parsing) parsers() ([]*bnfcheck.Parser, error) {
	var list []*bnfcheck.Parser
	for _, g := range *p.rfcs {
		parser := g.Parser()
		parser.FoldScheme, parser.MaxLength = p.foldScheme, p.maxLength
		if p.start != "" {
			kind, err := g.Lookup(p.start)
			if err != nil {
				return nil, err
			}
			parser.Start = kind
		}
		list = append(list, parser)
	}
	return list, nil
}

// checkKnown returns an error if none of the grammars has a production of a name, or one has several of that name. The
// error ends with the hint or, if that is "", with the names that are near.
func (r *rfcs) checkKnown(name, hint string) error {
	var problems []error
	for _, g := range *r {
		if _, err := g.Lookup(name); err != nil {
			problems = append(problems, err)
			if countNamed(g, name) > 1 {
				return err
			}
		}
	}
	switch {
	case len(problems) < len(*r):
		return nil
	case hint != "":
		return fmt.Errorf("%w; %s", oneLine(problems), hint)
	}
	return didYouMean(oneLine(problems), name, r.productions)
}

// oneLine joins the texts of errors by semicolons. The types of the errors are lost.
func oneLine(errs []error) error {
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Error()
	}
	return errors.New(strings.Join(texts, "; "))
}
