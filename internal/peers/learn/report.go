package learn

import (
	"errors"
	"fmt"
	"io"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
)

// A Report is a learned model with its differences from the productions of its scheme.
type Report struct {
	Parser      string             `json:"parser"`
	Scheme      string             `json:"scheme"`
	States      int                `json:"states"`
	Classes     int                `json:"classes"`
	Exact       bool               `json:"exact"`
	Guarantee   string             `json:"guarantee"`
	Questions   int                `json:"questions"`
	Again       int                `json:"again"`
	Known       int                `json:"known"`
	Undecided   int                `json:"undecided"`
	Differences []*diff.Difference `json:"differences"`

	learned *Result
	scheme  *Scheme
}

// NewReport returns a report on the model of a parser for a scheme, without differences: see Compare. r must
// have a DFA.
func NewReport(parser string, scheme *Scheme, r *Result) *Report {
	return &Report{
		Parser:    parser,
		Scheme:    scheme.Name,
		States:    r.DFA.States(),
		Classes:   r.DFA.Classes(),
		Exact:     r.Exact,
		Guarantee: r.Guarantee(),
		Questions: r.Queries,
		Again:     r.Again,
		Known:     r.Known,
		Undecided: len(r.Undecided),
		learned:   r,
		scheme:    scheme,
	}
}

// Compare appends the differences from each production of the scheme. It fails with [lang.ErrTooLarge] if some of them
// are missing, since they are too large; the others are there. At any other error it stops.
func (m *Report) Compare() (err error) {
	for _, side := range m.scheme.sides {
		d, fault := diff.Compare(languageOf(m.learned, m.Parser, layout.Printable(m.Parser)), side, diff.Options{})
		switch {
		case errors.Is(fault, lang.ErrTooLarge):
			err = fault
		case fault != nil:
			return fault
		default:
			m.Differences = append(m.Differences, d)
		}
	}
	return err
}

// WriteText writes the report for people. Tables that are wider than width are folded, unless width is 0. It
// fails only if w does.
func (m *Report) WriteText(w io.Writer, width int) error {
	_, err := fmt.Fprintf(w, "%s: %s, %d questions, %d of them asked again, and %d answers known before\n%s\n",
		m.title(), m.size(), m.Questions, m.Again, m.Known, m.Guarantee)
	for _, d := range m.Differences {
		if err == nil {
			_, err = fmt.Fprintln(w)
		}
		if err == nil {
			err = d.WriteText(w, width, true)
		}
	}
	return err
}

// title names the parser and the question it was asked.
func (m *Report) title() string { return layout.Printable(m.Parser) + ", " + m.Scheme }

// size returns the size of the model in words.
func (m *Report) size() string {
	return fmt.Sprintf("%d states, %d classes of bytes, %d of %s undecided", m.States, m.Classes, m.Undecided,
		layout.Plural(m.Questions+m.Known, "answer"))
}

// WriteVectors writes test vectors that distinguish the parser from others. Of the options, Method and Extra are
// replaced. It fails if w does, if the suite is too large, and as [vectors.Subject.Plan] does.
func (m *Report) WriteVectors(w io.Writer, format vectors.Format, o vectors.Options) error {
	of := &vectors.Model{
		Name: layout.Printable(m.Parser), About: "the model of " + m.title(), DFA: m.learned.DFA,
		Bound: []string{"the model: " + m.size(), "the model: " + m.Guarantee},
	}
	o.Method, o.Extra = vectors.HSI, m.learned.Extra
	p, err := of.Subject(m.scheme.Subjects...).Plan(o)
	if err != nil {
		return err
	}
	return p.Write(w, format)
}
