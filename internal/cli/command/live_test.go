package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck/inspect"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The live checker of the page shows what the commands print: for every URL that the RFCs print, for all
// golden inputs, and on what nobody would type.
func TestTheLiveCheckerSaysWhatTheCommandsSay(t *testing.T) {
	t.Setenv("COLUMNS", "100000") // the page folds no lines
	longtest.Need(t, "it runs three commands on every string of the golden files")
	inputs := append(printedURLs(t), goldenInputs(t)...)
	inputs = append(inputs, "h", ":", "http://a/\xff\xfe", "http://a/\u202e", "x:\x00y", "<URL:http://a/",
		`http://a/"\`, " http://a/ ",
		"http://a/"+strings.Repeat("a", 1500), "ftp://a/%0D%0A;type=a", "#http://a/", "http://a/\t")
	for _, s := range inputs {
		r := inspect.Check(s, 0)
		if len(r.Views) != len(bnfcheck.Grammars()) {
			t.Fatalf("%q: %d views", s, len(r.Views))
		}
		if r.Form == inspect.Prose { // <URL:http://a/>
			s = string(r.URLs[0].Text)
		}
		checked := commandChecks(t, s)
		for i, v := range r.Views {
			if r.URLs[0].Verdicts[i] != v.Verdict {
				t.Errorf("%q: %s: listed as %s, shown as %s", s, v.Grammar, r.URLs[0].Verdicts[i], v.Verdict)
			}
			if got, want := liveVerdict(v), checked.Verdicts[v.Grammar].text(t, v.Grammar); got != want {
				t.Errorf("%q: %s\nlive:  %s\ncheck: %s", s, v.Grammar, got, want)
			}
			name := short(v.Grammar)
			if got, want := treeOf(v), commandPrints(t, "parse", "--rfc", name, "--", s); got != want {
				t.Errorf("%q: %s\nlive:\n%s\nparse:\n%s", s, v.Grammar, got, want)
			}
			if got, want := typedOf(v), commandPrints(t, "parse", "--typed", "--rfc", name, "--", s); got != want {
				t.Errorf("%q: %s\nlive:\n%s\nparse --typed:\n%s", s, v.Grammar, got, want)
			}
			if name == "3986" {
				continue // the text says nothing about what a client does
			}
			if got, want := stepsOf(v), commandPrints(t, "explain", "--access", "--rfc", name, "--", s); got != want {
				t.Errorf("%q: %s\nlive:\n%s\nexplain --access:\n%s", s, v.Grammar, got, want)
			}
		}
	}
}

// A text is read as the commands extract and check -f read it.
func TestTheLiveCheckerReadsTextsAsTheCommandsDo(t *testing.T) {
	for _, c := range []struct {
		text    string
		form    inspect.Form
		command []string
	}{
		{"see <URL:http://a/>, <URL:ftp://b/c-\n d> and <http://e f/>, <not this> or this: http://g/", inspect.Prose,
			[]string{"extract", "--format", "json"}},
		{"http://a/\r\n\r\n  \t\n# no\n #yes\nhttp://b/", inspect.Lines,
			[]string{"check", "--format", "json", "-f", "-"}},
		{"\uFEFFhttp://a/\n", inspect.Lines, []string{"check", "--format", "json", "-f", "-"}},
		{"\n\n#\n", inspect.Lines, []string{"check", "--format", "json", "-f", "-"}},
		{"http://a/\r\r\n\xff\n", inspect.Lines, []string{"check", "--format", "json", "-f", "-"}},
	} {
		r := inspect.Check(c.text, 0)
		var got, want []string
		for _, u := range r.URLs {
			got = append(got, fmt.Sprintf("%d %q %q %v", u.Line, u.Text, u.Other, u.Space))
		}
		var out, message bytes.Buffer
		run(c.command, strings.NewReader(c.text), &out, &message)
		for d := json.NewDecoder(&out); d.More(); {
			var x struct {
				Line         int
				URL, Input   string
				Input6       []byte `json:"input_base64"`
				Unhyphenated string
				InnerSpace   bool `json:"inner_space"`
			}
			must.Do(t, d.Decode(&x))
			want = append(want, fmt.Sprintf("%d %q %q %v", x.Line, x.URL+x.Input+string(x.Input6), x.Unhyphenated, x.InnerSpace))
		}
		if r.Form != c.form || r.Count != len(r.URLs) || !slices.Equal(got, want) {
			t.Errorf("%q: read as %s, %d URLs\nlive:    %v\ncommand: %v\n%s", c.text, r.Form, r.Count, got, want, &message)
		}
	}
}

// checked is one object of check --format json.
type checked struct {
	Verdicts map[string]checkedVerdict
}

type checkedVerdict struct {
	Verdict, Production, Scheme string
	Error                       *struct {
		Offset                           *int
		Unexpected, In, Section, Message string
		Expected                         []string
	}
	Findings []struct {
		Rule, Severity, Section, Message string
		Start, End                       int
	}
	Suggestion *struct {
		URL     string
		Guess   bool
		Differs []string
		Edits   []struct {
			Edit, Old, New string
			Changes        bool `json:"changes_meaning"`
		}
	}
}

// text returns everything that check prints. The command names productions by their IDs, the page as the RFC does;
// and the page leaves wild guesses out.
func (v checkedVerdict) text(t *testing.T, grammar string) string {
	name := func(id string) string {
		g := must.Of(bnfcheck.Find(grammar))(t)
		k, _ := g.Kind(id)
		return g.Production(k).Name
	}
	var b strings.Builder
	fmt.Fprintln(&b, v.Verdict, name(v.Production), v.Scheme)
	if e := v.Error; e != nil {
		offset := -1
		if e.Offset != nil {
			offset = *e.Offset
		}
		fmt.Fprintln(&b, offset, e.Unexpected, name(e.In), e.Expected, e.Section, strings.TrimPrefix(e.Message, grammar+": "))
	}
	for _, f := range v.Findings {
		fmt.Fprintln(&b, f.Rule, f.Severity, f.Section, f.Start, f.End, f.Message)
	}
	if s := v.Suggestion; s != nil {
		changes := false
		for _, e := range s.Edits {
			changes = changes || e.Changes
		}
		fmt.Fprintln(&b, s.URL, s.Guess, changes, s.Differs, len(s.Edits))
	}
	return b.String()
}

func liveVerdict(v inspect.View) string {
	var b strings.Builder
	fmt.Fprintln(&b, v.Verdict, v.Production, string(v.Scheme))
	if e := v.Why; e != nil {
		message := e.Message
		if v.Verdict == "generic-only" {
			message = strings.TrimPrefix(message, "no "+e.Explains+": ")
		}
		fmt.Fprintln(&b, e.Offset, e.Unexpected, e.In, e.Expected, e.Section, message)
	}
	for _, f := range v.Findings.Entries {
		fmt.Fprintln(&b, f.Rule, f.Severity, f.Section, f.Start, f.End, f.Message)
	}
	if s := v.Suggestion; s != nil {
		fmt.Fprintln(&b, string(s.URL), s.Guess, s.Changes, s.Differs, len(s.Edits))
	}
	return b.String()
}

func commandChecks(t *testing.T, s string) checked {
	t.Helper()
	var c checked
	out := commandPrints(t, "check", "--rfc", "all", "--severity", "note", "--format", "json", "--", s)
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatalf("%q: %v in %s", s, err, out)
	}
	return c
}

// commandPrints returns what a command prints: nothing of a string that is rejected.
func commandPrints(t *testing.T, args ...string) string {
	t.Helper()
	var out, message bytes.Buffer
	if status := run(args, strings.NewReader(""), &out, &message); status == statusFailed {
		t.Fatalf("%q: %s", args, &message)
	}
	return out.String()
}

func treeOf(v inspect.View) string {
	var b strings.Builder
	for _, n := range v.Tree.Entries {
		fmt.Fprintf(&b, "%*s%s %d..%d %s\n", 2*n.Depth, "", n.Name, n.Start, n.End, ast.Quote(string(n.Text)))
	}
	return b.String()
}

func typedOf(v inspect.View) string {
	if v.Typed == "" {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", v.Grammar, v.Typed)
	for _, f := range v.Fields.Entries {
		switch {
		case f.Start < 0:
			fmt.Fprintf(&b, "  %s = %s\n", f.Name, f.Value)
		case f.Decoded == nil:
			fmt.Fprintf(&b, "  %s %d..%d %s\n", f.Name, f.Start, f.End, ast.Quote(string(f.Raw)))
		default:
			fmt.Fprintf(&b, "  %s %d..%d %s = %s\n", f.Name, f.Start, f.End, ast.Quote(string(f.Raw)), ast.Quote(string(*f.Decoded)))
		}
	}
	return b.String()
}

func stepsOf(v inspect.View) string {
	var b strings.Builder
	for _, s := range v.Steps.Entries {
		text := string(s.Text)
		if s.Octets != "" {
			text = ast.Quote(string(s.Octets))
		}
		fmt.Fprintf(&b, "  %-8s%s  [%s]\n", s.Verb, text, s.Section)
	}
	return b.String()
}

// printedURLs returns the URLs that the RFCs print.
func printedURLs(t *testing.T) (urls []string) {
	t.Helper()
	for _, rfc := range []string{"rfc1630", "rfc1738"} {
		rows := must.Of(grammar.PrintedURLs(rfc))(t)
		for _, p := range rows {
			if p.URL != "" {
				urls = append(urls, p.URL)
			}
		}
	}
	if len(urls) < 60 {
		t.Fatalf("the RFCs print more than %d URLs", len(urls))
	}
	return urls
}

// goldenInputs returns the inputs of the golden files.
func goldenInputs(t *testing.T) []string {
	t.Helper()
	return append(goldentest.Inputs(t, "../../../golden/testdata/schemes/*.golden"), goldentest.Inputs(t, "../../../golden/semantic/*.golden")...)
}
