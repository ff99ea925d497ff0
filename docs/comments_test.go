package docs

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestPackageComments compiles the lines with which the documentation of a package begins, and which a user copies, as the body of a
// function.
func TestPackageComments(t *testing.T) {
	module := packagesModule(t)
	for _, c := range []struct {
		folder, file, imports string
		lines                 int // at least
	}{
		{".", "bnfcheck.go", "fmt . ./gen/rfc3986", 8},
		{"ast", "ast.go", "errors fmt ./ast ./examples/calendar", 8},
		{"semantic", "doc.go", "fmt ./semantic", 8},
		{"semantic/extract", "extract.go", "fmt strings ./semantic/extract", 6},
		{"semantic/fix", "fix.go", "fmt . ./semantic/fix", 8},
		{"semantic/partial", "partial.go", "fmt . ./semantic/partial", 6},
		{"semantic/samehost", "samehost.go", "fmt ./semantic/samehost", 4},
		{"semantic/gopherplus", "gopherplus.go", "fmt ./semantic/gopherplus", 2},
	} {
		name := filepath.Join("..", c.folder, c.file)
		file := must.Of(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.PackageClauseOnly))(t)
		lines := firstCode(file)
		if strings.Count(lines, "\n") < c.lines {
			t.Errorf("%s: the documentation does not begin with lines to copy, but %q", name, lines)
			continue
		}
		var program strings.Builder
		program.WriteString("package main\n\nimport (\n")
		for _, path := range strings.Fields(c.imports) {
			if strings.HasPrefix(path, ".") {
				path = modulePath + strings.TrimPrefix(path, ".")
			}
			fmt.Fprintf(&program, "\t%q\n", path)
		}
		fmt.Fprintf(&program, ")\n\nfunc copied(s, src string) error {\n%s\treturn nil\n}\n\nfunc main() {}\n", lines)
		inner := filepath.Join(module, strings.ReplaceAll(c.folder, ".", "root"))
		must.Do(t, os.MkdirAll(inner, 0o777))
		must.Do(t, os.WriteFile(filepath.Join(inner, "main.go"), []byte(program.String()), 0o666))
		if status, out := runIn(inner, "go", "vet", "."); status != 0 {
			t.Errorf("the lines in %s do not compile: %s\n%s", name, out, program.String())
		}
	}
}

// firstCode returns the first lines of code in the documentation of a package.
func firstCode(file *ast.File) string {
	for _, block := range new(comment.Parser).Parse(file.Doc.Text()).Content {
		if code, ok := block.(*comment.Code); ok {
			return code.Text
		}
	}
	return ""
}
