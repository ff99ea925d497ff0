package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/conform"
	"github.com/bnfcheck/bnfcheck/internal/htmlreport"
)

func newReport(s *streams) *cobra.Command {
	r := &reporting{streams: s}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write everything about the grammars on one page",
		Long: `report writes one page about all grammars: the proof, with everything about each
production; the two RFCs side by side, with every cause of a difference; what last
call changed; the ledger of readings, and what each entry changes; what the texts claim
about themselves. The page is HTML in one file, with its figures, and loads nothing.

--conform adds what bnfcheck conform --format json found about other parsers.

A file is written whole or not at all.`,
		Example: `  bnfcheck report -o report.html
  bnfcheck conform --builtin net/url --format json >net-url.json
  bnfcheck report --conform net-url.json -o report.html
  bnfcheck report --format text | less`,
		Args: takesAtMost(),
		RunE: func(*cobra.Command, []string) error { return r.run() },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&r.file, "output", "o", "", "write to `FILE` instead of standard output")
	flags.StringVar(&r.conform, "conform", "", "add the results of conform in `FILE`, - for standard input")
	r.format = addChoice(cmd, "format", "how to write", "html", "text", "markdown")
	return cmd
}

// reporting carries out one report command.
type reporting struct {
	*streams
	file, conform string
	format        *choice
}

func (r *reporting) run() error {
	if r.format.value == "html" && r.file == "" && r.outIsTerminal {
		return errors.New("a page of HTML is not for a terminal: give -o FILE, or --format text")
	}
	if r.file != "" { // said before the work, and not after it
		if _, err := os.Stat(filepath.Dir(r.file)); err != nil {
			return &ioError{r.file, err}
		}
	}
	results, err := r.results()
	if err != nil {
		return err
	}
	content, err := htmlreport.Collect(results)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	switch r.format.value {
	case "html":
		err = htmlreport.WriteHTML(&b, content)
	case "markdown":
		err = htmlreport.WriteMarkdown(&b, content)
	default:
		o := htmlreport.TextOptions{Width: r.Width, Bold: r.Colour}
		if r.file != "" {
			o = htmlreport.TextOptions{}
		}
		err = htmlreport.WriteText(&b, content, o)
	}
	if err != nil {
		return err
	}
	if r.file == "" {
		_, err = r.out.Write(b.Bytes())
		return err
	}
	return writeWhole(r.file, b.Bytes())
}

// results reads what conform found; nil where nobody asked for it.
func (r *reporting) results() (*conform.Report, error) {
	if r.conform == "" {
		return nil, nil
	}
	files, err := check.OpenFiles([]string{r.conform}, r.in)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	text, err := io.ReadAll(files[0].Reader)
	if err != nil {
		return nil, &ioError{r.conform, err}
	}
	var results conform.Report
	if err := json.Unmarshal(text, &results); err != nil {
		return nil, &inputError{fmt.Errorf("%s: not what bnfcheck conform --format json writes: %w", r.conform, err)}
	}
	if err := htmlreport.CheckConform(&results); err != nil {
		return nil, &inputError{fmt.Errorf("%s: not what bnfcheck conform --format json writes: %w", r.conform, err)}
	}
	return &results, nil
}
