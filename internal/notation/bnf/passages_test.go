package bnf_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// outcomeOf returns the productions of a document with their places, and what is left out with its line; or the error.
func outcomeOf(file, text, notation string, n bnf.Notation) string {
	d, err := bnf.ReadDocument(file, []byte(text), notation, n)
	if err != nil {
		return err.Error()
	}
	var list []string
	for _, r := range d.Grammar.Rules {
		if bnf.IsCore(r) {
			continue
		}
		list = append(list, fmt.Sprintf("%s@%d:%d = %s", r.Name, r.Pos.Line, r.Pos.Col, r.Expr))
	}
	for _, notice := range d.Notices {
		if notice.LeftOut {
			list = append(list, fmt.Sprintf("lost@%s", strings.TrimPrefix(notice.Pos.String(), file+":")))
		}
	}
	return strings.Join(list, "; ")
}

// Of a document the blocks are read that are marked as ABNF, every place is that of the file, and what looks like
// ABNF and is not read is named with its place.
func TestPassages(t *testing.T) {
	files := map[string]string{"sub.abnf": "b = \"b\"\nc = b", "part.md": "~~~ abnf\np = \"p\"\n~~~\n"}
	n := bnf.Usual
	n.Include = func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("there is no such file")
	}
	const (
		head  = "Network Working Group                     A. Author\nRequest for Comments: 1\n\n"
		rules = "  a = b / %x41\n  b = %x42\n"
	)
	for _, c := range []struct{ name, file, text, want string }{
		{"a fence", "d.md", "~~~ abnf\na = %x41\n~~~\n", `a@2:1 = "A"`},
		{"in capitals", "d.md", "``` ABNF\na = %x41\n```\n", `a@2:1 = "A"`},
		{"a class of kramdown", "d.md", "~~~ {: .language-abnf}\na = %x41\n~~~\n", `a@2:1 = "A"`},
		{"attributes behind", "d.md", "~~~\na = %x41\n~~~\n{: sourcecode-type=\"abnf\"}\n", `a@2:1 = "A"`},
		{"attributes before", "d.md", "{: .language-abnf}\n~~~\na = %x41\n~~~\n", `a@3:1 = "A"`},
		{"attributes behind are not before", "d.md", "~~~\na = %x41\n~~~\n{: .abnf}\n~~~\nno = (\n~~~\n", `a@2:1 = "A"`},
		{"a longer fence", "d.md", "~~~~ abnf\na = %x41\n~~~\n~~~~\n", "d.md:3:1: unexpected \"~\"; expected a name, a quoted string, a value, a count, \"(\", \")\", \"[\", \"]\" or \"/\""},
		{"a comment of HTML", "d.md", "~~~ abnf\na = %x41\n~~~\n<!--\n~~~ abnf\na = %x42\n~~~\n-->\n", `a@2:1 = "A"`},
		{"a comment of HTML is code in a block", "d.md", "~~~ abnf\na = <!-- x -->\n~~~\n", `a@2:1 = <!-- x -->`},
		{"a comment of kramdown", "d.md", "{::comment}\n~~~ abnf\na = %x42\n~~~\n{:/comment}\n~~~ abnf\na = %x41\n~~~\n", `a@7:1 = "A"`},
		{"an indented block", "d.md", "text\n\n    a = b\n\n    b = %x41\n{: .language-abnf}\n", `a@3:5 = b; b@5:5 = "A"`},
		{"an indented block of another language", "d.md", "~~~ abnf\na = %x41\n~~~\n\n    b = c\n{: .language-c}\n", `a@2:1 = "A"`},
		{"attributes after a paragraph", "d.md", "text\n    a = %x42\n{: .abnf}\n~~~\na = %x41\n~~~\n", `a@5:1 = "A"; lost@2:1`},
		{"attributes after an empty line", "d.md", "text\n\n    a = %x42\n\n{: .abnf}\n~~~\na = %x41\n~~~\n", `a@7:1 = "A"; lost@3:1`},
		{"an indented example", "d.md", "~~~ abnf\na = %x41\n~~~\n\n    for (i = 0; i < 9; i++)\n", `a@2:1 = "A"`},
		{"a block without a mark", "d.md", "~~~ abnf\na = %x41\n~~~\n\n~~~\nb = \"x\" / %x42\n~~~\n", `a@2:1 = "A"; lost@6:1`},
		{"the same again without a mark", "d.md", "~~~ abnf\na = %x41\n~~~\n\n~~~\na  =  %x41\n~~~\n", `a@2:1 = "A"`},
		{"another language", "d.md", "~~~ abnf\na = %x41\n~~~\n\n~~~ c\nb = \"x\" / 2;\n~~~\n", `a@2:1 = "A"`},
		{"another notation", "d.md", "~~~ abnf\na = %x41\n~~~\n\n~~~ ebnf\nb ::= 'x'\n~~~\n", `a@2:1 = "A"; lost@5:1`},
		{"an included file in a block", "d.md", "~~~ abnf\na = b\n{::include sub.abnf}\n~~~\n", `a@2:1 = b; b@1:1 = [Bb]; c@2:1 = b`},
		{"an included file between blocks", "d.md", "{::include-fold part.md}\n\n<{{sub.abnf}}\n", `p@2:1 = [Pp]; b@1:1 = [Bb]; c@2:1 = b`},
		{"a file that is not there", "d.md", "~~~ abnf\na = %x41\n{::include no.abnf}\n~~~\n", `a@2:1 = "A"; lost@3:1`},
		{"an unclosed block", "d.md", "~~~ abnf\na = %x41\n", `a@2:1 = "A"; lost@1:1`},
		{"HTML in Markdown", "d.md", "text\n\n<pre><code class=\"language-abnf\">\na = &quot;&lt;&quot;\n</code></pre>\n", `a@4:1 = "<"`},
		{"HTML in Markdown without a mark", "d.md", "~~~ abnf\na = %x41\n~~~\n\n<pre>\nb = \"x\" / %x42\n</pre>\n", `a@2:1 = "A"; lost@6:1`},
		{"XML in Markdown", "d.md", "text\n<figure><artwork type=\"abnf\">a = &#37;x41</artwork></figure>\n", `a@2:30 = "A"`},
		{"twice", "d.md", "~~~ abnf\na = %x41\na = %x42\n~~~\n", "d.md:3:1: `a` is defined twice, first at d.md:2:1"},
		{"no mark at all", "d.md", "The grammar:\n\n~~~\na = b / %x41\nb = %x42\n~~~\n", `a@4:1 = b / "A"; b@5:1 = "B"`},
		{"a value beyond Unicode", "d.md", "~~~ abnf\na = b / %x41\nb = %x110000\nc = a\n~~~\n",
			`a@2:1 = b / "A"; b@3:1 = <cannot be read: unexpected value "%x110000"; expected one up to %x10FFFF, the last code point>; c@4:1 = a; lost@3:5`},

		{"xml2rfc", "d.xml", "<rfc><sourcecode type=\"ABNF\">\n  a = ( <xref target=\"b\">b</xref> /\n  %x41 )\n  b = %x42</sourcecode></rfc>", `a@2:3 = b / "A"; b@4:3 = "B"`},
		{"by its name", "d.xml", "<rfc><sourcecode name=\"x.abnf\">a = %x41</sourcecode></rfc>", `a@1:32 = "A"`},
		{"a comment of an author", "d.xml", "<rfc><sourcecode type=\"abnf\">a<cref>was b</cref> = %x41</sourcecode></rfc>", `a@1:30 = "A"`},
		{"prose with a reference", "d.xml", "<artwork type=\"abnf2616\">a = &lt;x, see <xref target=\"RFC1\"/>&gt;</artwork>", `a@1:26 = <x, see [RFC1]>`},
		{"a comment", "d.xml", "<rfc><sourcecode type=\"abnf\">a = %x41</sourcecode>\n<!-- <sourcecode type=\"abnf\">a = %x42</sourcecode> --></rfc>", `a@1:30 = "A"`},
		{"a comment in a block", "d.xml", "<sourcecode type=\"abnf\">a = %x41<!-- / %x42 -->\n</sourcecode>", `a@1:25 = "A"`},
		{"blocks without types", "d.xml", "<rfc><artwork>  a = &quot;x&quot; / b\n  b = %x42\n</artwork><t>c = %x43</t></rfc>", `a@1:17 = [Xx] / b; b@2:3 = "B"`},
		{"no type beside one", "d.xml", "<rfc><artwork type=\"abnf\">a = %x41</artwork>\n<artwork>b = %x42</artwork></rfc>", `a@1:27 = "A"; lost@2:10`},
		{"another type", "d.xml", "<rfc><artwork type=\"abnf\">a = %x41</artwork>\n<artwork type=\"ascii-art\">b = %x42</artwork></rfc>", `a@1:27 = "A"`},
		{"a source", "d.xml", "<rfc><sourcecode type=\"abnf\" src=\"sub.abnf\"/></rfc>", `b@1:1 = [Bb]; c@2:1 = b`},
		{"an unclosed element", "d.xml", "<rfc><artwork type=\"abnf\">a = %x41", `a@1:27 = "A"; lost@1:6`},

		{"ReSpec", "d.html", "<pre class=\"nohighlight abnf\">\n<dfn>a</dfn> = <a>b</a> / %x41 ; &lt;\n<dfn>b</dfn> = %x42\n</pre>", `a@2:6 = b / "A"; b@3:6 = "B"`},
		{"rfc-editor", "d.html", "<!doctype html><div class=\"lang-abnf sourcecode\"><pre>a = %x41\n</pre></div>", `a@1:55 = "A"`},
		{"Bikeshed", "d.html", "<pre highlight=abnf>a = b</pre><xmp class=abnf>b = <c d>\n</xmp><pre data-lang=c>x = y;</pre>", `a@1:21 = b; b@1:48 = <c d>`},
		{"an unclosed xmp", "d.html", "<xmp class=abnf>a = %x41", `a@1:17 = "A"; lost@1:1`},
		{"a script", "d.html", "<script>x = \"<pre class='abnf'>\"</script><pre class=abnf>a = %x41</pre>", `a@1:58 = "A"`},
		{"EBNF in the page", "d.html", "<pre class=abnf>a = %x41</pre>\n<table><tr><td>b<td>::=<td>'x'</table>", `a@1:17 = "A"; lost@2:16`},
		{"a drawing in an RFC", "d.txt", head + "  ~~~~   req  ----\n  A   -------> B\n\n" + rules, `a@7:3 = b / "A"; b@8:3 = "B"`},
		{"a fence in an RFC", "d.txt", head + "~~~ c\n  x = y;\n~~~\n\n" + rules, `a@8:3 = b / "A"; b@9:3 = "B"`},
		{"a tag in an RFC", "d.txt", head + "  <artwork type=\"c\">\n\n" + rules, `a@6:3 = b / "A"; b@7:3 = "B"`},
		{"a head in front matter", "d.txt", "---\nworkgroup:\n  Network Working Group\n---\n~~~ abnf\na = %x41\n~~~\n", `a@6:1 = "A"`},
		{"a head in XML", "d.txt", "<rfc><workgroup>\nNetwork Working Group</workgroup>\n<sourcecode type=\"abnf\">a = %x41</sourcecode></rfc>", `a@3:25 = "A"`},
		{"a page without marks", "d.html", "<pre>\na = b / %x41\nb = %x42\n</pre>", `a@2:1 = b / "A"; b@3:1 = "B"`},
	} {
		if got := outcomeOf(c.file, c.text, bnf.ABNF, n); got != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, got, c.want)
		}
	}
}

// In a table of a page a row without a sign is a heading, whatever its markup, unless it goes on with the production
// above.
func TestRowsOfTables(t *testing.T) {
	const row = "<tr><td>[1]<td>a<td>::=<td>b\n"
	for _, c := range []struct{ name, row, want string }{
		{"a heading", "<tr><td colspan=4><h3>Terminals for b</h3>", "b"},
		{"bold", "<tr><td colspan=4><b>Terminals</b>", "b"},
		{"a cell", "<tr><th>Terminals", "b"},
		{"the rest", "<tr><td><td><td><td>| c", "b / c"},
		{"the rest in one cell", "<tr><td colspan=4>| c", "b / c"},
		{"the rest without a bar", "<tr><td></td><td></td><td></td><td>c</td></tr>", "b c"},
	} {
		text := "<table>" + row + c.row + "\n<tr><td>[2]<td>b<td>::=<td>'b'\n<tr><td>c<td>::=<td>'c'\n</table><p>d e</p>"
		want := "a@1:23 = " + c.want + `; b@3:16 = "b"; c@4:9 = "c"`
		if got := outcomeOf("d.html", text, bnf.EBNF, bnf.Usual); got != want {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, got, want)
		}
	}
}

// A production that has one value, count or character which cannot be read is refused alone, in a file as in a block
// and in a text.
func TestRefusedProduction(t *testing.T) {
	for _, wrong := range []string{"%x110000", "%x7F-FFFFFFFF", "70000000000*\"x\"", "99999999999\"x\"", "\"×\"", "%s\"é\"", "\"\xff\""} {
		for file, text := range map[string]string{
			"x.abnf": "a = b / \"y\"\nb = %s\nc = %%x41\n",
			"x.md":   "~~~ abnf\na = b / \"y\"\nb = %s\nc = %%x41\n~~~\n",
		} {
			d, err := bnf.ReadDocument(file, fmt.Appendf(nil, text, wrong), bnf.ABNF, bnf.Usual)
			if err != nil {
				t.Errorf("%s with %s: %v", file, wrong, err)
				continue
			}
			refused, ofC := bnf.Missing(d.Grammar, "a"), bnf.Missing(d.Grammar, "c")
			if r := d.Grammar.Rule("b"); r.Refused == nil || len(refused) != 1 || len(ofC) != 0 || r.Expr.Op != expr.Ref {
				t.Errorf("%s with %s: a lacks %v, c lacks %v", file, wrong, refused, ofC)
			}
		}
		if _, err := bnf.ReadDocument("x.abnf", []byte("b = "+wrong), bnf.ABNF, bnf.Usual); err == nil {
			t.Errorf("%s: a file with no other production is read", wrong)
		}
	}
	g, err := bnf.ReadABNFWith("x.abnf", []byte("a = b\nb = %x110000\n"), bnf.Notation{Define: []bnf.Replacement{{Production: "b", Text: "%x42"}}})
	if err != nil || g.Rule("b").Refused != nil || len(bnf.Missing(g)) > 0 {
		t.Errorf("defined: %v", err)
	}
}

// A fence in a quotation is read without the marks of the quotation, and each rule has its place in the file.
func TestQuotedFence(t *testing.T) {
	const text = "# A\n\n> ~~~ abnf\n> a = b\n>  / \">\"\n>\n>b = \"x\"\n> ~~~\n\n> > ```abnf\n> > c = a\n> > ```\n"
	d := must.Of(bnf.ReadDocument("x.md", []byte(text), bnf.ABNF, bnf.Usual))(t)
	var got []string
	for _, r := range d.Grammar.Rules {
		got = append(got, r.Name+" "+r.Pos.String())
	}
	if want := "a x.md:4:3; b x.md:7:2; c x.md:11:5"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", strings.Join(got, "; "), want)
	}
}
