package diff

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Distance measures how much of one language lies outside another: which strings the other has too, and at how many
// points the two part.
type Distance struct {
	Topic    string   `json:"topic,omitempty"` // as in [Comparison]
	Of       Party    `json:"of"`
	To       Party    `json:"to"`
	Relation Relation `json:"relation"` // of Of to To

	Shared    Count `json:"shared"` // how many strings of at most MaxLength bytes both derive
	All       Count `json:"all"`    // and how many Of does
	MaxLength int   `json:"max_length"`

	Missing *quote.Word `json:"missing,omitempty"` // the shortest string of Of that To does not derive
	Causes  int         `json:"causes"`            // how many causes make Of go on and To stop
}

// In reports whether To derives every string of Of.
func (d Distance) In() bool { return d.Relation == Equal || d.Relation == ContainedIn }

// Distances returns how far each of some grammars is from another: its schemes, its generic production, and all of it.
// The comparisons are those of [Standard] for the schemes that the grammar has. It fails where [Compare] does.
func Distances(of []*catalog.Subject, to *catalog.Subject, o Options) (list []Distance, err error) {
	defer budget.Catch(&err)
	for _, s := range of {
		for _, c := range Standard(s, to) {
			if c.A.Prefix != "" {
				continue // a scheme of the other grammar alone
			}
			d, err := compare(c.A, c.B, o)
			if err != nil {
				return nil, err
			}
			d.Topic = c.Topic
			list = append(list, d.Distance())
		}
	}
	return list, nil
}

// Distance returns how far the first side of d is from the second.
func (d *Difference) Distance() Distance {
	out := Distance{
		Topic: d.Topic, Of: d.A, To: d.B, Relation: d.Relation,
		Shared: Count{d.Both.Total()}, All: Count{new(big.Int).Add(d.Both.Total(), d.OnlyA.Total())},
		MaxLength: len(d.Both.Counts) - 1,
		Missing:   d.OnlyA.Shortest,
	}
	for _, c := range d.Causes {
		if c.Region == OnlyA {
			out.Causes++
		}
	}
	return out
}

// WriteDistances writes distances to one grammar for people: for each grammar a sentence, and a row for each
// production, folded where it is wider than width, unless that is 0. It fails only if w does.
func WriteDistances(w io.Writer, width int, list []Distance) error {
	var b strings.Builder
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Of.Grammar == list[0].Of.Grammar {
			n++
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		writeDistances(&b, width, list[:n])
		list = list[n:]
	}
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}

// writeDistances writes the distances from one grammar to the other, which all of list have: a sentence with the
// number of schemes that are derived altogether, and a table with a row for each distance. list must not be empty.
func writeDistances(b *strings.Builder, width int, list []Distance) {
	of, to := list[0].Of.Title, list[0].To.Title
	schemes, in := 0, 0
	for _, d := range list {
		if d.Topic != "generic" && d.Topic != "url" && d.Topic != "whole" {
			schemes++
			if d.In() {
				in++
			}
		}
	}
	fmt.Fprintf(b, "%s: of %d schemes %s derives %d altogether.\n\n", of, schemes, to, in)
	t := layout.Table{
		Header: []string{"", of, "in " + to, fmt.Sprintf("of those up to %d bytes", list[0].MaxLength),
			"shortest that is not", "parts at"},
		Fold: true,
	}
	for _, d := range list {
		answer, missing := "all", "-"
		if !d.In() {
			answer = "some"
			if d.Shared.Sign() == 0 && d.Relation == Disjoint {
				answer = "none"
			}
			missing = d.Missing.String()
		}
		t.Add(d.Topic, d.Of.Spelling(), answer, d.shareText(), missing, strconv.Itoa(d.Causes))
	}
	b.Write(t.Append(nil, &layout.Screen{Width: width}))
}

// shareText returns the share of the counted strings of d.Of, which have at most d.MaxLength bytes, that d.To has,
// with two decimals. It is exact at the ends: "0%" and "100%" mean none and all, and "100%" also that there are no
// strings. Next to the ends it is "<0.01%" and ">99.99%".
func (d Distance) shareText() string {
	switch {
	case d.Shared.Cmp(d.All.Int) == 0:
		return "100%"
	case d.Shared.Sign() == 0:
		return "0%"
	}
	percent, _ := new(big.Rat).Mul(big.NewRat(100, 1), new(big.Rat).SetFrac(d.Shared.Int, d.All.Int)).Float64()
	switch {
	case percent > 99.99:
		return ">99.99%"
	case percent < 0.01:
		return "<0.01%"
	}
	return fmt.Sprintf("%.2f%%", percent)
}
