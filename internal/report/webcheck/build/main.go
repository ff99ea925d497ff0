// Command build compiles the live checker, with the engine of the playground, to WebAssembly, for go generate, which runs it in the
// folder of package webcheck:
//
//	go run ./build
//
// It writes there
//
//	engine.wasm.lzma      the compiled program, compressed by xz (Debian: xz-utils)
//	golang/wasm_exec.js   what connects a Go program to a page, as the Go release that compiled it has it
//	golang/LICENSE        under which that release is
//	checker.sum           hashes of what it was made of, and of what was made
//
// Compiling again with another Go release gives another file of the same program, three megabytes for the history of the
// repository. So it compiles only where a source has changed, or where a written file is not what it was.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// The files that are written, below the folder of package webcheck. The sum is the last, so that what was interrupted is
// done again.
const (
	compiledFile = "engine.wasm.lzma"
	glueFile     = "golang/wasm_exec.js"
	licenceFile  = "golang/LICENSE"
	sumFile      = "checker.sum"
)

// run brings the files in dir up to date.
func run(dir string) error {
	stale, err := outdated(dir)
	if err != nil || len(stale) == 0 {
		return err
	}
	root, err := goCommand(dir, "env", "GOROOT")
	if err != nil {
		return err
	}
	release := strings.TrimSpace(string(root))
	glue, err := os.ReadFile(filepath.Join(release, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(release, "LICENSE"))
	if err != nil {
		return err
	}
	program, err := compile(dir)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{compiledFile, program}, {glueFile, glue}, {licenceFile, licence}} {
		file := filepath.Join(dir, f.name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, f.text, 0o666); err != nil {
			return err
		}
	}
	sum, err := summarise(dir)
	if err != nil {
		return err
	}
	version, err := goCommand(dir, "env", "GOVERSION")
	if err != nil {
		return err
	}
	text := fmt.Sprintf("# made by go generate ./internal/report/webcheck with %s\n%s", bytes.TrimSpace(version), sum)
	return os.WriteFile(filepath.Join(dir, sumFile), []byte(text), 0o666)
}

// outdated returns the lines of the sum that do not hold any more.
func outdated(dir string) ([]string, error) {
	noted, err := os.ReadFile(filepath.Join(dir, sumFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	sum, err := summarise(dir)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(noted), "\n")
	var stale []string
	for line := range strings.Lines(sum) {
		if line = strings.TrimSuffix(line, "\n"); !slices.Contains(lines, line) {
			stale = append(stale, line)
		}
	}
	return stale, nil
}

// summarise returns a hash of the sources, and of each file that is made, a line each.
func summarise(dir string) (string, error) {
	sources, err := list(dir)
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for _, s := range sources {
		text, err := os.ReadFile(s.file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%s %d\n", s.name, len(text))
		all.Write(text)
	}
	sum := fmt.Sprintf("%x  sources\n", all.Sum(nil))
	for _, name := range []string{compiledFile, glueFile, licenceFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, os.ErrNotExist) {
			sum += "missing  " + name + "\n"
			continue
		}
		if err != nil {
			return "", err
		}
		sum += fmt.Sprintf("%x  %s\n", sha256.Sum256(text), name)
	}
	return sum, nil
}

// A source is a file of this module that the checker is compiled from. Its name is that of its package and its own.
type source struct{ name, file string }

// list returns the sources, by name.
func list(dir string) ([]source, error) {
	out, err := goCommand(dir, "list", "-deps", "-json=ImportPath,Dir,GoFiles,EmbedFiles,Module", "./wasm")
	if err != nil {
		return nil, err
	}
	var sources []source
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir     string
			GoFiles, EmbedFiles []string
			Module              *struct{ Main bool }
		}
		switch err := d.Decode(&p); {
		case err == io.EOF:
			slices.SortFunc(sources, func(a, b source) int { return strings.Compare(a.name, b.name) })
			return sources, nil
		case err != nil:
			return nil, err
		case p.Module == nil || !p.Module.Main:
			continue
		}
		for _, f := range slices.Concat(p.GoFiles, p.EmbedFiles) {
			sources = append(sources, source{p.ImportPath + "/" + f, filepath.Join(p.Dir, f)})
		}
	}
}

// quick lists the packages that are compiled for speed, by which what a page waits for is computed. In all others no call is
// inlined, which makes the compressed program a fifth smaller.
var quick = []string{
	"slices", "math/bits", "sync/atomic", "unicode/utf8", "strings",
	module + "/internal/automata/lang", module + "/internal/automata/annotated", module + "/internal/analysis/interpreter",
	module + "/internal/base/budget", module + "/internal/syntax/expr", module + "/internal/analysis/lint", module + "/internal/proof/diff",
}

const module = "github.com/bnfcheck/bnfcheck"

// compile returns the compressed program. The same sources, Go release and xz produce the same bytes, wherever they stand.
func compile(dir string) ([]byte, error) {
	to, err := os.MkdirTemp("", "engine-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(to)
	file := filepath.Join(to, "engine.wasm")
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-buildvcs=false", "-gcflags=all=-l"}
	for _, p := range quick {
		args = append(args, "-gcflags="+p+"=")
	}
	if _, err := goCommand(dir, append(args, "-o", file, "./wasm")...); err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	packed, err := exec.Command("xz", "--format=lzma", "--lzma1=preset=9e,dict=32MiB", "--threads=1", "--stdout", file).Output()
	if err != nil || len(packed) < sizeAt+8 {
		return nil, fmt.Errorf("xz: %w", err)
	}
	binary.LittleEndian.PutUint64(packed[sizeAt:], uint64(info.Size())) // which xz leaves open
	return packed, nil
}

// sizeAt is where the header of such a file has the size of what it holds.
const sizeAt = 5

// goCommand runs the go command for WebAssembly, and gives what it prints.
func goCommand(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=", "GOEXPERIMENT=", "CGO_ENABLED=0")
	var out, message bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &message
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(message.String()))
	}
	return out.Bytes(), nil
}
