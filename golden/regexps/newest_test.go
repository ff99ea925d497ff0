package regexps_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestNewest installs the newest versions of the packages, judges them, and lists what has changed since the page was written: a
// version, the verdict on a function, a string, or a sentence that is quoted. News is logged, and fails nothing but this test.
func TestNewest(t *testing.T) {
	if os.Getenv("BNFCHECK_NEWEST") == "" {
		t.Skip("skipped without BNFCHECK_NEWEST: installs the newest versions of packages")
	}
	var news []string
	complain := func(format string, args ...any) { news = append(news, fmt.Sprintf(format, args...)) }
	s := readTables(t)
	s.judge(t, install(t, s.packages, newest), complain)
	news = append(compareSummaries(string(must.Of(os.ReadFile("testdata/judged.tsv"))(t)), s.summary()), news...)
	for _, n := range news {
		t.Log(n)
	}
	if len(news) > 0 {
		t.Errorf("%d pieces of news; the page is of %s", len(news), lookedUp)
	}
}

// compareSummaries returns what a new summary says otherwise than the old one: versions first, then the functions and causes. The
// version of a package stands in each of its lines, and is not compared there.
func compareSummaries(old, now string) (news []string) {
	versions, lines := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(old) {
		if c := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(c) == 6 {
			versions[c[0]] = c[1]
			lines[strings.Join(slices.Delete(c, 1, 2), "\t")] = true
		}
	}
	var changed, added []string
	for line := range strings.Lines(now) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 6 {
			continue
		}
		if v := versions[c[0]]; v != c[1] {
			changed = append(changed, fmt.Sprintf("%s %s is now %s", c[0], v, c[1]))
			versions[c[0]] = c[1]
		}
		rest := strings.Join(slices.Delete(c, 1, 2), "\t")
		if !lines[rest] {
			added = append(added, "now: "+rest)
		}
		delete(lines, rest)
	}
	for line := range lines {
		news = append(news, "no longer: "+line)
	}
	slices.Sort(news)
	return slices.Concat(changed, news, added)
}

// TestCompareSummaries gives it a version, a verdict and a cause that changed.
func TestCompareSummaries(t *testing.T) {
	old := "# made\na\t1\tf\tequal\t3\ttrue\nb\t1\tg\tlooser\t4\tfalse\nb\t1\tg\taccepts\t\"x\"\t0\n"
	now := "# made\na\t2\tf\tequal\t3\ttrue\nb\t1\tg\tequal\t4\tfalse\n"
	got := strings.Join(compareSummaries(old, now), "\n")
	want := "a 1 is now 2\nno longer: b\tg\taccepts\t\"x\"\t0\nno longer: b\tg\tlooser\t4\tfalse\nnow: b\tg\tequal\t4\tfalse"
	if got != want {
		t.Errorf("%s", got)
	}
	if got := compareSummaries(old, old); got != nil {
		t.Errorf("%q", got)
	}
}
