package peg

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// readExpr reads the expression of one rule.
func readExpr(t *testing.T, src string) *expr.Expr {
	t.Helper()
	g, err := Read("test.peg", []byte("a <- "+src+"\nb <- 'b'\n"))
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return g.Rule("a").Expr
}

func TestExpressions(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{`"http://"`, `"http://"`},
		{`'http'`, `"http"`},
		{"`a\\n`", `"a\\n"`},
		{`"\x25\u00e9"`, `"%é"`},
		{`""`, `""`},
		{`"a" "b"`, `"a" "b"`},
		{`"a" / "b" "c"`, `"a" / "b" "c"`},
		{`( "a" / "b" ) "c"`, `( "a" / "b" ) "c"`},
		{`b? b* b+`, `b? b* b+`},
		{`b ?`, `b?`},
		{`&b !b "x"`, `&b !b "x"`},
		{`!( b "c" )+`, `!( b "c" )+`},
		{`[a-z0-9+.-]`, `[+\-.0-9a-z]`},
		{`[-a]`, `[\-a]`},
		{`[\]\\\n]`, `[\x0a\\\]]`},
		{`[]`, `[]`},
		{`!.`, `!.`},
		{`v:b w:( x:"c" )`, `b "c"`},
		{`b { return c.node("b", v) }`, `b`},
		{`b // a comment with { and "`, `b`},
		{`b /* one with / */ "c"`, `b "c"`},
		{`"A"i`, `[Aa]`},
		{`[a-c]i`, `[A-Ca-c]`},
		// pigeon folds over Unicode: U+212A, the Kelvin sign, is a k.
		{`"k"i`, `[Kk] / "\xe2" "\x84" "\xaa"`},
		{`[é]`, `"\xc3" "\xa9"`},
	} {
		if got := strip(readExpr(t, tt.src).String()); got != strip(tt.want) {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

// strip writes one-byte literals as the classes that they equal.
func strip(s string) string {
	return strings.NewReplacer(`"\xe2"`, `[\xe2]`, `"\x84"`, `[\x84]`, `"\xaa"`, `[\xaa]`, `"\xc3"`, `[\xc3]`, `"\xa9"`, `[\xa9]`).Replace(s)
}

func TestNodes(t *testing.T) {
	e := readExpr(t, `( v:( b ) { return c.node("in-side", v) } ) "c" { return c.node("out", v) }`)
	if e.Op != expr.Node || e.Name != "out" {
		t.Fatalf("outer: %s %q", e.Op, e.Name)
	}
	if in := e.Sub[0].Sub[0]; in.Op != expr.Node || in.Name != "in-side" {
		t.Errorf("inner: %s %q", in.Op, in.Name)
	}
	if e := readExpr(t, `b { return string(c.text), nil }`); e.Op != expr.Ref {
		t.Errorf("another action made a %s", e.Op)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{``, `test.peg:1:1: no rule`},
		{`{ package p`, `test.peg:1:1: code block not ended`},
		{`a`, `test.peg:1:2: expected <- after the name of rule "a", found the end of the file`},
		{`a <- `, `test.peg:1:6: expected an expression, found the end of the file`},
		{"a <- \"x", `test.peg:1:6: string not ended`},
		{"a <- \"x\n\"", `test.peg:1:6: string not ended`},
		{`a <- [a`, `test.peg:1:6: character class not ended`},
		{`a <- [z-a]`, `test.peg:1:8: range out of order`},
		{`a <- "\q"`, `test.peg:1:7: invalid escape`},
		{`a <- ( "x"`, `test.peg:1:11: expected ) for the ( at test.peg:1:6, found the end of the file`},
		{`a <- "x" )`, `test.peg:1:10: expected the name of a rule, found ')'`},
		{`a <- "x" / / "y"`, `test.peg:1:12: expected an expression, found '/'`},
		{"a <- b\n", `test.peg:1:6: rule "b" is not defined`},
		{"a <- 'x'\n\na <- 'y'", `test.peg:3:1: rule "a" is defined twice, first at test.peg:1:1`},
		{`a <- &{ return true, nil } "x"`, `test.peg:1:6: a predicate with code (&{...}) is not supported: its language cannot be known`},
		{`a <- "x" !{ return true, nil }`, `test.peg:1:10: a predicate with code (!{...}) is not supported: its language cannot be known`},
		{`a <- "x" #{ return nil }`, `test.peg:1:10: a state change with code (#{...}) is not supported: its language cannot be known`},
		{`a <- "x" %{oops}`, `test.peg:1:10: pigeon's throw operator %{...} is not supported`},
		{`a <- "x" //{oops} "y"`, `test.peg:1:10: pigeon's recovery operator //{ is not supported: it makes failure succeed`},
		{"a <- \xff", `test.peg:1:6: expected an expression, found the byte 0xff`},
		{`a <- ` + strings.Repeat("(", 5000), `test.peg:1:1006: nested too deeply`},
	} {
		_, err := Read("test.peg", []byte(tt.src))
		var at *Error
		if !errors.As(err, &at) || err.Error() != tt.want {
			t.Errorf("%.40q\n got %v\nwant %s", tt.src, err, tt.want)
		}
	}
}

func TestRulesKeepTheirSourceAndComment(t *testing.T) {
	g, err := Read("test.peg", []byte("{ package p }\n\n// far\n\n// near\n// and nearer\na \"A\" <- b?\n// of b\nb <- 'b' // behind\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := g.Rules[0], g.Rules[1]
	if a.Name != "A" || a.ID != "a" || a.Printed != `a "A" <- b?` || a.Comment != " near\n and nearer" || a.Line != 7 {
		t.Errorf("a: %+v", a)
	}
	if b.Printed != "b <- 'b'" || b.Comment != " of b" || b.Pos.String() != "test.peg:9:1" {
		t.Errorf("b: %+v", b)
	}
}

func TestFor(t *testing.T) {
	g, err := Read("test.peg", []byte("x_y <- gplus_s\ngplus_s <- 'g'\nx_y_entry <- x_y !.\n"))
	if err != nil {
		t.Fatal(err)
	}
	bnf := &expr.Grammar{Name: "n", Rules: []*expr.Rule{{ID: "x-y"}, {ID: "g+_s"}}}
	got := For(bnf, g)
	if got.Rules[0].ID != "x-y" || got.Rules[0].Expr.Name != "g+_s" || got.Rules[1].ID != "g+_s" {
		t.Errorf("%s <- %s", got.Rules[0].ID, got.Rules[0].Expr)
	}
	if g.Rules[0].ID != "x_y" {
		t.Error("the grammar that was given has changed")
	}
	if !IsEntry(got.Rules[2]) || IsEntry(got.Rules[0]) {
		t.Error("entries are not told from productions")
	}
}

func FuzzRead(f *testing.F) {
	names, err := fs.Glob(grammar.Files, "*.peg")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(grammar.Files, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("a <- [^\\p{L}b-]i* / 'x'i !. //{l} ( &{ } )")
	f.Fuzz(func(t *testing.T, src string) {
		g, err := Read("fuzz.peg", []byte(src))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.peg:") {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		for _, r := range g.Rules {
			if !strings.Contains(src, r.Printed) {
				t.Errorf("rule %s is not in the source: %q", r.ID, r.Printed)
			}
		}
	})
}
