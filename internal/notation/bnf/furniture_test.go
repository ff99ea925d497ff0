package bnf

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A furnished document is a document with the ends of pages, blank lines and the like between its lines.
type furnished struct {
	text string
	line []int // of each line of the document
}

// furnish puts furniture between the lines of a document. Indents, tabs and the ends of lines are furniture too.
func furnish(r *rand.Rand, text string) furnished {
	var b strings.Builder
	end := []string{"\n", "\r\n", "\n", "\r\r\n"}[r.IntN(4)]
	if r.IntN(4) == 0 {
		b.WriteString("\ufeff")
	}
	margin := []string{"", "   ", "\t", "       "}[r.IntN(4)]
	page, number := 1, 1
	var f furnished
	write := func(line string) {
		b.WriteString(line + end)
		number++
	}
	header := func() string {
		return []string{
			"RFC 99999                 A Grammar for Nothing             November 2030",
			"Internet-Draft            A Grammar for Nothing              March 2031",
			"INTERNET-DRAFT        Grammars         20 May 1999",
		}[r.IntN(3)]
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, line := range lines {
		f.line = append(f.line, number)
		tail := []string{"", "", " ", "\t", "  \t "}[r.IntN(5)]
		write(margin + line + tail)
		switch r.IntN(6) {
		case 0:
			write([]string{"", "   ", "\t", "\f"}[r.IntN(4)])
		case 1:
			for range r.IntN(4) {
				write("")
			}
			write(fmt.Sprintf("%s                     [Page %d]", []string{
				"Nobody & Somebody           Standards Track", "Nobody, et al.       Expires May 3, 2031  ", "Hallam-Baker",
			}[r.IntN(3)], page))
			page++
			switch r.IntN(3) {
			case 0:
				write("\f")
				write(header())
			case 1:
				write("\f" + header())
			default: // the form feed is lost
				write("")
				write(header())
			}
			for range r.IntN(4) {
				write("")
			}
		}
	}
	f.text = b.String()
	if r.IntN(4) == 0 { // no end of the last line
		f.text = strings.TrimSuffix(f.text, end)
	}
	return f
}

// What stands between the lines of a document changes neither what is read nor the places of mistakes.
func TestFurniture(t *testing.T) {
	same := 0
	for seed := range uint64(*randomFiles * 4) {
		f := newRandomFile(seed, ABNF)
		text := f.text.String()
		plain, err := ReadABNF("x.abnf", []byte(text))
		g := furnish(f.Rand, text)
		read, furnishedErr := ReadABNF("x.abnf", []byte(g.text))
		if (err == nil) != (furnishedErr == nil) {
			t.Fatalf("seed %d: %v; with furniture %v, in\n%s", seed, err, furnishedErr, g.text)
		}
		if err != nil {
			a, _ := errors.AsType[*expr.Error](err)
			b, _ := errors.AsType[*expr.Error](furnishedErr)
			// the end of a production has no line of its own
			if g.line[a.Pos.Line-1] != b.Pos.Line && !strings.Contains(a.Message, "end of the production") {
				t.Fatalf("seed %d: a mistake in line %d is found in line %d: %v, %v, in\n%s", seed, g.line[a.Pos.Line-1], b.Pos.Line, err, furnishedErr, g.text)
			}
			continue
		}
		same++
		if a, b := shown(plain, g.line), shown(read, nil); a != b {
			t.Fatalf("seed %d: read as\n%s, and with furniture as\n%s, in\n%s", seed, a, b, g.text)
		}
	}
	if same < *randomFiles {
		t.Errorf("only %d files", same)
	}
}

// shown returns the rules of a grammar with their lines, which are those in a list where there is one.
func shown(g *expr.Grammar, lines []int) string {
	var b strings.Builder
	for _, r := range g.Rules {
		at := r.Pos.Line
		if lines != nil && !IsCore(r) {
			at = lines[at-1]
		}
		fmt.Fprintf(&b, "%d %s = %s\n", at, r.ID, r.Expr)
	}
	return b.String()
}

// prosaic are paragraphs that stand between the productions of a text. Some look like productions.
var prosaic = []string{
	"   The rules below are those of the previous version, with the\n   exception of quoting, where an implementation = a program.\n",
	"1.2.  Syntax\n",
	"   For example:\n\n      v=0\n      o=jdoe 2890844526 2890842807 IN IP4 198.51.100.1\n      s=<session name>\n      t=<begin> <end>\n",
	"   Note: the name \"x9\" is no name of a host.\n",
	"         if (n = 0) then\n            result = input;\n            T.scheme = R.scheme;\n         endif;\n",
	"   o  A list item that has an \"=\" in it, a = b, and\n      goes on\n\n   o  another one\n",
	"      scheme    = $2\n      authority = $4\n",
	"      port = 80\n",
	"      count = the number of items in the list\n",
	"   Appendix material follows.\n\n        +-----+-----+\n        | a   | b=c |\n        +-----+-----+\n",
}

// A text with a grammar in it is read as the grammar alone.
func TestGrammarInText(t *testing.T) {
	read := 0
	for seed := range uint64(*randomFiles * 4) {
		f := newRandomFile(seed, ABNF)
		text := f.text.String() + "all-of-it = 1*( " + strings.Join(f.names, " / ") + " ) %x7A\n"
		plain, err := ReadABNF("x.abnf", []byte(text))
		if err != nil {
			continue
		}
		var b strings.Builder
		b.WriteString("Network Working Group                                 A. Nobody\nRequest for Comments: 99999\n\n" + prosaic[0])
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i, line := range lines {
			if _, begins := beginsABNF(lines, i); begins && f.IntN(2) == 0 {
				b.WriteString("\n" + prosaic[f.IntN(len(prosaic))] + "\n")
			}
			b.WriteString("      " + line + "\n")
		}
		b.WriteString("\n" + prosaic[f.IntN(len(prosaic))])
		d, err := ReadDocument("x.txt", []byte(b.String()), ABNF, Usual)
		if err != nil {
			t.Fatalf("seed %d: %v, in\n%s", seed, err, b.String())
		}
		var a, c strings.Builder
		for _, r := range plain.Rules {
			fmt.Fprintf(&a, "%s = %s\n", r.ID, r.Expr)
		}
		for _, r := range d.Grammar.Rules {
			fmt.Fprintf(&c, "%s = %s\n", r.ID, r.Expr)
		}
		if f.missing["nowhere"] && slices.ContainsFunc(d.Notices, func(n Notice) bool { return strings.Contains(n.Message, "taken for prose") }) {
			continue // a paragraph that is only a word, which is not defined
		}
		if a.String() != c.String() {
			t.Fatalf("seed %d: read as\n%s, and in a text as\n%s, in\n%s", seed, a.String(), c.String(), b.String())
		}
		read++
	}
	if read < *randomFiles {
		t.Errorf("only %d texts", read)
	}
}

// Of two definitions in a text that differ the later one is read, and both places are noticed; so is an addition to a
// rule of another document. A single production is read where the text speaks of a grammar.
func TestTextWithoutOneGrammar(t *testing.T) {
	const head = "Network Working Group                                 A. Nobody\nRequest for Comments: 99999\n\n"
	prose := strings.Repeat("   Prose that is no production, in lines of its own.\n", 5)
	for _, test := range []struct{ name, text, want string }{
		{"two definitions", "\n   a = b \"x\"\n   b = \"y\"\n\n" + prose + "\n   b = \"z\" / DIGIT\n",
			"a = b [Xx]; b = [Zz] / DIGIT\nx.txt:6:4: `b` differs from x.txt:14:4; the later definition is read, unless --lines chooses others"},
		{"an addition", "\n   a =/ b\n   b = \"y\"\n",
			"a = b; b = [Yy]\nx.txt:5:4: `a` adds to a rule of another document, and is read without it; --import a=FILE joins it"},
		{"productions that use no other, in the block of one that others use", "\n   a = b\n   b = \"y\"\n   c = \"q\" nam\n   d = nam\n\n   Prose.\n\n   e = f\n",
			"a = b; b = [Yy]; c = [Qq] nam; d = nam"},
		{"a mistake in the block", "\n   a = b / \"x\" )\n   b = \"y\" c\n   c = \"z\"\n", "b = [Yy] c; c = [Zz]\n" +
			"x.txt:5:1: line 5 looks like a production of `a`, and is left out: x.txt:5:16: unexpected \")\"; expected a name, a quoted string, a value, a count, \"(\", \"[\", \"/\" or the end of the production"},
		{"no standard name instead of one with a mistake, or with another sign", "\n   a = \"x\" / ctext / time-of-day / token\n   ctext = %x20-2G\n   time_of_day = \"y\" a\n",
			"a = [Xx] / ctext / time-of-day / token; time_of_day = [Yy] a; token = tchar+; tchar = \"!\" / \"#\" / \"$\" / \"%\" / \"&\" / \"'\" / \"*\" / \"+\" / \"-\" / \".\" / \"^\" / \"_\" / \"`\" / \"|\" / \"~\" / DIGIT / ALPHA\n" +
				"x.txt: taken from RFC 9110, which is built in: token, and 1 more that these use\n" +
				"x.txt:6:1: line 6 looks like a production of `ctext`, and is left out: x.txt:6:18: unexpected \"G\" in \"%x20-2G\"; expected digits, or a space before what follows\n" +
				"x.txt:7:4: `time_of_day` has a \"_\", which RFC 5234 has in no name"},
		{"one production", "   The syntax, in ABNF, is:\n\n   version = \"v1\"\n", "version = [Vv] \"1\""},
	} {
		n := Usual
		n.StandardNames = true
		d, err := ReadDocument("x.txt", []byte(head+test.text+prose), ABNF, n)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var rules []string
		for _, r := range d.Grammar.Rules {
			if !IsCore(r) {
				rules = append(rules, r.Name+" = "+r.Expr.String())
			}
		}
		got := strings.Join(rules, "; ")
		for _, n := range d.Notices {
			got += "\n" + n.String()
		}
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}
