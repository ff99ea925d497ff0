package main

import (
	"io"

	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
)

// certified is what a certificate is about.
type certified struct {
	pair        catalog.Pair
	productions []string
}

func (p *proving) certifies(pair catalog.Pair, productions []string) {
	p.certified = append(p.certified, certified{pair, productions})
}

// certify writes the certificate of each report into the file, or only computes its hash. What is proven with --nesting or
// --fold-case is not what a certificate states, and gets one only into a file.
func (p *proving) certify(reports []*prove.Report) error {
	for i, c := range p.certified {
		write := func(w io.Writer) error { return reports[i].Certify(w, c.pair, p.automata(), c.productions...) }
		var err error
		switch {
		case p.certificate != "":
			err = streamWhole(p.certificate, write)
		case !p.foldCase && p.nesting < 0:
			err = write(io.Discard)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
