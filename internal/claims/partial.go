package claims

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// partialExamples is RFC 1630's table of partial forms, lines 592 to 600. It stands for both contexts, lines 588 and 604.
var partialExamples = []struct{ partial, full string }{
	{"g", "magic://a/b/c//d/e/g"},
	{"/g", "magic://a/g"},
	{"//g", "magic://g"},
	{"../g", "magic://a/b/c//d/g"},
	{"g:h", "g:h"},
}

var partialContexts = []string{"magic://a/b/c//d/e/f", "magic://a/b/c//d/e/"}

// partialForms asserts that the rule for partial forms gives the table, row by row.
func partialForms() []Assertion {
	var out []Assertion
	for _, context := range partialContexts {
		for _, row := range partialExamples {
			a := Assertion{Says: fmt.Sprintf("%s in %s is %s", row.partial, context, row.full), Holds: true}
			if got := expandPartial(context, row.partial, true); got != row.full {
				a.Holds, a.Witness = false, new(octets.Word(got))
				a.refutation = fmt.Sprintf("%s in %s is %s, and not %s", row.partial, context, *a.Witness, row.full)
			}
			out = append(out, a)
		}
	}
	without := Assertion{Says: `without "no greater number of consecutive slashes anywhere to the right" the rule gives every row`, Holds: true, Aside: true}
	for _, context := range partialContexts {
		for _, row := range partialExamples {
			if got := expandPartial(context, row.partial, false); got != row.full && without.Holds {
				without.Holds, without.Witness = false, new(octets.Word(got))
				without.refutation = fmt.Sprintf("(%s): %s in %s is then %s, and not %s", without.Says, row.partial, context, *without.Witness, row.full)
			}
		}
	}
	return append(out, without)
}

// expandPartial applies RFC 1630's rule for partial forms (lines 530 to 556), with the clause that no longer run of
// slashes may stand to the right of the one that is found, or without it. It is the rule and no more: package semantic
// has the resolution for users.
func expandPartial(context, partial string, clause bool) string {
	if i := strings.IndexAny(partial, ":/"); i >= 0 && partial[i] == ':' {
		return partial // absolute
	}
	n := len(partial) - len(strings.TrimLeft(partial, "/"))
	if n > 0 {
		runs := slashRuns(context)
		for i, r := range runs {
			longer := false
			for _, right := range runs[i+1:] {
				longer = longer || right.length > n
			}
			if r.length == n && !(clause && longer) {
				return context[:r.at] + partial
			}
		}
		return ""
	}
	return removeDots(context[:strings.LastIndexByte(context, '/')+1] + partial)
}

type slashRun struct{ at, length int }

// slashRuns lists the longest runs of slashes in s.
func slashRuns(s string) []slashRun {
	var runs []slashRun
	for i := 0; i < len(s); {
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "/"))
		if n > 0 {
			runs = append(runs, slashRun{i, n})
		}
		i += max(n, 1)
	}
	return runs
}

// removeDots removes "xxx/../" and "/." again and again, where xxx, ".." and "." are complete path elements.
func removeDots(s string) string {
	elements := strings.Split(s, "/")
	for i := 1; i < len(elements); i++ {
		switch {
		case elements[i] == ".":
			elements = append(elements[:i], elements[i+1:]...)
			i = 0
		case elements[i] == ".." && i+1 < len(elements) && elements[i-1] != "..":
			elements = append(elements[:i-1], elements[i+1:]...)
			i = 0
		}
	}
	return strings.Join(elements, "/")
}
