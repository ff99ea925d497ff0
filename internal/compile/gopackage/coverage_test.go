package gopackage

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// coveredPackage is what is generated, as far as it matters here.
var coveredPackage = map[string]string{
	"grammar.go": "package g\n\nimport \"" + libraryModule + "/ast\"\n\nvar Grammar = ast.Name\n",
	"fast.go":    "package g\n\nvar accepted, class = [2]bool{}, [256]byte{}\n\nfunc Accepts(s string) bool { return accepted[len(s)%2] }\n",
}

// write writes files into a folder.
func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(folder, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(at), 0o777))
		must.Do(t, os.WriteFile(at, []byte(text), 0o666))
	}
}

// A file beside those of the package is not covered if it may change what they do, and harmless if
// it cannot.
func TestForeignFiles(t *testing.T) {
	for _, c := range []struct{ name, text, why string }{
		{"a.go", "package g", ""},
		{"a.go", "package g\n\n//go:generate bnfcheck generate g.abnf\n", ""},
		{"a.go", "//go:build linux\n\npackage g\n\nimport \"strings\"\n\nfunc Lower(s string) bool { return Accepts(strings.ToLower(s)) }", ""},
		{"a.go", "package g\n\ntype T struct{ class int }\n\nfunc (t *T) Class() int { return t.class }", ""},
		{"a.go", "package g\n\nconst n = 1\n\nvar list = []string{\"a\"}\n\nvar f = func() { panic(1) }", ""},
		{"a.go", "package g\n\nfunc f() { class := 1; class++; _ = class }", ""},
		{"a.go", "package other\n\nfunc init() { panic(1) }", ""},
		{"a_test.go", "package g\n\nfunc init() { accepted[0] = true }", ""},
		{"_a.go", "package g\n\nfunc init() { accepted[0] = true }", ""},
		{".a.go", "package g\n\nfunc init() { accepted[0] = true }", ""},
		{"a.txt", "text", ""},
		{"a.h", "header", ""},

		{"a.go", "package g\n\nfunc init() { accepted[0] = true }", "its function init runs before the program does"},
		{"a.go", "package g\n\nfunc init() {}", "its function init runs before the program does"},
		{"a.go", "//go:build never\n\npackage g\n\nfunc init() {}", "its function init runs before the program does"},
		{"a_plan9.go", "package g\n\nfunc init() {}", "its function init runs before the program does"},
		{"a.go", "package g\n\nvar _ = func() bool { accepted[0] = true; return true }()", "its variable _ is computed before the program runs"},
		{"a.go", "package g\n\nvar x = <-c\n\nvar c chan int", "its variable x is computed before the program runs"},
		{"a.go", "package g\n\nfunc Break() { accepted[0] = true }", "it names accepted, a variable of the package"},
		{"a.go", "package g\n\nfunc Break() { p := &class; p[0] = 1 }", "it names class, a variable of the package"},
		{"a.go", "package g\n\nvar p = &class", "it names class, a variable of the package"},
		{"a.go", "package g\n\nfunc Break() { Grammar.Parse = nil }", "it names Grammar, a variable of the package"},
		{"a.go", "package g\n\nfunc Break() { t, _ := Parse(``); t.Grammar.Parse = nil }",
			"it reaches the Grammar of a tree or of an error, which is that of the package"},
		{"a.go", "package g\n\nfunc Break(ast *T) { ast.Grammar.Parse = nil }",
			"it reaches the Grammar of a tree or of an error, which is that of the package"},
		{"a.go", "package g\n\nimport \"example.com/ast\"\n\nfunc f(g *ast.Grammar) {}", ""},
		{"a.go", "package g\n\nfunc len(s string) int { return 1 }", "it gives Go's own name len another meaning"},
		{"a.go", "package g\n\nconst true = false", "it gives Go's own name true another meaning"},
		{"a.go", "package g\n\ntype byte = rune", "it gives Go's own name byte another meaning"},
		{"a.go", "package g\n\nfunc (h Host) Text() string { return \"\" }", "it has the method Text of a type that is not its own"},
		{"a.go", "package g\n\ntype mine = Host\n\nfunc (mine) Text() string { return \"\" }", "it has the method Text of a type that is not its own"},
		{"a.go", "package g\n\ntype (\n\tmine = *Host\n\tT int\n)\n\nfunc (m mine) Text() string { return \"\" }", "it has the method Text of a type that is not its own"},
		{"a.go", "package g\n\nimport _ \"unsafe\"\n\n//go:linkname parse g.parse\nfunc parse()", "it has the directive //go:linkname"},
		{"a.go", "package g\n\nfunc parse()", "it has a function without a body"},
		{"a.go", "package g\n\nimport \"embed\"\n\n//go:embed a.txt\nvar files embed.FS", "it has the directive //go:embed"},
		{"a.go", "package g\n\nimport \"unsafe\"\n\nvar p unsafe.Pointer", "it imports unsafe"},
		{"a.go", "package g\n\n// int x;\nimport \"C\"", "it imports C"},
		{"a.go", "package g\n\nfunc {", "it is not Go, as far as this program knows Go"},
		{"a.go", "", "it is not Go, as far as this program knows Go"},
		{"a_amd64.s", "TEXT", "Go links it with the package, and it is no Go"},
		{"a.c", "int x;", "Go links it with the package, and it is no Go"},
		{"a.syso", "", "Go links it with the package, and it is no Go"},
	} {
		folder := t.TempDir()
		write(t, folder, coveredPackage)
		write(t, folder, map[string]string{c.name: c.text})
		var want []string
		if c.why != "" {
			want = []string{c.name + ": " + c.why}
		}
		if got := must.Of(Uncovered(folder, Build{}))(t); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s, %q: %v, want %v", c.name, c.text, got, want)
		}
	}
}

// The library that the package is compiled with is covered if it is this version of it, from the
// module cache.
func TestLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command")
	}
	const version = "v1.0.0"
	library := map[string]string{"go.mod": "module " + libraryModule + "\n\ngo 1.26\n", "ast/ast.go": "package ast\n\nconst Name = \"\"\n"}
	env := moduleCache(t, version, library)
	const requires = "module example.com/m\n\ngo 1.26\n\nrequire " + libraryModule + " " + version + "\n"
	for _, c := range []struct {
		name    string
		files   map[string]string
		env     string
		version string
		want    string
	}{
		{"from the cache", nil, "", version, ""},
		{"another version", nil, "", "v1.0.1", ": it is v1.0.0, and this program is v1.0.1"},
		{"a program without a version", nil, "", "", ": it is v1.0.0, and this program is a build without a version"},
		{"replaced", map[string]string{"go.mod": requires + "\nreplace " + libraryModule + " => ./fork\n"}, "", version, ": go.mod or go.work replaces it by ./fork"},
		{"a workspace", map[string]string{"go.work": "go 1.26\n\nuse (\n\t.\n\t./fork\n)\n"}, "", version, ": go.work takes it from "},
		{"replaced in a workspace", map[string]string{"go.work": "go 1.26\n\nuse .\n\nreplace " + libraryModule + " => ./fork\n"}, "", version, ": go.mod or go.work replaces it by ./fork"},
		{"vendored", map[string]string{"vendor/modules.txt": "# " + libraryModule + " " + version + "\n## explicit; go 1.26\n" + libraryModule + "/ast\n", "vendor/" + libraryModule + "/ast/ast.go": library["ast/ast.go"]}, "", version, ": it is taken from a folder vendor"},
		{"an overlay", map[string]string{"o.json": "{}"}, "GOFLAGS=-modcacherw -overlay=o.json", version, "GOFLAGS has -overlay"},
		{"an overlay in quotes", map[string]string{"an o.json": "{}"}, "GOFLAGS=-modcacherw '-overlay=an o.json'", version, "GOFLAGS has -overlay"},
		{"shared libraries", nil, "GOFLAGS=-modcacherw \"-linkshared\"", version, "GOFLAGS has -linkshared"},
		{"flags of the linker", nil, "GOFLAGS=-modcacherw -ldflags=-s", version, "GOFLAGS has -ldflags"},
		{"no modules", nil, "GO111MODULE=off", version, ": which version of it the package is compiled with is not known: "},
		{"a broken module", map[string]string{"go.mod": "module"}, "", version, ": which version of it the package is compiled with is not known: go "},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, folder, coveredPackage)
			write(t, folder, map[string]string{"go.mod": requires, "go.sum": env.sum})
			for name, text := range library {
				write(t, folder, map[string]string{"fork/" + name: text})
			}
			write(t, folder, c.files)
			b := Build{Version: c.version, Env: env.list}
			if c.env != "" {
				b.Env = append(b.Env[:len(b.Env):len(b.Env)], c.env)
			}
			got := must.Of(Uncovered(folder, b))(t)
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
				t.Errorf("%v, want %q", got, c.want)
			}
		})
	}
}

// A cacheEnv is an environment with a module cache that has the library, and the sums of that.
type cacheEnv struct {
	list []string
	sum  string
}

// moduleCache makes a module cache with a version of the library.
func moduleCache(t *testing.T, version string, library map[string]string) cacheEnv {
	t.Helper()
	proxy, cache, folder := t.TempDir(), t.TempDir(), t.TempDir()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, text := range library {
		w := must.Of(z.Create(libraryModule + "@" + version + "/" + name))(t)
		must.Of(w.Write([]byte(text)))(t)
	}
	must.Do(t, z.Close())
	at := libraryModule + "/@v/"
	write(t, proxy, map[string]string{at + "list": version + "\n", at + version + ".info": `{"Version":"` + version + `"}`, at + version + ".mod": library["go.mod"], at + version + ".zip": packed.String()})
	env := append(os.Environ(), "GOMODCACHE="+cache, "GOFLAGS=-modcacherw", "GOSUMDB=off", "GONOSUMDB=*", "GOWORK=")
	write(t, folder, coveredPackage)
	write(t, folder, map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n"})
	cmd := exec.Command("go", "mod", "tidy")
	cmd.Dir, cmd.Env = folder, append(env[:len(env):len(env)], "GOPROXY=file://"+proxy)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return cacheEnv{env, string(must.Of(os.ReadFile(filepath.Join(folder, "go.sum")))(t))}
}
