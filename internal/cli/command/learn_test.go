package command

import (
	"bytes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"runtime"
	"strings"
	"testing"
)

// What the command prints of net/url is what package learn found out in its own test; and on a terminal it shows how
// far it is, on one line that it wipes in the end.
func TestLearn(t *testing.T) {
	longtest.Sequential(t)
	var stdout, stderr bytes.Buffer
	s := newStreams(strings.NewReader(""), &stdout, &stderr)
	s.progress = true
	root := newRoot(s)
	root.SetArgs([]string{"learn", "--rfc", "1738", "--random", "60000", "ftp", "--builtin", "net/url"})
	must.Do(t, root.Execute())
	shown := strings.Split(stderr.String(), "\r\x1b[K")
	if n := len(shown) - 1; n < 2 || shown[0] != "" || shown[n] != "" {
		t.Fatalf("shown: %q", shown)
	}
	for _, line := range shown[1 : len(shown)-1] {
		if !strings.Contains(line, " states, ") || !strings.HasSuffix(line, " questions") {
			t.Errorf("shown: %q", line)
		}
	}
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Skip("the golden files are about the net/url of Go 1.26")
	}
	golden := must.Of(os.ReadFile("../../../internal/peers/learn/testdata/neturl-ftp.golden"))(t)
	want := strings.NewReplacer("Go net/url", "net/url").Replace(difference(t, string(golden)))
	if got := difference(t, stdout.String()); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") { // columns are as wide as a parser's name
		t.Errorf("the command prints\n%s\nand package learn found\n%s", got, want)
	}
}

// difference returns what stands below the first paragraph.
func difference(t *testing.T, text string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\n\n")
	if !ok {
		t.Fatalf("one paragraph: %s", text)
	}
	return rest
}
