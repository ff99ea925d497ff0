package page

import (
	"cmp"
	_ "embed"
	"html/template"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// expressionTable begins with a comment that says how it was made, and the counts of docs/regular-expressions.md, in a
// line each. Below them is a row for each function that checks a whole URI or reference: the verdict, the package, the
// place of its claim, the claim, the rule, what differs, and the function. The expressions themselves are other people's, and are left out.
//
//go:embed expressions.tsv
var expressionTable string

// expressionPage is the address of the page that has a row for each expression, and says what was asked of
// its function.
const expressionPage = project + "/blob/HEAD/docs/regular-expressions.md"

// An Expression lists the differences between RFC 3986 and a published function for a whole URI or reference.
// Note says which function that is, and At where the package claims something of it.
type Expression struct {
	Package, At, Claim, Note string
	Rules                    []string
	Verdict, Link            string
	Differs                  line
}

// headingAnchor returns the anchor that renderers of Markdown make of a heading: in lower case, with a hyphen for
// each space, and without what is no letter or digit of ASCII, hyphen or underscore.
func headingAnchor(heading string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case c == '-' || c == '_' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			return c
		}
		return -1
	}, strings.ToLower(heading))
}

// readExpressions returns the rows of expressionTable, and what to say before the table: its own sentences around the
// counts, which are the last line with fewer than seven columns. So a malformed row would be taken for them.
func readExpressions() (list []Expression, lead string) {
	for row := range strings.Lines(expressionTable) {
		c := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(c) < 7 {
			lead = c[0] // the comment at first, and then the counts
			continue
		}
		x := Expression{
			Verdict: c[0],
			Package: c[1],
			At:      c[2],
			Claim:   c[3],
			Rules:   []string{c[4]},
			Note:    c[6],
		}
		x.Link = expressionPage + "#" + headingAnchor(x.Package)
		differs := cmp.Or(c[5], "nothing")
		for i, part := range strings.Split(differs, "`") {
			x.Differs = append(x.Differs, span{part, i%2 == 1}) // every second part is between backquotes
		}
		list = append(list, x)
	}
	return list, "Many packages have a function that says whether a string is a URI, often by a regular " +
		"expression with the name of a text. " +
		lead + " The table has those for a whole URI or reference."
}

// showSpans shows a line as text. Code that is a Go literal, quotation marks and all, is shown as the string that it
// stands for, as try shows it; any other code is shown as text.
func (v *view) showSpans(l line) (shown template.HTML) {
	for _, s := range l {
		if w, err := strconv.Unquote(s.text); s.code && err == nil {
			shown += v.try(quote.Word(w))
		} else {
			shown += template.HTML(template.HTMLEscapeString(s.text))
		}
	}
	return shown
}

// outlineExpressions writes the table of published expressions, with a heading and what to say before it. There
// must be some: without any it writes the heading and an empty table.
func (c *Content) outlineExpressions(s sheet) {
	s.heading(2, "Published validators and regular expressions")
	s.paragraph(line{prose("%s All are judged in %s", c.ExpressionLead, expressionPage)})
	var rows [][]line
	for _, x := range c.Expressions {
		claim := line{prose("%s", x.Note)}
		if x.Claim != "" {
			claim = line{prose("%s: ", x.Note), codeSpan(x.Claim), prose(" (%s)", x.At)}
		}
		rows = append(rows, rowOf(x.Package, claim, strings.Join(x.Rules, ", "), x.Verdict, x.Differs))
	}
	s.table([]string{"package", "function and claim", "rule", "verdict", "differs in"}, 0, rows)
}
