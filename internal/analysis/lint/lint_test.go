package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestChecks is the checks by example. A finding is "line:column level code", and lines that begin with a space are its
// message and details, those that are given.
func TestChecks(t *testing.T) {
	tests := []struct {
		name, grammar string
		options       Options
		want          []string
	}{
		{"clean", "a = *b\nb = %x62", Options{}, nil},
		{"undefined", "a = b / *( c b )\nc = %x62", Options{}, []string{
			"1:5 error undefined", " `b` is not defined", " also used in line 1",
		}},
		{"what lacks a name is not decided", "a = %x28 a RP / b\nb = <any token> / %x61 / %x61.62\nc = 3b / a", Options{}, []string{
			"1:1 note nesting", "1:12 error undefined", "2:5 error undefined",
			" 3 productions, 1 regular, none decided whether it is ambiguous, none decided whether it would lose strings as ordered choices, 3 of 3 not decided, because `RP`, `<any token>` have no production",
		}},
		{"undefined names do not hide what is wrong elsewhere", "a = c / b\nb = %x62 / %x62 / c", Options{}, []string{
			"1:5 error undefined", "2:12 warning adds-nothing", "2:12 warning ambiguous", "`%s\"b\"` derives the same strings",
		}},
		{"several starts", "a = c\nb = c\nc = %x62", Options{}, []string{"1:1 note unused", "2:1 note unused"}},
		{"one start", "a = c\nb = c\nc = %x62", Options{Start: "a"}, []string{"2:1 warning unused", " `b` cannot be reached from `a`"}},
		{"unused together", "a = %x61\nb = %x62 [c]\nc = %x63 b", Options{}, []string{"2:1 note unused", " `b` is used only by what it uses itself"}},
		{"used by what is unused together", "s = %x61\na = %x62\nb = a / %x63 c\nc = %x64 b", Options{}, []string{
			"3:1 note unused", " `b` is used only by what it uses itself",
		}},
		{"a circle used by a circle", "s = %x61\na = %x62 b\nb = %x62 [a]\nc = a / %x63 d\nd = %x64 c", Options{}, []string{
			"4:1 note unused", " `c` is used only by what it uses itself",
		}},
		{"two circles", "s = %x61\nd = %x64 [e]\ne = %x65 d\nb = %x62 [c]\nc = %x63 b", Options{}, []string{
			"2:1 note unused", "4:1 note unused",
		}},
		{"ignored in its line", "a = c  ; bnfcheck:ignore unused both are for others\nb = c\nc = %x62", Options{}, []string{
			"2:1 note unused", " 3 productions, all regular, 0 ambiguous, 0 would lose strings as ordered choices, 1 finding ignored",
		}},
		{"ignored before", "; bnfcheck:ignore unused, ambiguous both are for others\na = c / c\nb = c\nc = %x62", Options{}, []string{
			"2:9 warning adds-nothing", "3:1 note unused", " 3 productions, all regular, 1 ambiguous, 0 would lose strings as ordered choices, 2 findings ignored",
		}},
		{"ignored where no production follows", "a = %x61\n; bnfcheck:ignore ambiguous it is not", Options{}, []string{
			"2:3 error ignore", " `ambiguous` is ignored, and no production follows",
		}},
		{"ignored before the first production", "; all ; bnfcheck:ignore ambiguous it is not\na = %x61", Options{}, []string{
			"1:9 error ignore", " `ambiguous` is ignored, and no production stands before it",
		}},
		{"ignored in vain", "a = %x61 / %x61 ;bnfcheck:ignore ambiguous\n; bnfcheck:ignore unused it is no use\n; bnfcheck:ignore sense none\nb = a", Options{}, []string{
			"1:12 warning adds-nothing", "1:18 error ignore", " `ambiguous` is ignored without a reason, which stands after it",
			"2:3 warning ignore", " `unused` is ignored, and nothing of that kind is found in `b`", "3:3 error ignore", ` "sense" is no code of a finding`,
		}},
		{"ignored by what is no code", "a = c ; bnfcheck:ignore unused2 why\nb = c ; bnfcheck:ignore unused, Ambiguous why\nc = %x62 ; bnfcheck:ignore", Options{}, []string{
			"1:1 note unused", "1:9 error ignore", ` "unused2" is no code of a finding`, "2:9 error ignore", ` "Ambiguous" is no code of a finding`,
			"3:12 error ignore", " bnfcheck:ignore lacks a code",
		}},
		{"a comment that means nothing", "a = %x61 ; bnfcheck:accept \"b\"\nb = a ; bnfcheck:ignored ambiguous why", Options{}, []string{
			"1:12 error ignore", " bnfcheck:accept means nothing; there are accepts, ", "2:9 error ignore",
		}},
		{"ignored what is said of comments", "a = %x61 ; bnfcheck:ignore ignore", Options{}, []string{
			"1:12 error ignore", " without a reason", "1:12 warning ignore", " nothing of that kind",
		}},
		{"examples", "a = 1*b *( %x2E 1*b ) ; bnfcheck:accepts \"x.x\" \"x..x\"\n; bnfcheck:rejects \"\" \"y\" \"x\"\nb = %x78", Options{}, []string{
			"1:48 error example", ` ` + "`a`" + ` rejects "x..x", and the comment says that it accepts it`,
			"2:27 error example", ` ` + "`b`" + ` accepts "x", and the comment says that it rejects it`,
		}},
		{"examples that are none", "; bnfcheck:accepts\na = %x0D.0A ; bnfcheck:accepts \"\\r\\n\" x\n; bnfcheck:rejects \"x\"", Options{}, []string{
			"1:19 error example", " bnfcheck:accepts: expected a string in double quotes", "2:39 error example", " expected a string in double quotes, as in Go",
			"3:20 error example", " bnfcheck:rejects: no production follows",
		}},
		{"examples without a production to use", "a = b / %x61 ; bnfcheck:accepts \"a\"", Options{}, []string{
			"1:5 error undefined", "1:33 note example", " whether `a` accepts \"a\" is not decided: it uses what has no production",
		}},
		{"derives nothing", "a = b / %x61\nb = %x62 b", Options{}, []string{"2:1 error derives-nothing"}},
		{"what only uses an undefined name derives nothing that is reported", "a = b / %x61\nb = c", Options{}, []string{"2:5 error undefined"}},
		{"left recursion", "a = b %x61 / %x62\nb = a / %x63", Options{}, []string{
			"1:1 warning left-recursion", " `a` uses itself through `b` before anything is read, which a recursive-descent parser never comes back from",
		}},
		{"right recursion", "a = %x61 a / %x62", Options{}, nil},
		{"repetitions of what may be empty", "a = *[%x61] 2[%x62] 1*3([%x63])", Options{}, []string{
			"1:5 warning empty-repeated", " `*[%s\"a\"]` repeats what may be empty, so that there is no end to its derivations of the empty string",
			"1:13 note empty-repeated", " so that its count does not count", "1:25 warning ambiguous", "1:21 note empty-repeated",
		}},
		{"added first", "a =/ %x61\na = %x62", Options{}, []string{"1:1 note added-first"}},
		{"nesting", "a = %x28 a %x29 / b\nb = %x62", Options{}, []string{
			"1:1 note nesting", " `a` nests, so that 1 of 2 productions are not regular: --nesting 3 looks at them to that depth",
			" `a`: generate writes code that takes linear time where what comes next decides, and otherwise a general parser that takes at most cubic time",
		}},
		{"nesting with left recursion", "a = b\nb = b %x2B b / %x28 b %x29 / %x62\nc = %x63 a", Options{}, []string{
			"2:1 note nesting", "2:1 warning left-recursion", "2:5 warning ambiguous", " `a`, `b`, `c`: generate writes a general parser, because of left recursion, that takes at most cubic time",
		}},

		{"ambiguous alternatives", "a = b / c\nb = 1*%x61\nc = %x61 / %x62", Options{}, []string{
			"1:9 warning ambiguous", ` "a" has two derivations: at offset 0 alternatives 1 ` + "`b` and 2 `c` are possible", " [b a]", " [c a]",
		}},
		{"ambiguous code points", "a = %x61C / %x61C", Options{}, []string{
			"1:13 warning adds-nothing", " alternative `%x61C` adds nothing: `%x61C` derives the same strings", "1:13 warning ambiguous",
			" `a` is ambiguous: U+061C has two derivations: at offset 0 alternatives 1 `%x61C` and 2 `%x61C` are possible",
			" [alternative 1 (U+061C)]", " [alternative 2 (U+061C)]",
		}},
		{"a class of code points is one terminal", "a = %x80-FFFF / %x800-FFFF", Options{}, []string{"1:17 note adds-nothing", "1:17 warning ambiguous"}},
		{"ambiguous spans", "a = b c\nb = *%x61\nc = *%x61 %x62", Options{}, []string{
			"1:5 warning ambiguous", "`b` can end at offset 0 or go on", " [b][c ab]", " [b a][c b]",
		}},
		{"ambiguous rounds", "a = *%x61 *%x61", Options{}, []string{
			"1:5 warning ambiguous", "`*%s\"a\"` can take one more round or none", "1:5 warning adds-nothing",
		}},
		{"an ambiguity is reported where it arises", "a = %x62 b %x62\nb = %x61 / %x61", Options{}, []string{
			"2:12 warning adds-nothing", "2:12 warning ambiguous", " [alternative 1 a]", " [alternative 2 a]",
		}},
		{"overlapping values", "a = 2%x30-36 / %x36-39 %x36-39", Options{}, []string{"1:16 warning ambiguous", `"66"`}},
		{"ambiguous to a depth", "a = %x28 a %x29 / b / c\nb = %x62\nc = %x62 / %x63", Options{Nesting: new(1)}, []string{
			"1:1 note nesting", "1:19 note adds-nothing", "1:23 warning ambiguous",
		}},
		{"ambiguous only deeper", "a = %x28 a %x29 / %x62 / %x28 %x28 %x28 %x62 %x29 %x29 %x29", Options{Nesting: new(2)}, []string{
			"1:1 note nesting", "1:1 note undecided", "no string that nests no deeper than 2 has two derivations",
		}},
		{"ambiguous that deep", "a = %x28 a %x29 / %x62 / %x28 %x28 %x28 %x62 %x29 %x29 %x29", Options{Nesting: new(3)}, []string{
			"1:1 note nesting", "1:26 note adds-nothing", "1:26 warning ambiguous", `"(((b)))"`,
		}},
		{"a production that derives itself", "a = a / %x61", Options{}, []string{"1:1 warning left-recursion", "1:5 warning adds-nothing", "1:9 warning ambiguous"}},
		{"the last way out is no addition", "a = %x61 a / b\nb = %x62", Options{}, nil},

		{"an alternative hides a longer one", "a = %x61 / %x61.62 / %x63", Options{}, []string{
			"1:5 warning ordered-choice", ` loses "ab": alternative `, ` matches "a" at offset 0 and hides alternative `,
			" this order loses nothing: " + `%s"ab" / %s"a" / %s"c"`,
		}},
		{"a production that uses itself at its end", "a = %x61 / %x61 a", Options{}, []string{
			"1:5 warning ordered-choice", ` loses "aa": alternative `, " this order loses nothing: " + `%s"a" a / %s"a"`, " because of 1 cause",
		}},
		{"one that uses itself at its beginning", "a = %x61 / a %x61", Options{}, []string{"1:1 warning left-recursion", " 0 would lose strings as ordered choices, 1 cannot be read so"}},
		{"a repetition takes too much", "a = *%x61 %x61", Options{}, []string{
			"1:5 warning ordered-choice", ` takes "a" at offset 0 too, and what follows is left without it`, " it has no alternatives that could be in another order",
		}},
		{"a cause and what it makes wrong", "a = b / %x62\nb = c %x63\nc = %x61 / %x61.62", Options{}, []string{
			"3:5 warning ordered-choice", " strings are lost because of it in `a`, `b`",
		}},
		{"a string that is lost in the text as it stands", "a = u %x0D.0A\nu = *%x61 / o\no = *(%x61 / %x0D / %x0A)", Options{}, []string{
			"1:5 warning ordered-choice", ` ` + "`a`" + ` read as an ordered choice loses "\x0A\x0D\x0A": ` + "`u`" + ` takes only the empty string at offset 0`,
			"2:5 warning adds-nothing", "2:5 note adds-nothing", "2:5 warning ordered-choice", "2:13 warning ambiguous",
		}},
		{"what no order mends", "a = (%x61 / %x61.62) (%x63 / %x62.63.64)", Options{}, []string{"1:6 warning ordered-choice", " no order of its alternatives mends it"}},

		{"alternatives that differ in case", `a = "x" / "X" / "y"`, Options{}, []string{
			"1:11 warning ambiguous", "1:11 warning letter-case", " `\"X\"` matches what alternatives before match, since letters in quotes match either case",
		}},
		{"a letter beside values", `a = %x41-46 / "g"`, Options{}, []string{"1:15 warning letter-case"}},
		{"letters of both kinds", `a = "no" / %x59.45.53`, Options{}, []string{"1:5 note letter-case", " `\"no\"` matches no and NO"}},
		{"a value in both cases", `a = "no" / %x59 / %x79`, Options{}, nil},
		{"quotes without letters", `a = "-" / %x59`, Options{}, nil},
	}
	for _, test := range tests {
		g, err := bnf.ReadABNF("x.abnf", []byte(test.grammar+"\n"))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		test.options.Text = []byte(test.grammar)
		test.options.Ordered = true
		r, err := Lint(g, test.options)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var heads, want []string
		var text strings.Builder
		for _, f := range r.Findings {
			heads = append(heads, fmt.Sprintf("%d:%d %s %s", f.Pos.Line, f.Pos.Col, f.Level, f.Code))
			fmt.Fprintln(&text, f)
			for _, d := range f.Detail {
				fmt.Fprintln(&text, " "+d)
			}
		}
		fmt.Fprintln(&text, " "+r.Summary())
		for _, w := range test.want {
			if '0' <= w[0] && w[0] <= '9' {
				want = append(want, w)
			} else if !strings.Contains(text.String(), w) {
				t.Errorf("%s: no %q in\n%s", test.name, w, &text)
			}
		}
		slices.Sort(heads)
		slices.Sort(want)
		if !slices.Equal(heads, want) {
			t.Errorf("%s:\n have %q\n want %q\n%s", test.name, heads, want, &text)
		}
		for _, f := range r.Findings {
			if c, ok := Of(string(f.Code)); !ok || !slices.Contains(c.Levels, f.Level) {
				t.Errorf("%s: Checks does not list %s %s", test.name, f.Level, f.Code)
			}
		}
	}
}

// TestLimits: what is too large is said to be, with the production and the size, and is not an error.
func TestLimits(t *testing.T) {
	g, err := bnf.ReadABNF("x.abnf", []byte("a = *(%x61 / %x62) %x61 12(%x61 / %x62)\nb = a\nc = *%x63\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Lint(g, Options{Limits: Limits{States: 100}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Findings {
		if f.Code == Undecided {
			got = append(got, f.String())
		}
	}
	want := []string{
		"x.abnf:1:1: note: `a` is not decided: `a` (x.abnf:1:1): too large: more than 100 states in a DFA; --limit-states raises the limit [undecided]",
		"x.abnf:2:1: note: `b` is not decided: `a` (x.abnf:1:1): too large: more than 100 states in a DFA; --limit-states raises the limit [undecided]",
	}
	if !slices.Equal(got, want) || r.Undecided != 2 {
		t.Errorf("have %q, want %q", got, want)
	}
	r, err = Lint(g, Options{Limits: Limits{Pairs: 3}})
	if err != nil || r.Undecided == 0 {
		t.Errorf("with 3 pairs of states, %d productions are not decided (%v)", r.Undecided, err)
	}
}

// TestErrors: what cannot be linted.
func TestErrors(t *testing.T) {
	g := &expr.Grammar{Name: "x", Rules: []*expr.Rule{{ID: "a", Name: "a", Expr: expr.Lit("a")}}}
	if _, err := Lint(g, Options{Start: "b"}); err == nil || !strings.Contains(err.Error(), `no production "b"`) {
		t.Errorf("of a start that there is not: %v", err)
	}
}

// TestZoo lints other people's documents: in bounded time, and with a share of productions that lose strings that is near
// to the one in six that documents at large have.
func TestZoo(t *testing.T) {
	dir := os.Getenv("BNFCHECK_ZOO")
	if dir == "" {
		t.Skip("skipped without BNFCHECK_ZOO: other people's grammars")
	}
	files, err := filepath.Glob(filepath.Join(dir, "abnf", "*.abnf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	regular, losing, ambiguous := 0, 0, 0
	for _, file := range files {
		src := must.Of(os.ReadFile(file))(t)
		g, err := bnf.ReadABNF(file, src)
		if err != nil {
			t.Logf("%s: %v", filepath.Base(file), err)
			continue
		}
		start := time.Now()
		r, err := Lint(g, Options{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		t.Logf("%v  %s", time.Since(start).Round(time.Millisecond), strings.TrimPrefix(r.Summary(), dir))
		for _, f := range r.Findings {
			if f.Code == Undecided && !strings.Contains(f.Message, "it nests, and no string") {
				t.Error(f) // of what is regular, all is decided
			}
		}
		regular, losing, ambiguous = regular+r.Regular, losing+r.Losing, ambiguous+r.Ambiguous
	}
	t.Logf("of %d regular productions %d are ambiguous by themselves, and %d lose strings", regular, ambiguous, losing)
	if 10*losing < regular || 3*losing > regular {
		t.Errorf("%d of %d regular productions lose strings", losing, regular)
	}
}

// TestResults: levels in the formats of CI systems.
func TestResults(t *testing.T) {
	g := must.Of(bnf.ReadABNF("x.abnf", []byte("a = b / %x61 / %x61\nc = 3[%x62]\n")))(t)
	r := must.Of(Lint(g, Options{}))(t)
	seen := map[string]bool{}
	for _, x := range Results([]*Report{r}) {
		if seen[x.Name] {
			t.Errorf("two results are called %s", x.Name)
		}
		seen[x.Name] = true
		if (x.Rule == "lint/undefined") != (x.Level == results.Error) || (x.Level == results.Note) == (x.Outcome == results.Failed) {
			t.Errorf("%s is %s", x.Rule, x.Outcome)
		}
	}
	if r.Worst() != results.Error || len(r.AtLeast(results.Error).Findings) != 1 {
		t.Errorf("worst is %s, and %d findings are errors", r.Worst(), len(r.AtLeast(results.Error).Findings))
	}
}

// A line that looks like a definition is named with its file where that is not the one of the finding.
func TestDefinitionInAnotherFile(t *testing.T) {
	const included = "a = b c\nC = \n"
	g := must.Of(bnf.ReadABNF("included.abnf", []byte("a = b c\n")))(t)
	g.File = "document.xml"
	o := Options{Text: []byte("<t>\nb = d\n</t>"), Included: map[string][]byte{"included.abnf": []byte(included)}}
	var got []string
	for _, f := range must.Of(Lint(g, o))(t).Findings {
		got = append(got, fmt.Sprint(f.Pos, ": ", strings.Join(f.Detail, "; ")))
	}
	want := []string{
		"included.abnf:1:5: line document.xml:2 looks like its definition, and is not read",
		"included.abnf:1:7: line 2 looks like its definition, and is not read",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
