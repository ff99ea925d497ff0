package diff

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// WriteText writes d for people: the relation, the shortest strings, the assumptions, and the differences in groups;
// with causes also the smallest groups, the number of strings of each length and the catalog of causes. Tables are
// folded if they are wider than width, unless that is 0. It fails only if w does.
func (d *Difference) WriteText(w io.Writer, width int, causes bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", d.Sentence())
	d.writeRegions(&b, width)
	if len(d.Assumed) > 0 {
		b.WriteByte('\n')
	}
	d.writeAssumed(&b)
	if len(d.Groups) > 0 {
		where := "see --causes"
		if causes {
			where = "see below"
		}
		order := "."
		if len(d.Groups) > 1 {
			order = ", the gravest first, each with its share of the strings that only that text has."
		}
		fmt.Fprintf(&b, "\nWhat sets them apart: %s, from %s (%s)%s\n\n", layout.Plural(len(d.Groups), "group"),
			layout.Plural(len(d.Causes), "cause"), where, order)
		d.writeOverview(&b, causes)
	}
	if causes {
		d.writeCounts(&b, width)
		d.writeCauses(&b, width)
	}
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}

// WriteSummary writes one row for each difference, without counts and causes, folded where it is
// wider than width, unless that is 0. The header has the names of the first one's sides. It fails only if w does.
func WriteSummary(w io.Writer, width int, ds []*Difference) error {
	t := layout.Table{Fold: true}
	for i, d := range ds {
		a, c := d.Names()
		if i == 0 {
			t.Header = []string{"", d.A.title(), "", d.B.title(), "only " + a, "both", "only " + c, "causes"}
		}
		t.Add(d.Topic, d.A.Spelling(), string(d.Relation), d.B.Spelling(),
			d.shownFirst(d.OnlyA), d.shownFirst(d.Both), d.shownFirst(d.OnlyB), strconv.Itoa(len(d.Causes)))
	}
	_, err := w.Write(t.Append(nil, &layout.Screen{Width: width}))
	return err
}

// Sentence returns the relation of the two sides in words.
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

// Names returns the names of the two sides for headings.
func (d *Difference) Names() (a, b string) { return d.A.shortName(d.B), d.B.shortName(d.A) }

// writeRegions writes a table of the three regions: the shortest string of each, and how many
// strings were counted. Notes follow it where a side was read only to a depth: see writeDeeper.
func (d *Difference) writeRegions(b *strings.Builder, width int) {
	a, c := d.Names()
	counted := fmt.Sprintf("strings of at most %d bytes", len(d.Both.Counts)-1)
	t := layout.Table{Header: []string{"", "shortest", counted}, Right: 0b100, Fold: true}
	t.Add("only "+a, d.shownFirst(d.OnlyA), layout.Digits(d.OnlyA.Total()))
	t.Add("both", d.shownFirst(d.Both), layout.Digits(d.Both.Total()))
	t.Add("only "+c, d.shownFirst(d.OnlyB), layout.Digits(d.OnlyB.Total()))
	b.Write(t.Append(nil, &layout.Screen{Width: width}))
	d.writeDeeper(b)
}

// writeDeeper adds a note for each side that was read only to a depth, if it derives the shortest string of the other
// side alone beyond that, or if that is not known.
func (d *Difference) writeDeeper(b *strings.Builder) {
	note := func(p Part, other Party) {
		switch {
		case p.Deeper:
			fmt.Fprintf(b, "%s derives %s too, but not %s.\n", other.title(), p.Shortest, other.Reading)
		case p.DeeperUnknown:
			fmt.Fprintf(b, "%s does not derive %s %s; whether it does deeper takes too much to find out.\n",
				other.title(), p.Shortest, other.Reading)
		}
	}
	note(d.OnlyA, d.B)
	note(d.OnlyB, d.A)
}

// writeAssumed writes the assumptions that the result rests on.
func (d *Difference) writeAssumed(b *strings.Builder) {
	for _, a := range d.Assumed {
		fmt.Fprintf(b, "Assumed: %s.\n", a)
	}
}

// AppendProof appends d for those who ask whether the two sides are equal: the answer, the shortest string that only
// one of them has, the differences, and the assumptions. Groups whose string is in the answer come first, and are
// shown in any case. Of the others it shows those with at least 0.1% of the strings, up to most groups in all, and
// says how many it leaves out; if most is 0 it shows all.
func (d *Difference) AppendProof(to []byte, s *layout.Screen, most int) []byte {
	var b strings.Builder
	read := func(name string, p Party) string {
		if p.Reading != "" && !strings.Contains(name, p.Reading) {
			name += " (" + p.Reading + ")"
		}
		return name
	}
	a, c := d.Names()
	a, c = read(a, d.A), read(c, d.B)
	if d.Relation == Equal {
		fmt.Fprintf(&b, "%s: %s and %s accept the same strings\n", s.Paint(nil, layout.Green, "proven"), a, c)
	} else {
		var only []string
		for i, p := range []Part{d.OnlyA, d.OnlyB} {
			if p.Shortest != nil {
				only = append(only, fmt.Sprintf("only %s accepts %s", []string{a, c}[i], d.shownFirst(p)))
			}
		}
		fmt.Fprintf(&b, "%s: %s\n", s.Paint(nil, layout.Red, "refuted"), strings.Join(only, ", and "))
		d.writeDeeper(&b)
	}
	shown := *d
	shown.Groups = nil
	rank := func(g Group) int { // the group whose string is in the headline comes first
		if p := d.partOf(g.Region); p.Shortest != nil && g.Witness == *p.Shortest {
			return 0
		}
		return 1
	}
	groups := slices.Clone(d.Groups)
	slices.SortStableFunc(groups, func(x, y Group) int { return rank(x) - rank(y) })
	for i, g := range groups {
		large := layout.Share(g.Total(), d.partOf(g.Region).Total()) != "<0.1%"
		if most == 0 || i == 0 || rank(g) == 0 || large && len(shown.Groups) < most {
			shown.Groups = append(shown.Groups, g)
		}
	}
	shown.writeGroups(&b)
	if n := len(d.Groups) - len(shown.Groups); n > 0 {
		fmt.Fprintf(&b, "\n  ... and %s (--most 0 shows all)\n", layout.Plural(n, "smaller group"))
	}
	if len(d.Groups) > 0 {
		b.WriteByte('\n')
	}
	d.writeAssumed(&b)
	return append(to, layout.Trim(b.String())...)
}

// shownFirst is [Part.First] with code points instead of bytes, if the texts of d have them.
func (d *Difference) shownFirst(p Part) string {
	if p.Shortest == nil {
		return "-"
	}
	return d.Shown(*p.Shortest)
}

// First returns the shortest string of p as it is shown, "-" if there is none.
func (p Part) First() string {
	if p.Shortest == nil {
		return "-"
	}
	return p.Shortest.String()
}

// writeCounts writes a row for each length at which there are strings at all.
func (d *Difference) writeCounts(b *strings.Builder, width int) {
	a, c := d.Names()
	b.WriteByte('\n')
	t := layout.Table{Header: []string{"", "length", "only " + a, "both", "only " + c}, Right: 0b11110, Fold: true}
	for n := range d.Both.Counts {
		x, y, z := d.OnlyA.Counts[n], d.Both.Counts[n], d.OnlyB.Counts[n]
		if x.Sign()+y.Sign()+z.Sign() > 0 {
			t.Add("", strconv.Itoa(n), layout.Digits(x), layout.Digits(y), layout.Digits(z))
		}
	}
	b.Write(t.Append(nil, &layout.Screen{Width: width}))
}

// maxSmall is the number of groups after which those with less than 0.1% of the strings are only counted.
const maxSmall = 8

// oneLine is the width of most terminals; up to it, a string is shown on the line of its sentence.
const oneLine = 80

// writeOverview writes the groups, those with the largest share of the strings of their side first. Each has its
// sentence and its shortest string. The printed lines that differ follow, each once. Without all, the smallest groups
// are only counted.
func (d *Difference) writeOverview(b *strings.Builder, all bool) {
	groups := make([]*Group, len(d.Groups))
	for i := range groups {
		groups[i] = &d.Groups[i]
	}
	slices.SortStableFunc(groups, func(g, h *Group) int {
		// Shares of different wholes are compared by cross-multiplication.
		x := new(big.Int).Mul(g.Total(), d.partOf(h.Region).Total())
		return new(big.Int).Mul(h.Total(), d.partOf(g.Region).Total()).Cmp(x)
	})
	var lines []*Line
	for i, g := range groups {
		share := layout.Share(g.Total(), d.partOf(g.Region).Total())
		if n := len(groups) - i; !all && i >= maxSmall && n > 1 && share == "<0.1%" {
			fmt.Fprintf(b, "        ... and %d groups with less than 0.1%% each (--causes shows them)\n", n)
			break
		}
		told, shown := fmt.Sprintf("%6s  %s", share, g.Sentence), d.Shown(g.Witness)
		if utf8.RuneCountInString(told)+2+utf8.RuneCountInString(shown) <= oneLine {
			fmt.Fprintf(b, "%s  %s\n", told, shown)
		} else {
			fmt.Fprintf(b, "%s\n        %s\n", told, shown)
		}
		of := g.Lines()
		for _, line := range slices.Concat(of[0], of[1]) {
			if !slices.ContainsFunc(lines, func(l *Line) bool { return *l == *line }) {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) > 0 {
		b.WriteString("\nThe printed lines:\n")
	}
	for _, line := range lines {
		line.write(b, 2)
	}
}

// writeGroups writes the groups, each with its sentence and its shortest string. Groups with the same printed lines
// stand together, and the lines follow them.
func (d *Difference) writeGroups(b *strings.Builder) {
	for _, groups := range d.groupsByLines() {
		b.WriteByte('\n')
		for _, g := range groups {
			fmt.Fprintf(b, "  %s\n    %s\n", g.Sentence, d.Shown(g.Witness))
		}
		lines := groups[0].Lines()
		for _, line := range slices.Concat(lines[0], lines[1]) {
			line.write(b, 4)
		}
	}
}

// groupsByLines returns the groups, those of the same printed lines together. A group without a line of A is alone.
func (d *Difference) groupsByLines() (list [][]*Group) {
	for i := range d.Groups {
		g := &d.Groups[i]
		lines := g.Lines()
		n := slices.IndexFunc(list, func(of []*Group) bool {
			return len(lines[0]) > 0 && reflect.DeepEqual(of[0].Lines(), lines)
		})
		if n < 0 {
			n, list = len(list), append(list, nil)
		}
		list[n] = append(list[n], g)
	}
	return list
}

// write writes the place, indented by indent blanks, and under it the printed line, by two more, with a mark under its
// column; nothing for nil.
func (l *Line) write(b *strings.Builder, indent int) {
	if l == nil {
		return
	}
	fmt.Fprintf(b, "%*s%s:\n", indent, "", l.Place)
	for i, line := range strings.Split(l.Printed, "\n") {
		fmt.Fprintf(b, "%*s%s\n", indent+2, "", layout.Printable(line))
		if i+1 == l.Row && l.Column <= len(line) {
			fmt.Fprintf(b, "%*s^\n", indent+2+utf8.RuneCountInString(layout.Printable(line[:l.Column-1])), "")
		}
	}
}

// writeCauses writes all causes, after a few lines that say what follows; those of one region at one pair of places
// stand together. It writes nothing if there are none.
func (d *Difference) writeCauses(b *strings.Builder, width int) {
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
Where they part: %s in %s, from %s
(a class is the strings that part after one pair of states of the two minimal
automata, into one state). Each line has the bytes at which one side stops, or
the end; a beginning after which it does; the shortest string accepted by the
other side alone; how many of the strings counted above are so; what the one
reads there and the other expected.
`, layout.Plural(len(d.Causes), "cause"), layout.Plural(len(order), "pair")+" of places",
		layout.Plural(classes, "class"))
	for _, key := range order {
		d.writeCauseFamily(b, width, families[key])
	}
}

// writeCauseFamily writes causes that part at one pair of places.
func (d *Difference) writeCauseFamily(b *strings.Builder, width int, causes []*Cause) {
	an, bn := d.Names()
	goes, stops := an, bn
	in, out := causes[0].A, causes[0].B
	if causes[0].Region == OnlyB {
		goes, stops, in, out = bn, an, out, in
	}
	b.WriteByte('\n')
	places, t := layout.Table{Fold: true}, layout.Table{Fold: true}
	places.Add(goes+" goes on in", in.String())
	places.Add(stops+" stops in", out.String())
	screen := &layout.Screen{Width: width}
	b.Write(places.Append(nil, screen))
	for _, c := range causes {
		p := d.Parting(c)
		t.Add("", p.At, "after "+d.Shown(c.Witness[:p.Offset]), d.Shown(c.Witness),
			layout.Share(c.Total(), d.partOf(c.Region).Total()),
			"reads "+p.Reads, "expected "+p.Expects)
	}
	b.Write(t.Append(nil, screen))
}

// A Parting describes a cause as the texts would: at a code point if they have code points, and otherwise at a byte.
type Parting struct {
	Offset         int    // in the witness, where the code point begins
	At             string // the bytes or code points, or the end
	Reads, Expects string
	Point          string // the code point outside of ASCII that is read there, if it is one
}

// Parting describes a cause of d as its texts would.
func (d *Difference) Parting(c *Cause) Parting {
	p := Parting{c.Offset, c.Bytes, c.ReadsText(), c.ExpectsText(), d.walk.pointAt(string(c.Witness), c.Offset)}
	p.At = cmp.Or(p.At, string(c.At))
	if d.CodePoints() && c.At == AtByte { // the rest is told by code points already: see inCodePoints
		set, points := d.walk.readAtCause(c)
		p.At = reading{set, points}.listed("and")
	}
	return p
}

// inCodePoints changes the causes of texts that have code points, to describe them by these and not by the bytes of
// their UTF-8.
func (d *Difference) inCodePoints() {
	for i := range d.Causes {
		c := &d.Causes[i]
		_, stops := d.walk.sidesOf(c.Region)
		if c.At != AtByte || c.bytes.Minus(expr.Range(0, utf8.RuneSelf-1)).IsEmpty() {
			continue
		}
		p := d.Parting(c)
		for k := range c.Classes {
			s, at := string(c.Classes[k].Witness), 0 // at becomes the offset of the parting
			for q := stops.step(0, s[0]); stops.isLive(q); q = stops.step(q, s[at]) {
				at++
			}
			c.Classes[k].Bytes = p.At
			if point := d.walk.pointAt(s, at); point != "" {
				c.Classes[k].Bytes = quote.CodePoints(point)
			}
		}
		c.Bytes = p.At
		if p.Point == "" {
			continue
		}
		s := string(c.Witness)
		c.Offset = d.walk.pointStart(s, c.Offset)
		read, expected := []string{p.At}, stops.termsAfter(stops.subsetAfter(s[:c.Offset])).shownNames()
		c.Reads, c.Expects, c.Sometimes = read, expected, nil
		on, off := &c.A, &c.B
		if stops == d.walk.a {
			on, off = off, on
		}
		on.Terms, off.Terms = read, expected
	}
}

// CodePoints reports whether the texts of d have code points.
func (d *Difference) CodePoints() bool { return d.walk.codePoints() }

// Shown returns a string as the texts of d write it: in code points, if one of the two has them, or in bytes.
func (d *Difference) Shown(s quote.Word) string {
	if b := d.walk.b.side.Grammar; b.CodePoints {
		return b.Shown(s)
	}
	return d.walk.a.side.Grammar.Shown(s)
}

// partOf returns the part of one side alone.
func (d *Difference) partOf(r Region) Part {
	if r == OnlyA {
		return d.OnlyA
	}
	return d.OnlyB
}

// String returns the path to the place, without the start production unless that is all, and the source in
// parentheses.
func (p Place) String() string {
	s := p.Path[0]
	if len(p.Path) > 1 {
		s = strings.Join(p.Path[1:], " > ")
	}
	if p.Source != "" {
		s += " (" + p.Source + ")"
	}
	return s
}
