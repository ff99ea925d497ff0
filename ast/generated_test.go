package ast_test

import (
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	goast "go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The package documentation names exactly what generated packages use of this package.
func TestDocumentationNamesWhatGeneratedCodeUses(t *testing.T) {
	fset := token.NewFileSet()
	source := must.Of(parser.ParseFile(fset, "ast.go", nil, parser.ParseComments|parser.PackageClauseOnly))(t)
	_, section, found := strings.Cut(source.Doc.Text(), "# For generated code\n")
	if !found {
		t.Fatal("the section is missing")
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`\[([A-Z]\w*)`).FindAllStringSubmatch(section, -1) {
		named[m[1]] = true
	}
	files, err := filepath.Glob("../gen/*/*.go")
	files = append(files, "../examples/literals/fast.go")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d generated files, %v", len(files), err)
	}
	// What only packages of other grammars use: those that nest, and those that are not decided by a few bytes.
	used := map[string]bool{"Run": true, "ReadProductions": true, "Automaton": true, "SyntaxError": true, "NewChecker": true}
	for _, file := range files {
		f := must.Of(parser.ParseFile(fset, file, nil, parser.SkipObjectResolution))(t)
		for _, i := range f.Imports {
			if path := strings.Trim(i.Path.Value, `"`); strings.Contains(path, ".") && path != "github.com/bnfcheck/bnfcheck/ast" {
				t.Errorf("%s imports %s", file, path)
			}
		}
		goast.Inspect(f, func(n goast.Node) bool {
			if s, ok := n.(*goast.SelectorExpr); ok {
				if x, ok := s.X.(*goast.Ident); ok && x.Name == "ast" {
					used[s.Sel.Name] = true
				}
			}
			return true
		})
	}
	if !maps.Equal(used, named) {
		t.Errorf("used: %v\nnamed: %v", slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(named)))
	}
}
