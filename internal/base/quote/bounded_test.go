package quote_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A message that is not long stays as it is; of one that is, the beginning, the end and the number of what is between
// them.
func TestBounded(t *testing.T) {
	repeat := strings.Repeat
	lines := make([]string, 5000)
	for i := range lines {
		lines[i] = fmt.Sprint("line ", i)
	}
	for _, c := range []struct{ message, want string }{
		{"", ""},
		{"a.abnf:1:2: unexpected \"b\"", "a.abnf:1:2: unexpected \"b\""},
		{repeat("a", 120), repeat("a", 120)},
		{"in `" + repeat("a", 1<<20) + "`", "in `" + repeat("a", 69) + "...(1,048,488 bytes)..." + repeat("a", 19) + "`"},
		{"<" + repeat("much prose ", 100_000) + ">", "<" + repeat("much prose ", 89) + "...(1,099,002 bytes)...ose much prose >"},
		{strings.Join(lines, "\n"), strings.Join(lines[:24], "\n") + "\n  ... and 4,975 more lines ...\nline 4999"},
	} {
		got := quote.Bounded(c.message)
		if len(got) > 2000 || len(c.message) < 200 && got != c.want || !strings.HasPrefix(got, c.want[:min(len(c.want), 80)]) || !strings.HasSuffix(got, c.want[max(0, len(c.want)-15):]) {
			t.Errorf("%.100q is %q; want %q", c.message, got, c.want)
		}
		if again := quote.Bounded(got); again != got {
			t.Errorf("%.100q is shortened twice: %q", got, again)
		}
	}
	if got := quote.Bounded(repeat("é", 1000)); !utf8.ValidString(got) {
		t.Errorf("a character is cut: %q", got)
	}
	names := repeat("name ", 5000)
	if got := quote.List(strings.Fields(names), "and"); len(got) > 1000 || !strings.HasSuffix(got, "and 4,940 more") {
		t.Errorf("a list of 5,000 names: %q", got)
	}
}
