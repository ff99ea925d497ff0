package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/check/render"
	"github.com/bnfcheck/bnfcheck/internal/diff"
	"github.com/bnfcheck/bnfcheck/internal/drawing"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/internal/learn"
	"github.com/bnfcheck/bnfcheck/internal/vectors"
)

// A model is what learn prints.
type model struct {
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

	learned *learn.Result
	scheme  *learn.Scheme
	command string // that prints it
}

// write writes the model in a format.
func (m *model) write(s *streams, format string) error {
	r := m.learned
	m.States, m.Classes, m.Exact, m.Guarantee = r.DFA.States(), r.DFA.Classes(), r.Exact, r.Guarantee()
	m.Questions, m.Again, m.Known, m.Undecided = r.Queries, r.Again, r.Known, len(r.Undecided)
	switch {
	case format == "dot":
		return r.DFA.WriteDOT(s.out)
	case format == "svg":
		return drawing.WriteSVG(s.out, r.DFA, m.title(), m.size(), m.Guarantee)
	case slices.Contains(vectors.Formats, vectors.Format(format)):
		return m.writeVectors(s, vectors.Format(format))
	}
	var tooLarge error // a difference; the model is printed all the same
	for _, subject := range m.scheme.Subjects {
		d, err := learn.Diff(r, m.Parser, layout.Printable(m.Parser), subject.Grammar, m.Scheme)
		switch {
		case errors.Is(err, lang.ErrTooLarge):
			tooLarge = err
		case err != nil:
			return err
		default:
			m.Differences = append(m.Differences, d)
		}
	}
	if format == "json" {
		if _, err := s.out.Write(render.JSON(nil, m)); err != nil {
			return err
		}
		return tooLarge
	}
	fmt.Fprintf(s.out, "%s: %s, %d questions, %d of them asked again, and %d answers known before\n%s\n", m.title(), m.size(), m.Questions,
		m.Again, m.Known, m.Guarantee)
	for _, d := range m.Differences {
		fmt.Fprintln(s.out)
		if err := d.WriteText(s.out); err != nil {
			return err
		}
	}
	return tooLarge
}

func (m *model) title() string { return layout.Printable(m.Parser) + ", " + m.Scheme }

func (m *model) size() string {
	return fmt.Sprintf("%d states, %d classes of bytes, %d strings undecided", m.States, m.Classes, m.Undecided)
}

// writeVectors writes the vectors that tell the parser from others.
func (m *model) writeVectors(s *streams, format vectors.Format) error {
	of := &vectors.Model{
		Name: layout.Printable(m.Parser), About: "the model of " + m.title(), DFA: m.learned.DFA,
		Bound: []string{"the model: " + m.size(), "the model: " + m.Guarantee},
	}
	p, err := of.Subject(m.scheme.Subjects...).Plan(vectors.Options{Method: vectors.HSI, Extra: m.learned.Extra, Command: m.command})
	if err != nil {
		return err
	}
	return p.Write(s.out, format)
}
