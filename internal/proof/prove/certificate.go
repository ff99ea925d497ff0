package prove

import (
	"cmp"
	"io"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
)

// A Certificate summarizes the certificate of a pair. Its format is in docs/certificates.md.
type Certificate struct {
	Sum    string   `json:"sha256"` // of its text, in hexadecimal digits
	Equal  int      `json:"equal"`
	Differ int      `json:"differ"`
	Open   []string `json:"open,omitempty"` // productions that it does not cover
	Why    []string `json:"why,omitempty"`  // why not, one for each of Open
	// Unread says why certcheck can check none of it, or is "".
	Unread string `json:"unread,omitempty"`
}

// CertificateSource returns the data that the certificate of a pair is written from, and the IDs of the productions,
// which may be given by name; ids is nil if none are given. It fails, with nil for ids, if one is not the name or ID
// of exactly one production. Unless limits.Bytes is set, the certificate may keep an eighth of the memory that a proof
// may, since the proof stands without it.
func CertificateSource(pair catalog.Pair, limits lang.Limits,
	productions ...string) (src certificate.Source, ids []string, err error) {
	limits.Bytes = cmp.Or(limits.Bytes, lang.DefaultBytes/8)
	src = certificate.Source{BNF: pair.BNF, PEG: pair.PEG, Limits: limits}
	if pair.Ledger != nil {
		src.Readings = pair.Ledger.Readings
	}
	for _, d := range pair.Defined {
		src.Defined = append(src.Defined, [2]string{d.Name, d.Expression})
	}
	for _, name := range productions {
		production, err := catalog.Lookup(pair.BNF, name)
		if err != nil {
			return src, nil, err
		}
		ids = append(ids, production.ID)
	}
	return src, ids, nil
}

// Certify writes the certificate of a pair to w and sets r.Certificate. r must be the report on the pair. The
// certificate covers the given productions, by ID or name, with all that they use; none stands for all. It fails if w
// does or if a production does not exist; r.Certificate then stays as it is, and w keeps what was written.
func (r *Report) Certify(w io.Writer, pair catalog.Pair, limits lang.Limits, productions ...string) error {
	src, ids, err := CertificateSource(pair, limits, productions...)
	if err != nil {
		return err
	}
	s, err := certificate.Write(w, src, ids...)
	if err != nil {
		return err
	}
	c := &Certificate{Sum: s.Hash, Equal: len(s.Equal), Differ: len(s.Differ), Open: s.Open, Why: s.Why}
	for i, id := range c.Open {
		for _, row := range r.Productions {
			if row.Production == id && row.Structure {
				c.Why[i] += "; it is proven by being written alike, for which a certificate has no line"
			}
		}
	}
	if len(pair.Blocks) > 1 || slices.ContainsFunc(pair.Blocks, func(b bnf.Block) bool { return b.Section != "" }) {
		c.Unread = "it does not read the text of an RFC"
	} else if unread := cmp.Or(certificate.Unread(pair.BNF), certificate.Unread(pair.PEG)); unread != "" {
		c.Unread = "it does not read " + unread
	} else if unread := certificate.UnreadText(pair.BNF, pair.Notices); unread != "" {
		c.Unread = "it does not read " + unread
	}
	r.Certificate = c
	return nil
}

// unchecked lists the parts that the program certcheck cannot check, with the reasons: one entry if it can check
// none, and otherwise one for each of c.Open.
func (c *Certificate) unchecked() (list []string) {
	if c.Unread != "" {
		return []string{"any of it: " + c.Unread}
	}
	for i, id := range c.Open {
		list = append(list, id+": "+c.Why[i])
	}
	return list
}
