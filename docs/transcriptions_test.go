package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/prove"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// transcriptions are the published ones, and the production that each is meant for.
var transcriptions = []struct{ peg, abnf, start string }{
	{"pegjs/jssip.pegjs", "abnf/sip3261.abnf", "SIP-URI"},
	{"pegjs/jssip.pegjs", "abnf/sip3261.abnf", "transport-param"},
	{"pegjs/rfc3986-uri.pegjs", "abnf/rfc3986.abnf", "URI-reference"},
	{"pegjs/rfc5646-language.pegjs", "abnf/bcp47.abnf", "langtag"},
	{"peg/jssip.peg", "abnf/sip3261.abnf", "SIP-URI"},
	{"peg/c3986.peg", "abnf/rfc3986.abnf", "URI-reference"},
	{"peg/c5646.peg", "abnf/bcp47.abnf", "langtag"},
}

var writtenTranscriptions = regexp.MustCompile(`(?s)(<!-- written by TestTranscriptions -->\n).*(<!-- end -->)`)

// TestTranscriptions holds transcriptions.md against the documents.
func TestTranscriptions(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO names no folder with other people's grammars")
	}
	page := read(t, "transcriptions.md")
	var b strings.Builder
	for _, c := range transcriptions {
		var text [2][]byte
		for i, name := range []string{c.abnf, c.peg} {
			var err error
			if text[i], err = os.ReadFile(filepath.Join(folder, name)); err != nil {
				t.Fatal(err)
			}
		}
		pair, err := subject.Files(c.abnf, text[0], c.peg, text[1], subject.FileOptions{})
		if err != nil {
			t.Error(err)
			continue
		}
		r, err := prove.Prove(pair, prove.Options{Productions: []string{c.start}, AllowMissing: true})
		if err != nil {
			t.Error(err)
			continue
		}
		if len(r.Causes) == 0 {
			t.Errorf("%s: no cause", c.peg)
		}
		var out strings.Builder
		if err := r.WriteText(&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfterN(out.String(), "\n", 6)
		fmt.Fprintf(&b, "```text\n$ bnfcheck prove --abnf %s --peg %s --start %s --allow-missing\n%s```\n\n", c.abnf, c.peg, c.start, strings.Join(lines[:5], ""))
	}
	goldentest.Whole(t, "transcriptions.md", writtenTranscriptions.ReplaceAllString(page, "${1}\n"+strings.ReplaceAll(b.String(), "$", "$$")+"${2}"))
	files, err := filepath.Glob(filepath.Join(folder, "peg*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, err := subject.Open(file, subject.Usual); err != nil {
			t.Error(err)
		}
	}
}
