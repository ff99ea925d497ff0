package command

import (
	"cmp"
	"fmt"
	"io"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
	"github.com/bnfcheck/bnfcheck/semantic/extract"
	"github.com/spf13/cobra"
)

// newExtract returns the command extract, which finds the URLs in running text.
func newExtract(s *streams) *cobra.Command {
	var format *choice
	cmd := &cobra.Command{
		Use:   "extract [FILE|-]",
		Short: "Find the URLs in running text",
		Long: `extract prints the URLs of a text, one a line: those in the form that the appendix of
RFC 1738 recommends, <URL:...>, and those in plain angle brackets. White space and
line breaks inside are removed. A hyphen at the end of a line may belong to the URL
or to the line break: a remark on standard error shows the other candidate.

A text of any size is read as a stream; reading stops in a line whose end is not in
sight. JSON has one object a URL: start and end
of the wrapper in bytes, line, raw (the text in the wrapper), url, prefixed,
unhyphenated (the other candidate), inner_space, fragment.`,
		Example: `  bnfcheck extract message.txt | bnfcheck check -f -
  bnfcheck extract --format json < rfc1738.txt`,
		Args: takesAtMost("one FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"-"}
			}
			return printURLs(s, args[0], format.value == "json")
		},
	}
	format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}

// printURLs prints the URLs in a text, in its order, while it is read, and the remarks on them to standard error. It
// fails if reading or writing does.
func printURLs(s *streams, name string, asJSON bool) error {
	list, err := s.openFiles([]string{name})
	if err != nil {
		return err
	}
	defer list.Close()
	from := list[0]
	x := &extractor{streams: s, from: from, json: asJSON}
	passages := extract.NewPassageReader(check.NewLineReader(from.Reader))
	var failed error
	err = check.InOrder(func(p *passage) (more bool) {
		var err error
		if p.Passage, err = passages.Next(); err != nil && err != io.EOF {
			failed = &ioError{from.Title(), err}
		}
		return err == nil
	}, func() func(*passage) { return x.findURLs }, func(p *passage) error {
		if len(p.remarks) > 0 {
			_, _ = s.err.Write(p.remarks) // as with any complaint, nothing can be done where that fails
		}
		if len(p.out) == 0 {
			return nil
		}
		return s.write(p.out)
	})
	return cmp.Or(err, failed)
}

// A passage is a passage of the text, and the output for it.
type passage struct {
	extract.Passage
	out     []byte
	remarks []byte // for standard error
}

// An extractor finds URLs in the passages of one file. Workers share it.
type extractor struct {
	*streams
	from *check.Source
	json bool
}

// findURLs finds the URLs of a passage and fills in its out and remarks. A remark is for a URL that may have lost a
// hyphen at the end of a line.
func (x *extractor) findURLs(p *passage) {
	p.out, p.remarks = p.out[:0], p.remarks[:0]
	for found := range p.URLs() {
		if x.json {
			p.out = render.AppendExtracted(p.out, &found)
			continue
		}
		if found.Unhyphenated != "" {
			remark := fmt.Sprintf("%s:%d: a hyphen at the end of a line may not be part of the URL: %s, or %s",
				x.from.Title(), found.Line, ast.Quote(found.URL), ast.Quote(found.Unhyphenated))
			p.remarks = append(append(p.remarks, layout.Printable(remark)...), '\n')
		}
		p.out = append(x.appendURL(p.out, found.URL), '\n')
	}
}
