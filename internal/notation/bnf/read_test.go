package bnf

import (
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// in returns a grammar file in a notation, its first line the notation's.
func in(notation string, lines ...string) []byte {
	return []byte("@ notation " + notation + "\n" + strings.Join(lines, "\n") + "\n")
}

// TestNotation is the notations by example: a production, and the expression it is read into.
func TestNotation(t *testing.T) {
	tests := []struct{ notation, production, want string }{
		{"rfc1630", `ab  x`, `"x"`},
		{"rfc1630", `ab  x y`, `"xy"`},
		{"rfc1630", `ab  xy`, `xy`},
		{"rfc1630", `ab  h t t p : / / cd`, `"http://" cd`},
		{"rfc1630", `ab  cd-ef - gh`, `cd-ef "-" gh`},
		{"rfc1630", `ab  x | cd [ : ef ]`, `"x" / cd ( ":" ef )?`},
		{"rfc1630", `ab  [/ cd [ ef ] ]`, `( "/" cd ef? )?`},
		{"rfc1630", `ab  0 |1 | ( | )`, `"0" / "1" / "(" / ")"`},
		{"rfc1630", `ab  " | '`, `"\"" / "'"`},
		{"rfc1630", `ab  space | vline`, `" " / "|"`},
		{"rfc1630", `ab  x space y`, `"x y"`},
		{"rfc1630", `ab  [ | ] | x`, `"[" / "]" / "x"`},
		{"rfc1630", `ab  x | [`, `"x" / "["`},
		{"rfc1630", `ab  ]`, `"]"`},
		{"rfc1630", `ab  [ x | y ]`, `( "x" / "y" )?`},
		{"rfc1630", `ab  [ x ] | y`, `"x"? / "y"`},
		{"rfc1630", `ab`, `""`},
		{"rfc1630", "ab  cd [ %\n    0 0 ef ]", `cd ( "%00" ef )?`},

		{"rfc822", `a = b`, `b`},
		{"rfc822", `a-b+c_d = a-b+c_d`, `a-b+c_d`},
		{"rfc822", `a = "http://" b`, `"http://" b`},
		{"rfc822", `a = <"> | "\" | "'" | ";"`, `"\"" / "\\" / "'" / ";"`},
		{"rfc822", `a = "" b`, `b`},
		{"rfc822", `a = b ; "comment"`, `b`},
		{"rfc822", `a = [ b c ] | d`, `( b c )? / d`},
		{"rfc822", `a = *b 1*c 2*3d *4e 5f`, `b* c+ d{2,3} e{0,4} f{5,5}`},
		{"rfc822", `a = 0b c`, `c`},
		{"rfc822", `a = 1*[ b | c ]`, `( b / c )+`},
		{"rfc822", `a = 1*( b | c )`, `( b / c )+`},
		{"rfc822", `a = *[ [ b ] ]`, `( b? )*`},
		{"rfc822", `a = [ / b ]`, `( "/" b )?`},
		{"rfc822", "a = b |\n    c", `b / c`},

		{"abnf", `a = b`, `b`},
		{"abnf", `a = "x1y"`, `[Xx] "1" [Yy]`},
		{"abnf", `a = %i"x" %s"Xy"`, `[Xx] "Xy"`},
		{"abnf", `a = "" b`, `b`},
		{"abnf", `a = %x41 / %d65 / %b1000001`, `"A" / "A" / "A"`},
		{"abnf", `a = %X41-5a`, `[A-Z]`},
		{"abnf", `a = %x41.42.43`, `"ABC"`},
		{"abnf", `a = %x00-FF`, `.`},
		{"abnf", `a = b / c d`, `b / c d`},
		{"abnf", `a = (b / c) d`, `( b / c ) d`},
		{"abnf", `a = [b / c] *(d) 2e *3f 1*2g`, `( b / c )? d* e{2,2} f{0,3} g{1,2}`},
		{"abnf", `a = 0b`, `""`},
		{"abnf", "a = b ; comment\n    ; another\n\n    / c", `b / c`},
	}
	for _, test := range tests {
		g, err := read("x.bnf", in(test.notation, test.production))
		if err != nil {
			t.Errorf("%s: %s: %v", test.notation, test.production, err)
		} else if got := g.Rules[0].Expr.String(); got != test.want || len(g.Rules) != 1 {
			t.Errorf("%s: %s: read as %s, want %s", test.notation, test.production, got, test.want)
		}
	}
}

func TestOptionsOfTheNotation(t *testing.T) {
	tests := []struct {
		production string
		notation   Notation
		want       string
	}{
		{`a = 1*[ b ]`, Notation{RepeatBracketsGroup: true}, `b+`},
		{`a = 1*[ b ]`, Notation{}, `( b? )+`},
		{`a = [ b ]`, Notation{RepeatBracketsGroup: true}, `b?`},
		{`a = / b`, Notation{BareSlashLiteral: true}, `"/" b`},
		{`a = "b:/" c`, Notation{FoldLiterals: true}, `[Bb] ":/" c`},
		{`a = "%09" "A"`, Notation{FoldLiterals: true}, `"%09" [Aa]`},
	}
	for _, test := range tests {
		g, err := ReadWith("x.bnf", in("rfc822", test.production), test.notation)
		if err != nil {
			t.Errorf("%s: %v", test.production, err)
		} else if got := g.Rules[0].Expr.String(); got != test.want {
			t.Errorf("%s with %+v: read as %s, want %s", test.production, test.notation, got, test.want)
		}
	}
}

// TestErrors: every error has a place, says what stands there, and what could stand there instead.
func TestErrors(t *testing.T) {
	tests := []struct{ notation, production, want string }{
		{"rfc1630", `x y`, `2:1: unexpected "x"; expected a name`},
		{"rfc1630", `ab | cd`, `2:4: unexpected "|"; expected a name, a character, "[", ` +
			`"]" or the end of the production`},
		{"rfc1630", `ab [ cd`, `2:8: unexpected end of the production; expected a name, a character, "[", "]" or "|"`},
		{"rfc1630", `ab cd ]`, `2:7: unexpected "]"; expected a name, a character, "[", ` +
			`"|" or the end of the production`},
		{"rfc1630", `ab cd | ] ef`, `2:11: unexpected "ef"; expected "|" or the end of the production`},
		{"rfc1630", "ab cd é", `2:7: unexpected "\xc3"; expected a name, a character, "[", ` +
			`"|" or the end of the production`},
		{"rfc1630", "ab cd |\n   ef | | gh", `3:9: unexpected "|"; expected a name, a character, "[" or "]"`},

		{"rfc822", `a b`, `2:3: unexpected "b"; expected "="`},
		{"rfc822", `a =`, `2:4: unexpected end of the production; expected a name, a literal, a count, "(" or "["`},
		{"rfc822", `a = | b`, `2:5: unexpected "|"; expected a name, a literal, a count, "(" or "["`},
		{"rfc822", `a = [ b`, `2:8: unexpected end of the production; expected a name, a literal, a count, "(", ` +
			`"[", "]" or "|"`},
		{"rfc822", `a = b )`, `2:7: unexpected ")"; expected a name, a literal, a count, "(", "[", ` +
			`"|" or the end of the production`},
		{"rfc822", `a = 1* | b`, `2:8: unexpected "|"; expected a name, a literal, "(" or "["`},
		{"rfc822", `a = 3*2b`, `2:5: unexpected count "3*2"; expected its first number not to be above its second`},
		{"abnf", `a = 2*0"x"`, `2:5: unexpected count "2*0"; expected its first number not to be above its second`},
		{"rfc822", `a = 99999999999999999999*b`,
			`2:5: unexpected count "99999999999999999999*"; expected a number up to 2147483647`},
		{"rfc822", `a = "b`, `2:5: unexpected unclosed "\"b"; expected a name, a literal, a count, "(" or "["`},
		{"rfc822", "a = b\n    \x80", `3:5: unexpected "\x80"; expected a name, a literal, a count, "(", "[", ` +
			`"|" or the end of the production`},

		{"abnf", `a | b`, `2:3: unexpected "|"; expected "=" or "=/"; a line that goes on with a production is indented`},
		{"abnf", `a = (b`, `2:5: unclosed "("; expected ")" before the end of the production`},
		{"abnf", "a = (b [c] (d)\n  e = f", `2:5: unclosed "("; expected ")" before the end of the production`},
		{"abnf", "a = (b\n          c = f", `2:5: unclosed "("; expected ")" before the end of the production`},
		{"abnf", "a = (b = c)", `2:8: unexpected "="; expected a name, a quoted string, a value, a count, "(", ")", "[" or "/"`},
		{"abnf", `a = (b [c (d) )`, `2:15: unexpected ")"; expected a name, a quoted string, a value, a count, "(", "[", "]" or "/"`},
		{"abnf", `a = (b [c / (d)`, `2:8: unclosed "["; expected "]" before the end of the production`},
		{"abnf", "a = 2147483648b\nb = %x110000", `2:5: unexpected count "2147483648"; expected a number up to 2147483647
x.bnf:3:5: unexpected value "%x110000"; expected one up to %x10FFFF, the last code point`},
		{"rfc822", `a = <any octet>`, `2:5: unexpected prose "<any octet>", which says nothing to a program`},
		{"rfc822", "a-b = \"x\"\nb = a-b\nA-B = b", "4:1: `A-B` is defined twice, first at x.bnf:2:1 as `a-b`"},
		{"rfc1630", "aa  x\n\nbb  aa\n\naa  y", "6:1: `aa` is defined twice, first at x.bnf:2:1"},
		{"rfc1630", "aa  x\nbb  y", "3:1: expected a blank line before a production, " +
			"or an indent before the rest of one"},
		{"rfc1630", "@ part one \"One\"\naa  x\n\n@ part two \"Two\"\naa  y",
			"6:1: `aa` has the ID of `aa` at x.bnf:3:1; " +
				"a line \"@ ids PREFIX shared\" tells the parts of a text apart"},
		{"abnf", "a = \"x\"\nA = \"y\"", "3:1: `A` is defined twice, first at x.bnf:2:1 as `a`"},
		{"abnf", "a =/ \"x\"\na = \"y\"\na = \"z\"", "4:1: `a` is defined twice, first at x.bnf:2:1"},
		{"abnf", `a = %xFFFFFFFFFFFFFFFFFFFF`,
			`2:5: unexpected value "%xFFFFFFFFFFFFFFFFFFFF"; expected one up to %x10FFFF, the last code point`},
		{"abnf", `a = %x5A-41`, `2:5: unexpected range "%x5A-41"; expected its first value not to be above its last`},
		{"abnf", `a = %b102`, `2:5: unexpected "102" in "%b102"; expected a number to base 2`},

		{"abnf", "@ page 1", `2:1: unexpected "@ page 1"; expected @ page NUMBER line NUMBER`},
		{"abnf", "@ page 1 line 2\n@ page 1 line 3\na = b", `3:1: expected a production after "@ page"`},
		{"abnf", "a = b\n@ page 1 line 2", `3:1: expected a production after "@ page"`},
		{"abnf", "@ part x", `2:1: unexpected "@ part x"; expected @ part NAME "HEADING"`},
		{"abnf", "@ ids x some", `2:1: unexpected "@ ids x some"; expected @ ids PREFIX all, or @ ids PREFIX shared`},
		{"abnf", "@ notation klingon", `2:1: unexpected "@ notation klingon"; expected "@ notation abnf", ` +
			`"@ notation rfc822" or "@ notation rfc1630"`},
		{"abnf", "a = b\n@ notation rfc822", `3:1: the notation cannot change after the first production`},
		{"abnf", "@ foo", `2:1: unexpected "@ foo"; expected @ grammar, @ title, @ notation, @ section, @ part, ` +
			`@ ids or @ page`},
	}
	for _, test := range tests {
		_, err := read("x.bnf", in(test.notation, test.production))
		var place *expr.Error
		if !errors.As(err, &place) {
			t.Errorf("%s: %q: want an error with a place, have %v", test.notation, test.production, err)
		} else if got := strings.TrimPrefix(err.Error(), "x.bnf:"); got != test.want {
			t.Errorf("%s: %q:\n have %s\n want %s", test.notation, test.production, got, test.want)
		}
	}
	if _, err := read("x.bnf", []byte("a = b\n")); err == nil || !strings.HasPrefix(err.Error(), `x.bnf:1:1: expected "@ notation abnf"`) {
		t.Errorf("a file without a notation: %v", err)
	}
	for _, nothing := range []string{"", "; a comment\n", "@ notation abnf\n\n"} {
		if _, err := ReadABNF("x.abnf", []byte(nothing)); err == nil || err.Error() != "x.abnf:1:1: no production" {
			t.Errorf("%q, in which there is no production: %v", nothing, err)
		}
	}
	if _, err := ReadWith("x.bnf", in("rfc822", "a = / b"), Notation{}); err == nil || !strings.Contains(err.Error(), `x.bnf:2:5: unexpected "/"`) {
		t.Errorf("a bare slash that is no literal: %v", err)
	}
	deep := "a = " + strings.Repeat("(", 100_000)
	if _, err := ReadABNF("x.abnf", []byte(deep)); err == nil || err.Error() != "x.abnf:1:1005: brackets are nested more than 1000 deep" {
		t.Errorf("deep nesting: %v", err)
	}
}

func TestLayout(t *testing.T) {
	src := []byte("@ grammar g\r\n@ title The G\r\n@ notation abnf\r\n@ section 5\r\n\r\n" +
		"   ; the first\r\n@ page 7 line 99\r\n   a = b\r\n       c\r\n\r\n       / d\r\n   e = f\r\n" +
		"@ section 6\r\n   g = h\r\n")
	g := must.Of(read("dir/x.bnf", src))(t)
	if g.Name != "g" || g.Title != "The G" || g.File != "dir/x.bnf" || g.Ordered || g.Notation != "abnf" {
		t.Errorf("header: %+v", g)
	}
	a := g.Rules[0]
	if len(g.Rules) != 3 || a.Page != 7 || a.Line != 99 || a.Section != "5" || a.Pos.String() != "dir/x.bnf:8:4" ||
		a.Printed != "   a = b\n       c\n\n       / d" {
		t.Errorf("%d productions; the first: %+v", len(g.Rules), *a)
	}
	if s := g.Rules[1].Section + g.Rules[2].Section; s != "56" {
		t.Errorf("sections %s", s)
	}
}

func TestNamesMeanTheirPart(t *testing.T) {
	g := must.Of(read("x.bnf", in("rfc1630",
		`@ part one "One"`, `@ ids one_ all`, `one  aa bb`, ``, `aa  cc`, ``,
		`@ part two "Two"`, `@ ids two_ shared`, `aa  x`, ``, `bb  aa`)))(t)
	want := `one = one_aa bb
one_aa = cc
two_aa = "x"
bb = two_aa
`
	var got strings.Builder
	for _, r := range g.Rules {
		got.WriteString(r.ID + " = " + r.Expr.String() + "\n")
	}
	if got.String() != want {
		t.Errorf("have\n%swant\n%s", got.String(), want)
	}
}

func TestABNFNamesAndCoreRules(t *testing.T) {
	g := must.Of(ReadABNF("dir/mine.abnf", []byte("Rule = alpha / other\nOTHER = HexDig CRLF\nrule =/ %x80\nalpha = \"a\"\n")))(t)
	want := `mine Rule = alpha / OTHER / "\x80"
mine OTHER = HEXDIG CRLF
mine alpha = [Aa]
core CR = "\r"
core CRLF = CR LF
core DIGIT = [0-9]
core HEXDIG = DIGIT / [Aa] / [Bb] / [Cc] / [Dd] / [Ee] / [Ff]
core LF = "\n"
`
	var got strings.Builder
	for _, r := range g.Rules {
		part := r.Part
		if part == "" {
			part = g.Name
		}
		got.WriteString(part + " " + r.ID + " = " + r.Expr.String() + "\n")
	}
	if got.String() != want {
		t.Errorf("have\n%swant\n%s", got.String(), want)
	}
}

func TestAllCoreRules(t *testing.T) {
	names := []string{"ALPHA", "BIT", "CHAR", "CR", "CRLF", "CTL", "DIGIT", "DQUOTE", "HEXDIG", "HTAB", "LF", "LWSP", "OCTET", "SP", "VCHAR", "WSP"}
	g := must.Of(ReadABNF("x.abnf", []byte("all = "+strings.Join(names, " "))))(t)
	for i, name := range names {
		if r := g.Rules[i+1]; r.ID != name || r.Part != "core" {
			t.Errorf("core rule %d is %s, want %s", i, r.ID, name)
		}
	}
	clean(t, g)
}

// clean fails if the form of a grammar shows more than productions that no others use.
func clean(t *testing.T, g *expr.Grammar) {
	t.Helper()
	for _, f := range lint.Form(g) {
		if f.Code != lint.Unused {
			t.Error(f)
		}
	}
}

func TestRFC3986IsClean(t *testing.T) {
	g := load(t, "rfc3986").Default
	if n := len(g.Rules); n != 36+3 {
		t.Errorf("%d rules with the core rules, want 39", n)
	}
	clean(t, g)
	for _, r := range g.Rules {
		if err := regular(g, r.ID); err != nil {
			t.Error(err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"rfc1630", "rfc1738"} {
		for _, r := range load(f, name).Text.Rules {
			f.Add(name[3:], r.Printed)
		}
	}
	f.Add("abnf", "a = *3( b / [c] ) %x41-5A \"x\" <prose>\na =/ ALPHA")
	f.Add("abnf", "@ page 1 line 2\n@ part a \"b\"\n@ ids c all\na = b")
	f.Fuzz(func(t *testing.T, notation, text string) {
		switch notation {
		case "1630":
			notation = "rfc1630"
		case "1738":
			notation = "rfc822"
		}
		g, err := read("x.bnf", in(notation, text))
		if err != nil {
			var place *expr.Error
			if !errors.As(err, &place) || place.Pos.Line < 1 || place.Pos.Col < 1 {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		for _, r := range g.Rules {
			expr.Walk(r.Expr, func(e *expr.Expr) bool {
				if e.Op == expr.Literal && e.Lit == "" || (e.Op == expr.Seq || e.Op == expr.Alt) && len(e.Sub) < 2 {
					t.Errorf("%s: not a proper expression: %s", r.ID, r.Expr)
				}
				return true
			})
			_ = regular(g, r.ID)
		}
		lint.Form(g)
		if _, err := Apply(g, nil, Default); err != nil {
			t.Errorf("without readings: %v", err)
		}
	})
}

func read(file string, src []byte) (*expr.Grammar, error) { return ReadWith(file, src, Usual) }
