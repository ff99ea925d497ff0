package main

import (
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/check/render"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/spf13/cobra"
)

func newRules(s *streams) *cobra.Command {
	var use *rfcs
	var format *choice
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List what the RFCs ask beyond their grammars",
		Long: `rules lists the requirements that the prose of the RFCs states and no BNF can,
each with its severity, the schemes it applies to and the line of the text where it
stands. explain RULE says what a rule requires.`,
		Args: takesAtMost(),
		RunE: func(*cobra.Command, []string) error {
			chosen := map[string]bool{}
			for _, g := range *use {
				chosen[short(g.Name)] = true
			}
			t := layout.Table{Header: []string{"rule", "severity", "line", "schemes", ""}, Right: 1 << 2}
			var b []byte
			for _, r := range semantic.Rules() {
				if !chosen[r.Text] {
					continue
				}
				b = render.JSON(b, newRuleJSON(r))
				t.Add(r.ID, r.Severity.String(), number(r.Line), schemesOf(r), r.Title)
			}
			if format.value == "text" {
				b = t.Append(nil, &s.Screen)
			}
			_, err := s.out.Write(b)
			return err
		},
	}
	cmd.Flags().SortFlags = false
	use = addRFC(cmd)
	format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}

// textTitle gives what the text with this name is called: RFC 1738.
func textTitle(text string) string {
	g, err := bnfcheck.Find(text)
	if err != nil {
		return text // every rule is that of a published text
	}
	return g.Title
}

func schemesOf(r semantic.Rule) string {
	if r.Schemes == nil {
		return "all"
	}
	return strings.Join(r.Schemes, " ")
}

type ruleJSON struct {
	ID          string   `json:"id"`
	RFC         string   `json:"rfc"`
	Section     string   `json:"section"`
	Line        int      `json:"line"`
	Schemes     []string `json:"schemes,omitempty"` // none: all
	Severity    string   `json:"severity"`
	Title       string   `json:"title"`
	Requirement string   `json:"requirement"`
}

func newRuleJSON(r semantic.Rule) ruleJSON {
	return ruleJSON{r.ID, r.Text, r.Section, r.Line, r.Schemes, r.Severity.String(), r.Title, r.Requirement}
}

// appendRule writes a rule as explain shows it.
func appendRule(b []byte, s *streams, r semantic.Rule) []byte {
	b = s.Paint(b, layout.Bold, r.ID)
	b = append(b, "   "+cite.Place{Title: textTitle(r.Text), Section: r.Section, Lines: strconv.Itoa(r.Line)}.String()+"   "+r.Severity.String()+", schemes: "+schemesOf(r)+"\n\n"...)
	width := s.Width
	if width == 0 {
		width = 100
	}
	b = layout.Wrap(b, r.Title, render.Indent, width)
	b = append(b, '\n')
	return layout.Wrap(b, r.Requirement, render.Indent, width)
}
