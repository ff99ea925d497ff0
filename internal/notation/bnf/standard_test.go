package bnf

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// TestStandardsStandInTheTexts checks the productions of the standards against the texts of their RFCs, line by line.
func TestStandardsStandInTheTexts(t *testing.T) {
	folder := os.Getenv("BNFCHECK_RFCS")
	if folder == "" {
		t.Skip("BNFCHECK_RFCS names no folder with the texts of all RFCs")
	}
	all := standards()
	for _, s := range all {
		if !strings.HasPrefix(s.grammar.File, "grammar/names/") { // checked against its text elsewhere, with its ledger
			continue
		}
		src, err := os.ReadFile(filepath.Join(folder, s.grammar.Name+".txt"))
		if err != nil {
			t.Error(err)
			continue
		}
		lines, pages := paginate(string(src))
		for _, r := range s.grammar.Rules {
			if IsCore(r) {
				continue
			}
			at := r.Line - 1
			for i, printed := range strings.Split(r.Printed, "\n") {
				last := min(at+30, len(lines)) // an addition may stand further down, on another page
				n := slices.IndexFunc(lines[at:last], func(line string) bool { return strings.TrimLeft(line, " ") == strings.TrimLeft(printed, " ") })
				if n < 0 || i == 0 && n > 0 {
					t.Errorf("%s: %s: no %q in lines %d to %d", s.grammar.Title, r.Name, printed, at+1, last)
					break
				}
				at += n + 1
			}
			if r.Page != 0 && pages[r.Line-1] != r.Page {
				t.Errorf("%s: %s is on page %d, not %d", s.grammar.Title, r.Name, pages[r.Line-1], r.Page)
			}
		}
	}
}

// TestStandardsAreWhole: a text that lacks them all is supplied with every name, and nothing in them lacks a
// production.
func TestStandardsAreWhole(t *testing.T) {
	n := Usual
	n.StandardNames = true
	all := standards()
	seen := map[string]bool{}
	for _, s := range all {
		var names []string
		for _, r := range s.grammar.Rules {
			if !IsCore(r) {
				names = append(names, "x"+r.Name+" = <"+r.Name+", see ["+s.grammar.Title+"]>\n")
			}
		}
		for _, name := range s.names {
			names = append(names, "y"+name+" = "+name+"\n")
			if seen[name] {
				t.Errorf("%s stands in two lines of the index", name)
			}
			seen[name] = true
		}
		d, err := ReadDocument("x.abnf", []byte(strings.Join(names, "")), ABNF, n)
		if err != nil {
			t.Errorf("%s: %v", s.grammar.Title, err)
		} else if err := CheckMissing(d.Grammar); err != nil {
			t.Error(err)
		}
	}
}

// TestStandardNames: whose name is taken, by example.
func TestStandardNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a = token", "RFC 9110: token, and 1 more that these use"},
		{"a = token ; of RFC 3261", "RFC 3261: token, and 1 more that these use"},
		{"a = token ; of RFC 2045, as RFC2616 has it", "RFC 9110: token, and 1 more that these use"},
		{"a = EQUAL ; RFC 3261, RFC 3261\nb = EQUALS RPAREN ; RFC 4512", "RFC 3261: EQUAL, RPAREN, and 2 more that these use; RFC 4512: EQUALS"},
		{"a = <token, see [RFC3261], Section 25.1> / <date-time>", "RFC 3261: token, and 1 more that these use; RFC 3339: date-time, and 12 more that these use"},
		{"UTF8-2 = <as defined in RFC 3629>\na = UTF8-2", "RFC 3629: UTF8-2, and 1 more that these use"},
		{"a = mailbox / Mailbox-x", "RFC 5322: mailbox, and 35 more that these use"},
		{"a = <URI-reference definition from RFC 3986>", "RFC 3986: URI-reference, and 31 more that these use"},
		{"token = \"own\"\na = token / uri-host", "RFC 3986: host, and 11 more that these use"},
		{"a = <any text> / text / value / <see RFC 1>", ""},
		{"token =/ \"x\"", ""},
	} {
		n := Usual
		n.StandardNames = true
		d, err := ReadDocument("x.abnf", []byte(c.text), ABNF, n)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got []string
		for _, n := range d.Notices {
			if n.Taken != "" {
				got = append(got, strings.ReplaceAll(strings.TrimPrefix(n.Message, "taken from "), ", which is built in", ""))
			}
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.text, got, c.want)
		}
		plain, err := ReadABNF("x.abnf", []byte(c.text))
		if err != nil || slices.ContainsFunc(plain.Rules, func(r *expr.Rule) bool { return r.Part == partImported }) {
			t.Errorf("%s: names are supplied that nobody asked for (%v)", c.text, err)
		}
	}
}

// TestErrata: a document is read with a ledger, which mends what cannot be read, too.
func TestErrata(t *testing.T) {
	entry := func(id, state, does string) string {
		return "id: " + id + "\nkind: strings\nstate: " + state + "\nproduction: a\nread-as: mended\nevidence: erratum\n" + does + "\n\n"
	}
	text := "Network Working Group\n\n   It is ABNF:\n\n   a= b 1*(c\n   B = \"x\"\n\nsome\nmore\nlines\nhere\n"
	for _, c := range []struct{ name, text, ledger, want string }{
		{"a production that cannot be read", text, entry("1", "on", "replace: A = b 1*c") + entry("2", "on", "replace: c = %x79"),
			"a = B c+; B = [Xx]; c = \"y\" | x.txt: `c` is read as reading 2 at l:9:1 has it: mended | x.txt:5:4: `A` is read as reading 1 at l:1:1 has it: mended"},
		{"one that is off", "a = \"x\"", entry("1", "off", "replace: a = %x79"), "a = [Xx]"},
		{"additions", "a = \"x\"\na =/ \"y\"", entry("1", "on", "replace: a = %x79"),
			"a = \"y\" | x.txt:1:1: `a` is read as reading 1 at l:1:1 has it: mended | x.txt:2:1: defined again, in the same words: a"},
		{"two that differ", "a = \"x\"", entry("1", "on", "replace: a = %x79") + entry("2", "on", "replace: a = %x78"),
			"l:15:13: readings \"1\" and \"2\" are both on and replace a by different texts"},
		{"an option", "a = \"x\"", entry("1", "on", "option: exact-literals"), "l:1:1: reading \"1\" replaces nothing; the readings of a file replace productions"},
		{"a name that nothing uses", "a = \"x\"", entry("1", "on", "replace: b = %x79"), "l:7:13: no production of x.txt uses `b`"},
		{"not ABNF", "a = \"x\"", entry("1", "on", "replace: a = ("),
			"l:7:15: unexpected end of the production; expected a name, a quoted string, a value, a count, \"(\" or \"[\""},
	} {
		n := Usual
		var err error
		if n.Readings, err = ParseReadings("l", []byte(c.ledger)); err != nil {
			t.Fatal(c.name, err)
		}
		got := ""
		if d, err := ReadDocument("x.txt", []byte(c.text), ABNF, n); err != nil {
			got = err.Error()
		} else {
			got = summary(d)
		}
		if got != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestFences: of the sources of RFCs the blocks of ABNF are read.
func TestFences(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"xml2rfc", "<rfc>\n<t>x = y</t>\n <sourcecode name=\"\" type=\"abnf\"><![CDATA[\n  a = <any \"b\">\n    / c]]></sourcecode>\n" +
			"<artwork type=\"ascii-art\">d = %x41</artwork>\n<sourcecode type=\"abnf9110\">  c = %x41 &quot;&amp;&quot;\n   &lt;d&gt;\n</sourcecode>\n", "a = <any \"b\"> / c; c = \"A\" \"&\" <d>"},
		{"a single production", "```abnf\na = b\n```", "a = b"},
		{"Markdown", "# A\n\nx = y\n\n~~~ abnf\na = b /\n  \"&lt;\"\n~~~\n\n~~~ c\nd = *e++;\n~~~\n```abnf\nb = 2a\n```\n", "a = b / \"&\" [Ll] [Tt] \";\"; b = a{2,2}"},
		{"Markdown, the kind behind it", "~~~ c\nd = *e++;\n~~~\n\n~~~\na = \"x\"\n~~~\n{: #fig .abnf}\n~~~\nc = (\n~~~\n```\nb = a\n```\n{:type=\"abnf\"}\n", "a = [Xx]; b = a"},
		{"XML, a tag of two lines", "<sourcecode type='abnf'>a = \"x\"</sourcecode>\n<artwork name=\"n\"\n  type=\"abnf\">\nb = a\n</artwork>\n<artwork\n>\nc = (\n</artwork>\n", "a = [Xx]; b = a"},
	} {
		d, err := ReadDocument("x.md", []byte(c.text), ABNF, Usual)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := summary(d); got != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestTakenFromStandards: what is taken from which RFC is told, the core rules that several bring are one, and a production
// that is taken has the section of its own text.
func TestTakenFromStandards(t *testing.T) {
	n := Usual
	n.StandardNames = true
	for _, c := range []struct{ text, told string }{
		{"; RFC 5321\na = quoted-string", "taken from RFC 5321, which is built in: Quoted-string, and 3 more that these use"},
		{"; RFC 5321, RFC 9110\na = quoted-string", "taken from RFC 9110, which is built in: quoted-string, and 3 more that these use"},
		{"a = quoted-string", "taken from RFC 9110, which is built in: quoted-string, and 3 more that these use"},
		{"a = local-part", "taken from RFC 5322, which is built in: local-part, and 20 more that these use"},
		{"; RFC 5321\na = Mailbox", "taken from RFC 5321, which is built in: Mailbox, and 24 more that these use\n" +
			"taken from RFC 5322, which is built in: 1 that another of these uses"},
	} {
		d, err := ReadDocument("x.abnf", []byte(c.text+"\n"), ABNF, n)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var told []string
		for _, notice := range d.Notices {
			told = append(told, notice.Message)
		}
		if got := strings.Join(told, "\n"); got != c.told {
			t.Errorf("%q: told is\n%s\nwant\n%s", c.text, got, c.told)
		}
		names := map[string]bool{}
		for _, r := range d.Grammar.Rules {
			if IsCore(r) && names[r.Name] {
				t.Errorf("%q: %s stands twice", c.text, r.Name)
			}
			names[r.Name] = true
			if r.Pos.File != "x.abnf" && !strings.HasPrefix(r.Section, "RFC ") {
				t.Errorf("%q: %s is cited as of section %q", c.text, r.Name, r.Section)
			}
		}
	}
}
