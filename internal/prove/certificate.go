package prove

import (
	"io"

	"github.com/bnfcheck/bnfcheck/internal/certificate"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// A Certificate is what the certificate of a pair states: docs/certificates.md.
type Certificate struct {
	Sum    string   `json:"sha256"` // of its text, in hexadecimal digits
	Equal  int      `json:"equal"`
	Differ int      `json:"differ"`
	Open   []string `json:"open,omitempty"` // productions that it does not cover
}

// Certify writes the certificate of a pair, for these productions, by ID or name, and all that they use, or for all, and
// records it in the report. The error is that of w, or a production that does not exist.
func (r *Report) Certify(w io.Writer, pair subject.Pair, limits lang.Limits, productions ...string) error {
	src := certificate.Source{BNF: pair.BNF, PEG: pair.PEG, Limits: limits}
	if pair.Ledger != nil {
		src.Readings = pair.Ledger.Readings
	}
	for _, d := range pair.Defined {
		src.Defined = append(src.Defined, [2]string{d.Name, d.Expression})
	}
	var ids []string
	for _, name := range productions {
		production, err := subject.Lookup(pair.BNF, name)
		if err != nil {
			return err
		}
		ids = append(ids, production.ID)
	}
	s, err := certificate.Write(w, src, ids...)
	if err == nil {
		r.Certificate = &Certificate{s.Hash, len(s.Equal), len(s.Differ), s.Open}
	}
	return err
}
