// Package grammartest holds functions and regular expressions against a grammar, in a test:
//
//	func TestParse(t *testing.T) {
//		g := grammartest.Load(t, "uri.abnf#URI-reference")
//		g.Conform(t, func(s string) bool { _, err := url.Parse(s); return err == nil })
//	}
//
// A grammar is a file, or a production in it: ABNF (.abnf), the text of an RFC with ABNF in it
// (.txt), W3C EBNF (.ebnf), a PEG of pigeon (.peg) or peggy (.pegjs); or one that is built in:
// "rfc3986#URI". What is exact (Equal, Contains, EqualRegexp) is decided by automata.
// [Grammar.Conform] asks the function about strings that kill every mutant of the grammar as
// printed, which is a strong test and no proof.
//
// The exported identifiers keep their meaning under semantic versioning; which strings are tried,
// the text of failures and the order of groups may change in any version, but the names of groups
// in a file of known differences only in a minor one.
package grammartest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// A Grammar is a production of a grammar. Its methods may be called by several goroutines.
type Grammar struct {
	name   string
	limits budget.Limits
	opened *catalog.Opened // see fresh
	parser *anygrammar.Parser
	t      testing.TB // of Load
}

// An Option says how a grammar is read, or how a function is tested.
type Option func(*options)

type options struct {
	imports []string
	define  []bnf.Replacement
	kind    string
	nesting *int
	limits  budget.Limits
	vouched bool // the code in a PEG only returns values

	states  int
	bases   []string
	parts   func(string) map[string]string
	names   []string
	timeout time.Duration
}

// Import supplies names that the grammar lacks: a file, a folder, a built-in grammar ("rfc3986"),
// or "NAME=FILE#RULE" for one name.
func Import(from ...string) Option {
	return func(o *options) { o.imports = append(o.imports, from...) }
}

// Define defines a name that the grammar does not, by an expression in the grammar's notation. The expression
// is read by Load.
func Define(name, expression string) Option {
	return func(o *options) {
		o.define = append(o.define, bnf.Replacement{
			Production: name, Text: expression, Pos: expr.Pos{File: "Define(" + name + ")", Line: 1, Col: 1},
		})
	}
}

// Kind sets the kind of the file, where its ending does not tell it: "abnf", "rfc", "ebnf", "peg",
// "peggy" or "bnf".
func Kind(kind string) Option { return func(o *options) { o.kind = kind } }

// Nesting sets the depth to which productions that contain themselves are read by the methods that need an
// automaton: Conform, Equal, Contains, EqualRegexp, Seed and Words. Accepts, Reason and Tree need none, and
// Conform chooses a depth if none is set.
func Nesting(depth int) Option { return func(o *options) { o.nesting = &depth } }

// AssumeActionsSucceed takes the code in a PEG to do nothing but return values. Without it, a rule
// is refused that has code which may fail, or change what the parser does.
func AssumeActionsSucceed() Option { return func(o *options) { o.vouched = true } }

// LimitSteps has each method that computes with the grammar give up after so many steps, of some
// tens of nanoseconds each. The default is 1<<28.
func LimitSteps(n int64) Option { return func(o *options) { o.limits.Steps = n } }

// LimitMemory has each method give up what takes more than so many megabytes. The default is 256.
func LimitMemory(megabytes int64) Option {
	return func(o *options) { o.limits.Bytes = budget.Megabytes(megabytes) }
}

// LimitStates has each method give up an automaton of more than so many states. The default depends
// on its purpose.
func LimitStates(n int) Option { return func(o *options) { o.limits.States = n } }

// flags are those of the command that stand in messages, each with the option that does the same.
var flags = strings.NewReplacer("--nesting 3", "the option Nesting(3)", "--limit-steps", "the option LimitSteps",
	"--limit-memory", "the option LimitMemory", "--limit-states", "the option LimitStates",
	"--assume-actions-succeed", "the option AssumeActionsSucceed()")

// usualTimeout is the timeout of a call where none is set.
const usualTimeout = 10 * time.Second

// collect returns the options, with the usual timeout where none is set.
func collect(opts []Option) *options {
	o := &options{timeout: usualTimeout}
	for _, opt := range opts {
		opt(o)
	}
	return o
}

// saysHowToRead reports whether an option was given that is for Load.
func (o *options) saysHowToRead() bool {
	names := len(o.imports)+len(o.define) > 0
	form := o.kind != "" || o.nesting != nil || o.vouched
	return names || form || o.limits != budget.Limits{}
}

// saysWhatToAsk reports whether an option was given that is for Conform.
func (o *options) saysWhatToAsk() bool {
	return o.states != 0 || len(o.bases) > 0 || o.parts != nil || o.timeout != usualTimeout
}

// Load reads a grammar; a file is relative to the folder of the test. A mistake in the grammar ends
// the test, with its place. So does an option of [Grammar.Conform]: States, Bases, Components or
// Timeout.
func Load(t testing.TB, grammar string, opts ...Option) *Grammar {
	t.Helper()
	o := collect(opts)
	if o.saysWhatToAsk() {
		t.Fatalf("grammartest: States, Bases, Components and Timeout are options of Conform, and not of Load")
	}
	g, err := load(t, grammar, o)
	if err != nil {
		t.Fatalf("grammartest: %s", flags.Replace(err.Error()))
	}
	return g
}

// load is [Load] with an error in place of a failed test. The error names flags of the command, which Load
// replaces. load does not look for options of Conform. t is kept for later failures. If it fails, g can be
// other than nil and must not be used.
func load(t testing.TB, grammar string, opts *options) (g *Grammar, err error) {
	defer budget.Catch(&err)
	o := catalog.Usual
	o.Kind, o.Nesting = catalog.Kind(opts.kind), opts.nesting
	o.Notation.Define = opts.define
	o.Notation.Budget = budget.New(context.Background(), opts.limits)
	o.PEG.Budget, o.PEG.ActionsSucceed = o.Notation.Budget, opts.vouched
	if o.Notation.Imports, err = catalog.Imports(opts.imports, bnf.DefaultMaxSize); err != nil {
		return nil, err
	}
	g = &Grammar{name: grammar, limits: opts.limits, t: t}
	if g.opened, err = catalog.Open(grammar, o); err != nil {
		return nil, err
	}
	g.parser, err = anygrammar.New(g.opened)
	return g, err
}

// start returns the ID of the production.
func (g *Grammar) start() string { return g.parser.Grammar.Production(g.parser.Start).ID }

// Accepts reports whether the grammar derives s. A string that passes the limits fails the test
// that loaded the grammar, which goes on; the result is then false.
func (g *Grammar) Accepts(s string) bool {
	ok, err := g.parser.Accepts(s)
	if err != nil {
		g.t.Errorf("grammartest: %s: %q: %v", g.name, s, g.inOptions(err))
	}
	return ok
}

// Reason returns why the grammar does not derive s: the offset, what was expected, the place in the
// grammar; nil if it does. If s passes a limit, it returns that error.
func (g *Grammar) Reason(s string) error {
	if ok, err := g.parser.Accepts(s); ok || err != nil {
		return err
	}
	err := g.parser.Explain(s)
	return &reason{g.parser.Message(err), err}
}

// A reason is an error with the place of the production in a file.
type reason struct {
	text string
	err  error
}

func (r *reason) Error() string { return r.text }
func (r *reason) Unwrap() error { return r.err }

// Tree returns the tree of s, which takes the first alternatives and the longest repetitions. It fails where
// [Grammar.Reason] does.
func (g *Grammar) Tree(s string) (*ast.Tree, error) {
	t, err := g.parser.Parse(s)
	if _, rejected := errors.AsType[*ast.SyntaxError](err); rejected {
		err = &reason{g.parser.Message(err), err}
	}
	return t, err
}

// fresh returns a copy of what was loaded with a new budget, so that one method takes nothing from
// another. A built-in grammar is returned as it is, with no new budget.
func (g *Grammar) fresh() *catalog.Opened {
	if g.opened.Built != nil { // what that costs is known
		return g.opened
	}
	o := *g.opened
	o.Grammar = o.Grammar.With(o.Grammar.Rules)
	o.Grammar.Budget = budget.New(context.Background(), g.limits)
	if o.Within == g.opened.Grammar {
		o.Within = o.Grammar
	} else {
		o.Within = o.Within.With(o.Within.Rules)
		o.Within.Budget = o.Grammar.Budget
	}
	return &o
}

// language returns the automaton of the production. The error, in options, is a limit, a production
// that nests while no depth is set, or that the production derives no string: any comparison with
// it would be pointless.
func (g *Grammar) language() (a *lang.DFA, err error) {
	defer budget.Catch(&err)
	o := g.fresh()
	r, err := o.Start()
	if err == nil {
		a, err = o.Automaton(r)
	}
	if err == nil && a.IsEmpty() {
		l, unknown := o.Language()
		if err = unknown; err == nil {
			err = l.Nothing() // an error that says why there is no string
		}
	}
	return a, g.inOptions(err)
}

// inOptions returns err with its message rewritten for a test: it names options in place of the
// flags of the command. Where a production nests, the message says what to do about it. It is nil
// if err is.
func (g *Grammar) inOptions(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if _, ok := errors.AsType[*expr.SelfEmbedding](err); ok {
		if note := g.opened.Nests(g.start()); note != "" {
			text = note
		}
	}
	return &reason{flags.Replace(text), err}
}

// subject returns the production that was opened in two forms: the subject that suites are made of, and the
// judge of functions, which also compares the components names. A rule of a PEG becomes a grammar made of its
// automaton, which has no components; subject then fails if names is not empty. Of a PEG it takes g's own
// production, and of opened only whether it is ordered.
func (g *Grammar) subject(opened *catalog.Opened, names []string) (s *vectors.Subject, j conform.Judge, err error) {
	if opened.Grammar.Ordered {
		if len(names) > 0 {
			return nil, j, fmt.Errorf("%s is a PEG, of which there are no components", g.name)
		}
		if opened, err = g.unordered(); err != nil {
			return nil, j, err
		}
	}
	s, p, err := conform.Subject(opened, names...)
	if err != nil {
		return nil, j, err
	}
	return s, conform.Judge{Grammar: s.Grammar, Production: s.Production, Named: s.Named, File: p.Place(nil).File}, nil
}

// maxExpression bounds the expression that is made of the automaton of a PEG.
const maxExpression = 1 << 16

// unordered returns the opened PEG as a grammar without order: a single rule, whose expression is made of the
// production's automaton. It fails where language does, and if the expression would be longer than
// maxExpression.
func (g *Grammar) unordered() (*catalog.Opened, error) {
	a, err := g.language()
	if err != nil {
		return nil, err
	}
	e, err := a.Expr(maxExpression)
	if err != nil {
		return nil, err
	}
	rule := *g.opened.Grammar.Rule(g.start())
	rule.Expr = e
	o := *g.opened
	o.Grammar = g.opened.Grammar.With([]*expr.Rule{&rule})
	o.Grammar.Ordered = false
	o.Within, o.Depth, o.Asked = o.Grammar, nil, rule.ID
	return &o, nil
}
