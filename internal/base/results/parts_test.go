package results

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/resultstest"
)

// inParts returns a document that is written result by result, in parts of at most n where its format has parts.
func inParts(t *testing.T, format string, n int, list []Result) []byte {
	t.Helper()
	var b bytes.Buffer
	w := must.Of(NewWriter(&b, format))(t)
	if p, ok := w.(*partWriter); ok {
		p.most = n
	}
	for i := range list {
		must.Do(t, w.Write(list[i:i+1]))
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

// A document that fits one part is the one that Write writes, in every format.
func TestOnePart(t *testing.T) {
	for _, format := range Formats {
		for name, list := range map[string][]Result{"none": nil, "sample": sample, "hostile": hostile()} {
			if got, want := inParts(t, format, max(1, len(list)), list), write(t, format, list); !bytes.Equal(got, want) {
				t.Errorf("%s, %s: written as results come, it is\n%s\nat once\n%s", format, name, got, want)
			}
		}
	}
}

// JUnit XML in parts has every result once, and is valid: the totals of each part are right.
func TestJUnitInParts(t *testing.T) {
	list := hostile()
	for _, n := range []int{1, 7, len(list) - 1} {
		data := inParts(t, "junit", n, list)
		if got := bytes.Count(data, []byte("<testcase ")); got != len(list) {
			t.Errorf("parts of %d: %d testcases of %d results", n, got, len(list))
		}
		if err := resultstest.JUnit(t.Context(), data); errors.Is(err, resultstest.ErrNoXMLLint) {
			t.Skip(err)
		} else if err != nil {
			t.Errorf("parts of %d: %v", n, err)
		}
	}
}

// Markdown in parts has a row for every result that did not pass, and at its end the totals that it has in front when
// it is whole.
func TestMarkdownInParts(t *testing.T) {
	list := append(hostile(), sample...)
	whole := string(write(t, "markdown", list))
	totals, _, _ := strings.Cut(whole, "\n\n## ")
	rows := func(text string) (n int) {
		for _, outcome := range []string{"note", "warning", "error", "failed", "skipped"} {
			n += strings.Count(text, "\n| "+outcome+" | ")
		}
		return n
	}
	for _, n := range []int{1, 7, len(list) - 1} {
		data := string(inParts(t, "markdown", n, list))
		heading := "\n# All " + strconv.Itoa(len(list)) + " results\n\n"
		if !strings.HasSuffix(data, heading+totals+"\n") {
			t.Errorf("parts of %d do not end with\n%s", n, totals)
		}
		if got, want := rows(data), rows(whole); got != want {
			t.Errorf("parts of %d have %d rows, want %d", n, got, want)
		}
	}
}
