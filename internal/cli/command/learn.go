package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/learn"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
)

// newLearn returns the command learn, which learns what another parser accepts, and where it differs from a grammar.
func newLearn(s *streams) *cobra.Command {
	l := &learning{streams: s}
	cmd := &cobra.Command{
		Use:   "learn GRAMMAR|SCHEME [flags] -- COMMAND [ARGUMENT ...]",
		Short: "Learn what another parser accepts, and where it differs",
		Long: `learn asks a parser until it has an automaton of the strings of one scheme that the
parser accepts, and compares that with the production of each selected RFC, as diff
does. It reports how far the model is exact. The parser is asked as conform asks it.

A string counts as accepted if the parser accepts it, finds this scheme in it and, if
the RFCs give every URL of the scheme a host, does not report that there is none. Hosts
in brackets and missing answers are undecided; such strings count as rejected, and
their number is shown.

With a GRAMMAR instead of a scheme all strings that the parser accepts are learned, and
compared with the production that it names.

--format dot writes the model for Graphviz, which draws it. lines, jsonl, csv and go are
test vectors as bnfcheck vectors writes them: a complete suite for the model, with
--states, and every byte after every state; each with the verdicts of the RFCs. --package
and --function are names in the Go file.

--resume keeps all answers in a file: a run that was interrupted, or that --queries
ended, continues from there. Such a file belongs to one parser and one scheme.

learn asks twice about every string that a state of the model rests on, and about each
string on which the parser and a model differ. If the two answers are not the same, the
parser has no model: the run ends with the string and both answers.

If the run ends before the model has passed all its tests, the last model is printed, too.`,
		Example: `  bnfcheck learn --rfc 1738 http --builtin net/url
  bnfcheck learn --rfc 1738 --resume curl.jsonl -j 4 ftp --adapter curl
  bnfcheck learn uri.abnf#URI -- ./mine
  bnfcheck learn --format dot mailto --adapter node-url >model.dot`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var argv []string
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, argv = args[:at], args[at:]
			}
			if len(args) != 1 {
				return fmt.Errorf("learn takes one GRAMMAR or SCHEME, and got %d", len(args))
			}
			if l.naming.isOperand(args[0]) {
				l.grammar = args[0]
			}
			return l.run(cmd, args[0], argv)
		},
	}
	flags := cmd.Flags()
	l.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = beforeDash(atMostOne(words(l.rfcs.schemes)))
	l.naming = addNaming(s, cmd)
	l.builtin = addBuiltin(cmd)
	flags.StringVar(&l.adapter, "adapter", "", "the parser behind the adapter `NAME`, if it is installed")
	l.pool = addPool(cmd)
	flags.IntVar(&l.states, "states", 1, "be exact for parsers with up to `K` more states than the model")
	flags.IntVar(&l.random, "random", 10000, "try each model on `N` random strings")
	flags.IntVar(&l.queries, "queries", 1_000_000, "ask at most `N` questions")
	flags.StringVar(&l.resume, "resume", "",
		"read the answers known so far from `FILE`, if there is one, and add new ones")
	l.code = addCode(cmd)
	l.format = addChoice(cmd, "format", "how to print",
		append([]string{"text", "json", "dot"}, spelled(vectors.Formats)...)...)
	return cmd
}

// learning carries out one learn command.
type learning struct {
	*streams
	rfcs                    *rfcs
	grammar                 string // whose production the parser is compared with; "" for a scheme
	naming                  *naming
	code                    *code
	builtin                 *choice
	adapter                 string
	pool                    *pool
	states, random, queries int
	resume                  string
	format                  *choice
}

// run learns the automaton of the parser, as it answers for the scheme that name gives, and writes it with its
// report. What a limit or a contradiction ends early is written as far as it was learned, with a complaint, and the
// result is negative. If a signal ends it, nothing is written and it fails with an inputError. With --resume, answers
// are read from that file, and new ones added.
func (l *learning) run(cmd *cobra.Command, name string, argv []string) error {
	ctx, stop := untilStopped()
	defer stop()
	err := cmp.Or(
		l.code.check(l.format.value),
		atLeast("states", l.states, 0),
		atLeast("random", l.random, 0),
		atLeast("queries", l.queries, 0),
	)
	if err != nil {
		return err
	}
	if l.queries == 0 {
		return errors.New("--queries 0 leaves nothing to learn from")
	}
	scheme, err := l.scheme(name)
	if err != nil {
		return err
	}
	p, closeParser, err := l.parser(ctx, argv)
	if err != nil {
		return err
	}
	defer closeParser()
	// The identity keeps the answers of one parser, or of one version of it, from being taken for those of another.
	cache, closeCache, err := learn.OpenCache(l.resume, p.identity+", "+scheme.Name)
	if _, failed := errors.AsType[*fs.PathError](err); err != nil && !failed {
		return &inputError{err}
	} else if err != nil {
		return &ioError{l.resume, err}
	}
	defer closeCache()
	o, err := scheme.Options()
	if err != nil {
		return err
	}
	bar := l.newLine()
	o.Extra, o.Random, o.MaxQueries, o.Cache = l.states, cmp.Or(l.random, -1), l.queries, cache
	wait := l.newWait(l.pool)
	wait.Progress(p.name, 0)
	o.Progress = func(p learn.Progress) {
		wait.Progress("", p.Queries)
		l.alive()
		bar.Show("%s: %d states, %d classes of bytes, %d questions", p.Phase, p.States, p.Classes, p.Queries)
	}
	r, err := learn.Learn(ctx, scheme.Oracle(p), o)
	wait.End()
	bar.End()
	if ctx.Err() != nil {
		return &inputError{l.interrupted(p.name, cache.Len())}
	}
	_, contradiction := errors.AsType[*learn.InconsistentError](err)
	early := contradiction ||
		errors.Is(err, learn.ErrQueries) || errors.Is(err, learn.ErrStates) || errors.Is(err, lang.ErrTooLarge)
	if err != nil && (!early || r == nil) {
		return &inputError{fmt.Errorf("%s: %w", p.name, err)}
	}
	if early {
		l.complain("bnfcheck: %s: %v", p.name, err)
		l.earned = errNegative
	}
	err = l.write(learn.NewReport(p.name, scheme, r), r, l.command(cmd, name, argv))
	if errors.Is(err, lang.ErrTooLarge) {
		return &inputError{fmt.Errorf("the model of %s: %w", p.name, err)}
	}
	return cmp.Or(err, l.earned)
}

// write writes the model in the format that was asked for; command is the command line that vectors state as their
// origin. If a comparison is too large, text and JSON have what was found, and write fails with lang.ErrTooLarge.
func (l *learning) write(m *learn.Report, r *learn.Result, command string) error {
	switch format := l.format.value; format {
	case "dot":
		return r.DFA.WriteDOT(l.out)
	case "text", "json":
		tooLarge := m.Compare()
		if tooLarge != nil && !errors.Is(tooLarge, lang.ErrTooLarge) {
			return tooLarge
		}
		err := printAll(l.streams, l.format, []*learn.Report{m}, func(w io.Writer, _ []*learn.Report) error {
			return m.WriteText(w, l.fits)
		})
		return cmp.Or(err, tooLarge)
	default:
		o := vectors.Options{Command: command, Package: l.code.pkg, Function: l.code.function}
		return m.WriteVectors(l.out, vectors.Format(format), o)
	}
}

// interrupted returns the error of a run that a signal ended when known answers had come in: kept by --resume or lost.
func (l *learning) interrupted(name string, known int) error {
	if l.resume == "" {
		return fmt.Errorf("%s: interrupted, and %d answers are lost: --resume FILE would keep them", name, known)
	}
	return fmt.Errorf("%s: interrupted: the %d answers so far are in %s", name, known, l.resume)
}

// command returns the command line that makes the same output, which vectors state as their origin.
func (l *learning) command(cmd *cobra.Command, scheme string, argv []string) string {
	line := commandLine(cmd, scheme, "resume", "jobs", "timeout", "startup")
	if len(argv) > 0 {
		line += " -- " + strings.Join(argv, " ")
	}
	return line
}

// scheme returns the strings that are learned about: those of a production of l.grammar or, without one, the URLs
// of the scheme of this name. It fails if there is no such scheme or production.
func (l *learning) scheme(name string) (*learn.Scheme, error) {
	if l.grammar != "" {
		g, r, err := l.naming.start(l.grammar)
		if err != nil {
			return nil, err
		}
		of, err := g.Language()
		if err != nil {
			return nil, err
		}
		s, _, err := conform.Subject(g)
		if err != nil {
			return nil, l.naming.undecided(err)
		}
		return learn.Against(g.Grammar.Title+" "+r.Name, s, of), nil
	}
	s, err := learn.NewScheme(name, published.Texts(*l.rfcs)...)
	if err != nil {
		return nil, fmt.Errorf("%w: choose from %s", err, strings.Join(l.rfcs.schemes(), ", "))
	}
	return s, nil
}

// parser returns the parser that is asked: the built-in one, an adapter or the command argv. Exactly one must
// be given. An adapter is prepared in a temporary folder. end closes the parser and removes that folder;
// after an error end is nil, and there is nothing to close or to remove.
func (l *learning) parser(ctx context.Context, argv []string) (p parser, end func(), err error) {
	o, err := l.pool.options()
	if err != nil {
		return p, nil, err
	}
	if l.grammar != "" { // only whether a string is accepted matters, and not its components
		o.Named = []string{}
	}
	given := 0
	for _, is := range []bool{l.builtin.value != "", l.adapter != "", len(argv) > 0} {
		if is {
			given++
		}
	}
	switch {
	case given == 0:
		return p, nil, errNoParser
	case given > 1:
		return p, nil, errors.New("--builtin, --adapter and a command cannot be used together")
	case l.builtin.value != "":
		return parser{conform.NetURL(), netURL, netURL + " of " + runtime.Version()}, func() {}, nil
	}
	clean := func() {}
	p.name, p.identity = l.adapter, l.adapter
	if l.adapter != "" {
		dir, remove, err := atomicfile.Folder()
		if err != nil {
			return p, nil, &ioError{"temporary folder", err}
		}
		clean = func() { _ = remove() }
		var version string
		if argv, version, err = prepare(ctx, l.adapter, filepath.Join(dir, l.adapter)); err != nil {
			clean()
			return p, nil, err
		}
		p.identity += " " + version
	} else {
		p.name, p.identity = conform.CommandName(argv), strings.Join(argv, " ")
	}
	command, err := conform.NewCommand(p.name, argv, o)
	if err != nil {
		clean()
		return p, nil, &inputError{err}
	}
	p.Implementation = command
	return p, func() { command.Close(); clean() }, nil
}

// A parser is the parser that is learned. Its identity distinguishes it from others in later runs.
type parser struct {
	conform.Implementation
	name, identity string
}
