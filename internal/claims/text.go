package claims

import (
	"fmt"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/cite"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// WriteText writes claims for people: each with what refutes it, and what refutes it where the grammar is read as
// printed if that is something else.
func WriteText(w io.Writer, claims []Claim) error {
	var b strings.Builder
	title := ""
	for _, c := range claims {
		if c.Title != title {
			if title != "" {
				b.WriteByte('\n')
			}
			title = c.Title
			fmt.Fprintf(&b, "%s\n%s\n", title, tally(claims, title))
		}
		c.text(&b)
	}
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}

// tally counts the claims of a text.
func tally(claims []Claim, title string) string {
	all, read, printed := 0, 0, 0
	for _, c := range claims {
		if c.Title != title {
			continue
		}
		all++
		if !c.AsRead.Holds {
			read++
		}
		if !c.AsPrinted.Holds {
			printed++
		}
	}
	return fmt.Sprintf("%s: %d refuted, and %d where the grammar is read as printed.", layout.Plural(all, "claim"), read, printed)
}

func (c *Claim) text(b *strings.Builder) {
	state := "holds"
	switch {
	case !c.AsRead.Holds && !c.AsPrinted.Holds:
		state = "refuted"
	case !c.AsRead.Holds:
		state = "refuted, but holds as printed"
	case !c.AsPrinted.Holds:
		state = "holds, but refuted as printed"
	}
	where := cite.Place{Section: c.Section, Lines: c.Lines}
	fmt.Fprintf(b, "\n%s: %s\n  %s  (%s)\n", c.ID, state, c.Says, where)
	for i, a := range c.AsRead.Assertions {
		p := c.AsPrinted.Assertions[i]
		same := a.Holds == p.Holds && (a.Witness == nil) == (p.Witness == nil) && (a.Witness == nil || *a.Witness == *p.Witness)
		switch {
		case same && !a.Holds:
			a.line(b, "not so")
		case !same && !a.Holds && !p.Holds:
			a.line(b, "not so")
			p.line(b, "not so as printed")
		case !same && !a.Holds:
			a.line(b, "not so as read")
		case !same && !p.Holds:
			p.line(b, "not so as printed")
		case a.Aside:
			a.line(b, "holds")
		}
	}
}

func (a Assertion) line(b *strings.Builder, verdict string) {
	if a.Aside {
		verdict = "aside, " + verdict
	}
	fmt.Fprintf(b, "    %s: %s", verdict, a.Says)
	if a.Witness != nil {
		fmt.Fprintf(b, "; but %s", a.Witness)
	}
	b.WriteByte('\n')
}

// WritePrinted writes what the grammars make of the URLs that their texts print, for people.
func WritePrinted(w io.Writer, rows []PrintedURL) error {
	var b strings.Builder
	t := layout.Tabs(&b)
	name := ""
	for _, r := range rows {
		if r.Grammar != name {
			name = r.Grammar
			fmt.Fprintf(t, "%s\t\t\t\t\t\n  line\t\tURL\tverdict\tproduction\tas printed\n", name)
		}
		printed := "derived"
		if !r.AsPrinted {
			printed = "-"
		}
		fmt.Fprintf(t, "  %d\t%s\t%s\t%s\t%s\t%s\n", r.Line, r.Context, octets.Word(r.URL), r.Verdict, r.Production, printed)
	}
	t.Flush()
	first := true
	for _, r := range rows {
		if r.Verdict == bnfcheck.Rejected && r.Context != partialContext {
			if first {
				b.WriteString("\nwhy rejected\n")
				first = false
			}
			fmt.Fprintf(&b, "  %s\n    %s\n", octets.Word(r.URL), r.Why)
		}
	}
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}
