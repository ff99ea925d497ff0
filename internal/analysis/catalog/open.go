package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/analysis/tokens"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An Opened is a grammar that a person has named, and the production in it that was meant.
type Opened struct {
	// Grammar is unordered, unless the file holds a PEG.
	Grammar *expr.Grammar

	// Within is Grammar with each recursion that nests read to the depth of the options; automata are made of it.
	// Depth is that depth. It is nil if no depth was asked for or nothing nests; Within is then Grammar.
	Within *expr.Grammar
	Depth  *int

	// CanReadLess says that ReadDeep chose the depth, and that a lesser one comes next where this is too large.
	CanReadLess bool

	// Built is the grammar if it is built in; nil for a file.
	Built *Subject

	Kind Kind   // of the file
	File string // its name, printable; "" if there is no file
	Text []byte // its contents

	// Included has the texts of the files that a document includes, by their names in places.
	Included map[string][]byte

	// Notices were given while the file was read, and Blocks are its parts that hold productions.
	Notices []bnf.Notice
	Blocks  []bnf.Block

	// Source is the text of the productions, if its author says that it is ABNF and nothing else; otherwise nil.
	Source *bnf.Text

	// Unicode is the assumption of a regular expression about the version of Unicode, a sentence without a full stop;
	// "" if nothing in it depends on that.
	Unicode string

	// Readings are those of the options that are on.
	Readings []bnf.Reading

	// Tokens is the grammar read as one of tokens; nil if it is not read so.
	Tokens    *tokens.Tokens
	terminals *bnf.Terminals

	// Asked is the production as it was asked for; "" if only the grammar was named.
	Asked string

	// Tell, unless it is nil, is called the first time that a start is chosen among several, with a sentence on the
	// choice and its reason.
	Tell func(string)

	// For a regular expression with parts that no grammar has: its language, and a grammar with the places of its
	// parts, which derives more. Grammar then has the states of the automaton.
	exact      *lang.DFA
	places     *expr.Grammar
	expression *regex.Regex // itself
	match      regex.Match  // tells which strings it stands for
}

// LeftOut returns the notices about text that looks like grammar and is not read.
func (n *Opened) LeftOut() []bnf.Notice {
	return slices.DeleteFunc(slices.Clone(n.Notices), func(n bnf.Notice) bool { return !n.LeftOut })
}

// TwoWays lists the notices of places that can be read in two ways: those in the productions that the one that is
// meant needs, or all if none is meant. A notice about several places, about one in no production, or about another
// file is always listed.
func (n *Opened) TwoWays() (list []bnf.Notice) {
	needed := map[string]bool{}
	if r, err := n.Meant(); err == nil {
		needed = n.Grammar.Reached(r.ID)
	}
	isElsewhere := func(r *expr.Rule) bool { return r.Pos.File != n.File }
	ruleAt := expr.ByPlace(slices.DeleteFunc(slices.Clone(n.Grammar.Rules), isElsewhere))
	for _, notice := range n.Notices {
		if !notice.TwoWays {
			continue
		}
		// A notice that is about several places, or about one in no production, is listed in any case.
		var rule *expr.Rule
		if notice.Pos.File == n.File && notice.Places == 1 {
			rule, _ = ruleAt(expr.Pos{Line: notice.Pos.Line, Col: expr.EndOfLine})
		}
		if len(needed) == 0 || rule == nil || needed[rule.ID] {
			list = append(list, notice)
		}
	}
	return list
}

// Published returns the grammar if it is built in and has a parser, and otherwise nil.
func (n *Opened) Published() *Published {
	if n.Built == nil {
		return nil
	}
	return n.Built.published
}

// HasPEG reports whether the grammar is built in with its transcription, or its file has a PEG of the same name next
// to it, or is one.
func (n *Opened) HasPEG() bool {
	if n.Built != nil {
		return n.Published() != nil
	}
	stem := strings.TrimSuffix(n.File, filepath.Ext(n.File))
	for _, notation := range Notations {
		if !notation.Kind.IsPEG() {
			continue
		}
		for _, ending := range notation.Endings {
			if info, err := os.Stat(stem + ending); err == nil && info.Mode().IsRegular() {
				return true
			}
		}
	}
	return false
}

// ReadTo returns in words the depth to which a production is read. It returns "" if the production neither nests nor
// uses one that does, or if no depth was asked for.
func (n *Opened) ReadTo(id string) string {
	if n.Depth == nil || !n.Grammar.Nesting().Users()[id] {
		return ""
	}
	return fmt.Sprintf("to a nesting of %d", *n.Depth)
}

// deepest is the depth to which recursion that nests is read if no depth was asked for. A depth of 0 may take as many
// steps as the limit allows for all work, a depth of 1 half of them, and 2 an eighth.
const deepest = 2

// ReadDeep calls f with n. If r nests and no depth was asked for, it calls f with the grammar read to a depth: the
// deepest first, and then a lower one as long as f fails because a limit was passed. It never reads to a depth at which
// r derives no string, unless r derives none at any, and fails if that depth was asked for. A rule nests if one that it
// needs does. ReadDeep returns the error of the last call of f. Only f's use of n's own grammar is charged to the
// budget of n.
func (n *Opened) ReadDeep(r *expr.Rule, f func(n *Opened) error) (err error) {
	if n.Grammar.Ordered || n.Nests(r.ID) == "" {
		return f(n)
	}
	nesting := n.Grammar.Nesting()
	least, derives := nesting.Least(r.ID)
	switch {
	case !derives: // at whatever depth
		least = 0
	case n.Depth != nil && *n.Depth < least:
		return expr.Refusef(r.Pos, "%s derives no string that nests no deeper than %d: its least depth is %d",
			r.Label(), *n.Depth, least)
	}
	if n.Depth != nil {
		return f(n)
	}
	most := max(deepest, least)
	for depth := most; depth >= least && (depth == most || errors.Is(err, budget.ErrTooLarge)); depth-- {
		cut, err1 := nesting.To(depth)
		if err1 != nil {
			return err1
		}
		read := *n
		read.Depth, read.Within = &depth, cut.With(cut.Rules)
		read.CanReadLess = depth > least
		b := n.Grammar.Budget
		read.Within.Budget = b.Part(int64(b.Share(depth * (depth + 1) / 2)))
		err = f(&read)
	}
	return err
}

// Nests returns a sentence on which of the productions that the one with this ID needs nest, and how to have them
// read to a depth. It returns "" if none nests. The numbers of rules in it are those of the whole grammar, without core
// rules.
func (n *Opened) Nests(id string) string {
	nesting := n.Grammar.Nesting()
	users := nesting.Users()
	reach := n.Grammar.Reach(id)
	heads := slices.DeleteFunc(nesting.Heads(), func(r *expr.Rule) bool { return !slices.Contains(reach, r.ID) })
	irregular, all := 0, 0
	for _, r := range n.Grammar.Rules {
		if bnf.IsCore(r) {
			continue
		}
		all++
		if users[r.ID] {
			irregular++
		}
	}
	return NestingNote(heads, irregular, all, "reads them to that depth")
}

// namedHeads caps the rules, or names, that a message names.
const namedHeads = 4

// NestingNote returns a sentence without a full stop: which rules nest, how many rules are irregular for it, and what
// a depth does about it: "comment (mail.abnf:34) nests, so that 99 of 149 rules are not regular: --nesting 3 reads
// them to that depth". The end, from "reads" on, is does. Of heads it names the first namedHeads, and is silent about
// the others. It returns "" if heads is empty.
func NestingNote(heads []*expr.Rule, irregular, all int, does string) string {
	if len(heads) == 0 {
		return ""
	}
	var names []string
	for _, r := range heads[:min(len(heads), namedHeads)] {
		names = append(names, fmt.Sprintf("%s (%s:%d)", r.Label(), r.Pos.File, r.Pos.Line))
	}
	return fmt.Sprintf("%s %s, so that %d of %d %s %s not regular: --nesting 3 %s", strings.Join(names, " and "),
		layout.Agree(len(names), "nests", "nest"), irregular, all, layout.Agree(all, "rule", "rules"),
		layout.Agree(irregular, "is", "are"), does)
}

// Models reports whether the productions of the grammar are the states of the automaton of a regular expression.
func (n *Opened) Models() bool { return n.exact != nil }

// Backtracks reports whether the grammar is a regular expression of an engine that backtracks: see [regex.Backtracks].
func (n *Opened) Backtracks() bool {
	return n.expression != nil && regex.Backtracks(n.expression.Flavor)
}

// Start returns the production that is meant: the one that was asked for or, in a grammar that is built in, its
// start. In a file it is the only one that no other production uses, or the first if it uses all others; in a PEG it
// is the first. Otherwise Start fails, and the error lists what can be chosen. It fails with a [*bnf.MissingError] if
// the production needs a name that the file does not define, and with the reason if the production was refused. It
// tells n.Tell why it chose one, and sets that to nil. From then on the budget names the production.
func (n *Opened) Start() (*expr.Rule, error) {
	r, err := n.Meant()
	if err == nil && n.Built == nil && !n.Grammar.Ordered {
		err = bnf.CheckMissing(n.Grammar, r.ID)
	}
	if err == nil && r.Refused != nil {
		err = r.Refused
	}
	if err != nil {
		return nil, err
	}
	n.Grammar.Budget.In(r.Label())
	if n.Tell == nil || n.Asked != "" || n.Built != nil {
		return r, nil
	}
	if _, why := n.Starts(); why != "" {
		n.Tell(fmt.Sprintf("start: %s, %s; %s#NAME chooses another", r.ID, why, n.File))
		n.Tell = nil
	}
	return r, nil
}

// Meant is [Opened.Start] for those who only look at the production: it may be refused, or need a name that is
// undefined, and Tell is not called. The grammar must have a production, unless one was asked for.
func (n *Opened) Meant() (*expr.Rule, error) {
	switch {
	case n.Asked != "":
		return n.Lookup(n.Asked)
	case n.Built != nil:
		return n.Grammar.Rule(n.Built.Start), nil
	}
	list, _ := n.Starts()
	if len(list) == 1 {
		return list[0], nil
	}
	var there []string
	for i, r := range list {
		name := r.ID
		if i < mostStarts { // the others are counted, and not named
			name = fmt.Sprintf("%s (which uses %s)", r.ID, layout.Plural(n.countUsed(r), "other"))
		}
		there = append(there, name)
	}
	return nil, fmt.Errorf("%s: each of %d productions can be the start: choose one, as in %s#%s; there are %s",
		n.File, len(list), n.File, list[0].ID, layout.Some(there, mostStarts, ", "))
}

// mostStarts caps the productions that the error of [Opened.Meant] names.
const mostStarts = 8

// mostPairs caps the pairs of a start and a production that [Opened.Starts] looks at to order the starts.
const mostPairs = 1e6

// Starts returns the productions that can be meant if none is named, those that use the most others first. If there
// are too many to count uses, they are in the order of the text, and so are those that use equally many. If there is
// only one, why is the reason for it, or "" if it is the only one that no other production uses. The grammar must have
// a production.
func (n *Opened) Starts() (list []*expr.Rule, why string) {
	first, used := n.Grammar.Rules[0], n.Grammar.UsedByOthers()
	unused := slices.DeleteFunc(slices.Clone(n.Grammar.Rules), func(r *expr.Rule) bool { return used[r.ID] })
	list = slices.DeleteFunc(slices.Clone(unused), func(r *expr.Rule) bool { return bnf.IsCoreName(r.Name) })
	switch {
	case len(unused) == 1 && (unused[0] == first || !n.Grammar.Ordered):
		return unused, ""
	case n.Grammar.Ordered:
		return []*expr.Rule{first}, "the first rule, where parsers made of a PEG start"
	case n.countUsed(first) == len(n.Grammar.Rules)-1:
		return []*expr.Rule{first}, "the first production, which uses all others"
	case len(list) == 1:
		return list, "the only production that no other uses, core rules of ABNF apart"
	case len(list) == 0:
		list = slices.Clone(n.Grammar.Rules)
	}
	if len(list)*len(n.Grammar.Rules) > mostPairs {
		return list, ""
	}
	uses := map[*expr.Rule]int{}
	for _, r := range list {
		uses[r] = n.countUsed(r)
	}
	slices.SortStableFunc(list, func(a, b *expr.Rule) int { return uses[b] - uses[a] })
	return list, ""
}

// countUsed returns how many other productions a production uses, directly or through others. Names without a
// production do not count.
func (n *Opened) countUsed(r *expr.Rule) (count int) {
	for _, id := range n.Grammar.ReachInText(r.ID)[1:] {
		if n.Grammar.Rule(id) != nil {
			count++
		}
	}
	return count
}

// Lookup finds a production of the grammar by its ID or, if that is unique, by its name, in either case if the
// notation ignores case. A rule of a PEG is also found by the name of the production that it transcribes. It fails
// with an [*UnknownError] if there is none. If there are several, the error names at least two of them, and is
//
//   - in a file, an [*expr.AmbiguousError];
//   - in a grammar that is built in, an [*UnknownError] around one;
//   - in a PEG, an error without a type.
func (n *Opened) Lookup(name string) (*expr.Rule, error) {
	r, err := n.Grammar.Lookup(name)
	switch {
	case err == nil:
		return r, nil
	case n.Grammar.Ordered:
		if r := n.Grammar.Rule(peg.Ident(name)); r != nil {
			return r, nil
		}
		same := slices.DeleteFunc(slices.Clone(n.Grammar.Rules),
			func(r *expr.Rule) bool { return !SameName(r.ID, name) })
		switch {
		case len(same) == 1:
			return same[0], nil
		case len(same) > 1:
			return nil, fmt.Errorf("%s: %q can be the rule %s (%s) or %s (%s)", n.File, name, same[0].ID, same[0].Pos,
				same[1].ID, same[1].Pos)
		}
		err = fmt.Errorf("%s has no rule %q", n.File, name)
	case n.File != "":
		if several, ok := errors.AsType[*expr.AmbiguousError](err); ok {
			return nil, &expr.AmbiguousError{Grammar: n.File, Name: name, IDs: several.IDs}
		}
		err = fmt.Errorf("%s has no production %q", n.File, name)
	}
	return nil, newUnknownError(err, name, n.Grammar)
}

// An UnknownError reports that a grammar has no production with a name.
type UnknownError struct {
	Err   error
	Name  string
	Known []string // the IDs of the grammar
}

// newUnknownError returns the error that g has no production with a name, with the names that it has.
func newUnknownError(err error, name string, g *expr.Grammar) *UnknownError {
	return &UnknownError{Err: err, Name: name, Known: expr.IDs(g.Rules)}
}

func (e *UnknownError) Error() string { return e.Err.Error() }
func (e *UnknownError) Unwrap() error { return e.Err }

// Language returns the language of the production that [Opened.Start] returns, without computing it. It fails where
// Start does, and uses n.Tell in the same way.
func (n *Opened) Language() (Language, error) {
	r, err := n.Start()
	switch {
	case err != nil:
		return Language{}, err
	case n.Built != nil:
		return n.Built.Language(r.ID), nil
	}
	l := Language{Grammar: n.Within, Production: r.ID, Reading: n.ReadTo(r.ID), File: true, expression: n.expression,
		match: n.match}
	if n.exact != nil {
		l.Grammar, l.Exact = n.places, n.exact
	}
	if l.Reading != "" {
		l.Deeper = func(w string) (yes, known bool) { return n.derives(r, w) }
	}
	return l, nil
}

// derives reports whether r derives, or matches, all of w. known is false, and yes means nothing, if that takes too
// much.
func (n *Opened) derives(r *expr.Rule, w string) (yes, known bool) {
	if n.Grammar.Ordered {
		yes, err := peg.Accepts(n.Grammar, r.ID, w)
		return yes, err == nil
	}
	return interpreter.Derives(n.Grammar, r.ID, w)
}

// checkNames returns an error if the production r of a file needs names that have no production, or one that is prose
// or could not be read. It names some of them.
func (n *Opened) checkNames(r *expr.Rule) error {
	if n.Built != nil {
		return nil
	}
	var names []string
	for _, m := range bnf.Missing(n.Grammar, r.ID) {
		names = append(names, "`"+cmp.Or(m.In, m.Name)+"`")
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("it needs %s, whose strings are not known",
		quote.Bounded(layout.Some(names, namedHeads, ", ")))
}

// Automaton returns the minimal automaton of the production r, or of the rule r of a PEG. It fails if the automaton
// is too large, if the language is not regular and no depth was asked for, or if the production needs a name that has
// no production.
func (n *Opened) Automaton(r *expr.Rule) (*lang.DFA, error) {
	if n.exact != nil && r.ID == n.Asked {
		return n.exact, nil
	}
	if n.Grammar.Ordered {
		return lang.FromPEG(n.Within, r.ID)
	}
	if err := n.checkNames(r); err != nil {
		return nil, err
	}
	a, err := lang.FromBNF(n.Within, r.ID)
	if err != nil && n.expression != nil && n.match == regex.Search {
		err = whyTooLarge(n.expression, err, n.Within.Budget)
	}
	if err != nil && n.Kind == Regexp {
		err = fmt.Errorf("%s: %w", r.Pos, err)
	}
	return a, err
}

// Automata returns a function like [Opened.Automaton] that is quicker for many productions: which of them nest is found
// by one look at the grammar, and not for each by a look at all that it uses. That is the error then, whatever else is
// wrong.
func (n *Opened) Automata() func(r *expr.Rule) (*lang.DFA, error) {
	if n.Grammar.Ordered || n.Kind == Regexp {
		return n.Automaton
	}
	faults, _ := lang.Faults(n.Within) // where that fails, so does each automaton
	return func(r *expr.Rule) (*lang.DFA, error) {
		if err := faults[r.ID]; err != nil {
			return nil, err
		}
		return n.Automaton(r)
	}
}
