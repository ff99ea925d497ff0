package golden

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
)

// TestVerdictsPrinted shows the verdicts of both RFCs on the URLs that either prints, in the order of the texts. A text with
// white space between its brackets has two rows, one as printed and one for the URL that is meant.
func TestVerdictsPrinted(t *testing.T) {
	var b strings.Builder
	row := func(line int, what, s string) {
		old, new := bnfcheck.RFC1630.Check(s), bnfcheck.RFC1738.Check(s)
		fmt.Fprintf(&b, "%-5d%-8s %-30s %-28s %s\n", line, what, verdict(old), verdict(new), visible(s))
	}
	for i, rfc := range []string{"rfc1630", "rfc1738"} {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s prints\n%-5s%-8s %-30s %-28s %s\n", rfc, "line", "as", "RFC 1630", "RFC 1738", "URL")
		for _, p := range readPrinted(t, rfc) {
			if inside := strings.Trim(p.Raw, "<>"); strings.ContainsAny(inside, " \n") {
				row(p.Line, "spaced", strings.TrimPrefix(inside, "URL:"))
			}
			row(p.Line, p.Context, p.URL)
		}
	}
	assert(t, "printed", "verdicts", b.String())
}

// TestDiff shows which strings only RFC 1630 accepts, only RFC 1738, both, or neither, among the URLs that they print and in each
// of the hand-made lists.
func TestDiff(t *testing.T) {
	t.Run("printed", func(t *testing.T) {
		var list []string
		seen := map[string]bool{}
		for _, rfc := range []string{"rfc1630", "rfc1738"} {
			for _, p := range readPrinted(t, rfc) {
				if p.Context != "partial" && !seen[p.URL] {
					list = append(list, p.URL)
					seen[p.URL] = true
				}
			}
		}
		assert(t, "printed-diff", "verdicts", listed("the URLs that either RFC prints", list))
	})
	for _, name := range schemes(t) {
		t.Run(name, func(t *testing.T) {
			assert(t, "schemes/"+name, "verdicts", listed("schemes/"+name, readScheme(t, name)))
		})
	}
}

// A group is which of the two RFCs accept a string.
type group int

const (
	only1630 group = iota
	only1738
	both
	neither
)

var groupNames = [...]string{"only RFC 1630", "only RFC 1738", "both", "neither"}

func groupOf(a, b bool) group {
	switch {
	case a && b:
		return both
	case a:
		return only1630
	case b:
		return only1738
	}
	return neither
}

// listed compares the two acceptance sets on a list. Each group keeps the order of the list. The head counts the groups twice: with
// the generic forms, and as with --strict, where generic-only counts as rejected.
func listed(title string, list []string) string {
	var groups [len(groupNames)][]string
	var lax, strict [len(groupNames)]int
	for _, s := range list {
		a, b := bnfcheck.RFC1630.Check(s), bnfcheck.RFC1738.Check(s)
		g := groupOf(a.Value != bnfcheck.Rejected, b.Value != bnfcheck.Rejected)
		groups[g] = append(groups[g], fmt.Sprintf("  %-30s %-28s %s\n", verdict(a), verdict(b), visible(s)))
		lax[g]++
		strict[groupOf(accepted(a), accepted(b))]++
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %d strings\n\n%-16s%9s%9s\n", title, len(list), "accepted by", "", "strictly")
	for g, name := range groupNames {
		fmt.Fprintf(&out, "%-16s%9d%9d\n", name, lax[g], strict[g])
	}
	for g, name := range groupNames {
		if len(groups[g]) > 0 {
			fmt.Fprintf(&out, "\n%s\n%s", name, strings.Join(groups[g], ""))
		}
	}
	return out.String()
}

// accepted is the verdict under --strict.
func accepted(v bnfcheck.Verdict) bool {
	return v.Value != bnfcheck.Rejected && v.Value != bnfcheck.GenericOnly
}

// verdict returns a verdict for one column: with the production that matched, or with the place where none continues.
func verdict(v bnfcheck.Verdict) string {
	if v.Value != bnfcheck.Rejected {
		return fmt.Sprintf("%v %s", v.Value, v.Tree.Grammar.Production(v.Production).ID)
	}
	var err *ast.SyntaxError
	if !errors.As(v.Err, &err) {
		return fmt.Sprintf("%v: %v", v.Value, v.Err)
	}
	at := "end"
	if err.Offset < len(err.Input) {
		at = err.Unexpected()
	}
	return fmt.Sprintf("%v at %d %s", v.Value, err.Offset, at)
}

// visible shows line breaks as \n. The lists and the texts of the RFCs hold no other control character.
func visible(s string) string { return strings.ReplaceAll(s, "\n", `\n`) }

func assert(t *testing.T, name, section, got string) {
	t.Helper()
	goldentest.Check(t, "testdata/"+name+".golden", goldentest.Output(section, got))
}
