package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/conform"
	"github.com/bnfcheck/bnfcheck/internal/learn"
	"github.com/bnfcheck/bnfcheck/internal/prove"
	"github.com/bnfcheck/bnfcheck/internal/vectors"
)

func newLearn(s *streams) *cobra.Command {
	l := &learning{streams: s}
	cmd := &cobra.Command{
		Use:   "learn SCHEME [flags] -- COMMAND [ARGUMENT ...]",
		Short: "Learn what another parser accepts, and show where it and an RFC part",
		Long: `learn asks a parser until it has an automaton of the strings of one scheme that the
parser accepts, and compares that with the production of each selected RFC, as diff
does. It says up to where the model is exact. The parser is asked as conform asks it.

A string counts as accepted if the parser accepts it and finds this scheme in it and,
where it says a host, one that is not empty. Of hosts in brackets, and where no answer
comes, nothing is decided; such strings count as rejected, and their number is shown.

With --resume all answers are kept in a file: a run that was cut off, or that --queries
ended, goes on from there. Such a file belongs to one parser and one scheme.

That the parser and an RFC part is an answer: the exit status is 0 all the same. It is 1
where --queries ended the run before the model passed all its tests.`,
		Example: `  bnfcheck learn --rfc 1738 http --builtin net/url
  bnfcheck learn --rfc 1738 --resume curl.jsonl -j 4 ftp -- ./curl-url
  bnfcheck learn --format dot mailto --builtin net/url | dot -Tsvg >model.svg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var argv []string
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, argv = args[:at], args[at:]
			}
			if len(args) != 1 {
				return fmt.Errorf("learn takes one scheme, and got %d", len(args))
			}
			return l.run(args[0], argv)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	l.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = beforeDash(atMost(1, words(l.rfcs.schemes)))
	flags.StringVar(&l.builtin, "builtin", "", "a parser in this program: `net/url`")
	l.pool = addPool(cmd)
	flags.IntVar(&l.states, "states", 0, "be exact for parsers with up to `K` more states than the model")
	flags.IntVar(&l.random, "random", 10000, "try each model on `N` random strings")
	flags.IntVar(&l.queries, "queries", 1_000_000, "ask at most `N` questions")
	flags.StringVar(&l.resume, "resume", "", "read the answers known so far from `FILE`, if there is one, and add new ones")
	l.format = addChoice(cmd, "format", "how to print", "text", "json", "dot")
	complete(cmd, "builtin", builtins)
	return cmd
}

// learning carries out one learn command.
type learning struct {
	*streams
	rfcs                    *rfcs
	builtin                 string
	pool                    *pool
	states, random, queries int
	resume                  string
	format                  *choice
}

func (l *learning) run(scheme string, argv []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for name, n := range map[string]int{"states": l.states, "random": l.random, "queries": l.queries} {
		if n < 0 {
			return fmt.Errorf("invalid argument \"%d\" for \"--%s\" flag: it must not be negative", n, name)
		}
	}
	subjects, err := l.subjects(scheme)
	if err != nil {
		return err
	}
	name, oracle, end, err := l.oracle(scheme, argv)
	if err != nil {
		return err
	}
	defer end()
	cache, end, err := openCache(l.resume)
	if err != nil {
		return err
	}
	defer end()
	bar := newStatus(l.streams)
	o := learn.Options{
		Classes: subjects[len(subjects)-1].DFA, Extra: l.states, Random: l.random, MaxQueries: l.queries, Cache: cache,
		Progress: func(p learn.Progress) {
			bar.show("%s: %d states, %d classes of bytes, %d questions", p.Phase, p.States, p.Classes, p.Queries)
		},
	}
	if o.Random == 0 {
		o.Random = -1
	}
	if o.MaxQueries == 0 {
		return errors.New("--queries 0 leaves nothing to learn from")
	}
	for _, s := range subjects {
		suite, err := vectors.CompleteSuite(s.DFA, vectors.HSI, 0, false)
		if err != nil {
			return err
		}
		o.Try = slices.AppendSeq(o.Try, suite.All())
	}
	r, err := learn.Learn(ctx, oracle, o)
	bar.end()
	limited := errors.Is(err, learn.ErrQueries) || errors.Is(err, learn.ErrStates)
	if err != nil && (!limited || r == nil) {
		return &inputError{fmt.Errorf("%s: %w", name, err)}
	}
	if err := l.print(name, scheme, r, subjects); err != nil {
		return err
	}
	if limited {
		l.complain("bnfcheck: %s: %v", name, err)
		return errNegative
	}
	return nil
}

// subjects gives the productions of a scheme in the selected grammars that have one.
func (l *learning) subjects(scheme string) (list []*vectors.Subject, err error) {
	for _, g := range *l.rfcs {
		if _, ok := g.Scheme(scheme); !ok {
			continue
		}
		s, err := vectors.NewSubject(g, scheme)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no scheme %q: choose from %s", scheme, strings.Join(l.rfcs.schemes(), ", "))
	}
	return list, nil
}

// oracle gives the parser with its name, and what ends it.
func (l *learning) oracle(scheme string, argv []string) (name string, _ learn.Oracle, end func(), err error) {
	if err := checkBuiltin(l.builtin); err != nil {
		return "", nil, nil, err
	}
	o, err := l.pool.options()
	if err != nil {
		return "", nil, nil, err
	}
	switch {
	case l.builtin == "" && len(argv) == 0:
		return "", nil, nil, errors.New("no parser: give a command after --, or --builtin net/url")
	case len(argv) == 0:
		return netURL, &schemeOracle{conform.NetURL(), scheme}, func() {}, nil
	case l.builtin != "":
		return "", nil, nil, errors.New("--builtin and a command cannot be used together")
	}
	name = filepath.Base(argv[0])
	command, err := conform.NewCommand(name, argv, o)
	if err != nil {
		return "", nil, nil, &inputError{err}
	}
	return name, &schemeOracle{command, scheme}, func() { command.Close() }, nil
}

// A schemeOracle asks an implementation about URLs of one scheme.
type schemeOracle struct {
	conform.Implementation
	scheme string
}

// Ask answers words, as many at a time as the implementation has workers.
func (o *schemeOracle) Ask(ctx context.Context, words []string) ([]learn.Answer, error) {
	answers := make([]learn.Answer, len(words))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	n := max(o.Workers(), 1)
	for from := range n {
		wait.Go(func() {
			for i := from; i < len(words); i += n {
				a, err := o.Implementation.Ask(ctx, words[i])
				if err != nil {
					cancel(err)
					return
				}
				answers[i] = o.answer(words[i], a)
			}
		})
	}
	wait.Wait()
	return answers, context.Cause(ctx)
}

// answer restricts an answer to the scheme.
func (o *schemeOracle) answer(w string, a conform.Answer) learn.Answer {
	scheme, host := a.Components[conform.Scheme], a.Components[conform.Host]
	found, _, _ := strings.Cut(w, ":")
	if scheme.Said {
		found = scheme.Text
	}
	switch {
	case a.Verdict == conform.Rejected:
		return learn.Rejected
	case a.Verdict != conform.Accepted:
		return learn.Undecided
	case !strings.EqualFold(found, o.scheme), host.Present && host.Text == "":
		return learn.Rejected
	case strings.Contains(w, "//[") || strings.Contains(w, "@["):
		return learn.Undecided
	}
	return learn.Accepted
}

// openCache reads the answers in a file, and lets new ones be added to it.
func openCache(name string) (_ *learn.Cache, end func(), err error) {
	c := &learn.Cache{}
	if name == "" {
		return c, func() {}, nil
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, &ioError{name, err}
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() { // a device may have no end
		f.Close()
		return nil, nil, &inputError{fmt.Errorf("%s: not a regular file", name)}
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	known, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, &ioError{name, err}
	}
	known = known[:bytes.LastIndexByte(known, '\n')+1] // without a line that was cut off
	if err := c.Load(bytes.NewReader(known)); err != nil {
		return nil, nil, &inputError{fmt.Errorf("%s: %w", name, err)}
	}
	if err := f.Truncate(int64(len(known))); err != nil {
		return nil, nil, &ioError{name, err}
	}
	if _, err := f.Seek(int64(len(known)), io.SeekStart); err != nil {
		return nil, nil, &ioError{name, err}
	}
	c.Log = f
	return c, func() { f.Close() }, nil // each answer was written when it came
}

// A model is what learn prints.
type model struct {
	Parser      string              `json:"parser"`
	Scheme      string              `json:"scheme"`
	States      int                 `json:"states"`
	Classes     int                 `json:"classes"`
	Exact       bool                `json:"exact"`
	Guarantee   string              `json:"guarantee"`
	Questions   int                 `json:"questions"`
	Known       int                 `json:"known"`
	Undecided   int                 `json:"undecided"`
	Differences []*prove.Difference `json:"differences"`
}

func (l *learning) print(name, scheme string, r *learn.Result, subjects []*vectors.Subject) error {
	if l.format.value == "dot" {
		return r.DFA.WriteDOT(l.out)
	}
	m := model{
		Parser: name, Scheme: scheme, States: r.DFA.States(), Classes: r.DFA.Classes(), Exact: r.Exact, Guarantee: r.Guarantee(),
		Questions: r.Queries, Known: r.Known, Undecided: len(r.Undecided),
	}
	for _, s := range subjects {
		d, err := learn.Diff(r, name, printable(name), s.Grammar, scheme)
		if err != nil {
			return err
		}
		m.Differences = append(m.Differences, d)
	}
	if l.format.value == "json" {
		_, err := l.out.Write(appendJSON(nil, m))
		return err
	}
	fmt.Fprintf(l.out, "%s, %s: %d states, %d classes of bytes, %d questions and %d answers known before, %d undecided\n%s\n",
		printable(name), scheme, m.States, m.Classes, m.Questions, m.Known, m.Undecided, m.Guarantee)
	for _, d := range m.Differences {
		fmt.Fprintln(l.out)
		if err := d.WriteText(l.out); err != nil {
			return err
		}
	}
	return nil
}
