package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/semantic"
)

func newExtract(s *streams) *cobra.Command {
	var format *choice
	cmd := &cobra.Command{
		Use:   "extract [FILE|-]",
		Short: "Find the URLs in running text",
		Long: `extract prints the URLs that stand in a text as the appendix of RFC 1738 recommends
to write them, <URL:...>, or in plain angle brackets, one a line. White space and
line breaks inside are left out. A hyphen at the end of a line may belong to the URL
or to the line break: a remark on standard error gives the other candidate.

A text of any size is read as a stream. JSON has one object a URL: start and end
of the wrapper in bytes, line, raw (what stands in the wrapper), url, prefixed,
unhyphenated (the other candidate), inner_space, fragment.`,
		Example: `  bnfcheck extract message.txt | bnfcheck check -f -
  bnfcheck extract --format json < rfc1738.txt`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"-"}
			}
			return extract(s, args[0], format.value == "json")
		},
	}
	format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}

func extract(s *streams, name string, asJSON bool) error {
	list, err := openFiles([]string{name}, s.in)
	if err != nil {
		return err
	}
	defer list.close()
	from := list[0]
	for x, err := range semantic.Extract(from.r) {
		if err != nil {
			return &ioError{from.title(), err}
		}
		var b []byte
		if asJSON {
			b = appendExtracted(b, &x)
		} else {
			if x.Unhyphenated != "" {
				s.complain("%s:%d: a hyphen at the end of a line may not be part of the URL: %s, or %s",
					from.title(), x.Line, ast.Quote(x.URL), ast.Quote(x.Unhyphenated))
			}
			if s.outIsTerminal {
				b, _ = appendVisible(b, x.URL, 0)
			} else {
				b = append(b, x.URL...)
			}
			b = append(b, '\n')
		}
		if _, err := s.out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func appendExtracted(b []byte, x *semantic.Extracted) []byte {
	b = strconv.AppendInt(append(b, `{"start":`...), x.Start, 10)
	b = strconv.AppendInt(append(b, `,"end":`...), x.End, 10)
	b = strconv.AppendInt(append(b, `,"line":`...), int64(x.Line), 10)
	b = appendOctets(append(b, ','), "raw", x.Raw)
	b = appendOctets(append(b, ','), "url", x.URL)
	b = strconv.AppendBool(append(b, `,"prefixed":`...), x.Prefixed)
	if x.Unhyphenated != "" {
		b = appendOctets(append(b, ','), "unhyphenated", x.Unhyphenated)
	}
	b = strconv.AppendBool(append(b, `,"inner_space":`...), x.InnerSpace)
	if f, ok := x.Fragment(); ok {
		b = appendOctets(append(b, ','), "fragment", f)
	}
	return append(b, "}\n"...)
}
