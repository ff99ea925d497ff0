package format

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// Each case is a text and what it becomes, which must stay as it is.
func TestABNF(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"one line", "a=b/c\nbb  =  \"x\"\n", "a  = b / c\nbb = \"x\"\n"},
		{"spelling", "Rule = %X0d.0a digit %S\"aB\"\nx = rULE\n", "Rule = %x0D.0A DIGIT %s\"aB\"\nx    = Rule\n"},
		{"brackets", "a=*(b[c])\n", "a = *( b [ c ] )\n"},
		{"slash first", "a = b /\n    c /\n    d\n", "a = b\n  / c\n  / d\n"},
		{"groups", "a = b\n\nccc = d\n\n; next\ne = f\n", "a   = b\n\nccc = d\n\n; next\ne = f\n"},
		{"two blank lines", "a = b\n\n\nccc = d\n", "a = b\n\n\nccc = d\n"},
		{"comments", "a = b ; one\nccc = d ; two\n  ; set in\n; at the margin\n", "a   = b  ; one\nccc = d  ; two\n      ; set in\n; at the margin\n"},
		{"comments inside", "a = b / ; first\n c ; second\n ; own\n / d\n", "a = b  ; first\n  / c  ; second\n    ; own\n  / d\n"},
		{"comments before and after a sign", "a = b\n ; own\n / ; after\n c\n", "a = b\n    ; own\n    ; after\n  / c\n"},
		{"comment before the sign", "a ; of a\n = b\n", "a =  ; of a\n    b\n"},
		{"long alternatives", "host = \"aaaaaaaaaaaaaaaaaaaaaaa\" / \"bbbbbbbbbbbbbbbbbbbbbbbbbbb\" / \"cccccccccccccccccccc\"\n",
			"host = \"aaaaaaaaaaaaaaaaaaaaaaa\" / \"bbbbbbbbbbbbbbbbbbbbbbbbbbb\"\n     / \"cccccccccccccccccccc\"\n"},
		{"long sequence", "host = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb [ ccccccccc ]\n",
			"host = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n       [ ccccccccc ]\n"},
		{"long group", "g = ( aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa / bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb / ccccccccc )\n",
			"g = ( aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    / bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb / ccccccccc )\n"},
		{"a table with comments", "a = b / c / ; one\n  d / e / ; two\n  f / g /\n  h / i\n",
			"a = b / c  ; one\n  / d / e  ; two\n  / f / g\n  / h / i\n"},
		{"a group to the right", "Accept = [ ( ( token / \"*\" ) [ weight ] ) *( OWS \",\" OWS ( ( token / \"*\" ) [ weight-of-it ] ) ) ]\n",
			"Accept = [ ( ( token / \"*\" ) [ weight ] )\n           *( OWS \",\" OWS ( ( token / \"*\" ) [ weight-of-it ] ) ) ]\n"},
		{"prose", "a = 0<b>\nb = <all that\n  is printed>\n", "a = 0<b>\nb = <all that is printed>\n"},
		{"additions", "a = b\na=/c\n", "a =  b\na =/ c\n"},
		{"additions and lines", "a = b\n / c\na=/c\n", "a =  b\n  /  c\na =/ c\n"},
		{"long name", "a-name-that-is-longer-than-all = b\nc = d\n", "a-name-that-is-longer-than-all = b\nc = d\n"},
		{"carriage returns", "a=b\r\n", "a = b\r\n"},
		{"empty", "", ""},
	} {
		got, err := ABNF("x.abnf", []byte(c.text), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if string(got) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		if again, err := ABNF("x.abnf", got, nil); err != nil || string(again) != string(got) {
			t.Errorf("%s: formatted again:\n%s\n%v", c.name, again, err)
		}
	}
}

// What is not ABNF is refused at its place, and never takes the layout with it.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a =\n", "x.abnf:1:1: rule a has no elements"},
		{"a = ]\n", `x.abnf:1:5: unexpected "]": it closes no bracket`},
		{"a = ( b ]\n", `x.abnf:1:9: unexpected "]": it closes no bracket`},
		{"a = ( b\n", `x.abnf:1:5: "(" is not closed`},
		{"a = ( )\n", `x.abnf:1:7: unexpected ")"; expected an element`},
		{"a = b\n / / c\n", `x.abnf:2:4: unexpected "/"; expected an element`},
		{"a = / b\n", `x.abnf:1:5: unexpected "/"; expected an element`},
		{"a = b /\n", `x.abnf:1:7: the rule ends with "/"; expected an element`},
		{"a = b 2*\n", `x.abnf:1:7: the rule ends with "2*"; expected an element`},
		{"a = 2* 2* b\n", `x.abnf:1:8: unexpected "2*"; expected an element`},
		{"a = 2* / b\n", `x.abnf:1:8: unexpected "/"; expected an element`},
		{"a = \"b\" = c\n", `x.abnf:1:9: unexpected "=" in a rule`},
		{"/ a\n", `x.abnf:1:1: unexpected "/"; expected a rule: a name and "="`},
	} {
		got, err := ABNF("x.abnf", []byte(c.text), nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %q, error %v\nwant %s", c.text, got, err, c.want)
		}
	}
}

// Texts of random tokens are refused or formatted, and stay as they are when they are formatted again.
func TestRandom(t *testing.T) {
	tokens := []string{"a", "b", "bb", `"x"`, "%x41", "<of prose>", "2*", "*", "1#", "/", "/", "(", ")", "[", "]", "\n ", "\n ",
		"; one\n ", "\n ; two\n ", "\nc = ", "\na =/ ", "\n\n\n; three\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}
	rng := rand.New(rand.NewPCG(1, 2))
	formatted := 0
	for range longtest.Size(30_000, 3_000_000) {
		text := "r = "
		for range 1 + rng.IntN(14) {
			text += tokens[rng.IntN(len(tokens))] + " "
		}
		once, err := ABNF("x.abnf", []byte(text), nil)
		if err != nil {
			if strings.Contains(err.Error(), "defect") {
				t.Fatalf("%q: %v", text, err)
			}
			continue
		}
		formatted++
		if twice, err := ABNF("x.abnf", once, nil); err != nil || string(twice) != string(once) {
			t.Fatalf("%q\nbecomes\n%s\nand then\n%s\n%v", text, once, twice, err)
		}
	}
	if formatted < 1000 {
		t.Errorf("%d texts formatted", formatted)
	}
}

func TestSameText(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`"a  b"`, `"a b"`, false},
		{`"A"`, `"a"`, false},
		{"<a  b>", "<a\n   b>", true},
		{"<a b>", "<ab>", false},
		{`%S"a"`, `%s"a"`, true},
		{`%s"A"`, `%s"a"`, false},
		{"%X0d", "%x0D", true},
		{"%x0D", "%x0A", false},
	} {
		token := func(text string) bnf.Token { return bnf.Token{Kind: bnf.TerminalToken, Text: text} }
		if got := sameText(token(c.a), token(c.b)); got != c.want {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}

// Other people's grammars keep their tokens, which ABNF checks itself, and stay as they are when
// they are formatted again.
func TestZoo(t *testing.T) {
	zoo := os.Getenv("BNFCHECK_ZOO")
	if zoo == "" {
		t.Skip("BNFCHECK_ZOO names no folder of grammars")
	}
	files, _ := filepath.Glob(filepath.Join(zoo, "abnf", "*"))
	formatted := 0
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		once, err := ABNF(f, src, nil)
		if err != nil {
			t.Logf("not formatted: %v", err)
			continue
		}
		formatted++
		if twice, err := ABNF(f, once, nil); err != nil || string(twice) != string(once) {
			t.Errorf("%s changes when it is formatted again: %v", f, err)
		}
	}
	if formatted == 0 {
		t.Errorf("of %d files none was formatted", len(files))
	}
	t.Logf("%d of %d files formatted", formatted, len(files))
}

// In a document the blocks change and nothing else.
func TestDocument(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"file", "x.abnf", "a=B\nb=\"x\"\n", "a = b\nb = \"x\"\n"},
		{"prose", "x.abnf", "a=0<b>\nb=<what is printed>\n", "a = 0<b>\nb = <what is printed>\n"},
		{"fence", "x.md", "Text  stays.\n\n~~~ abnf\n  a=b\n  b=%X41\n~~~\n\nMore.\n", "Text  stays.\n\n~~~ abnf\n  a = b\n  b = %x41\n~~~\n\nMore.\n"},
		{"CDATA", "x.xml", "<rfc><sourcecode type=\"abnf\"><![CDATA[\na=b\nb=\"<\"\n]]></sourcecode></rfc>\n", "<rfc><sourcecode type=\"abnf\"><![CDATA[\na = b\nb = \"<\"\n]]></sourcecode></rfc>\n"},
		{"tags that are quoted", "x.md", "~~~ abnf\na=\"<pre>\" b\nb=\"</pre>\" c\nc=\"]]>&lt;\"\n~~~\n", "~~~ abnf\na = \"<pre>\" b\nb = \"</pre>\" c\nc = \"]]>&lt;\"\n~~~\n"},
		{"quotation", "x.md", "> ~~~ abnf\n> a=b\n> b=\"x\"\n> ~~~\n", "> ~~~ abnf\n> a=b\n> b=\"x\"\n> ~~~\n"},
		{"tags in CDATA", "x.xml", "<rfc><sourcecode type=\"abnf\"><![CDATA[a=\"<pre>\" b\nb=\"</pre>\" c\nc=\"</artwork>\"]]></sourcecode></rfc>\n", "<rfc><sourcecode type=\"abnf\"><![CDATA[a = \"<pre>\" b\nb = \"</pre>\" c\nc = \"</artwork>\"]]></sourcecode></rfc>\n"},
		{"element on lines of its own", "x.xml", "<rfc><artwork type=\"abnf\">\na=b\nb=\"x\"\n</artwork></rfc>\n", "<rfc><artwork type=\"abnf\">\na = b\nb = \"x\"\n</artwork></rfc>\n"},
		{"page", "x.html", "<html><pre class=\"abnf\">\na=b\nb=\"x\"\n</pre></html>\n", "<html><pre class=\"abnf\">\na = b\nb = \"x\"\n</pre></html>\n"},
		{"markup", "x.xml", "<rfc><sourcecode type=\"abnf\">\na=b\nb=&quot;x&quot;\n</sourcecode></rfc>\n", "<rfc><sourcecode type=\"abnf\">\na=b\nb=&quot;x&quot;\n</sourcecode></rfc>\n"},
		{"names of another block", "x.md", "```abnf\nRule = \"x\"\n```\n\n```abnf\nother = rULE\n```\n", "```abnf\nRule = \"x\"\n```\n\n```abnf\nother = Rule\n```\n"},
	} {
		got, err := Document(c.file, []byte(c.text), bnf.Notation{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if string(got) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// The productions of every RFC, by themselves, stay as they are when they are formatted again.
func TestRFCs(t *testing.T) {
	folder := os.Getenv("BNFCHECK_RFCS")
	if folder == "" {
		t.Skip("BNFCHECK_RFCS names no folder with the texts of all RFCs")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "rfc[0-9]*.txt"))
	formatted, left := 0, 0
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := bnf.ReadDocument(f, src, bnf.ABNF, bnf.Notation{})
		if err != nil {
			continue
		}
		for _, r := range doc.Grammar.Rules {
			if r.Pos.File != f {
				continue
			}
			once, err := ABNF(f, []byte(r.Printed), nil)
			if err != nil {
				left++
				if strings.Contains(err.Error(), "defect") {
					t.Errorf("%s: %v\n%s", r.Pos, err, r.Printed)
				}
				continue
			}
			formatted++
			if twice, err := ABNF(f, once, nil); err != nil || string(twice) != string(once) {
				t.Errorf("%s changes when it is formatted again: %v\n%s\n%s", r.Pos, err, once, twice)
			}
		}
	}
	t.Logf("%d productions of %d files formatted, %d not: they are not ABNF by themselves", formatted, len(files), left)
	if formatted == 0 {
		t.Error("none was formatted")
	}
}
