package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
)

// Every exit status comes from the table in this file. A command ends with an error, the error names a situation, and
// the table gives the status of each situation by command. The last paragraph of a command's help is made from its
// row, and docs/statuses.md from all of them. TestStatuses runs the example of each cell that has one.

// The exit statuses.
const (
	statusOK       = 0
	statusNegative = 1 // something was rejected, or does not hold
	statusFailed   = 2 // it cannot be asked: wrong usage, or input or output failed
	statusOpen     = 3 // neither proven nor refuted, or not decided
)

// A situation is how a command can end.
type situation int

// The situations, in the order of the columns.
const (
	holds     situation = iota // equal, accepted, written
	different                  // different, refuted, rejected, found
	news                       // different, where the difference is the answer
	empty                      // a side has no string
	undecided                  // a limit was passed, or what was given is beyond what can be decided
	partly                     // a part was not read, or not compared, and nothing differs in the rest
	notAsked                   // the command line asks nothing that can be answered
	unread                     // a file is not in its notation, or reading or writing failed
	defect                     // the program has a fault
	situations
)

// titles are the heads of the columns, and what they mean in a sentence.
var titles = [situations]struct{ head, means string }{
	holds:     {"holds", "equal, accepted, proven or written"},
	different: {"differs", "different, rejected, refuted or found"},
	news:      {"news", "different, where the difference is what was asked for"},
	empty:     {"empty", "one side, or both, has no string at all"},
	undecided: {"undecided", "a limit was passed, or something cannot be decided"},
	partly:    {"partly", "something was left out, and nothing differs in the rest"},
	notAsked:  {"not asked", "the command line asks nothing that can be answered"},
	unread:    {"unread", "a file is not in its notation, or reading or writing failed"},
	defect:    {"defect", "the program has a fault, and says how to report it"},
}

// An outcome is a cell of the table.
type outcome struct {
	status int
	when   string // completes "The exit status is N if"; "" where it is that of every command
	try    string // arguments that end so, in the folder of TestStatuses; "" where no small input does
}

// everyCommand is the row of a command without one, and completes the others.
var everyCommand = map[situation]outcome{
	holds:    {statusOK, "it has printed what was asked for", ""},
	notAsked: {statusFailed, "", ""},
	unread:   {statusFailed, "", ""},
	defect:   {statusOpen, "", ""},
}

const (
	large      = `'js:/^(a|b)*a(a|b){20}$/'` // an automaton of a million states
	lookaround = `'js:/^(?=a)a+$/'`          // what no grammar has
)

// outcomes has a row for each command that decides something.
var outcomes = map[string]map[situation]outcome{
	"check": {
		holds:     {statusOK, "every string is accepted", "check -g one.abnf x"},
		different: {statusNegative, "one is rejected", "check -g one.abnf y"},
		empty:     {statusNegative, "", "check -g none.abnf a"}, // which rejects each
		undecided: {statusOpen, "none is rejected, and one is not decided", ""},
		notAsked:  {statusFailed, "", "check"},
		unread:    {statusFailed, "", "check -g bad.abnf x"},
	},
	"claims": {
		holds:    {statusOK, "the claims are decided", "claims 1738"},
		news:     {statusOK, "one is refuted, for that is an answer", ""},
		notAsked: {statusFailed, "", "claims nothing"},
	},
	"conform": {
		holds: {statusOK, "no difference was found", "conform --each-line=exit lower.abnf -- cmp -s - x.txt"},
		different: {statusNegative, "a parser and a grammar differ, an answer is missing, or no answer is a verdict",
			"conform --each-line=exit one.abnf -- true"},
		empty: {statusFailed, "the grammar has no string", "conform --each-line=exit none.abnf -- false"},
		undecided: {statusOpen, "no difference was found, and some mutant was not looked at, or may derive the " +
			"same, the grammar did not decide some string, or the parser decided none of those that the grammar " +
			"derives or none of the others, as the first line then says",
			"conform --limit-steps 100000 --each-line=exit " + large + " -- grep -Eqx '(a|b)*a(a|b){20}'"},
		partly: {statusOpen, "a line was left out, because it is too long",
			"conform --each-line=exit one.abnf --file long.txt -- grep -qxi x"},
		notAsked: {statusFailed, "", "conform --each-line=exit one.abnf"},
		unread: {statusFailed, "a program cannot be started, or ends too often",
			"conform --each-line=exit one.abnf -- ./missing"},
	},
	"diff": {
		holds: {statusOK, "the two are equal", "diff one.abnf one.abnf"},
		different: {statusNegative, "they differ, and one of them is a file or an expression",
			"diff one.abnf two.abnf"},
		news:      {statusOK, "two texts that are built in differ", "diff httpaddress httpurl"},
		empty:     {statusFailed, "a side has no string", "diff none.abnf one.abnf"},
		undecided: {statusOpen, "that cannot be decided", "diff one.abnf " + large},
		partly:    {statusOpen, "a production was not compared, and no other differs", "diff ab.abnf ac.abnf"},
		notAsked:  {statusFailed, "", "diff one.abnf"},
		unread:    {statusFailed, "", "diff bad.abnf one.abnf"},
	},
	"explain": {
		holds:     {statusOK, "it has printed what was asked for", "explain httpurl"},
		different: {statusNegative, "the URL of --access is rejected", "explain --access http://a/~"},
		notAsked:  {statusFailed, "", "explain nothing"},
	},
	"extract": {
		holds:  {statusOK, "the text was read", "extract one.abnf"},
		unread: {statusFailed, "", "extract missing"},
	},
	"fix": {
		holds: {statusOK, "every string is accepted, or every URL has a certain repair", "fix -g one.abnf x"},
		different: {statusNegative, "a string is not derived, or a URL has no certain repair or an error that no " +
			"repair of its syntax corrects", "fix -g one.abnf yy"},
		empty:     {statusNegative, "", "fix -g none.abnf a"},
		undecided: {statusOpen, "a limit is passed", "fix -g " + large + " a"},
		notAsked:  {statusFailed, "", "fix"},
		unread:    {statusFailed, "", "fix -g bad.abnf x"},
	},
	"fmt": {
		holds:     {statusOK, "every file was formatted, or would be", "fmt one.abnf"},
		different: {statusNegative, "-d found something to change", "fmt -d loose.abnf"},
		notAsked:  {statusFailed, "", "fmt -w -"},
		unread:    {statusFailed, "", "fmt bad.abnf"},
	},
	"lsp": {
		holds:    {statusOK, "the editor shut the server down", ""},
		notAsked: {statusFailed, "", "lsp one.abnf"},
		unread:   {statusFailed, "the input is not in the protocol, or ended too early", "lsp"},
	},
	"generate": {
		holds:     {statusOK, "the package is written or was there already", "generate one.abnf -o made"},
		different: {statusNegative, "the PEG is not the grammar", "generate one.abnf two.peg -o made2"},
		empty:     {statusOK, "", "generate none.abnf -o made3"}, // its parser rejects all, and lint has said so
		undecided: {statusOpen, "a limit is passed, or no parser can be made", "generate " + lookaround + " -o made4"},
		partly:    {statusOpen, "a name has no production", "generate undefined.abnf -o made5"},
		notAsked:  {statusFailed, "", "generate one.abnf"},
		unread:    {statusFailed, "", "generate bad.abnf -o made6"},
	},
	"gbnf": {
		holds:     {statusOK, "the grammar is written", "gbnf one.abnf"},
		undecided: {statusOpen, "llama.cpp cannot do what the grammar does, as the message says", "gbnf one.peg"},
		empty:     {statusOK, "", "gbnf none.abnf"}, // which derives nothing there, too
		notAsked:  {statusFailed, "", "gbnf"},
		unread:    {statusFailed, "", "gbnf bad.abnf"},
	},
	"grammars": {
		partly: {statusOpen, "something in the file looks like grammar and is not read", "grammars refused.abnf"},
	},
	"init": {
		holds:    {statusOK, "the files are written", "init one.abnf -o begun"},
		empty:    {statusOpen, "the start derives no string", "init none.abnf -o begun4"},
		partly:   {statusOpen, "a name that the start needs has no production", "init undefined.abnf -o begun2"},
		notAsked: {statusFailed, "", "init one.abnf two.abnf"},
		unread:   {statusFailed, "a file is there already", "init bad.abnf -o begun3"},
	},
	"learn": {
		holds: {statusOK, "the model passed all its tests", ""},
		different: {statusNegative, "the run ended before that, because of --queries or because the parser " +
			"contradicted itself", ""},
		news:     {statusOK, "the parser differs from the grammar, for that is an answer", ""},
		empty:    {statusFailed, "the grammar has no string", "learn none.abnf --builtin net/url"},
		notAsked: {statusFailed, "", "learn one.abnf"},
		unread:   {statusFailed, "", "learn one.abnf -- ./missing"},
	},
	"lint": {
		holds:     {statusOK, "nothing but notes is printed", "lint one.abnf"},
		different: {statusNegative, "a warning or an error is", "lint odd.abnf"},
		empty:     {statusNegative, "", "lint none.abnf"}, // an error: it derives nothing
		undecided: {statusOpen, "there are only notes, and something was not decided, unless a comment or the " +
			"baseline has that, too", "lint " + lookaround},
		notAsked: {statusFailed, "", "lint"},
		unread:   {statusFailed, "", "lint bad.abnf"},
	},
	"parse": {
		holds:     {statusOK, "the string is derived", "parse one.abnf x"},
		different: {statusNegative, "it is not", "parse one.abnf y"},
		empty:     {statusNegative, "", "parse none.abnf a"},
		undecided: {statusOpen, "a limit is passed", ""},
		notAsked:  {statusFailed, "", "parse"},
		unread:    {statusFailed, "", "parse bad.abnf x"},
	},
	"peg": {
		holds:     {statusOK, "every rule is proven", "peg one.abnf"},
		empty:     {statusOK, "", "peg none.abnf"}, // it writes no rule
		undecided: {statusOpen, "a rule is not proven", "peg " + lookaround},
		notAsked:  {statusFailed, "", "peg"},
		unread:    {statusFailed, "a name has no production", "peg bad.abnf"},
	},
	"prove": {
		holds:     {statusOK, "everything that was asked for is proven", "prove one.abnf one.peg"},
		different: {statusNegative, "something is refuted", "prove one.abnf two.peg"},
		empty:     {statusFailed, "a side has no string", "prove none.abnf none.peg"},
		undecided: {statusOpen, "it is neither proven nor refuted: an automaton is too large, or the model does " +
			"not cover something in a grammar", "prove one.abnf " + large},
		partly:   {statusOpen, "it is incomplete: a rule or a name is missing", "prove more.abnf more.peg"},
		notAsked: {statusFailed, "", "prove one.abnf"},
		unread:   {statusFailed, "", "prove bad.abnf one.peg"},
	},
	"regexp": {
		holds: {statusOK, "the expressions are written", "regexp one.abnf"},
		empty: {statusOK, "", "regexp none.abnf"}, // an expression that matches nothing
		undecided: {statusOpen, "a rule has no expression in the flavor, with the place and the reason",
			"regexp nests.abnf"},
		notAsked: {statusFailed, "", "regexp"},
		unread:   {statusFailed, "", "regexp bad.abnf"},
	},
	"report": {
		holds:     {statusOK, "the page is written", ""},
		undecided: {statusOpen, "a limit is passed", "report --limit-steps 1 one.abnf -o page.html"},
		unread:    {statusFailed, "", "report bad.abnf -o page.html"},
	},
	"resolve": {
		holds:     {statusOK, "the result is printed", "resolve http://a/ b"},
		different: {statusNegative, "there is no result, or it is no URI", "resolve http://a/ ~~"},
		notAsked:  {statusFailed, "", "resolve"},
	},
	"summary": {
		holds:     {statusOK, "every URL of the runs was accepted", ""},
		different: {statusNegative, "one was rejected", ""},
		notAsked:  {statusFailed, "", "summary"},
		unread:    {statusFailed, "", "summary missing"},
	},
	"vectors": {
		holds: {statusOK, "the suite is written", "vectors one.abnf"},
		empty: {statusFailed, "the grammar has no string", "vectors none.abnf"},
		undecided: {statusOpen, "a limit is passed, or some mutant was not looked at, or may derive the same, as " +
			"the first line then says", "vectors --limit-steps 100000 " + large},
		notAsked: {statusFailed, "", "vectors"},
		unread:   {statusFailed, "", "vectors bad.abnf"},
	},
	"verify": {
		holds: {statusOK, "every package is current", "verify current"},
		different: {statusNegative, "a file differs, a choice has changed, a PEG is not its grammar, another " +
			"format of the generator made the package, or a string is found", "verify changed"},
		undecided: {statusOpen, "a grammar is refused now", ""},
		partly:    {statusOpen, "a package is current, and not all of it is covered", "verify beside"},
		notAsked:  {statusFailed, "there is no package", "verify ."},
	},
}

// These are the errors of commands that have printed their answer: the caller prints nothing more, and only takes the
// exit status from them. errNegative and errNews both say that a difference was found. It is a negative answer where
// the user's file is one of the sides, and merely the news that was asked for where two published texts were compared:
// those cannot be mended.
var (
	errNegative = errors.New("negative answer")
	errNews     = errors.New("the difference is the answer")
	errOpen     = errors.New("no answer")
	errEmpty    = errors.New("nothing to compare")
	errPartly   = errors.New("not all was read")
)

// situationOf returns the situation in which a command ends with an error. An error that it does not know
// means a wrong command line.
func situationOf(err error) situation {
	for _, c := range []struct {
		err error
		in  situation
	}{
		{nil, holds},
		{errEmpty, empty},
		{errNegative, different},
		{errOpen, undecided},
		{errPartly, partly},
		{errNews, news},
	} {
		if errors.Is(err, c.err) {
			return c.in
		}
	}
	if _, is := errors.AsType[*openError](err); is {
		return undecided
	}
	inner := err
	if in, is := errors.AsType[*inputError](err); is {
		inner = in.error
	}
	// An inputError may wrap it, and would otherwise say that the input cannot be read.
	if _, is := errors.AsType[*catalog.NothingError](inner); is {
		return empty
	}
	_, file := errors.AsType[*fs.PathError](err)
	_, failed := errors.AsType[*ioError](err)
	_, unreadable := errors.AsType[*inputError](err)
	if file || failed || unreadable {
		return unread
	}
	return notAsked
}

// worse returns the one of two errors that counts more for the exit status, a if they count the same: a difference
// more than an open question, and that more than a part that was left out. More than a difference count, in this
// order, an empty side, a wrong command line, and a failure to read or write.
func worse(a, b error) error {
	order := []situation{holds, news, partly, undecided, different, empty, notAsked, unread}
	if slices.Index(order, situationOf(a)) >= slices.Index(order, situationOf(b)) {
		return a
	}
	return b
}

// statusOf returns the exit status of a command in a situation, by its row of the table, or else by that of every
// command. A subcommand has the row of its command; in a situation that neither has, the status is that of prove.
func statusOf(cmd *cobra.Command, in situation) int {
	for cmd.HasParent() && cmd.Parent().HasParent() { // completion bash
		cmd = cmd.Parent()
	}
	if o, ok := outcomes[cmd.Name()][in]; ok {
		return o.status
	}
	if o, ok := everyCommand[in]; ok {
		return o.status
	}
	return outcomes["prove"][in].status // a limit, mostly, where no command is known to reach one
}

// statusHelp returns the paragraph of a command's help about its exit status, which is made from its row of the table.
func statusHelp(command string) string {
	var parts []string
	for status := statusOK; status <= statusOpen; status++ {
		var when []string
		for in := range situations {
			if o, ok := outcomes[command][in]; ok && o.status == status && o.when != "" {
				when = append(when, o.when)
			}
		}
		if status == statusFailed {
			when = append(when, "the command line is wrong, a file is not in its notation, or reading or writing fails")
		}
		if len(when) > 0 {
			parts = append(parts, fmt.Sprintf("%d if %s", status, strings.Join(when, ", or ")))
		}
	}
	return wrap("The exit status is "+strings.Join(parts, "; ")+".", helpColumns)
}

// helpColumns is how wide the descriptions of commands are.
const helpColumns = 86

// addStatuses adds the paragraph about the exit status to the help of each command that decides something, and the
// topic of help about all of them.
func addStatuses(root *cobra.Command) {
	for _, c := range root.Commands() {
		if outcomes[c.Name()] != nil {
			c.Long += "\n\n" + statusHelp(c.Name())
		}
	}
	root.AddCommand(&cobra.Command{Use: "statuses", Short: "What the exit statuses mean", Long: statusTable(),
		GroupID: "This program:"})
}

// statusTable returns the text of the topic, without a last line feed: what the statuses and the situations mean, the
// table, and what tests in Go make of it. The table has a column for each situation, a row for each command with
// outcomes of its own, and one for all others.
func statusTable() string {
	var b strings.Builder
	b.WriteString("0 is yes, 1 is no, 2 that it cannot be asked, and 3 that it is not decided.\n\n")
	for _, t := range titles {
		fmt.Fprintf(&b, "  %-10s %s\n", t.head, t.means)
	}
	b.WriteString("\n            ")
	var names []string
	for name := range outcomes {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, t := range titles {
		fmt.Fprintf(&b, " %s", cmp.Or(shortHeads[t.head], t.head))
	}
	b.WriteByte('\n')
	for _, name := range append(names, "others") {
		fmt.Fprintf(&b, "  %-10s", name)
		for in, t := range titles {
			// A situation without a row of the command's own ends as in every command; "-" stands where it never arises.
			o, ok := outcomes[name][situation(in)]
			if !ok {
				o, ok = everyCommand[situation(in)]
			}
			cell := "-"
			if ok {
				cell = fmt.Sprint(o.status)
			}
			fmt.Fprintf(&b, " %*s", len(cmp.Or(shortHeads[t.head], t.head)), cell)
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nA test in Go with package grammartest fails where it is 1, and ends at once where it is 2\nor " +
		"3; what Conform alone did not decide is a skipped subtest.")
	return b.String()
}

// shortHeads are the heads that are too long for a table of 73 columns.
var shortHeads = map[string]string{"undecided": "open", "not asked": "asks not"}
