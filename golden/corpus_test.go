package golden

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
)

// TestCorpus runs both RFCs over real URLs of the 1990s and over other projects' test cases. The golden files hold
// counts and no URLs.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("BNFCHECK_CORPUS")
	if dir == "" {
		t.Skip("BNFCHECK_CORPUS is not set: the folder with era.tsv")
	}
	for _, name := range []string{"era", "era-odd", "rare-schemes"} {
		t.Run(name, func(t *testing.T) {
			var c census
			firstColumn(t, filepath.Join(dir, name+".tsv"), c.add)
			assert(t, "corpus/"+name, "census", c.String())
		})
	}
	t.Run("peers", func(t *testing.T) {
		files, err := filepath.Glob(filepath.Join(dir, "peers", "*.tsv"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no test cases of other projects (%v)", err)
		}
		var out strings.Builder
		for _, file := range files {
			var c census
			firstColumn(t, file, func(s string) { c.add(unescape(t, s)) })
			fmt.Fprintf(&out, "%s\n\n%s\n", filepath.Base(file), c.String())
		}
		assert(t, "corpus/peers", "census", out.String())
	})
}

// known are the schemes that a census counts one by one: those that one of the RFCs gives a production or describes.
var known = []string{
	"http", "ftp", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero",
	"mid", "cid", "afs", "rlogin", "tn3270",
}

// The groups of strings beside those of the known schemes.
const (
	notLower = "(one of them, not in lower case)"
	another  = "(another)"
	noScheme = "(no scheme)"
)

// columns are the verdicts that each RFC has, in the order in which a census shows them.
var columns = [2][]bnfcheck.Value{
	{bnfcheck.Conforming, bnfcheck.GenericOnly, bnfcheck.NoProduction, bnfcheck.Rejected},
	{bnfcheck.Conforming, bnfcheck.GenericOnly, bnfcheck.Rejected},
}

// A pair is what RFC 1630 and RFC 1738 say of a string.
type pair [2]bnfcheck.Value

// A census counts strings by scheme and by what both RFCs say of them.
type census struct {
	schemes map[string]map[pair]int
}

func (c *census) add(s string) {
	if c.schemes == nil {
		c.schemes = map[string]map[pair]int{}
	}
	name := schemeOf(s)
	if c.schemes[name] == nil {
		c.schemes[name] = map[pair]int{}
	}
	c.schemes[name][pair{bnfcheck.RFC1630.Check(s).Value, bnfcheck.RFC1738.Check(s).Value}]++
}

// schemeOf gives the group in which a census counts s.
func schemeOf(s string) string {
	name, _, found := strings.Cut(s, ":")
	if !found || strings.ContainsAny(name, "/?# \t\r\n") {
		return noScheme
	}
	for _, k := range known {
		switch {
		case name == k:
			return k
		case strings.EqualFold(name, k):
			return notLower
		}
	}
	return another
}

// String gives two tables: the verdicts of each RFC by scheme, and how often each pair of verdicts occurs.
func (c *census) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%-34s%8s   %-60s   %s\n%42s", "scheme", "strings", "RFC 1630", "RFC 1738", "")
	for rfc := range 2 {
		out.WriteString("   ")
		for _, v := range columns[rfc] {
			fmt.Fprintf(&out, "%15v", v)
		}
	}
	out.WriteByte('\n')
	total := map[pair]int{}
	for _, name := range append(known[:len(known):len(known)], notLower, another, noScheme) {
		if c.schemes[name] != nil {
			writeCounts(&out, name, c.schemes[name])
			for p, n := range c.schemes[name] {
				total[p] += n
			}
		}
	}
	writeCounts(&out, "all", total)
	fmt.Fprintf(&out, "\n%-20s%-20s%8s\n", "RFC 1630", "RFC 1738", "strings")
	for _, a := range columns[0] {
		for _, b := range columns[1] {
			if n := total[pair{a, b}]; n > 0 {
				fmt.Fprintf(&out, "%-20v%-20v%8d\n", a, b, n)
			}
		}
	}
	return out.String()
}

func writeCounts(out *strings.Builder, name string, pairs map[pair]int) {
	all := 0
	for _, n := range pairs {
		all += n
	}
	fmt.Fprintf(out, "%-34s%8d", name, all)
	for rfc := range 2 {
		out.WriteString("   ")
		for _, v := range columns[rfc] {
			count := 0
			for p, n := range pairs {
				if p[rfc] == v {
					count += n
				}
			}
			fmt.Fprintf(out, "%15d", count)
		}
	}
	out.WriteByte('\n')
}

// firstColumn calls f for the first column of each line of a file, which holds raw bytes.
func firstColumn(t *testing.T, file string, f func(string)) {
	t.Helper()
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s, _, _ := strings.Cut(lines.Text(), "\t")
		f(s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// unescape is [Unescape] for a test.
func unescape(t *testing.T, s string) string {
	t.Helper()
	out, err := Unescape(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
