package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// naming is the flags that say how a file with a grammar is read, wherever a command takes the name of one.
type naming struct {
	*streams
	*notating
	kind        *choice
	match       *choice
	unicode     string // the version that the engine of a regular expression has, "" for the usual one
	definitions []string
	standIns    *choice         // what names without a production stand for; nil for a command without the flag
	vouched     bool            // the code in a PEG only returns values
	invalid     *choice         // what a PEG makes of bytes that are not UTF-8
	version     catalog.Version // of the grammars that are built in
	grammar     string          // the value of --grammar, or the operand
	operands    int             // how many arguments name the grammar, 0 or 1

	opened map[string]*catalog.Opened
	silent bool // openBy tells nothing of how a grammar is read, but for white space with --tokens and the start
}

// notating is the flags that say how the ABNF in a file is read.
type notating struct {
	values, lists *choice
	lines         bnf.Lines
	imports       []string
	readings      string
	tokens        bool // EBNF is a grammar of tokens
	pass          string
	keywords      *choice
	unnamed       bool // names that RFCs take from each other are not supplied
	maxSize       int
	nesting       int // noNesting if no depth was asked for
	limiting
}

// addNotating adds these flags to cmd, and returns their values.
func addNotating(s *streams, cmd *cobra.Command) *notating {
	n := &notating{}
	flags := cmd.Flags()
	flags.StringArrayVar(&n.imports, "import", nil,
		"where to find names that the ABNF does not define: a FILE, a FOLDER of files, rfc3986, or `NAME=FILE#RULE` "+
			"for one name; may be repeated")
	flags.StringVar(&n.readings, "readings", "",
		"read productions as the ledger in `FILE` has them, which holds known errata, for one")
	flags.BoolVar(&n.unnamed, "no-standard-names", false,
		"do not take names that are found nowhere else, such as token, from the RFCs that other RFCs take them from")
	n.values = (&choice{bnf.AutoValues.String(), bnf.ValuesNames}).add(cmd, "values",
		"what %x80 means in ABNF: octets, code-points, or auto, which is code points if any value is above 255")
	n.lists = (&choice{bnf.Sender.String(), bnf.ListsNames}).add(cmd, "lists", "what 1#element means in ABNF: "+
		"what a sender may send or a recipient must take by RFC 7230, or what RFC 2616 has")
	flags.Var(&linesFlag{&n.lines}, "lines",
		"read only these `LINES` of the file as ABNF, as 2750-2812, or all but these, as !100-120; may be repeated")
	flags.IntVar(&n.maxSize, "max-grammar-size", bnf.DefaultMaxSize, "refuse a grammar of more than `N` bytes")
	flags.IntVar(&n.nesting, "nesting", noNesting,
		"read what nests to a depth of `N` re-entries, where it takes an automaton")
	flags.Lookup("nesting").DefValue = "0" // none: nothing is shown
	for _, name := range []string{"import", "readings", "no-standard-names", "values", "lists", "lines",
		"max-grammar-size", "nesting"} {
		_ = flags.SetAnnotation(name, everywhere, nil)
	}
	flags.BoolVar(&n.tokens, "tokens", false,
		"read W3C's EBNF as a grammar of tokens: names in capitals, those behind @terminals and quoted strings are "+
			"terminals, a terminal is the longest, and between two what @pass says may stand")
	flags.StringVar(&n.pass, "pass", "",
		"what may stand between terminals with --tokens, as an `EXPRESSION` of EBNF, where the file has no @pass")
	n.keywords = (&choice{bnf.ExactKeywords.String(), bnf.KeywordsNames}).add(cmd, "keywords",
		"which quoted strings match either case with --tokens: none, those in double quotes, or those of two "+
			"letters or more")
	for _, name := range []string{"tokens", "pass", "keywords"} {
		_ = flags.SetAnnotation(name, everywhere, nil)
	}
	n.limiting.add(s, cmd)
	return n
}

// everywhere marks flags that mean the same in every command that has them.
const everywhere = "everywhere"

// linesFlag is the value of --lines.
type linesFlag struct{ *bnf.Lines }

func (linesFlag) Type() string { return "string" }

// noNesting is the value of --nesting where it is not given.
const noNesting = math.MinInt

// depth returns the value of --nesting, nil if it was not given. It fails for a negative one.
func (n *notating) depth() (*int, error) {
	switch {
	case n.nesting == noNesting:
		return nil, nil
	case n.nesting < 0:
		return nil, atLeast("nesting", n.nesting, 0)
	}
	return &n.nesting, nil
}

// apply sets in o what the flags say, the budget of the command among it, and reads the files of --readings and
// --import. It fails for a value of a flag that it cannot have, for --pass and --keywords without --tokens, and for a
// file that cannot be read.
func (n *notating) apply(o *bnf.Notation) error {
	var err error
	if o.Values, err = bnf.ParseValues(n.values.value); err != nil {
		return err
	}
	if o.Lists, err = bnf.ParseLists(n.lists.value); err != nil {
		return err
	}
	if n.maxSize < 1 {
		return fmt.Errorf("invalid argument \"%d\" for \"--max-grammar-size\" flag: expected a number of bytes",
			n.maxSize)
	}
	if o.Budget, err = n.budget(); err != nil {
		return err
	}
	if o.Keywords, err = bnf.ParseKeywords(n.keywords.value); err != nil {
		return err
	}
	if !n.tokens && (n.pass != "" || o.Keywords != bnf.ExactKeywords) {
		return errors.New("--pass and --keywords are for --tokens")
	}
	o.Lines, o.MaxSize, o.StandardNames, o.Pass = n.lines, n.maxSize, !n.unnamed, n.pass
	if o.Readings, err = catalog.Readings(n.readings, n.maxSize); err != nil {
		return classifyNameError(err)
	}
	o.Imports, err = catalog.Imports(n.imports, n.maxSize)
	return classifyNameError(err)
}

// addNaming adds to cmd the flags that say how a grammar is named and read, and returns their values.
func addNaming(s *streams, cmd *cobra.Command) *naming {
	n := &naming{streams: s}
	n.add(cmd)
	return n
}

// addGrammar is addNaming for a command that takes a production of any grammar as the flag --grammar. It wraps
// cmd.Args, which must be set, so that the operand of the grammar is taken from the arguments first.
func addGrammar(s *streams, cmd *cobra.Command) *naming {
	n := &naming{streams: s}
	cmd.Flags().StringVarP(&n.grammar, "grammar", "g", "",
		"the grammar, as `FILE#RULE`, where it is not the first argument")
	n.add(cmd)
	valid := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		n.take(cmd, args)
		return valid(cmd, args[n.operands:])
	}
	return n
}

// take sets n.operands to 1 and the flag --grammar to the first argument if that is the grammar: a name of one, after
// which a string or a file of strings follows, where no other flag says what judges. Otherwise it does nothing.
func (n *naming) take(cmd *cobra.Command, args []string) {
	files := cmd.Flag("file")
	switch {
	case len(args) == 0 || cmd.ArgsLenAtDash() == 0 || cmd.Flags().Changed("grammar") || cmd.Flags().Changed("rfc"):
		// There is no argument that could be the grammar, or a flag names it.
	case len(args) == 1 && (files == nil || !files.Changed):
		// The one argument is the string.
	case catalog.IsGrammar(args[0], catalog.Options{}):
		n.operands = 1
		_ = cmd.Flags().Set("grammar", args[0]) // takes any value
	}
}

// withStrings calls run with the arguments that are strings: all, or all after the grammar. A string before "--" that
// may have been meant as a file or an expression is a complaint; a grammar alone is an error, for there is no string
// to judge.
func (n *naming) withStrings(cmd *cobra.Command, args []string, run func([]string) error) error {
	args = args[n.operands:]
	for i, arg := range args {
		if dash := cmd.ArgsLenAtDash(); dash >= 0 && i+n.operands >= dash {
			break
		}
		if arg == "-" { // standard input, also where a file has that name
			continue
		}
		file, _ := catalog.Split(arg)
		_, told := catalog.KindOf(file)
		info, err := os.Stat(file)
		isFile := err == nil && info.Mode().IsRegular()
		switch {
		case (isFile && told || catalog.IsBuilt(arg)) && len(args) == 1 && n.grammar == "" &&
			!cmd.Flags().Changed("rfc"):
			return fmt.Errorf("%s is a grammar, and the string is missing: bnfcheck %s %s STRING; to judge it as a "+
				"string, write -- in front",
				arg, cmd.Name(), arg)
		case isFile && told && n.grammar == "":
			n.complain("bnfcheck: %s is a string here, and also a file with a grammar, which is named first: "+
				"bnfcheck %s "+
				"%s STRING",
				arg, cmd.Name(), arg)
		case isFile && cmd.Flag("file") != nil:
			n.complain("bnfcheck: %s is a string here, and also a file, which -f %s reads", arg, arg)
		case err == nil || !told || cmd.Flags().Changed("rfc") || n.grammar != "":
			// Nothing suggests that another thing than the string was meant.
		case catalog.IsGrammar(arg, catalog.Options{}):
			n.complain("bnfcheck: %s is a string here: there is no such file", arg)
		}
		if i == 0 && len(args) > 1 && n.grammar == "" && anchored.MatchString(arg) {
			n.complain("bnfcheck: %s is a string here; %s", layout.Printable(arg), flavored(arg))
		}
	}
	return run(args)
}

// add adds the flags to a command.
func (n *naming) add(cmd *cobra.Command) {
	n.notating = addNotating(n.streams, cmd)
	n.kind = &choice{"", nil}
	for _, notation := range catalog.Notations {
		n.kind.words = append(n.kind.words, string(notation.Kind))
	}
	flags := cmd.Flags()
	n.kind.add(cmd, "kind", "what a file holds, if its name does not show it: "+strings.Join(n.kind.words, ", "))
	n.match = addChoice(cmd, "match", "what a regular expression stands for: the strings in which there is a "+
		"match, search, or those that are one, full", "search", "full")
	flags.StringVar(&n.unicode, "unicode", "",
		"the `VERSION` of Unicode that the engine of a regular expression has, as 14 or 15.1, where it is not that of "+
			"the engine named for the flavor")
	flags.StringArrayVar(&n.definitions, "define", nil,
		"define a name that the file does not, as `NAME=EXPRESSION` in the notation of the file; may be repeated")
	flags.BoolVar(&n.vouched, "assume-actions-succeed", false,
		"assume that the code in a PEG does nothing but return values")
	n.invalid = addChoice(cmd, "invalid-utf8", "what a parser of pigeon does with bytes that are not UTF-8: an "+
		"error, as by default, or AllowInvalidUTF8(true)", "reject", "allow")
	for _, name := range []string{"kind", "match", "unicode", "define", "assume-actions-succeed", "invalid-utf8"} {
		_ = flags.SetAnnotation(name, everywhere, nil)
	}
}

// addStandIns adds the flag --define-missing, for the commands that make a package: what they make states each
// stand-in, which the answer of another command would not.
func (n *naming) addStandIns(cmd *cobra.Command) {
	n.standIns = &choice{"", []string{"any"}}
	n.standIns.add(cmd, "define-missing", "what stands for each name without a production, and for prose: any, "+
		"which is "+bnf.StandIn)
}

// options returns the options of package catalog that the flags stand for. It has the effects of apply, and sets the
// budget of the grammars that are built in only if a limit was asked for. It fails for a flag with a wrong value, and
// if a file of --readings or --import cannot be read.
func (n *naming) options() (catalog.Options, error) {
	o := catalog.Usual
	o.Kind, o.Stdin, o.Version = catalog.Kind(n.kind.value), n.in, n.version
	if err := n.apply(&o.Notation); err != nil {
		return o, err
	}
	o.Version.Budget, _ = n.askedBudget()
	if n.match.value == "full" {
		o.Match = regex.Full
	}
	var err error
	if n.unicode != "" {
		if o.Unicode, err = runes.UnicodeOf(n.unicode); err != nil {
			return o, err
		}
	}
	o.Tokens = n.tokens
	if o.Nesting, err = n.depth(); err != nil {
		return o, err
	}
	o.PEG.Budget = o.Notation.Budget
	o.Notation.DefineMissing = n.standIns != nil && n.standIns.value == "any"
	definitions, err := equations(n.definitions, "define", "NAME=EXPRESSION")
	return catalog.FileOptions{Define: definitions, ActionsSucceed: n.vouched,
		InvalidUTF8: n.invalid.value == "allow"}.Options(o), err
}

// isOperand reports whether a name is that of a grammar, and not of a production or a scheme.
func (n *naming) isOperand(name string) bool {
	return catalog.IsOperand(name, catalog.Options{Kind: catalog.Kind(n.kind.value)})
}

// meant is start for commands that only show the production: names in it may have no production.
func (n *naming) meant(name string) (*catalog.Opened, *expr.Rule, error) {
	g, err := n.open(name)
	if err != nil {
		return nil, nil, err
	}
	r, err := g.Meant()
	return g, r, classifyNameError(err)
}

// open opens the grammar that a person names. What is opened stays in n.opened, so that a name, "-" among them, is read
// only once. Errors are classified, and complaints tell what was assumed: see openBy.
func (n *naming) open(name string) (*catalog.Opened, error) {
	if g := n.opened[name]; g != nil { // standard input can be read only once
		return g, nil
	}
	o, err := n.options()
	if err != nil {
		return nil, err
	}
	return n.openBy(name, o)
}

// openBy opens a grammar with other options than those of the flags, and does not look into n.opened, but puts the
// result there. Complaints tell which names it takes from built-in grammars, what was left out, what can be read in
// two ways, what is assumed about white space, and which version of Unicode it relies on; g.Tell complains later of a
// start that is assumed. n.silent suppresses most of them. The lines of its text are kept for later messages. It
// fails with an openError for an expression that is refused, as tellTokens does, and otherwise with what
// classifyNameError returns; where the name looks like an expression without its flavor, the error says how that is
// written.
func (n *naming) openBy(name string, o catalog.Options) (*catalog.Opened, error) {
	g, err := catalog.Open(name, o)
	if e, ok := errors.AsType[*expr.Error](err); catalog.IsRegexp(name) && ok && e.Refused {
		return nil, &openError{err}
	}
	_, unknown := errors.AsType[*catalog.UnknownError](err)
	switch {
	case likeExpression(name) && (errors.Is(err, fs.ErrNotExist) || unknown && !catalog.IsBuilt(name)):
		return nil, fmt.Errorf("there is no file %s; %s", layout.Printable(name), flavored(name))
	case err != nil:
		return nil, classifyNameError(err)
	}
	n.tellTaken(g)
	n.tellLeftOut(g)
	n.tellTwoWays(g)
	if err := n.tellTokens(g); err != nil {
		return nil, err
	}
	n.tellUnicode(g)
	g.Tell = func(start string) { n.complain("bnfcheck: %s", start) }
	if n.opened == nil {
		n.opened = map[string]*catalog.Opened{}
	}
	n.opened[name] = g
	n.keepText(g.File, g.Text)
	return g, nil
}

// likeExpression reports whether a name has a character that is frequent in regular expressions, and rare in the names
// of files and productions.
func likeExpression(name string) bool { return strings.ContainsAny(name, `^$\[](){}*?|`) }

// anchored matches the beginning of a text that is hardly anything but a regular expression, with or without the name
// of an unknown flavor.
var anchored = regexp.MustCompile(`^([A-Za-z]+:)?/?\^`)

// flavored returns half a sentence that tells how to write name, a regular expression, with its flavor. Before the
// expression stands no flavor, or an unknown one, which is dropped.
func flavored(name string) string {
	if flavor, rest, ok := strings.Cut(name, ":"); ok && !likeExpression(flavor) {
		name = rest
	}
	return fmt.Sprintf("a regular expression has its flavor in front (%s): 'js:%s'",
		strings.Join(regex.Flavors(), ", "), layout.Printable(name))
}

// tellTaken complains of the names that a grammar takes from built-in ones, as far as the production that is meant
// needs them, and of its stand-ins. If no single production is meant, it names all that are taken and no stand-in.
// For lint and prove it is silent on what is taken: they say so in their results.
func (n *naming) tellTaken(g *catalog.Opened) {
	if n.silent {
		return
	}
	var ids []string
	if r, err := g.Meant(); err == nil {
		ids = g.Grammar.Reach(r.ID)
	}
	n.tellStandIns(g, ids)
	for _, notice := range g.Notices {
		needed := func(id string) bool { r := g.Grammar.Rule(id); return r != nil && r.Pos.File == notice.Taken }
		if notice.Taken != "" && n.cmd.Name() != "lint" && n.cmd.Name() != "prove" &&
			(ids == nil || slices.ContainsFunc(ids, needed)) {
			n.complain("bnfcheck: %s", notice)
		}
	}
}

// tellLeftOut complains of parts of a file that look like grammar and are not read: of at most five, and of
// their number. For lint and grammars it is silent: they say so in their results.
func (n *naming) tellLeftOut(g *catalog.Opened) {
	left := g.LeftOut()
	if n.silent || len(left) == 0 || n.cmd.Name() == "lint" || n.cmd.Name() == "grammars" {
		return
	}
	const most = 5
	for _, notice := range left[:min(most, len(left))] {
		n.complain("bnfcheck: %s", notice)
	}
	n.complain("bnfcheck: %s: %s that %s like grammar %s not read", g.File, layout.Plural(len(left), "part"),
		layout.Agree(len(left), "looks", "look"), layout.Agree(len(left), "is", "are"))
}

// tellTwoWays complains of the first place that can be read in two ways, and says how many more there are. Only places
// that the production that is meant needs count. For lint and grammars it is silent: their results have all such
// places.
func (n *naming) tellTwoWays(g *catalog.Opened) {
	if n.silent || n.cmd.Name() == "lint" || n.cmd.Name() == "grammars" {
		return
	}
	places := g.TwoWays()
	switch len(places) {
	case 0: // nothing to tell
	case 1:
		n.complain("bnfcheck: %s", places[0])
	default:
		n.complain("bnfcheck: %s; %s can be read in two ways, too: bnfcheck grammars %s", places[0],
			layout.Plural(len(places)-1, "more place"), g.File)
	}
}

// tellStandIns complains of those productions among these IDs that are stand-ins of --define-missing.
func (n *naming) tellStandIns(g *catalog.Opened, ids []string) {
	var names []string
	for _, id := range ids {
		if r := g.Grammar.Rule(id); r != nil && r.StandIn {
			names = append(names, "`"+strings.Trim(r.Name, "<>")+"`")
		}
	}
	if len(names) > 0 {
		n.complain("bnfcheck: %s: assumed: %s stands for %s", g.File, bnf.StandIn, layout.List(names, "and"))
	}
}

// tellTokens is about white space. If a grammar looks like one of tokens and --tokens is not given, it
// complains that white space is not skipped; with --tokens it complains of the assumptions about white space.
// It fails with an openError if the command cannot read a grammar of tokens, or not this one.
func (n *naming) tellTokens(g *catalog.Opened) error {
	name := n.cmd.Name()
	if g.Tokens == nil {
		if !n.silent && g.LooksTokenized() && name != "grammars" && name != "lint" {
			n.complain("bnfcheck: %s looks like a grammar of tokens: white space is not skipped between its "+
				"terminals without --tokens",
				g.File)
		}
		return nil
	}
	switch {
	case slices.Contains([]string{"check", "parse", "grammars"}, name):
		// These read all grammars of tokens.
	case !slices.Contains([]string{"diff", "regexp", "vectors", "conform"}, name):
		return &openError{fmt.Errorf("%s does not read grammars of tokens; check, parse, diff, regexp, vectors "+
			"and conform do", name)}
	case !g.Models():
		return &openError{fmt.Errorf("%s: its tokens nest; check and parse read them, and no automaton does", g.File)}
	}
	for _, notice := range g.Notices {
		if strings.HasPrefix(notice.Message, "between terminals") {
			n.complain("bnfcheck: assumed: %s", notice)
		}
	}
	return nil
}

// tellUnicode complains of the version of Unicode that a regular expression relies on. For diff and prove it is silent:
// they say so in their results.
func (n *naming) tellUnicode(g *catalog.Opened) {
	if !n.silent && g.Unicode != "" && n.cmd.Name() != "diff" && n.cmd.Name() != "prove" {
		n.complain("bnfcheck: assumed: %s", g.Unicode)
	}
}

// refuseSharedStdin returns an error if standard input is to be both the grammar and one of the files: it can be read
// only once.
func (n *naming) refuseSharedStdin(files []string) error {
	if file, _ := catalog.Split(n.grammar); file == "-" && slices.Contains(files, "-") {
		return errors.New("standard input can be read only once: it is the grammar, or the strings")
	}
	return nil
}

// start opens the grammar that a person names, and returns the production that is meant. A name that the production
// needs and that nothing defines is an error, unlike with meant.
func (n *naming) start(name string) (*catalog.Opened, *expr.Rule, error) {
	g, err := n.open(name)
	if err != nil {
		return nil, nil, err
	}
	r, err := g.Start()
	return g, r, classifyNameError(err)
}

// undecided classifies an error of a computation with a grammar: an openError if the grammar is right and the
// computation cannot be done, because it nests or a limit was passed; otherwise what classifyNameError returns, nil for
// nil.
func (n *naming) undecided(err error) error {
	if e, nests := errors.AsType[*expr.SelfEmbedding](err); nests {
		return &openError{n.nestingError(e)}
	}
	if errors.Is(err, budget.ErrTooLarge) {
		return &openError{err}
	}
	return classifyNameError(err)
}

// nestingError returns the error for a production that nests: the note of an opened grammar that says what to do
// about it, which does not wrap e, or else e with its consequence. If several opened grammars have a production at
// that place, the note is that of the first one, in the order of their names.
func (n *naming) nestingError(e *expr.SelfEmbedding) error {
	for _, name := range slices.Sorted(maps.Keys(n.opened)) {
		g := n.opened[name]
		for _, r := range g.Grammar.Rules {
			if r.Pos == e.Pos {
				if note := g.Nests(r.ID); note != "" {
					return errors.New(note)
				}
			}
		}
	}
	return fmt.Errorf("%w, so that it is not regular", e)
}

// withSubject calls f with the production that test vectors are about, and a parser of it: see [conform.Subject]. For
// a grammar that nests f may be called several times, with different depths. If automata of the grammar are too large,
// or f passes a limit, f is called once more, with a subject that has no automaton. That is not done for a PEG, with
// --nesting, or when the time is up.
func (n *naming) withSubject(
	name string, components []string, f func(*vectors.Subject, *anygrammar.Parser) error,
) error {
	g, r, err := n.start(name)
	if err != nil {
		return err
	}
	err = g.ReadDeep(r, func(g *catalog.Opened) error {
		s, p, err := conform.Subject(g, components...)
		if err != nil {
			return err
		}
		return f(s, p)
	})
	if !budget.IsTooLarge(err) || g.Grammar.Ordered || n.nesting != noNesting {
		return n.undecided(err)
	}
	s, p, failed := conform.SubjectWithout(g, err, components...)
	if failed != nil {
		return n.undecided(cmp.Or(err, failed))
	}
	return n.undecided(f(s, p))
}

// parser opens a grammar and returns a parser of the production that is meant. It fails for a grammar that cannot be
// read, and if no production can be meant.
func (n *naming) parser(name string) (*anygrammar.Parser, error) {
	g, err := n.open(name)
	if err != nil {
		return nil, err
	}
	p, err := anygrammar.New(g)
	return p, classifyNameError(err)
}

// classifyNameError returns an error about an operand as the command ends with it: an inputError if it is about the
// contents of a file; an unknown name gets suggestions, and stays an error of the command line, as do all others.
func classifyNameError(err error) error {
	_, inFile := errors.AsType[*expr.Error](err)
	_, missing := errors.AsType[*bnf.MissingError](err)
	_, large := errors.AsType[*bnf.SizeError](err)
	if inFile || missing || large {
		return &inputError{err}
	}
	if unknown, ok := errors.AsType[*catalog.UnknownError](err); ok {
		return didYouMean(err, unknown.Name, func() []string { return unknown.Known })
	}
	return err
}
