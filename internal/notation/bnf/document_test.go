package bnf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What is written as people write it, how it is read, and what is noticed.
func TestNotices(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"names at any indent", "  a = b\nc = d\n      e = f", "a = b; c = d; e = f"},
		{"a sign on the next line", "a\n  = b\nlong-name ; what for\n\n  = c", "a = b; long-name = c"},
		{"tabs, spaces at ends of lines, no last newline", "\ta\t=\tb \t\n\t\tc  \nd = e", "a = b c; d = e"},
		{"a byte order mark and CR LF", "\ufeffa = b\r\n  c\r\n", "a = b c"},
		{"CR alone", "a = b\r  c\rd = e", "a = b c; d = e"},
		{"CR CR LF", "a = b\r\r\n  c\r\r\n", "a = b c"},
		{"blank lines inside", "a = b\n\n\n  / c\n\n\n  / d", "a = b / c / d"},
		{"comments that are not ASCII", "a = b ; “x” – é\n; ü = %x\n c", "a = b c"},
		{"a comment at the margin inside", "a = b /\n; or\n  c", "a = b / c"},
		{"a form feed", "a = b\f\n\f\n  c\n\fd = e", "a = b c; d = e"},
		{"angle brackets around names", "<a> = <b> \"x\"\nb = \"y\"", "a = b [Xx]; b = [Yy]"},
		{"no pchar", "a = 0<b> / 1*<b>\nb = \"y\"", "a = \"\" / b+; b = [Yy]"},
		{"either case", "A = B\nb = %X41 %D65 %B01000001 %I\"a\" %S\"a\"", `A = b; b = "A" "A" "A" [Aa] "a"`},
		{"the quote character", `a = <"> b`, `a = "\"" b`},
		{"prose over two lines", "a = <any octet\n  but (one)> / b\nb = \"x\"", "a = <any octet but (one)> / b; b = [Xx]"},
		{"prose with the quote character", "a = <any but <\">> b", "a = <any but <\">> b"},
		{"single quotes", "a = 'b' `\"c('\n  d", "a = [Bb] \"\\\"\" [Cc] \"(\" d | 1:5: 'b' is read as \"b\", and in 1 more places"},
		{"counts in braces", "a = {1*2}b {3}(c)", "a = b{1,2} c{3,3} | 1:5: {1*2} is read as a count, and in 1 more places"},
		{"hexadecimal numbers", "a = 0x20-0x7E 0xray 0x0d", "a = \"\" | 1:5: 0x20-0x7E is no times `x20-0x7E`, which is nothing; a character is written %x20-7E, and in 1 more places"},
		{"nothing but a comment", "a = ; of\n    ; RFC 1\nb = a", "a = <of RFC 1>; b = a" +
			" | 1:3: nothing but a comment stands behind the sign, and is read as prose, <of RFC 1>"},
		{"prose at the margin", "a = <b\nc> / d\ne = f", "a = <b c> / d; e = f | 2:1: the line stands at the margin, and is read as the rest of `a`"},
		{"prose that leaves out", "a = 1*<any CHAR except CTLs or \" \", but including LF>", "a = ( LF / [!-~] )+" +
			" | 1:7: <any CHAR except CTLs or \" \", but including LF> is read as what it describes"},
		{"prose that means characters", "HT = <US-ASCII HT, horizontal-tab (9)>\na = <any US-ASCII uppercase letter \"A\"..\"Z\"> <US-ASCII x (300)>", "HT = [\\x09]; a = [A-Z] <US-ASCII x (300)>" +
			" | 1:6: <US-ASCII HT, horizontal-tab (9)> is read as what it describes, and in 1 more places"},
		{"prose that leaves out what is not there", "a = <any b except c> / <any CHAR but d e> / <any %x41-45 not being \"B\">",
			"a = <any b except c> / <any CHAR but d e> / <any %x41-45 not being \"B\">"},
		{"prose that leaves out what nests", "a = <any b except d>\nb = \"(\" b \")\" / \"x\"\nd = \"x\"",
			"a = <any b except d>; b = \"(\" b \")\" / [Xx]; d = [Xx]"},
		{"the production of the quote character", "a = <\">\n<\"> = <a mark (34)>\nb = c", "a = \"\\\"\"; b = c"},
		{"a production of prose that is its own name", "a = b\nb = <b>", "a = b; b = <b>"},

		{"the rest at the margin", "a = b /\nc\nd = (\ne\n)\n/ f", "a = b / c; d = e / f" +
			" | 2:1: the line stands at the margin, and is read as the rest of `a`, and in 3 more places"},
		{"bars", "a = b | c | d", "a = b / c / d | 1:7: \"|\" is read as \"/\", and in 1 more places"},
		{"BNF", "<a> ::= <b> | \"x\"\n<b> ::= \"y\"", "a = b / [Xx]; b = [Yy]" +
			" | 1:5: \"::=\" is read as \"=\", and in 1 more places; quoted strings match either case, as everywhere in ABNF" +
			" | 1:13: \"|\" is read as \"/\""},
		{"underscores", "a_b = c_d", "a_b = c_d | 1:1: `a_b` has a \"_\", which RFC 5234 has in no name, and in 1 more places"},
		{"the same again", "a = b / %x41\nc = \"d\"\nA = b ; the same\n  / %d65\nc = %i\"D\"", "a = b / \"A\"; c = [Dd]" +
			" | 3:1: defined again, in the same words: A and c"},
		{"the same addition", "a = \"b\"\na =/ \"c\"\na =/ \"c\"", "a = [Bb] / [Cc] | 3:1: defined again, in the same words: a"},
		{"an addition to a rule that another document has", "a =/ \"c\"", "a = [Cc] | 1:1: `a` adds to a rule of another document, and is read without it; --import a=FILE joins it"},
		{"an addition first", "a =/ \"c\"\na = \"b\"", "a = [Cc] / [Bb]"},
		{"core rules again", "DIGIT = %x30-39\nALPHA = %x41-5A / %x61-7A\nCTL = %x00-1F\na = DIGIT",
			"DIGIT = [0-9]; ALPHA = [A-Z] / [a-z]; CTL = [\\x00-\\x1f]; a = DIGIT" +
				" | 1:1: core rules of RFC 5234 that stand here again, unchanged: DIGIT and ALPHA" +
				" | 3:1: `CTL` is a core rule of RFC 5234, and other here: [\\x00-\\x1f] / \"\\x7f\" there; the document's own is read"},
		{"a core rule in prose", "CTL = <any control character>\na = CTL", "CTL = [\\x00-\\x1f] / \"\\x7f\"; a = CTL" +
			" | 1:1: `CTL` is prose; the core rule of RFC 5234 is read"},
		{"surrogates", "a = %xD000-E000 / %xD800 / %x41.DFFF", "a = %xD000-E000 / [] / []" +
			" | 1:5: \"%xD000-E000\" covers surrogates, which no text in UTF-8 has; they are left out, and in 2 more places"},
	} {
		d, err := ReadDocument("x.abnf", []byte(c.text), ABNF, Usual)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := summary(d); got != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, got, c.want)
		}
	}
}

// summary returns the rules of a document and its notices in a line.
func summary(d *Document) string {
	var rules []string
	for _, r := range d.Grammar.Rules {
		if !IsCore(r) {
			rules = append(rules, r.ID+" = "+r.Expr.String())
		}
	}
	parts := []string{strings.Join(rules, "; ")}
	for _, n := range d.Notices {
		parts = append(parts, strings.TrimPrefix(n.String(), "x.abnf:"))
	}
	return strings.Join(parts, " | ")
}

// What is refused, and what to write instead.
func TestRemedies(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a = “b”", `1:5: unexpected '“' (U+201C); write "`},
		{"a = \"b”", `1:5: unclosed "\"b”"; a quoted string ends on its line, with a "`},
		{"a = \"b” \"c\"", `1:7: unexpected '”' (U+201D) in a quoted string; write a straight " to end it, or %x201D for the character`},
		{"a = \"é\"", `1:6: unexpected 'é' (U+00E9) in a quoted string, which holds only printable ASCII; write %xE9`},
		{"a = \"\xe9\"", `1:6: unexpected byte 0xe9 in a quoted string; write %xE9, and with --values octets if it is to be an octet`},
		{"a = \"b\tc\"", `1:7: unexpected "\t" in a quoted string, which holds only printable ASCII; write %x9`},
		{"a = %x30–39", "1:9: unexpected '–' (U+2013); write -"},
		{"a = b\u00a0c", "1:6: unexpected '\\u00a0' (U+00A0); write a space: it is a no-break space"},
		{"a = &quot;b&quot;", `1:5: unexpected "&quot;", an HTML entity; write "`},
		{"a = 'b", `1:5: unexpected "'"; write quoted strings between "`},
		{"a = b{2}", `1:6: unexpected "{"; write *( ) for a repetition`},
		{"a = {b}", `1:5: unexpected "{"; write *( ) for a repetition`},
		{"a = b+", `1:6: unexpected "+"; write 1*element for one or more`},
		{"a = b, c", `1:6: unexpected ","; elements follow each other without a sign`},
		{"a = %y41", `1:5: unexpected "%y41"; expected a value such as %x41, %d65 or %b1000001, or a string such as %s"text"`},
		{"a = <b", `1:5: unclosed "<b"; prose in angle brackets ends on its line, with a >`},
		{"a = \x00", "1:5: unexpected byte 0; a grammar is text in UTF-8"},
		{"\xff\xfea\x00", "1:1: unexpected UTF-16; expected a grammar in UTF-8, as iconv -f UTF-16 -t UTF-8 makes it"},
		{"\xff\xfe\x00\x00a\x00\x00\x00", "1:1: unexpected UTF-32; expected a grammar in UTF-8, as iconv -f UTF-32 -t UTF-8 makes it"},
		{"a = (b\nc = d", `1:5: unclosed "("; expected ")" before the end of the production`},
		{"a = b\nc d", "2:3: unexpected \"d\"; expected \"=\" or \"=/\"; a line that goes on with a production is indented"},
		{"a = b+\nc d\ne : f", `1:6: unexpected "+"; write 1*element for one or more
x.abnf:2:3: unexpected "d"; expected "=" or "=/"; a line that goes on with a production is indented
x.abnf:3:3: unexpected ":"; write = behind the name that is defined`},
		{"a = \"x\"\n\na = \"y\"", "3:1: `a` is defined twice, first at x.abnf:1:1"},
		{"a = b c = d", `1:9: unexpected "="; expected a name, a quoted string, a value, a count, "(", "[", "/" or the end of the production`},
		{"a = %xD8000000", `1:5: unexpected value "%xD8000000"; expected one up to %x10FFFF, the last code point`},
		{strings.Repeat("a = 1#( ", 1) + strings.Repeat("1#( b ", 40) + strings.Repeat(")", 41),
			`1:141: the list "1#", with those before and inside it, is too large; write its element as a production of its own`},
	} {
		_, err := ReadABNF("x.abnf", []byte(c.text))
		if err == nil || strings.TrimPrefix(err.Error(), "x.abnf:") != c.want {
			t.Errorf("%q:\nhave %v\nwant %s", c.text, err, c.want)
		}
	}
}

// A value is an octet, or a code point in UTF-8.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		text   string
		values Values
		want   string
		points bool
	}{
		{"a = %x80-FF", AutoValues, `[\x80-\xff]`, false},
		{"a = %x80-FF", Octets, `[\x80-\xff]`, false},
		{"a = %x80-FF", CodePoints, `%x80-FF`, true},
		{"a = %xE9", AutoValues, `"\xe9"`, false},
		{"a = %xE9", CodePoints, `"é"`, true},
		{"a = %xE9\nb = %x100", AutoValues, `"é"`, true},
		{"a = %xE9 ; %x100", AutoValues, `"\xe9"`, false},
		{"a = %xE9\nb = <not %x100, as said above>", AutoValues, `"\xe9"`, false}, // prose that says nothing
		{"a = %xE9\nb = <a except %x100>", AutoValues, `"é"`, true},
		{"a = %x20AC.41", AutoValues, `"€A"`, true},
		{"a = %x20-10FFFF", AutoValues, `%x20-10FFFF`, true},
		{"a = %x20-7E / %x1F600", AutoValues, `[ -~] / "😀"`, true},
		{"a = %x100", Octets, `x.abnf:1:5: unexpected value "%x100"; expected one up to 255: terminals are octets, as asked for; --values code-points reads values as code points`, false},
		{"a = b %x100\nc = %xFFFF", Octets, `x.abnf:1:7: unexpected value "%x100"; expected one up to 255: terminals are octets, as asked for; --values code-points reads values as code points
x.abnf:2:5: unexpected value "%xFFFF"; expected one up to 255: terminals are octets, as asked for; --values code-points reads values as code points`, false},
	} {
		n := Usual
		n.Values = c.values
		g, err := ReadABNFWith("x.abnf", []byte(c.text), n)
		got := fmt.Sprint(err)
		if err == nil {
			got = g.Rules[0].Expr.String()
			if g.CodePoints != c.points {
				t.Errorf("%s with %s: code points %t", c.text, c.values, g.CodePoints)
			}
		}
		if got != c.want {
			t.Errorf("%s with %s:\nhave %s\nwant %s", c.text, c.values, got, c.want)
		}
	}
}

// A range of code points derives their encodings, and nothing else: it derives those at the ends of every length and
// of the range itself, none next to these, and just as many words as there are code points.
func TestRangesOfCodePoints(t *testing.T) {
	edges := []rune{0, 1, 0x41, 0x7E, 0x7F, 0x80, 0x81, 0xFF, 0x100, 0x7BF, 0x7C0, 0x7FE, 0x7FF, 0x800, 0x801, 0xFFF, 0x1000, 0x20AC, 0xCFFF, 0xD000,
		0xD7FE, 0xD7FF, 0xD800, 0xDBFF, 0xDFFF, 0xE000, 0xE001, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10001, 0x1F600, 0x3FFFF, 0x40000, 0xFFFFF, 0x100000, 0x10FFFE, 0x10FFFF}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		edges = append(edges, rune(r.IntN(utf8.MaxRune+1)))
	}
	tried := 0
	for i, lo := range edges {
		for _, hi := range edges[:min(len(edges), longtest.Size(60, len(edges)))] {
			if lo > hi || longtest.Size(i%2, 0) != 0 {
				continue
			}
			tried++
			e := expr.Or(encodings(expr.Encodings(lo, hi), "it", expr.Pos{}), expr.In(expr.Set{}))
			a := must.Of(lang.FromExpr(&expr.Grammar{}, e))(t)
			count := int64(0)
			for _, n := range a.Counts(5) {
				count += n.Int64()
			}
			want := int64(hi-lo) + 1
			if lo <= lastSurrogate && hi >= firstSurrogate {
				want -= int64(min(hi, lastSurrogate)-max(lo, firstSurrogate)) + 1
			}
			if count != want {
				t.Fatalf("U+%04X to U+%04X: %d words, want %d", lo, hi, count, want)
			}
			for _, c := range append([]rune{lo - 1, lo, lo + 1, hi - 1, hi, hi + 1}, edges...) {
				if utf8.ValidRune(c) && a.Match(string(c)) != (lo <= c && c <= hi) {
					t.Fatalf("U+%04X to U+%04X: wrong about U+%04X", lo, hi, c)
				}
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d ranges", tried)
	}
}

// A list is what its RFC says it is.
func TestLists(t *testing.T) {
	const e = "e = \"x\"\n"
	const white = "OWS = *( SP / HTAB )\nLWS = [ CRLF ] 1*( SP / HTAB )\n"
	for _, c := range []struct {
		lists      Lists
		list, same string
	}{
		// RFC 7230 section 7
		{Sender, "1#e", `e *( OWS "," OWS e )`},
		{Sender, "#e", `[ e *( OWS "," OWS e ) ]`},
		{Sender, "2#4e", `e 1*3( OWS "," OWS e )`},
		{Sender, "1#1e", `e`},
		{Sender, "#2( e )", `[ e *1( OWS "," OWS e ) ]`},
		{Sender, "0#0e", `""`},
		{Recipient, "#e", `[ ( "," / e ) *( OWS "," [ OWS e ] ) ]`},
		{Recipient, "1#e", `*( "," OWS ) e *( OWS "," [ OWS e ] )`},
		{Recipient, "2#e", `*( "," OWS ) e 1*( 1*( OWS "," ) OWS e ) *( OWS "," )`},
		{Recipient, "#2e", `[ *( "," OWS ) e [ 1*( OWS "," ) OWS e ] *( OWS "," ) / "," *( OWS "," ) ]`},
		// RFC 2616 section 2.1
		{Lists2616, "1#1e", `*( *LWS "," ) *LWS e *( *LWS "," )`},
		{Lists2616, "1#e", `*( *LWS "," ) *LWS e *( *LWS "," *LWS [ e ] ) / *LWS e`},
		{Lists2616, "#e", `*( *LWS "," ) [ *LWS e *( 1*( *LWS "," ) *LWS e ) *( *LWS "," ) ]`},
	} {
		n := Usual
		n.Lists = c.lists
		list := automaton(t, n, "a = "+c.list+"\n"+e, "a")
		same := automaton(t, n, "a = "+c.same+"\n"+e+white, "a")
		own := automaton(t, n, "a = "+c.list+"\n"+e+white, "a")
		if c.lists == Lists2616 && c.list == "1#e" { // the text has no more than examples
			for w, want := range map[string]bool{"x": true, "x,x": true, "x, , x": true, " ,,x": true, "x ,\t,": true, "": false, ",": false} {
				if list.Match(w) != want {
					t.Errorf("%s %s matches %q: %t", c.lists, c.list, w, !want)
				}
			}
			continue
		}
		if !list.Equal(same) || !own.Equal(same) {
			t.Errorf("%s: %s is not %s", c.lists, c.list, c.same)
		}
	}
}

func automaton(t *testing.T, n Notation, text, id string) *lang.DFA {
	t.Helper()
	g := must.Of(ReadABNFWith("x.abnf", []byte(text), n))(t)
	must.Do(t, CheckMissing(g))
	return must.Of(lang.FromBNF(g, id))(t)
}

// What a document lacks is listed once, with who uses it and what supplies it.
func TestMissing(t *testing.T) {
	g := must.Of(ReadABNF("x.abnf", []byte("a = b / c\nd = B [ <any text> ]\nb = <b, see [RFC 1]>\ne = c <c> c c c c\nf = DIGIT")))(t)
	for _, tt := range []struct {
		ids  []string
		want string
	}{
		{nil, "x.abnf: 4 names have no production:\n" +
			"  `c`; used by a (x.abnf:1:9), e (x.abnf:4:5), e (x.abnf:4:11), e (x.abnf:4:13), e (x.abnf:4:15) and 1 more\n" +
			"  prose `<any text>`; used by d (x.abnf:2:9)\n" +
			"  `b`, at x.abnf:3:1, is prose: <b, see [RFC 1]>; used by a (x.abnf:1:5) and d (x.abnf:2:5)\n" +
			"  `<c>`; used by e (x.abnf:4:7)\n" +
			"--import FILE takes them from other grammars, --import c=FILE#RULE one of them; --define c=EXPRESSION supplies one\n" +
			"to supply them, paste this and write what each is for 1*VCHAR: --define 'c=1*VCHAR' --define '<any text>=1*VCHAR' --define 'b=1*VCHAR'"},
		{[]string{"d"}, "x.abnf: 2 names have no production:\n" +
			"  prose `<any text>`; used by d (x.abnf:2:9)\n" +
			"  `b`, at x.abnf:3:1, is prose: <b, see [RFC 1]>; used by d (x.abnf:2:5)\n" +
			"--import FILE takes them from other grammars, --import NAME=FILE#RULE one of them; --define NAME=EXPRESSION supplies one\n" +
			"to supply them, paste this and write what each is for 1*VCHAR: --define '<any text>=1*VCHAR' --define 'b=1*VCHAR'"},
		{[]string{"f"}, "<nil>"},
	} {
		if got := fmt.Sprint(CheckMissing(g, tt.ids...)); got != tt.want {
			t.Errorf("%v:\nhave %s\nwant %s", tt.ids, got, tt.want)
		}
	}
}

// Names that a standard certainly has are proposed: one has them, or several have the same.
func TestProposals(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a = atext", "RFC 5322 has `atext`: cite it in the text, or write --import rfc5322"},
		{"a = tchar / atext", "RFC 9110 has `tchar`: cite it in the text, or write --import rfc9110\n" +
			"RFC 5322 has `atext`: cite it in the text, or write --import rfc5322"},
		{"a = <atext>", "RFC 5322 has `atext`: cite it in the text, or write --import rfc5322"},
		{"a = domain", "`domain` differs in RFC 5322, RFC 5321 and RFC 3261: cite the one that is meant, or write --import rfc5322\n" +
			"to supply them, paste this and write what each is for 1*VCHAR: --define 'domain=1*VCHAR'"},
		{"a = \"x\" <it's>", `to supply them, paste this and write what each is for 1*VCHAR: --define '<it'\''s>=1*VCHAR'`},
	} {
		g := readABNF(t, c.text+"\n")
		said := fmt.Sprint(CheckMissing(g))
		if _, after, _ := strings.Cut(said, "supplies one\n"); after != c.want {
			t.Errorf("%s: proposed is %q, want %q", c.text, after, c.want)
		}
	}
}

// With DefineMissing every name has a production, and only those that were missing are stand-ins.
func TestStandIns(t *testing.T) {
	n := Usual
	n.DefineMissing = true
	const text = "a = b <any text> c / <b> / \"x\"\nb = <b, see [RFC 1]>\nc = %d1 d / <any text>\nany-text = DIGIT\n"
	g := must.Of(ReadABNFWith("x.abnf", []byte(text), n))(t)
	must.Do(t, CheckMissing(g))
	var ids []string
	for _, r := range g.Rules {
		if r.StandIn {
			ids = append(ids, r.ID)
			if len(r.Assumes) != 1 || !strings.HasSuffix(r.Assumes[0].Text, StandIn) {
				t.Errorf("%s assumes %v", r.ID, r.Assumes)
			}
		}
	}
	if got := strings.Join(ids, " "); got != "b any-text-2 d" {
		t.Errorf("the stand-ins are %s", got)
	}
	d := must.Of(lang.FromBNF(g, "a"))(t)
	for s, want := range map[string]bool{"": true, "x": true, "any text\x01 \xff": true, "\n": false, "b": true, "b\x01\n": false} {
		if d.Match(s) != want {
			t.Errorf("%q: %t", s, !want)
		}
	}
	g = must.Of(ReadABNFWith("x.abnf", []byte("a = b %x100\n"), n))(t)
	if d := must.Of(lang.FromBNF(g, "b"))(t); !d.Match("é") || d.Match("\xe9") || d.Match("\u0085") {
		t.Error("among code points the stand-in is not characters")
	}
}

// Names come from other grammars, with all that they use; names that mean other things in the two stay apart.
func TestImports(t *testing.T) {
	read := func(file, text string) *expr.Grammar {
		return must.Of(ReadABNF(file, []byte(text)))(t)
	}
	uri := read("uri.abnf", "URI = scheme \":\" path\nscheme = 1*ALPHA\npath = *segment\nsegment = \"/\" 1*DIGIT\nhost = 1*ALPHA")
	other := read("other.abnf", "path = \"other\"\nlow = URI / <high>\nhigh = \"h\"\nup = own")
	for _, c := range []struct {
		name, text string
		imports    []Import
		want       string
	}{
		{"every name", "a = uri path\npath = \"x\"", []Import{{From: uri}},
			`a = URI path; path = [Xx]; URI = scheme ":" uri_path; scheme = ALPHA+; uri_path = segment*; segment = "/" DIGIT+`},
		{"one name", "a = path", []Import{{Name: "PATH", From: uri}, {From: other}}, `a = path; path = segment*; segment = "/" DIGIT+`},
		{"under another name", "a = uri-host host\nhost = \"x\"", []Import{{Name: "uri-host", From: uri, Production: "host"}},
			`a = uri_host host; host = [Xx]; uri_host = ALPHA+`},
		{"for prose", "a = host path\nhost = <host, see [URI], Section 3.2>\npath = <path-rootless>", []Import{{From: uri}},
			`a = host path; host = ALPHA+; path = segment*; segment = "/" DIGIT+`},
		{"what prose calls it", "a = uri-host\nuri-host = <host, see [URI], Section 3.2>", []Import{{From: uri}}, `a = uri-host; uri-host = ALPHA+`},
		{"prose for what another uses", "a = uri\nsegment = <segment, see [URI]>", []Import{{From: uri}},
			`a = URI; segment = "/" DIGIT+; URI = scheme ":" path; scheme = ALPHA+; path = segment*`},
		{"from one that takes from another", "a = low\nsegment = \"x\"", []Import{{From: other}, {Name: "URI", From: uri}},
			`a = low; segment = [Xx]; low = URI / high; URI = scheme ":" path; high = [Hh]; scheme = ALPHA+; path = uri_segment*; uri_segment = "/" DIGIT+`},
		{"from one that takes from the document", "a = up\nown = \"x\"", []Import{{From: other}}, `a = up; own = [Xx]; up = own`},
		{"what is added to", "host =/ DIGIT\na = host", []Import{{From: uri}}, `host = uri_host / DIGIT; a = host; uri_host = ALPHA+`},
		{"nothing", "a = b", []Import{{From: uri}}, `a = b`},
		{"a core rule of its own", "a = host\nALPHA = \"x\"", []Import{{From: uri}}, `a = host; ALPHA = [Xx]; host = uri_ALPHA+`},
		{"different ones", "a = path", []Import{{From: uri}, {From: other}},
			"x.abnf:1:5: `path` has different productions, at uri.abnf:3:1 and other.abnf:1:1; --import path=FILE chooses one"},
		{"a name that is here", "a = \"x\"", []Import{{Name: "a", From: uri, Production: "host"}}, "x.abnf:1:1: `a` has a production here, so that none is imported"},
		{"a name of no use", "a = \"x\"", []Import{{Name: "host", From: uri}}, "x.abnf: no production uses `host`, which --import is to supply"},
		{"a name that is not there", "a = b", []Import{{Name: "b", From: uri}}, "x.abnf:1:5: --import b: uri has no production \"b\""},
	} {
		n := Usual
		n.Imports = c.imports
		d, err := ReadDocument("x.abnf", []byte(c.text), ABNF, n)
		got := fmt.Sprint(err)
		if err == nil {
			d.Notices = nil
			got = summary(d)
		}
		if got != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Notices come file by file: a document's own first, each in the order of its lines.
func TestNoticesByFile(t *testing.T) {
	n := &notes{}
	n.add(barNotice, expr.Pos{File: "own.abnf", Line: 7, Col: 3}, "|")
	for _, pos := range []expr.Pos{{File: "b.abnf", Line: 1}, {File: "own.abnf", Line: 9}, {File: "a.abnf", Line: 8},
		{File: "own.abnf", Line: 7, Col: 1}, {File: "a.abnf", Line: 2}} {
		n.addf(pos, "x")
	}
	var have []string
	for _, notice := range n.list("own.abnf", Usual.Lists) {
		have = append(have, notice.Pos.String())
	}
	want := []string{"own.abnf:7:1", "own.abnf:7:3", "own.abnf:9:0", "a.abnf:2:0", "a.abnf:8:0", "b.abnf:1:0"}
	if !slices.Equal(have, want) {
		t.Errorf("have %q\nwant %q", have, want)
	}
}

// Lines of a document are chosen as people write them.
func TestLines(t *testing.T) {
	const text = "a = b\nno ABNF\nc = \"d\"\na = \"e\"\n"
	for _, c := range []struct{ lines, want string }{
		{"1,3-3", "a = b; c = [Dd]"},
		{"!2,!4", "a = b; c = [Dd]"},
		{"3-9", "c = [Dd]; a = [Ee]"},
		{"1-2", "x.abnf:2:4: unexpected \"ABNF\"; expected \"=\" or \"=/\"; a line that goes on with a production is indented"},
		{"9", "x.abnf:1:1: no production"},
		{"x", `invalid lines "x"; expected lines such as 2750-2812, or !2750-2812 for all others`},
		{"3-1", `invalid lines "3-1"; expected lines such as 2750-2812, or !2750-2812 for all others`},
		{"0-1", `invalid lines "0-1"; expected lines such as 2750-2812, or !2750-2812 for all others`},
	} {
		n := Usual
		var err error
		err = n.Lines.Set(c.lines)
		var d *Document
		if err == nil {
			d, err = ReadDocument("x.abnf", []byte(text), ABNF, n)
		}
		got := fmt.Sprint(err)
		if err == nil {
			got = summary(d)
		}
		if got != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.lines, got, c.want)
		}
	}
}

// The text of an RFC: what is ABNF in it, and where it stands.
func TestTextOfRFC(t *testing.T) {
	src := must.Of(os.ReadFile("testdata/text.txt"))(t)
	d := must.Of(ReadDocument("text.txt", src, ABNF, Usual))(t)
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", d.Grammar.Name, d.Grammar.Title)
	for _, r := range d.Grammar.Rules {
		if !IsCore(r) {
			fmt.Fprintf(&b, "%s: %s = %s\n", r.Place(d.Grammar.Title), r.Name, r.Expr)
			if line := bytes.Split(src, []byte("\n"))[r.Line-1]; r.Line != r.Pos.Line || !bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte(r.Name)) {
				t.Errorf("%s does not begin in line %d: %s", r.Name, r.Line, line)
			}
		}
	}
	for _, block := range d.Blocks {
		fmt.Fprintln(&b, block)
	}
	for _, n := range d.Notices {
		fmt.Fprintln(&b, n)
	}
	goldentest.Check(t, "testdata/text.golden", goldentest.Output("read", b.String()))
}

// The text of RFC 3986 holds the grammar that is built in, with every rule twice.
func TestTextOfRFC3986(t *testing.T) {
	folder := os.Getenv("BNFCHECK_RFC")
	if folder == "" {
		t.Skip("BNFCHECK_RFC names no folder with the texts of the RFCs")
	}
	src := must.Of(os.ReadFile(filepath.Join(folder, "rfc3986.txt")))(t)
	want := load(t, "rfc3986").Text
	for _, lines := range []string{"", "!640-1500", "2692-2783"} {
		n := Usual
		if lines != "" {
			n.Lines.Set(lines)
		}
		g := must.Of(ReadABNFWith("rfc3986.txt", src, n))(t)
		if len(g.Rules) != len(want.Rules) {
			t.Errorf("%d rules, want %d", len(g.Rules), len(want.Rules))
		}
		for _, r := range want.Rules {
			got := g.Rule(r.ID)
			if got == nil || got.Expr.String() != r.Expr.String() {
				t.Errorf("%s is %v", r.ID, got)
			} else if lines == "!640-1500" && !IsCore(r) && (got.Page != r.Page || got.Section != "Appendix A") {
				t.Errorf("%s is on page %d, %s; want %d", r.ID, got.Page, got.Section, r.Page)
			}
		}
	}
}

// Every document of the zoo is read.
func TestZoo(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO names no folder with other people's grammars")
	}
	files, err := filepath.Glob(filepath.Join(folder, "abnf", "*.abnf"))
	if err != nil || len(files) < 25 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		src := must.Of(os.ReadFile(file))(t)
		if _, err := ReadABNF(filepath.Base(file), src); err != nil {
			t.Error(err)
		}
	}
}

// endless is a file without an end.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.read += int64(len(p))
	clear(p)
	return len(p), nil
}

// A document is read as far as the limit, and no further.
func TestSizeLimit(t *testing.T) {
	file := &endless{}
	_, err := Usual.ReadAll("zero", file)
	if _, ok := errors.AsType[*SizeError](err); !ok || file.read > 2*DefaultMaxSize {
		t.Errorf("%v after %d bytes", err, file.read)
	}
	n := Usual
	n.MaxSize = 5
	if _, err := ReadABNFWith("x.abnf", []byte("a = b\n"), n); err == nil ||
		err.Error() != "x.abnf has more than 5 bytes, the most that is read of a grammar; --max-grammar-size raises the limit" {
		t.Error(err)
	}
	if text, err := n.ReadAll("x", strings.NewReader("12345")); err != nil || string(text) != "12345" {
		t.Error(err)
	}
	if _, err := n.ReadAll("x", io.MultiReader(strings.NewReader("1"), &endless{})); err == nil {
		t.Error("no error")
	}
	many := strings.Repeat("a=b\n", 12)
	if _, err := ReadDocument("x.abnf", []byte(many), ABNF, Notation{MaxSize: 80}); err == nil ||
		err.Error() != "x.abnf has more than 11 productions, the most that is read of a grammar; --max-grammar-size raises the limit" {
		t.Errorf("12 productions in at most 80 bytes: %v", err)
	}
}

// Whatever a document holds, the time and the memory that reading it takes are in proportion to its size.
func TestLinear(t *testing.T) {
	longtest.Need(t, "it reads documents of megabytes")
	repeat := func(unit string) func(int) string {
		return func(n int) string { return strings.Repeat(unit, n/len(unit)+1) }
	}
	for _, c := range []struct {
		name     string
		notation string
		text     func(n int) string
	}{
		{"productions", ABNF, func(n int) string {
			var b strings.Builder
			for i := 0; b.Len() < n; i++ {
				fmt.Fprintf(&b, "a%d = \"x\" / %%x41\n", i)
			}
			return b.String()
		}},
		{"one production of many lines", ABNF, func(n int) string { return "a =\n" + repeat("  \"x\" /\n")(n) + "b" }},
		{"additions", ABNF, func(n int) string { return "a = \"x\"\n" + repeat("a =/ b \"y\" / c\n")(n) }},
		{"the same again", ABNF, repeat("a = \"x\"\n")},
		{"zeros", ABNF, repeat("\x00")},
		{"blank lines", ABNF, repeat("\n")},
		{"names", ABNF, repeat("a\n")},
		{"names and comments", ABNF, repeat("a ;\n")},
		{"open brackets", ABNF, func(n int) string { return "a = " + repeat("(")(n) }},
		{"open quotes", ABNF, func(n int) string { return "a = " + repeat("\"x\n")(n) }},
		{"an open string", ABNF, func(n int) string { return "a = \"" + repeat("x")(n) }},
		{"open prose", ABNF, func(n int) string { return "a = " + repeat("<x ")(n) }},
		{"open backquotes", ABNF, func(n int) string { return "a = " + repeat("`x")(n) }},
		{"open single quotes", ABNF, func(n int) string { return "a = " + repeat("'é")(n) }},
		{"percent signs", ABNF, func(n int) string { return "a = " + repeat("%x41.")(n) }},
		{"a long number", ABNF, func(n int) string { return "a = " + repeat("9")(n) + "b" }},
		{"a long value", ABNF, func(n int) string { return "a = %x" + repeat("0")(n) }},
		{"form feeds", ABNF, repeat("\f\n")},
		{"pages", ABNF, repeat("Nobody  Nothing  [Page 3]\n\f\nRFC 1   X   May 1999\n")},
		{"lists", ABNF, func(n int) string { return "a = " + repeat("1#( b c ) ")(n) }},
		{"a text of assignments", "text", repeat("   a = b;\n\n   c\n\n")},
		{"a text of paragraphs", "text", func(n int) string { return "   a = \"b\"\n\n" + repeat("      words here\n\n")(n) }},
		{"a text of doubt", "text", repeat("   a = \"b\"\n\n      words\n\n      words\n\n")},
		{"a text of code in doubt", "text", repeat("   a = \"b\" /\n\n      \"c\" /\n\n      ( \n")},
		{"a chain", "text", func(n int) string {
			var b strings.Builder
			for i := 0; b.Len() < n; i++ {
				fmt.Fprintf(&b, "   a%d = a%d \"x\"\n", i, i+1)
			}
			return b.String()
		}},
		{"RFC 1738", RFC822, func(n int) string { return "@ notation rfc822\na =\n" + repeat("  \"x\" |\n")(n/8) + "  b" }},
		{"RFC 1630", RFC1630, func(n int) string { return "@ notation rfc1630\naa x\n" + repeat("  | y\n")(n/8) }},
		{"points", Naur, func(n int) string { return "<a> ::= \"x\" " + repeat(". ")(n) + "\n  \"y\" .\n" }},
		{"open comments", Naur, func(n int) string { return "<a> ::= \"x\" " + repeat("/* ")(n) + "\n" }},
		{"open classes", Naur, func(n int) string { return "<a> ::= \"x\" [0-9] " + repeat("[^a")(n) + "\n" }},
		{"quotes and commas", Naur, func(n int) string { return "<a> ::= " + repeat("\"x\", ")(n) + "\"x\".\n" }},
	} {
		cost := func(n int) time.Duration {
			notation, options := c.notation, Usual
			if notation == "text" {
				notation, options.Text = ABNF, true
			} else if strings.HasPrefix(c.text(n), "@ ") { // which names it
				notation = ""
			}
			text := []byte(c.text(n))
			best := time.Hour
			for range 2 {
				runtime.GC()
				start := time.Now()
				ReadDocument("x", text, notation, options)
				best = min(best, time.Since(start))
			}
			return best
		}
		const n = 1 << 15
		var small, large time.Duration
		for range 4 { // another program may have taken the time
			small, large = cost(n), cost(16*n)
			if large < time.Second || large < 64*small {
				break
			}
		}
		if large > time.Second && large > 64*small {
			t.Errorf("%s: %d bytes take %v, %d bytes %v", c.name, n, small, 16*n, large)
		}
		t.Logf("%s: %v, %v", c.name, small, large)
	}
}

// Whatever the bytes are, reading ends with a grammar or with an error that has a place.
func TestAnyBytes(t *testing.T) {
	text := must.Of(os.ReadFile("testdata/text.txt"))(t)
	seeds := [][]byte{text, []byte("a = 1#( <b> / %x41-10FFFF ) [ 2*3\"c\" ] ; d\nb =/ <any\n  text>\r\n<\"> ::= %d1.2 | c\n")}
	pieces := []string{"\n", "\r", "\f", "<", ">", "\"", "%x", "%s\"", "(", ")", "[", "]", "=", "=/", "/", ";", "1#", "*", "9", "\x00", "\xff", "é", "“", "@ page 1 line 2\n", "@ part a \"b\"\n", "    ", "\t", "[Page 3]", "a = a\n"}
	r := rand.New(rand.NewPCG(3, 4))
	imported := must.Of(ReadABNF("y.abnf", []byte("b = c d\nc = <e>\nd = <d>")))(t)
	for range longtest.Size(3000, 30_000) {
		b := bytes.Clone(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(6) {
			at, end := r.IntN(len(b)+1), 0
			end = min(len(b), at+r.IntN(20))
			b = append(b[:at:at], append([]byte(pieces[r.IntN(len(pieces))]), b[end:]...)...)
		}
		n := Usual
		n.Text, n.Lists, n.Values = r.IntN(2) == 0, Lists(r.IntN(3)), Values(r.IntN(3))
		if r.IntN(2) == 0 {
			n.Imports = []Import{{From: imported}}
		}
		d, err := ReadDocument("x.abnf", b, ABNF, n)
		if err != nil {
			if place, ok := errors.AsType[*expr.Error](err); !ok || place.Pos.File == "" {
				t.Fatalf("an error without a place: %v, of %q", err, b)
			}
			continue
		}
		Missing(d.Grammar)
		for _, rule := range d.Grammar.Rules {
			if d.Grammar.Rule(rule.ID) != rule {
				t.Fatalf("two rules %s, of %q", rule.ID, b)
			}
		}
	}
}
