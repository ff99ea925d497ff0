package bnf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// ebnf reads a document in the notation of W3C's specifications.
func ebnf(t *testing.T, file, text string) *bnf.Document {
	t.Helper()
	return must.Of(bnf.ReadDocument(file, []byte(text), bnf.EBNF, bnf.Usual))(t)
}

func TestEBNF(t *testing.T) {
	for _, test := range []struct {
		name, text string
		in, not    string // words of the first production, separated by spaces; "." is the empty word
	}{
		{"literals are exact, in either quotes", `a ::= "Ab" | 'c"'`, `Ab c"`, "ab c ."},
		{"numbers, blanks and comments", "[1] a ::= /* a ::= 'no' */\n  b? c* d+\n[1a]\u00a0b\u00a0::= 'b'\n[2]c::='c' d::='d'", "d bd bccdd ccd", "b . bc"},
		{"a comment that begins with a slash", "a ::= 'x' /*/ 'y' */ 'z'", "xz", "xyz x"},
		{"remarks", "a ::= 'x' [VC: One Two] [ wfc: x ]\nb ::= 'y'", "x", "xy"},
		{"an operator after a blank, tokens", "a ::= ( 'x' ) * b\n@terminals\nb ::= 'y'\n@pass [ ]+", "y xy xxy", "x ."},
		{"a class", `a ::= [a-c#x64-#x65_]`, "a c d e _", "f - . ab"},
		{"a hyphen at the end of a class, a bracket, quotes", `a ::= [a-]|[["'\#x5D]`, `a - [ " ' \ ]`, "b ."},
		{"a class without Char excludes code points", `a ::= [^a-c]`, "d é \U0001f600", "a b dd \xff \xc3"},
		{"a class with Char excludes those of Char", "a ::= [^x]*\nChar ::= #x20 | [u-z] | [#xE9-#xFF]", "uvé . ééw", "ux a \u0100"},
		{"values are code points", `a ::= #xE9 | [#x1F600-#x1F64F]`, "é \U0001f600", "\xe9 \U0001f5ff"},
		{"an exclusion", "a ::= b - ('x' | 'yy')\nb ::= [xy]+", "xx y yyy xy", "x yy . z"},
		{"an exclusion among other elements has parentheses", `a ::= '(' ([a-c]* - ([a-c]* 'b' [a-c]*)) ')'`, "() (ac)", "(b) (abc)"},
		{"exclusions in exclusions", "a ::= b - 'z'\nb ::= [a-z] - [a-y]", "", "z a"},
		{"an exclusion from a later rule", "a ::= 'x' b 'x'\nb ::= c - 'c'\nc ::= [a-c]", "xax xbx", "xcx"},
	} {
		g := ebnf(t, "test.ebnf", test.text).Grammar
		d, err := lang.FromBNF(g, g.Rules[0].ID)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for i, words := range []string{test.in, test.not} {
			for _, w := range strings.Fields(words) {
				if w == "." {
					w = ""
				}
				if got := d.Match(w); got != (i == 0) {
					t.Errorf("%s: %q: got %v", test.name, w, got)
				}
			}
		}
	}
}

// TestChainsOfExclusions: many exclusions that use one another are computed, and more are refused before that takes
// long; a failure at the end of a chain is told once; and all of them together have a limit.
func TestChainsOfExclusions(t *testing.T) {
	chain := func(n int, last string) error {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "r%d ::= [#x1-#x10FFFF] - r%d\n", i, i+1)
		}
		_, err := bnf.ReadDocument("test.ebnf", fmt.Appendf(nil, "%sr%d ::= %s\n", b.String(), n, last), bnf.EBNF, bnf.Usual)
		return err
	}
	if err := chain(4000, "'a'"); err != nil {
		t.Error(err)
	}
	if err := chain(2000, "'(' r2000 ')' | 'x'"); err == nil || len(err.Error()) > 200 {
		t.Errorf("a chain that ends in one that nests: %.300v", err)
	}
	if err := chain(30000, "'a'"); err == nil || !strings.Contains(err.Error(), "more than 4096 exclusions that use one another") {
		t.Errorf("a chain that is too long: %.300v", err)
	}
	many := strings.Repeat(" | [#x1-#x10FFFF] - 'b'", 30000)
	if _, err := bnf.ReadDocument("test.ebnf", []byte("s ::= 'a'"+many+"\n"), bnf.EBNF, bnf.Usual); err == nil ||
		!strings.Contains(err.Error(), "the most that is computed") {
		t.Errorf("many exclusions: %.300v", err)
	}
}

func TestEBNFRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "test.ebnf:1:1: no production"},
		{"no production here", `test.ebnf:1:1: expected productions such as "name ::= expression"`},
		{"a ::= ", `test.ebnf:1:6: unexpected end of the production; expected a name, a literal, a character such as #x41, a class or "("`},
		{"a ::= 'x", `test.ebnf:1:7: unclosed "'x"; a literal ends on its line, with a '`},
		{"a ::= ('x'\nb ::= 'y'", `test.ebnf:1:11: unexpected end of the production; expected ")", which closes the bracket at test.ebnf:1:7`},
		{"a ::= [xy\n  z]", `test.ebnf:1:7: unclosed "[xy"; a class ends on its line, with a ]`},
		{"a ::= [z-a]", "test.ebnf:1:10: unexpected end of a range below its beginning"},
		{"a ::= #x110000", `test.ebnf:1:7: unexpected value "#x110000"; expected one up to #x10FFFF`},
		{"a ::= #q", `test.ebnf:1:7: unexpected "#q"; expected hexadecimal digits behind #x`},
		{"a ::= b c - d\nb ::= 'b'\nc ::= 'c'\nd ::= 'd'",
			`test.ebnf:1:11: unexpected "-" behind several elements; write what excludes and what is excluded in parentheses`},
		{"a ::= b - c d\nb ::= 'b'\nc ::= 'c'\nd ::= 'd'",
			`test.ebnf:1:13: unexpected "d"; expected "|", ")" or the end of the production behind an exclusion, which has parentheses beside other elements`},
		{"a ::= ('(' a ')' | 'x') - 'x'", "test.ebnf:1:1: `a` excludes what is defined by itself"},
		{"a ::= b - 'x'\nb ::= '(' b ')' | 'x'", "test.ebnf:1:7: the exclusion b - 'x' cannot be computed: test.ebnf:2:1: `b` embeds itself"},
		{"a ::= 'x' /* no end", "test.ebnf:1:11: unexpected unclosed comment; expected a name, a literal, a character such as #x41, a class or \"(\""},
		{"a ::= 'x'\na ::= 'y'", "test.ebnf:2:1: `a` is defined twice, first at test.ebnf:1:1"},
	} {
		_, err := bnf.ReadDocument("test.ebnf", []byte(test.text), bnf.EBNF, bnf.Usual)
		if err == nil || err.Error() != test.want {
			t.Errorf("%q:\n got %v\nwant %s", test.text, err, test.want)
		}
	}
}

// TestEBNFInHTML reads a table of productions as specifications have it, with the places of the page.
func TestEBNFInHTML(t *testing.T) {
	d := ebnf(t, "spec.html", `<!DOCTYPE html>
<html><body><p>The sign ::= defines.</p>
<table><tbody>
<tr><td>[1]&nbsp;</td><td><code><a id="a">a</a></code></td>
<td>&nbsp;::=&nbsp;</td><td><code>'&lt;' <a href="#b">b</a>
  | "&amp;"</code></td><td>[<a>WFC: Well</a>]</td></tr>
<tr><td>[2]</td><td>b</td><td>::=</td><td>[^&lt;&amp;]</td></tr>
</tbody></table>
<p>This is no part of b.</p>
</body></html>
`)
	var got []string
	for _, r := range d.Grammar.Rules {
		got = append(got, r.Pos.String()+" "+r.Expr.String())
	}
	want := []string{`spec.html:4:43 "<" b / "&"`, `spec.html:7:21 `}
	if len(got) != 2 || got[0] != want[0] || !strings.HasPrefix(got[1], want[1]) {
		t.Errorf("got %q, want %q", got, want)
	}
	if b := d.Blocks; len(b) != 1 || b[0].Productions != 2 || b[0].First != 4 {
		t.Errorf("blocks: %v", b)
	}
}

// TestDFAExpr checks the expression of an automaton against the automaton.
func TestDFAExpr(t *testing.T) {
	var sizes []int
	for _, text := range []string{
		`a ::= ""`, `a ::= [x-z]`, `a ::= ('a' | 'b' 'c')* 'a'`, `a ::= [ab]* 'a' [ab] [ab]`, `a ::= ([a-c]* 'b' [a-c]*) | 'aa'?`,
		`a ::= [^<&]* - ([^<&]* ']]>' [^<&]*)`, `a ::= 'x' - 'x'`, `a ::= (([^a-c] | 'ab')* - [é€]+)`,
	} {
		g := ebnf(t, "test.ebnf", text).Grammar
		a := must.Of(lang.FromBNF(g, "a"))(t)
		e := must.Of(a.Expr(1000))(t)
		if b, err := lang.FromExpr(g, e); err != nil || !b.Equal(a) {
			t.Errorf("%s: %s is another language (%v)", text, e, err)
		}
		sizes = append(sizes, a.States())
	}
	if slices.Max(sizes) < 8 {
		t.Errorf("the automata are small: %v", sizes)
	}
	all, _ := lang.FromBNF(ebnf(t, "test.ebnf", `a ::= [ab]* 'a' [ab] [ab] [ab] [ab]`).Grammar, "a")
	if _, err := all.Expr(20); err == nil {
		t.Error("an expression of any size")
	}
}

// A rule knows the names that its text uses and its expression does not, since an exclusion was computed.
func TestComputedNames(t *testing.T) {
	for text, want := range map[string]string{
		"a ::= b - c\nb ::= [a-z]\nc ::= 'x'":                                 "b c",
		"a ::= (b - (c - d)) e\nb ::= [a-z]\nc ::= b\nd ::= 'd'\ne ::= b - d": "c d b",
		"a ::= b\nb ::= [a-z] - 'x'":                                          "",
	} {
		if have := strings.Join(ebnf(t, "test.ebnf", text).Grammar.Rule("a").Computed, " "); have != want {
			t.Errorf("%q: computed %q, want %q", text, have, want)
		}
	}
	g := ebnf(t, "test.ebnf", "a ::= b c (b - d)\nb ::= [a-z]\nc ::= 'c'\nd ::= 'd'").Grammar
	if uses, expected := g.Rule("a").Uses(), []string{"b", "c", "d"}; !slices.Equal(uses, expected) {
		t.Errorf("a uses %q, want %q", uses, expected)
	}
	if reach := g.Reach("a"); slices.Contains(reach, "d") {
		t.Errorf("a reaches %q: no string has d in it", reach)
	}
	// They count as used where a rule is supplied, and where tokens are looked for.
	n := bnf.Usual
	n.Define = []bnf.Replacement{{Production: "c", Text: "'x'"}}
	if _, err := bnf.ReadDocument("test.ebnf", []byte("a ::= [a-z] - c"), bnf.EBNF, n); err != nil {
		t.Error(err)
	}
	g = ebnf(t, "test.ebnf", "a ::= NAME (b - S)\nb ::= [a-z ]\nNAME ::= [a-z]+\nS ::= ' '").Grammar
	if bnf.LooksTokenized(g) {
		t.Error("a grammar that excludes white space looks like one of tokens")
	}
}

// A set of characters that is an exclusion is called what the text calls it, and a right-hand side is read again as
// it was.
func TestExclusionsKeepTheirText(t *testing.T) {
	for text, chars := range map[string]string{
		"a ::= [^'b] 'x'\n":                    "[^'b]",
		"a ::= ([a-zé] - 'b') 'x'\n":           "[a-zé] - 'b'",
		"a ::= (c - [b]) 'x'\nc ::= [a-é]":     "c - [b]",
		"a ::= (c\n- '\t') 'x'\nc ::= [\ta-é]": "c - '\t'",
	} {
		g := ebnf(t, "test.ebnf", text).Grammar
		e := g.Rule("a").Expr.Sub[0]
		if e.Chars != chars {
			t.Errorf("%q: %q stands for the set, want %q", text, e.Chars, chars)
		}
		again := must.Of(bnf.RightOf(g, chars))(t)
		if !must.Of(lang.FromExpr(g, again))(t).Equal(must.Of(lang.FromExpr(g, e))(t)) {
			t.Errorf("%q is read as another language", chars)
		}
	}
	g := ebnf(t, "test.ebnf", "a ::= 'x'\n").Grammar
	if _, err := bnf.RightOf(g, "( 'x'"); err == nil {
		t.Error("an unclosed bracket is read")
	}
}

// TestISOSlashComment: "/*/" only begins a comment.
func TestISOSlashComment(t *testing.T) {
	g := must.Of(bnf.ReadDocument("t.ebnf", []byte("a = 'x' /*/ , 'y' */ , 'z' ;\n"), bnf.ISO, bnf.Usual))(t).Grammar
	if got := g.Rules[0].Expr.String(); got != `"x" "z"` {
		t.Errorf("a is %s", got)
	}
}

// TestISOManyWords: words without commas between them are looked at as often as the longest name has words.
func TestISOManyWords(t *testing.T) {
	text := "a = " + strings.Repeat("b ", 8000) + "c d ;\nb = 'x';\nc d = 'y';\n"
	start := time.Now()
	d := must.Of(bnf.ReadDocument("x.ebnf", []byte(text), bnf.ISO, bnf.Usual))(t)
	if n := len(d.Grammar.Rules[0].Expr.Sub); n != 8001 || time.Since(start) > 20*time.Second {
		t.Errorf("%d parts after %v", n, time.Since(start))
	}
}

// TestISOManyBrackets: brackets that are not closed are not searched to the end of the text, each of them.
func TestISOManyBrackets(t *testing.T) {
	start := time.Now()
	_, err := bnf.ReadDocument("x.ebnf", []byte("a = "+strings.Repeat("[a", 20000)+" ;\n"), bnf.ISO, bnf.Usual)
	if err == nil || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// TestISOTabInQuotes: a tab in the quotes of a special sequence is the character.
func TestISOTabInQuotes(t *testing.T) {
	d := must.Of(bnf.ReadDocument("x.ebnf", []byte("a = ? '\t' ?;\n"), bnf.ISO, bnf.Usual))(t)
	if got := d.Grammar.Rules[0].Expr.String(); got != `[\x09]` {
		t.Error(got)
	}
}

// TestManyExclusions requires that an exclusion takes what its own sides do, however many there are.
func TestManyExclusions(t *testing.T) {
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "r%d ::= [#x1-#x10FFFF] - [a-z]\n", i)
	}
	b := budget.New(t.Context(), budget.Limits{Steps: 1 << 24})
	if _, err := bnf.ReadDocument("many.ebnf", []byte(text.String()), bnf.EBNF, bnf.Notation{Budget: b}); err != nil {
		t.Error(err)
	}
}
