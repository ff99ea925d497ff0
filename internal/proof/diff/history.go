package diff

import (
	"fmt"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Texts names the texts that define the syntax of URIs, in the order in which they were written.
var Texts = []string{"rfc1630", "draft06", "rfc1738", "rfc2396", "rfc2732", "rfc3986"}

// A Step of the history of the syntax compares one text with the text before it. The strings are whole URIs: those
// that begin with a scheme and a colon, of all schemes or of one.
type Step struct {
	From      string `json:"from"` // the titles of the texts
	To        string `json:"to"`
	Scheme    string `json:"scheme,omitempty"`
	MaxLength int    `json:"max_length"`

	Legal   Part `json:"legal"`   // strings that the step made legal
	Illegal Part `json:"illegal"` // strings that it made illegal
	Kept    Part `json:"kept"`
}

// History returns the steps from each subject to the next; one subject or none has no steps. Only whole URIs
// count: strings that begin with scheme and a colon or, if scheme is "", with anything that can stand for a
// scheme. Relative references never count. It fails if a start production nests, or if its automaton is too large.
func History(subjects []*catalog.Subject, scheme string, o Options) (list []Step, err error) {
	notDelimiter := lang.OfSet(expr.Bytes(":/?#").Complement())
	whole := notDelimiter.Concat(notDelimiter.Star()).Concat(lang.OfString(":"))
	if scheme != "" {
		whole = lang.OfString(scheme + ":")
	}
	whole = whole.Concat(lang.All())
	var before *lang.DFA
	for i, s := range subjects {
		a, err := lang.FromBNF(s.BNF, s.Start)
		if err != nil {
			return nil, err
		}
		a = a.Intersect(whole)
		if max := o.maxLength(); i > 0 {
			list = append(list, Step{
				From:      subjects[i-1].Title,
				To:        s.Title,
				Scheme:    scheme,
				MaxLength: max,
				Legal:     newPart(a.Minus(before), max),
				Illegal:   newPart(before.Minus(a), max),
				Kept:      newPart(a.Intersect(before), max),
			})
		}
		before = a
	}
	return list, nil
}

// WriteHistory writes steps for people. Tables are folded where they are wider than width, unless
// that is 0. It fails only if w does.
func WriteHistory(w io.Writer, width int, list []Step) error {
	var b strings.Builder
	if len(list) > 0 {
		what := "URIs"
		if list[0].Scheme != "" {
			what = "URIs of the scheme " + list[0].Scheme
		}
		fmt.Fprintf(&b, "%s of at most %d bytes, and the shortest of each kind\n", what, list[0].MaxLength)
	}
	for _, s := range list {
		fmt.Fprintf(&b, "\nfrom %s to %s\n", s.From, s.To)
		t := layout.Table{Right: 1 << 2, Fold: true}
		t.Add("", "made legal", layout.Digits(s.Legal.Total()), s.Legal.First())
		t.Add("", "made illegal", layout.Digits(s.Illegal.Total()), s.Illegal.First())
		t.Add("", "kept", layout.Digits(s.Kept.Total()), s.Kept.First())
		b.Write(t.Append(nil, &layout.Screen{Width: width}))
	}
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}
