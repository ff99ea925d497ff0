package bnf

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/goldentest"
)

func load(t testing.TB, name string) *Source {
	t.Helper()
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
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

// TestPrintedLinesStandInTheText holds every production against the text of its RFC: each line stands at the line and on
// the page that the grammar gives, and no line of the BNFs is left out.
func TestPrintedLinesStandInTheText(t *testing.T) {
	folder := os.Getenv("BNFCHECK_RFC")
	if folder == "" {
		t.Skip("BNFCHECK_RFC names no folder with the texts of the RFCs")
	}
	for _, name := range []string{"rfc1630", "rfc1738"} {
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(folder, name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			lines, pages := paginate(string(src))
			covered := map[int]bool{} // line numbers
			g := load(t, name).Text
			for _, r := range g.Rules {
				for i, printed := range strings.Split(r.Printed, "\n") {
					n := r.Line + i
					if lines[n-1] != printed {
						t.Errorf("%s: line %d is %q, want %q", r.ID, n, lines[n-1], printed)
					}
					if pages[n-1] != r.Page {
						t.Errorf("%s: line %d is on page %d, want %d", r.ID, n, pages[n-1], r.Page)
					}
					covered[n] = true
				}
			}
			for n := g.Rules[0].Line; n <= g.Rules[len(g.Rules)-1].Line; n++ {
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
var noProduction = regexp.MustCompile(`^(\s*|;.*|.*\[Page \d+\]|\fRFC.*|RFC \d+ .* 1994)$`)

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
