package diff

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/bnfcheck/bnfcheck/internal/layout"
)

// WriteText writes all of d for people: the relation, the shortest strings, the counts, and the catalogue of causes.
func (d *Difference) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", d.Sentence())
	d.regions(&b)
	d.counts(&b)
	d.catalogue(&b)
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}

// WriteSummary writes one row for each difference, without counts and causes.
func WriteSummary(w io.Writer, ds []*Difference) error {
	var b strings.Builder
	t := layout.Tabs(&b)
	for i, d := range ds {
		a, c := d.Names()
		if i == 0 {
			fmt.Fprintf(t, "\t%s\t\t%s\tonly %s\tboth\tonly %s\tcauses\n", d.A.Title, d.B.Title, a, c)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n", d.Topic, d.A.Spelling(), d.Relation, d.B.Spelling(),
			d.OnlyA.First(), d.Both.First(), d.OnlyB.First(), len(d.Causes))
	}
	t.Flush()
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}

// Sentence returns in words how the two sides stand to each other.
func (d *Difference) Sentence() string {
	a, b := d.A.String(), d.B.String()
	switch d.Relation {
	case Equal:
		return fmt.Sprintf("%s and %s are equal.", a, b)
	case Contains:
		return fmt.Sprintf("%s contains %s, and more.", a, b)
	case ContainedIn:
		return fmt.Sprintf("%s is contained in %s, which has more.", a, b)
	case Disjoint:
		return fmt.Sprintf("%s and %s are disjoint.", a, b)
	}
	return fmt.Sprintf("%s and %s overlap.", a, b)
}

// Names returns what the two sides are called in headings.
func (d *Difference) Names() (a, b string) { return d.A.short(d.B), d.B.short(d.A) }

func (d *Difference) regions(b *strings.Builder) {
	a, c := d.Names()
	t := layout.Tabs(b)
	fmt.Fprintf(t, "\tshortest\tstrings of at most %d bytes\n", len(d.Both.Counts)-1)
	fmt.Fprintf(t, "only %s\t%s\t%s\n", a, d.OnlyA.First(), d.OnlyA.Total())
	fmt.Fprintf(t, "both\t%s\t%s\n", d.Both.First(), d.Both.Total())
	fmt.Fprintf(t, "only %s\t%s\t%s\n", c, d.OnlyB.First(), d.OnlyB.Total())
	t.Flush()
}

// First returns the shortest string of p as it is shown, "-" if there is none.
func (p Part) First() string {
	if p.Shortest == nil {
		return "-"
	}
	return p.Shortest.String()
}

// counts writes a row for each length at which there are strings at all.
func (d *Difference) counts(b *strings.Builder) {
	a, c := d.Names()
	b.WriteByte('\n')
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "length\tonly %s\tboth\tonly %s\t\n", a, c)
	for n := range d.Both.Counts {
		if d.OnlyA.Counts[n].Sign()+d.Both.Counts[n].Sign()+d.OnlyB.Counts[n].Sign() > 0 {
			fmt.Fprintf(t, "%d\t%d\t%d\t%d\t\n", n, d.OnlyA.Counts[n], d.Both.Counts[n], d.OnlyB.Counts[n])
		}
	}
	t.Flush()
}

// catalogue writes the causes, those together that have the same productions meet.
func (d *Difference) catalogue(b *strings.Builder) {
	if len(d.Causes) == 0 {
		return
	}
	var order []string
	families := map[string][]*Cause{}
	for i := range d.Causes {
		c := &d.Causes[i]
		key := fmt.Sprint(c.Region, c.A.Path, c.B.Path)
		if families[key] == nil {
			order = append(order, key)
		}
		families[key] = append(families[key], c)
	}
	classes := 0
	for _, c := range d.Causes {
		classes += len(c.Classes)
	}
	fmt.Fprintf(b, `
Where they part: %s in %s, from %s. Each line has the bytes at which
one side stops, or the end; a beginning after which it does; the shortest string accepted by the other side alone; how
many of the strings counted above are so; what the one reads there and the other expected.
`, layout.Plural(len(d.Causes), "cause"), layout.Plural(len(order), "pair")+" of places", layout.Plural(classes, "class"))
	for _, key := range order {
		d.family(b, families[key])
	}
}

// family writes causes that have the same productions meet.
func (d *Difference) family(b *strings.Builder, causes []*Cause) {
	an, bn := d.Names()
	goes, stops := an, bn
	in, out := causes[0].A, causes[0].B
	if causes[0].Region == OnlyB {
		goes, stops, in, out = bn, an, out, in
	}
	b.WriteByte('\n')
	t := layout.Tabs(b)
	fmt.Fprintf(t, "%s goes on in\t%s\n%s stops in\t%s\n", goes, in.String(), stops, out.String())
	t.Flush()
	t = layout.Tabs(b)
	for _, c := range causes {
		at := c.Bytes
		if at == "" {
			at = string(c.At)
		}
		fmt.Fprintf(t, "\t%s\tafter %s\t%s\t%s\treads %s\texpected %s\n",
			at, c.Witness[:c.Offset], c.Witness, layout.Share(c.Total(), d.total(c.Region)), c.ReadsText(), c.ExpectsText())
	}
	t.Flush()
}

// total gives the number of strings counted in a region.
func (d *Difference) total(r Region) *big.Int {
	if r == OnlyA {
		return d.OnlyA.Total()
	}
	return d.OnlyB.Total()
}

// String gives the way down to the place, without the production that was started from.
func (p Place) String() string {
	if len(p.Path) == 1 {
		return p.Path[0]
	}
	return strings.Join(p.Path[1:], " > ")
}
