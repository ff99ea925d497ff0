package conform

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// WriteText writes the report for people to read: the matrix, the failures, the causes, the groups of each comparison,
// and the pairs. It shows at most most entries of each list, or all if most is 0. It fails only if w does.
func (r *Report) WriteText(w io.Writer, most int) error {
	p := &printer{w: w, most: most}
	p.writeMatrix(r)
	for _, o := range r.Implementations {
		p.writeFaults(o)
	}
	p.writeCauses(r.Causes)
	for _, c := range r.Comparisons {
		p.writeComparison(c)
	}
	for _, pair := range r.Pairs {
		p.writePair(pair)
	}
	return p.err
}

// A printer remembers the first error.
type printer struct {
	w    io.Writer
	most int
	err  error
}

// printf writes, unless an earlier write failed. The first error is kept.
func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// writeRest writes how many of n entries are not shown, if any; what is their name in the plural.
func (p *printer) writeRest(shown, n int, what string) {
	if shown < n {
		p.printf("  ... and %d more %s\n", n-shown, what)
	}
}

// countShown returns how many of n entries to show: at most p.most, or all if that is 0.
func (p *printer) countShown(n int) int {
	if p.most > 0 {
		return min(n, p.most)
	}
	return n
}

// writeMatrix writes a table of the answers of each implementation, and one of the implementations against the
// grammars. Before them come the gaps, if no difference was found, the number of strings, and what they guarantee.
// If no implementation reports components, the second table has no column for them.
func (p *printer) writeMatrix(r *Report) {
	if gaps := r.Gaps(); len(gaps) > 0 && !r.Differs() {
		p.printf("undecided: no difference was found, and these strings cannot tell that there is none:\n")
		for _, gap := range gaps {
			p.printf("%s.\n", gap.Reason)
		}
		p.printf("\n")
	}
	p.printf("%s\n", layout.Plural(r.Inputs, "string"))
	p.writeMutants(r.Mutants)
	p.printf("\n")
	// Right has a bit for each column: all but the two, and below three, columns of names are aligned to the right.
	answers := &layout.Table{
		Header: []string{"", "", "accepted", "rejected", "undecided", "no answer"}, Right: ^uint(0b11),
	}
	other, by, compared := "other host", "the RFC", false
	if len(r.Comparisons) > 0 && r.Comparisons[0].File != "" {
		other, by = "other component", "the grammar"
	}
	t := &layout.Table{Header: []string{"", "", "", "more", "less", "both", other}, Right: ^uint(0b111)}
	add := func(t *layout.Table, cells []string, numbers ...int) {
		for _, n := range numbers {
			cells = append(cells, strconv.Itoa(n))
		}
		t.Add(cells...)
	}
	next := r.Comparisons
	for _, o := range r.Implementations {
		add(answers, []string{"", o.Name}, o.Accepted, o.Rejected, o.Undecided, o.NoAnswer)
		for range r.Grammars {
			c := next[0]
			counts := func(t Tally) bool { return t != Tally{Component: t.Component} }
			compared = compared || slices.ContainsFunc(c.Tallies, counts)
			add(t, []string{"", o.Name, cmp.Or(c.File, catalog.TitleOf(c.Grammar))}, c.More, c.Less, c.Both,
				c.countDiffering())
			next = next[1:]
		}
	}
	means := fmt.Sprintf("more: accepted by the implementation alone; less: by %s alone", by)
	if compared {
		means += "; " + other + ": accepted by both"
	} else { // no implementation reports components
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:len(t.Rows[i])-1]
		}
		t.Header = t.Header[:len(t.Header)-1]
	}
	p.printf("%s\n%s\n%s.\n", answers.String(), t.String(), means)
	if slices.ContainsFunc(r.Implementations, func(o Outcome) bool { return o.Undecided > 0 }) {
		p.printf("undecided: answered neither yes nor no, or a string with a line end, which " +
			"--each-line cannot ask about.\n")
	}
}

// writeMutants writes what the strings guarantee, and all that was not made or left out, a line each. It writes nothing
// if m is nil.
func (p *printer) writeMutants(m *Mutants) {
	if m == nil {
		return
	}
	switch all := m.Killed + m.Living + m.Unseen; {
	case m.Killed > 0:
		p.printf("They tell the grammar from %s, each of which is the grammar with one change",
			layout.Plural(m.Killed, "mutant"))
	case all > 0:
		p.printf("They are not known to tell the grammar from any of %s, each of which is the grammar with one change",
			layout.Plural(all, "mutant"))
		p.printf(": %d may derive the same, and %d were not looked at", m.Living, m.Unseen)
	default:
		p.printf("Whether they tell the grammar from one with a change was not asked: no mutant was made")
	}
	if m.Killed > 0 && m.Living > 0 {
		p.printf("; %d more are not told from it, and may derive the same", m.Living)
	}
	if m.Killed > 0 && m.Unseen > 0 {
		p.printf("; %d more were not looked at", m.Unseen)
	}
	p.printf(".\n")
	for _, why := range m.Unmade {
		p.printf("No mutant was made of %s\n", why)
	}
	if m.Complete > 0 {
		p.printf("Therefore all %s of a complete suite of the automaton are among them.\n",
			layout.Plural(m.Complete, "string"))
	}
	for _, why := range m.LeftOut {
		p.printf("Left out: %s\n", why)
	}
}

// countDiffering returns the number of inputs, of those that both accept, in which they see different hosts.
// For a user's grammar it returns the number of different values of all its components.
func (c Comparison) countDiffering() (n int) {
	if c.File == "" {
		return c.Differing(Host)
	}
	for _, t := range c.Tallies {
		n += t.Different
	}
	return n
}

// Differing returns the number of inputs, of those that both accept, in which they see different values of
// component k.
func (c Comparison) Differing(k Component) int {
	for _, t := range c.Tallies {
		if c, ok := componentNamed(t.Component); ok && c == k { // a search may be called query
			return t.Different
		}
	}
	return 0
}

// writeFaults writes the inputs on which an implementation failed to answer, and why it was given up. It
// writes nothing if the implementation always answered.
func (p *printer) writeFaults(o Outcome) {
	if o.FaultCount == 0 && o.GaveUp == "" {
		return
	}
	p.printf("\n%s failed to answer %s\n", o.Name, layout.Plural(o.FaultCount, "time"))
	n := p.countShown(len(o.Faults))
	for _, f := range o.Faults[:n] {
		p.printf("  %v\n", f)
	}
	p.writeRest(n, o.FaultCount, "times")
	if o.GaveUp != "" {
		p.printf("  %s\n", o.GaveUp)
	}
}

// writeComparison writes how an implementation differs from a grammar: the strings left out, and the groups
// of each kind, as many as are to be shown, or that there is no difference.
func (p *printer) writeComparison(c Comparison) {
	p.printf("\n%s and %s\n", c.Implementation, c.subjectName())
	if c.Elsewhere > 0 {
		p.printf("  left out: %s that the grammar accepts as URLs of other schemes\n",
			layout.Plural(c.Elsewhere, "string"))
	}
	if c.Unjudged > 0 {
		p.printf("  not decided by the grammar: %s, the first of them %s: %s\n",
			layout.Plural(c.Unjudged, "string"), inQuotes(shorten(string(c.UnjudgedFirst))), c.UnjudgedWhy)
	}
	if len(c.Groups) == 0 {
		p.printf("  %s\n", c.agreementText())
		return
	}
	if why := c.Refusal(); why != "" {
		p.printf("%s", layout.Wrap(nil, why+"; --base makes the strings of your own.", 2, 80))
	}
	for rest := c.Groups; len(rest) > 0; {
		part := rest[:1] // the groups under one heading
		for len(part) < len(rest) && rest[len(part)].headingText() == part[0].headingText() {
			part = rest[:len(part)+1]
		}
		rest = rest[len(part):]
		n := 0
		for _, g := range part {
			n += g.Count
		}
		p.printf("\n  %s: %s in %s\n", part[0].headingText(), layout.Plural(n, "string"),
			layout.Plural(len(part), "group"))
		shown := p.countShown(len(part))
		for _, g := range part[:shown] {
			p.writeGroup(g)
		}
		p.writeRest(shown, len(part), "groups")
	}
}

// headingText returns the heading that the group stands under. Groups with one heading follow each other.
func (g Group) headingText() string {
	switch {
	case g.Kind == AcceptsMore:
		return "accepted, and not by " + g.judgeName()
	case g.Kind == AcceptsLess:
		return "rejected, and accepted by " + g.judgeName()
	}
	if g.How == noneForEmpty || g.How == emptyForNone {
		return "absent or empty, of a component"
	}
	return "another " + g.Component
}

// judgeName returns "the grammar" for a user's grammar, and "the RFC" for a published one.
func (g Group) judgeName() string {
	if g.File != "" {
		return "the grammar"
	}
	return "the RFC"
}

// String tells in one line where and how the two differ.
func (g Group) String() string {
	at := g.At
	if g.Bytes != "" {
		at += " (one of " + g.Bytes + ")"
	}
	switch g.Kind {
	case AcceptsMore:
		return fmt.Sprintf("in %s: takes %s; expected %s", g.Production, at, expectedText(g))
	case AcceptsLess:
		s := fmt.Sprintf("in %s: refuses %s as %s", g.Production, at, g.Term)
		if g.At == "" {
			s = fmt.Sprintf("in %s: refuses a string in which it stands", g.Production)
		} else if g.At == g.Term {
			s = fmt.Sprintf("in %s: refuses the %s", g.Production, at)
		}
		if !g.Surely {
			s += " (in some strings)"
		}
		return s
	}
	s := fmt.Sprintf("in %s: %s", g.Production, g.How)
	if g.headingText() != "another "+g.Component {
		s += ": " + g.Component
	}
	if g.At != "" {
		s += ": at " + at
	}
	return s
}

// writeGroup writes a group: its number and size, where and how the two differ, its shortest string, its place in
// the grammar and, if set, the line that repeats it.
func (p *printer) writeGroup(g Group) {
	p.printf("  %6s %5d  %v\n", fmt.Sprintf("#%d", g.Number), g.Count, g)
	p.printf("                %s", inQuotes(string(g.Shortest)))
	if g.Kind == OtherComponent {
		p.printf("  %s sees %s, it sees %s", g.judgeName(), g.Ours, g.Theirs)
	}
	if g.Error != "" {
		p.printf("  (%s)", quoteBeginning([]byte(g.Error)))
	}
	place := citation.Place{Section: g.Section, Lines: strconv.Itoa(g.Line)}.String()
	if g.File != "" {
		place = g.File + ":" + strconv.Itoa(g.Line)
	}
	p.printf("\n                %s", place)
	if len(g.Around) > 0 {
		p.printf("; within %s", g.aroundText())
	}
	if g.Repeat != "" {
		p.printf("\n                %s%s", layout.Whole, g.Repeat)
	}
	p.printf("\n")
}

// writePair writes the shortest strings whose hosts two implementations see differently. It writes nothing if
// there are none.
func (p *printer) writePair(pair Pair) {
	if pair.Different == 0 {
		return
	}
	p.printf("\n%s and %s see different hosts in %d of %s\n", pair.A, pair.B, pair.Different,
		layout.Plural(pair.Compared, "string"))
	n := p.countShown(len(pair.Shortest))
	for _, s := range pair.Shortest[:n] {
		p.printf("  %s  %s, %s\n", inQuotes(string(s.Input)), s.A, s.B)
	}
	p.writeRest(n, pair.Minimal, "strings in which no shorter one is hidden")
}

// expectedText returns the expected terms of a group, joined in words; "nothing" if there are none.
func expectedText(g Group) string {
	return cmp.Or(quote.ListBeginning(g.Expected, g.MoreExpected, "or"), "nothing")
}

// aroundText returns the productions around a group, joined by commas, with the number of those that it does not list.
func (g Group) aroundText() string {
	s := strings.Join(g.Around, ", ")
	if g.MoreAround > 0 {
		s += " and " + quote.Thousands(g.MoreAround) + " more"
	}
	return s
}
