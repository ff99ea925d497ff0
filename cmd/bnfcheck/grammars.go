package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/check/render"
	"github.com/bnfcheck/bnfcheck/internal/describe"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

func newGrammars(s *streams) *cobra.Command {
	var format *choice
	cmd := &cobra.Command{
		Use:   "grammars [GRAMMAR]",
		Short: "List the grammars, or the productions of one",
		Long: `grammars lists the published grammars: how many productions each has, what it
starts with, which schemes have a production of their own, and how many places
of the text had to be read in one of several ways. After them it lists the texts
that are there to compare with, by diff, and have no parser.

With the name of a grammar it lists its productions in the order of the text.
"lexical" productions derive single characters and are no tree nodes; "unused"
ones are reached from no start that people use. explain says more about one.`,
		Example: `  bnfcheck grammars
  bnfcheck grammars 1738
  bnfcheck grammars rfc3986`,
		Args:              takesAtMost("one GRAMMAR"),
		ValidArgsFunction: atMost(1, words(grammarNames, references)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listGrammars(s, format.value == "json")
			}
			subjects, err := subject.Load(subject.Version{}, args[0])
			if err != nil {
				return err
			}
			return listProductions(s, subjects[0].Name, format.value == "json")
		},
	}
	format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}

func listGrammars(s *streams, asJSON bool) error {
	type grammarJSON struct {
		Name        string   `json:"name"`
		Title       string   `json:"title"`
		Productions int      `json:"productions"`
		Start       string   `json:"start"`
		Schemes     []string `json:"schemes"`
		Readings    int      `json:"readings"`
		Off         int      `json:"readings_off"`
		Reference   bool     `json:"reference,omitempty"`
	}
	t := layout.Table{Header: []string{"grammar", "text", "productions", "start", "readings", "schemes with a production"}, Right: 1<<2 | 1<<4}
	var b []byte
	for _, g := range bnfcheck.Grammars() {
		src, err := bnf.Load(g.Name)
		if err != nil {
			return &ioError{g.Name, err}
		}
		v := grammarJSON{
			Name: g.Name, Title: g.Title, Productions: len(g.Productions()),
			Start: g.Production(g.Default).Name, Readings: len(src.Readings),
		}
		for _, r := range src.Readings {
			if !r.On {
				v.Off++
			}
		}
		for _, scheme := range g.Schemes {
			v.Schemes = append(v.Schemes, scheme.Name)
		}
		b = render.JSON(b, v)
		t.Add(v.Name, v.Title, strconv.Itoa(v.Productions), v.Start, strconv.Itoa(v.Readings), strings.Join(v.Schemes, " "))
	}
	for _, name := range bnf.References() {
		src, err := bnf.Load(name)
		if err != nil {
			return &ioError{name, err}
		}
		v := grammarJSON{
			Name: name, Title: src.Text.Title, Productions: len(src.Text.Rules), Start: src.Text.Rules[0].Name,
			Schemes: []string{}, Readings: len(src.Readings), Reference: true,
		}
		b = render.JSON(b, v)
		t.Add(v.Name, v.Title, strconv.Itoa(v.Productions), v.Start, strconv.Itoa(v.Readings), "none: to compare with (diff), without a parser")
	}
	if !asJSON {
		b = t.Append(nil, &s.Screen)
	}
	_, err := s.out.Write(b)
	return err
}

// printedJSON says which production is meant and where it is printed.
type printedJSON struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Part    string `json:"part,omitempty"`
	Section string `json:"section"`
	Page    int    `json:"page,omitempty"`
	Line    int    `json:"line,omitempty"`
	Lexical bool   `json:"lexical"`
}

func newPrintedJSON(p *describe.Production) printedJSON {
	return printedJSON{p.ID, p.Name, p.Part, p.Section, p.Page, p.Line, p.Lexical}
}

type productionJSON struct {
	printedJSON
	Unused  bool   `json:"unused"`
	Printed string `json:"printed"`
}

// listProductions lists the productions of a grammar, be it a reference.
func listProductions(s *streams, name string, asJSON bool) error {
	src, err := bnf.Load(name)
	if err != nil {
		return &ioError{name, err}
	}
	productions, err := describe.Productions(src)
	if err != nil {
		return &ioError{name, err}
	}
	t := layout.Table{Header: []string{"production", "page", "line", "", "as printed"}, Right: 1<<1 | 1<<2}
	var b []byte
	for _, p := range productions {
		b = render.JSON(b, productionJSON{newPrintedJSON(p), p.Unused, p.Printed})
		var note []string
		if p.Lexical {
			note = append(note, "lexical")
		}
		if p.Unused {
			note = append(note, "unused")
		}
		t.Add(p.ID, number(p.Page), number(p.Line), strings.Join(note, " "), squeeze(p.Printed))
	}
	if !asJSON {
		b = t.Append(nil, &s.Screen)
	}
	_, err = s.out.Write(b)
	return err
}

// number is empty for 0, which stands for no number.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }
