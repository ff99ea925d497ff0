package gopackage

import (
	"bytes"
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
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// That the files of a package are what its grammar makes says what the package does only if
// nothing else is compiled into it, or changes the library that it calls. This file lists what
// may. Of another file in the folder that is decided by its form: it can change the package's
// variables only if it names them, so a file that does not, and runs nothing before the program
// does, is harmless. The library is the one of this program if Go takes it, by its version, from
// the module cache, whose sums Go checks.

// libraryModule is the path of the module that has the library.
const libraryModule = "github.com/bnfcheck/bnfcheck"

// A Build says what Go would compile a package with.
type Build struct {
	// Version is the version of this program, "" for a build without one.
	Version string
	// Env is the environment of the go command; nil is that of this process.
	Env []string
}

// Uncovered lists what may change what the package in a folder does although its own files are
// current, each with the file or the module that it is about. The error is one of reading.
func Uncovered(folder string, b Build) (list []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	own := &ownNames{variables: map[string]bool{}}
	for _, name := range Files {
		if err := own.add(filepath.Join(folder, name)); err != nil {
			return nil, err
		}
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || slices.Contains(Files, name) || name[0] == '.' || name[0] == '_' { // Go overlooks the last two
			continue
		}
		why := ""
		switch ending := filepath.Ext(name); {
		case slices.Contains(linked, ending):
			why = "Go links it with the package, and it is no Go"
		case ending == ".go" && !strings.HasSuffix(name, "_test.go"):
			if why, err = own.harm(filepath.Join(folder, name)); err != nil {
				return nil, err
			}
		}
		if why != "" {
			list = append(list, name+": "+why)
		}
	}
	return append(list, b.uncovered(folder)...), nil
}

// linked are the endings of the files beside Go's that the go command makes part of a package.
var linked = []string{
	".c", ".cc", ".cpp", ".cxx", ".m", ".f", ".F", ".for", ".f90", ".s", ".S", ".sx", ".swig", ".swigcxx", ".syso",
}

// ownNames are the names in the files of a package that are generated.
type ownNames struct {
	pkg       string
	variables map[string]bool
}

// add adds the names of a file, if there is one and it is Go.
func (o *ownNames) add(path string) error {
	text, err := os.ReadFile(path)
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
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, s := range d.Specs {
				for _, name := range s.(*ast.ValueSpec).Names {
					o.variables[name.Name] = true
				}
			}
		}
	}
	return nil
}

// harm returns how another file in the folder of the package may change what the package does, or
// "". Build constraints do not count: another build has other tags. The error is one of reading.
func (o *ownNames) harm(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
	switch {
	case file == nil || err != nil:
		return "it is not Go, as far as this program knows Go", nil
	case file.Name.Name != o.pkg: // which cannot be compiled with it
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
	if why := declared(file); why != "" {
		return why, nil
	}
	for _, id := range file.Unresolved {
		if o.variables[id.Name] {
			return fmt.Sprintf("it names %s, a variable of the package", id.Name), nil
		}
	}
	return "", nil
}

// isDirective reports whether a comment that begins with the word tells a compiler something. What
// is built, and what generates files, is for the go command alone.
func isDirective(word string) bool {
	switch {
	case word == "//go:build", word == "//go:generate":
		return false
	}
	return strings.HasPrefix(word, "//go:") || strings.HasPrefix(word, "//export") || strings.HasPrefix(word, "//cgo_") ||
		strings.HasPrefix(word, "//line") || strings.HasPrefix(word, "/*line")
}

// declared returns how what a file declares may change the package: by running before the program
// does, by giving another meaning to a name of Go's, or by adding a method to a type that is not
// its own.
func declared(file *ast.File) string {
	types := map[string]bool{}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					types[s.Name.Name] = true
				}
			}
		}
	}
	for _, d := range file.Decls {
		why := ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			why = declaredFunc(d, types)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				why = cmp.Or(why, declaredSpec(s, d.Tok))
			}
		}
		if why != "" {
			return why
		}
	}
	return ""
}

func declaredFunc(d *ast.FuncDecl, types map[string]bool) string {
	switch {
	case d.Recv == nil && d.Name.Name == "init":
		return "its function init runs before the program does"
	case d.Recv == nil:
		return hides(d.Name)
	case d.Body == nil:
		return "it has a function without a body"
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

func declaredSpec(s ast.Spec, tok token.Token) string {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return hides(s.Name)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if why := hides(name); why != "" {
				return why
			}
		}
		for _, v := range s.Values {
			if tok == token.VAR && runs(v) {
				return fmt.Sprintf("its variable %s is computed before the program runs", s.Names[0].Name)
			}
		}
	}
	return ""
}

// hides returns that a name of Go's own gets another meaning in the whole package, or "".
func hides(name *ast.Ident) string {
	if types.Universe.Lookup(name.Name) == nil {
		return ""
	}
	return fmt.Sprintf("it gives Go's own name %s another meaning", name.Name)
}

// runs reports whether computing a value calls something, or waits for it.
func runs(e ast.Expr) (calls bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // which is not called here
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

// A listed is what go list says of a package.
type listed struct {
	ImportPath, Dir string
	Module          *listedModule
}

type listedModule struct {
	Path, Version, Dir string
	Main               bool // it is being worked on, in this module or the workspace
	Replace            *struct{ Path, Version string }
}

// uncovered lists why the library that Go compiles the package in a folder with may be another
// than this program's. Of a folder in no module nothing is known, and nothing is said.
func (b Build) uncovered(folder string) []string {
	if !hasModule(folder) {
		return nil
	}
	var list []string
	out, err := b.run(folder, "env", "GOFLAGS")
	for _, flag := range strings.Fields(out) {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if slices.Contains([]string{"overlay", "toolexec", "compiler", "gccgoflags", "gcflags", "asmflags", "ldflags"}, name) {
			list = append(list, fmt.Sprintf("GOFLAGS has -%s, which can change what is compiled", name))
		}
	}
	if err == nil {
		out, err = b.run(folder, "list", "-deps", "-json=ImportPath,Dir,Module", ".")
	}
	if err != nil {
		return append(list, fmt.Sprintf("%s: which version of it the package is compiled with is not known: %v", libraryModule, err))
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return append(list, fmt.Sprintf("%s: what go list says of it cannot be read: %v", libraryModule, err))
		}
		all = append(all, p)
	}
	if n := len(all) - 1; n >= 0 && all[n].Module != nil && all[n].Module.Path == libraryModule { // which is the library's own
		return list
	}
	i := slices.IndexFunc(all, func(p listed) bool { return strings.HasPrefix(p.ImportPath, libraryModule+"/") })
	if i < 0 || all[i].Module == nil {
		return append(list, libraryModule+": which version of it the package is compiled with is not known: Go takes it from no module")
	}
	return append(list, b.other(all[i])...)
}

// other returns why a package of the library is not that of this program.
func (b Build) other(p listed) []string {
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

// hasModule reports whether a folder, or one above it, has a go.mod.
func hasModule(folder string) bool {
	dir, err := filepath.Abs(folder)
	for err == nil {
		if _, none := os.Stat(filepath.Join(dir, "go.mod")); none == nil {
			return true
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// run runs the go command in a folder, where it fetches nothing.
func (b Build) run(folder string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = folder, b.Env
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(slices.Clone(cmd.Env), "GOPROXY=off", "GOTOOLCHAIN=local")
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		return "", fmt.Errorf("go %s: %s", args[0], cmp.Or(line, err.Error()))
	}
	return out.String(), nil
}
