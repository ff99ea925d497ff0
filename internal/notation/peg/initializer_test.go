package peg_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// An initializer that gives something else a name which the code that pigeon puts into each parser uses is refused. The names
// are those that parsers of pigeon do not declare themselves.
func TestNamesOfTheRuntime(t *testing.T) {
	free, packages := map[string]bool{}, map[string]string{}
	at := filepath.Join(t.TempDir(), "g.peg")
	must.Do(t, os.WriteFile(at, []byte("{\npackage p\n}\na <- v:( 'x' / [\\pL]i . )* !'y' &'z'+ { return v, nil }\n"), 0o666))
	for _, flags := range []string{"-x=false", "-optimize-parser -optimize-basic-latin", "-support-left-recursion -nolint"} {
		text := must.Of(exec.Command("go", append(append([]string{"tool", "pigeon"}, strings.Fields(flags)...), at)...).Output())(t)
		file := must.Of(parser.ParseFile(token.NewFileSet(), "parser.go", text, 0))(t)
		for _, i := range file.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			packages[path[strings.LastIndexByte(path, '/')+1:]] = path
		}
		keys := map[*ast.Ident]bool{} // of fields
		ast.Inspect(file, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					keys[id] = true
				}
			}
			return true
		})
		for _, id := range file.Unresolved {
			free[id.Name] = free[id.Name] || !keys[id]
		}
	}
	maps.DeleteFunc(free, func(name string, used bool) bool { return !used })
	if len(packages) < 10 || len(free) < 30 {
		t.Fatalf("only %d packages and %d names", len(packages), len(free))
	}
	refused := func(name, code string) bool {
		err := refusal(peg.Read("t.peg", []byte("{\npackage p\n\n"+strings.ReplaceAll(code, "NAME", name)+"\n}\na <- 'x'\n")))
		return err != nil && strings.Contains(err.Error(), "to something else: the parser uses")
	}
	for name := range free {
		if packages[name] == "" && types.Universe.Lookup(name) == nil {
			t.Errorf("%s is neither a package nor Go's own", name)
		}
		for _, code := range []string{
			`var NAME = 1`, `const x, NAME = 1, 2`, `type NAME int`, `func NAME() {}`, `import NAME "container/list"`, `import ("io"; NAME "sh/list")`,
			`import "sh/NAME"`, `import "sh/go-NAME/v2"`, `import "sh/NAME.v3"`,
		} {
			if !refused(name, code) {
				t.Errorf("%s: %s is not refused", name, code)
			}
		}
		if from := packages[name]; from != "" && (refused(name, "import "+strconv.Quote(from)) || refused(name, `import NAME `+strconv.Quote(from))) {
			t.Errorf("%s itself is refused", from)
		}
	}
	if refused("own", "var NAME = 1") {
		t.Error("a name of the file's own is refused")
	}
}

// What is imported from elsewhere is an assumption, each package by itself; what is no file of Go, C and linkname are refused.
func TestImports(t *testing.T) {
	g, err := peg.Read("t.peg", []byte("{ package p; import \"fmt\"\nimport (\n\t\"math/rand/v2\"\n\tx \"example.com/y\"\n\t. \"sh/z\"\n\t_ \"embed\"\n)\n}\na <- 'x'\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := "package example.com/y, which is imported, leaves the parser alone, and is not named like one that the parser uses (t.peg:4:2) " +
		"package sh/z, which is imported, leaves the parser alone, and is not named like one that the parser uses (t.peg:5:2)"
	if got := strings.Trim(fmt.Sprint(peg.Assumptions(g)[1:]), "[]"); got != want {
		t.Errorf("assumed is %s", got)
	}
	for code, want := range map[string]string{
		"\npackage p\nimport \"C\"\n":                     "t.peg:3:8: an initializer with C is not supported",
		"\npackage p\n//go:linkname f sh/f.g\nfunc f()\n": "t.peg:3:1: a linkname directive is not supported",
		"\npackage p\n/*\n":                               "t.peg:1:1: the initializer is not Go",
		"\npackage p\nvar x = `\n":                        "t.peg:1:1: the initializer is not Go",
		"\npackage p\n` // \" '\n":                        "t.peg:1:1: the initializer is not Go",
		"import \"sh/utf8\"":                              "t.peg:1:1: the initializer gives the name \"utf8\" to something else",
	} {
		if err := refusal(peg.Read("t.peg", []byte("{"+code+"}\na <- 'x'\n"))); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", code, err)
		}
	}
}

// Each of these initializers makes pigeon's parser accept x where the rule says a. Here they are refused, or assumed not to.
func TestInitializersThatChangeTheParser(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parsers")
	}
	const shim = `
func DecodeRune(b []byte) (rune, int) {
	r, n := utf8.DecodeRune(b)
	if r == 'x' {
		r = 'a'
	}
	return r, n
}
`
	const ask = "\nfunc Accepts(s string) bool { _, err := Parse(\"\", []byte(s)); return err == nil }\n"
	const here = "github.com/bnfcheck/bnfcheck/internal/notation/peg/harness/"
	files := map[string]string{
		"utf8/shim.go":  "package utf8\n\nimport \"unicode/utf8\"\n\nconst RuneError = utf8.RuneError\n" + shim,
		"other/shim.go": "package other\n\nimport \"unicode/utf8\"\n\nconst RuneError = utf8.RuneError\n" + shim,
	}
	main := ""
	var texts []string
	for i, code := range []string{
		`import "` + here + `utf8"`,
		`import utf8 "` + here + `other"`,
		"import u \"unicode/utf8\"\n\ntype shim struct{ RuneError rune }\n\nvar utf8 = shim{u.RuneError}\n" +
			strings.Replace(strings.ReplaceAll(shim, "utf8.", "u."), "func ", "func (shim) ", 1),
		"/*",
	} {
		rule := "a <- \"a\" !."
		if code == "/*" {
			rule = "a <- \"*\\x2f var g = &grammar{rules: []*rule{{name: `a`, expr: &anyMatcher{}}, {name: `b`, expr: &litMatcher{ //\""
		}
		name := fmt.Sprintf("p%d", i)
		head := "package " + name + "\n"
		text := "{\n" + head + code + "\n}\n" + rule + "\n"
		if code != "/*" {
			text = "{\n" + head + code + "\n" + ask + "}\n" + rule + "\n"
		}
		texts = append(texts, text)
		at := filepath.Join(t.TempDir(), "g.peg")
		must.Do(t, os.WriteFile(at, []byte(text), 0o666))
		parser, err := exec.Command("go", "tool", "pigeon", "-optimize-parser", at).Output()
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		files[name+"/parser.go"] = string(parser)
		if code == "/*" {
			files[name+"/ask.go"] = head + ask
		}
		main += fmt.Sprintf("\tfmt.Println(%q, %s.Accepts(\"x\"))\n", name, name)
		files["main.go"] += fmt.Sprintf("import %q\n", here+name)
	}
	files["main.go"] = "package main\n\nimport \"fmt\"\n" + files["main.go"] + "\nfunc main() {\n" + main + "}\n"
	out := must.Of(exec.Command(build(t, t.TempDir(), files)).Output())(t)
	for i, text := range texts {
		if !strings.Contains(string(out), fmt.Sprintf("p%d true", i)) {
			t.Errorf("pigeon's parser does what the rule says: %s\n%s", out, text)
		}
		g, err := peg.Read("t.peg", []byte(text))
		if refusal(g, err) == nil && !strings.Contains(fmt.Sprint(peg.Assumptions(g)), "harness/") {
			t.Errorf("read without an assumption:\n%s", text)
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
