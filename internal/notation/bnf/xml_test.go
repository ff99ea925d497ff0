package bnf_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// In xml2rfc's format a reference stands for what XML or the document says, in CDATA for itself, and one of which
// nothing is said is an error at its place. The language is that of the first production.
func TestXMLReferences(t *testing.T) {
	for _, c := range []struct{ name, text, word, err string }{
		{"those of XML", "<sourcecode type=\"abnf\">\na = &quot;&lt;&amp;&gt;&apos;&quot;\n</sourcecode>\n", `"<&>'"`, ""},
		{"numbers", "<sourcecode type=\"abnf\">\na =&#32;&#x22;b&#34;\n</sourcecode>\n", `"b"`, ""},
		{"declared", "<!DOCTYPE rfc [ <!ENTITY nbsp \"&#32;\"> <!ENTITY b '\"b\"'> ]>\n<artwork type=\"abnf\">\na =&nbsp;&b;\n</artwork>\n", `"b"`, ""},
		{"in CDATA", "<sourcecode type=\"abnf\"><![CDATA[\na = \"&lt;&foo;</\"\n]]></sourcecode>\n", `"&lt;&foo;</"`, ""},
		{"not declared", "<sourcecode type=\"abnf\">\na = \"b\" / &foo;\n</sourcecode>\n", "", `d.xml:2:11: unexpected "&foo;", which the document does not declare; expected what it stands for, or <!ENTITY foo "...">`},
		{"another file", "<!DOCTYPE rfc [ <!ENTITY g SYSTEM 'g.abnf'> ]>\n<sourcecode type=\"abnf\">\na = b\n&g;\n</sourcecode>\n", "", `d.xml:4:1: unexpected "&g;", which the document declares as a file of its own; expected the text of the file`},
		{"in a string", "<sourcecode type=\"abnf\">\na = \"&foo;\"\n</sourcecode>\n", "", `d.xml:2:6: unexpected "&foo;", which the document does not declare; expected what it stands for, or <!ENTITY foo "...">`},
		{"in the line of the tag", "<sourcecode type=\"abnf\">a = &foo;</sourcecode>\n", "", `d.xml:1:29: unexpected "&foo;", which the document does not declare; expected what it stands for, or <!ENTITY foo "...">`},
		{"no character", "<sourcecode type=\"abnf\">\na = &#xD800;\n</sourcecode>\n", "", `d.xml:2:5: unexpected "&#xD800;", which is no character`},
	} {
		d, err := bnf.ReadDocument("d.xml", []byte(c.text), bnf.ABNF, bnf.Notation{})
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: %v; want %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		e := d.Grammar.Rules[0].Expr
		var word string
		expr.Walk(e, func(x *expr.Expr) bool {
			if x.Op == expr.Literal {
				word += x.Lit
			} else if x.Op == expr.Class {
				word += string(x.Set.Members()[len(x.Set.Members())-1:])
			}
			return true
		})
		if `"`+word+`"` != c.word {
			t.Errorf("%s: %s; want %s", c.name, word, c.word)
		}
	}
}
