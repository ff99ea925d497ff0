package claims

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestEveryKindDecidesAClaim: every kind of statement is there for some claim.
func TestEveryKindDecidesAClaim(t *testing.T) {
	all := must.Of(allClaims())(t)
	used := map[string]bool{}
	for _, list := range all {
		for _, c := range list {
			for _, s := range c.statements {
				used[s.kind] = true
			}
		}
	}
	for kind := range operands {
		if !used[kind] {
			t.Errorf("no claim is decided by %s", kind)
		}
	}
}

// TestBadClaims: an error names the file and the line.
func TestBadClaims(t *testing.T) {
	const head = "id: x\nlines: 1\nquote: q\nsays: s\n"
	for _, tt := range []struct{ src, want string }{
		{"says: s\n", "f:1: a claim begins"},
		{"    a\n", "f:1: a claim begins"},
		{"id: x\n    a\n", "f:2: an operand without a statement"},
		{"id:\n", "f:1: a claim begins"},
		{"id: x\nid: y\n", `f:2: "id" is no statement, stands here twice`},
		{"# comment\n\nid: x\nlines: 1\nlines: 2\n", `f:5: "lines" is no statement, stands here twice`},
		{"id: x\nlines:\n", `f:2: "lines" is no statement, stands here twice, or says nothing`},
		{"id: x\nsays: s\n", "f:3: x above is not complete"},
		{head, "f:5: x above is not complete"},
		{"id: x\nlines: 1\nquote: q\nas: y\nsays: s\nnone: x\n    a\n", "f:8: x above is not complete"},
		{"id: x\nlines: 1\nquote: q\nas: y\nsays: s\n", "f:6: x above is not complete"},
		{"id: x\nlines: 1\nquote: q\nas: y\nnone: x\n    a\n", "f:7: x above is not complete"},
		{head + "for: a\n", "f:6: x above is not complete"},
		{head + "equals: x\n", `f:5: "equals" is no statement`},
		{head + "subset: x\n    a\n", "f:7: f:5: subset has 1 operands"},
		{head + "subset: x\n    a\n    b\n    c\n", "f:9: f:5: subset has 3 operands"},
		{head + "none: x\n    a\n\n" + head + "none: x\n    a\n", "f:8: x is there twice"},
	} {
		list, err := readClaims("f", tt.src)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %+v, %v; want %s", tt.src, list, err, tt.want)
		}
	}
}

func TestRestatedClaims(t *testing.T) {
	const a = "id: a\nsection: 1\nlines: 1\nquote: q\nsays: s\nnone: x\n    y\n"
	for _, tt := range []struct{ src, want string }{
		{a + "\nid: b\nas: a\nlines: 2\nquote: r\n", ""},
		{a + "\nid: b\nas: c\nlines: 2\nquote: r\n\nid: c\nas: a\nlines: 3\nquote: r\n", ""},
		{a + "\nid: b\nas: d\nlines: 2\nquote: r\n", "b restates what is no claim"},
		{"id: b\nas: b\nlines: 2\nquote: r\n", "b restates what is no claim"},
	} {
		list, err := readClaims("f", tt.src)
		if err == nil {
			err = restate(map[string][]claim{"f": list})
		}
		if tt.want != "" || err != nil {
			if err == nil || err.Error() != tt.want {
				t.Errorf("%q: %v, want %q", tt.src, err, tt.want)
			}
			continue
		}
		for _, c := range list {
			if c.Says != "s" || c.Section != "1" || len(c.statements) != 1 {
				t.Errorf("%q: %+v", tt.src, c)
			}
		}
	}
}

// One row a term: the strings over a, b and % of at most three bytes that it denotes in a grammar where x is a and y
// is b.
func TestTerms(t *testing.T) {
	for _, tt := range []struct{ term, want string }{
		{`x y`, "ab"},
		{`x | y x`, "a ba"},
		{`[ x ] y`, "b ab"},
		{`*( x y ) - ""`, "ab"},
		{`*x & ! ( x | "" )`, "aa aaa"},
		{`"a" one("ab") - "aa"`, "ab"},
		{`x & not("b") | y`, "a b"},
		{`x | y & x`, "a"},
		{`x x - y | y`, "b aa"},
		{`"$" one("$ab") & ANY "b"`, "$b"},
		{`BAD-ESCAPE & "%" [ x ]`, "% %a"},
		{`name *name & not("a") ANY`, "b ba bb baa bab bba bbb"},
	} {
		s := &rfc{Subject: &catalog.Subject{}, memo: map[string]*lang.DFA{"x": lang.OfString("a"), "y": lang.OfString("b")}}
		s.lets = map[string]*lang.DFA{"name": s.languageOfTerm("x | y")}
		var got []string
		a := s.languageOfTerm(tt.term)
		words := []string{""}
		for i := 0; i < len(words); i++ {
			if a.Match(words[i]) {
				got = append(got, words[i])
			}
			if len(words[i]) < 3 {
				for _, c := range "ab%$" {
					words = append(words, words[i]+string(c))
				}
			}
		}
		if strings.Join(got, " ") != tt.want || s.err != nil {
			t.Errorf("%s: %q, %v; want %s", tt.term, got, s.err, tt.want)
		}
	}
}

// TestFoldedLiterals: where literals match either case, that is so of the letters of ASCII alone.
func TestFoldedLiterals(t *testing.T) {
	s := &rfc{Subject: &catalog.Subject{}, fold: true}
	for _, tt := range []struct {
		literal string
		want    []string
	}{
		{"a1", []string{"A1", "a1"}},
		{"@[`{", []string{"@[`{"}},
		{"\xe9", []string{"\xe9"}},
		{"\u00e9Z", []string{"\u00e9Z", "\u00e9z"}},
	} {
		got := slices.Sorted(s.literalLanguage(tt.literal).Enumerate(len(tt.literal)))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.literal, got, tt.want)
		}
	}
}

// TestLastClaim: the last claim of a file is there, whatever the end of the file is.
func TestLastClaim(t *testing.T) {
	const claim = "id: x\nlines: 1\nquote: q\nsays: s\nnone: n\n    host"
	for _, end := range []string{"", "\n", "\r\n", "\n\n", "\n# the end"} {
		if list := must.Of(readClaims("f", claim+end))(t); len(list) != 1 || len(list[0].statements[0].of) != 1 {
			t.Errorf("with %q at the end: %v", end, list)
		}
	}
}

// TestUndecidable: what names nothing in the grammar is an error with the line of the statement.
func TestUndecidable(t *testing.T) {
	const head = "id: x\nlines: 1\nquote: q\nsays: s\n"
	for _, tt := range []struct{ src, want string }{
		{head + "none: x\n    nothing\n", "f:5: claim x: rfc1738 has no production"},
		{head + "none: x\n    rest(hostport)\n", "f:5: claim x: hostport is the production of no scheme"},
		{head + "let: host = port\nnone: x\n    host\n", "f:5: claim x: let host: the name is taken"},
		{head + "none: x\n    ( host\n", `f:5: claim x: expected ")" at ""`},
		{head + "none: x\n    host )\n", `f:5: claim x: expected an operator or the end at ")"`},
		{head + "none: x\n    host |\n", `f:5: claim x: expected a term at ""`},
		{head + "none: x\n    one(\"a)\n", `f:5: claim x: expected a string in quotes at`},
		{head + "none: x\n    two(\"a\")\n", "f:5: claim x: rfc1738 has no production"},
		{head + "let: a = port\nlet: a = host\nnone: x\n    a\n", "f:6: claim x: let a: the name is taken"},
		{head + "described: gone\n", `f:5: claim x: no production is in a part "gone"`},
		{head + "unused: gone host\n", `f:5: claim x: no production is in a part "gone"`},
		{head + "unused: gone\n", "f:5: claim x: gone is no production"},
	} {
		list := must.Of(readClaims("f", tt.src))(t)
		src := must.Of(bnf.Load("rfc1738"))(t)
		s, err := catalog.Load(catalog.Version{}, "rfc1738")
		if err != nil {
			t.Fatal(err)
		}
		_, err = newText(s[0], src, bnf.Default).decideClaim(list[0])
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.src, err, tt.want)
		}
	}
}
