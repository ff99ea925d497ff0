// Command generate writes everything under gen/ for one published grammar:
//
//	go run ./internal/generate rfc1738
//
// It reads grammar/NAME.bnf, NAME.readings and NAME.peg and writes, in this order,
//
//	gen/NAME/pigeon/parser.go   pigeon's parser, by go tool pigeon
//	gen/NAME/pigeon/tree.go     its front: a tree from any production
//	gen/NAME/grammar.go         the productions, as an ast.Grammar and as constants
//	gen/NAME/tables.go          the automaton that explains rejections
//	gen/NAME/fast.go            the parser that users get
//	gen/gen.go                  what links pigeon's parsers of all grammars, for those who hold others against them
//
// Each file is written beside its old one and then renamed over it, so that none is ever half-written. Running it again
// changes nothing.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/gogen"
	"github.com/bnfcheck/bnfcheck/internal/machine"
	"github.com/bnfcheck/bnfcheck/internal/peg"
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
	if err := src.write(filepath.Join("grammar", name+".peg"), dir); err != nil {
		return err
	}
	text, err := links()
	if err == nil {
		err = write(filepath.Join(dir, "gen.go"), text)
	}
	return err
}

// write writes the files of the grammar itself below dir; pegFile is its transcription, for pigeon.
func (s *source) write(pegFile, dir string) error {
	for _, f := range []struct {
		path string
		make func() ([]byte, error)
	}{
		{"pigeon/parser.go", func() ([]byte, error) { return pigeon(pegFile, s.starts()) }},
		{"pigeon/tree.go", s.tree},
		{"grammar.go", s.grammar},
		{"tables.go", s.tables},
		{"fast.go", s.fast},
	} {
		text, err := f.make()
		if err == nil {
			text, err = format.Source(text)
		}
		if err == nil {
			err = write(filepath.Join(dir, s.name, filepath.FromSlash(f.path)), text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return nil
}

// source is a grammar as it is read for generation.
type source struct {
	name      string
	bnf       *expr.Grammar     // with the default readings
	read      []bnf.Reading     // those that are on
	peg       *expr.Grammar     // under the BNF's IDs
	node      map[string]bool   // by production: whether it is a node
	constants map[string]string // by production: its constant
}

// load reads a published grammar.
func load(name string) (*source, error) {
	b, err := bnf.Load(name)
	if err != nil {
		return nil, err
	}
	rules, err := peg.Load(b.Default)
	if err != nil {
		return nil, err
	}
	s, err := newSource(name, b.Default, rules)
	if err != nil {
		return nil, err
	}
	for _, r := range b.Readings {
		if r.On {
			s.read = append(s.read, r)
		}
	}
	return s, nil
}

// newSource returns the grammar g with its transcription. Its error is a production that lacks a rule, or cannot have one
// of its own.
func newSource(name string, g, rules *expr.Grammar) (*source, error) {
	s := &source{name: name, bnf: g, peg: rules, node: map[string]bool{}}
	var ids []string
	rule := map[string]string{}
	for _, r := range g.Rules {
		if other := rule[peg.Ident(r.ID)]; other != "" {
			return nil, fmt.Errorf("%s: the productions %s and %s have one identifier in a .peg file", r.Pos, other, r.ID)
		}
		rule[peg.Ident(r.ID)] = r.ID
	}
	for _, r := range g.Rules {
		in := rules.Rule(r.ID)
		if in == nil {
			return nil, fmt.Errorf("%s: %s has no rule for the production %s", r.Pos, rules.File, r.ID)
		}
		s.node[r.ID] = in.Expr.Op == expr.Node
		ids = append(ids, r.ID)
	}
	s.constants = gogen.Constants(ids)
	return s, nil
}

// start returns the production that the package's Parse derives: the first in the text that is a choice among schemes, or
// where there is none, the first that no other production uses.
func (s *source) start() *expr.Rule {
	used := map[string]bool{}
	for _, r := range s.bnf.Rules {
		if len(machine.Variants(s.bnf, r.ID)) > 1 {
			return r
		}
		for _, id := range expr.Refs(r.Expr) {
			used[id] = used[id] || id != r.ID
		}
	}
	for _, r := range s.bnf.Rules {
		if !used[r.ID] {
			return r
		}
	}
	return s.bnf.Rules[0]
}

// schemes returns the productions of the schemes: the alternatives of the first production that is a choice among schemes
// and uses no other such. A grammar need not have any.
func (s *source) schemes() []machine.Variant {
	for _, r := range s.bnf.Rules {
		variants := machine.Variants(s.bnf, r.ID)
		inner := slices.ContainsFunc(s.bnf.Reach(r.ID)[1:], func(id string) bool {
			return s.bnf.Rule(id) != nil && len(machine.Variants(s.bnf, id)) > 1
		})
		if len(variants) > 1 && !inner {
			return slices.DeleteFunc(variants, func(v machine.Variant) bool { return v.Prefix == "" })
		}
	}
	return nil
}

func (s *source) constant(id string) string { return s.constants[id] }

func (s *source) lexical(id string) bool { return !s.node[id] }

// starts lists the entries of the .peg file, in the order of the productions.
func (s *source) starts() []string {
	var out []string
	for _, r := range s.bnf.Rules {
		out = append(out, peg.Ident(r.ID)+"_entry")
	}
	return out
}

// pigeon returns what go tool pigeon makes of a file. The first line of its output names the tool and the file, the rest
// depends only on the grammar.
func pigeon(file string, starts []string) ([]byte, error) {
	cmd := exec.Command("go", "tool", "pigeon", "-nolint", "-optimize-parser", "-optimize-basic-latin",
		"-alternate-entrypoints", strings.Join(starts, ","), file)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("pigeon: %w: %s", err, strings.TrimSpace(msg.String()))
	}
	return out.Bytes(), nil
}

// write replaces the file at path, or leaves it as it was.
func write(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".generate-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func (s *source) fast() ([]byte, error) {
	printed := map[string]string{}
	for _, r := range s.bnf.Rules {
		printed[r.ID] = cite(s.bnf, r)
	}
	return gogen.Go(s.peg, gogen.Options{
		Package: s.name, Printed: printed, Lexical: s.lexical,
		Kind: s.constant,
	})
}

func (s *source) tables() ([]byte, error) {
	m, err := machine.Build(s.bnf, s.lexical)
	if err != nil {
		return nil, err
	}
	return tablesFile(s, m), nil
}
