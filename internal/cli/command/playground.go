package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/cli/version"
	"github.com/bnfcheck/bnfcheck/internal/report/playground"
	"github.com/bnfcheck/bnfcheck/internal/report/playground/engine"
)

// newPlayground returns the command playground, which writes a page that checks a grammar as one types it.
func newPlayground(s *streams) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "playground [FILE#RULE [OTHER]]",
		Short: "Write a page that checks a grammar as one types it",
		Long: `playground writes index.html, a page into which one pastes a grammar. As one types it
shows what lint finds, railroad diagrams, the trees of strings, why a string is rejected
and which accepted one is the nearest; how the grammar differs from another version, a
PEG or a regular expression; and it makes test vectors, expressions, a PEG and a Go
package of it.

The page is one file and works from disk. It loads nothing and sends nothing: the
program in it, compiled to WebAssembly, is this one. A program of a release has it at
hand; any other compiles it once, with Go, and keeps it in the user's cache folder. A
link that the page makes holds the grammar and the strings behind the "#".

It begins with the grammar in FILE and with OTHER beside it, which is a file or an
expression such as js:/^a+$/, and with an example otherwise.`,
		Example: `  bnfcheck playground -o play
  bnfcheck playground uri.abnf#URI -o play
  bnfcheck playground new.abnf old.abnf -o play`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var state *playground.State
			for i, name := range args {
				src, err := sourceOf(name)
				if err != nil {
					return err
				}
				if i == 0 {
					state = &playground.State{Grammar: src}
				} else {
					state.Other = src
				}
			}
			e, err := s.loadEngine()
			if err != nil {
				return err
			}
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return &ioError{folder, err}
			}
			file := filepath.Join(folder, "index.html")
			write := func(w io.Writer) error { return playground.Write(w, e, version.String(), state) }
			if err := streamWhole(file, write); err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.out, "%s written: open it in a browser\n", layout.Printable(file))
			return err
		},
	}
	cmd.Flags().StringVarP(&folder, "output", "o", "", "write into `FOLDER`, which is made if there is none")
	_ = cmd.MarkFlagRequired("output")
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

// sourceOf reads the grammar or the expression that a page begins with. Standard input is refused.
func sourceOf(name string) (engine.Source, error) {
	if flavor, file, ok := catalog.RegexpFile(name); ok {
		text, err := catalog.ReadRegexpFile(file, catalog.Usual)
		if err != nil {
			return engine.Source{}, classifyNameError(err)
		}
		return engine.Source{Text: text, Kind: flavor}, nil
	}
	if flavor, text, _ := strings.Cut(name, ":"); catalog.IsRegexp(name) {
		return engine.Source{Text: text, Kind: flavor}, nil
	}
	file, rule := catalog.Split(name)
	if file == "-" {
		return engine.Source{}, errors.New("a page begins with a file, not with standard input")
	}
	text, err := catalog.ReadFile(file, catalog.Usual)
	if err != nil {
		return engine.Source{}, classifyNameError(err)
	}
	kind, _ := catalog.KindOf(file)
	return engine.Source{Text: string(text), Kind: string(kind), Start: rule}, nil
}
