package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/proof/rocq"
)

// certified is what a certificate is about.
type certified struct {
	pair        catalog.Pair
	productions []string
}

// certify writes the certificate of each report into the file, or only computes its hash. What is proven with
// --nesting or --fold-case is not what a certificate states, and gets one only into a file.
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
			err = p.theorems(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *proving) theorems(c certified) error {
	src, ids, err := prove.Certified(c.pair, p.automata(), c.productions...)
	if err == nil {
		_, err = writeRocq(p.rocq, filepath.Base(src.BNF.File)+" and "+filepath.Base(src.PEG.File), src, ids)
	}
	return err
}

// writeRocq writes the files of which Rocq makes theorems.
func writeRocq(folder, from string, src certificate.Source, ids []string) (*certificate.Summary, error) {
	files, summary, err := rocq.Project(from+", written by bnfcheck --rocq", src, ids...)
	if err == nil && len(summary.Equal)+len(summary.Differ)+len(summary.Tabled) == 0 {
		err = errors.New("nothing is proven that a theorem could state")
	}
	if err != nil {
		return nil, &inputError{fmt.Errorf("--rocq: %w", err)}
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := writeWhole(filepath.Join(folder, f.Name), f.Text); err != nil {
			return nil, err
		}
	}
	return summary, nil
}
