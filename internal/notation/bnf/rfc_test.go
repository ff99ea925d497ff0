package bnf

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func load(t testing.TB, name string) *Source {
	t.Helper()
	return must.Of(Load(name))(t)
}

func TestEveryProductionIsThere(t *testing.T) {
	tests := []struct {
		grammar, part string
		productions   int
		first, last   string // their IDs
	}{
		{"rfc1630", "generic", 21, "uri_fragmentaddress", "uri_void"},
		{"rfc1630", "url", 64, "prefixedurl", "url_void"},
		{"rfc1738", "", 67, "genericurl", "digits"},
		{"rfc3986", "", 36, "URI", "sub-delims"},
	}
	for _, test := range tests {
		var ids []string
		for _, r := range load(t, test.grammar).Text.Rules {
			if r.Part == test.part {
				ids = append(ids, r.ID)
			}
		}
		if len(ids) != test.productions || ids[0] != test.first || ids[len(ids)-1] != test.last {
			t.Errorf("%s %s: %d productions from %s to %s, want %d from %s to %s",
				test.grammar, test.part, len(ids), ids[0], ids[len(ids)-1], test.productions, test.first, test.last)
		}
	}
}

func TestIDsAreUniqueAndNamesFindThem(t *testing.T) {
	g := load(t, "rfc1630").Text
	seen := map[string]bool{}
	shared := 0
	for _, r := range g.Rules {
		if seen[r.ID] {
			t.Errorf("ID %s is given twice", r.ID)
		}
		seen[r.ID] = true
		if r.ID == "url_"+r.Name {
			shared++
		}
	}
	if shared != 19 {
		t.Errorf("%d productions of the URL BNF share their name with one of the generic BNF, want 19", shared)
	}
	for name, id := range map[string]string{"fragmentaddress": "uri_fragmentaddress", "uri": "uri", "url": "url", "hostport": "hostport", "uri_path": "uri_path"} {
		if r, err := g.Lookup(name); err != nil || r.ID != id {
			t.Errorf("%s is not found as %s: %v", name, id, err)
		}
	}
	if _, err := g.Lookup("path"); err == nil || !strings.Contains(err.Error(), "uri_path, url_path") {
		t.Errorf("path is ambiguous, but: %v", err)
	}
}

// TestPrintedLinesStandInTheText checks every production against the text of its RFC: each line stands at the line
// and on the page that the grammar gives, and no line of the BNFs is left out.
func TestPrintedLinesStandInTheText(t *testing.T) {
	folder := os.Getenv("BNFCHECK_RFC")
	if folder == "" {
		t.Skip("BNFCHECK_RFC names no folder with the texts of the RFCs")
	}
	for name, margin := range map[string]string{"rfc1630": "", "rfc1738": "", "rfc3986": "   "} {
		t.Run(name, func(t *testing.T) {
			src := must.Of(os.ReadFile(filepath.Join(folder, name+".txt")))(t)
			lines, pages := paginate(string(src))
			covered := map[int]bool{} // line numbers
			g := load(t, name).Text
			last := 0
			for _, r := range g.Rules {
				if r.Part == "core" { // of RFC 5234
					continue
				}
				for i, printed := range strings.Split(r.Printed, "\n") {
					n := r.Line + i
					last = n
					if lines[n-1] != margin+printed {
						t.Errorf("%s: line %d is %q, want %q", r.ID, n, lines[n-1], margin+printed)
					}
					if pages[n-1] != r.Page {
						t.Errorf("%s: line %d is on page %d, want %d", r.ID, n, pages[n-1], r.Page)
					}
					covered[n] = true
				}
			}
			for n := g.Rules[0].Line; n <= last; n++ {
				if !covered[n] && !between1630(n) && !noProduction.MatchString(lines[n-1]) {
					t.Errorf("line %d belongs to no production: %q", n, lines[n-1])
				}
			}
		})
	}
}

// between1630 reports whether a line is one of those between RFC 1630's two BNFs.
func between1630(n int) bool { return 1275 <= n && n < 1304 }

// noProduction matches what stands between the productions of a BNF: nothing, a comment, page furniture.
var noProduction = regexp.MustCompile(`^(\s*|;.*|.*\[Page \d+\]|\fRFC.*|RFC \d+ .* (1994|2005))$`)

// TestCollectedABNF checks appendix A of RFC 3986, "Collected ABNF for URI", against the productions that stand in
// sections 2 to 4, line by line: each production of the appendix stands there once with the same lines, and no other
// does. The appendix leaves out the comments on two of them.
func TestCollectedABNF(t *testing.T) {
	folder := os.Getenv("BNFCHECK_RFC")
	if folder == "" {
		t.Skip("BNFCHECK_RFC names no folder with the texts of the RFCs")
	}
	src := must.Of(os.ReadFile(filepath.Join(folder, "rfc3986.txt")))(t)
	collected := map[string][]string{} // by name: its lines, with single spaces
	for _, r := range load(t, "rfc3986").Text.Rules {
		if r.Part == "core" {
			continue
		}
		for line := range strings.Lines(r.Printed) {
			collected[r.Name] = append(collected[r.Name], strings.Join(strings.Fields(line), " "))
		}
	}
	lines, _ := paginate(string(src))
	begins := regexp.MustCompile(`^ {6}([A-Za-z][0-9A-Za-z-]*) +=`)
	section, name := regexp.MustCompile(`^(\d+)\.[ \d]`), ""
	inside, found, next := false, map[string]int{}, 0
	comments := map[int]string{1087: "; least-significant 32 bits of address", 1090: "; 16 bits of address represented in hexadecimal"}
	for n, line := range lines {
		if m := section.FindStringSubmatch(line); m != nil {
			inside = m[1] >= "2" && m[1] <= "4"
		}
		if m := begins.FindStringSubmatch(line); m != nil && inside {
			name, next = m[1], 0
			found[name]++
		}
		switch {
		case !inside || name == "":
		case strings.TrimSpace(line) == "":
			if next != len(collected[name]) {
				t.Errorf("%s: line %d: %d lines, and %d in the appendix", name, n, next, len(collected[name]))
			}
			name = ""
		case comments[n+1] == strings.TrimSpace(line):
			delete(comments, n+1)
		case next >= len(collected[name]):
			t.Errorf("%s: line %d: the appendix does not have %q", name, n+1, line)
		case strings.Join(strings.Fields(line), " ") != collected[name][next]:
			t.Errorf("%s: line %d: %q, and %q in the appendix", name, n+1, strings.TrimSpace(line), collected[name][next])
			next++
		default:
			next++
		}
	}
	if len(comments) > 0 {
		t.Errorf("comments that are nowhere: %v", comments)
	}
	for name := range collected {
		if found[name] != 1 {
			t.Errorf("%s stands %d times in sections 2 to 4", name, found[name])
		}
	}
}

// paginate splits a text into lines and gives the page that each stands on.
func paginate(text string) (lines []string, pages []int) {
	page := 1
	footer := regexp.MustCompile(`\[Page (\d+)\]$`)
	for line := range strings.SplitSeq(text, "\n") {
		lines, pages = append(lines, line), append(pages, page)
		if m := footer.FindStringSubmatch(line); m != nil {
			page, _ = strconv.Atoi(m[1])
			page++
		}
	}
	return lines, pages
}

func TestTrees(t *testing.T) {
	for _, name := range []string{"rfc1630", "rfc1738"} {
		s := load(t, name)
		goldentest.Check(t, "testdata/"+name+".golden", goldentest.Output("text", dump(s.Text)),
			goldentest.Output("default", changes(s.Text, s.Default)), goldentest.Output("printed", changes(s.Text, s.Printed)))
	}
	goldentest.Check(t, "testdata/rfc3986.golden", goldentest.Output("text", dump(load(t, "rfc3986").Text)))
}

// dump writes every production with its place and its expression.
func dump(g *expr.Grammar) string {
	var b strings.Builder
	for _, r := range g.Rules {
		if r.Page > 0 {
			fmt.Fprintf(&b, "page %d line %d, ", r.Page, r.Line)
		}
		fmt.Fprintf(&b, "%s, %s %q\n\t%s = %s\n", r.Pos, r.Part, r.Section, r.ID, r.Expr)
	}
	return b.String()
}

// changes writes the productions that are different in as.
func changes(g, as *expr.Grammar) string {
	var b strings.Builder
	for i, r := range g.Rules {
		if before, after := r.Expr.String(), as.Rules[i].Expr.String(); before != after {
			fmt.Fprintf(&b, "%s = %s\n\t%s\n", r.ID, before, after)
		}
	}
	return b.String()
}

// TestPlaces: an expression knows where it is printed.
func TestPlaces(t *testing.T) {
	tests := []struct{ grammar, production, ref, want string }{
		{"rfc1630", "midaddress", "addr-spec", "grammar/rfc1630.bnf:108:36"},
		{"rfc1630", "httpaddress", "url_search", "grammar/rfc1630.bnf:93:26"},
		{"rfc1630", "url", "gopheraddress", "grammar/rfc1630.bnf:85:28"},
		{"rfc1738", "gopherurl", "gopher+_string", "grammar/rfc1738.bnf:94:41"},
		{"rfc1738", "url", "otherurl", "grammar/rfc1738.bnf:18:32"},
	}
	for _, test := range tests {
		found := false
		expr.Walk(load(t, test.grammar).Text.Rule(test.production).Expr, func(e *expr.Expr) bool {
			if e.Op == expr.Ref && e.Name == test.ref {
				found = true
				if e.Pos.String() != test.want {
					t.Errorf("%s in %s stands at %s, want %s", test.ref, test.production, e.Pos, test.want)
				}
			}
			return true
		})
		if !found {
			t.Errorf("%s does not use %s", test.production, test.ref)
		}
	}
}
