package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// A PrintedURL is a URI, URL, or partial form that an RFC prints in its text, and what that RFC's grammar
// makes of it.
type PrintedURL struct {
	Grammar string `json:"grammar"`
	Line    int    `json:"line"` // where it begins in the text
	URL     string `json:"url"`

	// Context is how it stands there: bare, in angle brackets ("angle"), in double quotes ("quoted"), in a wrapper
	// ("<URL:...>"), or as a partial form, which is not meant to be derived. Brackets, and the white space inside
	// them, are left out of URL. Where there is white space, a row with the context "spaced" has what stands between
	// the brackets as it is.
	Context string `json:"context"`

	Verdict    bnfcheck.Value `json:"verdict"`
	Production string         `json:"production,omitempty"` // the one that matched; "" if it is rejected
	Why        string         `json:"why,omitempty"`        // the error, if it is rejected
	AsPrinted  bool           `json:"as_printed"`           // the grammar as printed derives it, by its start or by url
}

// Printed returns every URI, URL and partial form that the text of an RFC prints, in the order of the text, with the
// verdict of its own grammar. One that is printed with white space inside has another row, "spaced", before its own.
// Printed returns none for a grammar whose text has not been searched for them. It fails if no grammar that is built
// in has that name.
func Printed(name string) ([]PrintedURL, error) {
	g, err := bnfcheck.Find(name)
	if err != nil {
		return nil, err
	}
	src, err := bnf.Load(g.Name)
	if err != nil {
		return nil, err
	}
	var starts []*lang.DFA
	for _, id := range []string{g.Production(g.Default).ID, "url"} {
		if src.Printed.Rule(id) == nil {
			continue
		}
		a, err := lang.FromBNF(src.Printed, id)
		if err != nil {
			return nil, err
		}
		starts = append(starts, a)
	}
	rows, err := printedRows(g.Name)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		r := &rows[i]
		v := g.Check(r.URL)
		r.Verdict = v.Value
		if v.Value != bnfcheck.Rejected {
			r.Production = g.Production(v.Production).Name
		} else if v.Err != nil {
			r.Why = v.Err.Error()
		}
		r.AsPrinted = slices.ContainsFunc(starts, func(a *lang.DFA) bool { return a.Match(r.URL) })
	}
	return rows, nil
}

// Contexts in which a printed form is not meant to be derived.
const (
	partialContext = "partial"
	spacedContext  = "spaced"
)

// printedRows returns a row for each URL that a text prints, without a verdict. One that is printed with white space
// has another row with that before it. White space is all that [grammar.PrintedURLs] takes out of a URL. There are no
// rows for a text that has not been searched.
func printedRows(name string) ([]PrintedURL, error) {
	printed, err := grammar.PrintedURLs(name)
	if err != nil {
		return nil, err
	}
	var rows []PrintedURL
	for _, p := range printed {
		spaced := strings.TrimPrefix(strings.Trim(p.Raw, `<>"`), "URL:")
		if spaced != p.URL {
			rows = append(rows, PrintedURL{Grammar: name, Line: p.Line, URL: spaced, Context: spacedContext})
		}
		rows = append(rows, PrintedURL{Grammar: name, Line: p.Line, URL: p.URL, Context: p.Context})
	}
	return rows, nil
}

// assertPrinted asserts of each URL that the text prints that it is in a, once for each URL, however often it is
// printed. In sentences the strings of a are called by is, "a uri". The illegal ones are not meant to be in it, and
// left out, as are partial forms. Those printed with white space are asides. A text that cannot be read sets t.err.
func (t *rfc) assertPrinted(a *lang.DFA, is string, illegal []string) (list []Assertion) {
	rows, err := printedRows(t.Name)
	if err != nil {
		t.recordError(err)
	}
	seen := slices.Clone(illegal)
	for _, r := range rows {
		if r.Context == partialContext || slices.Contains(seen, r.URL) {
			continue
		}
		seen = append(seen, r.URL) // one that is printed again says nothing new
		line, with := fmt.Sprintf("the one in line %d", r.Line), ""
		if r.Context == spacedContext {
			with = ", with the white space that it is printed with"
		}
		one := Assertion{Says: line + " is" + with, Holds: true}
		if !a.Match(r.URL) {
			if with != "" {
				line += with + ","
			}
			url := shownInSentence(quote.Word(r.URL))
			one = refuted(one.Says, r.URL, fmt.Sprintf("%s is not %s: %s", line, is, url))
		}
		one.Aside = with != ""
		list = append(list, one)
	}
	return list
}
