package webengine

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What is unpacked is what was packed; a byte that is missing, added or different is noticed.
func TestPack(t *testing.T) {
	want := &Engine{Program: []byte("\x1f\x8b program\n"), Glue: "// glue\n"}
	packed := want.Pack()
	got := must.Of(Unpack(packed))(t)
	if got.Glue != want.Glue || !bytes.Equal(got.Program, want.Program) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for i := range packed {
		other := slices.Clone(packed)
		other[i] ^= 1
		if _, err := Unpack(other); !errors.Is(err, errDamaged) {
			t.Errorf("byte %d is another: %v", i, err)
		}
		if _, err := Unpack(packed[:i]); !errors.Is(err, errDamaged) {
			t.Errorf("cut at byte %d: %v", i, err)
		}
	}
	if _, err := Unpack(append(packed, 0)); !errors.Is(err, errDamaged) {
		t.Errorf("with a byte more: %v", err)
	}
}

// The key of an entry changes with every source, and with nothing else.
func TestSources(t *testing.T) {
	files := must.Of(listSources(t.Context(), root(t)))(t)
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimPrefix(f.name, module+"/"))
		if strings.HasSuffix(f.name, "_test.go") || !filepath.IsAbs(f.path) {
			t.Errorf("%+v", f)
		}
	}
	for _, want := range []string{
		"go.mod", "go.sum", "bnfcheck.go", "ast/tree.go", "gen/rfc1630/fast.go", "gen/rfc1738/tables.go", "gen/draft06/grammar.go",
		"semantic/access.go", "grammar/rfc1738.sentences", "internal/report/webcheck/inspect/inspect.go",
		"internal/report/webengine/wasm/main.go", "internal/report/playground/engine/engine.go",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is no source of\n%s", want, strings.Join(names, "\n"))
		}
	}
	if slices.Contains(names, "internal/report/webengine/load.go") {
		t.Error("the engine has what loads it as a source: it would have to be compiled again after each change there")
	}
}

// A flag for a package that the engine does not have would have no effect, and nobody would notice.
func TestQuickPackagesAreInTheEngine(t *testing.T) {
	packages := must.Of(runGo(t.Context(), root(t), nil, "list", "-deps", mainPackage))(t)
	for _, p := range quick {
		if !slices.Contains(strings.Fields(string(packages)), p) {
			t.Errorf("%s is not in the engine", p)
		}
	}
}

func root(t *testing.T) string {
	t.Helper()
	return moduleFolder(must.Of(os.Getwd())(t))
}

// smallModule writes a module with the path of this one, whose engine does nothing, and returns its folder.
func smallModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module "+module+"\n\ngo 1.26\n")
	write(t, dir, "go.sum", "")
	write(t, dir, "internal/report/webengine/wasm/main.go", "package main\n\nfunc main() {}\n")
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must.Do(t, os.WriteFile(file, []byte(text), 0o666))
}

// emptyCache makes the user's cache folder an empty one, but not that of the go command.
func emptyCache(t *testing.T) {
	t.Helper()
	t.Setenv("GOCACHE", strings.TrimSpace(string(must.Of(exec.Command("go", "env", "GOCACHE").Output())(t))))
	if config, err := os.UserConfigDir(); err == nil { // to which a child of the go command may still write after it has ended
		t.Setenv("XDG_CONFIG_HOME", config)
	}
	dir := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} { // of the systems that os.UserCacheDir knows
		t.Setenv(name, dir)
	}
}

// A sayer keeps what a watcher is told.
type sayer struct {
	mu   sync.Mutex
	said []string
}

func (s *sayer) watcher() Watcher {
	return Watcher{Say: func(sentence string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.said = append(s.said, sentence)
	}}
}

// load loads the engine of the module in dir, and reports whether it was compiled.
func load(t *testing.T, dir string) (e *Engine, compiled bool) {
	t.Helper()
	var s sayer
	src := must.Of(findSource(t.Context(), &debug.BuildInfo{}, dir))(t)
	e = must.Of(loadCached(t.Context(), src, s.watcher()))(t)
	return e, len(s.said) > 0 && strings.Contains(s.said[0], "compiling")
}

// An engine is compiled once for each source: again only after a change, or where its entry is damaged or gone.
func TestCache(t *testing.T) {
	emptyCache(t)
	dir := smallModule(t)
	first, compiled := load(t, dir)
	if !compiled || !strings.Contains(first.Glue, "class") || !bytes.HasPrefix(unzipped(t, first), []byte("\x00asm")) {
		t.Fatalf("compiled: %v; %.40q", compiled, first.Program)
	}
	entry := func() string {
		names := must.Of(filepath.Glob(filepath.Join(must.Of(cacheFolder())(t), "*"+entryEnd)))(t)
		if len(names) != 1 {
			t.Fatalf("entries: %q", names)
		}
		return names[0]
	}
	for _, c := range []struct {
		what     string
		change   func()
		compiled bool
	}{
		{"nothing", func() {}, false},
		{"a byte of the entry", func() {
			text := must.Of(os.ReadFile(entry()))(t)
			text[len(text)/2] ^= 1
			must.Do(t, os.WriteFile(entry(), text, 0o666))
		}, true},
		{"an entry that is cut off", func() { must.Do(t, os.Truncate(entry(), 1000)) }, true},
		{"an empty entry", func() { must.Do(t, os.Truncate(entry(), 0)) }, true},
		{"no entry", func() { must.Do(t, os.Remove(entry())) }, true},
		{"a test", func() { write(t, dir, "internal/report/webengine/wasm/main_test.go", "package main\n") }, false},
		{"the source", func() {
			write(t, dir, "internal/report/webengine/wasm/main.go", "package main\n\nfunc main() { println() }\n")
		}, true},
	} {
		c.change()
		e, compiled := load(t, dir)
		if compiled != c.compiled || !bytes.HasPrefix(unzipped(t, e), []byte("\x00asm")) {
			t.Errorf("after a change of %s: compiled: %v", c.what, compiled)
		}
	}
}

func unzipped(t *testing.T, e *Engine) []byte {
	t.Helper()
	z := must.Of(gzip.NewReader(bytes.NewReader(e.Program)))(t)
	return must.Of(io.ReadAll(z))(t)
}

// Of several that need the same engine at once, one compiles it, and the others wait.
func TestSeveralAtOnce(t *testing.T) {
	emptyCache(t)
	dir := smallModule(t)
	var compiled atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, once := load(t, dir); once {
				compiled.Add(1)
			}
		})
	}
	all.Wait()
	if compiled.Load() != 1 {
		t.Errorf("it was compiled %d times", compiled.Load())
	}
}

// Whoever waits for another process can be interrupted.
func TestWaitingEnds(t *testing.T) {
	emptyCache(t)
	src := must.Of(findSource(t.Context(), &debug.BuildInfo{}, smallModule(t)))(t)
	name := filepath.Join(must.Of(cacheFolder())(t), "lock")
	unlock := must.Of(atomicfile.Lock(t.Context(), name))(t)
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := loadCached(ctx, src, Watcher{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// The folder of the module is found from the folders in it, whatever ends the lines of go.mod, and from no others.
func TestModuleFolder(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"lf/go.mod": "module " + module + "\n", "crlf/go.mod": "module " + module + "\r\n\r\ngo 1.26\r\n",
		"other/go.mod": "module " + module + "/other\n", "lf/inner/go.mod": "module x\n", "crlf/a/b/c.go": "package b\n",
	} {
		must.Do(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o777))
		must.Do(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o666))
	}
	for dir, want := range map[string]string{
		"lf": "lf", "lf/inner": "lf", "crlf/a/b": "crlf", "crlf/gone": "crlf", "other": "", ".": "",
	} {
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got := moduleFolder(filepath.Join(root, dir)); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
	if got := moduleFolder("internal"); got != "" {
		t.Errorf("a relative path: %q", got)
	}
}

// Whoever is interrupted before that gets no engine but an error, and locks nobody out.
func TestEndedBefore(t *testing.T) {
	emptyCache(t)
	src := must.Of(findSource(t.Context(), &debug.BuildInfo{}, smallModule(t)))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if e, err := loadCached(ctx, src, Watcher{}); !errors.Is(err, context.Canceled) || e != nil {
		t.Errorf("%v, %v", e, err)
	}
	soon, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	unlock := must.Of(atomicfile.Lock(soon, filepath.Join(must.Of(cacheFolder())(t), "lock")))(t)
	unlock()
}

// Where nothing can be kept there is an engine all the same, and a sentence about it.
func TestNoCache(t *testing.T) {
	dir := smallModule(t)
	emptyCache(t)
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} {
		t.Setenv(name, filepath.Join(dir, "go.mod")) // no folder can be made in a file
	}
	var s sayer
	src := must.Of(findSource(t.Context(), &debug.BuildInfo{}, dir))(t)
	e := must.Of(loadCached(t.Context(), src, s.watcher()))(t)
	if len(s.said) != 2 || !strings.Contains(s.said[1], "could not be kept") || !bytes.HasPrefix(unzipped(t, e), []byte("\x00asm")) {
		t.Errorf("%q", s.said)
	}
}

// The entries that were used last are kept.
func TestOldEntriesAreDropped(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for i := range maxEntries + 3 {
		write(t, dir, fmt.Sprintf("%d%s", i, entryEnd), "")
		used := now.Add(-time.Duration(i) * time.Hour)
		must.Do(t, os.Chtimes(filepath.Join(dir, fmt.Sprintf("%d%s", i, entryEnd)), used, used))
	}
	write(t, dir, "lock", "")
	dropOldEntries(dir)
	files := must.Of(os.ReadDir(dir))(t)
	if len(files) != maxEntries+1 {
		t.Errorf("%d files", len(files))
	}
	for i := range maxEntries {
		if _, err := os.Stat(filepath.Join(dir, fmt.Sprintf("%d%s", i, entryEnd))); err != nil {
			t.Error(err)
		}
	}
}

// Without Go, without the source, with the source of another version, or with one that does not compile there is no
// engine, but a sentence that says what to do.
func TestNoEngine(t *testing.T) {
	emptyCache(t)
	stamped := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: strings.Repeat("0", 40)}}}
	released := &debug.BuildInfo{Main: debug.Module{Path: module, Version: "v0.0.1", Sum: "h1:none"}}
	broken := smallModule(t)
	write(t, broken, "internal/report/webengine/wasm/main.go", "package main\n\nfunc main() { nothing() }\n")
	old, young := smallModule(t), smallModule(t)
	long, soon := time.Unix(1e9, 0), time.Now().Add(time.Hour)
	for _, dir := range []string{old, young} {
		must.Do(t, filepath.WalkDir(dir, func(name string, _ os.DirEntry, _ error) error { return os.Chtimes(name, long, long) }))
	}
	must.Do(t, os.Chtimes(filepath.Join(young, "go.sum"), soon, soon))
	for _, c := range []struct {
		name   string
		info   *debug.BuildInfo
		dir    string
		path   string // "" for that of the test
		reason string // "" where there is an engine
	}{
		{"the source of the program", stamped, old, "", ""},
		{"the source was changed", stamped, young, "", "go.sum has changed since"},
		{"a program of go run", &debug.BuildInfo{}, young, "", ""},
		{"no source", &debug.BuildInfo{}, t.TempDir(), "", "run this in a clone of its repository"},
		{"no Go", &debug.BuildInfo{}, old, t.TempDir(), "the engine of the page is compiled by Go, and there is no go command in PATH: install Go"},
		{"a version, and no Go", released, old, t.TempDir(), "the engine of the page is compiled by Go, and there is no go command in PATH: install Go"},
		{"it does not compile", &debug.BuildInfo{}, broken, "", "undefined: nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.path != "" {
				t.Setenv("PATH", c.path)
			}
			src, err := findSource(t.Context(), c.info, c.dir)
			if err == nil {
				_, err = loadCached(t.Context(), src, Watcher{})
			}
			if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) {
				t.Errorf("%v, want %q", err, c.reason)
			}
		})
	}
}

// A program that was built of one commit does not take the source of another.
func TestAnotherCommit(t *testing.T) {
	dir := smallModule(t)
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("skipped: git %s: %v\n%s", args[0], err, out)
		}
	}
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: strings.Repeat("0", 40)}}}
	if _, err := findSource(t.Context(), info, dir); err == nil || !strings.Contains(err.Error(), "at another commit") {
		t.Error(err)
	}
}

// The version is that of this module, whether it is the main one or one that another module requires; a folder has
// none.
func TestOwnModule(t *testing.T) {
	own := debug.Module{Path: module, Version: "v1.2.3", Sum: "h1:a"}
	here := own
	here.Sum = ""
	replaced := own
	replaced.Replace = &debug.Module{Path: "../bnfcheck"}
	other := debug.Module{Path: "example.org/m", Version: "v0.1.0", Sum: "h1:b"}
	for _, c := range []struct {
		main debug.Module
		deps []*debug.Module
		sum  string
	}{
		{own, []*debug.Module{&other}, "h1:a"},
		{other, []*debug.Module{&own}, "h1:a"},
		{here, []*debug.Module{&other}, ""},
		{other, []*debug.Module{&replaced}, ""},
	} {
		if got := ownModule(&debug.BuildInfo{Main: c.main, Deps: c.deps}).Sum; got != c.sum {
			t.Errorf("%v: %q, want %q", c.main, got, c.sum)
		}
	}
}

// The variable goes before all else; what it names must be an engine.
func TestFileVariable(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "good", string((&Engine{Glue: "glue"}).Pack()))
	write(t, dir, "bad", "<html>")
	for name, want := range map[string]string{"good": "", "bad": "not an engine", "none": "no such file"} {
		t.Setenv(FileVariable, filepath.Join(dir, name))
		e, err := Load(t.Context(), Watcher{})
		if want == "" && (err != nil || e.Glue != "glue") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}

// Neither the environment of a user nor what "go env -w" has written changes what is compiled.
func TestSettings(t *testing.T) {
	users := []string{"GOFLAGS=-race", "GOWORK=/none", "GOFIPS140=latest", "GOEXPERIMENT=boringcrypto", "GOWASM=none"}
	file := filepath.Join(t.TempDir(), "env")
	must.Do(t, os.WriteFile(file, []byte(strings.Join(users, "\n")+"\n"), 0o666))
	for _, set := range [][]string{users, {"GOENV=" + file}} {
		t.Run(set[0], func(t *testing.T) {
			for _, s := range set {
				name, value, _ := strings.Cut(s, "=")
				t.Setenv(name, value)
			}
			for _, s := range append(slices.Clone(Settings), "GOWASM=,") {
				name, want, _ := strings.Cut(s, "=")
				got := must.Of(runGo(t.Context(), t.TempDir(), nil, "env", name))(t)
				if strings.TrimSpace(string(got)) != want {
					t.Errorf("%s is %q, not %q", name, got, want)
				}
			}
		})
	}
}

// Packages are counted as the go command names them; its messages are kept.
func TestWatching(t *testing.T) {
	var told []string
	c := &packageCounter{of: 3, told: func(compiled, of int) { told = append(told, fmt.Sprint(compiled, " ", of)) }}
	for _, said := range []string{"unicode/utf8\nstrings\n", "", module + "/ast\n", "# a\nb: c\n"} {
		must.Of(c.Write([]byte(said)))(t)
	}
	if got := strings.Join(told, ", "); got != "2 3, 2 3, 3 3, 3 3" {
		t.Error(got)
	}
	if got := problemsIn("strings\n# a/b\nx.go:1:1: undefined: y\n\na/b\n"); got != "# a/b\nx.go:1:1: undefined: y" {
		t.Errorf("%q", got)
	}
}
