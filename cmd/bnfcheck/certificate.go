package main

import (
	"fmt"
	"io"

	"github.com/bnfcheck/bnfcheck/internal/certificate"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// certified is what a certificate is about.
type certified struct {
	pair        subject.Pair
	productions []string
}

func (p *proving) certifies(pair subject.Pair, productions []string) {
	p.certified = append(p.certified, certified{pair, productions})
}

// certify writes the certificate, and prints what it states and its hash.
func (p *proving) certify() error {
	if p.certificate == "" || len(p.certified) == 0 {
		return nil
	}
	c := p.certified[0]
	var summary *certificate.Summary
	err := streamWhole(p.certificate, func(w io.Writer) (err error) {
		summary, err = certificate.Write(w, c.pair, c.productions...)
		return err
	})
	if err != nil {
		return err
	}
	out := io.Writer(p.out)
	if p.format.value != "text" {
		out = p.err
	}
	_, err = fmt.Fprintf(out, "\ncertificate %s: %s equal, %d different, %d not covered\nsha256 %s\n",
		p.certificate, layout.Plural(len(summary.Equal), "rule"), len(summary.Differ), len(summary.Open), summary.Hash)
	return err
}
