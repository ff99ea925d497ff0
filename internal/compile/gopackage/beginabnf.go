package gopackage

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file writes the .abnf file of a new package: the productions of a text, and of the RFCs that it takes
// names from, in one file that needs no other.
//
// A production stands there as it is printed, with two exceptions. A production of another document gets
// another name if the text has one of its name too, here and wherever it is used. And a production that as
// printed would mean something else in this file, or nothing, is written from its expression, below a comment
// with the printed lines. Examples are prose such as <token, see [RFC9110]>, lists that the other document
// reads otherwise, and octets next to code points. These are not foreseen but found by trying: each
// production is read again, by itself and at the end with all others.

// A grammarABNF is the text of the file, the name in it of each production by ID, and options of bnfcheck
// generate for reading it.
type grammarABNF struct {
	text  []byte
	names map[string]string
	args  []string
}

// writeGrammar returns the .abnf file. It fails for a production that ABNF has no text for, and if the file,
// read again, is not the grammar. If that happens with values as code points, it tries the file with octets.
func (b Beginning) writeGrammar() (*grammarABNF, error) {
	w := &abnfFile{Beginning: b, codePoints: b.Grammar.CodePoints, names: map[string]string{}, taken: map[string]bool{}}
	w.chooseRules()
	w.nameRules()
	out, err := w.write()
	if err != nil && w.codePoints {
		// Octets that are no part of a character can only be written where all values are octets.
		w.codePoints = false
		out, err = w.write()
	}
	return out, err
}

// An abnfFile is the .abnf file in the making.
type abnfFile struct {
	Beginning
	codePoints bool              // values stand for code points
	rules      []*expr.Rule      // those that are written
	names      map[string]string // by ID
	taken      map[string]bool   // names that are given, in lower case
}

// chooseRules sets w.rules: all rules but those that a reader of the file has without it. These are the core rules,
// the white space of lists, and rules without a printed text, which options such as --define supply: the arguments of
// bnfcheck generate repeat them.
func (w *abnfFile) chooseRules() {
	for _, r := range w.Grammar.Rules {
		switch {
		case bnf.IsCore(r) && bnf.IsCoreName(r.Name) && r.ID == r.Name: // every reader knows them
		case bnf.IsWhite(r): // supplied again, wherever there is a list
		case r.Printed == "" || bnf.IsSupplied(r): // supplied again by the options
		default:
			w.rules = append(w.rules, r)
		}
	}
}

// nameRules gives each rule of w.Grammar a name in w.names, written or not, and enters it in w.taken. The text's own
// productions keep theirs. A production of another document is named by its ID, with hyphens, and with a number after
// it if that is taken. A supplied rule keeps its name, which is not entered.
func (w *abnfFile) nameRules() {
	for _, r := range w.Grammar.Rules {
		if r.ID == r.Name {
			w.giveName(r, r.Name)
		}
	}
	for _, r := range w.Grammar.Rules {
		if r.ID == r.Name {
			continue
		}
		if bnf.IsSupplied(r) { // the stand-in for prose is named after it
			w.names[r.ID] = r.Name
			continue
		}
		// rfc5646_language is "language" of RFC 5646; names in ABNF have hyphens.
		name := strings.ReplaceAll(r.ID, "_", "-")
		for n := 2; w.taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", strings.ReplaceAll(r.ID, "_", "-"), n)
		}
		w.giveName(r, name)
	}
}

// giveName gives a production the name that it is written under, which is then taken.
func (w *abnfFile) giveName(r *expr.Rule, name string) {
	w.names[r.ID] = name
	w.taken[strings.ToLower(name)] = true
}

// nameOf returns the name that is written for a reference. Prose and names without a production stay as they
// are.
func (w *abnfFile) nameOf(ref string) string {
	if name := w.names[ref]; name != "" {
		return name
	}
	return ref
}

// nameKey returns the name that is written for a reference, in lower case for comparing.
func (w *abnfFile) nameKey(ref string) string { return strings.ToLower(w.nameOf(ref)) }

// write returns the file, with the productions in w.rules. It fails if ABNF has no text for one, or if the file, read
// again, is not the same: see readAgain.
func (w *abnfFile) write() (*grammarABNF, error) {
	var out bytes.Buffer
	title := w.Grammar.Title
	fmt.Fprintf(&out, "; The ABNF of %s, as bnfcheck init has taken it out of %s.\n", title,
		filepath.Base(w.Grammar.File))
	fmt.Fprintf(&out, "; Lines that begin with @ name the place that is cited for what follows.\n\n@ title %s\n", title)
	section := ""
	for _, r := range w.rules {
		text, err := w.productionText(r)
		if err != nil {
			return nil, err
		}
		out.WriteByte('\n')
		from := bnf.SourceTitle(r)
		cited := r.Section
		if from != "" { // a section may name the text already: that of what was taken while reading
			cited = strings.TrimSpace(from + " " + sectionWords(strings.TrimPrefix(r.Section, from+" ")))
		}
		if cited != section {
			section = cited
			fmt.Fprintf(&out, "@ section %s\n", section)
		}
		if from == "" && r.Page > 0 && r.Line > 0 { // the page of another text would be cited as one of this
			fmt.Fprintf(&out, "@ page %d line %d\n", r.Page, r.Line)
		}
		out.WriteString(text + "\n")
	}
	return w.readAgain(out.Bytes())
}

// sectionWords returns "section 3.2" for "3.2", and a heading as it is.
func sectionWords(section string) string {
	if section != "" && '0' <= section[0] && section[0] <= '9' {
		return "section " + section
	}
	return section
}

// productionText returns the text of a production: as printed, if that has its meaning here, and otherwise from its
// expression, below a comment with the printed lines. If ABNF has no text for the expression it returns the printed
// text all the same, for readAgain to judge, or fails if one printed name stands for two productions.
func (w *abnfFile) productionText(r *expr.Rule) (string, error) {
	if w.isDefined(r) { // what the prose stands for, the go:generate line says
		return r.Printed, nil
	}
	printed, ok := w.printedText(r)
	if ok {
		return printed, nil
	}
	right, err := bnf.Write(r.Expr, w.nameOf, w.codePoints)
	if err != nil && printed != "" {
		return printed, nil // it may need the others, as prose about them does: readAgain tells
	}
	if err != nil {
		return "", expr.Errorf(r.Pos, "`%s` cannot be written as ABNF: %v", r.Name, err)
	}
	var out strings.Builder
	for line := range strings.Lines(r.Printed) {
		line = strings.TrimSpace(line)
		if line != "" {
			out.WriteString("; printed: " + line + "\n")
		}
	}
	fmt.Fprintf(&out, "%s = %s", w.names[r.ID], wrap(right, "    "))
	return out.String(), nil
}

// printedText returns r as it is printed, with the names that are given here. ok is false if that cannot be read by
// itself, or does not mean r's expression. text is "" if one printed name stands for two productions.
func (w *abnfFile) printedText(r *expr.Rule) (text string, ok bool) {
	given := map[string]string{strings.ToLower(r.Name): w.names[r.ID]} // by printed name
	for _, id := range expr.Refs(r.Expr) {
		name := id
		if used := w.Grammar.Rule(id); used != nil {
			name = used.Name
		}
		if before, twice := given[strings.ToLower(name)]; twice && before != w.nameOf(id) {
			return "", false // one printed name for two productions
		}
		given[strings.ToLower(name)] = w.nameOf(id)
	}
	text = bnf.Rename(r.Printed, func(name string) string {
		if to := given[strings.ToLower(name)]; to != "" && !strings.EqualFold(to, name) {
			return to
		}
		return name
	})
	g, err := bnf.ReadABNFWith(w.File, []byte(text+"\n"), w.notationOfOne())
	if err != nil || len(g.Rules) == 0 || g.CodePoints != w.codePoints {
		return text, false
	}
	again := g.Rules[0]
	isName := strings.EqualFold(again.Name, w.names[r.ID])
	return text, isName && w.sameMeaning(g, r, again)
}

// isDefined reports whether --define or --define-missing says what r, which is prose, stands for.
func (w *abnfFile) isDefined(r *expr.Rule) bool {
	defines := func(d bnf.Replacement) bool { return strings.EqualFold(d.Production, r.Name) }
	return r.StandIn || slices.ContainsFunc(w.Notation.Define, defines)
}

// sameMeaning reports whether again, a rule that was read from the file into g, derives the same as r.
func (w *abnfFile) sameMeaning(g *expr.Grammar, r, again *expr.Rule) bool {
	read := again.Expr.Map(func(e *expr.Expr) *expr.Expr { return e })
	return bnf.SameMeaning(r.Expr, lowerNames(g, read), w.nameKey)
}

// lowerNames returns e with each reference in lower case, by the printed name of its production in g rather than by its
// ID, so that expressions of two grammars can be compared. Names without a production get lower case too.
func lowerNames(g *expr.Grammar, e *expr.Expr) *expr.Expr {
	if e.Op == expr.Ref {
		name := e.Name
		if r := g.Rule(name); r != nil {
			name = r.Name
		}
		return expr.To(strings.ToLower(name))
	}
	return e.Map(func(s *expr.Expr) *expr.Expr { return lowerNames(g, s) })
}

// notationOfOne returns the notation for reading a single production of the file. It supplies none of the definitions
// that options ask for, since most of these are not used in one production, and that would be an error.
func (w *abnfFile) notationOfOne() bnf.Notation {
	n := w.Notation
	n.Define, n.DefineMissing = nil, false
	n.Values = bnf.Octets
	if w.codePoints {
		n.Values = bnf.CodePoints
	}
	return n
}

// readAgain reads the whole file as bnfcheck generate will, and returns it with the options that this needs beyond
// w.Notation. It fails if the file cannot be read, or if a production does not come out the same. Prose that options
// define is not compared.
func (w *abnfFile) readAgain(text []byte) (*grammarABNF, error) {
	out := &grammarABNF{text: text, names: w.names}
	g, err := bnf.ReadABNFWith(w.File, text, w.Notation)
	if err == nil && g.CodePoints != w.codePoints {
		// Productions that are left out made the whole text one of code points, or one of octets. The file lacks
		// them, so an option must say it.
		n := w.Notation
		n.Values = w.notationOfOne().Values
		out.args = []string{"--values", n.Values.String()}
		g, err = bnf.ReadABNFWith(w.File, text, n)
	}
	if err != nil {
		return nil, fmt.Errorf("what was taken out of the text cannot be read: %w", err)
	}
	for _, r := range w.rules {
		now, err := g.Lookup(w.names[r.ID])
		if w.isDefined(r) {
			continue
		}
		if err != nil || !w.sameMeaning(g, r, now) {
			return nil, expr.Errorf(r.Pos, "`%s` cannot be taken out of the text without a change", r.Name)
		}
	}
	return out, nil
}

// maxLine caps the length of a written line, if it can be broken.
const maxLine = 76

// wrap returns the right-hand side of a production in lines, each but the first after indent. It
// breaks only at spaces outside of quoted strings and of prose in angle brackets. A line has at most
// maxLine bytes besides the indent, or is one piece that is longer.
func wrap(text, indent string) string {
	var out strings.Builder
	column, quoted, prose := 0, false, false
	start := 0
	flush := func(end int) {
		if column+end-start > maxLine && column > 0 {
			out.WriteString("\n" + indent)
			column = 0
		} else if column > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(text[start:end])
		column += end - start + 1
		start = end + 1
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' && !prose:
			quoted = !quoted
		case (c == '<' || c == '>') && !quoted:
			prose = c == '<'
		case c == ' ' && !quoted && !prose:
			flush(i)
		}
	}
	flush(len(text))
	return out.String()
}
