package bnf

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An outline is a grammar file taken apart into its productions, which are not read yet.
type outline struct {
	name, title, notation string
	productions           []printed
	parts                 []*part
	blocks                []Block
	inText                bool  // they were looked for in the text of a specification
	source                *Text // see [Document.Text]
	terminals             int   // the line after which all productions are terminals; 0 if there is none
}

// A part is one BNF of a text. Texts with a single BNF have one part without a name.
type part struct {
	name      string
	prefix    string // of its IDs
	prefixAll bool   // all IDs of the part have it; otherwise only those of names that another part has as well
}

// A printed is a production as it is printed, or another text in the same notation.
type printed struct {
	part       *part
	section    string
	page, line int // in the RFC; 0 if not known
	text       string
	pos        expr.Pos // of the first byte of text, in the text that from has the places of
	from       *origins

	starts    []int  // offsets of the lines of text; nil until indexed is called
	block     *Block // of the text of an RFC; nil in a file that holds nothing else
	collected bool   // in a section that collects the rules of the text
	pass      bool   // the right-hand side of [passName]
}

// announcedByPage reports whether a line "@ page" stands before the production.
func (p *printed) announcedByPage() bool { return p.line > 0 }

// indexed returns p with starts set, so that its places are found without going through the text each time.
func (p printed) indexed() printed {
	p.starts = []int{0}
	for i := range len(p.text) {
		if p.text[i] == '\n' {
			p.starts = append(p.starts, i+1)
		}
	}
	return p
}

// at returns the place of the byte at offset in its file.
func (p printed) at(offset int) expr.Pos { return p.from.place(p.inText(offset)) }

// inText returns the place of the byte at offset in the text that is taken apart, or that of its end if offset is
// larger.
func (p printed) inText(offset int) expr.Pos {
	if p.starts == nil {
		p = p.indexed() // in this copy only
	}
	pos, offset := p.pos, min(offset, len(p.text))
	line := sort.SearchInts(p.starts, offset+1) - 1
	if line > 0 {
		pos.Line += line
		pos.Col = 1
	}
	pos.Col += offset - p.starts[line]
	return pos
}

// takeApart splits a document into productions: by n.document if that is set, and else by the function of the notation.
// Where the notation has none of its own, as ABNF, those of RFC 1630 and RFC 822, and "", a line "@ notation" in the
// file wins over it. takeApart fails as the function that it calls.
func takeApart(file string, lines []string, notation string, n reading) (*outline, error) {
	if n.document != nil {
		return n.document.takeApart(file, lines, notation, n)
	}
	if how := notations[notation]; how.split != nil {
		return how.split(file, lines, n)
	}
	if notation == ABNF {
		return takeApartABNF(file, lines, n)
	}
	return split(file, lines, notation, n)
}

// takeApartABNF is takeApart for ABNF. It decides whether the document is a file of ABNF and nothing else, where all
// lines are read, or a text with ABNF in it, where productions are looked for. Some lines that the user chose are a
// file. n.Text makes everything else a text. Without it, what does not look like an RFC is a file, and so is what can
// be read as one if no lines are excluded. The rest is a text if it has the head of an RFC or lines of prose (see
// extract), and otherwise a file. The ends and beginnings of pages are left out in either. It fails for a file that
// cannot be split; a text without productions is no error here.
func takeApartABNF(file string, lines []string, n reading) (*outline, error) {
	pages := pagesOf(lines)
	lines = withoutFurniture(lines)
	if len(n.Lines.only) > 0 || !n.Text && !isText(file, lines) {
		return splitFile(file, n.Lines.Of(lines), n)
	}
	if len(n.Lines.except) == 0 && !n.Text {
		l, err := split(file, lines, ABNF, n.outsideDocument())
		if err == nil && allABNF(l.productions, n) {
			return splitFile(file, lines, n)
		}
	}
	l, isText := extract(file, lines, pages, n)
	l.inText = isText || beginsLikeRFC(lines)
	if !l.inText && !n.Text { // ABNF with a mistake in it, and no text
		return splitFile(file, n.Lines.Of(lines), n)
	}
	return l, nil
}

// splitFile splits a file that is ABNF and nothing else, and keeps its lines as the outline's source, the first with
// the byte order mark of the document. It fails as split does. After an error there is no outline.
func splitFile(file string, lines []string, n reading) (*outline, error) {
	l, err := split(file, lines, ABNF, n)
	if err != nil {
		return nil, err
	}
	if n.state != nil && strings.HasPrefix(n.state.text, byteOrderMark) && len(lines) > 0 {
		lines = slices.Clone(lines)
		lines[0] = byteOrderMark + lines[0]
	}
	f := newFileText(file, strings.Join(lines, "\n"))
	from := make([]origin, len(lines))
	for i := range lines {
		from[i] = origin{file: f, start: f.starts[i]}
	}
	l.source = &Text{Blocks: [][]string{lines}, from: [][]origin{from}}
	return l, nil
}

// allABNF reports whether list has at least one production, and each is ABNF. ABNF that is refused counts. Nothing is
// noticed.
func allABNF(list []printed, n reading) bool {
	n.state = &state{detect: true}
	bad := func(p printed) bool {
		_, err := readProductionABNF(p, n)
		e, ok := errors.AsType[*expr.Error](err)
		return err != nil && !(ok && e.Refused)
	}
	return len(list) > 0 && !slices.ContainsFunc(list, bad)
}

// split splits a grammar file into productions, and makes them one block, whose lines are those of lines. Without a
// production there is no block. It fails as splitter.take does, and if no production follows "@ page". After an error
// there is no outline.
func split(file string, lines []string, notation string, n reading) (*outline, error) {
	s := splitter{
		file:     file,
		layout:   &outline{notation: notation},
		margin:   -1,
		lineList: lines,
		from:     n.from,
		note:     n.note(),
	}
	s.layout.parts = []*part{{}}
	for i, line := range lines {
		s.number = i + 1
		if err := s.take(line); err != nil {
			s.finish()
			return nil, err
		}
	}
	s.finish()
	if s.announced != nil {
		return nil, expr.Errorf(s.announced.pos, `expected a production after "@ page"`)
	}
	// pos is the place in lines, and not in the file that n.from leads to.
	if all := s.layout.productions; len(all) > 0 {
		last := all[len(all)-1]
		s.layout.blocks = []Block{{
			First:       all[0].pos.Line,
			Last:        last.pos.Line + strings.Count(last.text, "\n"),
			Productions: len(all),
		}}
	}
	return s.layout, nil
}

// A splitter goes through a file line by line.
type splitter struct {
	file      string
	number    int // of the line at hand, from 1
	layout    *outline
	section   string
	margin    int      // indentation of the first production; -1 before there is one
	announced *printed // by "@ page", its text not seen yet
	open      *printed // the production that more lines may belong to
	lines     []string // of the open production
	rest      restABNF // what the open production lacks

	lineList []string // of the file
	from     *origins
	note     *notes
}

// beginsProduction matches the beginning of a line that defines a name.
var beginsProduction = pattern(`^[0-9A-Za-z+_-]+[ \t]*=`)

// take adds a line to the production that it continues, or finishes the open production and starts the next one;
// s.number must be the number of the line already. A line that begins with "@" is a directive. For ABNF see takeABNF.
// In the older notations a line that is indented further than the first production goes on with the open one, and so
// does a line of one that "@ page" announced, unless in RFC 822's it defines a name. A blank line ends a production
// of RFC 1630, and a comment at the margin one of RFC 822. take fails for a wrong directive, for anything but a
// directive or a blank line before "@ notation", and in RFC 1630's notation for a line at the margin right after a
// production that no "@ page" announces. Mistakes inside a production are found when it is read.
func (s *splitter) take(line string) error {
	text := strings.TrimLeft(line, " \t\f\v")
	indent := len(line) - len(text)
	switch {
	case strings.HasPrefix(line, "@"):
		s.finish()
		return s.directive(line)
	case s.layout.notation == ABNF:
		s.takeABNF(line, text)
	case text == "":
		if s.layout.notation == RFC1630 {
			s.finish()
		} else if s.open != nil {
			s.lines = append(s.lines, line)
		}
	case s.layout.notation == "":
		return expr.Errorf(s.here(indent),
			`expected "@ notation abnf", "@ notation rfc822" or "@ notation rfc1630" before the first production`)
	case s.open != nil && indent > s.margin:
		s.lines = append(s.lines, line)
	case s.open != nil && s.layout.notation == RFC1630:
		// Without a sign between a name and its right-hand side, two productions would become one.
		if !s.open.announcedByPage() {
			return expr.Errorf(s.here(indent),
				"expected a blank line before a production, or an indent before the rest of one")
		}
		s.lines = append(s.lines, line)
	case s.layout.notation != RFC1630 && text[0] == ';':
		s.finish()
	case s.open != nil && s.open.announcedByPage() && !beginsProduction().MatchString(text):
		// Its lines need no indent: a mailed text has lost them.
		s.lines = append(s.lines, line)
	default:
		s.finish()
		s.start(line, indent)
	}
	return nil
}

// start opens the production whose first line this is, indented by indent bytes. An announced production is the one
// that it opens. The first production sets the margin. The open production must have been finished. s.rest is empty
// then: for ABNF the caller adds the line.
func (s *splitter) start(line string, indent int) {
	if s.margin < 0 {
		s.margin = indent
	}
	s.open = cmp.Or(s.announced, &printed{})
	s.announced = nil
	s.open.part, s.open.section = s.part(), s.section
	s.open.pos, s.open.from = expr.Pos{File: s.file, Line: s.number, Col: 1}, s.from
	s.lines = []string{line}
	s.rest = restABNF{}
}

// finish appends the open production, if there is one, to the outline. The blank lines at its end are left out and,
// in ABNF, the comments there that are about what follows.
func (s *splitter) finish() {
	if s.open != nil {
		if s.layout.notation == ABNF {
			s.lines = withoutTail(s.lines)
		}
		s.open.text = strings.TrimRight(strings.Join(s.lines, "\n"), " \t\n")
		s.layout.productions = append(s.layout.productions, *s.open)
		s.open = nil
	}
}

// part returns the part that the line at hand belongs to.
func (s *splitter) part() *part { return s.layout.parts[len(s.layout.parts)-1] }

// here returns the place of the byte at an offset in the line at hand.
func (s *splitter) here(offset int) expr.Pos {
	return s.from.place(expr.Pos{File: s.file, Line: s.number, Col: offset + 1})
}

// directive reads a line that begins with "@", as the package comment lists them, and enters it in s and its outline.
// It fails for an unknown directive, a wrong value and a notation after the first production. Between "@ page" and
// the production that it announces, any directive is an error.
func (s *splitter) directive(line string) error {
	if s.announced != nil {
		return expr.Errorf(s.here(0), `expected a production after "@ page"`)
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(line[1:]), " ")
	rest = strings.TrimSpace(rest)
	expected := func(what string) error {
		return expr.Errorf(s.here(0), "unexpected %q; expected %s", line, what)
	}
	switch word {
	case "grammar":
		s.layout.name = rest
	case "title":
		s.layout.title = rest
	case "notation":
		if len(s.layout.productions) > 0 {
			return expr.Errorf(s.here(0), "the notation cannot change after the first production")
		}
		if how, ok := notations[rest]; !ok || how.split != nil {
			return expected(`"@ notation abnf", "@ notation rfc822" or "@ notation rfc1630"`)
		}
		s.layout.notation = rest
	case "section":
		s.section = rest
	case "part":
		name, heading, _ := strings.Cut(rest, " ")
		heading, err := strconv.Unquote(strings.TrimSpace(heading))
		if name == "" || err != nil {
			return expected(`@ part NAME "HEADING"`)
		}
		s.layout.parts = append(s.layout.parts, &part{name: name})
		s.section = heading // until the next "@ section"
	case "ids":
		prefix, which, _ := strings.Cut(rest, " ")
		if prefix == "" || which != "all" && which != "shared" {
			return expected("@ ids PREFIX all, or @ ids PREFIX shared")
		}
		s.part().prefix, s.part().prefixAll = prefix, which == "all"
	case "page": // kept until the production begins, in start
		p := &printed{pos: s.here(0)}
		page, line, _ := strings.Cut(rest, " line ")
		var err1, err2 error
		p.page, err1 = strconv.Atoi(page)
		p.line, err2 = strconv.Atoi(line)
		if err1 != nil || err2 != nil || p.page < 0 || p.line < 1 {
			return expected("@ page NUMBER line NUMBER")
		}
		s.announced = p
	default:
		return expected("@ grammar, @ title, @ notation, @ section, @ part, @ ids or @ page")
	}
	return nil
}
