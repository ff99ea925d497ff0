package gopackage

import (
	"bytes"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// imports has the packages that a generated one imports, as the compiler has left them.
var imports = sync.OnceValues(func() (types.Importer, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "../../../ast", "errors", "fmt", "iter", "math", "strings", "testing").Output()
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }), err
})

// compiles checks the types of a package's files as a Go compiler does.
func compiles(files []File) error {
	from, err := imports()
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		file, err := parser.ParseFile(fset, f.Name, f.Text, 0)
		if err != nil {
			return err
		}
		parsed = append(parsed, file)
	}
	_, err = (&types.Config{Importer: from}).Check("fuzz", fset, parsed, nil)
	return err
}

// Grammar in, Go out: the files of a package are Go without an error of types, or the error has a
// place. Made again with the lock file that was written they are the same, also where an entry of
// it is switched on and off again. (What the parser answers is held by choose.FuzzCompile.)
func FuzzMake(f *testing.F) {
	f.Add([]byte(nil), "")
	if _, err := imports(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, names string) {
		text := fuzztest.New(data).ABNF()
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
		src := Source{Package: "fuzz", Grammar: g, Inputs: []Input{{"g.abnf", []byte(text)}}, LockFile: LockName}
		if names != "" {
			src.Nodes = strings.Split(names, ",")
		}
		files, err := Make(src)
		if err != nil {
			var at *expr.Error
			if len(src.Nodes) == 0 && (!errors.As(err, &at) || at.Pos.Line < 1) {
				t.Fatalf("no place: %v\n%s", err, text)
			}
			return
		}
		if err := compiles(files); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		src.Lock = lockOf(files)
		again, err := Make(src)
		if err != nil {
			t.Fatalf("%v, with the lock file that was written\n%s\n%s", err, src.Lock, text)
		}
		for i, f := range files {
			if !bytes.Equal(f.Text, again[i].Text) {
				t.Fatalf("%s differs when it is made again\n%s", f.Name, text)
			}
		}
		src.Lock = bytes.Replace(src.Lock, []byte("state: off"), []byte("state: on"), 1)
		if !bytes.Equal(src.Lock, lockOf(files)) {
			switched, err := Make(src)
			if err != nil {
				return // the other choice is not possible
			}
			if err := compiles(switched); err != nil {
				t.Fatalf("%v, with a choice switched on\n%s", err, text)
			}
			src.Lock = bytes.Replace(lockOf(switched), []byte("state: on"), []byte("state: off"), 1)
			if back, err := Make(src); err != nil || !bytes.Equal(lockOf(back), lockOf(files)) {
				t.Fatalf("a choice switched on and off again (%v):\n%s\nwas\n%s", err, src.Lock, lockOf(files))
			}
		}
	})
}

func lockOf(files []File) []byte {
	for _, f := range files {
		if f.Name == LockName {
			return f.Text
		}
	}
	return nil
}

// A lock file is refused with a place in it, or the package is made, and writes the lock file that
// it is made again with.
func FuzzLock(f *testing.F) {
	const text = "s = *p *q\np = \"x\" / \"y\"\nq = \"x\" \"x\" / \"z\"\n"
	g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(f)
	src := Source{Package: "fuzz", Grammar: g, Inputs: []Input{{"g.abnf", []byte(text)}}, LockFile: LockName}
	files := must.Of(Make(src))(f)
	f.Add(string(lockOf(files)))
	f.Add(strings.Replace(string(lockOf(files)), "state: off", "state: on", 1))
	f.Add("id: s-1\nkind: derivation\nstate: on\nproductions: s\nchoose: s#1: alternative-2 first\n")
	f.Fuzz(func(t *testing.T, lock string) {
		src := src
		src.Lock = []byte(lock)
		files, err := Make(src)
		if err != nil {
			if !strings.HasPrefix(err.Error(), LockName+":") {
				t.Fatalf("%q: no place: %v", lock, err)
			}
			return
		}
		src.Lock = lockOf(files)
		again, err := Make(src)
		if err != nil || !bytes.Equal(lockOf(again), src.Lock) {
			t.Fatalf("%q is written as\n%s, which makes (%v)\n%s", lock, src.Lock, err, lockOf(again))
		}
	})
}
