package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/proof/rocq"
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
		if err == nil && p.rocq != "" {
			err = p.writeRocq(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeRocq writes the files of which Rocq makes theorems.
func (p *proving) writeRocq(c certified) error {
	src, ids, err := prove.Certified(c.pair, p.automata(), c.productions...)
	if err != nil {
		return err
	}
	from := fmt.Sprintf("%s and %s, written by bnfcheck prove --rocq", filepath.Base(src.BNF.File), filepath.Base(src.PEG.File))
	files, summary, err := rocq.Project(from, src, ids...)
	if err == nil && len(summary.Equal)+len(summary.Differ) == 0 {
		err = errors.New("nothing is proven that a theorem could state")
	}
	if err != nil {
		return &inputError{fmt.Errorf("--rocq: %w", err)}
	}
	if err := os.MkdirAll(p.rocq, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeWhole(filepath.Join(p.rocq, f.Name), f.Text); err != nil {
			return err
		}
	}
	return nil
}
