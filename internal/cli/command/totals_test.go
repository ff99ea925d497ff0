package command

import (
	"bytes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The totals of a document agree with the exit status, for each command that writes one and each of its endings:
// there are failures or errors with status 1, and none with status 0.
func TestTotalsAgreeWithStatus(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"G": "a = \"x\" b\nb = \"y\"\n", "H": "a = \"z\"\n", "W": "a = b / b\nb = \"x\"\n", "N": "a = \"(\" *a \")\"\n",
		"P": "a <- \"x\"i b\nb <- \"y\"i\n", "Q": "a <- \"y\"\n",
	}
	for name, text := range files {
		files[name] = filepath.Join(dir, map[bool]string{true: name + ".peg", false: name + ".abnf"}[name == "P" || name == "Q"])
		must.Do(t, os.WriteFile(files[name], []byte(text), 0o666))
	}
	attribute := regexp.MustCompile(`(?s)<testsuite [^>]*?failures="(\d+)" errors="(\d+)"`)
	row := regexp.MustCompile(`(?m)^\| [^|]+ \| \d+ \| \d+ \| (\d+) \| (\d+) \| (\d+) \|$`)
	ended := map[int]int{}
	for _, command := range []string{
		"check http://a/", "check http://a/~", "check --strict --rfc 1738 http:x", "check --rfc 1738 http:x", "check --max-length 3 http://a/",
		"check -g G#a xy", "check -g G#a x", "check -g G#a --max-length 1 xy",
		"lint H", "lint W", "lint G", "lint N",
		"prove hostport", "prove G P", "prove G Q", "prove N Q",
		"diff G#a G#a", "diff G#a H#a", "diff N#a H#a", "claims 1738/scheme-first 1738/octets-encoded",
		"conform --rfc 1738 --builtin net/url mailto", "conform --builtin net/url G#a",
	} {
		for _, format := range []string{"junit", "markdown", "sarif"} {
			args := strings.Fields(command)
			for i, a := range args {
				if file := files[a[:1]]; file != "" {
					args[i] = file + a[1:]
				}
			}
			var out, msg bytes.Buffer
			status := run(append(args, "--format", format), strings.NewReader(""), &out, &msg)
			if status == statusFailed {
				t.Errorf("%s: %s", command, &msg)
			}
			ended[status]++
			if format == "sarif" { // whose warnings may be notes
				if status == statusNegative && !strings.Contains(out.String(), `"kind": "fail"`) && !strings.Contains(out.String(), `"kind": "review"`) {
					t.Errorf("%s: status %d, and no failure in\n%s", command, status, &out)
				}
				continue
			}
			totals := attribute
			if format == "markdown" {
				totals = row
			}
			failed := 0
			number := func(s string) int { n, _ := strconv.Atoi(s); return n }
			for _, m := range totals.FindAllStringSubmatch(out.String(), -1) {
				if format == "junit" {
					failed += number(m[1]) + number(m[2])
				} else {
					failed += number(m[1]) + number(m[3])
				}
			}
			if status == statusNegative && failed == 0 || status == statusOK && failed > 0 {
				t.Errorf("%s --format %s: status %d, %d failed", command, format, status, failed)
			}
		}
	}
	if ended[statusOK] == 0 || ended[statusNegative] == 0 || ended[statusOpen] == 0 {
		t.Errorf("endings by status: %v", ended)
	}
}
