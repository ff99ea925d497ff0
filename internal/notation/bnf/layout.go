package bnf

import (
	"cmp"
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
	inText                bool // they were looked for in the text of a specification
}

// A part is one BNF of a text. Texts with a single BNF have one part without a name.
type part struct {
	name      string
	prefix    string // of the IDs
	prefixAll bool   // of all of them; otherwise only where another part has the same name
}

// A printed is a production as it is printed, or another text in the same notation.
type printed struct {
	part       *part
	section    string
	page, line int // in the RFC; 0 if not known
	text       string
	pos        expr.Pos // of the first byte of text

	starts    []int  // offsets of the lines of text, where it has many: see indexed
	block     *Block // of the text of an RFC; nil in a file that holds nothing else
	collected bool   // in a section that collects the rules of the text
}

// indexed returns p so that its places are found without going through the text each time.
func (p printed) indexed() printed {
	p.starts = []int{0}
	for i := range len(p.text) {
		if p.text[i] == '\n' {
			p.starts = append(p.starts, i+1)
		}
	}
	return p
}

// at returns the place of the byte at offset.
func (p printed) at(offset int) expr.Pos {
	if p.starts == nil {
		p = p.indexed()
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

// fenceBegins matches the line before the first of a block of ABNF in Markdown, or what stands before it in xml2rfc's format.
var fenceBegins = pattern("^\\s*(~~~|```)[~`]*\\s*[{:. ]*abnf\\b[^`]*$|<(?:sourcecode|artwork)\\b[^>]*\\stype=[\"']abnf[^>]*>(?:<!\\[CDATA\\[)?")

// fence matches a line before or behind a block in Markdown, fenceKind one behind that, which tells that the block is ABNF, and
// unclosedTag what leaves a tag of xml2rfc's format to be continued in the next line.
var (
	fence       = pattern("^\\s*(?:~~~|```)")
	fenceKind   = pattern(`^\s*\{:.*(?:\.abnf\b|\btype=["']?abnf\b)`)
	unclosedTag = pattern(`<(?:sourcecode|artwork)\b[^>]{0,1000}$`)
)

// fenced returns lines with those left empty that are in no block of ABNF in Markdown or xml2rfc's format; ok is false if none is. The
// error is a reference of XML to what the document does not define.
func fenced(file string, lines []string) (out []string, ok bool, err error) {
	out = make([]string, len(lines))
	x := xmlText{file: file, lines: lines}
	shut := ""               // what ends the block
	tag := ""                // that began in lines before
	opened, closed := -1, -1 // the last two lines that are fences
	for i, line := range lines {
		if shut == "" {
			m := fenceBegins().FindStringSubmatchIndex(tag + line)
			switch {
			case m == nil && fence().MatchString(line):
				opened, closed = closed, i
				continue
			case m == nil && fenceKind().MatchString(line) && closed == i-1 && opened >= 0:
				copy(out[opened+1:closed], lines[opened+1:closed])
				ok = true
				continue
			case m == nil:
				if tag = unclosedTag().FindString(tag + line); tag != "" {
					tag += " "
				}
				continue
			case m[2] >= 0:
				shut, ok = line[m[2]:m[3]], true
				continue
			}
			x.left = m[1] - len(tag)
			x.literal = strings.HasSuffix(line[:x.left], cdata)
			shut, ok, line, tag = "</", true, line[x.left:], ""
		}
		if shut == "</" {
			var ends bool
			if out[i], ends, err = x.resolve(i+1, line); err != nil {
				return nil, false, err
			}
			if x.left = 0; ends {
				shut = ""
			}
			continue
		}
		if end := strings.Index(line, shut); end >= 0 {
			line, shut = line[:end], ""
		}
		out[i] = line
	}
	return out, ok, nil
}

// takeApart splits a document into productions. The notation is the one to assume if the file names none; it may be empty.
func takeApart(file string, lines []string, notation string, n reading) (*outline, error) {
	if how := notations[notation]; how.split != nil {
		return how.split(file, lines, n)
	}
	if notation != ABNF {
		return split(file, lines, notation, n)
	}
	pages := pagesOf(lines)
	lines = withoutFurniture(lines)
	if len(n.Lines.only) > 0 || !n.Text && !isText(file, lines) {
		return split(file, n.Lines.Of(lines), notation, n)
	}
	if len(n.Lines.except) == 0 && !n.Text {
		l, err := split(file, lines, notation, n.beside())
		if err == nil && allABNF(l.productions, n) {
			return split(file, lines, notation, n)
		}
	}
	l, isText := extract(file, lines, pages, n)
	l.inText = isText || n.fenced || beginsLikeRFC(lines)
	if !l.inText && !n.Text { // ABNF with a mistake in it, and no text
		return split(file, n.Lines.Of(lines), notation, n)
	}
	return l, nil
}

// allABNF reports whether all productions are.
func allABNF(list []printed, n reading) bool {
	n.state = &state{detect: true}
	bad := func(p printed) bool { _, err := readProductionABNF(p, n); return err != nil }
	return len(list) > 0 && !slices.ContainsFunc(list, bad)
}

// split splits a grammar file into productions.
func split(file string, lines []string, notation string, n reading) (*outline, error) {
	s := splitter{file: file, layout: &outline{notation: notation}, margin: -1, lineList: lines, note: n.note()}
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
	if all := s.layout.productions; len(all) > 0 {
		last := all[len(all)-1]
		s.layout.blocks = []Block{{First: all[0].pos.Line, Last: last.pos.Line + strings.Count(last.text, "\n"), Productions: len(all)}}
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
	note     *notes
}

// beginsProduction matches the beginning of a line that defines a name.
var beginsProduction = pattern(`^[0-9A-Za-z+_-]+[ \t]*=`)

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
		return expr.Errorf(s.here(indent), `expected "@ notation abnf", "@ notation rfc822" or "@ notation rfc1630" before the first production`)
	case s.open != nil && indent > s.margin:
		s.lines = append(s.lines, line)
	case s.open != nil && s.layout.notation == RFC1630:
		if s.open.line == 0 { // no sign tells a name from what it derives, so that two productions would become one
			return expr.Errorf(s.here(indent), "expected a blank line before a production, or an indent before the rest of one")
		}
		s.lines = append(s.lines, line)
	case s.layout.notation != RFC1630 && text[0] == ';':
		s.finish()
	case s.open != nil && s.open.line > 0 && !beginsProduction().MatchString(text):
		// announced, so that its lines need no indent: a mailed text has lost them
		s.lines = append(s.lines, line)
	default:
		s.finish()
		s.start(line, indent)
	}
	return nil
}

// start opens the production whose first line this is.
func (s *splitter) start(line string, indent int) {
	if s.margin < 0 {
		s.margin = indent
	}
	s.open = cmp.Or(s.announced, &printed{})
	s.announced = nil
	s.open.part, s.open.section = s.part(), s.section
	s.open.pos = s.here(0)
	s.lines = []string{line}
	s.rest = restABNF{}
}

// finish closes the open production.
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

func (s *splitter) part() *part { return s.layout.parts[len(s.layout.parts)-1] }

func (s *splitter) here(offset int) expr.Pos {
	return expr.Pos{File: s.file, Line: s.number, Col: offset + 1}
}

// directive reads a line of the file's own.
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
		s.section = heading
	case "ids":
		prefix, which, _ := strings.Cut(rest, " ")
		if prefix == "" || which != "all" && which != "shared" {
			return expected("@ ids PREFIX all, or @ ids PREFIX shared")
		}
		s.part().prefix, s.part().prefixAll = prefix, which == "all"
	case "page":
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
