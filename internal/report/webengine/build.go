package webengine

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// module is the path of this module.
const module = "github.com/bnfcheck/bnfcheck"

// mainPackage is the package that is compiled, relative to the folder of the module.
const mainPackage = "./internal/report/webengine/wasm"

// quick lists the packages that are compiled for speed, since a page waits for their results. In all other
// packages no call is inlined, which makes the compressed program a fifth smaller.
var quick = []string{
	"slices", "math/bits", "sync/atomic", "unicode/utf8", "strings",
	module + "/internal/automata/lang", module + "/internal/automata/annotated",
	module + "/internal/analysis/interpreter", module + "/internal/analysis/lint",
	module + "/internal/base/budget", module + "/internal/syntax/expr", module + "/internal/proof/diff",
}

// A Watcher is told about a compilation while it runs. Both functions may be nil.
type Watcher struct {
	Say     func(sentence string)  // that Load begins to compile, or that the result could not be kept
	Package func(compiled, of int) // of the packages of the program, but for those that the go command has in its cache
}

// say calls Say, if there is one, with a formatted sentence.
func (w Watcher) say(format string, args ...any) {
	if w.Say != nil {
		w.Say(fmt.Sprintf(format, args...))
	}
}

// Build compiles the engine from the source in dir, the folder of the module, by the go command in PATH; it fails
// with errNoGo if there is none. Of w it calls Package alone. The same source and Go release make the same bytes,
// wherever the folder is. If ctx ends, so does the go command, and Build returns the error of ctx.
func Build(ctx context.Context, dir string, w Watcher) (*Engine, error) {
	root, err := runGo(ctx, dir, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	glue, err := readGlue(strings.TrimSpace(string(root)))
	if err != nil {
		return nil, err
	}
	packages, err := runGo(ctx, dir, nil, "list", "-deps", mainPackage)
	if err != nil {
		return nil, err
	}
	to, err := os.MkdirTemp("", "bnfcheck-engine-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(to)
	file := filepath.Join(to, "engine.wasm")
	args := []string{"build", "-v", "-trimpath", "-ldflags=-s -w", "-buildvcs=false", "-gcflags=all=-l"}
	for _, p := range quick {
		args = append(args, "-gcflags="+p+"=")
	}
	count := &packageCounter{of: bytes.Count(packages, []byte("\n")), told: w.Package}
	if _, err := runGo(ctx, dir, count, append(args, "-o", file, mainPackage)...); err != nil {
		return nil, err
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is one that there is
	z.Write(program)                                           // a bytes.Buffer has no error
	z.Close()
	return &Engine{Glue: string(glue), Program: packed.Bytes()}, nil
}

// readGlue returns wasm_exec.js of the Go release whose GOROOT is root. Some distributions keep it where older
// releases had it. If it is in neither place, the error is about the newer.
func readGlue(root string) ([]byte, error) {
	glue, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if errors.Is(err, os.ErrNotExist) {
		if older, err := os.ReadFile(filepath.Join(root, "misc", "wasm", "wasm_exec.js")); err == nil {
			return older, nil
		}
	}
	return glue, err
}

// sourceSum returns a hash, in hexadecimal, of all that the engine in dir is compiled from: the files of this module's
// packages that it consists of, go.mod and go.sum with the versions of other modules, and the Go release. It fails as
// runGo does, and if a file cannot be read.
func sourceSum(ctx context.Context, dir string) (string, error) {
	version, err := runGo(ctx, dir, nil, "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	files, err := listSources(ctx, dir)
	if err != nil {
		return "", err
	}
	all := sha256.New()
	fmt.Fprintf(all, "%s\n", version)
	for _, f := range files {
		text, err := os.ReadFile(f.path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%s %d\n", f.name, len(text))
		all.Write(text)
	}
	return fmt.Sprintf("%x", all.Sum(nil)), nil
}

// A sourceFile is a file that the engine is compiled from. Its name is the import path of its package and its own
// name.
type sourceFile struct{ name, path string }

// listSources lists the files of this module, in dir, that the engine is compiled from, sorted by name, with go.mod
// and go.sum. It asks the go command, and fails as runGo does.
func listSources(ctx context.Context, dir string) ([]sourceFile, error) {
	out, err := runGo(ctx, dir, nil, "list", "-deps", "-json=ImportPath,Dir,GoFiles,EmbedFiles,Module", mainPackage)
	if err != nil {
		return nil, err
	}
	var files []sourceFile
	for _, name := range []string{"go.mod", "go.sum"} {
		files = append(files, sourceFile{module + "/" + name, filepath.Join(dir, name)})
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir     string
			GoFiles, EmbedFiles []string
			Module              *struct{ Main bool }
		}
		switch err := d.Decode(&p); {
		case err == io.EOF:
			slices.SortFunc(files, func(a, b sourceFile) int { return strings.Compare(a.name, b.name) })
			return files, nil
		case err != nil:
			return nil, err
		case p.Module == nil || !p.Module.Main:
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.EmbedFiles) {
			files = append(files, sourceFile{p.ImportPath + "/" + name, filepath.Join(p.Dir, name)})
		}
	}
}

// Settings make the go command compile the same bytes from the same source, whatever the user's own settings are. Each
// is Go's default for most machines. None is empty, since "go env -w" decides what is empty in the environment: "," is an
// empty list.
var Settings = []string{"CGO_ENABLED=0", "GOFLAGS=-trimpath", "GOWORK=off", "GOFIPS140=off", "GOEXPERIMENT=,"}

// environment returns the environment in which the go command compiles for WebAssembly in dir.
func environment(dir string) []string {
	return slices.Concat(os.Environ(), Settings, []string{"GOOS=js", "GOARCH=wasm", "GOWASM=,", "PWD=" + dir})
}

// runGo runs the go command for WebAssembly in dir, whatever the user's settings for it are, and returns its output.
// What it writes to standard error goes to watched as well, if that is not nil. It fails with errNoGo if there is no
// go command, with the error of ctx if that has ended, and otherwise with the complaints of the go command.
func runGo(ctx context.Context, dir string, watched io.Writer, args ...string) ([]byte, error) {
	program, err := exec.LookPath("go")
	if err != nil {
		return nil, errNoGo
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // the go command ends its compilers then
	cmd.WaitDelay = 5 * time.Second
	cmd.Dir = dir
	cmd.Env = environment(dir)
	var out, message bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &message
	if watched != nil {
		cmd.Stderr = io.MultiWriter(&message, watched)
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, problemsIn(message.String()))
	}
	return out.Bytes(), nil
}

// problemsIn returns the complaints of the go command: its standard error without the names of the packages
// that it was compiling.
func problemsIn(said string) string {
	var problems []string
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line != "" && !isImportPath(line) {
			problems = append(problems, line)
		}
	}
	return strings.Join(problems, "\n")
}

// isImportPath tells the lines of go build -v from its messages, which have spaces.
func isImportPath(line string) bool { return !strings.Contains(line, " ") }

// A packageCounter counts the packages in the standard error of go build -v.
type packageCounter struct {
	of   int
	told func(compiled, of int)

	compiled int
}

// Write counts the packages so far, since go build -v writes a line for each, and calls told with the count, at most
// of.
func (c *packageCounter) Write(p []byte) (int, error) {
	c.compiled += bytes.Count(p, []byte("\n"))
	if c.told != nil {
		c.told(min(c.compiled, c.of), c.of)
	}
	return len(p), nil
}
