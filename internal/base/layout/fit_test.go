package layout

import (
	"bytes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"strings"
	"testing"
)

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		line  string
		width int
		want  string
	}{
		{"", 20, ""},
		{"short", 20, "short"},
		{strings.Repeat("a", 20), 20, strings.Repeat("a", 20)},
		{"any width at all is right here", 0, "any width at all is right here"},
		{"broken at the spaces between", 20, "broken at the spaces|  between"},
		{"  a line that is indented, and long", 20, "  a line that is|    indented, and|    long"},
		{"http://host/a/very/long/path/to/a/file", 20, "http://ho...o/a/file"},
		{"see http://host/a/very/long/path/to/a/file there", 20, "see|  http://h.../a/file|  there"},
		{"one     two     three", 20, "one     two|        three"}, // a row of a table
		{"\x1b[31mred, which takes no column\x1b[0m", 20, "\x1b[31mred, which takes no|  column\x1b[0m"},
		{"\x1b[31m" + strings.Repeat("r", 30) + "\x1b[0m", 20, "\x1b[31mrrrrrrrrr...rrrrrrrr\x1b[0m"},
		{"ééééééééééééééééééééé", 20, "ééééééééé...éééééééé"},
		{"no width is below sixteen", 1, "no width is|  below sixteen"},
		{strings.Repeat(" ", 40) + "far", 20, strings.Repeat(" ", 10) + "far"},
	} {
		lines := Fit(tt.line, tt.width)
		if got := strings.Join(lines, "|"); got != tt.want {
			t.Errorf("%q in %d columns: %q, want %q", tt.line, tt.width, got, tt.want)
		}
		for _, line := range lines {
			if tt.width >= 16 && columnsOf(line) > tt.width {
				t.Errorf("%q takes %d columns of %d", line, columnsOf(line), tt.width)
			}
		}
	}
}

// A Fitter's lines do not depend on how the text arrives.
func TestFitter(t *testing.T) {
	text := "a line that is rather long\n\nshort\nand one without an end, which is long as well"
	want := "a line that is|  rather long||short|and one without an|  end, which is|  long as well"
	for size := 1; size <= len(text); size++ {
		var b bytes.Buffer
		f := &Fitter{W: &b, Width: 18}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			must.Of(f.Write([]byte(rest[:n])))(t)
			rest = rest[n:]
		}
		must.Do(t, f.Flush())
		if got := strings.ReplaceAll(b.String(), "\n", "|"); got != want {
			t.Fatalf("in pieces of %d: %q, want %q", size, got, want)
		}
	}
}
