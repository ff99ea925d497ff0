package bnf

import (
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// byteOrderMark may begin a text in UTF-8, and means nothing there.
const byteOrderMark = "\ufeff"

// foreignMarks are byte order marks in other encodings. That of UTF-32 begins with one of UTF-16, and comes first.
var foreignMarks = []struct{ text, encoding string }{
	{"\xff\xfe\x00\x00", "UTF-32"},
	{"\x00\x00\xfe\xff", "UTF-32"},
	{"\xff\xfe", "UTF-16"},
	{"\xfe\xff", "UTF-16"},
}

// linesOf returns the lines of a document: without a byte order mark, ended by LF, CR LF or, where there is no LF, CR.
// It fails for a text with the byte order mark of another encoding.
func linesOf(file string, src []byte) ([]string, error) {
	text := strings.TrimPrefix(string(src), byteOrderMark)
	for _, mark := range foreignMarks {
		if strings.HasPrefix(text, mark.text) {
			return nil, expr.Errorf(expr.Pos{File: file, Line: 1, Col: 1},
				"unexpected %s; expected a grammar in UTF-8, as iconv -f %[1]s -t UTF-8 makes it", mark.encoding)
		}
	}
	if !strings.Contains(text, "\n") {
		return strings.Split(text, "\r"), nil
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\r")
	}
	return lines, nil
}

// beginsRule matches the beginning of a line that defines a name: the name, or its angle brackets, and what follows.
var (
	beginsRule  = pattern(`^(?:([A-Za-z][0-9A-Za-z_-]*)|<[ \t]*([A-Za-z][0-9A-Za-z_-]*)[ \t]*>|<">)[ \t]*(=|::=|:=|;|$)`)
	definesName = pattern(`^[ \t\f\v]*[A-Za-z][0-9A-Za-z_-]*[ \t]*=`)
	definesIt   = pattern(`^[ \t\f\v]*(=|::=|:=)`)
)

// beginsABNF returns the name that line i, from 0, defines; ok is false if it defines none, and name means nothing
// then. The name is "" where the line defines quoteMark. The sign may stand on a later line, after comments and empty
// lines, within maxGap lines.
func beginsABNF(lines []string, i int) (name string, ok bool) {
	m := beginsRule().FindStringSubmatch(strings.TrimLeft(lines[i], " \t\f\v"))
	if m == nil {
		return "", false
	}
	name = m[1] + m[2]
	if sign := m[3]; sign != "" && sign != ";" {
		return name, true
	}
	for _, line := range lines[i+1 : min(i+1+maxGap, len(lines))] {
		if text := strings.TrimLeft(line, " \t\f\v"); text != "" && text[0] != ';' {
			return name, definesIt().MatchString(text)
		}
	}
	return "", false
}

// maxGap caps the lines that may stand between a name and the sign after it. The end and beginning of a page take about
// a dozen, and a comment may stand there as well.
const maxGap = 24

// takeABNF adds a line of ABNF to the open production, or begins the next one with it; text is the line without the
// blanks before it. A production begins where a name is defined, whatever the indent, and where none is open, with
// any line that is neither empty nor a comment; these are dropped there. Any other line goes on with the open
// production, and at the margin that is noticed, unless "@ page" announced the production. But a word at the margin
// that no sign follows begins a production of its own, if the one above can end, so that the mistake is that of its
// line.
func (s *splitter) takeABNF(line, text string) {
	if text == "" || text[0] == ';' {
		if s.open != nil {
			s.lines = append(s.lines, line)
		}
		return
	}
	begins := s.open == nil
	if !begins {
		_, begins = beginsABNF(s.lineList, s.number-1)
	}
	if !begins && s.open.line == 0 && column(line) <= column(s.lines[0]) {
		// A word that no sign follows can only be a mistake, which is that of its line.
		isWord := isLetter(text[0]) || text[0] >= utf8.RuneSelf
		begins = !s.rest.open() && isWord && !definesIt().MatchString(text)
		if !begins {
			s.note.add(marginNotice, s.here(len(line)-len(text)), firstName(s.lines[0]))
		}
	}
	if begins {
		s.finish()
		s.start(line, len(line)-len(text))
	} else {
		s.lines = append(s.lines, line)
	}
	s.rest.add(line)
}

// firstName returns the name that a line begins with, without its angle bracket; "" if there is none.
func firstName(line string) string {
	text := strings.TrimLeft(line, " \t\f\v<")
	return text[:span(text, isNameByte)]
}

// column returns the indentation of a line in columns, from 0; a tab ends at the next multiple of eight.
func column(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		case '\f', '\v': // blanks without a width
		default:
			return n
		}
	}
	return n
}

// A restABNF knows from the lines of a production, without reading them, whether it can end there.
type restABNF struct {
	depth int  // of brackets
	last  byte // of its code
	prose int  // how many more lines prose may go on
}

// open reports whether the production cannot end yet: a bracket or prose is open, or a sign demands more.
func (r restABNF) open() bool {
	return r.depth > 0 || r.prose > 0 || r.last == '/' || r.last == '|' || r.last == '='
}

// add updates depth, last and prose for the next line of the production. A comment and what is inside quotation marks
// or angle brackets do not count. A "<" that is not closed on its line begins prose, which goes on to the next line
// with a ">", or over maxProse lines. The rest of its first line counts as code all the same, since it may be no
// prose. More closing than opening brackets make depth negative.
func (r *restABNF) add(line string) {
	unclosed := false // prose begins here, and is not closed on this line
	i := 0
	if r.prose > 0 {
		if i = strings.IndexByte(line, '>') + 1; i == 0 {
			r.prose--
			return
		}
		r.prose, r.last = 0, '>'
	}
	unquoted := 0 // no string in single quotes begins before this offset
	for ; i < len(line); i++ {
		c := line[i]
		switch c {
		case ' ', '\t', '\f', '\v', '\r':
			continue
		case ';':
			return
		case '"', '<':
			shut := c
			if c == '<' {
				shut = '>'
			}
			if unclosed && c == '<' { // the rest of the line has no ">", so it is not searched again
				break // out of the switch
			}
			if n := strings.IndexByte(line[i+1:], shut); n >= 0 {
				i += n + 1 // to the mark that closes
			} else if c == '<' {
				unclosed = true
				r.prose = maxProse - 1 // this line is the first of them
			}
		case '\'', '`':
			if i < unquoted { // what failed at the mark before fails here
				break
			}
			if n := singleQuoted(line[i:]); n > 0 {
				i += n - 1
			} else {
				unquoted = i + singleQuotable(line[i:])
			}
		case '(', '[':
			r.depth++
		case ')', ']':
			r.depth--
		}
		r.last = line[i]
	}
}

// withoutTail returns the lines of a production without the empty lines at its end and the comments there that are
// indented no further than the production: those are about what follows. The first line always stays. There must be
// one. The result is a part of lines, and no copy.
func withoutTail(lines []string) []string {
	margin := column(lines[0])
	for n := len(lines); n > 1; n-- {
		text := strings.TrimLeft(lines[n-1], " \t\f\v")
		if text != "" && (text[0] != ';' || column(lines[n-1]) > margin) {
			return lines[:n]
		}
	}
	return lines[:1]
}
