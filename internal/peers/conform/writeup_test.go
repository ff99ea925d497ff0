//go:build unix

package conform

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
)

// fileJudge returns the judge by a user's grammar with components. With why, it is one without an automaton.
func fileJudge(t *testing.T, text string, why error, components ...string) Judge {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.abnf")
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	g := must.Of(catalog.Open(file, catalog.Usual))(t)
	s, _, err := Subject(g, components...)
	if why != nil {
		s, _, err = SubjectWithout(g, why, components...)
	}
	must.Do(t, err)
	return Judge{Grammar: s.Grammar, Production: s.Production, Named: s.Named, File: "a.abnf"}
}

const addresses = "address = name \"@\" place\nname = 1*ALPHA\nplace = 1*(ALPHA / \".\")\n"

// sees accepts each string, and sees these components.
func sees(named map[string]Value) Func {
	return Func{Title: "parser", Parse: func(string) Answer { return Answer{Verdict: Accepted, Named: named} }}
}

// TestPlaceWithoutAutomaton checks the byte at which the two differ where the grammar has no automaton, as one that is
// too large: of a component that a user has named, and NUL, which stands for itself alone.
func TestPlaceWithoutAutomaton(t *testing.T) {
	im := sees(map[string]Value{"place": Is("b"), "name": Is("a")})
	for _, why := range []error{nil, errors.New("too large")} {
		j := fileJudge(t, addresses, why, "name", "place")
		inputs := []string{"a@b.c", "a@b\x00"}
		r := must.Of(Run(t.Context(), Config{Implementations: []Implementation{im}, Judges: []Judge{j}, Inputs: inputs}))(t)
		groups := r.Comparisons[0].Groups
		if len(groups) != 2 || groups[0].At != `"."` || groups[0].Production != "place" || groups[0].How != "it ends sooner" {
			t.Errorf("%v: %+v", why, groups)
		}
		if why != nil && (groups[1].At != `"\x00"` || groups[1].Bytes != "") {
			t.Errorf("NUL: %+v", groups[1])
		}
	}
}

// TestOrderOfNamed checks that groups about components that begin at one place always come in one order, by their names.
func TestOrderOfNamed(t *testing.T) {
	j := fileJudge(t, "outer = inner *( \".\" inner )\ninner = first 1*DIGIT\nfirst = 2ALPHA\n", nil, "outer", "inner", "first")
	im := sees(map[string]Value{"outer": None, "inner": None, "first": None})
	for range 20 {
		r := must.Of(Run(t.Context(), Config{Implementations: []Implementation{im}, Judges: []Judge{j}, Inputs: []string{"aa1"}}))(t)
		var order []string
		for _, g := range r.Comparisons[0].Groups {
			order = append(order, g.Component)
		}
		if got := strings.Join(order, " "); got != "first inner outer" {
			t.Fatalf("the groups are about %s", got)
		}
	}
}

// TestDerivationsLeftOut checks that strings of derivations that are too long are told among what was left out.
func TestDerivationsLeftOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.abnf")
	must.Do(t, os.WriteFile(file, []byte("s = \"(\" s \")\" / *300%s\"x\"\n"), 0o600))
	s, _, err := SubjectWithout(must.Of(catalog.Open(file, catalog.Usual))(t), errors.New("too large"))
	must.Do(t, err)
	making := &Making{}
	must.Of(Strings(s, making))(t)
	if got := strings.Join(making.Mutants.LeftOut, "\n"); got != "2 strings of derivations of s: too long or too many" {
		t.Errorf("left out: %s", got)
	}
}

// TestWriteUpOfNamed checks that a write-up tells the components that a user has named, and no others.
func TestWriteUpOfNamed(t *testing.T) {
	j := fileJudge(t, addresses, nil, "name", "place")
	for _, row := range []struct {
		named map[string]Value
		want  string
	}{
		{map[string]Value{"name": Is("a"), "place": Is("b")}, "It accepts `a@b.c`, and sees the name `a` and the place `b`."},
		{map[string]Value{"place": None}, "It accepts `a@b.c`, and sees no place."},
	} {
		u := writeUpOf(t, sees(row.named), j, "a@b.c")
		if does := u.whatItDoes(); does != row.want {
			t.Errorf("%s\nwant %s", does, row.want)
		}
	}
	refuses := Func{Title: "parser", Parse: func(string) Answer { return Answer{Verdict: Rejected} }}
	if u := writeUpOf(t, refuses, j, "a@b.c"); strings.Contains(u.Body(), "reference") {
		t.Errorf("an address is no reference:\n%s", u.Body())
	}
}

// writeUpOf returns the write-up of the only group in which the implementation and the judge differ about a string.
func writeUpOf(t *testing.T, im Implementation, j Judge, input string) *WriteUp {
	t.Helper()
	r := must.Of(Run(t.Context(), Config{Implementations: []Implementation{im}, Judges: []Judge{j}, Inputs: []string{input}}))(t)
	c, g, err := r.Group(1)
	must.Do(t, err)
	return must.Of(NewWriteUp(t.Context(), im, j, c, g, About{}))(t)
}

// TestWriteUpAsksAgain checks that a write-up describes the answer that the report had: a parser that answers something
// else the second time has no write-up, and a string without a scheme is rejected again.
func TestWriteUpAsksAgain(t *testing.T) {
	j := Judge{Grammar: bnfcheck.RFC1738.Grammar}
	first := true
	changes := Func{Title: "parser", Parse: func(string) Answer {
		defer func() { first = false }()
		if first {
			return Answer{Verdict: Rejected}
		}
		return Answer{Verdict: Undecided}
	}}
	config := Config{Implementations: []Implementation{changes}, Judges: []Judge{j}, Inputs: []string{"http://a/"}}
	c, g, err := must.Of(Run(t.Context(), config))(t).Group(1)
	must.Do(t, err)
	const want = `parser: asked twice about "http://a/", it answers rejected and then undecided`
	if _, err := NewWriteUp(t.Context(), changes, j, c, g, About{}); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	none := Func{Title: "parser", Parse: func(string) Answer {
		return Answer{Verdict: Accepted, Components: Components{Scheme: None}}
	}}
	if does := writeUpOf(t, none, j, "http://a/").whatItDoes(); !strings.HasPrefix(does, "It rejects") {
		t.Error(does)
	}
}

// TestDifferingSearch checks that a search is counted by the name that a grammar has for it.
func TestDifferingSearch(t *testing.T) {
	im := Func{Title: "parser", Parse: func(string) Answer {
		return Answer{Verdict: Accepted, Components: Components{Search: Is("b")}}
	}}
	for _, j := range []Judge{{Grammar: bnfcheck.RFC1738.Grammar}, References(published.References(), false)} {
		config := Config{Implementations: []Implementation{im}, Judges: []Judge{j}, Inputs: []string{"http://a/?c"}}
		if n := must.Of(Run(t.Context(), config))(t).Comparisons[0].Differing(Search); n != 1 {
			t.Errorf("%s: %d", j.Grammar.Name, n)
		}
	}
}

// TestShellLine checks that a shell gives the line to the command as it is.
func TestShellLine(t *testing.T) {
	for _, line := range []string{"a", "-", "-n", "-\x1b", "--\x00b", "%s\x01", `\x`, "it's\x7f0"} {
		out, err := exec.Command("sh", "-c", ShellLine([]string{"cat"}, line)).CombinedOutput()
		if err != nil || string(out) != line+"\n" {
			t.Errorf("%q: %q, %v", line, out, err)
		}
	}
}

// TestNothingToCompare checks what is said where the grammar has left strings undecided, or they are of other schemes.
func TestNothingToCompare(t *testing.T) {
	for _, row := range []struct {
		c    Comparison
		want string
	}{
		{Comparison{Asked: 3, Unjudged: 3}, "nothing to compare: the grammar decided none of 3 strings"},
		{Comparison{Asked: 3, Elsewhere: 1, Unjudged: 2}, "nothing to compare: the grammar decided none of 2 strings"},
		{Comparison{Asked: 2, Elsewhere: 2}, "nothing to compare: 2 strings are URLs of other schemes"},
		{Comparison{Asked: 3, Elsewhere: 1}, "nothing to compare: it decided none of 2 strings"},
		{Comparison{Asked: 3, Compared: 2, Unjudged: 1}, "agree on all 2 strings that the grammar decided"},
		{Comparison{Asked: 2, Compared: 1, Unjudged: 1}, "agree on the one string that the grammar decided"},
		{Comparison{Asked: 3, Compared: 2, Elsewhere: 1}, "agree on all 2 strings"},
	} {
		if text := row.c.agreementText(); text != row.want {
			t.Errorf("%+v: %s", row.c, text)
		}
	}
}
