package conform_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The JSON of a group has a bounded part of its production and of what is expected: that of a production of 20,000
// words had 490 MB, since each of thousands of groups repeated it all.
func TestGroupsRepeatLittle(t *testing.T) {
	for _, n := range []int{50, 400, 1600} {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("%q", fmt.Sprintf("w%dx", i))
		}
		file := filepath.Join(t.TempDir(), "words.abnf")
		must.Do(t, os.WriteFile(file, []byte("s = "+strings.Join(words, " / ")+"\n"), 0o666))
		s, _, err := conform.Subject(must.Of(catalog.Open(file, catalog.Usual))(t))
		must.Do(t, err)
		judge := conform.Judge{Grammar: s.Grammar, Production: s.Production, File: "words.abnf"}
		report := run(t, judge, []string{"~"}, &conform.Making{}, func(string) bool { return true })
		groups := report.Comparisons[0].Groups
		if len(groups) != 1 {
			t.Fatalf("%d words: %d groups", n, len(groups))
		}
		g := groups[0]
		if size := len(must.Of(json.Marshal(g))(t)); size > 2500 {
			t.Errorf("%d words: %d bytes of JSON", n, size)
		}
		if len(g.Expected)+g.MoreExpected != n || !strings.HasPrefix(g.Printed, `s = "w0x" / `) {
			t.Errorf("%d words: %d terms and %d more; %s", n, len(g.Expected), g.MoreExpected, g.Printed)
		}
		want := `, "w48x" or "w49x"`
		if n > 50 {
			want = fmt.Sprintf(`, "w59x" or %s more`, quote.Thousands(n-60))
		}
		if !strings.HasSuffix(g.String(), want) {
			t.Errorf("%d words: %s; want ... %s", n, g, want)
		}
	}
}
