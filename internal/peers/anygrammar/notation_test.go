package anygrammar

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What RFC 5234 does not derive is a warning at its place, and nothing else is one: in these texts, and in others near
// to them.
func TestNoticed(t *testing.T) {
	deviations := func(text string) (list []string, ok bool) {
		n, err := catalog.Read("x.abnf", []byte(text), catalog.Usual)
		if err != nil {
			return nil, false
		}
		for _, f := range must.Of(Noticed(n))(t) {
			if f.Level != "note" && f.Code != lint.AddedAlone {
				list = append(list, strings.TrimPrefix(f.Pos.String(), "x.abnf:")+": "+f.Message+strings.Join(f.Detail, ""))
			}
		}
		return list, true
	}
	const no = "RFC 5234 does not derive it: unexpected "
	for _, c := range [][]string{
		{"a = b / %s\"x\" %I\"y\" 1*2( \"z\" ) [%x41-5A] <p> ; c\r\n ; d\n  / %d1.2\n; e\nb =/ \"\"\nc = 2a"},
		{"  a = \"x\"\n    / \"y\"\n  b = a\n"},
		{"  a = \"x\"\nb = 1* a\n", "2:7: " + no + `" " in repetition`}, // the second line lacks the indent of the first
		{"a_b ::= 'x' | %x41\n", "1:1: `a_b` has a", `1:5: "::=" is read`, "1:9: 'x' is read", `1:13: "|" is read as "/"`},
		{"a = \"\" {2}\"\" /\n\"y\"\n", "1:8: {2} is read as a count", "2:1: the line stands at the margin"},
		{"a = ; what it is\n<b> = a\"\"\n", "1:3: nothing but a comment", "2:1: " + no + `"<" in rulelist`},
		{"a = \"x\"\"y\"\nb = 1#a\"z\"\nc=a\"z\"", "2:5: \"1#\" is a list", "1:8: " + no + "`\"` in rule; expected WSP, \"/\", \";\" or CRalso in line 3"},
		{"\ufeffa = %x41 ; é\n", "1:1: " + no + "U+FEFF"},
		{"a = 1* b\nb = <x\n y>\nc = b\n\n  / b", "1:7: " + no + `" " in repetition`, "2:7: " + no + "the end of the line in prose-val", "6:3: " + no + `"/" in`},
	} {
		list, _ := deviations(c[0])
		if !slices.EqualFunc(list, c[1:], strings.HasPrefix) {
			t.Errorf("%q: %q; want %q", c[0], list, c[1:])
		}
		for random := rand.New(rand.NewPCG(1, 2)); random.IntN(500) > 0; {
			at, sign := random.IntN(len(c[0])), "a\"|:=_#{}<>'; \n%()[]/*1-ü"[random.IntN(26):][:1]
			text := c[0][:at] + sign + c[0][at+random.IntN(2):]
			whole := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\r\n", "\n")+"\n", "\n", "\r\n")
			derived, indent := must.Of(must.Of(strict())(t).Accepts(whole))(t), firstRule.FindStringSubmatch(text)
			if list, ok := deviations(text); ok && indent != nil && indent[1] == "" && derived != (len(list) == 0) {
				t.Fatalf("%q: %q, derived: %v", text, list, derived)
			}
		}
	}
}

// A line of an included file is not taken for the line with its number in the document, and has the file's name where a
// finding in the document names it.
func TestNoticedInIncludedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"first.abnf":  "a = 'x'\n",
		"second.abnf": "b = \"x\"\"y\"\n",
		"document.xml": "<rfc><section><sourcecode type=\"abnf\">c = \"x\"\"y\"\n</sourcecode>\n" +
			"<sourcecode type=\"abnf\" src=\"first.abnf\"/>\n" +
			"<sourcecode type=\"abnf\" src=\"second.abnf\"/></section></rfc>\n",
	} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	n := must.Of(catalog.Open("document.xml", catalog.Usual))(t)
	var got []string
	for _, f := range must.Of(Noticed(n))(t) {
		if f.Level != "note" {
			got = append(got, f.Pos.String()+": "+strings.Join(f.Detail, ""))
		}
	}
	// The ' in line 1 of first.abnf has a notice; the " in line 1 of the document has a finding all the same.
	if want := []string{"first.abnf:1:5: ", "document.xml:1:46: also in line second.abnf:1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
