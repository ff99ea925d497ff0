package command

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// No line of help, and no line of text that a command prints for people, is wider than the terminal.
//
// The exceptions write what a program reads, and must not break or cut it: JSON, SARIF, JUnit, Markdown, TSV, SVG and
// dot, completion, vectors, the URLs of extract and resolve and of fix --apply, and the files that generate, peg,
// init and report write. check keeps each URL whole where it knows of no width, so that lines can be searched for
// one.
func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	long := "http://a.host.name.example/" + strings.Repeat("path/", 60) + "~end"
	for _, width := range []string{"60", "80"}[:longtest.Size(1, 2)] {
		t.Setenv("COLUMNS", width)
		room := int(width[0]-'0') * 10
		fits := func(args ...string) {
			var out, err bytes.Buffer
			status := run(args, strings.NewReader(long+"\n"), &out, &err)
			if status == statusFailed {
				t.Errorf("%q: %s", args, &err)
			}
			for line := range strings.Lines(out.String() + err.String()) {
				if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > room {
					t.Errorf("%q in %d columns: %d: %s", args, room, utf8.RuneCountInString(line), line)
				}
			}
		}
		root := newRoot(newStreams(strings.NewReader(""), &bytes.Buffer{}, os.Stderr))
		fits("--help")
		for _, c := range root.Commands() {
			fits(c.Name(), "--help")
			if c.Name() != "completion" { // others' help
				fits("help", c.Name())
			}
		}
		fits("check", long)
		fits("check", "-")
		fits("check", "--rfc", "1738", "ftp://host/"+strings.Repeat("a", 200)+";type=I", "http://a.b/%41")
		fits("check", "-g", "../../../docs/example/timer.txt#span", "soon", strings.Repeat("1", 100)+"x")
		fits("claims")
		fits("claims", "--printed")
		fits("claims", "--rfc", "3986")
		fits("diff", "rfc1630#url_scheme", "rfc1738#scheme")
		fits("diff", "--causes", "mailto")
		fits("explain", "hostport")
		fits("explain", "--rfc", "1738", "1738/ftp-typecode")
		fits("explain", "--access", "--rfc", "1738", "ftp://host.dom/%2Fetc/"+strings.Repeat("directory/", 20)+"motd;type=a")
		fits("grammars")
		fits("grammars", "rfc1738")
		fits("rules")
		fits("lint", "../../../examples/domain.abnf")
		fits("prove", "--rfc", "1738", "hostport")
		fits("prove", "../../../examples/domain.abnf", "../../../examples/domain.peg")
		fits("prove", "../../../docs/example/timer.txt#span", "../../../docs/example/wrong.peg")
		fits("conform", "--rfc", "1738", "--builtin", "net/url", "--most", "3", "mailto")
		fits("fix", long)
	}
}
