package lint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Code names a check.
type Code string

// The checks.
const (
	NoProduction    Code = "no-production"
	Unread          Code = "unread"
	Undefined       Code = "undefined"
	DerivesNothing  Code = "derives-nothing"
	LeftRecursion   Code = "left-recursion"
	EmptyRepetition Code = "empty-repeated"
	AddsNothing     Code = "adds-nothing"
	Ambiguous       Code = "ambiguous"
	Backtracking    Code = "backtracking"
	OrderedChoice   Code = "ordered-choice"
	LetterCase      Code = "letter-case"
	Unused          Code = "unused"
	AddedFirst      Code = "added-first"
	AddedAlone      Code = "added-alone"
	Notation        Code = "notation"
	Nesting         Code = "nesting"
	Undecided       Code = "undecided"
	Ignore          Code = "ignore"
	WrongExample    Code = "example"

	// Of PEGs.
	NeverMatches   Code = "never-matches"
	EatsAll        Code = "eats-what-follows"
	MatchesNothing Code = "matches-nothing"
	PrefixOnly     Code = "prefix-only"
	UnusedLabel    Code = "unused-label"
)

// A Finding is one thing that a check found.
type Finding struct {
	Code       Code
	Level      results.Level
	Pos        expr.Pos
	ID         string // of the production that it is about
	Production string // its name in the text
	Message    string
	Detail     []string // more, in lines
	Word       *quote.Word

	// Mended is a right-hand side for the production in the notation of the grammar, with which the finding is gone: it
	// was tried. "" where none is known.
	Mended string

	root string // the production that makes it so, where it is found
}

// String returns "file:line:col: level: message [code]".
func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s [%s]", f.Level, f.Message, f.Code)
	if f.Pos != (expr.Pos{}) {
		s = f.Pos.String() + ": " + s
	}
	return quote.Bounded(s)
}

// Options control [Lint]. The zero value asks for every check under the usual limits.
type Options struct {
	// Start is the ID of the production that inputs are derived from; what it cannot use is unused. Without one, a production
	// that no other uses may be one that inputs are derived from.
	Start string

	// Nesting is the depth to which what nests is looked at: see [expr.Nesting]. With nil what is not regular is only searched
	// for ambiguity, to a depth of 2 or as deep as the steps go.
	Nesting *int

	Limits Limits

	// Backtracks reports that the grammar is a regular expression of an engine that backtracks.
	Backtracks bool

	// Ordered reports that the grammar is written down as a PEG somewhere, so that what an ordered choice loses is a warning and not a
	// note.
	Ordered bool

	// Reread reads a right-hand side in the notation of a grammar, by which advice is verified before it is printed. nil verifies none.
	Reread func(g *expr.Grammar, text string) (*expr.Expr, error)

	// Text is that of the grammar, whose comments may say what to ignore.
	Text []byte

	// Noticed is what was found while the grammar was read, to be listed in its place.
	Noticed []Finding
}

// Limits bound what is built for one production. A field that is zero stands for its default, which for States is
// that of the grammar's budget.
type Limits struct {
	States int // of an automaton; default 1<<16
	Pairs  int // of states, where derivations are compared; default 32 times States
	Work   int // states of all automata of a document; default 32 times States
}

func (l Limits) states() int { return cmp.Or(l.States, 1<<16) }
func (l Limits) pairs() int  { return cmp.Or(l.Pairs, 32*l.states()) }
func (l Limits) work() int   { return cmp.Or(l.Work, 32*l.states()) }
func (l Limits) lang() lang.Limits {
	return lang.Limits{DFA: l.states(), NFA: 16 * l.states()}
}

// A Report is what was found in a grammar.
type Report struct {
	Grammar  *expr.Grammar
	Findings []Finding // in the order of the text

	// Of the productions of the text: how many there are, are regular, were looked at in spite of their nesting, are ambiguous
	// by themselves, and lose strings where alternatives are tried in order, that many of them as causes, or cannot be tried so.
	Productions, Regular, Nested, Ambiguous, Losing, Causes, Unordered int

	// Proven counts those that are not regular and were proven to be unambiguous; AmbiguousOf those of which it was decided whether
	// they are ambiguous, and LosingOf those of which it was decided what they lose.
	Proven, AmbiguousOf, LosingOf int

	// Undecided counts the productions of which something was not decided, Lacking those of them that use a name of Missing, which
	// has no production.
	Undecided, Lacking int
	Missing            []string

	// Code counts the rules of a PEG with code that may do more than return a value; what is found holds if it does not.
	Code int

	// Ignored counts the findings that the text says to ignore, Known those of a baseline, and Acknowledged those of both that say
	// that something is undecided.
	Ignored, Known, Acknowledged int
}

// Open reports whether something was not decided that nobody has acknowledged.
func (r *Report) Open() bool { return r.Undecided > r.Acknowledged }

// Worst returns the highest level of the findings, "" if there are none.
func (r *Report) Worst() results.Level {
	var worst results.Level
	for _, f := range r.Findings {
		if rank(f.Level) > rank(worst) {
			worst = f.Level
		}
	}
	return worst
}

// AtLeast returns the report with the findings of a level and the higher ones. Findings that something is undecided
// stay, unless only errors are wanted.
func (r *Report) AtLeast(level results.Level) *Report {
	s := *r
	s.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool {
		return rank(f.Level) < rank(level) && (f.Code != Undecided || level == results.Error)
	})
	return &s
}

// Form looks only for what the form of productions shows, without an automaton.
func Form(g *expr.Grammar) []Finding {
	l := newLinter(g, Options{})
	l.names()
	l.form()
	l.inOrder()
	return l.report.Findings
}

func rank(l results.Level) int {
	return slices.Index([]results.Level{"", results.Note, results.Warning, results.Error}, l)
}

// Empty returns the report on the text of a specification in which no production was found, as the error says.
func Empty(e *expr.Error) *Report {
	g := &expr.Grammar{Name: e.Pos.File, File: e.Pos.File}
	return &Report{Grammar: g, Findings: []Finding{{Code: NoProduction, Level: results.Error, Pos: e.Pos, Message: quote.Bounded(e.Message)}}}
}

// Lint makes the checks and returns the findings in the order of the text. The error is a start that the grammar does
// not have, or a depth at which it has too many rules.
func Lint(g *expr.Grammar, o Options) (r *Report, err error) {
	defer budget.Catch(&err)
	if o.Start != "" && g.Rule(o.Start) == nil {
		return nil, fmt.Errorf("%s has no production %q", g.Name, o.Start)
	}
	o.Limits.States = cmp.Or(o.Limits.States, g.Budget.MaxStates())
	if g.Ordered {
		l := newLinter(g, o)
		l.report.Findings = slices.Clone(o.Noticed)
		if err := l.lintPEG(); err != nil {
			return nil, err
		}
		l.decideExamples()
		l.undecided()
		l.ignore()
		l.inOrder()
		return l.report, nil
	}
	searched := g
	g, around := matched(g)
	l := newLinter(g, o)
	l.searched, l.around = searched, around
	l.report.Findings = slices.Clone(o.Noticed)
	l.names()
	l.form()
	l.literals()
	if err := l.decisions(); err != nil {
		e, ok := errors.AsType[*budget.Exceeded](err)
		if !ok {
			return nil, err
		}
		l.leaveOpen(l.ownOf(e.Production), fmt.Errorf("nor is what comes after it: %w", e))
	}
	if !l.regexp() {
		l.decideExamples()
	}
	l.undecided()
	l.ignore()
	l.inOrder()
	return l.report, nil
}

// decisions looks for everything that needs automata: ambiguity, the strings that ordered choice loses, and what
// nests. The error is a depth at which there are too many rules, or a passed limit.
func (l *linter) decisions() (err error) {
	defer budget.Catch(&err)
	if err := l.languages(); err != nil {
		return err
	}
	l.ambiguities()
	if !l.regexp() { // an engine comes back to what it has not tried
		l.losses()
	}
	l.nested()
	return nil
}

// ownOf returns the production of the text with this name, or the first.
func (l *linter) ownOf(name string) *expr.Rule {
	for _, r := range l.own {
		if r.Label() == name {
			return r
		}
	}
	return l.own[0]
}

// inOrder sorts the findings by their places.
func (l *linter) inOrder() {
	slices.SortStableFunc(l.report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
}

// A linter carries out Lint. Its grammar is the given one with a production for every name: one that is missing
// derives nothing.
type linter struct {
	printer
	o      Options
	own    []*expr.Rule // those of the text
	facts  *expr.Facts
	left   map[string][]*expr.Rule // by ID, those that use themselves before anything is read: see [expr.Circles]
	report *Report

	searched *expr.Grammar             // of a regular expression: with what may stand before and behind a match
	around   map[*expr.Expr]*expr.Expr // parts without that, and with it

	spread      *spread              // nested derivations
	langs       map[string]*language // by ID, what own productions and those that they use derive
	regular     map[string]bool      // by ID
	ambig       map[string]bool      // own productions that are ambiguous by themselves
	sameLetters map[expr.Pos]bool    // alternatives that differ from others in case only
	lacks       map[string]bool      // by ID, what uses a name without a production
	odd         map[string]bool      // own productions with a repetition of what may be empty
	open        map[*expr.Rule]error // own productions of which something is not decided, and why
}

// newLinter returns a linter for g that has found nothing yet. It adds an empty production for each name that has
// none, and leaves the rules that stand in other files, such as core rules, out of l.own.
func newLinter(g *expr.Grammar, o Options) *linter {
	l := &linter{
		o: o, report: &Report{Grammar: g}, langs: map[string]*language{}, regular: map[string]bool{},
		ambig: map[string]bool{}, lacks: map[string]bool{}, odd: map[string]bool{}, sameLetters: map[expr.Pos]bool{}, open: map[*expr.Rule]error{},
	}
	rules := slices.Clone(g.Rules)
	l.own = slices.DeleteFunc(slices.Clone(rules), func(r *expr.Rule) bool { // core rules, and what was supplied
		return r.Pos.File != g.File && g.File != ""
	})
	for _, id := range g.Reach(expr.IDs(rules)...)[len(rules):] {
		rules = append(rules, &expr.Rule{ID: id, Name: id, Expr: expr.Or()})
	}
	l.printer = printer{g.With(rules), spell(l.own)}
	l.facts = expr.Analyze(rules)
	l.left = expr.Circles(rules, l.facts.Leftmost)
	l.report.Productions = len(l.own)
	return l
}

func (l *linter) found(code Code, level results.Level, pos expr.Pos, r *expr.Rule, format string, args ...any) *Finding {
	l.report.Findings = append(l.report.Findings, Finding{
		Code: code, Level: level, Pos: pos, ID: r.ID, Production: r.Name, Message: quote.Bounded(fmt.Sprintf(format, args...)),
	})
	return &l.report.Findings[len(l.report.Findings)-1]
}

// undecided counts the productions of which something was not decided, and reports why. Those that use a name without
// a production are counted as lacking it, and not reported.
func (l *linter) undecided() {
	for _, r := range l.own {
		switch err := l.open[r]; {
		case l.lacks[r.ID]:
			l.report.Lacking++
		case err != nil:
			l.found(Undecided, results.Note, r.Pos, r, "`%s` is not decided: %v", r.Name, err)
		default:
			continue
		}
		l.report.Undecided++
	}
}

// leaveOpen notes that something about r was not decided.
func (l *linter) leaveOpen(r *expr.Rule, err error) {
	if l.open[r] == nil && !errors.Is(err, errNested) {
		l.open[r] = err
	}
}

// list joins names, no more than a line of them.
func list(names []string) string {
	const most = 8
	if len(names) <= most {
		return "`" + strings.Join(names, "`, `") + "`"
	}
	return "`" + strings.Join(names[:most], "`, `") + fmt.Sprintf("` and %d more", len(names)-most)
}
