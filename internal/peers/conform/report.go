package conform

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Report is the result of a run. It depends on nothing but the answers.
type Report struct {
	Grammars        []string     `json:"grammars"`
	Inputs          int          `json:"inputs"`
	Mutants         *Mutants     `json:"mutants,omitempty"` // what the inputs guarantee, if they were made here
	Implementations []Outcome    `json:"implementations"`
	Comparisons     []Comparison `json:"comparisons"`         // by implementation, then by grammar
	Undecided       []string     `json:"undecided,omitempty"` // the reasons of [Report.Gaps]; empty if anything differs
	Causes          []Cause      `json:"causes,omitempty"`
	Pairs           []Pair       `json:"pairs,omitempty"`

	cut string // Config.Cut
}

// Outcome counts an implementation's answers.
type Outcome struct {
	Name       string   `json:"name"`
	Accepted   int      `json:"accepted"`
	Rejected   int      `json:"rejected"`
	Undecided  int      `json:"undecided"`
	NoAnswer   int      `json:"no_answer"`
	FaultCount int      `json:"fault_count"`
	Faults     []*Fault `json:"faults,omitempty"` // the first ones
	GaveUp     string   `json:"gave_up,omitempty"`
}

// Comparison compares one implementation with one grammar.
type Comparison struct {
	Implementation string `json:"implementation"`
	Grammar        string `json:"grammar"`
	Production     string `json:"production,omitempty"` // the one that the grammar judges by; empty for URLs
	File           string `json:"file,omitempty"`       // the file of the grammar, if it is a user's
	Asked          int    `json:"asked"`
	Compared       int    `json:"compared"` // inputs that both decided, but for those of Elsewhere
	More           int    `json:"more"`     // accepted by the implementation alone
	Less           int    `json:"less"`     // accepted by the grammar alone
	Both           int    `json:"both"`     // accepted by both
	// not compared, since they are of a scheme that nobody asked for
	Elsewhere int     `json:"elsewhere,omitempty"`
	Tallies   []Tally `json:"components,omitempty"`

	// Unjudged counts the inputs that the grammar did not decide within its limits. If there are any, the
	// first of them and the reason follow.
	Unjudged      int        `json:"not_judged,omitempty"`
	UnjudgedFirst quote.Word `json:"not_judged_first,omitempty"`
	UnjudgedWhy   string     `json:"not_judged_why,omitempty"`

	unheard *unheard // nil if the implementation has decided inputs of both sorts

	// Groups come in this order: another host, other components that differ, components that are only absent or
	// empty, inputs that the implementation accepts and the grammar does not, and the reverse; in each, the largest
	// first.
	Groups []Group `json:"groups,omitempty"`
}

// An unheard is an input that an implementation did not decide, as it decided none of those that the grammar derives,
// or none of those that it does not: derived tells.
type unheard struct {
	input   string
	derived bool
}

// Holds reports whether the implementation decided at least one input, and agrees with the grammar on all
// that it decided.
func (c Comparison) Holds() bool { return len(c.Groups) == 0 && c.Compared > 0 }

// A Gap is something that a report without differences leaves open.
type Gap struct {
	Name   string // a word or two, without spaces
	Reason string // in a sentence
}

// Gaps returns the reasons why "no difference" would be no answer: strings that were left out, mutants that the
// strings may not tell from the grammar, strings that the grammar did not decide, and an implementation that decided
// no string of a sort. If the strings were given, and all were judged and answered, there are none.
func (r *Report) Gaps() (list []Gap) {
	if r.cut != "" {
		list = append(list, Gap{"left-out", r.cut})
	}
	if r.Mutants != nil {
		list = append(list, r.Mutants.listGaps()...)
	}
	for _, c := range r.Comparisons {
		if c.Unjudged > 0 {
			first := inQuotes(shorten(string(c.UnjudgedFirst)))
			list = append(list, Gap{"strings", fmt.Sprintf("%s did not decide %d of %s, the first of them %s: %s",
				c.subjectName(), c.Unjudged, layout.Plural(c.Asked, "string"), first, c.UnjudgedWhy)})
		}
		if c.unheard != nil {
			sort := "does not derive"
			if c.unheard.derived {
				sort = "derives"
			}
			list = append(list, Gap{"answers", fmt.Sprintf("%s decided none of the strings that %s %s, the first of them %s",
				c.Implementation, c.subjectName(), sort, inQuotes(shorten(c.unheard.input)))})
		}
	}
	return list
}

// shorten returns s, or its first 60 bytes and "..." if it is longer.
func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

// Differs reports whether any implementation differs from any grammar, or failed at an input, even if a fresh child
// then answered. It is also true if there was nothing to compare, unless the grammar left strings undecided.
func (r *Report) Differs() bool {
	failed := func(o Outcome) bool { return o.FaultCount > 0 }
	differs := func(c Comparison) bool {
		onlyUnjudged := len(c.Groups) == 0 && c.Unjudged > 0
		return !c.Holds() && !onlyUnjudged
	}
	return slices.ContainsFunc(r.Implementations, failed) || slices.ContainsFunc(r.Comparisons, differs)
}

// subjectName returns the name of the grammar, with its production, that the implementation is compared with.
func (c Comparison) subjectName() string {
	switch {
	case c.File != "":
		return c.File + " " + c.Production
	case c.Production != "":
		return catalog.TitleOf(c.Grammar) + " " + c.Production
	}
	return catalog.TitleOf(c.Grammar)
}

// Refusal returns a warning to show before the groups if the grammar derives at least ten strings and the
// implementation refuses nine in ten of them, and "" if not. The strings are made of a few by small changes. If
// those few are refused as they are, for their meaning, then the changes are not to blame.
func (c Comparison) Refusal() string {
	derived := c.Both + c.Less
	if derived < 10 || 10*c.Less < 9*derived {
		return ""
	}
	shortest := ""
	for _, g := range c.Groups {
		if w := string(g.Shortest); g.Kind == AcceptsLess && (shortest == "" || len(w) < len(shortest)) {
			shortest = w
		}
	}
	return fmt.Sprintf("%d of the %d strings that %s derives are refused, %s first: the places below may be "+
		"right, and the strings refused for what they mean, such as a date that does not "+
		"exist", c.Less, derived, c.subjectName(),
		inQuotes(shorten(shortest)))
}

// agreementText says in words how far the two agree on the strings that both decided, or why there are none to compare.
// There must be no groups.
func (c Comparison) agreementText() string {
	const nothing = "nothing to compare: "
	left := c.Asked - c.Elsewhere - c.Unjudged - c.Compared // not decided by the implementation
	var of string
	if c.Unjudged > 0 {
		of = " that the grammar decided"
	}
	switch {
	case c.Asked == 0:
		return "nothing was asked"
	case c.Compared == 0 && left > 0:
		return nothing + "it decided none of " + layout.Plural(left, "string")
	case c.Compared == 0 && c.Unjudged > 0:
		return nothing + "the grammar decided none of " + layout.Plural(c.Asked-c.Elsewhere, "string")
	case c.Compared == 0:
		return nothing + countOf(c.Elsewhere, "string is a URL of another scheme", "strings are URLs of other schemes")
	case left > 0:
		return fmt.Sprintf("agree on the %s decided; %s not",
			countOf(c.Compared, "string that was", "strings that were"), countOf(left, "was", "were"))
	case c.Compared == 1:
		return "agree on the one string" + of
	}
	return fmt.Sprintf("agree on all %d strings", c.Compared) + of
}

// countOf returns n, followed by the noun in the number that agrees with it.
func countOf(n int, one, many string) string {
	return fmt.Sprintf("%d %s", n, layout.Agree(n, one, many))
}

// Tally counts how a component compares in the inputs that both accept.
type Tally struct {
	Component string `json:"component"`
	Same      int    `json:"same"`
	Respelled int    `json:"respelled"`       // see Compare
	Blank     int    `json:"blank,omitempty"` // absent for one, empty for the other; only where both tell these apart
	Different int    `json:"different"`
}

// Mute reports whether all implementations were given up before they answered anything; true if there are none.
func (r *Report) Mute() bool {
	answered := func(o Outcome) bool { return o.GaveUp == "" || o.NoAnswer < r.Inputs }
	return !slices.ContainsFunc(r.Implementations, answered)
}

// Kind says how an implementation and a grammar differ.
type Kind string

// The kinds.
const (
	OtherComponent Kind = "component"    // both accept, and see different components
	AcceptsMore    Kind = "accepts-more" // the implementation accepts, the grammar does not
	AcceptsLess    Kind = "accepts-less" // the grammar accepts, the implementation does not
)

// Group is a set of inputs on which an implementation and a grammar part in the same way at the same place.
type Group struct {
	Number    int    `json:"number"` // in the report, from 1, in their order
	Kind      Kind   `json:"kind"`
	Component string `json:"component,omitempty"` // the component's name, for OtherComponent

	// Production is the innermost production in which they differ; Around has those around it, inner before
	// outer, at most [quote.LongNames], and MoreAround counts the others. Printed is a [quote.Passage], since a
	// report may have thousands of groups in one production.
	Production string   `json:"production"`
	Around     []string `json:"around,omitempty"`
	MoreAround int      `json:"more_around,omitempty"`
	Section    string   `json:"section"`
	Line       int      `json:"line"`           // the line of the RFC's text, or of File, where Production is printed
	File       string   `json:"file,omitempty"` // the file of the grammar, if it is a user's
	Printed    string   `json:"printed"`

	// At is the place where they differ: a byte of the shortest input in quotes, or "end of input"; "" if
	// there is no one place. Bytes is its class: all bytes that the grammar treats alike there. For a
	// component, At is the delimiter at which one of them cuts.
	At    string `json:"at"`
	Bytes string `json:"bytes,omitempty"`

	// How tells in which way a component differs; Term is the grammar's name for the text it reads there
	// (AcceptsLess), and Expected has the terms it could have read (AcceptsMore): at most [quote.LongNames], and
	// MoreExpected counts the others.
	How          string   `json:"how,omitempty"`
	Term         string   `json:"term,omitempty"`
	Expected     []string `json:"expected,omitempty"`
	MoreExpected int      `json:"more_expected,omitempty"`

	// Transitions counts the transitions of the grammar's automaton that fall together here, and Count the
	// inputs. Surely says that no input accepted by both takes the transition; without it, the place is the
	// least traveled one.
	Transitions int  `json:"transitions"`
	Count       int  `json:"count"`
	Surely      bool `json:"surely"`

	// Shortest is the first input in the order of lang.Compare; Offset is the place in it where they differ.
	Shortest quote.Word `json:"shortest"`
	Offset   int        `json:"offset"`
	Ours     string     `json:"grammar_sees,omitempty"` // the component's value, as Value.String gives it
	Theirs   string     `json:"implementation_sees,omitempty"`
	Error    string     `json:"implementation_says,omitempty"`

	// Repeat is a line of a program in the parser's language, or of a shell, that repeats the disagreement.
	// [Report.Repeat] sets it.
	Repeat string `json:"repeat,omitempty"`

	loose *loose // the loose production that this group lies in; nil for none
}

// Pair holds two implementations and the inputs whose hosts they see differently.
type Pair struct {
	A         string  `json:"a"`
	B         string  `json:"b"`
	Compared  int     `json:"compared"`           // inputs that both accept, where both say a host
	Different int     `json:"different"`          // inputs where these differ
	Shortest  []Sight `json:"shortest,omitempty"` // see comparePair
	Minimal   int     `json:"minimal"`            // how many Shortest would have without the limit
}

// Sight is an input with the hosts that two implementations see in it.
type Sight struct {
	Input quote.Word `json:"input"`
	A     string     `json:"a"` // as Value.String gives it
	B     string     `json:"b"`
}
