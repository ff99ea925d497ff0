package lint

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
)

// A Check is a kind of finding.
type Check struct {
	Code   Code
	Levels []results.Level // that its findings can have, the highest first
	Title  string          // a clause
	Text   string          // why it matters, and what to do
}

// Checks lists the checks, those of the highest level first.
var Checks = []Check{
	{NoProduction, []results.Level{results.Error}, "the text of a specification has no production",
		"No lines were found in it that are ABNF, or W3C's EBNF, and hang together. Pictures of messages, " +
			"and programs, are no grammars. --lines names the lines of a grammar that was not seen; what is " +
			"wrong in it is then reported."},
	{Undefined, []results.Level{results.Error}, "a name has no production",
		"Whoever implements the grammar has to guess what the name means. Define it, or say which document " +
			"does. Here the name derives nothing, so that what else is found holds for the rest of the " +
			"grammar. --define supplies a right-hand side."},
	{DerivesNothing, []results.Level{results.Error}, "a production derives no string",
		"Every derivation from it comes back to where it began: an alternative without recursion is missing."},
	{WrongExample, []results.Level{results.Error, results.Note}, "a comment says what a production does not do",
		"A comment \"bnfcheck:accepts\" or \"bnfcheck:rejects\" with strings in double quotes, as \"a.b\" " +
			"\"\\r\\n\", is about the production of its line, or about the next one if it has a line of its " +
			"own. Each string is tried. It is a note where that is not decided: where a name has no " +
			"production, or a limit was passed."},
	{Unread, []results.Level{results.Warning, results.Error}, "what looks like grammar is not read",
		"In the text of an RFC what is no ABNF is prose, or an example. These lines stand among productions, " +
			"or begin like one that others use, and a mistake keeps them from being read; or they stand in a " +
			"block that is not marked, where others are. No production of another RFC is taken instead. " +
			"--lines with these lines reads them, and makes a mistake an error; without them, as !12-14, " +
			"they are prose. It is an error if a production is refused for a value, a count or a character: " +
			"what uses it has no language, and --define supplies one."},
	{LeftRecursion, []results.Level{results.Error, results.Warning}, "a production uses itself before anything is read",
		"As a grammar this has a meaning. A recursive-descent parser or a PEG that is written down from it " +
			"calls itself for ever. A repetition mostly does the same: list = item *(\",\" item) for list = " +
			"[list \",\"] item."},
	{EmptyRepetition, []results.Level{results.Error, results.Warning, results.Note},
		"a repetition of what may be empty",
		"A round may read nothing, so that a count counts nothing, and without an upper limit there is no " +
			"end to the derivations of a string; a PEG repeats for ever. Make what is repeated non-empty."},
	{AddsNothing, []results.Level{results.Warning, results.Note}, "a part adds no string",
		"Without the alternative, or what may be left out, the production derives the same strings. It is a " +
			"note where another alternative derives more, which may be meant: names beside the token that " +
			"they are examples of. It is exact for a regular production. Of a regular expression, its " +
			"matches and the strings that pass its test are both the same."},
	{Ambiguous, []results.Level{results.Warning}, "a string has two derivations",
		"Two derivations of a string differ in an alternative, in a number of rounds, or in which part of it " +
			"a name derives. Two readers can take the string apart in two ways, and mean different things by " +
			"it. The shortest such string is shown, with both: each name in brackets, before what it " +
			"derives. An ambiguity is reported where it arises and not where it is used. It is exact for a " +
			"regular production."},
	{Backtracking, []results.Level{results.Warning}, "an engine that backtracks takes very long",
		"Of regular expressions: the number of ways to match the beginning of a string grows exponentially, " +
			"or as a polynomial, with its length, and an engine that backtracks tries them all before it " +
			"gives up. The string is shown, with the part that is repeated; no match begins where it does. " +
			"What it takes to try the other places where one may begin is not counted. Expressions with " +
			"lookarounds or atomic groups are not looked at."},
	{NeverMatches, []results.Level{results.Warning, results.Note}, "an alternative of a PEG never matches",
		"A PEG takes the first alternative that matches, and does not come back to the others. Wherever this " +
			"one would match a beginning of what is left, one before it does. The shortest string that it " +
			"would match is shown, with the one that takes it, and an order in which every alternative " +
			"matches and no string is lost, if one was found: that was tried. It is exact for a rule that " +
			"does not nest, and a note to a depth for one that does."},
	{EatsAll, []results.Level{results.Warning}, "a repetition takes what has to follow it",
		"A repetition of a PEG takes as many rounds as it can and gives none back, so that what follows " +
			"never matches. A lookahead in it, ( !next item )*, makes it stop in time."},
	{MatchesNothing, []results.Level{results.Warning}, "a rule of a PEG matches nothing",
		"It matches no beginning of any input. It is reported where it arises, and not of the rules that come to it."},
	{PrefixOnly, []results.Level{results.Warning, results.Note}, "the end of the input is not where an entry ends",
		"A rule where inputs begin either matches none to its end, or lets anything follow: pigeon's parser " +
			"accepts an input of which the rule matches a beginning. !. at the end of an entry of its own " +
			"says that the input ends. Peggy's parser wants the end."},
	{OrderedChoice, []results.Level{results.Warning, results.Note}, "a transcription into ordered choice loses strings",
		"In a grammar the order of alternatives means nothing. In a PEG, and in most parsers that are " +
			"written by hand, the first that matches is taken, and a repetition takes as much as it can; " +
			"what then does not fit is rejected. The shortest lost string is shown, with what hides its " +
			"derivation, and an order of the alternatives that loses nothing, if there is one, which is " +
			"proven. A production that loses strings only because of another one is listed with that one, " +
			"since it is right once that one is. It is decided for regular productions, and not asked of " +
			"regular expressions, whose engines come back to the other alternatives."},
	{LetterCase, []results.Level{results.Warning, results.Note}, "a literal whose case surprises",
		"In ABNF \"A\" matches a as well (RFC 5234 section 2.3), and %x41 does not. A text that has both may " +
			"mean the one where it writes the other. %s\"A\" matches only A (RFC 7405)."},
	{Unused, []results.Level{results.Warning, results.Note}, "a production has no use",
		"If inputs are derived from it, all is well: name it, as in FILE#PRODUCTION, and what it cannot use " +
			"is reported. Otherwise it was forgotten somewhere, or can go."},
	{UnusedLabel, []results.Level{results.Note}, "no code reads a label",
		"A label of a PEG is a parameter of the code that follows in its rule. Without such code it does nothing."},
	{AddedFirst, []results.Level{results.Note}, "an addition stands before what it adds to",
		"RFC 5234 section 3.3 defines =/ for a rule that is already there. Many tools read it in " +
			"either order; some do not."},
	{AddedAlone, []results.Level{results.Warning, results.Note}, "an addition to a rule that is not there",
		"RFC 5234 section 3.3 defines =/ for a rule that is already there. If it is a rule of another " +
			"document, --import NAME=FILE joins the two; if it is not, write =. In the text of an RFC it is " +
			"a note."},
	{Notation, []results.Level{results.Warning, results.Note}, "the text deviates from its notation",
		"It is read all the same, as the message has it. Other tools may refuse it, or read it in another " +
			"way. It is a warning in a file of ABNF that RFC 5234, with the strings of RFC 7405, does not " +
			"derive: a parser that does what they say refuses the file. The end of a line may be LF alone, " +
			"and all lines may be indented. In the text of an RFC it is a note."},
	{Nesting, []results.Level{results.Note}, "a production nests, so that no automaton decides what it derives",
		"What uses it is not regular. --nesting N looks at derivations that re-enter it no more than N " +
			"times. What is found then holds; what is not found may still be there, deeper. A parser of what " +
			"is regular takes linear time. Of the rest, what generate writes a general parser for is found " +
			"out by generate, and stands with the reason in the head of the package: it takes linear time " +
			"where a byte of lookahead decides what ends, and at most cubic time."},
	{Undecided, []results.Level{results.Note}, "a production is not decided",
		"An automaton passed a limit, which --limit-states raises."},
	{Ignore, []results.Level{results.Error, results.Warning}, "a comment ignores what it cannot, or means nothing",
		"A comment \"bnfcheck:ignore CODE REASON\" leaves out the findings of a code, or of several with " +
			"commas between them, in the production of its line, or in the next one if it has a line of its " +
			"own. It gives a reason, and ignores something. A comment with another word after \"bnfcheck:\" is an " +
			"error, unless it is an example or a setting of an editor."},
}

// Of returns the check with a code; false if there is none.
func Of(code string) (Check, bool) {
	for _, c := range Checks {
		if string(c.Code) == code {
			return c, true
		}
	}
	return Check{}, false
}

// Codes lists the codes of the checks.
func Codes() (list []string) {
	for _, c := range Checks {
		list = append(list, string(c.Code))
	}
	return list
}

// String returns the check in a few lines, which are not wrapped.
func (c Check) String() string {
	var levels []string
	for _, l := range c.Levels {
		levels = append(levels, string(l))
	}
	return fmt.Sprintf("%s (%s): %s\n\n%s\n", c.Code, strings.Join(levels, " or "), c.Title, c.Text)
}
