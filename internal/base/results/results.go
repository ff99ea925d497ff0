// Package results writes what bnfcheck found in the formats that other programs read: JUnit XML for those that run
// tests, SARIF 2.1.0 for those that show findings beside files, Markdown and JSON.
//
// All commands that check something (conform, prove, diff, claims, check) make their findings into the one [Result].
// Each finding names the line that it rests on: of the RFC, or of the user's grammar.
package results

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Outcome is how a check came out.
type Outcome string

// The outcomes.
const (
	Passed  Outcome = "passed"  // it holds
	Noted   Outcome = "noted"   // it holds, and there is something to say all the same: see Level
	Failed  Outcome = "failed"  // it does not
	Skipped Outcome = "skipped" // it was not decided
	Broken  Outcome = "error"   // it could not be carried out
)

// Level is how much a note matters.
type Level string

// The levels.
const (
	Note    Level = "note"
	Warning Level = "warning"
	Error   Level = "error"
)

// Result is one check with its outcome.
type Result struct {
	Suite   string  `json:"suite"` // what it belongs to: "prove rfc1738", "conform node-url"
	Name    string  `json:"name"`  // what was checked, unique in its suite
	Outcome Outcome `json:"outcome"`
	Level   Level   `json:"level,omitempty"`   // of a noted or failed result that is no error
	Message string  `json:"message,omitempty"` // what was found, in a sentence
	Detail  string  `json:"detail,omitempty"`  // more, in lines

	// Rule is the ID of the rule that was checked, and Title its text: all results of a rule have the same
	// title.
	Rule  string `json:"rule,omitempty"`
	Title string `json:"title,omitempty"`

	// RFC is the place in an RFC that the result rests on; Place is the subject's place, if it is in a file.
	RFC   Citation `json:"rfc,omitzero"`
	Place Place    `json:"place,omitzero"`

	// Witness is a string that shows it. It need not be UTF-8, and Shown says that there is one, which may be empty.
	Witness string `json:"-"`
	Shown   bool   `json:"-"`

	CodePoints bool `json:"-"` // Witness is shown as code points, not as bytes
}

// MarshalJSON adds the witness, as base64 where it is not UTF-8.
func (r Result) MarshalJSON() ([]byte, error) {
	type plain Result
	out := struct {
		plain
		Witness *string `json:"witness,omitempty"`
		Base64  []byte  `json:"witness_base64,omitempty"`
	}{plain: plain(r)}
	if r.Shown {
		out.Witness, out.Base64 = quote.Split(r.Witness)
	}
	return quote.AppendJSON(nil, out)
}

// Citation is a place in an RFC or, if File is set, in a user's grammar.
type Citation struct {
	Grammar    string `json:"grammar"` // "rfc1738"
	Title      string `json:"title"`   // "RFC 1738"
	Section    string `json:"section,omitempty"`
	Line       int    `json:"line,omitempty"`       // of its text; 0 for none
	Production string `json:"production,omitempty"` // that is printed there

	// File is the file that the production stands in, if the grammar is a user's; then Line is of it.
	File string `json:"file,omitempty"`
}

// Cite returns the place where a production is printed.
func Cite(g *ast.Grammar, p ast.Production) Citation {
	return Citation{Grammar: g.Name, Title: g.Title, Section: p.Section, Line: p.Line, Production: p.Name}
}

// fileName returns the name of the file that Line counts in: the user's, or the one that an RFC or a draft is
// published as, rfc1738.txt or draft-ietf-uri-url-06.txt. c must not be zero.
func (c Citation) fileName() string {
	if c.File != "" {
		return c.File
	}
	if strings.HasPrefix(c.Grammar, "rfc") || c.Title == "" {
		return c.Grammar + ".txt"
	}
	return c.Title + ".txt"
}

// String returns the place as it is cited: "RFC 1738 section 5, line 996 (hsegment)"; "" for the zero Citation. With
// File set, the file stands in place of the title: "url.abnf, line 12 (host)". What c does not have is left out.
func (c Citation) String() string {
	title := c.Title
	if c.File != "" {
		title = c.File
	}
	s := citation.Place{Title: title, Section: c.Section, Lines: strconv.Itoa(c.Line)}.String() // "0" is no line
	if c.Production != "" {
		s += " (" + c.Production + ")"
	}
	return s
}

// Place is a place in a file.
type Place struct {
	File   string `json:"file,omitempty"` // as it was named, with slashes
	Line   int    `json:"line,omitempty"` // from 1; 0 for the file as a whole
	Column int    `json:"column,omitempty"`
}

// Formats lists the formats that Write knows.
var Formats = []string{"json", "junit", "markdown", "sarif"}

// text returns the file with its line after a colon, or the file alone for the file as a whole.
func (p Place) text() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return p.File
}

// A Writer writes a document result by result. Close writes its end, and closes nothing.
type Writer interface {
	Write([]Result) error
	Close() error
}

// formats has a writer for each of the Formats.
var formats = map[string]func(io.Writer) Writer{
	"json":     func(w io.Writer) Writer { return &jsonWriter{w: w} },
	"junit":    func(w io.Writer) Writer { return newParts(w, &junitParts{}) },
	"markdown": func(w io.Writer) Writer { return newParts(w, &markdownParts{counts: map[string]counts{}}) },
	"sarif": func(w io.Writer) Writer {
		return &sarifWriter{bufio.NewWriter(w), []sarifRule{}, map[string]int{}, false}
	},
}

// NewWriter returns a writer of one of the Formats, which writes results as they come, in memory that does not grow
// with their number: SARIF as one run; JUnit XML and Markdown, where there are more than ten thousand results, in
// parts with totals of their own. JSON alone is kept until Close. The errors of the writer are those of w; that of
// NewWriter says that there is no such format.
func NewWriter(w io.Writer, format string) (Writer, error) {
	f, ok := formats[format]
	if !ok {
		return nil, fmt.Errorf("no format %s; there are %s", ast.Quote(format), strings.Join(Formats, ", "))
	}
	return f(w), nil
}

// Write writes results in one of the Formats, never in parts, so that all totals stand in front. It fails if there
// is no such format, before anything is written, or if w does.
func Write(w io.Writer, format string, results []Result) error {
	to, err := NewWriter(w, format)
	if err != nil {
		return err
	}
	if p, ok := to.(*partWriter); ok {
		p.most = math.MaxInt
	}
	if err := to.Write(results); err != nil {
		return err
	}
	return to.Close()
}

// indent is that of JSON. The JSON is ASCII, so that no text in it moves a terminal's cursor or turns a line around.
const indent = "  "

// A jsonWriter keeps all results, and writes {"summary":{...},"results":[...]} at the end.
type jsonWriter struct {
	w    io.Writer
	list []Result
}

// Write keeps results until Close. It has no error.
func (j *jsonWriter) Write(results []Result) error {
	j.list = append(j.list, results...)
	return nil
}

// Close writes the document: the totals by outcome, also those that are 0, and all results.
func (j *jsonWriter) Close() error {
	summary := map[Outcome]int{Passed: 0, Noted: 0, Failed: 0, Skipped: 0, Broken: 0}
	for _, r := range j.list {
		summary[r.Outcome]++
	}
	text, err := quote.AppendIndented(nil, struct {
		Summary map[Outcome]int `json:"summary"`
		Results []Result        `json:"results"`
	}{summary, append([]Result{}, j.list...)}, "", indent) // not nil, which would be null
	if err == nil {
		_, err = j.w.Write(append(text, '\n'))
	}
	return err
}

// bySuite returns the results of each suite, in the order of their first results.
func bySuite(results []Result) [][]Result {
	at := map[string]int{}
	var suites [][]Result
	for _, r := range results {
		i, ok := at[r.Suite]
		if !ok {
			i = len(suites)
			at[r.Suite] = i
			suites = append(suites, nil)
		}
		suites[i] = append(suites[i], r)
	}
	return suites
}

// quotedWitness returns the witness in quotes.
func (r Result) quotedWitness() string {
	if r.CodePoints {
		return quote.CodePoints(r.Witness)
	}
	return ast.Quote(r.Witness)
}

// textLines returns the message after its level, the witness, the place, the citation and the detail, one thing a line,
// as far as the result has them. Of a long message it has the parts that quote.Bounded leaves.
func (r Result) textLines() string {
	var lines []string
	switch {
	case r.Level != "":
		lines = append(lines, string(r.Level)+": "+quote.Bounded(r.Message))
	case r.Message != "":
		lines = append(lines, quote.Bounded(r.Message))
	}
	if r.Shown {
		lines = append(lines, "witness: "+r.quotedWitness())
	}
	if r.Place.File != "" {
		lines = append(lines, "at "+r.Place.text())
	}
	if c := r.RFC.String(); c != "" {
		lines = append(lines, c)
	}
	if r.Detail != "" {
		lines = append(lines, r.Detail)
	}
	return strings.Join(lines, "\n")
}
