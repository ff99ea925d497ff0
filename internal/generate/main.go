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

// run writes the files of the grammar called name below dir.
func run(name, dir string) error {
	src, err := load(name)
	if err != nil {
		return err
	}
	parser, err := pigeon(name, src.starts())
	if err != nil {
		return err
	}
	files := []struct {
		path string
		make func() ([]byte, error)
	}{
		{"pigeon/parser.go", func() ([]byte, error) { return parser, nil }},
		{"pigeon/tree.go", src.tree},
		{"grammar.go", src.grammar},
		{"tables.go", src.tables},
		{"fast.go", src.fast},
	}
	for _, f := range files {
		text, err := f.make()
		if err == nil {
			text, err = format.Source(text)
		}
		if err == nil {
			err = write(filepath.Join(dir, name, filepath.FromSlash(f.path)), text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	text, err := links()
	if err == nil {
		err = write(filepath.Join(dir, "gen.go"), text)
	}
	return err
}

// source is a grammar as it is read for generation.
type source struct {
	name string
	bnf  *expr.Grammar // with the default readings
	read []bnf.Reading // those that are on
	peg  *expr.Grammar // under the BNF's IDs
	node map[string]bool
}

func load(name string) (*source, error) {
	b, err := bnf.Load(name)
	if err != nil {
		return nil, err
	}
	rules, err := peg.Load(b.Default)
	if err != nil {
		return nil, err
	}
	if err := complete(name, b.Default); err != nil {
		return nil, err
	}
	s := &source{name: name, bnf: b.Default, peg: rules, node: map[string]bool{}}
	for _, r := range b.Readings {
		if r.On {
			s.read = append(s.read, r)
		}
	}
	for _, r := range s.bnf.Rules {
		rule := s.peg.Rule(r.ID)
		if rule == nil {
			return nil, fmt.Errorf("%s.peg has no rule for the production %s", name, r.ID)
		}
		s.node[r.ID] = rule.Expr.Op == expr.Node
	}
	return s, nil
}

// complete says what a grammar lacks for a parser to be made of it.
func complete(name string, g *expr.Grammar) error {
	if g.Rule("url") == nil {
		return fmt.Errorf("%s.bnf has no production url, whose alternatives are the productions of the schemes", name)
	}
	return nil
}

func (s *source) lexical(id string) bool { return !s.node[id] }

// starts lists the entries of the .peg file, in the order of the productions.
func (s *source) starts() []string {
	var out []string
	for _, r := range s.bnf.Rules {
		out = append(out, peg.Ident(r.ID)+"_entry")
	}
	return out
}

// pigeon gives what go tool pigeon makes of the grammar. The first line of its output names the tool, the rest depends
// on the grammar alone.
func pigeon(name string, starts []string) ([]byte, error) {
	cmd := exec.Command("go", "tool", "pigeon", "-nolint", "-optimize-parser", "-optimize-basic-latin",
		"-alternate-entrypoints", strings.Join(starts, ","), filepath.Join("grammar", name+".peg"))
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
		Kind: func(id string) string {
			if s.bnf.Rule(id) == nil {
				return ""
			}
			return constant(id)
		},
	})
}

func (s *source) tables() ([]byte, error) {
	m, err := machine.Build(s.bnf, s.lexical)
	if err != nil {
		return nil, err
	}
	return machineFile(s, m), nil
}
