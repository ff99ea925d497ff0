package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/adapters"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

// newConform returns the command conform, which compares other parsers with a grammar.
func newConform(s *streams) *cobra.Command {
	c := &conforming{streams: s}
	cmd := &cobra.Command{
		Use:   "conform [GRAMMAR | SCHEME ... | PRODUCTION] [flags] -- COMMAND [ARGUMENT ...]",
		Short: "Compare other parsers with a grammar",
		Long: `conform asks a program about many strings of a GRAMMAR, and reports where the two differ,
in groups: strings of which a component differs, strings that only the program accepts,
and strings that only the grammar derives. Each group has its shortest string and the
line of the grammar.

The program is the command behind --. With --each-line it reads a string a line, and
prints yes or no for each; with --each-line=exit it is started for each string, and
exits with 0 or 1. Otherwise it reads questions and writes answers, one JSON object a
line:

  {"id":7,"input":"http://h/"}
  {"id":7,"base64":"..."}            if it is not UTF-8
  {"id":7,"accepted":true,"components":{"scheme":"http","host":"h"}}

"accepted" is true, false or null (undecided). The components are the first texts of the
productions that --component names, and the program reports them by these names; an
absent one is null. A program that hangs, crashes or writes something else is restarted.

The strings kill every mutant of the grammar, as the part mutants of bnfcheck vectors
does, and, unless it is built in, have one more character at each place; simple ones
come to those. --file asks about the lines of a list instead, the empty one and those
with # too; of a list of URLs, such lines are skipped unless they are references. --suite
asks about the vectors that bnfcheck vectors or learn wrote as lines or jsonl; their
verdicts are ignored. - is standard input. A parser that also checks what a string means refuses
most of such strings; --base makes them of one that it accepts.

Without a file the RFCs judge. The names of schemes, http, ask about their URLs, each
judged by the production of the scheme that it begins with; one that the RFC accepts as
a URL of a scheme that was not asked for is left out. The name of a PRODUCTION instead
(hostport, ftpurl) asks about its strings. The components of URLs are scheme, userinfo
(or user and password), host, port, path, query (or search) and fragment. As everywhere,
rfc3986 is its first production, URI; rfc3986#URI-reference has the relative ones too.
--rfc 3986 asks about references, or about URIs if no parser has a form for relative
ones (curl, java-url, node-url, tcl-uri). --write-up N prints disagreement #N as a report for the
parser's maintainer.`,
		Example: `  bnfcheck conform --each-line date.abnf#date -- \
    awk '{ print /^[0-9-]+$/ ? "yes" : "no" }'
  bnfcheck conform --each-line=exit -j 2 date.abnf#date -- \
    grep -Eqx '[0-9-]+'
  bnfcheck conform --component host uri.abnf#URI -- ./mine
  bnfcheck conform --suite http.jsonl --against mine=./mine -- ./theirs
  bnfcheck vectors rfc1738#hostport |
    bnfcheck conform rfc1738#hostport --suite - -- ./hostport
  bnfcheck conform rfc3986 -- node adapters/node-url-parse.js
  bnfcheck conform rfc3986 --adapter uriparser --write-up 1
  bnfcheck conform --builtin net/url --adapter python-urllib -j 2 http`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				return c.run(args[:at], args[at:])
			}
			return c.run(args, nil)
		},
	}
	flags := cmd.Flags()
	c.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = beforeDash(words(c.rfcs.schemes, c.rfcs.productions))
	c.naming = addNaming(s, cmd)
	c.components = addComponents(cmd)
	flags.StringArrayVar(&c.bases, "base", nil,
		"with a GRAMMAR: ask about `STRING` and those one edit away from it, in place of what kills mutants; may be "+
			"repeated")
	flags.StringVar(&c.suite, "suite", "", "ask about the vectors in `FILE`, - for standard input")
	flags.StringArrayVarP(&c.files, "file", "f", nil,
		"ask about the lines of `FILE`, - for standard input; may be repeated")
	flags.StringArrayVar(&c.against, "against", nil,
		"another parser, as `NAME=COMMAND`, split at spaces; may be repeated")
	flags.StringArrayVar(&c.adapters, "adapter", nil,
		"the parser behind the adapter `NAME`, if it is installed; may be repeated")
	c.builtin = addBuiltin(cmd)
	c.eachLine = &choice{"", []string{eachPrints, eachExit}}
	flags.Var(c.eachLine, "each-line",
		"the command after -- reads a string a line, and `HOW` it answers: print (yes or no, a line each) or exit (0 "+
			"or 1, one string each)")
	flags.Lookup("each-line").NoOptDefVal = eachPrints
	c.pool = addPool(cmd)
	flags.IntVar(&c.writeUp, "write-up", 0,
		"print disagreement number `N` of the text as a report for the parser's maintainer")
	flags.IntVar(&c.most, "most", 10, "show at most `N` groups of a kind as text, 0 for all")
	c.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	return cmd
}

// The values of --each-line.
const (
	eachPrints = "print"
	eachExit   = "exit"
)

// netURL is the name of the one parser that is built in.
const netURL = "net/url"

// addBuiltin adds the flag --builtin.
func addBuiltin(cmd *cobra.Command) *choice {
	return (&choice{"", []string{netURL}}).add(cmd, "builtin", "a parser in this program: `net/url`")
}

// A pool is the flags for running commands.
type pool struct {
	workers          int
	timeout, startup time.Duration
}

// addPool adds the flags -j, --timeout and --startup.
func addPool(cmd *cobra.Command) *pool {
	p := &pool{}
	cmd.Flags().IntVarP(&p.workers, "jobs", "j", 1, "run each command `N` times side by side")
	cmd.Flags().DurationVar(&p.timeout, "timeout", 5*time.Second, "wait this `DURATION` for an answer")
	cmd.Flags().DurationVar(&p.startup, "startup", 30*time.Second, "wait this `DURATION` for a program's first answer")
	return p
}

// options returns the options that the flags set. It fails if a value is not positive.
func (p *pool) options() (o conform.Options, err error) {
	if err = cmp.Or(atLeast("jobs", p.workers, 1), atLeast("startup", p.startup, 1),
		atLeast("timeout", p.timeout, 1)); err != nil {
		return o, err
	}
	return conform.Options{Workers: p.workers, Timeout: p.timeout, Startup: p.startup}, nil
}

// conforming carries out one conform command.
type conforming struct {
	*streams
	rfcs       *rfcs
	naming     *naming
	components *[]string
	suite      string
	files      []string
	bases      []string
	against    []string
	adapters   []string
	builtin    *choice
	lines      []string // the command of --each-line
	eachLine   *choice  // how a command answers that does not know the protocol; "" if it does
	pool       *pool
	most       int
	writeUp    int
	// the argument is a published grammar, no scheme or production: set by chooseSubject
	operand bool
	command bool                  // a command is given after --
	abouts  map[string]maintained // by name of a parser: set by prepareCommands
	format  *choice

	named []string // the components that a program may report; nil for those of URLs
	cut   string   // says which strings near those of --base are not asked about; "" if all are: set by chooseSubject
}

// run asks the parsers about the strings that names, files and bases give, and prints where they disagree with the
// grammars. argv is a command after "--". Adapters are built before the first string is asked about, and commands are
// closed in any case. c.earned becomes the verdict, unless it was worse, and is returned if nothing fails and
// c.writeUp is 0. As text nothing is printed if all parsers were given up before any answer. If run is interrupted,
// it prints no report, and fails with errInterrupted.
func (c *conforming) run(names, argv []string) error {
	if err := cmp.Or(atLeast("most", c.most, 0), atLeast("write-up", c.writeUp, 0)); err != nil {
		return err
	}
	o, err := c.pool.options()
	if err != nil {
		return err
	}
	c.command = len(argv) > 0
	// Said before the strings are made, which takes seconds.
	if c.eachLine.value != "" && (!c.command || c.writeUp > 0) {
		return errors.New("--each-line is for a command after --, and without --write-up")
	}
	config := conform.Config{}
	making := &conform.Making{Progress: c.preparing()}
	if config.Judges, config.Inputs, err = c.chooseSubject(names, making); err != nil {
		return err
	}
	config.Cut = c.cut
	if c.suite == "" && len(c.files) == 0 && len(c.bases) == 0 {
		config.Mutants = &making.Mutants
	}
	ctx, stop := untilStopped() // not before all is read, for a signal does not end a read
	defer stop()
	dir, remove, err := atomicfile.Folder()
	if err != nil {
		return &ioError{"temporary folder", err}
	}
	defer remove()
	if config.Judges[0].Named != nil {
		c.named = config.Judges[0].Names()
	}
	// The command after -- speaks the protocol, or else answers a line each: then it is no conform.Command.
	inProtocol := argv
	if c.eachLine.value != "" {
		inProtocol = nil
	}
	commands, err := c.prepareCommands(ctx, dir, inProtocol, o)
	defer func() {
		for _, command := range commands {
			command.Close()
		}
	}()
	if err != nil {
		return err
	}
	if c.builtin.value != "" {
		config.Implementations = append(config.Implementations, conform.NetURL())
	}
	for _, command := range commands {
		config.Implementations = append(config.Implementations, command)
	}
	if c.eachLine.value != "" {
		lines, err := conform.NewLines(conform.CommandName(argv), argv, c.eachLine.value == eachExit, o)
		if err != nil {
			return &inputError{err}
		}
		// In front, where the command stands without --each-line, too.
		config.Implementations = append([]conform.Implementation{lines}, config.Implementations...)
		c.lines = argv
	}
	if len(config.Implementations) == 0 {
		return errNoParser
	}
	bar := c.newLine()
	wait := c.newWait(c.pool)
	config.Progress = func(name string, done, total int) {
		wait.Progress(name, done)
		c.alive()
		bar.Show("%s: %d of %d strings", name, done, total)
	}
	r, err := conform.Run(ctx, config)
	wait.End()
	bar.End()
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case err != nil:
		return &inputError{err}
	}
	r.Repeat(c.repeat)
	c.earned = worse(verdictOf(r), c.earned)
	if r.Mute() && c.format.value == "text" {
		return c.earned
	}
	if c.writeUp > 0 {
		return c.printWriteUp(ctx, config, r)
	}
	return cmp.Or(c.print(r), c.earned)
}

// maintained has the parts of a write-up about a parser that do not depend on the string: all but the program
// that shows the disagreement.
type maintained struct {
	about   conform.About
	adapter *adapters.Adapter
	argv    []string // of a command in the protocol
}

// printWriteUp prints disagreement number c.writeUp as a report for the parser's maintainer, and fails with an
// inputError if there are fewer. Unlike the whole report it does not end with c.earned: a disagreement was asked for.
// For an adapter it builds and runs a program that shows it. r must be the report of config, so that its parser and
// its judge are found there.
func (c *conforming) printWriteUp(ctx context.Context, config conform.Config, r *conform.Report) error {
	comparison, group, err := r.Group(c.writeUp)
	if err != nil {
		return &inputError{err}
	}
	var of conform.Implementation
	for _, im := range config.Implementations {
		if im.Name() == comparison.Implementation {
			of = im
		}
	}
	var judge conform.Judge
	for _, j := range config.Judges {
		if j.Grammar.Name == comparison.Grammar {
			judge = j
		}
	}
	m, input := c.abouts[comparison.Implementation], string(group.Shortest)
	switch {
	case m.adapter != nil:
		dir, remove, err := atomicfile.Folder()
		if err != nil {
			return &ioError{"temporary folder", err}
		}
		defer remove()
		m.about.Language, m.about.Program = m.adapter.Program.Language, m.adapter.Program.For(input)
		m.about.Output, _ = m.adapter.Try(ctx, dir, input) // a program that fails reports that in its output
	case comparison.Implementation == netURL:
		m.about.Language, m.about.Program = adapters.NetURL.Language, adapters.NetURL.For(input)
	case m.argv != nil:
		m.about.Language, m.about.Program = "sh", conform.ShellProgram(m.argv, input)
	}
	u, err := conform.NewWriteUp(ctx, of, judge, comparison, group, m.about)
	if err != nil {
		return &inputError{err}
	}
	return u.Write(c.out)
}

var errNoParser = errors.New("no parser: give a command after --, or --adapter NAME, or --builtin net/url")

// repeat returns a line of code or of a shell that repeats the question to the parser of this name. An adapter comes
// first, then net/url, and then a command that speaks the protocol. A parser that has no entry in c.abouts is taken
// for the command of --each-line.
func (c *conforming) repeat(implementation, input string) string {
	switch m := c.abouts[implementation]; {
	case m.adapter != nil:
		return m.adapter.Program.Line(input)
	case implementation == netURL:
		return "fmt.Println(url.Parse(" + strconv.Quote(input) + "))"
	case m.argv != nil:
		return strings.TrimSpace(conform.ShellProgram(m.argv, input))
	case c.eachLine.value == eachExit:
		return conform.ShellLine(c.lines, input) + "; echo $?"
	}
	return conform.ShellLine(c.lines, input)
}

// verdictOf returns the error that stands for a report's exit status: an inputError for a parser that gave up, since
// the rest of its answers is missing; or else errNegative for a difference; or else errOpen for what was not decided.
func verdictOf(r *conform.Report) error {
	for _, o := range r.Implementations {
		if o.GaveUp != "" {
			return &inputError{errors.New(o.GaveUp)}
		}
	}
	switch {
	case r.Differs():
		return errNegative
	case len(r.Gaps()) > 0:
		return errOpen
	}
	return nil
}

// print prints the report in the format that was asked for; as text with at most c.most groups of a kind.
func (c *conforming) print(r *conform.Report) error {
	switch {
	case c.format.isDocument():
		return results.Write(c.out, c.format.value, r.Results())
	case c.format.value == "json":
		return c.write(render.JSON(nil, r))
	}
	return r.WriteText(c.out, c.most)
}

// prepareCommands prepares all programs that are to be asked, by o: argv, if it is not empty, those of --against, and
// the adapters, which are built in dir. It sets c.abouts. Two programs with one name are an error. With an error it
// also returns those that are prepared already, for the caller to close.
func (c *conforming) prepareCommands(
	ctx context.Context, dir string, argv []string, o conform.Options,
) (list []*conform.Command, err error) {
	o.Named = c.named
	names := map[string]bool{}
	c.abouts = map[string]maintained{netURL: {about: conform.About{
		Parser: "Go, net/url", Version: runtime.Version(), From: "the package's documentation",
		Claim: "This package generally follows RFC 3986, except where it deviates for compatibility reasons.",
	}}}
	add := func(name string, argv []string) error {
		if names[name] {
			return fmt.Errorf("two parsers named %q: give another name with --against NAME=COMMAND", name)
		}
		names[name] = true
		command, err := conform.NewCommand(name, argv, o)
		if err != nil {
			return &inputError{err}
		}
		list = append(list, command)
		c.abouts[command.Name()] = maintained{argv: argv}
		return nil
	}
	if len(argv) > 0 {
		if err := add(conform.CommandName(argv), argv); err != nil {
			return list, err
		}
	}
	for _, a := range c.against {
		name, command, ok := strings.Cut(a, "=")
		if words := strings.Fields(command); !ok || name == "" || len(words) == 0 {
			return list, fmt.Errorf("invalid argument %q for \"--against\" flag: expected NAME=COMMAND", a)
		} else if err := add(name, words); err != nil {
			return list, err
		}
	}
	for _, name := range c.adapters {
		argv, version, err := prepare(ctx, name, filepath.Join(dir, name))
		if err != nil {
			return list, err
		}
		if err := add(name, argv); err != nil {
			return list, err
		}
		a, _ := adapters.Find(name) // prepare found it
		c.abouts[name] = maintained{adapter: &a, about: conform.About{
			Parser: a.Parser, Version: version, Claim: a.Claim, From: a.From,
		}}
	}
	return list, nil
}

// prepare builds an adapter in a folder, and returns the command that runs it and the version of its parser. It fails
// if there is no adapter of this name, and with an inputError if it cannot be built.
func prepare(ctx context.Context, name, dir string) (argv []string, version string, err error) {
	a, err := adapters.Find(name)
	if err != nil {
		return nil, "", err
	}
	if argv, version, err = a.Prepare(ctx, dir); err != nil {
		return nil, "", &inputError{err}
	}
	return argv, version, nil
}

// chooseSubject returns the grammars that judge, and the strings that are asked about. names are schemes, one
// production or one grammar; without any, the RFCs judge URLs of all schemes. RFC 3986 then judges references, but
// URIs alone if it was named as the grammar, or if no parser has a form for relative references. A published grammar
// replaces *c.rfcs, and sets c.operand; a production of a file may set c.cut: see judgeByFile. making gets the
// mutants of the strings that are made. It fails for a name that is none of these, and for flags that do not go with
// it.
func (c *conforming) chooseSubject(
	names []string, making *conform.Making,
) (judges []conform.Judge, inputs []string, err error) {
	if len(names) == 1 && c.naming.isOperand(names[0]) {
		o, err := c.naming.open(names[0])
		if err != nil {
			return nil, nil, err
		}
		if published.Of(o) == nil {
			return c.judgeByFile(names[0], making)
		}
		*c.rfcs, names = rfcs{published.Of(o)}, nil
		if o.Asked != "" {
			names = []string{o.Asked}
		}
		c.operand = true
	}
	if len(*c.components) > 0 {
		return nil, nil, errors.New("--component is for a production of a file: those of URLs are known")
	}
	// Names are schemes, as many as one likes, or one production.
	production := ""
	for _, name := range names {
		if !c.rfcs.hasScheme(name) {
			production = name
		}
	}
	if len(c.bases) > 0 {
		return nil, nil, errors.New("--base is for a production of a file: name one, FILE#RULE")
	}
	fromFiles := c.suite != "" || len(c.files) > 0
	switch {
	case production != "" && len(names) > 1:
		return nil, nil, fmt.Errorf("%s is not a scheme: name several schemes, or one production; the command to run "+
			"stands behind --",
			ast.Quote(production))
	case production != "":
		if judges, inputs, err = conform.ByProduction(production, making, published.Texts(*c.rfcs)...); err != nil {
			return nil, nil, fmt.Errorf("%s is not a scheme, and %w", ast.Quote(production), err)
		}
	case fromFiles && len(names) > 0:
		return nil, nil, errors.New("--suite and --file cannot be used together with schemes")
	default:
		for _, g := range *c.rfcs {
			j := conform.Judge{Grammar: g.Grammar, Schemes: names}
			if g == bnfcheck.RFC3986 && (c.operand || c.onlyAbsolute()) {
				j = conform.References(published.References(), true)
			}
			judges = append(judges, j)
		}
	}
	switch {
	case fromFiles:
		inputs, err = c.fromFiles(production != "" || c.onlyReferences())
	case production == "":
		inputs, err = conform.Cover(judges, making, names...)
	}
	return judges, inputs, err
}

// preparing returns a function that shows how far the making of a suite is, once that has taken two seconds. Each call
// is also a sign of life for the watch. The line that it shows ends only when done equals total.
func (c *conforming) preparing() func(done, total int) {
	line, start := c.newLine(), time.Now()
	return func(done, total int) {
		c.alive()
		if done == total {
			line.End()
		} else if time.Since(start) > 2*time.Second {
			line.Show("making the strings: %d of %d mutants", done, total)
		}
	}
}

// judgeByFile returns the one judge that is a production of a user's grammar, and the strings that are asked about:
// from files, near those of --base, or a suite that kills mutants. It sets c.cut if --base has more neighbors than are
// asked about. It refuses a PEG.
func (c *conforming) judgeByFile(
	name string, making *conform.Making,
) (judges []conform.Judge, inputs []string, err error) {
	err = c.naming.withSubject(name, *c.components, func(s *vectors.Subject, p *anygrammar.Parser) (err error) {
		if s.Model != nil {
			return fmt.Errorf("%s is a PEG, which conform does not judge by: name the grammar that it transcribes",
				name)
		}
		judges = []conform.Judge{{Grammar: s.Grammar, Production: s.Production, Named: s.Named,
			File: p.Place(nil).File}}
		switch {
		case c.suite != "" || len(c.files) > 0: // the strings are read below
		case len(c.bases) > 0:
			inputs, c.cut = conform.StringsNear(s, c.bases)
		default:
			inputs, err = conform.Strings(s, making)
		}
		return err
	})
	if err == nil && (c.suite != "" || len(c.files) > 0) {
		inputs, err = c.fromFiles(true)
	}
	return judges, inputs, err
}

// hasScheme reports whether a name is that of a scheme in any published grammar, chosen or not, so that a scheme is
// never taken for the name of a production.
func (r *rfcs) hasScheme(name string) bool {
	return slices.ContainsFunc(bnfcheck.Grammars(),
		func(g *bnfcheck.Grammar) bool { _, ok := g.Scheme(name); return ok })
}

var errNothingToAsk = errors.New("there is no string to ask about")

// fromFiles reads the strings that --suite and --file name. Lines that are too long are left out, and so are blank ones
// and comments, unless every line is a string; standard error says how many. For those that are too long, c.earned
// becomes errPartly. It is an error if no string is left.
func (c *conforming) fromFiles(every bool) (inputs []string, err error) {
	if c.suite == "-" && slices.Contains(c.files, "-") {
		return nil, errors.New("standard input can be read only once")
	}
	// The vectors of a suite are asked about as they are; only lines of files may be comments.
	if c.suite != "" {
		list, err := c.openFiles([]string{c.suite})
		if err != nil {
			return nil, err
		}
		defer list.Close()
		list.Bound(check.MaxRead)
		if inputs, err = vectors.ReadInputs(list[0].Title(), list[0].Reader); err != nil {
			return nil, asInput(err)
		}
	}
	list, err := c.openFiles(c.files)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	list.Bound(check.MaxRead)
	lines, tooLong, skipped, err := list.ReadAll(bnfcheck.DefaultMaxLength, every)
	if err != nil {
		return nil, asInput(err)
	}
	if tooLong > 0 {
		fmt.Fprintf(c.err, "bnfcheck: %s of more than %d bytes left out\n", layout.Plural(tooLong, "line"),
			bnfcheck.DefaultMaxLength)
		c.earned = errPartly
	}
	if skipped > 0 {
		fmt.Fprintf(c.err, "bnfcheck: %s skipped, blank or comments\n", layout.Plural(skipped, "line"))
	}
	inputs = append(inputs, lines...)
	if len(inputs) == 0 {
		return nil, &inputError{errNothingToAsk}
	}
	return inputs, nil
}

// onlyAbsolute reports whether all parsers that are asked are adapters known to have no form for a relative reference.
// It is false if any other parser takes part.
func (c *conforming) onlyAbsolute() bool {
	if len(c.adapters) == 0 || c.builtin.value != "" || len(c.against) > 0 || c.command {
		return false
	}
	return !slices.ContainsFunc(c.adapters, func(name string) bool {
		a, err := adapters.Find(name)
		return err != nil || !a.Absolute
	})
}

// onlyReferences reports whether RFC 3986 is the only text that judges. Lines of files are then references, and the
// empty line and one that begins with "#" are none to be skipped.
func (c *conforming) onlyReferences() bool {
	return !slices.ContainsFunc(*c.rfcs, func(g *bnfcheck.Grammar) bool { return g != bnfcheck.RFC3986 })
}

// asInput makes an error one of the input's text, an inputError, unless it is one of reading a file.
func asInput(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return err
	}
	return &inputError{err}
}
