// Package inspect says of a text all that there is to say about the URLs in it, in the form that the live checker of the
// report shows: the verdict of each grammar, why it rejects, the tree, the typed URL, the findings, the steps of access,
// the canonical form. It says what the commands check, parse, explain --access and extract say, and imports only
// package check and what users import, since it is compiled into the page.
//
// Whatever the text is, the answer is bounded: lists end after so many entries and say how many there are, and long
// strings are cut.
package inspect

import (
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/extract"
)

// The bounds of an answer.
const (
	maxURLs    = 200  // URLs of a text that are listed
	maxEntries = 300  // nodes of a tree, fields, findings, steps: of each
	maxShown   = 2000 // bytes of a string
)

// Result is all that Check finds out about a text.
type Result struct {
	Length int   `json:"length"` // of the text, in bytes
	Form   Form  `json:"form"`
	Count  int   `json:"count"` // of URLs, also of those that are not listed
	URLs   []URL `json:"urls"`

	// Chosen is the index of the URL that Views is about.
	Chosen int    `json:"chosen"`
	Views  []View `json:"views"` // one for each grammar
}

// Form is how a text was read.
type Form string

// The forms.
const (
	Single Form = "single" // all of it is one URL
	Lines  Form = "lines"  // a list, one URL a line
	Prose  Form = "prose"  // running text with URLs in it, as the appendix of RFC 1738 has them
)

// URL is one URL of a text, with the verdict of each grammar.
type URL struct {
	Text     Octets   `json:"text"`
	Length   int      `json:"length"`
	Line     int      `json:"line"` // of the text, where it begins
	Other    Octets   `json:"other,omitempty"`
	Space    bool     `json:"space,omitempty"` // there was white space inside a line of it, which was left out
	Verdicts []string `json:"verdicts"`

	whole string
}

// Check returns what each grammar makes of the URLs in a text, and looks closely at the one with the index chosen; an index
// that there is none of is that of the first.
//
// A text with wrappers in it, <URL:...>, is searched for them as the command extract does. Any other of several lines is
// a list as check -f reads one: blank lines and those that begin with "#" are left out. All else is one URL as it stands,
// white space included.
func Check(text string, chosen int) Result {
	r := Result{Length: len(text), Form: Single, URLs: []URL{}, Views: []View{}}
	if len(text) <= bnfcheck.DefaultMaxLength {
		r.extract(text)
		if r.Count == 0 && strings.Contains(text, "\n") {
			r.split(text)
		}
	}
	if r.Form == Single && text != "" {
		r.add(URL{whole: text, Line: 1})
	}
	if len(r.URLs) == 0 {
		return r
	}
	options := check.Options{MaxLength: bnfcheck.DefaultMaxLength, VerdictsOnly: true}
	verdicts := check.NewJudge(bnfcheck.Grammars(), options, true)
	for i := range r.URLs {
		u := &r.URLs[i]
		u.Text, u.Length, u.Verdicts = Octets(u.whole), len(u.whole), nil
		for _, j := range verdicts.Line(check.Line{Text: u.whole, Length: len(u.whole)}) {
			u.Verdicts = append(u.Verdicts, j.Answer.String())
		}
	}
	if chosen < 0 || chosen >= len(r.URLs) {
		chosen = 0
	}
	r.Chosen = chosen
	options.VerdictsOnly, options.Suggest = false, true
	options.Findings = semantic.Select(func(semantic.Rule) bool { return false })
	s := r.URLs[chosen].whole
	for _, j := range check.NewJudge(bnfcheck.Grammars(), options, false).Line(check.Line{Text: s, Length: len(s)}) {
		r.Views = append(r.Views, view(&j, s))
	}
	return r
}

func (r *Result) add(u URL) {
	r.Count++
	if len(r.URLs) < maxURLs {
		r.URLs = append(r.URLs, u)
	}
}

func (r *Result) extract(text string) {
	for x, err := range extract.URLs(strings.NewReader(text)) {
		if err != nil {
			return // a string is always read to its end
		}
		r.Form = Prose
		r.add(URL{whole: x.URL, Line: x.Line, Other: Octets(x.Unhyphenated), Space: x.InnerSpace})
	}
}

// split reads a list. A text with nothing but comments is a list without URLs.
func (r *Result) split(text string) {
	r.Form = Lines
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		number++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if strings.TrimSpace(line) != "" && line[0] != '#' {
			r.add(URL{whole: line, Line: number})
		}
	}
}
