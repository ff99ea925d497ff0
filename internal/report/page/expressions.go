package page

import (
	"cmp"
	_ "embed"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// expressionTable is what docs/regular-expressions.md counts, and its rows: the list, the package, where it claims
// what, the rules, what differs, and a note. The expressions themselves are other people's, and not in it.
//
//go:embed expressions.tsv
var expressionTable string

// expressionPage is where each has a row, and what was asked of its function.
const expressionPage = project + "/blob/HEAD/docs/regular-expressions.md"

// An Expression is what published regular expressions of a package for a whole URI or reference of RFC 3986 differ in.
type Expression struct {
	Package, At, Claim, Note string
	Rules                    []string
	Verdict, Link            string
	Differs                  line
}

// expressions returns the rows that are about a whole URI or reference, and what to say before them.
func expressions() (list []Expression, lead string) {
	for row := range strings.Lines(expressionTable) {
		c := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(c) < 7 {
			lead = c[0] // the last such line
			continue
		}
		x := Expression{Package: c[1], At: c[2], Claim: c[3], Note: c[6], Verdict: c[0]}
		x.Link = expressionPage + "#" + strings.Replace(c[0], "contradicts", "contradicts-its-claim", 1)
		for rule := range strings.SplitSeq(c[4], ", ") {
			name, _ := strings.CutPrefix(rule, "rfc3986#")
			if slices.Contains([]string{"URI", "URI-reference", "absolute-URI", "relative-ref"}, name) {
				x.Rules = append(x.Rules, name)
			}
		}
		for i, part := range strings.Split(cmp.Or(c[5], "nothing"), "`") {
			x.Differs = append(x.Differs, span{part, i%2 == 1})
		}
		if x.Rules != nil {
			list = append(list, x)
		}
	}
	return list, "Many packages have a regular expression and above it the name of a text. " + lead +
		" The strings that it matches were compared with all that the rule of its text derives. The table has what is about a whole URI or reference."
}

// spans shows a line, in which quoted strings can be tried.
func (v *view) spans(l line) (shown template.HTML) {
	for _, s := range l {
		if w, err := strconv.Unquote(s.text); s.code && err == nil {
			shown += v.try(quote.Word(w))
		} else {
			shown += template.HTML(template.HTMLEscapeString(s.text))
		}
	}
	return shown
}

// outlineExpressions writes the table of published expressions.
func (c *Content) outlineExpressions(s sheet) {
	s.heading(2, "Published regular expressions")
	s.paragraph(line{prose("%s All are judged in %s", c.ExpressionLead, expressionPage)})
	var rows [][]line
	for _, x := range c.Expressions {
		rows = append(rows, rowOf(x.Package, line{codeSpan(x.Claim), prose(" (%s) %s", x.At, x.Note)}, strings.Join(x.Rules, ", "), x.Verdict, x.Differs))
	}
	s.table([]string{"package", "its claim", "rule", "verdict", "differs in"}, 0, rows)
}
