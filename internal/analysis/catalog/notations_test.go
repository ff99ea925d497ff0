package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Each notation is seen by the ending of a file's name and the signs in it, and derives what it says: the words after "+", and none after
// "-".
func TestNotations(t *testing.T) {
	for _, c := range []struct {
		file, text string
		kind       Kind
		start      string
		yes, no    []string
	}{
		{"a.bnf", "<a b> ::= <c> | <c> \"-\" <a b>\n\n<c> ::= 'x' | \"y\"\n", Naur, "a-b", []string{"x", "y-x"}, []string{"", "x-", "X"}},
		{"a.bnf", "<n> ::= <d> | <n> <d>\n<d> ::= 0 | 1\n", Naur, "n", []string{"0", "0110"}, []string{"", "2"}},
		{"a.bnf", "<n> ::= ( <d> ) | [ <e> ]\n<d> ::= + | - | ε\n<e> ::=\n", Naur, "n", []string{"(+)", "()", "[]"}, []string{"", "+"}},
		{"a.bnf", "<n> ::= [ <d> ] { \"b\" } (\"c\" | \"d\")+ ; so\n<d> ::= \"0\" ...\n", Naur, "n", []string{"c", "00bbcd"}, []string{"", "0"}},
		{"a.bnf", "<a> ::= <b> | \"x\"\n  | \"y\"\n# no part of it\n\n  | \"z\"\n<b> ::= \"w\"\n", Naur, "a", []string{"w", "x", "y", "z"}, []string{""}},
		{"a.bnf", "a ::= 'x' b?\nb ::= [0-9]\n", EBNF, "a", []string{"x", "x1"}, []string{"xx"}},
		{"a.bnf", "a = b / \"x\"\nb = %x41\n", ABNF, "a", []string{"A", "X"}, []string{"B"}},
		{"a.bnf", "@ notation abnf\na = %x41\n", BNF, "a", []string{"A"}, []string{"a"}},
		{"a.bnf", "<m> ::= <h> [<s>] (<o>)...\n<o> ::= <rp>|<x y>\n", RBNF, "m", []string{"<h><rp>", "<h><s><x y><rp>"}, []string{"<h>", "<h><o>"}},
		{"a.rbnf", "<m> ::= <h> <o>\n", RBNF, "m", []string{"<h><o>"}, []string{"ho"}},
		{"a.ebnf", "a = \"x\" , { b } ;\nb = 2 * \"y\" | [ \"z\" ] , \"w\" ;\n", ISO, "a", []string{"x", "xyyw", "xzw"}, []string{"xy", ""}},
		{"a.ebnf", "a b = c d , \"x\" ;\nc d = { \"y\" }- ;\n", ISO, "a-b", []string{"yx", "yyx"}, []string{"x", "y"}},
		{"a.ebnf", "a = b - \"y\" ;\nb = \"x\" | \"y\" ;\n", ISO, "a", []string{"x"}, []string{"y"}},
		{"a.ebnf", "(* a (* b *) *) a = (/ \"x\" /) (: 'y' :) ! \"z\" .\n", ISO, "a", []string{"", "xyy", "z"}, []string{"xz"}},
		{"a.ebnf", "a = b { b } .\nb = \"0\" .. \"9\" | ? U+0041 ? .\n", ISO, "a", []string{"1A9"}, []string{"", "B"}},
		{"a.ebnf", "a = [A-C_]+\nb = a c?\nc = \"x\"* | 'y'\n", ISO, "b", []string{"A_", "Cxx", "By"}, []string{"D"}},
		{"a.ebnf", "a ::= b c;\nb: \"x\";\nc = [^a] ;\n", ISO, "a", []string{"xb", "xé"}, []string{"xa", "x"}},
		{"a.ebnf", "a = ? any character ? - \"x\" - \"y\" ;\nb = a ;\n", ISO, "b", []string{"z"}, []string{"x", "y", ""}},
		{"a.ebnf", "a = ? any character ? ;\n", ISO, "a", []string{"z", "a"}, []string{""}},
		{"a.ebnf", "a = ? 'b' to 'd' ? | ? \"0\" .. \"9\" ? ;\n", ISO, "a", []string{"b", "d", "5"}, []string{"a", "'"}},
		{"a.ebnf", "items = { item };\n\nitem = 'x' - ;\n", ISO, "items", []string{"", "xx"}, []string{"y"}},
		{"a.bnf", "p ::= a* \";\" ;\na ::= \"x\" ;\n", ISO, "p", []string{";", "xx;"}, []string{"x"}},
		{"a.bnf", "p ::= {a} [b]\na ::= ‘x’ | “y”\nb ::= ‘(‘\n", ISO, "p", []string{"", "xyx(", "("}, []string{"‘x’"}},
		{"a.ebnf", "p -> a { \",\" a } # so\na → <b> -- and so\n# not this = \"z\"\nb -> #x41 | '#' ;\n", ISO, "p", []string{"A", "#,A"}, []string{"", "z"}},
		{"a.ebnf", "p = a <b c> .\na = ε | \"x\" .\nb c = \"y\" .\n", ISO, "p", []string{"y", "xy"}, []string{"x", "ε"}},
		{"a.bnf", "p <- a '-' p\n | a\na <- 'x'\n", ISO, "p", []string{"x", "x-x"}, []string{""}},
		{"a.bnf", "p <- a '-' p / a\na <- 'x'\n", Pigeon, "p", nil, nil},
		{"a.ebnf", "p =\n  | \"x\"\n  | \"y\" ;\n", ISO, "p", []string{"x", "y"}, []string{""}},
		{"a.ebnf", "p = | \"x\" ;\n", ISO, "p", []string{"x", ""}, []string{"y"}},
		{"a.ebnf", "p =\n  | \"x\" , \"y\" ;\n", ISO, "p", []string{"xy", ""}, []string{"x"}},
		{"a.txt", "p ::= {a}\na ::= \"x\" {( \"/\" | \"*\" ) \"x\"}\n", RFC, "p", []string{"", "x/x*xx"}, []string{"X", "/"}},
		{"a.txt", "p = {a | b}\na = \"x\"\nb = a {\",\" a}\n", RFC, "p", []string{"", "x,xx"}, []string{"X"}},
		{"a.bnf", "e ::= t e' ;\ne' ::= \"+\" t e' | \"\" ;\nt ::= \"x\" ;\n", ISO, "t", []string{"x"}, []string{""}},
		{"a.ebnf", "s = '\"' [^\"]* '\"' ;\nb = [01] s ;\n", ISO, "b", []string{"0\"x\"", "1\"\""}, []string{"\"x\"", "01\"x\"", "0\"\"\""}},
		{"a.bnf", "<s> ::= '\"' [^\"]* '\"' // so\n<b> ::= [01] <s> # so\n  | [a-c_]+ -- so\n", Naur, "b", []string{"0\"x\"", "a_"}, []string{"01\"x\"", "-", ""}},
		{"a.bnf", "<s> ::= \"x\" [<t>]\n<t> /* T */ ::= \"y\" /* so */ | /* empty */\n/* <u> ::= \"z\"\n */\n", Naur, "s", []string{"x", "xy"}, []string{"z", "xz"}},
		{"a.bnf", "<s> ::= \"x\" <t>\n<t> ::= \"y\" | /* any character, null excepted */\n", Naur, "s", []string{"xy"}, []string{"x"}},
		{"a.bnf", "<s> ::= /*\n<t> ::= */\n<u> ::= <s> \"x\" <t>\n", Naur, "u", []string{"/*x*/"}, []string{"x"}},
		{"a.txt", "p = { s } ;\n\n(* so *)\ns = a | b ;\na = \"x\" , [ \"y\" ] ;\nb = \"+\" | \"-\" ;\n", RFC, "p", []string{"", "xy-"}, []string{"X"}},
		{"a.bnf", "--h2 Signs\n\n<s> ::= <lp> <q> <dq> <bar> [ <word>... ] <rp> !! so\n<lp> ::= (\n<rp> ::= )\n<q> ::= '\n<dq> ::= \"\n" +
			"<bar> ::= |\n<word> ::= 'SELECT'\n", Naur, "s", []string{"('\"|)", "('\"|SELECTSELECT)"}, []string{"", "('\"|"}},
		{"a.bnf", "<s> ::= 'x' <1st> <über>\n<1st> ::= 'y'\n<über> ::= 'z' < 1 >\n", Naur, "s", []string{"xyz<1>"}, []string{"xyz"}},
		{"a.ebnf", "<s> ::= “x” [`y`] ‘z’*\n", Naur, "s", []string{"x", "xyzz"}, []string{"“x”", "`y`", ""}},
		{"a.txt", "<s> ::= `x` , { <t> }\n# so\n<t> ::= `y` , [ `z` ] # a \"so\"\n", RFC, "s", []string{"x", "xyyz"}, []string{"x,y", "`x`"}},
		{"a.bnf", "<s> => (\"x\" / <t>) .\n(* <u> => so *)\n<t> => 'y' (* a \"so\" *) 'x' .\n", Naur, "s", []string{"x", "yx"}, []string{"/", "x.", ">x"}},
		{"a.ebnf", "<s> -> “x” | “y”. // so\n<t> → <s>.\n", Naur, "t", []string{"x", "y"}, []string{"x.", ""}},
		{"a.bnf", "<s> ::= \"x\" | <t>\n  -> <t>\n<t> ::= \"y\"\n", Naur, "s", []string{"x", "y->y"}, []string{"->"}},                                            // where "::=" defines, an arrow is a terminal
		{"a.bnf", "<s> ::= <t> , <t> | <t> \"y\"\n<t> ::= \"x\"\n", Naur, "s", []string{"xy", "x,x"}, []string{"xx"}},                                            // not all elements have commas between them
		{"a.bnf", "<s> ::= <`t>\n<`t> ::= \"x\" <+> | <1 2>\n<+> ::= \"y\" <`t>?\n<1 2> ::= \"z\"\n", Naur, "s", []string{"z", "xy"}, []string{"", "x", "x<+>"}}, // names that are signs
		{"a.bnf", "<s> ::= <t> | \"x\" ? a sign ? | (? any of <t> ?)\n<t> ::= \"y\" ? \"z\"\n", Naur, "s", []string{"z", "yz"}, []string{"x?asign?", "?", "y"}},  // special sequences are prose
		{"a.bnf", "<s> ::= a [ <t> ] { <t> }\n<t> ::= b\n", Naur, "s", []string{"a[b]{b}"}, []string{"a", "ab"}},
		{"a.ebnf", "s = \"x\" t .\nt = /* any sign */ .\nu = (* empty *) | \"y\" | (* else\n *) .\nv = (* nothing *) .\n", ISO, "v", []string{""}, []string{"x"}},
		{"a.ebnf", "s = \"x\" [ t ] .\nt = /* any sign */ .\n", ISO, "s", []string{"x"}, []string{"", "xx"}}, // the comment is prose
		{"a.ebnf", "u = (* empty *) | \"y\" | (* else\n *) .\n", ISO, "u", []string{"", "y"}, []string{"else"}},
		{"a.ebnf", "s ::= [\"+\" d] [d]\nd ::= \"0\" | \"1\"\n", ISO, "s", []string{"", "+0", "1", "+01"}, []string{"+", "d", "\""}},
		{"a.bnf", "s ::= \"a\" t\nt ::= \"b\" [t]\n", ISO, "t", []string{"b", "bb"}, []string{"bt", ""}},
		{"a.ebnf", "s ::= [abc] [-+]\n", EBNF, "s", []string{"a-"}, []string{"", "abc"}},
		{"a.bnf", "# so\ns → t\n  | 'a'\nt → 'b' (s | 'a')\n# a | rule ::= x\n", ISO, "s", []string{"a", "bba"}, []string{"b", ""}}, // the comment has no production
		{"a.gbnf", "root ::= \"a\" [b-d]{2,3} (\n x | .\n)? # so\nx ::= | \"\\\"\\x41\\u00e9\"\n", GBNF, "root", []string{"abc", "abcd\"Aé", "abb\n"}, []string{"ab", "abcdef"}},
		{"a.ebnf", "root ::= [^\"\\\\\\n]* \"\\n\"\n", GBNF, "root", []string{"x\n", "\n"}, []string{"\\\n", "\"\n"}},
		{"a.txt", "root ::= \"\\n\"\n", RFC, "root", []string{"\n"}, []string{"\\n"}},
		{"grammar", "<a> ::= \"x\"\n", Naur, "a", []string{"x"}, []string{""}},
		{"a.md", "# A\n\n```ebnf\na ::= 'x'\n```\n\n```c\nb ::= 'y'\n```\n", RFC, "a", []string{"x"}, []string{"y"}},
		{"a.md", "# A\n\n```bnf\n<a> ::= \"x\"\n```\n", RFC, "a", []string{"x"}, []string{"y"}},
	} {
		n, err := Read(c.file, []byte(c.text), Usual)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if n.Kind != c.kind {
			t.Errorf("%q is read as %s, want %s", c.text, n.Kind, c.kind)
		}
		if c.kind.IsPEG() { // whose words other tests have
			continue
		}
		a := must.Of(lang.FromBNF(n.Grammar, c.start))(t)
		for _, w := range c.yes {
			if !a.Match(w) {
				t.Errorf("%q: %q is not derived", c.text, w)
			}
		}
		for _, w := range c.no {
			if a.Match(w) {
				t.Errorf("%q: %q is derived", c.text, w)
			}
		}
	}
}

// What can be read in two ways is told with its place, where the production that is meant needs it.
func TestTwoWays(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.bnf", "<s> ::= a [ <t> ]\n<t> ::= b { c }\n", `1:11: [ <t> ] is read as terminals, since nothing in the document has quotes; elsewhere`},
		{"a.bnf", "<s> ::= a | ( <s> ) | <s>+ <t>\n<t> ::= [\n", `1:25: >+ is read as terminals`},
		{"a.bnf", "<s> ::= ( <s> ) | ( <t> )\n<t> ::= [ | ]\n", ""},
		{"a.bnf", "<s> ::= \"a\" b <t>\n<t> ::= [0-9]\n", `1:13: "b" has no quotes, and is read as a terminal`},
		{"a.bnf#t", "<s> ::= \"a\" b <t>\n<t> ::= [0-9]\n", `2:9: [0-9] is read as a class of characters`},
		{"a.bnf#t", "<s> ::= \"a\" b <t>\n<t> ::= \"c\"\n", ""},
		{"a.ebnf", "s = [a-z] ;\n", "1:5: [a-z] is read as a class of characters"},
		{"a.ebnf", "s = \"\\n\" ;\n", `1:5: "\n" is read as it is written`},
		{"a.ebnf", "s = 'it''s' ;\n", "1:5: 'it''s' is read as two literals"},
		{"a.ebnf", "s = | \"x\" ;\n", "1:5: an empty alternative stands before the first"},
		{"a.ebnf", "s = \"x\" ;\n", ""},
		{"a.txt", "The grammar\nof this text\nis in what\nfollows.\n\n  a = H( b \":\" c )\n  b = %x42\n  c = b(a)\n", "6:7: `H(` is read as a name and a group, as in ABNF; where it applies a function, `a` is a formula"},
		{"a.txt#c", "The grammar\nof this text\nis in what\nfollows.\n\n  a = H( b \":\" c )\n  b = %x42\n  c = b(b)\n", ""},
	} {
		folder := t.TempDir()
		file, _, _ := strings.Cut(c.name, "#")
		must.Do(t, os.WriteFile(filepath.Join(folder, file), []byte(c.text), 0o666))
		o := must.Of(Open(filepath.Join(folder, c.name), Usual))(t)
		var found string
		for _, n := range o.TwoWays() {
			found += n.String() + "\n"
		}
		if _, rest, _ := strings.Cut(found, file+":"); !strings.HasPrefix(rest, c.want) || (c.want == "") != (found == "") {
			t.Errorf("%s %q: told: %q; want %q", c.name, c.text, found, c.want)
		}
	}
}

// What is written in a notation that is not read is told by its name, with what to do.
func TestForeignNotations(t *testing.T) {
	for want, files := range map[string][][2]string{
		"ANTLR":          {{"a.g4", "x"}, {"a.txt", "grammar Expr;\nexpr : expr '+' expr ;\n"}, {"grammar", "parser grammar Expr;\n"}},
		"Lark":           {{"a.lark", "start: x"}, {"a.txt", "start: word\n%import common.WS\n"}},
		"pest":           {{"a.pest", ""}, {"a.ebnf", "digit = @{ '0'..'9' }\n"}, {"a.txt", "ws = _{ \" \" }\n"}, {"a.ebnf", "a = { 'b'..'c' }\nd = {\n a | \"-\" }\n"}},
		"tree-sitter":    {{"a.txt", "module.exports = grammar({\n  name: 'x',\n})\n"}},
		"YACC":           {{"a.y", ""}, {"a.bnf", "%token A\n%%\nx : A ;\n%%\n"}},
		"Ohm":            {{"a.ohm", ""}, {"a.txt", "Arithmetic {\n  Exp = AddExp\n}\n"}},
		"TatSu":          {{"a.ebnf", "@@grammar::Calc\n\nstart = 'x' $ ;\n"}},
		"pegen":          {{"a.gram", ""}, {"a.peg", "@class Parser\n\nstart: 'x'\n"}},
		"cpp-peglib":     {{"a.peg", "A <- 'x'\n%whitespace <- [ \\t]*\n"}},
		"Nearley":        {{"a.ne", ""}, {"a.txt", "@builtin \"number.ne\"\nmain -> int\n"}},
		"pointlander":    {{"a.peg", "package x\n\ntype T Peg {\n}\n\na <- 'x'\n"}},
		"Treetop":        {{"a.txt", "grammar X\n  rule a\n    'x'\n  end\nend\n"}},
		"a module of AS": {{"a.txt", "M DEFINITIONS ::= BEGIN\n A ::= INTEGER\nEND\n"}},
	} {
		for _, f := range files {
			_, err := Read(f[0], []byte(f[1]), Usual)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "which is not read: ") {
				t.Errorf("%s %q: %v; want %s", f[0], f[1], err, want)
			}
		}
	}
}
