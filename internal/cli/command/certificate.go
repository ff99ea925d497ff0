package command

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

// certified is a pair of grammars that was reported on, and the productions that were asked for, nil for all.
// A certificate is made of it.
type certified struct {
	pair        catalog.Pair
	productions []string
}

// certify sets the hash of the certificate in each report, and writes the certificates and theorems that flags ask
// for. p.certified has an entry for each report, in their order; it is empty if the one report is on files
// that cannot be computed with, which get no certificate. Without --certificate no hash is set for a proof with
// --nesting or --fold-case, since a certificate does not state what was then proven; with it, certify fails and says
// so.
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
			err = p.writeTheorems(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeTheorems writes the files of --rocq for one pair.
func (p *proving) writeTheorems(c certified) error {
	src, ids, err := prove.CertificateSource(c.pair, p.automata(), c.productions...)
	if err == nil {
		_, err = writeRocq(p.rocq, filepath.Base(src.BNF.File)+" and "+filepath.Base(src.PEG.File), src, ids)
	}
	return err
}

// writeRocq makes folder, writes into it the files that Rocq compiles into theorems, and returns a summary of them.
// from is the origin that the files name. If nothing is proven it writes nothing and fails with an inputError: a
// project without a theorem would compile, and prove nothing. If it fails later, the files written so far stay.
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
