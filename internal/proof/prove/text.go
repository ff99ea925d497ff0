package prove

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// AppendText appends the report as text for people: the verdict with the causes, the first open production and the
// totals; the faults; with verbose the productions, ambiguities and hidden alternatives in tables, and the
// productions that Start does not lead to; then the oddities, the parts that were read, the notes, the assumptions
// and the certificate. At most `most` faults are shown, all if most is 0. source, if not nil, appends the line of a
// place with a caret under it; it is called for the faults.
func (r *Report) AppendText(to []byte, s *layout.Screen, verbose bool, most int,
	source func([]byte, expr.Pos, layout.Style) []byte) []byte {
	var b strings.Builder
	how := map[Verdict]layout.Style{VerdictProven: layout.Green, VerdictRefuted: layout.Red}[r.Verdict]
	b.Write(s.Paint(nil, cmp.Or(how, layout.Yellow), string(r.Verdict)))
	fmt.Fprintf(&b, "%s\n%s: %s against %s\n", strings.TrimPrefix(r.Summary(), string(r.Verdict)), r.Title, r.PEG,
		r.BNF)
	r.writeCauses(&b)
	r.writeOpen(&b)
	r.writeTotals(&b)
	r.writeFaults(&b, most, source)
	if verbose {
		if len(r.Productions) > 0 {
			b.WriteByte('\n')
			r.writeProductions(&b)
			r.writeLegend(&b)
		}
		r.writeAmbiguities(&b)
		r.writeHidden(&b)
		writeNames(&b, "Productions that "+r.Start+" does not lead to", r.Unreached)
	}
	writeParagraph(&b, "Odd, though it may be right", r.Lint)
	writeParagraph(&b, "Read from the text; --lines decides otherwise", r.Read)
	writeParagraph(&b, "Notes", r.Notes)
	writeParagraph(&b, "Assumed", r.AllAssumed())
	r.writeCertificate(&b)
	return append(to, b.String()...)
}

// writeCauses writes one line: how many causes there are, how many other rules are wrong because of them, and the name
// of each cause, however many, those that make the most others wrong first. A cycle counts as one and is named by its
// first rule. It writes nothing if there are no causes.
func (r *Report) writeCauses(b *strings.Builder) {
	affected := 0
	for _, row := range r.Productions {
		affected += min(1, len(row.Because))
	}
	if len(r.Causes) == 0 {
		return
	}
	n := len(r.Causes)
	fmt.Fprintf(b, "%s %s wrong by %s", layout.Plural(n, "rule"), layout.Agree(n, "is", "are"),
		layout.Agree(n, "itself", "themselves"))
	if affected > 0 {
		fmt.Fprintf(b, ", and %s because of that", layout.Plural(affected, "other"))
	}
	causes := slices.Clone(r.Causes)
	slices.SortStableFunc(causes, func(a, b Cause) int { return len(b.Affects) - len(a.Affects) })
	var names []string
	for _, c := range causes {
		names = append(names, c.Production)
	}
	fmt.Fprintf(b, ": %s\n", strings.Join(names, ", "))
}

// AllAssumed returns the assumptions, and what the caller vouched for by --define and
// --allow-missing, each as a sentence without a full stop.
func (r *Report) AllAssumed() []string {
	list := slices.Clone(r.Assumptions)
	for _, d := range r.Defined {
		list = append(list, fmt.Sprintf("%s = %s (--define)", d.Name, d.Expression))
	}
	if len(r.InPlace) > 0 {
		list = append(list, fmt.Sprintf("written in place, without a rule of their own (--allow-missing): %s",
			strings.Join(r.InPlace, ", ")))
	}
	return list
}

// writeParagraph writes lines under a heading, if there are any.
func writeParagraph(b *strings.Builder, heading string, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintf(b, "\n%s\n  %s\n", heading, strings.Join(lines, "\n  "))
	}
}

// newTable returns a writer that aligns columns separated by tabs. It must be flushed.
func newTable(b *strings.Builder) *tabwriter.Writer { return tabwriter.NewWriter(b, 0, 0, 2, ' ', 0) }

// faulty lists the productions that some fault is about.
func (r *Report) faulty() map[string]bool {
	out := map[string]bool{}
	for _, f := range r.Faults {
		out[f.Production] = true
	}
	return out
}

// writeProductions writes the table of productions, with a heading line even if there are none. Without any page the
// column of pages is left out, and without any tree that of trees. FAIL ends the line of a production that a fault is
// about. It trims the blanks at the ends of all lines in b, also of those before the table.
func (r *Report) writeProductions(b *strings.Builder) {
	faulty := r.faulty()
	t := newTable(b)
	trees, pages := r.hasRow(func(p Row) bool { return p.Tree != "" }), r.hasRow(func(p Row) bool { return p.Page > 0 })
	line := func(production, page, mark, states, language, tree, note string) {
		cells := []string{production}
		if pages {
			cells = append(cells, page)
		}
		cells = append(cells, mark, states, language)
		if trees {
			cells = append(cells, tree)
		}
		fmt.Fprintln(t, strings.Join(append(cells, note), "\t"))
	}
	line("production", "page", "mark", "states", "language", "tree", "")
	for _, p := range r.Productions {
		language, states, peg := p.Language(), fmt.Sprint(p.BNFStates), fmt.Sprint(p.PEGStates)
		switch {
		case !p.Equal:
			if p.PEGStates == 0 {
				peg = "-"
			}
			states += "/" + peg
		case p.Depth != nil:
			language += fmt.Sprintf(" to %d", *p.Depth)
		}
		if p.BNFStates == 0 { // its states were not counted
			states = "-"
		}
		tree, note := "-", ""
		if p.Node {
			tree = string(p.Tree)
		}
		if faulty[p.Production] {
			note = "FAIL"
		}
		line(p.Production, fmt.Sprint(p.Page), p.Mark, states, language, tree, note)
	}
	t.Flush()
	// The last cell of most lines is empty, and the table pads the one before it.
	trimmed := layout.Trim(b.String())
	b.Reset()
	b.WriteString(trimmed)
}

// writeLegend explains the marks and words that occur in the table; nothing if none of them do.
func (r *Report) writeLegend(b *strings.Builder) {
	var lines []string
	explain := func(what, means string, is func(Row) bool) {
		if r.hasRow(is) {
			lines = append(lines, fmt.Sprintf("  %-8s %s", what, means))
		}
	}
	mark := func(m string) func(Row) bool { return func(p Row) bool { return strings.Contains(p.Mark, m) } }
	explain("mark =", "the rule is the production as it stands", mark("="))
	explain("mark ~", "its alternatives are in another order", mark("~"))
	explain("mark !", "it is rewritten", mark("!"))
	explain("mark *", "the production is read through an entry of the ledger", mark("*"))
	explain("8/5", "states of the least automata of production and rule, where they differ",
		func(p Row) bool { return !p.Equal && p.BNFStates > 0 })
	explain("states -", "no automaton was made, or none that is counted",
		func(p Row) bool { return p.BNFStates == 0 || !p.Equal && p.PEGStates == 0 })
	explain("open", "neither proven nor refuted; the faults above say where it stopped", isOpen)
	explain("equal to", "equal for what nests no deeper than this",
		func(p Row) bool { return p.Equal && p.Depth != nil })
	explain("tree -", "the production is no node of the tree", func(p Row) bool { return p.Tree != "" && !p.Node })
	if faulty := r.faulty(); len(faulty) > 0 {
		explain("FAIL", "a fault above is about it", func(p Row) bool { return faulty[p.Production] })
	}
	if len(lines) > 0 {
		fmt.Fprintf(b, "\n%s\n", strings.Join(lines, "\n"))
	}
}

// isOpen reports whether a row is neither proven nor refuted.
func isOpen(p Row) bool { return p.Language() == "open" }

// writeOpen names the first production that is open, and says how many are; nothing if none is.
func (r *Report) writeOpen(b *strings.Builder) {
	if all := slices.DeleteFunc(slices.Clone(r.Productions), func(p Row) bool { return !isOpen(p) }); len(all) > 0 {
		fmt.Fprintf(b, "stopped first at %s; %d of %s open\n", all[0].Production, len(all),
			layout.Plural(len(r.Productions), "production"))
	}
}

// hasRow reports whether some row satisfies a condition.
func (r *Report) hasRow(is func(Row) bool) bool { return slices.ContainsFunc(r.Productions, is) }

// writeAmbiguities writes a table of the ambiguous productions, if there are any, each with all derivations that were
// listed. If a tree is known to show one, that is first, the others are marked with "not", and the readings that
// choose it stand at the end.
func (r *Report) writeAmbiguities(b *strings.Builder) {
	if len(r.Ambiguities) == 0 {
		return
	}
	what := "\nAmbiguous productions, and the shortest string with several derivations\n\n"
	if r.hasRow(func(p Row) bool { return p.Tree != "" }) {
		what = "\nAmbiguous productions, the shortest string with several derivations, and the one " +
			"that the tree shows\n\n"
	}
	b.WriteString(what)
	t := newTable(b)
	for _, a := range r.Ambiguities {
		fmt.Fprintf(t, "%s\t%s", a.Production, r.shownWord(a.Word))
		if a.Shown == "" {
			fmt.Fprintf(t, "\t%s\n", strings.Join(a.Derivations, "  "))
			continue
		}
		var others []string
		for _, d := range a.Derivations {
			if d != a.Shown {
				others = append(others, "not "+d)
			}
		}
		fmt.Fprintf(t, "\t%s\t%s\t%s\n", a.Shown, strings.Join(others, ", "), strings.Join(a.Readings, ", "))
	}
	t.Flush()
}

// shownWord returns a word as messages about the BNF write strings.
func (r *Report) shownWord(w quote.Word) string {
	return (&expr.Grammar{CodePoints: r.codePoints}).Shown(w)
}

// writeHidden writes a table of the alternatives that lose strings, apart from those that a fault has named, and then
// one of those that are never taken. An empty table is left out.
func (r *Report) writeHidden(b *strings.Builder) {
	var never, losing []Hidden
	for _, h := range r.Hidden {
		switch {
		case h.Never():
			never = append(never, h)
		case !h.said: // no fault above shows it with its string
			losing = append(losing, h)
		}
	}
	if len(losing) > 0 {
		b.WriteString("\nAlternatives that hide others, and the shortest string that is lost by it\n\n")
		t := newTable(b)
		for _, h := range losing {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s hides %s at offset %d\n", h.Place, h.Start, r.shownWord(*h.Word),
				shorten(h.Shadow), shorten(h.Alternative), h.Offset)
		}
		t.Flush()
	}
	if len(never) > 0 {
		b.WriteString("\nAlternatives that are never taken\n\n")
		t := newTable(b)
		for _, h := range never {
			where := h.Rule
			switch {
			case h.Lookahead:
				where += ", in a lookahead"
			case h.Start != h.Rule:
				where += ", from " + h.Start
			}
			fmt.Fprintf(t, "%s\t%s\t%s\tof %s\n", h.Place, where, shorten(h.Alternative), shorten(h.Choice))
		}
		t.Flush()
	}
}

// shorten returns the text of an expression; of one with more than 48 bytes it returns these, up to their last space
// if there is one, and " ...".
func shorten(s string) string {
	const most = 48
	if len(s) <= most {
		return s
	}
	cut := strings.LastIndexByte(s[:most], ' ')
	if cut < 0 {
		cut = most
	}
	return s[:cut] + " ..."
}

// writeNames writes names after a heading, on one line, if there are any.
func writeNames(b *strings.Builder, what string, ids []string) {
	if len(ids) > 0 {
		fmt.Fprintf(b, "\n%s: %s\n", what, strings.Join(ids, ", "))
	}
}

// mostEmpty caps the productions without a string that the summary names.
const mostEmpty = 4

// Summary returns in one line the verdict, how many of the productions are equal, how many of these by structure or
// to a depth alone, and how many productions are written in place. The last three are left out where they are 0. For
// [VerdictEmpty] it names instead the productions that have no string, or whose rule has none, up to mostEmpty; it is
// "refused" alone if nothing was compared.
func (r *Report) Summary() string {
	if r.Verdict == VerdictRefused && r.Asked == 0 {
		return "refused"
	}
	if r.Verdict == VerdictEmpty {
		var names []string
		for _, f := range r.Faults {
			if f.Kind == Empty && !slices.Contains(names, f.Production) {
				names = append(names, f.Production)
			}
		}
		return fmt.Sprintf("%s: nothing is proven, since there is no string of %s", r.Verdict,
			layout.Some(names, mostEmpty, ", "))
	}
	s := fmt.Sprintf("%s: %d of %s %s a rule that matches exactly what %s",
		r.Verdict, r.Equal, layout.Plural(r.Asked, "production"), layout.Agree(r.Asked, "has", "have"),
		layout.Agree(r.Asked, "it derives", "they derive"))
	deepest, nested, structure := 0, 0, 0 // the depth is the same for all
	for _, p := range r.Productions {
		if p.Structure {
			structure++
		}
		if p.Depth != nil && p.Equal {
			deepest = *p.Depth
			nested++
		}
	}
	if structure > 0 {
		s += fmt.Sprintf(", %d of them by being written alike, in rules whose every choice the next byte decides",
			structure)
	}
	if nested > 0 {
		s += fmt.Sprintf(", %d of them to a nesting of %d", nested, deepest)
	}
	if n := len(r.InPlace); n > 0 {
		s += fmt.Sprintf(", and %d %s written in place", n, layout.Agree(n, "is", "are"))
	}
	return s
}

// writeTotals writes how many kinds of nodes are proven, if any are, and for each parser what it was given and how
// often it was wrong.
func (r *Report) writeTotals(b *strings.Builder) {
	nodes, proven := 0, 0
	for _, p := range r.Productions {
		if p.Node {
			nodes++
		}
		if p.Tree == Proven && p.Node {
			proven++
		}
	}
	if proven > 0 {
		fmt.Fprintf(b, "%d of %s of nodes %s proven to be the derivations that the BNF has "+
			"and the ledger chooses\n", proven, layout.Plural(nodes, "kind"), layout.Agree(proven, "is", "are"))
	}
	for _, s := range r.Samples {
		if s.Words == 0 {
			fmt.Fprintf(b, "the %s parser was not asked: there are no strings for it\n", s.Parser)
			continue
		}
		fmt.Fprintf(b, "the %s parser was given %s, and %s %s held against the BNF: %s wrong\n",
			s.Parser, layout.Plural(s.Words, "string"), layout.Plural(s.Trees, "tree"),
			layout.Agree(s.Trees, "was", "were"), countOrNothing(s.Wrong))
	}
}

// writeFaults writes the faults, up to most unless that is 0, and how many are left; nothing if there are none.
// source, if not nil, appends the line that a fault is about, once for faults in a row at one place, unless they have
// a place of their own (at). Rules that are wrong because of others get none. Faults of kind Unsupported with one
// message are written once, with the list of their productions, and count once for most and for what is left; the
// heading counts all faults.
func (r *Report) writeFaults(b *strings.Builder, most int, source func([]byte, expr.Pos, layout.Style) []byte) {
	if len(r.Faults) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", layout.Plural(len(r.Faults), "fault"))
	var faults []Fault
	same := map[string][]string{} // by message: the productions
	for _, f := range r.Faults {
		if f.Kind == Unsupported {
			if same[f.Message] = append(same[f.Message], f.Production); len(same[f.Message]) > 1 {
				continue
			}
		}
		faults = append(faults, f)
	}
	for i, f := range faults {
		if most > 0 && i == most {
			fmt.Fprintf(b, "  ... and %d more (--most 0 shows all)\n", len(faults)-i)
			break
		}
		parts := f.parts
		if parts != nil {
			f.Message = parts[0]
		}
		fmt.Fprintf(b, "  %s\n", f)
		if source != nil && len(f.Because) == 0 && (i == 0 || f.at != (expr.Pos{}) || f.Place != faults[i-1].Place) {
			b.Write(source(nil, cmp.Or(f.at, parsePlace(f.Place)), layout.Caret))
		}
		for i := 1; i < len(parts); i++ {
			fmt.Fprintf(b, "    %s\n", parts[i])
		}
		if others := same[f.Message]; len(others) > 1 {
			fmt.Fprintf(b, "    the same holds of %s\n", layout.List(others[1:], "and"))
		}
	}
}

// parsePlace is the inverse of [expr.Pos.String]. It returns the zero Pos if s is not a place.
func parsePlace(s string) (pos expr.Pos) {
	if m := placed.FindStringSubmatch(s); m != nil {
		pos.File = m[1]
		pos.Line, _ = strconv.Atoi(m[2])
		pos.Col, _ = strconv.Atoi(m[3])
	}
	return pos
}

// placed matches a place: file:line:column.
var placed = regexp.MustCompile(`^(.+):(\d+):(\d+)$`)

// writeCertificate summarizes the certificate, if one was written.
func (r *Report) writeCertificate(b *strings.Builder) {
	c := r.Certificate
	if c == nil {
		return
	}
	all := layout.Plural(c.Equal+c.Differ+len(c.Open), "rule")
	fmt.Fprintf(b, "\ncertificate: of %s %d equal, %d different, %d not covered\n", all, c.Equal, c.Differ, len(c.Open))
	if unchecked := c.unchecked(); len(unchecked) > 0 {
		fmt.Fprintf(b, "certcheck cannot check\n  %s\n", strings.Join(unchecked, "\n  "))
	}
	fmt.Fprintf(b, "sha256 %s\n", c.Sum)
}

// countOrNothing returns n in digits, or "nothing" for 0.
func countOrNothing(n int) string {
	if n == 0 {
		return "nothing"
	}
	return fmt.Sprint(n)
}
