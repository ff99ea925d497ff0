package bnf

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A layout is a grammar file taken apart into its productions, which are not read yet.
type layout struct {
	name, title, notation string
	productions           []printed
	parts                 []*part
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
}

// at returns the place of the byte at offset.
func (p printed) at(offset int) expr.Pos {
	before := p.text[:min(offset, len(p.text))]
	pos := p.pos
	if nl := strings.LastIndexByte(before, '\n'); nl >= 0 {
		pos.Line += strings.Count(before, "\n")
		pos.Col = len(before) - nl
	} else {
		pos.Col += len(before)
	}
	return pos
}

// takeApart splits a grammar file into productions. The notation is the one to assume if the file names none; it may
// be empty.
func takeApart(file string, src []byte, notation string) (*layout, error) {
	s := splitter{file: file, layout: &layout{notation: notation}, margin: -1}
	s.layout.parts = []*part{{}}
	for i, line := range strings.Split(string(src), "\n") {
		s.number = i + 1
		if err := s.take(strings.TrimSuffix(line, "\r")); err != nil {
			return nil, err
		}
	}
	s.finish()
	if s.announced != nil {
		return nil, expr.Errorf(s.announced.pos, `expected a production after "@ page"`)
	}
	return s.layout, nil
}

// A splitter goes through a file line by line.
type splitter struct {
	file      string
	number    int // of the line at hand, from 1
	layout    *layout
	section   string
	margin    int      // indentation of the first production; -1 before there is one
	announced *printed // by "@ page", its text not seen yet
	open      *printed // the production that more lines may belong to
	lines     []string // of the open production
}

// beginsProduction matches the beginning of a line that defines a name.
var beginsProduction = regexp.MustCompile(`^[0-9A-Za-z+_-]+[ \t]*=`)

func (s *splitter) take(line string) error {
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	switch {
	case strings.HasPrefix(line, "@"):
		s.finish()
		return s.directive(line)
	case text == "":
		if s.layout.notation == "rfc1630" {
			s.finish()
		} else if s.open != nil {
			s.lines = append(s.lines, line)
		}
	case s.layout.notation == "":
		return expr.Errorf(s.here(indent), `expected "@ notation abnf", "@ notation rfc822" or "@ notation rfc1630" before the first production`)
	case s.open != nil && indent > s.margin:
		s.lines = append(s.lines, line)
	case s.open != nil && s.layout.notation == "rfc1630":
		if s.open.line == 0 { // no sign tells a name from what it derives, so that two productions would become one
			return expr.Errorf(s.here(indent), "expected a blank line before a production, or an indent before the rest of one")
		}
		s.lines = append(s.lines, line)
	case s.layout.notation != "rfc1630" && text[0] == ';':
		s.finish()
	case s.open != nil && s.open.line > 0 && !beginsProduction.MatchString(text):
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
	s.open = s.announced
	if s.open == nil {
		s.open = &printed{}
	}
	s.announced = nil
	s.open.part, s.open.section = s.part(), s.section
	s.open.pos = s.here(0)
	s.lines = []string{line}
}

// finish closes the open production.
func (s *splitter) finish() {
	if s.open != nil {
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
		if _, ok := notations[rest]; !ok {
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
