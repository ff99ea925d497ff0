package pegtogo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// node is a rule that makes a node of its name.
func node(id, e string) string {
	return fmt.Sprintf("%s <- v:( %s ) { return c.node(%[1]q, v) }\n", id, e)
}

// Trees that generated parsers once built wrongly, or strings that they wrongly accepted. Rules whose names are in
// capitals are no productions.
func TestTrees(t *testing.T) {
	for _, c := range []struct{ name, peg, word, want string }{
		{"a leaf keeps the minimum of +", node("a", `"k" e?`) + node("e", `"." [0-9]+`), "k.", "a 0..1"},
		{"a leaf keeps the minimum of +, inside", node("a", `"k" e?`) + node("e", `"." [0-9]+`), "k.1",
			"a 0..3 (e 1..3)"},
		{"a failed alternative leaves no node", node("a", `"y" d? / "x" d`) + "d <- [0-9]\n", "y1", "a 0..2"},
		{"a failed alternative leaves no node of another", node("a", `"y" d? / "x" d`) + node("d", `[0-9]`), "y1",
			"a 0..2 (d 1..2)"},
		{"nodes before a repetition are counted once", node("a", `( "x" "z"? / "xy" )+ f`) + node("f", `"f" "g" "h"`),
			"xfgh", "a 0..4 (f 1..4)"},
		{"a choice without nodes changes no count",
			node("a", `c ( ( "-" "."? / "+-" ) c )* !.`) + node("c", `"u" "v" "w"?`), "uv-uv",
			"a 0..5 (c 0..2, c 3..5)"},
		{"and gives none up", node("a", `c ( ( "-" "."? / "+-" ) c )*`) + node("c", `"u" "v" "w"?`), "uv-u",
			"a 0..2 (c 0..2)"},
		{"a negation of a negation in a lookahead", node("a", `"x" !( ![ab] "%" )`), "x", "a 0..1"},
		{"a choice in a lookahead", node("a", `"x" !( [b%] &( "a" / "c"? ) )`), "x", "a 0..1"},
		{"a helper", node("a", `"x" END`) + "END <- ![a-z]\n", "x", "a 0..1"},
		{"a helper that fails", node("a", `"x" END`) + "END <- ![a-z]\n", "xy", "fails"},
		{"a helper with nodes", node("a", `LIST "."`) + "LIST <- b ( \",\" b )*\n" + node("b", `"b" "c" "d"?`),
			"bc,bc.", "a 0..6 (b 0..2, b 3..5)"},
		{"a helper that is a character", node("a", `CHAR+`) + "CHAR <- [a-z] / \"%\" [0-9]\n", "a%1", "a 0..3"},
		{"a helper of a helper", node("a", `P`) + "P <- Q \"x\"\nQ <- b?\n" + node("b", `"b" "c" "d"?`), "bcx",
			"a 0..3 (b 0..2)"},
		{"a helper that nothing uses", node("a", `"x"`) + "END <- !.\n", "x", "a 0..1"},
		{"an optional node over nothing", node("a", `"x" b?`) + node("b", `[0-9]*`), "x", "a 0..1 (b 1..1)"},
		{"productions with names of the file",
			node("put", `build nodes`) + node("build", `"b"`) + node("nodes", `parse`) + node("parse", `class`) +
				node("class", `accept`) + node("accept", `"x"`),
			"bx", "put 0..2 (build 0..1, nodes 1..2 (parse 1..2 (class 1..2 (accept 1..2))))"},
		{"a production with the name of a part",
			node("a", `!( "b" "c" [cd]* ) a_part`) + node("a_part", `"x" "y" z`) + node("z", `"z" "z"`) + node("aZ",
				`"b"`), "xyzz", "a 0..4 (a_part 0..4 (z 2..4))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := must.Of(peg.Options{ActionsSucceed: true}.Read("test.peg", []byte(c.peg)))(t)
			var ids []string
			for _, r := range g.Rules {
				if r.ID != strings.ToUpper(r.ID) {
					ids = append(ids, r.ID)
				}
			}
			constants := Titles(ids)
			p, err := newProgram(g, Options{Package: "test", Kind: func(id string) string { return constants[id] }, Lexical: func(id string) bool { return !strings.Contains(g.Rule(id).Printed, "c.node(") }})
			if err != nil {
				t.Fatal(err)
			}
			file := must.Of(p.makeSource())(t)
			m, err := loadFile(file, p.kindConstants(), p.notExecuted()...)
			if err != nil {
				t.Fatalf("%v\n%s", err, file)
			}
			end, n, err := m.run("build", 1, c.word)
			got := "fails"
			switch {
			case err != nil:
				got = err.Error()
			case end != ^uint(0):
				got = p.tree(m.nodes, 0, n)
			}
			if got != c.want {
				t.Errorf("%q: %s, want %s\n%s", c.word, got, c.want, file)
			}
			if err := p.verifyFile(file); err != nil {
				t.Error(err)
			}
		})
	}
}

// tree prints the nodes from..to.
func (p *program) tree(nodes []cell, from, to uint) string {
	var all []string
	for i := from; i < to; {
		if i >= uint(len(nodes)) || nodes[i].kind == 0 || nodes[i].next <= i {
			all = append(all, "no node")
			break
		}
		c := nodes[i]
		s := fmt.Sprintf("%s %d..%d", p.rules[c.kind-1].ID, c.from, c.to)
		if in := p.tree(nodes, i+1, c.next); in != "" {
			s += " (" + in + ")"
		}
		all = append(all, s)
		i = c.next
	}
	return strings.Join(all, ", ")
}

func TestTitles(t *testing.T) {
	for id, want := range map[string]string{
		"url": "Url", "ip-schemepart": "IpSchemepart", "gopher+_string": "GopherplusString", "uri_path": "UriPath",
		"encoded822addr": "Encoded822addr", "grammar": "Grammar2", "parse": "Parse2", "élan": "Élan", "1st": "X1st",
		"-": "X", "語": "X語",
	} {
		if got := Titles([]string{id})[id]; got != want {
			t.Errorf("the constant of %q is %s, want %s", id, got, want)
		}
	}
	all := Titles([]string{"a-b", "a_b", "aB", "A-b"})
	if all["a-b"] != "AB" || all["a_b"] != "AB2" || all["aB"] != "AB3" || all["A-b"] != "AB4" {
		t.Errorf("constants that are the same: %v", all)
	}
}

// More classes than a word has bits are in several tables.
func TestManyClasses(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "a%d <- [%c-%c%c]\n", i, 'A'+i%8, 'L'+i%14, 'a'+i%26)
	}
	g := must.Of(peg.Options{ActionsSucceed: true}.Read("test.peg", []byte(b.String())))(t)
	out := must.Of(Go(g, Options{Package: "test", Kind: exportedName, Lexical: func(string) bool { return true }}))(t)
	if !strings.Contains(string(out), "var class2 = [256]uint") {
		t.Error("not more than one table")
	}
}
