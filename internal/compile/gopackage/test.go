package gopackage

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

//go:embed generated_test.go.txt
var testText string

// testFile returns the file with the test. It is the same in every package, but for the words.
func (p *writer) testFile() ([]byte, error) {
	var b bytes.Buffer
	p.header(&b)
	fmt.Fprintf(&b, "package %s\n\n%s", p.Package, testText)
	if p.general {
		b.WriteString("\n// generatedChecker finds whether a tree is a derivation.\nvar generatedChecker, _ = NewChecker()\n")
	} else {
		b.WriteString("\n// generatedChecker is nil: no production is left to the general parser.\nvar generatedChecker *ast.Checker\n")
	}
	b.WriteString("\n// generatedWords has a short string of each production that derives one, and some of each that the general parser derives.\n" +
		"var generatedWords = map[ast.Kind][]string{\n")
	words := shortest(p.bnf)
	for _, r := range p.bnf.Rules {
		w, ok := words[r.ID]
		if !ok || len(w) > 200 {
			continue
		}
		fmt.Fprintf(&b, "%s: {%q", p.kind(r.ID), w)
		for _, more := range p.tried[r.ID] {
			if more != w {
				fmt.Fprintf(&b, ", %q", more)
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	if w, ok := p.telling(words); ok && len(w) <= 200 {
		fmt.Fprintf(&b, `
func ExampleParse() {
	tree, err := Parse(%q)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%%s derives %%q\n", tree.Root().Name(), tree.Root().Text())
	// Output: %s derives %[1]q
}
`, w, p.first.Name)
	}
	return b.Bytes(), nil
}

// telling returns a string that the start derives: one that has what is optional, of letters where these can stand, down to a
// depth, and the shortest strings of what is deeper.
func (p *writer) telling(shortest map[string]string) (string, bool) {
	type at struct {
		id    string
		depth int
	}
	known := map[at]*string{} // nil where there is none
	var of func(e *expr.Expr, depth int) (string, bool)
	of = func(e *expr.Expr, depth int) (w string, ok bool) {
		switch e.Op {
		case expr.Empty:
			return "", true
		case expr.Class:
			for _, r := range [][2]byte{{'a', 'z'}, {'0', '9'}, {'A', 'Z'}, {'!', '~'}, {0, 255}} {
				if m := e.Set.Intersect(expr.Range(r[0], r[1])).Members(); len(m) > 0 {
					return string([]byte{m[0]}), true
				}
			}
		case expr.Literal:
			return e.Lit, true
		case expr.Ref:
			key := at{e.Name, depth}
			if _, done := known[key]; !done {
				if depth == 0 {
					w, ok = shortest[e.Name]
				} else {
					w, ok = of(p.bnf.Rule(e.Name).Expr, depth-1)
				}
				if known[key] = nil; ok {
					known[key] = &w
				}
			}
			if known[key] != nil {
				return *known[key], true
			}
		case expr.Repeat:
			if w, ok = of(e.Sub[0], depth); e.Min == 0 && (!ok || e.Max == 0) {
				return "", true
			}
			if n := max(e.Min, 1); ok && len(w)*n <= longestShort {
				return strings.Repeat(w, n), true
			}
		case expr.Seq:
			for _, s := range e.Sub {
				more, ok := of(s, depth)
				if w += more; !ok || len(w) > longestShort {
					return "", false
				}
			}
			return w, true
		case expr.Alt:
			for _, s := range e.Sub {
				if w, ok = of(s, depth); ok {
					return w, true
				}
			}
		}
		return "", false
	}
	return of(p.first.Expr, 4)
}
