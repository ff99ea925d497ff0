package explain

import (
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// indent is the indentation of paragraphs: the title and the requirement of a rule, and steps.
const indent = 2

// AppendRules appends a table of rules. Its lines are not folded at the width of s.
func AppendRules(b []byte, s *layout.Screen, list []semantic.Rule) []byte {
	t := layout.Table{Header: []string{"rule", "severity", "line", "schemes", ""}, Right: 1 << 2}
	for _, r := range list {
		t.Add(r.ID, r.Severity.String(), Number(r.Line), schemesOf(r), r.Title)
	}
	return t.Append(b, s)
}

// schemesOf returns the schemes that a rule is about, "all" if it names none.
func schemesOf(r semantic.Rule) string {
	if r.Schemes == nil {
		return "all"
	}
	return strings.Join(r.Schemes, " ")
}

// ruleJSON is the JSON form of a rule.
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

// RuleJSON returns the JSON form of a rule, as a value for package json.
func RuleJSON(r semantic.Rule) any {
	return ruleJSON{r.ID, r.Text, r.Section, r.Line, r.Schemes, r.Severity.String(), r.Title, r.Requirement}
}

// AppendRule appends a rule for people: a line with its ID in bold, its place, severity and schemes, which is not
// folded; then its title and its requirement, wrapped at the width of s.
func AppendRule(b []byte, s *layout.Screen, r semantic.Rule) []byte {
	b = s.Paint(b, layout.Bold, r.ID)
	place := citation.Place{Title: catalog.TitleOf(r.Text), Section: r.Section, Lines: strconv.Itoa(r.Line)}
	b = append(b, "   "+place.String()+"   "+r.Severity.String()+", schemes: "+schemesOf(r)+"\n\n"...)
	b = layout.Wrap(b, r.Title, indent, s.Width)
	b = append(b, '\n')
	return layout.Wrap(b, r.Requirement, indent, s.Width)
}
