package peg

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
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
		{`'h'`, `"h"`},
		{"`a\r\nb`", `"a\nb"`},
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
		{`a <- [z-a]`, `test.peg:1:6: range out of order: 'z' to 'a'`},
		{`a <- [z\x2da]`, `test.peg:1:6: range out of order: 'z' to 'a'`},
		{`a <- 'http'`, `test.peg:1:6: what stands in single quotes is one character; write it in double quotes`},
		{`a <- ''`, `test.peg:1:6: what stands in single quotes is one character; write it in double quotes`},
		{`a <- "\400"`, `test.peg:1:7: invalid escape`},
		{`a <- [\400]`, `test.peg:1:7: invalid escape`},
		{`a <- "\ud800"`, `test.peg:1:7: invalid escape`},
		{`a <- "\'"`, `test.peg:1:7: invalid escape`},
		{`a <- '\"'`, `test.peg:1:7: invalid escape`},
		{`a <- [\"]`, `test.peg:1:7: invalid escape`},
		{`a <- [\pQ]`, `test.peg:1:7: unknown Unicode class ""`},
		{`a <- [\p{Klingon}]`, `test.peg:1:7: unknown Unicode class "Klingon"`},
		{`a <- "x" b <- "y"`, `test.peg:1:10: expected the end of the line or ;, found 'b'`},
		{"a <- \"x\" /*\n*/ b <- \"y\"", `test.peg:2:4: expected the end of the line or ;, found 'b'`},
		{"# so\na <- 'x'", `test.peg:1:1: expected the name of a rule, found '#'; a comment begins with "//"`},
		{`a <- "x" ;; b <- "y"`, `test.peg:1:11: expected the name of a rule, found ';'`},
		{`{ package p } a <- "x"`, `test.peg:1:15: expected the end of the line or ;, found 'a'`},
		{`a <- "x" { return 1, nil } "y"`, `test.peg:1:28: expected the end of the line or ;, found '"'`},
		{"a <- type\ntype <- 'x'", `test.peg:1:6: "type" is a word of Go, which pigeon reads as no name here; call it type_, and say so with --map type=type_`},
		{`a <- nil:"x"`, `test.peg:1:6: "nil" is a word of Go, which pigeon reads as no name here; call it nil_, and say so with --map nil=nil_`},
		{"\ufeffa <- 'x'", `test.peg:1:1: expected the name of a rule, found '\ufeff'`},
		{`a <- "x" { x := }`, `test.peg:1:10: the action is not Go`},
		{`a <- "\q"`, `test.peg:1:7: invalid escape`},
		{`a <- ( "x"`, `test.peg:1:11: expected ) for the ( at test.peg:1:6, found the end of the file`},
		{`a <- "x" )`, `test.peg:1:10: expected the end of the line or ;, found ')'`},
		{"a <-\n# so\n'x'", `test.peg:2:1: expected an expression, found '#'; a comment begins with "//"`},
		{`a <- "x" / / "y"`, `test.peg:1:12: expected an expression, found '/'`},
		{"a <- b\n", `test.peg:1:6: rule "b" is not defined`},
		{"a <- 'x'\n\na <- 'y'", `test.peg:3:1: rule "a" is defined twice, first at test.peg:1:1`},
		{`a <- &{ return true, nil } "x"`,
			`test.peg:1:6: a predicate with code (&{...}) is not supported: its language cannot be known`},
		{`a <- "x" !{ return true, nil }`,
			`test.peg:1:10: a predicate with code (!{...}) is not supported: its language cannot be known`},
		{`a <- "x" #{ return nil }`, `test.peg:1:10: a state change with code (#{...}) is not supported: its ` +
			`language cannot be known`},
		{`a <- "x" %{oops}`, `test.peg:1:10: pigeon's throw operator %{...} is not supported`},
		{`a <- "x" //{oops} "y"`, `test.peg:1:10: pigeon's recovery operator //{ is not supported: it makes ` +
			`failure succeed`},
		{"a <- \xff", `test.peg:1:6: not UTF-8: the byte 0xff`},
		{`a <- ` + strings.Repeat("(", 5000), `test.peg:1:1006: nested too deeply`},
	} {
		err := refusal(Read("test.peg", []byte(tt.src)))
		var at *expr.Error
		if !errors.As(err, &at) || err.Error() != tt.want {
			t.Errorf("%.40q\n got %v\nwant %s", tt.src, err, tt.want)
		}
	}
}

// refusal returns the error of a grammar, or why its first rule is refused.
func refusal(g *expr.Grammar, err error) error {
	if err == nil && g.Rules[0].Refused != nil {
		return g.Rules[0].Refused
	}
	return err
}

// What is a grammar to pigeon and refused here is told from what is none.
func TestRefused(t *testing.T) {
	for src, refused := range map[string]bool{
		`a <- "x" %{oops}`: true, `a <- &{ return true, nil }`: true, `a <- "x" //{oops} "y"`: true,
		`a <- [A-z]i`: true,
		"{\npackage p\nconst true = false\n}\na <- 'x'":             true,
		"{\npackage p\nfunc len(any) int { return 0 }\n}\na <- 'x'": true,
		"{\npackage p\ntype error string\n}\na <- 'x'":              true,
		`a <- "x`: false, `a <- b`: true, "a <- 'x'\na <- 'y'": false,
	} {
		err := refusal(Read("test.peg", []byte(src)))
		var at *expr.Error
		if !errors.As(err, &at) || at.Refused != refused {
			t.Errorf("%s: %v, want refused %v", src, err, refused)
		}
	}
}

// An action is certain that returns a value and nil as the error and cannot panic. Any other is refused, with the rules that
// come to it, unless a user vouches for it; then what was vouched for is assumed.
func TestActions(t *testing.T) {
	const initializer = `{
package p

type pair struct { a, b any }
type table map[any]any

func (c *current) node(id string, v any) (any, error) { return id, nil }
func (c *current) fails(v any) (any, error) { return nil, errors.New("no") }
func (c *current) maybe(v any) (x any, err error) { return nil, nil }
func (c *current) twice(v any) (any, error) { if v == nil { return c.once(v) }; return c.node("x", v) }
func (c *current) once(v any) (any, error) { if v != nil { return c.twice(v) }; return plain() }
func (c *current) line() int { return c.pos.line }
func (c *current) ever() (any, error) { return c.ever() }
func plain() (any, error) { return 1, nil }
func (o other) node2() (any, error) { return 1, nil }
func typed() (any, *os.PathError) { return 1, nil }
func none() {}
func param(c other) (any, error) { return c.node("x", nil) }
func param2(plain func() (any, error)) (any, error) { return plain() }
func param3(c *current) (any, error) { return c.text, nil }
func param4(len func(any) int) (any, error) { return len(1), nil }
func (c other) method() (any, error) { return c.node("x", nil) }
func outer() (any, error) { return c.node("x", nil) }
func (c *current) other() (any, error) { return other{}.method() }
func (d *current) renamed() (any, error) { return c.node("x", nil) }
}
`
	const certain = ""
	for _, tt := range []struct{ code, want string }{ // want: what is assumed
		{`return nil, nil`, certain},
		{`return string(c.text), nil`, certain},
		{`return v, nil`, certain},
		{`return c.pos.line, nil`, certain},
		{`return pair{v, string(c.text) + "x"}, nil`, certain},
		{`return &pair{a: []any{v, -1}, b: len(c.text)}, nil`, certain},
		{`return map[string]any{"a": v}, nil`, certain},
		{`return c.node("a", v)`, certain},
		{`return plain()`, certain},
		{`return pair{c.line(), !true}, nil`, certain},
		{`return v.(string), nil`, assumeCalm},
		{`return strings.ToUpper("x"), nil`, assumeCalm},
		{`if v == nil { return 1, nil }; return 2, nil`, assumeCalm},
		{`c.text[0] = 'x'; return v, nil`, assumeCalm},
		{`if true { panic("no") }; return v, nil`, assumeCalm},
		{`defer func() { panic("no") }(); return v, nil`, assumeCalm},
		{`return c.text[7], nil`, assumeCalm},
		{`return len(c.text) / 0, nil`, assumeCalm},
		{`return v == v, nil`, assumeCalm},
		{`return *v, nil`, assumeCalm},
		{`return other.Field, nil`, assumeCalm},
		{`return func() int { panic("no") }(), nil`, assumeCalm},
		{`return map[any]any{v: 1}, nil`, assumeCalm},
		{`return table{v: 1}, nil`, assumeCalm},
		{`return unknown{v: 1}, nil`, assumeCalm},
		{`return param3(nil)`, assumeCalm},
		{`return param4(nil)`, assumeCalm},
		{`return c.ever()`, assumeCalm},
		{`return c.twice(v)`, assumeCalm},
		{`f := func() error { return io.EOF }; f(); return 1, nil`, assumeCalm},
		{`return c.fails(v)`, assumeSuccess},
		{`return c.maybe(v)`, assumeSuccess},
		{`return c.node2()`, assumeSuccess},
		{`return strconv.Atoi(string(c.text))`, assumeSuccess},
		{`return 1, err`, assumeSuccess},
		{`if v == nil { return nil, io.EOF }; return 2, nil`, assumeSuccess},
		{`nil := io.EOF; return 1, nil`, assumeSuccess},
		{`plain := func() (any, error) { return 1, io.EOF }; return plain()`, assumeSuccess},
		{`return typed()`, assumeSuccess},
		{`return none()`, assumeSuccess},
		{`return param(other{})`, assumeSuccess},
		{`return param2(c.fail)`, assumeSuccess},
		{`return c.other()`, assumeSuccess},
		{`return outer()`, assumeSuccess},
		{`return c.renamed()`, assumeSuccess},
		{`c := x{}; return c.node("a", v)`, assumeSuccess},
		{`panic("no")`, assumeSuccess},
	} {
		src := initializer + `a <- v:"x" { ` + tt.code + " }\nb <- 'y' a?\nc <- 'z'\n"
		g, err := Read("test.peg", []byte(src))
		if err != nil {
			t.Errorf("%s: %v", tt.code, err)
			continue
		}
		why := map[string]string{certain: "", assumeCalm: "do more than return a value", assumeSuccess: "may return an error"}[tt.want]
		for _, r := range g.Rules {
			refused := r.ID != "c" && tt.want != certain
			switch {
			case refused != (r.Refused != nil):
				t.Errorf("%s: rule %s: %v", tt.code, r.ID, r.Refused)
			case refused && (!strings.HasPrefix(r.Refused.Error(), "test.peg:27:") || !strings.Contains(r.Refused.Error(), why)):
				t.Errorf("%s: rule %s: %v", tt.code, r.ID, r.Refused)
			case !refused && len(Assumptions(g, r.ID)) > 1:
				t.Errorf("%s: rule %s is assumed without a word: %v", tt.code, r.ID, Assumptions(g, r.ID))
			}
		}
		g, err = Options{ActionsSucceed: true}.Read("test.peg", []byte(src))
		if err != nil || g.Rules[1].Refused != nil || tt.want != certain && !assumes(Assumptions(g, "b"), tt.want) {
			t.Errorf("%s, vouched for: %v", tt.code, err)
		}
	}
	g, err := Options{ActionsSucceed: true}.Read("test.peg", []byte(`a <- v:"x" { return c.node("a", v) }`))
	if err != nil || !assumes(Assumptions(g), assumeNode) {
		t.Errorf("c.node of another file: %v", err)
	}
	for src, place := range map[string]string{
		"a <- \"x\" {\n\tif true {\n\t\treturn 1, err\n\t}\n\treturn 1, nil\n}": "test.peg:3:3: ",
		`a <- "x" { return 1, err }`:         "test.peg:1:12: ",
		`a <- "x" { return f(), nil }`:       "test.peg:1:10: ",
		"{\nvar x = f()\n}\na <- \"x\"":      "test.peg:2:9: ",
		"{\nfunc init() {}\n}\na <- \"x\"":   "test.peg:2:1: ",
		"{\nvar x = []any{1}\n}\na <- \"x\"": "",
	} {
		g, err := Read("test.peg", []byte(src))
		got := ""
		if err == nil && g.Rules[0].Refused != nil {
			got = g.Rules[0].Refused.Error()
		}
		if err != nil || !strings.HasPrefix(got, place) || (got == "") != (place == "") {
			t.Errorf("%s: %v%s", src, err, got)
		}
	}
}

func assumes(as []Assumption, text string) bool {
	return slices.ContainsFunc(as, func(a Assumption) bool { return a.Text == text })
}

// What is assumed is assumed of the rules that need it.
func TestAssumptions(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{`a <- [a-z]i "k"i !.`, ``},
		{`a <- .`, assumeReject + " (test.peg:1:6)"},
		{`a <- [^a]`, assumeReject + " (test.peg:1:6)"},
		{`a <- [^\uFFFD] ![^a] &( . . )`, ``},
		{`a <- "\xE9" "\uFFFD" '\xff'`, assumeReject + " (test.peg:1:6 and 2 other places)"},
		{`a <- "é"i`, assumeUnicode + " (test.peg:1:6)"},
		{`a <- [é]i b`, assumeUnicode + " (test.peg:1:6)"},
		{`a <- [\pZ]`, assumeUnicode + " (test.peg:1:6)"},
		{`a <- c "x"`, assumeReject + " (test.peg:3:6)"},
	} {
		g := must.Of(Read("test.peg", []byte(tt.src+"\nb <- 'b'\nc <- .\n")))(t)
		var got []string
		for _, a := range Assumptions(g, "a") {
			got = append(got, a.String())
		}
		if got[0] != assumeParser || strings.Join(got[1:], "; ") != tt.want {
			t.Errorf("%s: %q", tt.src, got)
		}
		if to := Rename(g, map[string]string{"a": "x"}); len(Assumptions(to, "x")) != len(got) {
			t.Errorf("%s: renamed, it rests on %v", tt.src, Assumptions(to, "x"))
		}
		if !assumes(Assumptions(g), assumeReject) {
			t.Errorf("%s: that of another rule is missing", tt.src)
		}
	}
	if got := Assumptions(&expr.Grammar{}); got != nil {
		t.Errorf("a BNF rests on %v", got)
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
	g := must.Of(Read("test.peg", []byte("x_y <- gplus_s\ngplus_s <- 'g'\nx_y_entry <- x_y !.\n")))(t)
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

// Every name has an identifier that pigeon reads.
func TestIdent(t *testing.T) {
	for id, want := range map[string]string{
		"a-b": "a_b", "gopher+_string": "gopherplus_string", "e'": "e_", "a/b.c:d": "a_b_c_d", "1st": "_1st", "über": "über", "a */ b": "a____b",
	} {
		got := Ident(id)
		if got != want {
			t.Errorf("%q is %q, want %q", id, got, want)
		}
		if _, err := Read("t.peg", []byte(got+" <- 'x'\n")); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
}
