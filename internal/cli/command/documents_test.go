package command

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/resultstest"
)

// What every command writes as SARIF and as JUnit XML is valid by their schemas, and every result has the line of the
// RFC that it rests on, but for those that rest on none.
func TestDocumentsAreValid(t *testing.T) {
	longtest.Sequential(t)
	file := filepath.Join(t.TempDir(), "hostile urls.txt")
	must.Do(t, os.WriteFile(file, []byte(hostileURLs()), 0o600))
	rows := []struct {
		args []string
		none string // part of the texts of results that rest on no line
	}{
		{[]string{"check", "-f", file, "--severity", "note", "--max-length", "10000"}, "is longer than the limit"},
		{[]string{"check", "--rfc", "all", "--strict", "http://u@h/", "foo:b", "\x00", ""}, ""},
		{[]string{"check", "-f", os.DevNull}, ""},
		{[]string{"claims", "--rfc", "1738"}, ""},
		{[]string{"diff", "http"}, ""},
		{[]string{"diff", "rfc1630#url_ialpha", "rfc1630#uri_ialpha"}, ""},
		{[]string{"prove", "--words", "5", "--rfc", "1738", "hostport"}, ""},
		{[]string{"conform", "--builtin", "net/url", "http", "mailto"}, ""},
		{[]string{"conform", "--builtin", "net/url", "-f", file}, ""},
		{[]string{"conform", "--builtin", "net/url", "hostport"}, ""},
	}
	for _, row := range rows {
		t.Run(strings.ReplaceAll(strings.Join(row.args, " "), file, "FILE"), func(t *testing.T) {
			results := len(validSARIF(t, row.args, row.none))
			data := document(t, row.args, "junit")
			if n := bytes.Count(data, []byte("<testcase ")); n != results {
				t.Errorf("%d testcases, and %d results in SARIF", n, results)
			}
			if err := resultstest.JUnit(t.Context(), data); errors.Is(err, resultstest.ErrNoXMLLint) {
				t.Skip(err)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// document returns what a command prints in a format.
func document(t *testing.T, args []string, format string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(append(args, "--format", format), strings.NewReader(""), &stdout, &stderr)
	if status == statusFailed || stderr.Len() > 0 && !strings.HasSuffix(stderr.String(), " skipped, blank or comments\n") {
		t.Fatalf("%v: status %d, %s", args, status, &stderr)
	}
	return stdout.Bytes()
}

// validSARIF returns the names of a command's results, which are all different in their suites.
func validSARIF(t *testing.T, args []string, none string) (names []string) {
	t.Helper()
	log := must.Of(resultstest.SARIF(document(t, args, "sarif")))(t)
	seen := map[string]bool{}
	for _, r := range log.Runs[0].Results {
		name := r.PartialFingerprints["bnfcheck/v1"]
		if seen[name] {
			t.Errorf("two results are called %q", name)
		}
		seen[name] = true
		names = append(names, name)
		cited := false
		for _, l := range append(r.Locations, r.RelatedLocations...) {
			p := l.PhysicalLocation
			cited = cited || p.Region.StartLine > 0 && strings.HasSuffix(p.ArtifactLocation.URI, ".txt") &&
				strings.Contains(l.Message.Text, ", line ")
		}
		if !cited && (none == "" || !strings.Contains(r.Message.Text, none)) {
			t.Errorf("without a line of an RFC: %s", r.Message.Text)
		}
	}
	return names
}

// hostileURLs returns a list with every byte in every part of a URL, and with what formats treat apart.
func hostileURLs() string {
	var b strings.Builder
	for x := range 256 {
		if x != '\n' && x != '\r' {
			c := string([]byte{byte(x)})
			b.WriteString(c + "\nhttp://a" + c + "b/\nhttp://a/" + c + "\nhttp://a/" + c + "\n")
		}
	}
	for _, s := range []string{"]]>", "<![CDATA[", "\ufffe", "\u2028", "\u202e", "\xed\xa0\x80", "&lt;", "|`` `", strings.Repeat("~", 300), strings.Repeat("x", 20000)} {
		b.WriteString("ftp://" + s + "/\nhttp://a/" + s + "\n")
	}
	return b.String()
}
