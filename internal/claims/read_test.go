package claims

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// TestEveryKindDecidesAClaim: reading refuses a claim without a statement and a statement of no kind, and every kind is there
// for some claim.
func TestEveryKindDecidesAClaim(t *testing.T) {
	all, err := allClaims()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, list := range all {
		for _, c := range list {
			if c.says == "" || len(c.statements) == 0 {
				t.Errorf("%s: %s is not decided", c.pos, c.id)
			}
			for _, s := range c.statements {
				used[s.name] = true
			}
		}
	}
	for _, k := range kinds {
		if !used[k.name] {
			t.Errorf("no claim is decided by %s", k.name)
		}
	}
}

// TestBadClaims: an error names the file and the line.
func TestBadClaims(t *testing.T) {
	const head = "id: x\nlines: 1\nquote: q\nsays: s\n"
	for _, tt := range []struct{ src, want string }{
		{"says: s\n", `f:1: expected "id:"`},
		{"    a\n", "f:1: an operand without a statement"},
		{"id:\n", "f:1: a claim begins"},
		{"id: x\nid: y\n", "f:2: a claim begins"},
		{"# comment\n\nid: x\nlines: 1\nlines: 2\n", "f:5: lines twice"},
		{"id: x\nlines:\n", "f:2: lines twice, or empty"},
		{"id: x\nsays: s\n", "f:1: x lacks lines or quote"},
		{head, "f:1: x needs says and a statement"},
		{"id: x\nlines: 1\nquote: q\nas: y\nsays: s\n", "f:1: x needs says and a statement, or only as"},
		{head + "for:\n", "f:5: for nothing"},
		{head + "for: a\n", "f:1: for without a statement"},
		{head + "equals: x\n", `f:5: no statement is called "equals"`},
		{head + "subset: x\n    a\n", "f:5: subset needs 2 operands"},
		{head + "subset: x\n    a\n    b\n    c\n", "f:8: subset has 2 operands"},
		{head + "accepts: x\n    a\n", "f:5: accepts needs 1 operand and a line of strings"},
		{head + "none: x\n    ( a\n", `f:6: expected ")" at ""`},
		{head + "none: x\n    a )\n", `f:6: expected an operator or the end at ")"`},
		{head + "none: x\n    a |\n", `f:6: expected a term at ""`},
		{head + "none: x\n    one(a)\n", `f:6: expected a string in quotes at "a)"`},
		{head + "none: x\n    two(\"a\")\n", "f:6: there is no two()"},
		{head + "none: x\n    rest(a b)\n", "f:6: rest() is of a production"},
		{head + "none: x\n    \"a\n", "f:6: expected a string in quotes"},
		{head + "none: x\n    " + strings.Repeat("*", 1000) + "a\n", "f:6: too deep"},
		{head + "let: a\n", "f:5: expected a term"},
		{head + "none: x\n    a\n\n" + head + "none: x\n    a\n", "f:8: x is there twice"},
	} {
		list, err := read("f", tt.src)
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
		{a + "\nid: b\nas: d\nlines: 2\nquote: r\n", "f:9: b restates d, which is no claim"},
		{"id: b\nas: b\nlines: 2\nquote: r\n", "f:1: b restates b, which is no claim"},
	} {
		list, err := read("f", tt.src)
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
			if c.says != "s" || c.section != "1" || len(c.statements) != 1 {
				t.Errorf("%q: %+v", tt.src, c)
			}
		}
	}
}

// One row a term: the strings over a, b and % of at most three bytes that it denotes in a grammar where x is a and y is b.
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
		s := &scope{rfc: &rfc{memo: map[string]*lang.DFA{"x": lang.OfString("a"), "y": lang.OfString("b")}}, lets: map[string]*lang.DFA{}}
		s.lets["name"] = s.of(parsed(t, "x | y"))
		var got []string
		a := s.of(parsed(t, tt.term))
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

func parsed(t *testing.T, s string) *term {
	t.Helper()
	x, err := parseTerm(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return x
}

// TestUndecidable: what names nothing in the grammar is an error with the line of the statement.
func TestUndecidable(t *testing.T) {
	const head = "id: x\nlines: 1\nquote: q\nsays: s\n"
	for _, tt := range []struct{ src, want string }{
		{head + "none: x\n    nothing\n", "f:5: claim x: rfc1738 has no production"},
		{head + "none: x\n    rest(hostport)\n", "f:5: claim x: hostport is the production of no scheme"},
		{head + "let: host = port\nnone: x\n    host\n", "f:6: claim x: let host: the name is taken"},
		{head + "common: gone\n", "f:5: claim x: gone has no production of its own"},
		{head + "unused: gone\n", "f:5: claim x: gone is no production"},
	} {
		list, err := read("f", tt.src)
		if err != nil {
			t.Fatal(err)
		}
		src, err := bnf.Load("rfc1738")
		if err != nil {
			t.Fatal(err)
		}
		s, err := subject.Load(subject.Version{}, "rfc1738")
		if err != nil {
			t.Fatal(err)
		}
		_, err = newText(s[0], src, bnf.Default).outcome(list[0])
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.src, err, tt.want)
		}
	}
}
