// Command generate writes everything under gen/ for one published grammar:
//
//	go run ./internal/compile/builtin rfc1738
//
// It reads grammar/NAME.bnf, NAME.readings and NAME.peg and writes
//
//	gen/NAME/pigeon/parser.go   pigeon's parser, by go tool pigeon
//	gen/NAME/pigeon/tree.go     its front: a tree from any production
//	gen/NAME/*                  the package that users get, as bnfcheck generate writes it: see package gopackage
//	gen/gen.go                  what links pigeon's parsers of all grammars, for those who hold others against them
//
// The command bnfcheck itself imports gen, so that it cannot be what makes gen; both call [gopackage.Make].
//
// Each file is written beside its old one and then renamed over it, so that none is ever half-written. Running it again
// changes nothing.
package main

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate GRAMMAR")
		os.Exit(2)
	}
	if err := run(os.Args[1], "gen"); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes the files of the published grammar called name below dir.
func run(name, dir string) error {
	src, err := load(name)
	if err != nil {
		return err
	}
	if err := write(src, filepath.Join("grammar", name+".peg"), dir); err != nil {
		return err
	}
	text, err := links()
	if err == nil {
		err = put(filepath.Join(dir, "gen.go"), text)
	}
	return err
}

// write writes the files of a grammar below dir; pegFile is its transcription, for pigeon.
func write(src gopackage.Source, pegFile, dir string) error {
	files, err := gopackage.Make(src)
	if err != nil {
		return err
	}
	text, err := pigeon(pegFile, src.Grammar)
	if err != nil {
		return err
	}
	files = append(files, gopackage.File{Name: "pigeon/parser.go", Text: text})
	if text, err = tree(src.Package, src.Grammar); err != nil {
		return err
	}
	files = append(files, gopackage.File{Name: "pigeon/tree.go", Text: text})
	for _, f := range files {
		if err := put(filepath.Join(dir, src.Package, filepath.FromSlash(f.Name)), f.Text); err != nil {
			return err
		}
	}
	return nil
}

// load reads a published grammar.
func load(name string) (gopackage.Source, error) {
	b, err := bnf.Load(name)
	if err != nil {
		return gopackage.Source{}, err
	}
	rules, err := peg.Load(b.Default)
	if err != nil {
		return gopackage.Source{}, err
	}
	src := gopackage.Source{Package: name, Grammar: b.Default, PEG: rules, Plain: true}
	for _, r := range b.Readings {
		if r.On {
			src.Readings = append(src.Readings, r)
		}
	}
	for _, ending := range []string{".bnf", ".readings", ".peg"} {
		text, err := fs.ReadFile(grammar.Files, name+ending)
		if err != nil {
			return gopackage.Source{}, err
		}
		src.Inputs = append(src.Inputs, gopackage.Input{Path: "../../grammar/" + name + ending, Text: text})
	}
	src.Args = gopackage.Args(src, ".")
	return src, nil
}

// pigeon returns what go tool pigeon makes of a file, with an entry for each production. The first line of its output names
// the tool and the file, the rest depends only on the grammar.
func pigeon(file string, g *expr.Grammar) ([]byte, error) {
	var starts []string
	for _, r := range g.Rules {
		starts = append(starts, peg.Ident(r.ID)+"_entry")
	}
	cmd := exec.Command("go", "tool", "pigeon", "-nolint", "-optimize-parser", "-optimize-basic-latin",
		"-alternate-entrypoints", strings.Join(starts, ","), file)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("pigeon: %w: %s", err, strings.TrimSpace(msg.String()))
	}
	return format.Source(out.Bytes())
}

// put replaces the file at path, or leaves it as it was.
func put(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(context.Background(), path, atomicfile.Text(text))
}
