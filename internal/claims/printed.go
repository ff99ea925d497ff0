package claims

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/golden"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// A PrintedURL is a URI, URL, or partial form that stands in the text of an RFC, with what the grammar of that RFC says
// of it.
type PrintedURL struct {
	Grammar string `json:"grammar"`
	Line    int    `json:"line"` // where it begins in the text
	URL     string `json:"url"`

	// Context says how it stands there: bare, in angle brackets ("angle"), in a wrapper ("<URL:...>"), or as a partial
	// form, which is not meant to be derived. Brackets, and the white space inside them, are left out of URL. Where there
	// is white space, a row with the context "spaced" has what stands between the brackets as it is.
	Context string `json:"context"`

	Verdict    bnfcheck.Value `json:"verdict"`
	Production string         `json:"production,omitempty"` // the one that matched
	Why        string         `json:"why,omitempty"`        // where it is rejected
	AsPrinted  bool           `json:"as_printed"`           // the grammar as printed derives it too
}

// Printed gives every URI and URL that the text of an RFC prints, in the order of the text, with the verdict of its own
// grammar. There are none for a grammar whose text has not been searched for them.
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
		for _, a := range starts {
			r.AsPrinted = r.AsPrinted || a.Match(r.URL)
		}
	}
	return rows, nil
}

// Contexts in which what is printed is not meant to be derived.
const (
	partialContext = "partial"
	spacedContext  = "spaced"
)

// printedRows reads the table of what a text prints, if there is one.
func printedRows(name string) ([]PrintedURL, error) {
	file := "testdata/printed-" + name + ".tsv"
	src, err := golden.PrintedURLs.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var rows []PrintedURL
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		col := strings.Split(line, "\t")
		if len(col) != 4 {
			return nil, fmt.Errorf("%s: %q has %d columns, not 4", file, line, len(col))
		}
		n, err := strconv.Atoi(col[0])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		spaced := strings.TrimPrefix(strings.Trim(strings.ReplaceAll(col[1], `\n`, "\n"), "<>"), "URL:")
		if spaced != col[2] {
			rows = append(rows, PrintedURL{Grammar: name, Line: n, URL: spaced, Context: spacedContext})
		}
		rows = append(rows, PrintedURL{Grammar: name, Line: n, URL: col[2], Context: col[3]})
	}
	return rows, nil
}

// prints asserts of each URL that the text prints that it is in a; the illegal ones are not meant to be.
func (t *rfc) prints(a *lang.DFA, illegal ...string) []Assertion {
	rows, err := printedRows(t.Name)
	if err != nil {
		t.err = cmp.Or(t.err, err)
		return nil
	}
	var out []Assertion
	seen := slices.Clone(illegal)
	for _, r := range rows {
		if r.Context == partialContext || slices.Contains(seen, r.URL) {
			continue
		}
		seen = append(seen, r.URL) // one that is printed again says nothing new
		one := derives(fmt.Sprintf("the one in line %d is", r.Line), a, r.URL)
		if r.Context == spacedContext {
			one.Says += ", with the white space that it is printed with"
			one = aside(one)
		}
		out = append(out, one)
	}
	return out
}
