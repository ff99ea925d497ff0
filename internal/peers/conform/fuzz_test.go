//go:build unix

package conform

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// An answer of a program is refused, or says accepted, rejected or undecided, in text that is short enough to keep.
func FuzzParseAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"accepted":true,"components":{"host":"h","port":null}}`, `{"id":1,"accepted":null}`, `{"id":2,"accepted":true}`,
		`{"id":1,"accepted":false,"error":"no"}`, `{"id":1,"accepted":true,"components":{"userinfo":"a:b","query":"q"}}`, `{"id":1}`, "[]",
	} {
		f.Add([]byte(seed), "http://h/", false)
	}
	f.Fuzz(func(t *testing.T, line []byte, asked string, free bool) {
		var named []string
		if free {
			named = []string{"host", "a"}
		}
		a, err := parseAnswer(line, 1, named)
		if err != nil {
			if a.Verdict != NoAnswer || err.Error() == "" {
				t.Errorf("%q: %v with %v", line, a.Verdict, err)
			}
			return
		}
		if a.Verdict == NoAnswer || !utf8.Valid(line) {
			t.Errorf("%q: %v", line, a.Verdict)
		}
		for c, v := range a.shortened(asked).Components {
			if len(v.Text) > keptText+keptEach*len(asked)+keptHead {
				t.Errorf("%q: component %d has %d bytes", line, c, len(v.Text))
			}
		}
	})
}

// What a run of a parser reports is what the grammar and the parser answer, every difference is in a group of its kind with a string that shows it, and the report
// is read from its JSON as it was.
func FuzzRun(f *testing.F) {
	f.Add("http://a/~\nhttp://a/\nhttp://u@a/\nx:y", "~", "a/")
	f.Fuzz(func(t *testing.T, list, more, less string) {
		if len(list) > 300 {
			return
		}
		inputs := strings.Split(list, "\n")
		grammar := Judge{Grammar: bnfcheck.RFC1738.Grammar}
		parser := rfc1738(func(w string, a Answer) Answer {
			switch {
			case more != "" && strings.HasSuffix(w, more):
				a.Verdict = Accepted
			case less != "" && strings.HasSuffix(w, less):
				return Answer{Verdict: Rejected, Error: less}
			}
			return a
		})
		r := must.Of(Run(t.Context(), Config{Implementations: []Implementation{parser}, Judges: []Judge{grammar}, Inputs: inputs}))(t)
		var want [3]int // more, less, both
		slices.Sort(inputs)
		for _, w := range slices.Compact(inputs) {
			ours, theirs := grammar.Answer(w).Verdict == Accepted, parser.Parse(w).Verdict == Accepted
			switch {
			case theirs && !ours:
				want[0]++
			case ours && !theirs:
				want[1]++
			case ours:
				want[2]++
			}
		}
		c := r.Comparisons[0]
		if got := [3]int{c.More, c.Less, c.Both}; got != want {
			t.Fatalf("%q: more, less and both: %d, want %d", list, got, want)
		}
		count := map[Kind]int{}
		for _, g := range c.Groups {
			count[g.Kind] += g.Count
			w := string(g.Shortest)
			ours, theirs := grammar.Answer(w).Verdict == Accepted, parser.Parse(w).Verdict == Accepted
			if g.Offset < 0 || g.Offset > len(w) || g.Kind == AcceptsMore && (ours || !theirs) || g.Kind == AcceptsLess && (!ours || theirs) {
				t.Errorf("%q is in %+v", w, g)
			}
		}
		if count[AcceptsMore] != want[0] || count[AcceptsLess] != want[1] {
			t.Errorf("%q: groups of %v, want %v", list, count, want)
		}
		text, err := json.Marshal(r)
		var back Report
		if err != nil || json.Unmarshal(text, &back) != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(&back); err != nil || string(again) != string(text) {
			t.Errorf("%s is read and written as %s", text, again)
		}
	})
}
