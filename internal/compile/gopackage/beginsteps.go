package gopackage

import (
	"cmp"
	"fmt"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// This file looks into a folder to decide the name of the Go package that begins there, and how it is made
// and tested.

// NameOf derives the name of a Go package from the last element of a folder's path. The result may be empty or
// no identifier; callers check that.
func NameOf(folder string) string { return NameWith(folder, "_") }

// NameWith derives the name of a package in any language from the last element of a folder's path: its ASCII
// letters, in lower case, its digits, and those of its characters that are in marks. It may be empty.
func NameWith(folder, marks string) string {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', strings.ContainsRune(marks, r):
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, filepath.Base(abs))
}

// fileName matches the names that init gives to files: they stay in their folder, and the name can stand in a
// line that begins with "//go:generate".
var fileName = regexp.MustCompile(`^[\pL\pN][\pL\pN_-]*$`)

// ChoosePackage sets b.Package, unless it is set, to the name of the folder or, if no package can have that
// name, to that of the start up to a hyphen. It fails if no package of the name in b.Package can then be imported.
func (b *Beginning) ChoosePackage(folder string) error {
	if b.Package == "" {
		b.Package = NameOf(folder)
		if !canBeImported(b.Package) {
			first, _, _ := strings.Cut(b.Start, "-")
			b.Package = NameOf(first)
		}
	}
	if !canBeImported(b.Package) {
		return fmt.Errorf("%q cannot be the name of a package that is imported: choose another one with --package, "+
			"or another folder with -o", b.Package)
	}
	return nil
}

// ChooseName sets b.Name, unless it is set, to usual. It fails if b.Name is then no name for files.
func (b *Beginning) ChooseName(usual string) error {
	if b.Name == "" {
		b.Name = usual
	}
	if !fileName.MatchString(b.Name) {
		return fmt.Errorf("%q cannot be the name of the files: write letters, digits, \"-\" and \"_\" with --name",
			b.Name)
	}
	return nil
}

// FilesIn returns the paths of the files in a folder whose names match a pattern as [path.Match] has it, in the order
// of their names. Nothing in folder is a pattern, unlike with filepath.Glob. It returns none if the folder cannot be
// read, and fails only if the pattern is malformed. "" is the current folder.
func FilesIn(folder, pattern string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(cmp.Or(folder, ".")), pattern)
	for i, name := range names {
		names[i] = filepath.Join(folder, name)
	}
	return names, err
}

// packageIn returns the name of the package whose Go files are in a folder, taken from the first file by name, without
// the _test of an external test. It returns "" if there are no such files or the folder cannot be read. It fails if the
// first file cannot be read or is not Go.
func packageIn(folder string) (string, error) {
	files, err := FilesIn(folder, "*.go")
	if err != nil || len(files) == 0 {
		return "", err
	}
	f, err := goparser.ParseFile(token.NewFileSet(), files[0], nil, goparser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(f.Name.Name, "_test"), nil
}

// The module that generated packages import, and the tool in it.
const (
	ownModule = "github.com/bnfcheck/bnfcheck"
	ownTool   = ownModule + "/cmd/bnfcheck"
)

// chooseCommand returns the command with which go generate runs bnfcheck in the folder: a tool of the module if go.mod
// or bnfcheck.mod names it, and otherwise the program in PATH. It also returns the commands that a person is to run
// there next, from those that make or install what is missing to go test. It runs none of them. b.Package must be set.
func (b *Beginning) chooseCommand(folder string) (command string, steps []string) {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	root := folder
	for !isThere(filepath.Join(root, "go.mod")) && root != filepath.Dir(root) {
		root = filepath.Dir(root)
	}
	has := func(file, pattern string) bool {
		text, err := infile.ReadFile(filepath.Join(root, file), maxProjectFile)
		return err == nil && regexp.MustCompile(`(?m)^\s*`+pattern).Match(text)
	}
	if !isThere(filepath.Join(root, "go.mod")) {
		steps = append(steps, "go mod init example.com/"+b.Package)
	}
	if !has("go.mod", `(require |module )?`+ownModule+`( v|$)`) {
		get := "go get " + ownModule
		// A source file with "@" in its path is in the module cache. Without it, this program was built in a clone,
		// whose module need not be published.
		if _, file, _, ok := runtime.Caller(0); ok && !strings.Contains(file, "@") {
			if clone := filepath.Join(filepath.Dir(file), "..", "..", ".."); isThere(filepath.Join(clone, "go.mod")) {
				get = fmt.Sprintf("go mod edit -require %s@v0.0.0 -replace %s", ownModule,
					quote.Shell(layout.Printable(ownModule+"="+filepath.ToSlash(clone))))
			}
		}
		steps = append(steps, get)
	}
	const tool = `(tool )?` + ownTool + `\s*$`
	switch rel, err := filepath.Rel(folder, filepath.Join(root, "bnfcheck.mod")); {
	case err == nil && has("bnfcheck.mod", tool):
		command = "go tool -modfile=" + filepath.ToSlash(rel) + " bnfcheck"
	case has("go.mod", tool):
		command = "go tool bnfcheck"
	default:
		command = "bnfcheck"
		if _, err := exec.LookPath("bnfcheck"); err != nil {
			steps = append(steps, "go install "+ownTool+"@latest    # and have its folder in PATH")
		}
	}
	return command, append(steps, "go generate", "go test")
}

// maxProjectFile caps the size of a go.mod or bnfcheck.mod that is read.
const maxProjectFile = 1 << 20

// isThere reports whether a file or folder exists. It is false if that cannot be found out.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
