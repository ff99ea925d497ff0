package gopackage

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
)

// This file finds other causes that can change what a generated package does, although its own files are
// current: other files in its folder, and another version of the library that it calls.
//
// Another file is judged by its form. It can change the package's variables only if it names them, or reaches the
// Grammar that a tree or an error has. So a file that does neither, and that runs nothing before the program does, is
// harmless.
//
// The library is this program's if Go takes it, by its version, from the module cache, whose sums Go checks.

// maxGoFile caps the size of a Go file in the folder of a package that is read.
const maxGoFile = 1 << 30

// libraryModule is the path of the module that has the library.
const libraryModule = "github.com/bnfcheck/bnfcheck"

// A Build tells which library Go would compile a package with.
type Build struct {
	// Version is the version of this program, "" for a build without one.
	Version string
	// Env is the environment of the go command; nil is that of this process.
	Env []string
}

// Uncovered lists reasons why the package in a folder may not do what its grammar says, although its own files are
// current: other files that Go compiles or links with it, without tests, and the library. Each begins with the file,
// the module or the setting that is the reason. In a module it runs the go command, which fetches nothing. It fails if
// the folder or a file cannot be read, or one of the package's own is not Go.
func Uncovered(folder string, b Build) (list []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	// The names of the package's own variables are known before another file is judged by them.
	own := &ownNames{variables: map[string]bool{}}
	for _, name := range Files {
		if err := own.addFile(filepath.Join(folder, name)); err != nil {
			return nil, err
		}
	}
	for _, e := range entries {
		name := e.Name()
		ignoredByGo := name[0] == '.' || name[0] == '_'
		if e.IsDir() || slices.Contains(Files, name) || ignoredByGo {
			continue
		}
		why := ""
		switch ending := filepath.Ext(name); {
		case slices.Contains(linked, ending):
			why = "Go links it with the package, and it is no Go"
		case ending == ".go" && !strings.HasSuffix(name, "_test.go"):
			why, err = own.whyHarmful(filepath.Join(folder, name))
			if err != nil {
				return nil, err
			}
		}
		if why != "" {
			list = append(list, name+": "+why)
		}
	}
	return append(list, b.libraryDoubts(folder)...), nil
}

// linked has the endings of files other than Go's that the go command makes part of a package.
var linked = []string{
	".c", ".cc", ".cpp", ".cxx", ".m", ".f", ".F", ".for", ".f90", ".s", ".S", ".sx", ".swig", ".swigcxx", ".syso",
}

// ownNames has names of the generated files of a package.
type ownNames struct {
	pkg       string          // the package's
	variables map[string]bool // at the top level
}

// addFile sets o.pkg, and adds the variables of a generated file to o.variables. It ignores a file that does
// not exist, is a test or is not Go. It fails if the file cannot be read or parsed.
func (o *ownNames) addFile(path string) error {
	text, err := infile.ReadFile(path, maxGoFile)
	if errors.Is(err, fs.ErrNotExist) || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
		return nil
	}
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	o.pkg = file.Name.Name
	for _, d := range file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, s := range d.Specs {
			for _, name := range s.(*ast.ValueSpec).Names {
				o.variables[name.Name] = true
			}
		}
	}
	return nil
}

// whyHarmful returns how another file in the folder of the package may change what the package does, or "" if
// it cannot. Build constraints are ignored, since another build has other tags. A file that is not Go is
// harmful; one of another package is not. whyHarmful fails if the file cannot be read. addFile must have been called
// for the package's own files.
func (o *ownNames) whyHarmful(path string) (string, error) {
	text, err := infile.ReadFile(path, maxGoFile)
	if err != nil {
		return "", err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
	switch {
	case file == nil || err != nil:
		return "it is not Go, as far as this program knows Go", nil
	case file.Name.Name != o.pkg: // Go does not compile the two together
		return "", nil
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if word, _, _ := strings.Cut(c.Text, " "); isDirective(word) {
				return "it has the directive " + word, nil
			}
		}
	}
	for _, i := range file.Imports {
		if from, _ := strconv.Unquote(i.Path.Value); from == "C" || from == "unsafe" {
			return "it imports " + from, nil
		}
	}
	if why := whyDeclarationsHarm(file); why != "" {
		return why, nil
	}
	for _, id := range file.Unresolved {
		if o.variables[id.Name] {
			return fmt.Sprintf("it names %s, a variable of the package", id.Name), nil
		}
	}
	if selectsGrammar(file) {
		return "it reaches the Grammar of a tree or of an error, which is that of the package", nil
	}
	return "", nil
}

// selectsGrammar reports whether a file selects something of the name Grammar, as the trees and the errors of package
// ast have it. A selection from an imported package counts too, since that may be a variable. One from ast does not,
// since that is a type, unless the file has something else that is called ast.
func selectsGrammar(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Grammar" {
			x, ok := s.X.(*ast.Ident)
			found = found || !ok || x.Name != "ast" || x.Obj != nil
		}
		return !found
	})
	return found
}

// directives has the beginnings of comments that tell a compiler something.
var directives = []string{"//go:", "//export", "//cgo_", "//line", "/*line"}

// isDirective reports whether a comment that begins with the word tells a compiler something. The comments
// that only the go command reads, go:build and go:generate, do not.
func isDirective(word string) bool {
	if word == "//go:build" || word == "//go:generate" {
		return false
	}
	return slices.ContainsFunc(directives, func(d string) bool { return strings.HasPrefix(word, d) })
}

// whyDeclarationsHarm returns the first of the ways in which the declarations of a file may change the package, or ""
// if they cannot: by running before the program does, by giving another meaning to one of Go's names, by adding a
// method to a type that is not the file's own, or by a function whose body is elsewhere.
func whyDeclarationsHarm(file *ast.File) string {
	types := map[string]bool{} // that the file declares; an alias may name a type of the package
	for _, d := range file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range d.Specs {
			if s, ok := s.(*ast.TypeSpec); ok && !s.Assign.IsValid() {
				types[s.Name.Name] = true
			}
		}
	}
	for _, d := range file.Decls {
		why := ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			why = whyFuncHarms(d, types)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				why = cmp.Or(why, whySpecHarms(s, d.Tok))
			}
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// whyFuncHarms is whyDeclarationsHarm for a function or a method. types has the file's own types. A function without a
// body harms, as what it does is not in the file. So does a method of a generic type, even if that is the file's own.
func whyFuncHarms(d *ast.FuncDecl, types map[string]bool) string {
	switch {
	case d.Recv == nil && d.Name.Name == "init":
		return "its function init runs before the program does"
	case d.Body == nil:
		return "it has a function without a body"
	case d.Recv == nil:
		return whyNameHarms(d.Name)
	}
	on := d.Recv.List[0].Type
	if star, ok := on.(*ast.StarExpr); ok {
		on = star.X
	}
	if id, ok := on.(*ast.Ident); !ok || !types[id.Name] {
		return "it has the method " + d.Name.Name + " of a type that is not its own"
	}
	return ""
}

// whySpecHarms is whyDeclarationsHarm for a type, or for variables or constants: tok tells which.
func whySpecHarms(s ast.Spec, tok token.Token) string {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return whyNameHarms(s.Name)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if why := whyNameHarms(name); why != "" {
				return why
			}
		}
		for _, v := range s.Values {
			if tok == token.VAR && runsCode(v) {
				return fmt.Sprintf("its variable %s is computed before the program runs", s.Names[0].Name)
			}
		}
	}
	return ""
}

// whyNameHarms returns a reason if the name is one of Go's own, which would get another meaning in the whole
// package, and otherwise "".
func whyNameHarms(name *ast.Ident) string {
	if types.Universe.Lookup(name.Name) == nil {
		return ""
	}
	return fmt.Sprintf("it gives Go's own name %s another meaning", name.Name)
}

// runsCode reports whether computing a value calls a function or receives from a channel. A
// conversion looks like a call, and counts as one.
func runsCode(e ast.Expr) (calls bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // its body does not run here
			return false
		case *ast.CallExpr:
			calls = true
		case *ast.UnaryExpr:
			calls = calls || n.Op == token.ARROW
		}
		return !calls
	})
	return calls
}

// A listedPackage has the fields that go list prints for a package.
type listedPackage struct {
	ImportPath, Dir string
	Module          *listedModule
}

// A listedModule has the fields that go list prints for the module of a package.
type listedModule struct {
	Path, Version, Dir string
	Main               bool // it is being worked on, in this module or the workspace
	Replace            *struct{ Path, Version string }
}

// riskyFlags are flags of the go command that can change what is compiled.
var riskyFlags = []string{
	"overlay", "toolexec", "compiler", "gccgoflags", "gcflags", "asmflags", "ldflags", "linkshared", "pkgdir",
}

// libraryDoubts lists reasons why the library that Go compiles the package in a folder with may not be this
// program's. It asks the go command. One reason is that this cannot be found out. For a folder in no module the list is
// nil: there is no version to look at.
func (b Build) libraryDoubts(folder string) []string {
	if !isInModule(folder) {
		return nil
	}
	var list []string
	out, err := b.runGo(folder, "env", "GOFLAGS")
	// A flag in GOFLAGS may be quoted, so that its value can have spaces. What follows a space in a value
	// is taken for another flag, which does no harm.
	isBetweenFlags := func(c rune) bool { return strings.ContainsRune(" \t\r\n'\"", c) }
	for _, flag := range strings.FieldsFunc(out, isBetweenFlags) { // none if err is set: out is then empty
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if slices.Contains(riskyFlags, name) {
			list = append(list, fmt.Sprintf("GOFLAGS has -%s, which can change what is compiled", name))
		}
	}
	if err == nil {
		out, err = b.runGo(folder, "list", "-deps", "-json=ImportPath,Dir,Module", ".")
	}
	if err != nil {
		const format = "%s: which version of it the package is compiled with is not known: %v"
		return append(list, fmt.Sprintf(format, libraryModule, err))
	}
	var all []listedPackage
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var p listedPackage
		if err := d.Decode(&p); err != nil {
			const format = "%s: what go list says of it cannot be read: %v"
			return append(list, fmt.Sprintf(format, libraryModule, err))
		}
		all = append(all, p)
	}
	// go list prints the package itself last. One of the library's own module is compiled with it.
	if n := len(all); n > 0 {
		if own := all[n-1].Module; own != nil && own.Path == libraryModule {
			return list
		}
	}
	i := slices.IndexFunc(all, func(p listedPackage) bool {
		return strings.HasPrefix(p.ImportPath, libraryModule+"/")
	})
	if i < 0 || all[i].Module == nil {
		return append(list, libraryModule+": which version of it the package is compiled with is not "+
			"known: Go takes it from no module")
	}
	return append(list, b.whyOther(all[i])...)
}

// whyOther returns why the library that p belongs to is not, or may not be, that of this program. The list has one
// reason, or none if it is. p must have a module.
func (b Build) whyOther(p listedPackage) []string {
	m := p.Module
	says := func(format string, args ...any) []string {
		return []string{libraryModule + ": " + fmt.Sprintf(format, args...)}
	}
	switch {
	case m.Replace != nil:
		return says("go.mod or go.work replaces it by %s", strings.TrimSpace(m.Replace.Path+" "+m.Replace.Version))
	case m.Main:
		return says("go.work takes it from %s", m.Dir)
	case m.Dir == "" || !strings.HasPrefix(p.Dir, m.Dir):
		return says("it is taken from a folder vendor, which may have been edited")
	case b.Version == "":
		return says("it is %s, and this program is a build without a version", m.Version)
	case m.Version != b.Version:
		return says("it is %s, and this program is %s", m.Version, b.Version)
	}
	return nil
}

// isInModule reports whether a folder, or one around it, has a go.mod. It is false if that cannot
// be found out.
func isInModule(folder string) bool {
	dir, err := filepath.Abs(folder)
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// runGo runs the go command in a folder and returns its output. The command fetches nothing: neither modules nor
// another version of Go. The error is the first line of that of goCommand.
func (b Build) runGo(folder string, args ...string) (string, error) {
	env := b.Env
	if env == nil {
		env = os.Environ()
	}
	out, err := goCommand(folder, append(slices.Clone(env), "GOPROXY=off", "GOTOOLCHAIN=local"), args...)
	if err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return "", errors.New(line)
	}
	return out, nil
}
