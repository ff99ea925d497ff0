package pegtogo_test

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// compiled compiles a PEG in which the rules that begin with an action of their own are nodes.
func compiled(t *testing.T, src string) (string, error) {
	t.Helper()
	g := must.Of(peg.Options{ActionsSucceed: true}.Read("test.peg", []byte(src)))(t)
	out, err := pegtogo.Go(g, pegtogo.Options{
		Package: "test",
		Kind: func(id string) string {
			if peg.IsEntry(g.Rule(id)) {
				return ""
			}
			return strings.ToUpper(id[:1]) + id[1:]
		},
		Lexical: func(id string) bool { return !strings.Contains(g.Rule(id).Printed, `c.node("`+id+`"`) },
	})
	return string(out), err
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ name, peg, want string }{
		{"a star over nothing", `a <- ( "x"* )*`, `test.peg:1:6: `},
		{"a star over a lookahead", `a <- ( !"x" )*`, `repeats what can match without consuming`},
		{"a plus over an optional rule", "a <- b+\nb <- \"x\"?",
			`test.peg:1:6: b+ repeats what can match without consuming`},
		{"right recursion", `a <- "x" a?`, `test.peg:1:10: recursion, which must be written as a repetition: a > a`},
		{"left recursion", "a <- b \"x\" / \"y\"\nb <- a",
			`test.peg:2:6: recursion, which must be written as a repetition: a > b > a`},
		{"recursion in a lookahead", `a <- !a "x"`, `recursion`},
		{"a node of no production", `a <- v:( ( v:( "x" ) { return c.node("b", v) } ) ) { return c.node("a", v) }`,
			`a node b, which is no production`},
		{"a node in what is lexical", "a <- b \"x\"\nb <- v:( \"y\" ) { return c.node(\"b\", v) }",
			`test.peg:1:1: a is lexical and has nodes`},
		{"a node whose label leaves out nodes",
			"a <- b v:( b ) { return c.node(\"a\", v) }\nb <- v:( \"y\" ) { return c.node(\"b\", v) }",
			`test.peg:1:6: the node a can drop the nodes in it`},
		{"a node without a label", "a <- x:b ( b { return c.node(\"a\", x) } )\n" +
			"b <- v:( \"y\" ) { return c.node(\"b\", v) }", `a is a node, and its rule does not make one`},
		{"an inner node with the label of an outer",
			"a <- v:( b ( b b { return c.node(\"b\", v) } ) ) { return c.node(\"a\", v) }\n" +
				"b <- v:( \"y\" ) { return c.node(\"b\", v) }", `test.peg:1:14: the node b can drop the nodes in it`},
		{"an action that makes no node of two",
			"a <- v:( b ( [x] { return 1, nil } ) / \"z\" ( b b { return c.text, nil } ) ) { return c.node(\"a\", " +
				"v) }\nb <- v:( \"y\" ) { return c.node(\"b\", v) }",
			`test.peg:1:46: an action that makes no node can drop the nodes of b b`},
		{"an action that makes no node",
			"a <- v:( ( b { return c.text, nil } ) ) { return c.node(\"a\", v) }\n" +
				"b <- v:( \"y\" ) { return c.node(\"b\", v) }",
			`test.peg:1:12: an action that makes no node can drop the nodes of b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := compiled(t, c.peg)
			var e *expr.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one with %q", err, c.want)
			}
		})
	}
}

// Code predicates have no language: what reads a PEG refuses their rule, and the compiler every PEG with such a rule.
func TestCodePredicatesAreRefused(t *testing.T) {
	for _, src := range []string{`a <- &{ return true, nil } "x"`, `a <- !{ return true, nil } "x"`, `a <- #{ return nil } "x"`} {
		if _, err := compiled(t, src); err == nil || !strings.HasPrefix(err.Error(), "test.peg:1:6: ") {
			t.Errorf("%s: got error %v, want one at test.peg:1:6", src, err)
		}
	}
}

// What is written for each kind of expression, as the lines that matter.
func TestWrites(t *testing.T) {
	for _, c := range []struct {
		name, peg string
		want      []string
	}{
		{"a class is a bit", `a <- [a-z0-9]`, []string{
			"if i >= uint(len(s)) || class[s[i]]&isA == 0 {", "isA = 1 << iota // [0-9a-z]",
		}},
		{"a byte is a comparison", `a <- "x"`, []string{"if i >= uint(len(s)) || s[i] != 'x' {"}},
		{"a literal is compared as a whole", `a <- "http://" [0-9]*`,
			[]string{`if !strings.HasPrefix(s[i:], "http://") {`}},
		{"case folding is alternatives of bytes", `a <- "k"i`, []string{
			"if i < uint(len(s)) && (s[i] == 'K' || s[i] == 'k') {",
			"s[i] == 0xe2 && s[i+1] == 0x84 && s[i+2] == 0xaa {",
		}},
		{"a run is a loop", `a <- [0-9]*`, []string{"for i < uint(len(s)) && class[s[i]]&inA != 0 {\n\t\ti++\n\t}"}},
		{"a run with escapes looks for one where the class has ended", `a <- ( [a-z] / "%" [0-9] [0-9] )*`, []string{
			"i = skipA(s, i)",
			"if i >= uint(len(s)) || s[i] != '%' || i+2 >= uint(len(s)) || " +
				"class[s[i+1]]&class[s[i+2]]&inA2 == 0 {\n\t\t\treturn i",
		}},
		{"a run with escapes of several kinds is one as well", `a <- '"' ( [ !#-[] / "\\" ( [nt] / "u" [0-9] [0-9] ) )* '"'`, []string{
			"i = skipA(s, i+1)",
			"case i+1 < uint(len(s)) && s[i] == '\\\\' && (s[i+1] == 'n' || s[i+1] == 't'):\n\t\t\ti += 2",
			"case i+3 < uint(len(s)) && s[i] == '\\\\' && s[i+1] == 'u' &&",
		}},
		{"a guarded run stops where the guard can begin", `a <- ( !( "." [a-z] ) [a-z.] )*`, []string{
			"if i >= uint(len(s)) || s[i] != '.' {\n\t\t\tbreak",
			"if i+1 < uint(len(s)) && class[s[i+1]]&inA != 0 {\n\t\t\tbreak",
		}},
		{"a run that others interrupt looks past them where one stands", `a <- ( "-"* [0-9] )*`, []string{
			"if i >= uint(len(s)) || s[i] != '-' {\n\t\t\tbreak\n\t\t}\n\t\tj := i + 1",
		}},
		{"what a class separates is one loop",
			"a <- v:( b ( \"/\" b )* ) { return c.node(\"a\", v) }\nb <- v:( [a-z]* ) { return c.node(\"b\", v) }",
			[]string{
				"b.put(n, B, i, j, n+1)\n\t\ti, n = j, n+1\n\t\tif i >= uint(len(s)) || s[i] != '/' {\n" +
					"\t\t\tbreak\n\t\t}\n\t\ti++",
			}},
		{"what fails on its first byte is told by that",
			"a <- v:( b ( \".\" b )* ) { return c.node(\"a\", v) }\n" +
				"b <- v:( [a-z] c? ) { return c.node(\"b\", v) }\nc <- v:( [0-9]+ ) { return c.node(\"c\", v) }",
			[]string{
				"b.put(n, B, i, j, m)\n\t\ti, n = j, m\n" +
					"\t\tif i >= uint(len(s)) || s[i] != '.' || i+1 >= uint(len(s)) || class[s[i+1]]&inA == 0 {",
			}},
		{"a node around another is written where it is used",
			"a <- v:( b \";\" ) { return c.node(\"a\", v) }\nb <- v:( d ) { return c.node(\"b\", v) }\n" +
				"d <- v:( \"x\" \"y\" \"z\" ) { return c.node(\"d\", v) }", []string{
				"j, m := b.d(s, i, n+2)\n\tif j == fail {\n\t\treturn fail, 0\n\t}\n\tb.put(n+1, B, i, j, m)\n" +
					"\ti, n = j, m",
			}},
		{"so is one around a choice between two",
			"a <- v:( b \";\" ) { return c.node(\"a\", v) }\nb <- v:( d / e ) { return c.node(\"b\", v) }\n" +
				"d <- v:( \"x\" \"y\" \"z\" ) { return c.node(\"d\", v) }\n" +
				"e <- v:( [xy] \"y\" ) { return c.node(\"e\", v) }", []string{
				"j, m := b.d(s, i, n+2)\n\tif j == fail {\n\t\tj, m = b.e(s, i, n+2)\n\t}", "b.put(n+1, B, i, j, m)",
			}},
		{"an option that the rest rules out is tried after it",
			"a <- ( [a-z.]* \"@\" )? b\nb <- [a-z] ( [a-z.] [a-z] )*", []string{
				"j := acceptB(s, i)\n\tif j == fail || j < uint(len(s)) && class[s[j]]&inA != 0 {",
			}},
		{"an option that the rest can hold is tried first", "a <- ( [a-z.]* \"@\" )? b\nb <- [a-z] ( [a-z.@] [a-z] )*",
			[]string{
				"if j < uint(len(s)) && s[j] == '@' {\n\t\t\ti = j + 1\n\t\t}\n\t}\n" +
					"\tif i = acceptB(s, i); i == fail {",
			}},
		{"the first byte chooses", `a <- "x" [0-9]* / "y" [0-9]* / "z"`,
			[]string{"case 'x':", "case 'y':", "case 'z':"}},
		{"an order that matters is kept", `a <- "x" / "xy"`, []string{
			"j := fail\n\tif i < uint(len(s)) && s[i] == 'x' {\n\t\tj = i + 1\n\t}\n\tif j == fail {\n" +
				"\t\tif strings.HasPrefix(s[i:], \"xy\") {",
		}},
		{"the end of the input", "a <- \"x\" EOF\nEOF <- !.", []string{"if i+1 != uint(len(s)) {"}},
		{"a node is written when it is complete", `a <- v:( "x" ) { return c.node("a", v) }`, []string{
			"func (b *builder) a(s string, i, n uint) (uint, uint) {", "b.put(n, A, i, i+1, n+1)",
			"return i + 1, n + 1",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := must.Of(compiled(t, c.peg))(t)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: not written: %s\n%s", c.peg, want, got[strings.Index(got, "type builder"):])
				}
			}
		})
	}
}

// The same grammar gives the same file, and none of what slows a parser down or takes its memory is in it.
func TestGeneratedFiles(t *testing.T) {
	longtest.Need(t, "go generate writes the same files")
	for _, s := range subjects() {
		text := must.Of(fs.ReadFile(grammar.Files, s.Name+".peg"))(t)
		var files [][]byte
		for range 2 {
			g := must.Of(peg.Options{ActionsSucceed: true}.Read(s.Name+".peg", text))(t)
			published := must.Of(bnf.Load(s.Name))(t)
			rules := peg.For(published.Default, g)
			out, err := pegtogo.Go(rules, pegtogo.Options{
				Package: s.Name,
				Kind: func(id string) string {
					if peg.IsEntry(rules.Rule(id)) {
						return ""
					}
					return "K_" + peg.Ident(id)
				},
				Lexical: func(id string) bool {
					k, _ := s.Kind(id)
					return s.Production(k).Lexical
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, out)
		}
		if !slices.Equal(files[0], files[1]) {
			t.Errorf("%s: two runs give two files", s.Name)
		}
		for _, word := range []string{"interface{", "any(", "func(", "append(b.nodes", "panic(", "goto "} {
			if bytes.Contains(files[0], []byte(word)) {
				t.Errorf("%s: %q in the generated file", s.Name, word)
			}
		}
	}
}
