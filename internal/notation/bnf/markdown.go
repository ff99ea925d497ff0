package bnf

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Markdown is read as kramdown-rfc, mmark and CommonMark have it: a fence of three or more ~ or ` begins a block, and
// one of the same sign that is at least as long ends it. The language stands after the sign (~~~ abnf) or in a line
// of attributes before or after the block ({: .language-abnf}, {: sourcecode-type="abnf"}). Lines that are indented by
// four blanks are a block where such attributes follow them at once. A <pre> of HTML is a block,
// too. What stands in <!-- --> or between {::comment} and {:/comment} is a comment. {::include FILE}, and <{{FILE}} in
// mmark, stand for the lines of a file.

var (
	fenceMark     = pattern("^([ \\t>]*)(~~~+|```+)[ \\t]*(.*?)[ \\t]*$")
	attributeLine = pattern(`^[ \t]*\{:([^:/].*)\}[ \t]*$`)
	attributeType = pattern(`(?i)(?:^|[\s{:])(?:sourcecode-type|artwork-type|type)\s*=\s*["']?([^\s"'}]+)`)
	attributeFile = pattern(`(?i)(?:^|[\s{:])(?:sourcecode-name|artwork-name|name)\s*=\s*["']?[^\s"'}]*\.abnf\b`)
	attributeName = pattern(`(?:^|[\s{:])\.(?:language-|lang-)?([A-Za-z][\w+-]*)`)
	commentBegins = pattern(`^[ \t]*\{::comment\}`)
	commentEnds   = pattern(`\{:/(?:comment)?\}`)
	includeLine   = pattern(`^[ \t]*(?:\{::include(?:-[a-z]+)?[ \t]+"?([^\s"}]+)"?[ \t]*\}|<\{\{([^}]+)\}\}(?:\[[^\]]*\])?|\{\{([^}\s]+\.[A-Za-z0-9]+)\}\})[ \t]*$`)
)

// markOf returns the language, in lower case, that the words after a fence name, or the attributes in braces; "" if
// they name none. A type among the attributes comes first, then a name of a file that ends in .abnf, which is ABNF,
// then a class (.abnf). Without any of these the first word counts, without "language-" before it, unless info begins
// with a brace.
func markOf(info string) string {
	inner := strings.Trim(info, "{}: \t")
	switch m := attributeType().FindStringSubmatch(inner); {
	case m != nil:
		return strings.ToLower(m[1])
	case attributeFile().MatchString(inner):
		return ABNF
	}
	if m := attributeName().FindStringSubmatch(" " + inner); m != nil {
		return strings.ToLower(m[1])
	}
	if strings.HasPrefix(info, "{") {
		return ""
	}
	word, _, _ := strings.Cut(inner, " ")
	return strings.ToLower(strings.TrimPrefix(word, "language-"))
}

// A markdownReader goes through the lines of a file of Markdown.
type markdownReader struct {
	*opener
	file      *fileText
	block     *passage // the fence that is open, or nil
	closer    string   // the fence that ends it
	quotes    int      // how many quotations, ">", it stands in
	blockLine int      // the line in which block begins, from 0
	text      *passage // the lines between blocks that were read last
	mark      string   // that a line of attributes gives to the block that follows
	last      *passage // the block that ended in the line before, or nil
}

// markdown adds the passages of a Markdown file. A block that is not closed extends to the end of the file, which is
// noticed.
func (o *opener) markdown(f *fileText) {
	r := &markdownReader{opener: o, file: f}
	for i := 0; i < len(f.starts); i++ {
		i = r.take(i)
	}
	if r.block != nil {
		o.noteLost(f.at(f.starts[r.blockLine]),
			"the block that begins here is not closed: its lines are read up to the end of the file")
		o.addPassage(r.block)
	}
	r.endText()
}

// origin returns the origin of line i of the file.
func (r *markdownReader) origin(i int) origin { return origin{file: r.file, start: r.file.starts[i]} }

// here returns the place of the first byte of line i.
func (r *markdownReader) here(i int) expr.Pos { return r.file.at(r.file.starts[i]) }

// take reads line i, and returns the last line that it read with it: a comment or an element goes over several. A
// block that ends is added to the passages, and so is an included file. A line between blocks is collected in r.text.
// A line of attributes marks the block that ended in the line before, if that has no mark. If no block did, it makes a
// block of the indented lines above it, or else marks the next fence, if that names no language itself and neither
// text nor an empty line stands between.
func (r *markdownReader) take(i int) int {
	line := r.file.lineText(i)
	m := fenceMark().FindStringSubmatch(line)
	var quotes, fence, words string // the parts of a line that is a fence
	if m != nil {
		quotes, fence, words = m[1], m[2], m[3]
	}
	if r.block != nil {
		if m != nil && words == "" && strings.HasPrefix(fence, r.closer) {
			r.addPassage(r.block)
			r.last, r.block = r.block, nil
			return i
		}
		r.addCode(i, line)
		return i
	}
	last := r.last
	r.last = nil
	switch {
	case m != nil && !(fence[0] == '`' && strings.Contains(words, "`")): // ```x``` is code within a line
		r.endText()
		r.block, r.closer, r.blockLine = &passage{mark: markOf(words), at: r.here(i)}, fence, i
		r.quotes = strings.Count(quotes, ">")
		if r.block.mark == "" {
			r.block.mark = r.mark
		}
		r.mark = ""
	case commentBegins().MatchString(line):
		return r.skipTo(i, len("{::comment}"), commentEnds())
	case attributeLine().MatchString(line):
		mark := markOf(strings.TrimSpace(line))
		if last == nil {
			if !r.takeIndented(mark) { // it is about the block that follows
				r.mark = mark
			}
		} else if isNoMark(last.mark) {
			last.mark = mark
		}
	case includeLine().MatchString(line):
		r.includeIn(i, line)
	case blockXML().MatchString(line):
		return r.readElement(i, line)
	case blockPre().MatchString(line):
		return r.readPreBlock(i, line)
	default:
		r.mark = ""
		return r.addText(i, line)
	}
	return i
}

// takeIndented makes a block of the indented lines that were read last, after which a line of attributes with a mark
// stands: kramdown's blocks of code have no fence. It ends the passage of text before them. It returns false, and
// leaves the lines, if the mark names no grammar, if the line right above is not indented, or if the lines follow a
// paragraph without an empty line between.
func (r *markdownReader) takeIndented(mark string) bool {
	p := &passage{mark: mark}
	if r.text == nil || !p.isGrammar() {
		return false
	}
	lines := r.text.lines
	isBlank := func(k int) bool { return strings.TrimSpace(lines[k]) == "" }
	isIndented := func(k int) bool { return strings.HasPrefix(lines[k], "    ") || strings.HasPrefix(lines[k], "\t") }
	first := len(lines) // of the block, which may have blank lines in it
	for k := len(lines) - 1; k >= 0 && (isBlank(k) || isIndented(k)); k-- {
		if !isBlank(k) {
			first = k
		}
	}
	nextToAttributes := len(lines) > 0 && !isBlank(len(lines)-1)
	afterParagraph := first > 0 && first < len(lines) && !isBlank(first-1) // whose lines may be indented, too
	if first == len(lines) || !nextToAttributes || afterParagraph {
		return false
	}
	p.lines, p.from, p.at = slices.Clone(lines[first:]), slices.Clone(r.text.from[first:]), r.text.from[first].at(1)
	r.text.lines, r.text.from = lines[:first], r.text.from[:first]
	r.endText()
	r.addPassage(p)
	return true
}

// isNoMark reports whether a mark names no language: see noMark.
func isNoMark(mark string) bool {
	for _, no := range noMark {
		if mark == no {
			return true
		}
	}
	return false
}

// blockXML matches a line with the opening tag of an element of xml2rfc's format, unless code precedes it.
var blockXML = pattern("^[^`]*?(<(?:sourcecode|artwork)(?:[\\s>]|$))")

// blockPre matches a line that begins a block of HTML with preformatted text, as CommonMark has it (section 4.6).
var blockPre = pattern("^ {0,3}<pre(?:[\\s>]|$)")

// readPreBlock reads a <pre> of HTML that opens in line i, adds it to the passages, and returns the last line that it
// read. A line that turns out to open no element is added as text.
func (r *markdownReader) readPreBlock(i int, line string) int {
	s := &markupScanner{text: r.file.text, at: r.file.starts[i] + strings.Index(line, "<"), html: true}
	return r.readMarkup(i, line, s, func(own *opener, tag markupToken) { own.readPre(s, tag, "") })
}

// readElement reads an element of xml2rfc's format that opens in line i, which must match blockXML, as readPreBlock
// reads a <pre>.
func (r *markdownReader) readElement(i int, line string) int {
	begin := r.file.starts[i] + blockXML().FindStringSubmatchIndex(line)[2]
	x := &xmlReader{scanner: markupScanner{text: r.file.text, at: begin}}
	return r.readMarkup(i, line, &x.scanner, func(own *opener, tag markupToken) {
		x.opener = own
		x.readBlock(tag)
	})
}

// readMarkup ends the passage of text before line i, calls read with the tag of the element that begins in the line,
// at the offset where s is, and returns the last line that s went past; what stands after the element there is lost.
// s must scan all of r.file.text, and read must read the element from s and add the block. The opener that read gets
// is of the file at hand, which may be an included one. A line in which no element opens is added as text instead,
// and its number returned as [markdownReader.addText] does.
func (r *markdownReader) readMarkup(i int, line string, s *markupScanner, read func(own *opener, tag markupToken)) int {
	tag, _ := s.next()
	if tag.kind != markupOpen {
		return r.addText(i, line)
	}
	r.endText()
	own := *r.opener
	own.file = r.file
	read(&own, tag)
	return r.file.line(s.at - 1)
}

// addCode adds line i, from 0, to the open block, without its quotation marks, or the lines of the file that it
// includes.
func (r *markdownReader) addCode(i int, line string) {
	if m := includeLine().FindStringSubmatch(line); m != nil {
		r.addFile(r.block, m[1]+m[2]+m[3], i)
		return
	}
	from := r.origin(i)
	marks := quotationMarks(line, r.quotes)
	from.start += marks
	r.block.lines, r.block.from = append(r.block.lines, line[marks:]), append(r.block.from, from)
}

// quotationMarks returns the length of the quotation marks that a line begins with, at most quotations of them. Each
// mark counts with the blanks before it and one blank after it.
func quotationMarks(line string, quotations int) (n int) {
	for range quotations {
		rest := strings.TrimLeft(line[n:], " \t")
		inner, quoted := strings.CutPrefix(rest, ">")
		if !quoted {
			return n
		}
		n = len(line) - len(strings.TrimPrefix(inner, " ")) // from the beginning of the line
	}
	return n
}

// addFile adds to a block the lines of a file that line i includes. A file that cannot be read adds none, which is
// noted.
func (r *markdownReader) addFile(p *passage, name string, i int) {
	if f := r.include(strings.TrimSpace(name), r.here(i)); f != nil {
		p.addLines(f)
	}
}

// includeIn ends the passage of text and reads the file that line i, between blocks, includes: a file of ABNF, by its
// name, is a block, and any other is Markdown, unless the line includes it as code, which is passed over. A file that
// cannot be read is noted. line must match includeLine.
func (r *markdownReader) includeIn(i int, line string) {
	m := includeLine().FindStringSubmatch(line)
	name := strings.TrimSpace(m[1] + m[2] + m[3])
	r.endText()
	if strings.EqualFold(path.Ext(name), ".abnf") {
		p := &passage{mark: ABNF, at: r.here(i)}
		r.addFile(p, name, i)
		r.addPassage(p)
		return
	}
	if m[2] != "" { // code in another language
		return
	}
	if f := r.include(name, r.here(i)); f != nil {
		r.depth++
		r.markdown(f)
		r.depth--
	}
}

// skipTo skips a comment that line i begins with, after blanks, and returns its last line; the text after the comment
// on that line is skipped as well. It looks for the end of the comment after the comment's first bytes, as many as
// behind says. An unclosed comment takes the rest of the file, which is noted.
func (r *markdownReader) skipTo(i, behind int, end *regexp.Regexp) int {
	start := r.file.starts[i] + len(r.file.lineText(i)) - len(strings.TrimLeft(r.file.lineText(i), " \t")) + behind
	found := end.FindStringIndex(r.file.text[min(start, len(r.file.text)):])
	if found == nil {
		r.noteLost(r.here(i), "the comment that begins here is not closed: nothing after it is read")
		return len(r.file.starts) - 1
	}
	return r.file.line(start + found[1] - 1)
}

// addText adds line i, which stands between blocks, to r.text, without the comments of HTML in it. It returns the
// last line that it read: a comment may go over several. One that is not closed takes the rest of the file, which is
// noted.
func (r *markdownReader) addText(i int, line string) int {
	if r.text == nil {
		r.text = &passage{at: r.here(i), prose: true}
	}
	last, kept := i, placedText{}
	for at := r.file.starts[i]; ; {
		rest := r.file.text[at : r.file.starts[last]+len(r.file.lineText(last))]
		open := strings.Index(rest, "<!--")
		if open < 0 {
			kept.copy(rest, at)
			break
		}
		kept.copy(rest[:open], at)
		shut := strings.Index(r.file.text[at+open:], "-->")
		if shut < 0 {
			r.noteLost(r.file.at(at+open), "the comment that begins here is not closed: nothing after it is read")
			last = len(r.file.starts) - 1
			break
		}
		at += open + shut + len("-->")
		last = r.file.line(at - 1)
	}
	lines, from := kept.lines(r.file, r.file.starts[last]+len(r.file.lineText(last)))
	r.text.lines, r.text.from = append(r.text.lines, lines...), append(r.text.from, from...)
	return last
}

// endText adds the lines between two blocks, r.text, to the passages.
func (r *markdownReader) endText() {
	if r.text != nil {
		r.addPassage(r.text)
	}
	r.text = nil
}
