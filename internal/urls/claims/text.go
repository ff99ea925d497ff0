package claims

import (
	"fmt"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// WriteText writes claims for people: each with its refutation, with the refutation in the grammar as printed if that
// is a different one, and with its asides. Above the claims of a text stand its title and their number, so they must
// follow one another, and all must have been decided. It fails only if w does.
func WriteText(w io.Writer, claims []Claim) error {
	var b strings.Builder
	title := ""
	for _, c := range claims {
		if c.Title != title {
			if title != "" {
				b.WriteByte('\n')
			}
			title = c.Title
			fmt.Fprintf(&b, "%s\n%s\n", title, countInWords(claims, title))
		}
		c.writeText(&b)
	}
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}

// countInWords returns a sentence on the claims of the text with a title: how many there are, and how many are
// refuted where the grammar is as it is read, and as it is printed. They must have been decided.
func countInWords(claims []Claim, title string) string {
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
	return fmt.Sprintf("%s: %d refuted, and %d where the grammar is read as printed.", layout.Plural(all, "claim"),
		read, printed)
}

// writeText writes a claim and its remarks.
func (c *Claim) writeText(b *strings.Builder) {
	where := citation.Place{Section: c.Section, Lines: c.Lines}
	fmt.Fprintf(b, "\n%s: %s\n  %s  (%s)\n", c.ID, c.State(), c.Says, where)
	for _, r := range c.Remarks() {
		fmt.Fprintf(b, "    %s\n", r.Sentence())
	}
}

// State says in words whether c holds, as read and as printed. The claim must have been decided: one of
// [Undecided] would be called refuted.
func (c *Claim) State() string {
	switch {
	case !c.AsRead.Holds && !c.AsPrinted.Holds:
		return "refuted"
	case !c.AsRead.Holds:
		return "refuted, but holds as printed"
	case !c.AsPrinted.Holds:
		return "holds, but refuted as printed"
	}
	return "holds"
}

// A Remark is an assertion of a claim that is worth a line, and how it was decided, in words.
type Remark struct {
	Verdict string // "refuted as printed"
	Assertion
}

// Sentence returns r in one line. Of an assertion that holds it is the verdict and what that says: "aside, holds: every
// name is". Otherwise it is the verdict and the refutation: "refuted: A is not an ftptype". A refutation that begins
// with the statement in parentheses has the colon after that: "refuted (every group is a name): a. is not".
func (r *Remark) Sentence() string {
	if r.Holds {
		return r.Verdict + ": " + r.Says
	}
	if strings.HasPrefix(r.Refutation, "(") {
		return r.Verdict + " " + r.Refutation
	}
	return r.Verdict + ": " + r.Refutation
}

// Remarks returns the assertions that refute c, and all asides, in the order of the assertions. An assertion that
// is refuted in the grammar as printed gets a remark of its own if the grammar as read decides it otherwise, or by
// another witness. The claim must have been decided.
func (c *Claim) Remarks() (list []Remark) {
	for i, a := range c.AsRead.Assertions {
		p := c.AsPrinted.Assertions[i]
		same := a.Holds == p.Holds && (a.Witness == nil) == (p.Witness == nil) &&
			(a.Witness == nil || *a.Witness == *p.Witness)
		add := func(verdict string, a Assertion) {
			if a.Aside {
				verdict = "aside, " + verdict
			}
			list = append(list, Remark{verdict, a})
		}
		switch {
		case same && !a.Holds: // by one witness
			add("refuted", a)
		case !a.Holds && !p.Holds: // by two
			add("refuted", a)
			add("refuted as printed", p)
		case !a.Holds: // and it holds as printed
			add("refuted as read", a)
		case !p.Holds: // and it holds as read
			add("refuted as printed", p)
		case a.Aside: // it holds in both
			add("holds", a)
		}
	}
	return list
}

// WritePrinted writes a table for people of the URLs that texts print, with the verdicts of their grammars, and then
// why those are rejected that are, without the partial forms. The rows of one grammar must follow one another. It fails
// only if w does.
func WritePrinted(w io.Writer, rows []PrintedURL) error {
	var b strings.Builder
	var t layout.Table
	name := ""
	for _, r := range rows {
		if r.Grammar != name {
			name = r.Grammar
			t.Add(name)
			t.Add("  line", "", "URL", "verdict", "production", "as printed")
		}
		printed := "derived"
		if !r.AsPrinted {
			printed = "-"
		}
		t.Add(fmt.Sprint("  ", r.Line), r.Context, quote.Word(r.URL).String(), r.Verdict.String(), r.Production,
			printed)
	}
	b.WriteString(t.String())
	first := true
	for _, r := range rows {
		if r.Verdict == bnfcheck.Rejected && r.Context != partialContext {
			if first {
				b.WriteString("\nwhy rejected\n")
				first = false
			}
			fmt.Fprintf(&b, "  %s\n    %s\n", quote.Word(r.URL), r.Why)
		}
	}
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}
