package lint

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
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
	Detail     []string // further lines
	Word       *quote.Word

	// Mended is a right-hand side for the production, in the notation of the grammar, that removes the finding. It was
	// tried; the text itself only if it could be read again (Options.Reread). It is "" if none is known.
	Mended string

	root string // the production that is the cause, if it is another one
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
	// Start is the ID of the production that inputs are derived from; productions that it cannot use are unused. If it
	// is "", a production that no other uses may be one that inputs are derived from.
	Start string

	// Nesting is the depth to which nested productions are unfolded: see [expr.Nesting]. If it is nil, they
	// are only searched for ambiguity, to a depth of 2 or as deep as the steps go.
	Nesting *int

	Limits Limits

	// Backtracks reports that the grammar is a regular expression of an engine that backtracks.
	Backtracks bool

	// Ordered reports that the grammar is written down as a PEG somewhere, so that strings that an ordered choice loses
	// are worth a warning and not a note.
	Ordered bool

	// Reread reads a right-hand side in the notation of a grammar. It serves to verify advice before it is printed; nil
	// verifies none.
	Reread func(g *expr.Grammar, text string) (*expr.Expr, error)

	// Text is the text of the grammar, whose comments may say what to ignore. Included has the texts of the files that
	// it includes, by their names in places; their productions are looked at like those of the text itself.
	Text     []byte
	Included map[string][]byte

	// Modeled reports that the grammar has the states of an automaton, after the production of a regular expression.
	// Whether the expression is ambiguous is then undecided, and only this production is looked at.
	Modeled bool

	// Noticed are findings made while the grammar was read, to be listed in their places.
	Noticed []Finding
}

// Limits cap the work. A field that is zero stands for its default; that for States is the limit of the grammar's
// budget.
type Limits struct {
	States int // of an automaton; default 1<<16
	Pairs  int // of states, where derivations of one production are compared; default 32 times States
	Work   int // states of all automata of a document; default 32 times States
}

// states returns l.States or its default.
func (l Limits) states() int { return cmp.Or(l.States, 1<<16) }

// derivationStates is the limit of an automaton with a path for each derivation, which is not minimal.
func (l Limits) derivationStates() int { return 4 * l.states() }

// pairs returns l.Pairs or its default.
func (l Limits) pairs() int { return cmp.Or(l.Pairs, 32*l.states()) }

// work returns l.Work or its default.
func (l Limits) work() int { return cmp.Or(l.Work, 32*l.states()) }

// lang returns the limits of automata.
func (l Limits) lang() lang.Limits {
	return lang.Limits{DFA: l.states(), NFA: 16 * l.states()}
}

// A Report is the result of [Lint].
type Report struct {
	Grammar  *expr.Grammar
	Findings []Finding // in the order of the text

	// Numbers of productions of the text: all; regular; looked at in spite of their nesting; ambiguous by themselves;
	// losing strings if alternatives are tried in order; those among them that are causes; and those that cannot be
	// tried in order.
	Productions, Regular, Nested, Ambiguous, Losing, Causes, Unordered int

	// Proven counts the productions that are not regular and were proven unambiguous. AmbiguousOf counts the
	// productions whose ambiguity was decided, and LosingOf those whose losses were.
	Proven, AmbiguousOf, LosingOf int

	// Undecided counts the productions about which something was not decided, Lacking those among them that use a name
	// of Missing, which has no production.
	Undecided, Lacking int
	Missing            []string

	// Code counts the rules of a PEG with code that may do more than return a value; the findings hold if it does not.
	Code int

	// Included has the names of the files that the text includes, in order.
	Included []string

	// Ignored counts the findings that the text says to ignore, Known those of a baseline, and Acknowledged those among
	// both that say that something is undecided.
	Ignored, Known, Acknowledged int
}

// Open reports whether something was left undecided that nobody has acknowledged.
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

// AtLeast returns a copy of the report with only the findings of a level and the higher ones. Findings that something
// is undecided stay, unless only errors are wanted. The counts stay as they are.
func (r *Report) AtLeast(level results.Level) *Report {
	s := *r
	s.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool {
		return rank(f.Level) < rank(level) && (f.Code != Undecided || level == results.Error)
	})
	return &s
}

// Form returns the findings about names and the form of productions, which need no automaton, in the order of the
// text. Comments that ignore findings have no effect on it.
func Form(g *expr.Grammar) []Finding {
	l := newLinter(g, Options{})
	l.checkNames()
	l.checkForm()
	l.sortFindings()
	return l.report.Findings
}

// rank returns the place of a level in the order of severity; "" has the lowest, 0.
func rank(l results.Level) int {
	return slices.Index([]results.Level{"", results.Note, results.Warning, results.Error}, l)
}

// Empty returns the report on a text without a production, with e as its only finding.
func Empty(e *expr.Error) *Report {
	g := &expr.Grammar{Name: e.Pos.File, File: e.Pos.File}
	f := Finding{Code: NoProduction, Level: results.Error, Pos: e.Pos, Message: quote.Bounded(e.Message)}
	return &Report{Grammar: g, Findings: []Finding{f}}
}

// Lint makes the checks and returns the findings, Options.Noticed among them, by file and in the order of its text,
// without those that comments in Options.Text and Options.Included ignore. The text must have a production. Lint fails
// if the grammar does not have the start, or has too many rules at the depth of nesting. A passed limit leaves
// productions undecided. If automata use up the budget of a BNF, only the production at which that happened is left
// open, with a reason that stands for all after it. If anything else uses the budget up, that is an error. The
// examples in comments are not tried for a regular expression.
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
		l.reportUndecided()
		l.applyIgnores()
		l.sortFindings()
		return l.report, nil
	}
	searched := g
	g, around := matchAlone(g)
	l := newLinter(g, o)
	l.searched, l.around = searched, around
	l.report.Findings = slices.Clone(o.Noticed)
	l.checkNames()
	l.checkForm()
	l.checkLiterals()
	if err := l.checkByAutomata(); err != nil {
		e, ok := errors.AsType[*budget.Exceeded](err)
		if !ok {
			return nil, err
		}
		// The findings so far hold. The production at which the budget ended is open, and with it the report.
		l.leaveOpen(l.ownOf(e.Production), fmt.Errorf("nor is what comes after it: %w", e))
	}
	if !l.regexp() {
		l.decideExamples()
	}
	l.reportUndecided()
	l.applyIgnores()
	l.sortFindings()
	return l.report, nil
}

// checkByAutomata reports everything that needs automata: what nests, ambiguity, parts that add nothing, backtracking
// and, unless the grammar is a regular expression, the strings that ordered choice loses. With Options.Modeled it does
// not ask for ambiguity, parts that add nothing and backtracking; newLinter has left the production open. It fails if
// there are too many rules at the depth of nesting, or if the budget is used up; what it reported before stays.
func (l *linter) checkByAutomata() (err error) {
	defer budget.Catch(&err)
	if err := l.computeLanguages(); err != nil {
		return err
	}
	if !l.options.Modeled {
		l.checkAmbiguities()
	}
	if !l.regexp() { // an engine comes back to the alternatives it has not tried
		l.checkLosses()
	}
	l.checkNested()
	return nil
}

// ownOf returns the production of the text with this label ([expr.Rule.Label]); if it has none, its first production.
// The text must have one.
func (l *linter) ownOf(name string) *expr.Rule {
	for _, r := range l.own {
		if r.Label() == name {
			return r
		}
	}
	return l.own[0]
}

// sortFindings sorts the findings by their places; those at one place keep their order.
func (l *linter) sortFindings() {
	slices.SortStableFunc(l.report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
}

// A linter is the state of one call of Lint. Its grammar is the given one with an empty production for each name that
// is missing.
type linter struct {
	printer
	options     Options
	own         []*expr.Rule // the productions of the text, and of the files that it includes
	facts       *expr.Facts
	leftCircles map[string][]*expr.Rule // by ID: the circle of a left-recursive production; see [expr.Circles]
	report      *Report

	searched *expr.Grammar             // of a regular expression: with the text that may stand before and after a match
	around   map[*expr.Expr]*expr.Expr // see [matchAlone]

	spread         *spread              // languages and automata of the grammar, to a depth
	langs          map[string]*language // by ID: the languages of own productions and those that they use
	regular        map[string]bool      // by ID
	ambiguousAlone map[string]bool      // own productions that are ambiguous by themselves
	sameLetters    map[expr.Pos]bool    // alternatives that differ from others in case only
	lacksName      map[string]bool      // by ID: productions that use a name without a production
	repeatsEmpty   map[string]bool      // own productions with a repetition of a part that can be empty
	openWhy        map[*expr.Rule]error // own productions about which something is not decided, and why
}

// newLinter returns a linter for g that has found nothing yet. It adds a production that derives nothing, not even the
// empty string, for each name that has none. It leaves the rules that stand in other files, such as core rules, out of
// l.own, unless the text includes the file; if g has no file, l.own has all rules of g. With Options.Modeled it has
// the first of these alone, which is left open. g is not changed.
func newLinter(g *expr.Grammar, o Options) *linter {
	l := &linter{
		options:        o,
		report:         &Report{Grammar: g},
		langs:          map[string]*language{},
		regular:        map[string]bool{},
		ambiguousAlone: map[string]bool{},
		sameLetters:    map[expr.Pos]bool{},
		lacksName:      map[string]bool{},
		repeatsEmpty:   map[string]bool{},
		openWhy:        map[*expr.Rule]error{},
	}
	rules := slices.Clone(g.Rules)
	l.own = slices.DeleteFunc(slices.Clone(rules), func(r *expr.Rule) bool { // core rules, and supplied ones
		_, included := o.Included[r.Pos.File]
		return r.Pos.File != g.File && g.File != "" && !included
	})
	if o.Modeled {
		l.own = l.own[:1]
		l.leaveOpen(l.own[0], errors.New("it has lookarounds or other parts that no grammar has, so that it is open "+
			"whether it is ambiguous, and how long an engine takes"))
	}
	for _, id := range g.Reach(expr.IDs(rules)...)[len(rules):] {
		rules = append(rules, &expr.Rule{ID: id, Name: id, Expr: expr.Or()})
	}
	l.printer = printer{g.With(rules), spellingOf(l.own)}
	l.facts = expr.Analyze(rules)
	l.leftCircles = expr.Circles(rules, l.facts.Leftmost)
	l.report.Productions = len(l.own)
	l.report.Included = slices.Sorted(maps.Keys(o.Included))
	return l
}

// found adds a finding about r to the report, and returns it for the caller to complete before the next is added.
func (l *linter) found(code Code, level results.Level, pos expr.Pos, r *expr.Rule, format string,
	args ...any) *Finding {
	l.report.Findings = append(l.report.Findings, Finding{
		Code: code, Level: level, Pos: pos, ID: r.ID, Production: r.Name,
		Message: quote.Bounded(fmt.Sprintf(format, args...)),
	})
	return &l.report.Findings[len(l.report.Findings)-1]
}

// reportUndecided counts the own productions about which something was not decided, and reports the first reason of
// each. All that use a name without a production are among them: they are counted as lacking it, and not reported.
func (l *linter) reportUndecided() {
	for _, r := range l.own {
		switch err := l.openWhy[r]; {
		case l.lacksName[r.ID]:
			l.report.Lacking++
		case err != nil:
			l.found(Undecided, results.Note, r.Pos, r, "`%s` is not decided: %v", r.Name, err)
		default:
			continue
		}
		l.report.Undecided++
	}
}

// leaveOpen records that something about r was not decided; only the first reason counts. Nesting alone is no reason.
func (l *linter) leaveOpen(r *expr.Rule, err error) {
	if l.openWhy[r] == nil && !errors.Is(err, errNested) {
		l.openWhy[r] = err
	}
}

// mostListed is how many names list writes.
const mostListed = 8

// list joins names with commas: the first eight, and how many more there are.
func list(names []string) string { return listOf(names[:min(len(names), mostListed)], len(names)) }

// listOf is list for the first of so many names, as far as list writes them.
func listOf(first []string, count int) string {
	s := "`" + strings.Join(first, "`, `") + "`"
	if more := count - len(first); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}
