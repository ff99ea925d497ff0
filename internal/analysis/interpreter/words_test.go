package interpreter

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What could stand at a place is named by the words of the grammar, by the tables and by the general parser alike.
func TestExpectedWords(t *testing.T) {
	const level = `level = "DEBUG" / "INFO" / "NOTICE" / "NOTE" / "NO" 1*%x30-39 / %s"Ok"
count = 1*%x30-39 / hex
hex = "x" 2%x30-37
oct = %x30-37
url = "http://" level / "Content-Type" / "-->" / "%09" / %xE2.82.AC "A" "a"`
	for _, c := range []struct{ rule, input, want string }{
		{"level", "x", `"DEBUG" "INFO" "NOTICE" "NOTE" "NO" "Ok"`},
		{"level", "dEx", `"DEBUG"`},
		{"level", "NO", `"NOTICE" "NOTE" [0-9]`},
		{"level", "NOT", `"NOTICE" "NOTE"`},
		{"level", "ok", `"DEBUG" "INFO" "NOTICE" "NOTE" "NO" "Ok"`},
		{"level", "O", `"Ok"`},
		{"count", "x", "oct"},
		{"oct", "", "[0-7]"}, // its name would say nothing
		{"url", "ht", `"http://"`},
		{"url", "http:", `"//"`},
		{"url", "http:/", `"/"`},
		{"url", "Content", `"Content-Type"`},
		{"url", "content-t", `"Content-Type"`},
		{"url", "-", `"->"`},
		{"url", "%0", `"09"`},
		{"url", "\xE2\x82", `"\xE2\x82\xAC"`},
		{"url", "\xE2\x82\xACa", `"a"`},
	} {
		g := must.Of(bnf.ReadABNF("words.abnf", []byte(strings.ReplaceAll(level, "\n", "\r\n"))))(t)
		lexical := func(id string) bool { return id == "oct" }
		productions := []ast.Production{{}}
		for _, r := range g.Rules {
			productions = append(productions, ast.Production{ID: r.ID, Name: r.Name, Lexical: lexical(r.ID)})
		}
		tables := &ast.Grammar{Productions: productions, Tables: must.Of(annotated.Build(g, lexical))(t)}
		general := &ast.Grammar{Productions: productions, Explaining: explaining(t, g)}
		for _, of := range []*ast.Grammar{tables, general} {
			k, _ := of.Kind(c.rule)
			if got := strings.Join(of.Explain(k, c.input).Terms(), " "); got != c.want {
				t.Errorf("%s on %q, tables: %t: expected %s, want %s", c.rule, c.input, of == tables, got, c.want)
			}
		}
	}
}
