package peg_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// endless are rules that pigeon makes a parser of which does not end on some of the inputs "", "a", "ab" and "b"; and ended
// are rules like them of which it does.
var endless = []string{
	`x <- ("a"?)*`, `x <- ("a"*)*`, `x <- ("a"?)+`, `x <- "b" ("a"?)*`, `x <- (!"a")*`, `x <- (&"a")*`, `x <- ("a" / "")*`,
	`x <- ("" "")*`, "x <- y*\ny <- \"a\"?", "x <- \"b\" / \"a\" y\ny <- ( !\"c\" )*", "x <- !( \"a\"? )*", `x <- "\uFFFD"*`,
}
var ended = []string{
	`x <- "a"*`, `x <- ("a"? "b")*`, `x <- ("a"?)?`, `x <- (!"a" .)*`, `x <- "a"+ "b"?`, "x <- y*\ny <- \"a\" / \"b\" y?", `x <- ("a" "a"?)*`,
}

// What is refused for never ending is what pigeon's parsers do not end on.
func TestEndless(t *testing.T) {
	for i, list := range [][]string{endless, ended} {
		for _, text := range list {
			g := must.Of(peg.Read("t.peg", []byte(text+"\n")))(t)
			err := expr.NewForm(g).WellFormed("x")
			if (err != nil) != (i == 0) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	longtest.Need(t, "pigeon compiles parsers")
	files, main := map[string]string{}, ""
	const here = "github.com/bnfcheck/bnfcheck/internal/notation/peg/harness/"
	const ask = `
func Ends(s string) bool {
	_, err := Parse("", []byte(s), MaxExpressions(10000))
	return err == nil || !strings.Contains(err.Error(), "max number of expressions")
}
`
	all := append(append([]string{}, endless...), ended...)
	for i, text := range all {
		name := fmt.Sprintf("p%d", i)
		at := filepath.Join(t.TempDir(), "g.peg")
		must.Do(t, os.WriteFile(at, []byte("{\npackage "+name+"\n"+ask+"}\n"+text+"\n"), 0o666))
		files[name+"/parser.go"] = string(must.Of(exec.Command("go", "tool", "pigeon", at).Output())(t))
		main += strings.ReplaceAll("\tfmt.Println(\"NAME\", NAME.Ends(\"\") && NAME.Ends(\"a\") && NAME.Ends(\"ab\") && NAME.Ends(\"b\"))\n", "NAME", name)
		files["main.go"] += fmt.Sprintf("import %q\n", here+name)
	}
	files["main.go"] = "package main\n\nimport \"fmt\"\n" + files["main.go"] + "\nfunc main() {\n" + main + "}\n"
	out := string(must.Of(exec.Command(build(t, t.TempDir(), files)).Output())(t))
	for i, text := range all {
		if want := fmt.Sprintf("p%d %t\n", i, i >= len(endless)); !strings.Contains(out, want) {
			t.Errorf("%s: pigeon's parser ends is %t", text, i < len(endless))
		}
	}
}
