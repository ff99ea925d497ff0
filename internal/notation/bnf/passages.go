package bnf

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A document in Markdown, in xml2rfc's format or in HTML holds its grammar in blocks: a fence, an <artwork>, a <pre>.
// Where one of them is marked as ABNF, the marked ones are the grammar, and each is read as a file of ABNF is. What
// looks like ABNF in the others is named and counted, and not read. In a document without such a mark, rules are
// looked for as in the text of an RFC.

// A passage is a part of a document: a block, or lines between blocks.
type passage struct {
	mark  string // the language that the document says it is in, in lower case: "abnf"; "" where it says nothing
	at    expr.Pos
	lines []string
	from  []origin
	prose bool // no block
}

// addLines adds the lines of an included file. They keep their origins in that file.
func (p *passage) addLines(f *fileText) {
	for k := range f.starts {
		p.lines = append(p.lines, f.lineText(k))
		p.from = append(p.from, origin{file: f, start: f.starts[k]})
	}
}

// isABNF reports whether the author has marked a passage as ABNF; "abnf9110" is the ABNF of an RFC.
func (p *passage) isABNF() bool { return strings.HasPrefix(p.mark, ABNF) }

// marksOf are the languages that a block in another notation is marked with.
var marksOf = map[string][]string{}

// is reports whether a passage is marked as text in a notation.
func (p *passage) is(notation string) bool {
	if notation == ABNF {
		return p.isABNF()
	}
	return p.mark != "" && slices.Contains(marksOf[notation], p.mark)
}

// isGrammar reports whether a passage is marked as text in a notation that is known.
func (p *passage) isGrammar() bool {
	for notation := range notations {
		if p.is(notation) {
			return true
		}
	}
	return false
}

// noMark are marks that say only that a block is no prose.
var noMark = []string{
	"", "text", "txt", "plain", "plaintext", "none", "nohighlight", "no-highlight", "code", "artwork",
	"sourcecode", "inline", "grammar", "syntax",
}

// A document is a text of passages.
type document struct {
	file     *fileText
	passages []*passage
	lost     []Notice             // what could not be included, or is not closed
	included map[string]*fileText // by name
	size     int                  // of all that was included, each time that it was
	failed   int                  // so many files were not
	full     bool                 // no more is included
}

// An opener takes a document apart into passages.
type opener struct {
	reading reading
	file    *fileText
	doc     *document
	depth   int // of inclusion
}

// maxIncludes caps how deep files may include each other.
const maxIncludes = 8

// mostUnincluded caps how many notices tell that a file is not included.
const mostUnincluded = 1000

// documentOf takes a document in Markdown, XML or HTML apart; for any other text it returns nil without an error. The
// lines of src must end in LF, as those of linesOf do when they are joined. It fails for a reference in XML, in a block
// that is marked as ABNF, to no character or to a name that the document does not define.
func documentOf(file string, src string, n reading) (doc *document, err error) {
	defer expr.Catch(&err)
	f := newFileText(file, src)
	o := &opener{reading: n, file: f, doc: &document{file: f, included: map[string]*fileText{}}}
	switch {
	case isTaggedHTML(file, src):
		o.html()
	case isTaggedXML(file, src):
		o.xml()
	case isMarkdown(file) || !isPlainText(src) && hasFence().MatchString(src): // the head alone is read first
		o.markdown(f)
	default:
		return nil, nil
	}
	return o.doc, nil
}

// isMarkdown reports whether the name of a file says that it is Markdown. Tags mark no blocks in Markdown.
func isMarkdown(file string) bool {
	ending := strings.ToLower(path.Ext(file))
	return ending == ".md" || ending == ".markdown"
}

// isTaggedHTML reports whether a document is a page of HTML, by its name or its text, and not Markdown by its name.
func isTaggedHTML(file, src string) bool { return !isMarkdown(file) && IsPage(file, []byte(src)) }

// isTaggedXML reports whether a document is XML by its name or looks like it, and is not Markdown by its name.
func isTaggedXML(file, src string) bool {
	return strings.ToLower(path.Ext(file)) == ".xml" ||
		!isMarkdown(file) && !isPlainText(src) && looksLikeXML().MatchString(src)
}

// isPlainText reports whether a document is the plain text of an RFC or of an Internet-Draft: it has such a head, and
// does not begin with a tag, a "#" or the front matter of Markdown, after which the words of a head may stand too. Its
// drawings can look like fences ("~~~~   req  ---"), and its examples have tags.
func isPlainText(src string) bool {
	text := strings.TrimLeft(src, " \t\r\n\f")
	if text == "" || strings.HasPrefix(text, "---") || strings.HasPrefix(text, "%%%") || text[0] == '<' ||
		text[0] == '#' {
		return false
	}
	lines := strings.SplitN(src, "\n", rfcHeadLines+1)
	return beginsLikeRFC(lines[:min(rfcHeadLines, len(lines))])
}

// IsTagged reports whether the blocks of a document are elements of XML or of HTML, and no fences.
func IsTagged(file string, src []byte) bool {
	return isTaggedHTML(file, string(src)) || isTaggedXML(file, string(src))
}

var (
	looksLikeXML = pattern(`(?s)^\s*<(?:\?xml|!DOCTYPE|rfc|reference|section|sourcecode|artwork|figure)\b|<(?:sourcecode|artwork)\b[^>]*>`)
	hasFence     = pattern("(?m)^[ \\t]*(?:~~~|```)[~`]*[ \\t]*[{:. ]*[A-Za-z][^`\\n]*$|^[ " +
		"\\t]*\\{:.*(?:\\.abnf\\b|\\btype=[\"']?abnf\\b)")
)

// include reads a file that the document includes at a place, and enters it in o.doc.included. Its name in places is
// relative to the folder of the document, whatever file includes it. It returns nil if the file cannot be read, would
// make the document too large or too deep, or includes itself; the reason is noted. From the one that makes the
// document too large on, or the last of mostUnincluded, it returns nil without a notice, as the last notice says. A
// file that is included again is read again, and counts again.
func (o *opener) include(name string, at expr.Pos) *fileText {
	why := ""
	switch shown := path.Join(path.Dir(o.doc.file.name), name); {
	case o.doc.full:
		return nil // as the last notice says
	case shown == at.File || shown == o.doc.file.name:
		why = "it would include itself"
	case o.depth >= maxIncludes:
		why = fmt.Sprintf("files include each other more than %d deep", maxIncludes)
	case o.reading.Include == nil:
		why = "no files are read here"
	default:
		text, err := o.reading.Include(name)
		o.doc.size += len(text)
		if err == nil && o.doc.size > o.reading.maxSize() {
			o.doc.full = true
			err = &SizeError{o.file.name, o.reading.maxSize(), "bytes"}
		}
		if err == nil {
			f := newFileText(shown, strings.TrimPrefix(string(text), "\ufeff"))
			o.doc.included[shown] = f
			return f
		}
		why = err.Error()
	}
	if o.doc.failed++; o.doc.failed >= mostUnincluded {
		o.doc.full = true
	}
	if o.doc.full {
		why += "; nor is any other file that is to be included from here on"
	}
	o.noteLost(at, "%s is to be included here, and is not read: %s", quote(name), why)
	return nil
}

// noteLost records a notice, for takeApart to add, that part of the document at a place is not read.
func (o *opener) noteLost(at expr.Pos, format string, args ...any) {
	o.doc.lost = append(o.doc.lost, Notice{Pos: at, Message: fmt.Sprintf(format, args...), LeftOut: true})
}

// addPassage adds a passage to the end of o.doc.passages, unless all its lines are blank.
func (o *opener) addPassage(p *passage) {
	if slices.ContainsFunc(p.lines, func(line string) bool { return strings.TrimSpace(line) != "" }) {
		o.doc.passages = append(o.doc.passages, p)
	}
}

// withoutExcludedLines returns p with the lines of the file main left empty that [Notation.Lines] excludes: p itself if
// Lines is not set, and otherwise a copy.
func (p *passage) withoutExcludedLines(n reading, main *fileText) *passage {
	if len(n.Lines.only) == 0 && len(n.Lines.except) == 0 {
		return p
	}
	c := *p
	c.lines = slices.Clone(p.lines)
	for i, from := range p.from {
		if at := from.at(1); at.File == main.name && !n.Lines.has(at.Line) {
			c.lines[i] = ""
		}
	}
	return &c
}

// joinPassages returns the passages as the lines of one text, with an empty line between any two, and the origins of
// these lines: an empty line has that of the line after it. Each passage must have a line.
func joinPassages(main *fileText, list []*passage) (lines []string, from *origins) {
	from = &origins{main: main}
	for i, p := range list {
		if i > 0 {
			lines, from.lines = append(lines, ""), append(from.lines, p.from[0])
		}
		lines, from.lines = append(lines, p.lines...), append(from.lines, p.from...)
	}
	return lines, from
}

// A Text is the text that a grammar was read from, where its author says that it is ABNF and nothing else: the blocks
// of a document that are marked so, or a whole file.
type Text struct {
	Marked bool       // it is blocks of a document
	Blocks [][]string // their lines
	from   [][]origin
}

// Pos returns the place of a column, from 1, in a line, from 0, of a block.
func (t *Text) Pos(block, line, col int) expr.Pos { return t.from[block][line].at(col) }

// takeApart splits the blocks of a document into productions. The blocks that are marked with the notation are the
// grammar or, where [Notation.Lines] chooses lines, all passages, the text between blocks among them. If there are
// none, ABNF is looked for in what has no mark, that text too, as in the text of an RFC; other notations read that as
// one text, or all of a page of HTML. A block in another language is passed over, and noticed if that is a notation.
// d.lost is noticed, too. Where blocks of ABNF are marked, takeApart also notices the productions of ABNF that stand
// in others without a mark, and on a page those of EBNF. lines are those of the whole document: a notation with a
// split of its own reads them if no block is marked with it, and the document is a page or has no passage without a
// mark; text between blocks is one. takeApart fails as splitMarked or the split of the notation does. Where ABNF is
// found nowhere, the outline has no productions.
func (d *document) takeApart(file string, lines []string, notation string, n reading) (*outline, error) {
	var marked, unmarked []*passage
	for _, p := range d.passages {
		p = p.withoutExcludedLines(n, d.file)
		switch {
		case p.is(notation) || len(n.Lines.only) > 0:
			marked = append(marked, p)
		case p.isGrammar():
			n.note().leaveOut(p.at,
				"the block that is marked %s is not read, since the grammar is that of other blocks; --kind chooses",
				p.mark)
		case isNoMark(p.mark):
			unmarked = append(unmarked, p)
		}
	}
	for _, lost := range d.lost {
		n.note().leaveOut(lost.Pos, "%s", lost.Message)
	}
	splitWhole := notations[notation].split
	if len(marked) == 0 {
		// Notations with a split of their own find their productions in a whole page: they may stand in tables.
		if splitWhole != nil && (len(unmarked) == 0 || IsPage(file, []byte(d.file.text))) {
			return splitWhole(file, lines, n)
		}
		text, from := joinPassages(d.file, unmarked)
		n = n.placedBy(from)
		if splitWhole != nil {
			return splitWhole(file, text, n)
		}
		l, _ := extract(file, withoutFurniture(text), pagesOf(text), n)
		l.inText = true
		return l, nil
	}
	if splitWhole != nil { // the blocks are read as one text
		text, from := joinPassages(d.file, marked)
		return splitWhole(file, text, n.placedBy(from))
	}
	l, err := splitMarked(marked, n)
	if err != nil {
		return nil, err
	}
	d.noticeUnread(unmarked, l, n)
	if IsPage(file, []byte(d.file.text)) {
		d.noticeEBNF(marked, n)
	}
	return l, nil
}

// splitMarked takes the passages apart that are marked as ABNF, each as a file; one without lines is left out. Their
// lines become the source of the outline. It fails if one of them cannot be split.
func splitMarked(list []*passage, n reading) (*outline, error) {
	all := &outline{notation: ABNF, parts: []*part{{}}, inText: true, source: &Text{Marked: true}}
	for _, p := range list {
		if len(p.from) == 0 {
			continue
		}
		l, err := split(p.at.File, p.lines, ABNF, n.placedBy(&origins{lines: p.from, main: p.from[0].file}))
		if err != nil {
			return nil, err
		}
		all.source.Blocks, all.source.from = append(all.source.Blocks, p.lines), append(all.source.from, p.from)
		for _, made := range l.productions {
			made.part = all.parts[0]
			all.productions = append(all.productions, made)
		}
		for _, b := range l.blocks {
			first, last := p.from[b.First-1].at(1), p.from[b.Last-1].at(1)
			if b.First, b.Last = first.Line, last.Line; first.File != p.at.File {
				b.File = first.File
			}
			all.blocks = append(all.blocks, b)
		}
	}
	return all, nil
}

// noticeUnread notices the productions in passages without a mark, where others are marked, unless they stand in a
// marked block in the same words, whatever their layout and comments. Each passage that has some adds one notice to
// those of n, at its first. n must have a state.
func (d *document) noticeUnread(unmarked []*passage, read *outline, n reading) {
	same := func(text string) string { return inOneLine(ABNF, text) }
	known := map[string]bool{}
	for _, p := range read.productions {
		known[same(p.text)] = true
	}
	report := n.note() // of the document; in the loop n is the reading of one passage
	for _, p := range unmarked {
		n := n.placedBy(&origins{lines: p.from, main: d.file})
		// A state of its own: what the trial notices is dropped.
		n.state = &state{detect: true, text: n.state.text}
		found := d.looksLikeABNF(p, n)
		found = slices.DeleteFunc(found, func(p printed) bool { return known[same(p.text)] })
		if len(found) == 0 {
			continue
		}
		var names []string
		for _, p := range found {
			names = append(names, "`"+firstName(p.text)+"`")
		}
		first, last := found[0], found[len(found)-1]
		from, to := first.at(0), last.at(len(last.text))
		report.leaveOut(from,
			"%s like %s of %s, and not read, since the block is not marked as ABNF; --lines %d-%d reads it",
			linesLook(from.Line, to.Line), layout.Agree(len(found), "a production", "productions"),
			layout.Some(names, namedMost, ", "),
			from.Line, to.Line)
	}
}

// linesLook returns "line 3 looks" or "lines 3-5 look".
func linesLook(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d looks", first)
	}
	return fmt.Sprintf("lines %d-%d look", first, last)
}

// noticeEBNF notices, in the notes of n, that productions of EBNF are left out, if a page has some outside
// its blocks of ABNF, which alone are read. The one notice stands at the first such production. The document
// is not changed.
func (d *document) noticeEBNF(marked []*passage, n reading) {
	text := textOfHTML(d.file)
	inMarked := func(pos expr.Pos) bool {
		return slices.ContainsFunc(marked, func(p *passage) bool {
			return pos.Line >= p.from[0].at(1).Line && pos.Line <= p.from[len(p.from)-1].at(1).Line
		})
	}
	var places []expr.Pos
	for _, m := range beginsEBNF().FindAllSubmatchIndex(text.text, -1) {
		if pos := d.file.at(text.offset[m[2]]); !inMarked(pos) {
			places = append(places, pos)
		}
	}
	if len(places) > 0 {
		n.note().leaveOut(places[0],
			"%s of EBNF, from line %d to %d, not read, since blocks of the page are marked as "+
				"ABNF; --kind ebnf reads them",
			layout.Plural(len(places), "production"), places[0].Line, places[len(places)-1].Line)
	}
}

// looksLikeABNF returns the productions in a passage: all of a block that is nothing but ABNF and has a terminal, or
// else those that are found as in the text of an RFC, if there are any. n must have a state, which gets what extract
// notices.
func (d *document) looksLikeABNF(p *passage, n reading) []printed {
	if !p.prose {
		l, err := split(d.file.name, p.lines, ABNF, n.outsideDocument().placedBy(n.from))
		if err == nil && allABNF(l.productions, n) && slices.ContainsFunc(l.productions, hasTerminal) {
			return l.productions
		}
	}
	l, _ := extract(d.file.name, p.lines, make([]int, len(p.lines)), n)
	return l.productions
}

// hasTerminal reports whether a production has a quoted string or a value in it.
func hasTerminal(p printed) bool { return strings.ContainsAny(p.text, "\"%") }

// MarkedAs returns the notation that a block of a document is marked with, "" if no block is, and for a text that is no
// document or cannot be taken apart. Of several notations ABNF wins, and then the first by name.
func MarkedAs(file string, src []byte) string {
	lines, err := linesOf(file, src)
	if err != nil {
		return ""
	}
	d, err := documentOf(file, strings.Join(lines, "\n"), reading{})
	if err != nil || d == nil {
		return ""
	}
	for _, notation := range append([]string{ABNF}, slices.Sorted(maps.Keys(marksOf))...) {
		if slices.ContainsFunc(d.passages, func(p *passage) bool { return p.is(notation) }) {
			return notation
		}
	}
	return ""
}

// MarkedPassages returns where the blocks of a document begin and end that are marked as text in a notation, without
// those of included files. The grammar in the blocks need not be right. There are none for a text that is no document
// or cannot be taken apart.
func MarkedPassages(file string, src []byte, notation string) (list [][2]expr.Pos) {
	lines, err := linesOf(file, src)
	if err != nil {
		return nil
	}
	d, err := documentOf(file, strings.Join(lines, "\n"), reading{})
	if err != nil || d == nil {
		return nil
	}
	for _, p := range d.passages {
		if !p.is(notation) || len(p.from) == 0 {
			continue
		}
		last := len(p.lines) - 1
		first, end := p.from[0].at(1), p.from[last].at(len(p.lines[last])+1)
		if first.File == d.file.name && end.File == d.file.name {
			list = append(list, [2]expr.Pos{first, end})
		}
	}
	return list
}

// placedBy returns n for a text with these origins.
func (n reading) placedBy(from *origins) reading {
	n.from = from
	return n
}
