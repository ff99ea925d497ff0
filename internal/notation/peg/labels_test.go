package peg_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A label twice in one scope, before an action of that scope: pigeon's parser would not compile, and the rule is refused.
// What pigeon writes for each rule is given to Go's type checker.
func TestLabelsOfOneScope(t *testing.T) {
	longtest.Need(t, "it type-checks what pigeon writes for 400 rules")
	const act = ` { return nil, nil }`
	rules := []string{ // A stands for an action
		`x:"a" x:"b"`,
		`x:"a" x:"b" A`,
		`x:"a" y:"b" A`,
		`x:"a" ( x:"b" A )`,
		`( x:"a" A ) x:"b"`,
		`( x:"a" A ) ( x:"b" A )`,
		`( x:"a" A ) ( y:"b" A )`,
		`( x:"a" A )? ( x:"b" A )`,
		`( x:"a" A )* ( x:"b" A )+`,
		`&( x:"a" A ) ( x:"b" A )`,
		`!( x:"a" A ) ( x:"b" A )`,
		`x:( x:"a" A ) A`,
		`x:"a" / x:"b" A`,
		`( x:"a" / y:"b" ) x:"c" A`,
		`( ( ( x:"a" ) ) ) ( x:"b" ) A`,
		`x:"a" ( x:"b" / "c" A )`,
		`x:"a" ( "b" / x:"c" A )`,
		`x:"a" ( ( x:"c" A ) / "b" )`,
		`x:"a" x:"b" ( "c" A / "d" )`,
		`x:"a" x:"b" ( "c" A )`,
		`_:"a" _:"b" A`,
		`c:"a" A`,
		`c:"a"`,
		`c:"a" ( "b" A / "c" )`,
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		rules = append(rules, labels(rnd, 3))
	}
	refused := make([]bool, len(rules))
	var all strings.Builder
	all.WriteString("{\npackage p\n}\n")
	for i, r := range rules {
		rule := fmt.Sprintf("g%d_ <- %s\n", i, strings.ReplaceAll(r, " A", act))
		all.WriteString(rule)
		_, err := peg.Read("test.peg", []byte(rule))
		if refused[i] = err != nil; err != nil && !strings.HasSuffix(err.Error(), "pigeon's parser does not compile") {
			t.Errorf("%s: %v", rule, err)
		}
	}
	file := filepath.Join(t.TempDir(), "labels.peg")
	must.Do(t, os.WriteFile(file, []byte(all.String()), 0o666))
	out := must.Of(exec.Command("go", "tool", "pigeon", file).Output())(t)
	fails := map[string]bool{}
	files := token.NewFileSet()
	src := must.Of(parser.ParseFile(files, "labels.go", out, parser.SkipObjectResolution))(t)
	check := types.Config{IgnoreFuncBodies: true, Error: func(err error) { // what is imported is not there, which does not matter
		at := err.(types.Error)
		for _, d := range src.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Pos() <= at.Pos && at.Pos < f.End() && strings.Contains(at.Msg, "redeclared") {
				rule, _, _ := strings.Cut(strings.TrimPrefix(f.Name.Name, "on"), "_")
				fails[rule] = true
			}
		}
	}}
	check.Check("p", files, []*ast.File{src}, nil)
	count := 0
	for i, r := range rules {
		if fails[fmt.Sprint("g", i)] != refused[i] {
			t.Errorf("%s: refused %t, does not compile %t", r, refused[i], !refused[i])
		}
		if refused[i] {
			count++
		}
	}
	if count < len(rules)/10 || count > len(rules)*9/10 {
		t.Errorf("%d of %d rules are refused", count, len(rules))
	}
}

// labels makes a random expression with labels and actions.
func labels(rnd *rand.Rand, depth int) string {
	one := func(of ...string) string { return of[rnd.IntN(len(of))] }
	var choice []string
	for range 1 + rnd.IntN(2) {
		seq := ""
		for range 1 + rnd.IntN(2) {
			e := one(`"a"`, `"b"`)
			if depth > 0 && rnd.IntN(2) == 0 {
				e = "( " + labels(rnd, depth-1) + " )"
			}
			seq += one("", "", "x:", "y:") + one("", "", "", "!", "&") + e + one("", "", "", "?", "*", "+") + " "
		}
		choice = append(choice, strings.TrimSpace(seq)+one("", " A"))
	}
	return strings.Join(choice, " / ")
}
