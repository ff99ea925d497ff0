//go:build unix

package conform

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
)

// appendixB is the regular expression of RFC 3986, appendix B, and splitAuthority takes an authority apart as section 3.2 does.
var appendixB = regexp.MustCompile(`(?s)^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`)

func splitAuthority(s string) (c Components) {
	c[UserInfo], c[Port] = None, None
	if user, rest, ok := strings.Cut(s, "@"); ok {
		c[UserInfo], s = Is(user), rest
	}
	if at := strings.LastIndexByte(s, ':'); at > strings.LastIndexByte(s, ']') {
		c[Port], s = Is(s[at+1:]), s[:at]
	}
	c[Host] = Is(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	return c
}

// byAppendixB takes a reference apart without its grammar.
func byAppendixB(w string) Components {
	m := appendixB.FindStringSubmatchIndex(w)
	group := func(whole, part int) Value {
		if m[2*whole] < 0 {
			return None
		}
		return Is(w[m[2*part]:m[2*part+1]])
	}
	c := Components{UserInfo: None, Host: None, Port: None}
	if authority := group(3, 4); authority.Present {
		c = splitAuthority(authority.Text)
	}
	c[Scheme], c[Path], c[Search], c[Fragment] = group(1, 2), Is(w[m[10]:m[11]]), group(6, 7), group(8, 9)
	return c
}

func coverReferences(t *testing.T) []string {
	t.Helper()
	inputs := must.Of(ofReferences())(t)
	return append(inputs[:len(inputs):len(inputs)], pegtest.Behind("", "a:/?#@[]1%", 5)...)
}

// TestComponentsAreAppendixB takes references apart in two ways, by the tree of the grammar and by the regular expression of
// appendix B, which knows nothing of it.
func TestComponentsAreAppendixB(t *testing.T) {
	j, n := References(published.References(), false), 0
	for _, w := range coverReferences(t) {
		a := j.Answer(w)
		if a.Verdict != Accepted {
			continue
		}
		n++
		if want := byAppendixB(w); a.Components != want {
			t.Fatalf("%q: the tree has %v, appendix B %v", w, a.Components, want)
		}
	}
	if n < 10000 {
		t.Errorf("only %d references", n)
	}
}

// TestPlantedInReferences plants one deviation from RFC 3986, and finds it where it was planted.
func TestPlantedInReferences(t *testing.T) {
	longtest.Need(t, "it plants a dozen deviations in thirty thousand answers")
	inputs := coverReferences(t)
	rows := []struct {
		name   string
		change func(w string, a Answer) Answer
		want   []string // kind, component, production, how or bytes, shortest input
	}{
		{"none", func(_ string, a Answer) Answer { return a }, nil},
		{"takes an empty query for none", func(_ string, a Answer) Answer {
			if a.Components[Search] == Is("") && a.Components[Path].Text == "" && a.Components[Fragment] == None && a.Components[Host] == None &&
				a.Components[Scheme] == None {
				a.Components[Search] = None
			}
			return a
		}, []string{`component query query "?" it sees none in the place of an empty one`}},
		{"never has an empty query", func(_ string, a Answer) Answer { // and so cannot tell
			if a.Components[Search] == Is("") {
				a.Components[Search] = None
			}
			return a
		}, nil},
		{"decodes the host", func(_ string, a Answer) Answer { a.Components[Host].Text = unescape(a.Components[Host].Text); return a }, nil},
		{"says user and password", func(_ string, a Answer) Answer {
			info := a.Components[UserInfo]
			a.Components[UserInfo] = Value{}
			a.Components[User], a.Components[Password] = info, None
			if before, behind, ok := strings.Cut(info.Text, ":"); ok {
				a.Components[User], a.Components[Password] = Is(before), Is(behind)
			}
			a.Components.deriveUserInfo()
			return a
		}, nil},
		{"takes any letter for a digit of an escape", func(w string, a Answer) Answer {
			if ok, _ := regexp.MatchString(`^/?%[0-9a-zA-Z]{2}$`, w); ok {
				return Answer{Verdict: Accepted}
			}
			return a
		}, []string{`accepts-more  pct-encoded "%ag" [G-Zg-z]`}},
		{"has the path / for none, without an authority", func(w string, a Answer) Answer {
			if w == "?a" {
				a.Components[Path] = Is("/")
			}
			return a
		}, []string{`component path path-empty "?a" it sees one, the grammar none`}},
		{"has the path / for none, behind an authority", func(w string, a Answer) Answer {
			if a.Components[Host].Present && a.Components[Path].Text == "" {
				a.Components[Path] = Is("/")
			}
			return a
		}, nil},
		{"refuses a port", func(w string, a Answer) Answer {
			if a.Components[Port].Present {
				return Answer{Verdict: Rejected}
			}
			return a
		}, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			j := References(published.References(), false)
			planted := Func{Title: "planted", Parse: func(w string) Answer { return row.change(w, j.Answer(w)) }}
			r := must.Of(Run(t.Context(), Config{Implementations: []Implementation{planted}, Judges: []Judge{j}, Inputs: inputs}))(t)
			var got []string
			for i, g := range r.Comparisons[0].Groups {
				if g.Number != i+1 {
					t.Errorf("group %d has the number %d", i, g.Number)
				}
				got = append(got, fmt.Sprintf("%s %s %s %q %s", g.Kind, g.Component, g.Production, string(g.Shortest), g.How+g.Bytes))
			}
			if row.name == "refuses a port" { // in the words of many productions, and nothing else
				if len(got) == 0 || slices.ContainsFunc(r.Comparisons[0].Groups, func(g Group) bool {
					return g.Kind != AcceptsLess || !strings.Contains(string(g.Shortest), ":")
				}) {
					t.Errorf("got\n%s", strings.Join(got, "\n"))
				}
				return
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}
}

// TestReferenceHasNoScheme checks that a string without a scheme is a reference, and no URL.
func TestReferenceHasNoScheme(t *testing.T) {
	parser := Func{Title: "parser", Parse: References(published.References(), false).Answer}
	for _, row := range []struct {
		judge Judge
		less  int
		more  int
	}{
		{References(published.References(), false), 0, 0},
		{References(published.References(), true), 0, 2}, // "//a" and "" are references, and no URIs
		{Judge{Grammar: bnfcheck.RFC1738.Grammar}, 0, 0},
	} {
		r, err := Run(t.Context(), Config{Implementations: []Implementation{parser}, Judges: []Judge{row.judge}, Inputs: []string{"//a", "", "http://a/"}})
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Comparisons[0]; c.Less != row.less || c.More != row.more {
			t.Errorf("%s %s: %+v", row.judge.Grammar.Name, row.judge.productionID(), c)
		}
	}
}

// TestWriteUp writes one disagreement of each kind.
func TestWriteUp(t *testing.T) {
	j := References(published.References(), false)
	change := func(w string, a Answer) Answer {
		switch w {
		case "//[::1]/":
			a.Components[Host] = Is("::2")
		case "a:%zz":
			a = Answer{Verdict: Accepted, Components: Components{Scheme: Is("a"), Path: Is("%zz")}}
		case "//\x1b[2J@a/":
			a = Answer{Verdict: Accepted, Components: Components{Host: Is("a"), UserInfo: Is("\x1b[2J")}}
		case "a:?":
			a.Components[Search] = None
		case "#``":
			a = Answer{Verdict: Accepted}
		case "urn:a":
			a = Answer{Verdict: Rejected, Error: "no\nauthority | `x`"}
		}
		return a
	}
	im := Func{Title: "parser", Parse: func(w string) Answer { return change(w, j.Answer(w)) }}
	r := must.Of(Run(t.Context(), Config{Implementations: []Implementation{im}, Judges: []Judge{j}, Inputs: []string{
		"//[::1]/", "a:%zz", "//\x1b[2J@a/", "a:?", "urn:a", "#``", "?",
	}}))(t)
	var out strings.Builder
	about := About{Version: "1.0", Claim: "follows RFC 3986", From: "its README"}
	n := len(r.Comparisons[0].Groups)
	for number := 1; number <= n; number++ {
		c, g, err := r.Group(number)
		if err != nil {
			t.Fatal(err)
		}
		about.Language, about.Program = "sh", ShellProgram([]string{"./it's", "-x"}, string(g.Shortest))
		u := must.Of(NewWriteUp(t.Context(), im, j, c, g, about))(t)
		must.Do(t, u.Write(&out))
		out.WriteString("\n")
	}
	if strings.ContainsAny(out.String(), "\x1b\r") {
		t.Error("a raw escape")
	}
	goldentest.Check(t, "testdata/writeup.golden", goldentest.Output("write-ups", out.String()))
	for _, number := range []int{0, n + 1} {
		if _, _, err := r.Group(number); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("1 to %d", n)) {
			t.Errorf("group %d: %v", number, err)
		}
	}
}

// TestNamesAreVisible checks that no name moves a terminal's cursor.
func TestNamesAreVisible(t *testing.T) {
	c := must.Of(NewCommand("a\x1b[2Jb", []string{"true"}, Options{}))(t)
	defer c.Close()
	if got, want := c.Name(), `a\x1B[2Jb`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e := &GaveUpError{Command: "x", Err: fmt.Errorf("exec \x1b]0;a\x07")}
	if strings.ContainsAny(e.Error(), "\x1b\x07") {
		t.Errorf("%q", e.Error())
	}
}
