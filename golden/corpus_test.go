package golden

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/corpustest"
)

// TestCorpus runs both RFCs over real URLs of the 1990s and over other projects' test cases. The golden files hold
// counts and no URLs.
func TestCorpus(t *testing.T) {
	dir := corpustest.Dir(t)
	for _, name := range []string{"era", "era-odd", "rare-schemes"} {
		t.Run(name, func(t *testing.T) {
			var c census
			for _, row := range corpustest.Rows(t, filepath.Join(dir, name+".tsv")) {
				c.add(row[0])
			}
			assert(t, "corpus/"+name, "census", c.String())
		})
	}
	t.Run("peers", func(t *testing.T) {
		var out strings.Builder
		for _, file := range corpustest.Peers(t) {
			var c census
			for _, row := range corpustest.Rows(t, file) {
				c.add(corpustest.Unescape(t, row[0]))
			}
			fmt.Fprintf(&out, "%s\n\n%s\n", filepath.Base(file), c.String())
		}
		assert(t, "corpus/peers", "census", out.String())
	})
}

// known are the schemes that a census counts one by one: those for which one of the RFCs has a production or a description.
var known = []string{
	"http", "ftp", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero",
	"mid", "cid", "afs", "rlogin", "tn3270",
}

// The groups of strings other than those of the known schemes.
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

// A pair is the verdicts of RFC 1630 and RFC 1738 on a string.
type pair [2]bnfcheck.Value

// A census counts strings by scheme and by the verdicts of both RFCs.
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

// schemeOf returns the group in which a census counts s.
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

// String returns two tables: the verdicts of each RFC by scheme, and how often each pair of verdicts occurs.
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
