package golden

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// printedTexts are the texts whose URLs are in a table.
var printedTexts = []string{"rfc1630", "rfc1738", "draft06", "rfc3986"}

// TestPrinted holds every row of grammar/*.printed against the RFC: its text occurs at its line, delimited, and its URL is what
// its context makes of the text.
func TestPrinted(t *testing.T) {
	for _, rfc := range printedTexts {
		text := rfcText(t, rfc)
		last := 0
		for _, p := range readPrinted(t, rfc) {
			if p.Line < last {
				t.Errorf("%s:%d: the rows are not in the order of the text", rfc, p.Line)
			}
			last = p.Line
			if places(text, p) == nil {
				t.Errorf("%s:%d: %q does not stand there", rfc, p.Line, p.Raw)
			}
			if u, ok := unwrap(p.Raw, p.Context); !ok || u != p.URL {
				t.Errorf("%s:%d: %s %q gives the URL %q, not %q", rfc, p.Line, p.Context, p.Raw, u, p.URL)
			}
		}
	}
}

// unwrap returns the URL in raw. By RFC 1738's appendix, white space between the brackets "should be ignored when extracting
// the URL"; the brackets of RFC 1630's references are read in the same way.
func unwrap(raw, context string) (string, bool) {
	open, shut := map[string]string{"bare": "", "partial": "", "angle": "<", "wrapper": "<URL:", "quoted": `"`}, ">"
	if context == "quoted" {
		shut = `"`
	}
	prefix, known := open[context]
	if prefix == "" {
		return raw, known && !strings.ContainsAny(raw, " \n<>")
	}
	body, ok := strings.CutPrefix(raw, prefix)
	body, ok2 := strings.CutSuffix(body, shut)
	return strings.Join(strings.Fields(body), ""), ok && ok2
}

// places finds p in the text: the spans of the occurrences that begin on its line and have white space around them, or
// their own brackets. (The table of partial forms prints "g:h" as a form and as what it stands for.)
func places(text string, p grammar.Printed) (spans [][2]int) {
	start := 0
	for range p.Line - 1 {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			return nil
		}
		start += i + 1
	}
	end := start + strings.IndexByte(text[start:]+"\n", '\n')
	bracketed := p.Context == "angle" || p.Context == "wrapper" || p.Context == "quoted"
	for at := start; at < end; at++ {
		stop := at + len(p.Raw)
		if strings.HasPrefix(text[at:], p.Raw) && (bracketed || isSpace(text, at-1) && isSpace(text, stop)) {
			spans = append(spans, [2]int{at, stop})
		}
	}
	return spans
}

func isSpace(text string, i int) bool {
	return i < 0 || i >= len(text) || text[i] == ' ' || text[i] == '\n'
}

// urlLike matches more than URLs: whatever has a colon inside, is in brackets and begins like a scheme, or follows a double
// slash.
var urlLike = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*:[^\s"]\S*|<(?:URL:)?\s*[A-Za-z][A-Za-z0-9+.-]*:[^<>]*>|//\S+`)

// notURLs are the texts that urlLike matches and that are not in the tables.
var notURLs = []struct {
	text   *regexp.Regexp
	reason string
}{
	{regexp.MustCompile(`<[a-zA-Z0-9_-]+>`), "a form with placeholders (RFC 1738 sections 2.1 to 3.11)"},
	{regexp.MustCompile(`^([a-z]+:)?//"[).]*$`), "a literal of RFC 1738's BNF, a delimiter or a prefix in the prose of RFC 3986"},
	{regexp.MustCompile(`^//\(\[\^/\?#\]`), "a piece of a regular expression (RFC 3986 appendix B)"},
	{regexp.MustCompile(`^user:password"$`), "a format of user information (RFC 3986 section 3.2.1)"},
	{regexp.MustCompile(`^ACTION:draft-`), "the subject of another message, in the mailed copy of the draft"},
	{regexp.MustCompile(`^USER:\[MY\.NOTES\]NOTE123456\.TXT$`), "the name of a VMS file (RFC 1738 section 3.10)"},
}

// TestNoURLIsMissing requires that all text that looks like a URL is in a table or is excepted for a reason.
func TestNoURLIsMissing(t *testing.T) {
	used := make([]bool, len(notURLs))
	for _, rfc := range printedTexts {
		text := rfcText(t, rfc)
		var spans [][2]int
		for _, p := range readPrinted(t, rfc) {
			spans = append(spans, places(text, p)...)
		}
	found:
		for _, m := range urlLike.FindAllStringIndex(text, -1) {
			for _, s := range spans {
				if s[0] <= m[0] && m[0] < s[1] {
					continue found
				}
			}
			for i, n := range notURLs {
				if n.text.MatchString(text[m[0]:m[1]]) {
					used[i] = true
					continue found
				}
			}
			t.Errorf("%s:%d: %q is neither in grammar/%s.printed nor a known exception",
				rfc, 1+strings.Count(text[:m[0]], "\n"), text[m[0]:m[1]], rfc)
		}
	}
	for i, n := range notURLs {
		if !used[i] {
			t.Errorf("no text is excepted as %s (%s)", n.reason, n.text)
		}
	}
}

// rfcText returns the text of an RFC or a draft from the folder BNFCHECK_RFC, and skips the test where that is not set.
func rfcText(t testing.TB, rfc string) string {
	t.Helper()
	dir := os.Getenv("BNFCHECK_RFC")
	if dir == "" {
		t.Skip("BNFCHECK_RFC is not set: the folder with the texts")
	}
	g := must.Of(bnfcheck.Find(rfc))(t)
	file := rfc
	if !strings.HasPrefix(rfc, "rfc") {
		file = g.Title // a draft has the name of its text
	}
	src := must.Of(os.ReadFile(filepath.Join(dir, file+".txt")))(t)
	return string(src)
}
