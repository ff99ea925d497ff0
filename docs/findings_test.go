package docs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/editor"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
)

const findingsHead = `<!-- Written from the checks of internal/analysis/lint by: go test ./docs -update -->

# What findings mean

In an editor, the code of a finding is a link to its section here; "bnfcheck lint --explain CODE" prints the same.
`

// TestFindings writes the page of the codes, to which editors link: each has a heading that is the code.
func TestFindings(t *testing.T) {
	if !strings.HasSuffix(editor.Explanations, "/docs/findings.md#") {
		t.Errorf("editors link to %s", editor.Explanations)
	}
	var b strings.Builder
	b.WriteString(findingsHead)
	for _, c := range lint.Checks {
		levels := make([]string, len(c.Levels))
		for i, l := range c.Levels {
			levels[i] = string(l)
		}
		fmt.Fprintf(&b, "\n## %s\n\n*%s (%s).*\n\n%s\n", c.Code, strings.ToUpper(c.Title[:1])+c.Title[1:], strings.Join(levels, " or "), escapeMarkup(c.Text))
	}
	goldentest.Whole(t, "findings.md", b.String())
}

// escapeMarkup escapes the signs of Markdown and HTML in a text, and leaves what is in backquotes.
func escapeMarkup(text string) string {
	return strings.NewReplacer("*", `\*`, "<", `\<`, "_", `\_`).Replace(text)
}
