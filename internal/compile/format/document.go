package format

import (
	"regexp"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// In a document only the blocks of ABNF are formatted: the fenced blocks of Markdown and the
// elements of xml2rfc's format. Everything around them stays as it is, to the byte. The text of an
// RFC is not formatted, since its lines are those of a page.

// Document returns a document with its blocks of ABNF in one form. A file that is ABNF throughout is
// formatted whole. The rules of all blocks decide how names are spelled. Blocks that are left out of the
// grammar, that come from another file, that are in a quotation, or that have markup or entities inside stay
// as they are. It fails if the document cannot be read, if a block is not ABNF, and if the file is the text
// of an RFC.
func Document(file string, src []byte, n bnf.Notation) ([]byte, error) {
	n.ProseNames = true               // what prose means does not matter
	marked := bnf.MarkedAs(file, src) // the notation that blocks are marked with; "" if the file has none
	doc, err := bnf.ReadDocument(file, src, bnf.ABNF, n)
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	for _, r := range doc.Grammar.Rules {
		if r.Pos.File == file {
			known[strings.ToLower(r.Name)] = r.Name
		}
	}
	if marked == "" {
		if doc.Text == nil || doc.Text.Marked { // rules were looked for among the lines of a text
			const message = "the text of an RFC is not formatted: its lines belong to pages"
			return nil, expr.Errorf(expr.Pos{File: file, Line: 1, Col: 1}, message)
		}
		return ABNF(file, src, known)
	}
	lines := strings.SplitAfter(string(src), "\n")
	d := &document{file: file, lines: lines, known: known, tagged: bnf.IsTagged(file, src)}
	for _, b := range doc.Blocks {
		if b.File != "" || b.LeftOut != "" {
			continue
		}
		if err := d.formatBlock(b); err != nil {
			return nil, err
		}
	}
	return []byte(strings.Join(d.lines, "")), nil
}

// A document is the lines of a file, each with its end; some of them are formatted.
type document struct {
	file   string
	lines  []string
	known  map[string]string // by name in lower case: its spelling
	tagged bool              // blocks are elements
}

// The text around the block on the first and the last line of an element. Inside CDATA a tag is text.
var (
	openingTag = regexp.MustCompile(`^(?:.*?<!\[CDATA\[|.*<(?:sourcecode|artwork|pre)\b[^>]*>)`)
	closingTag = regexp.MustCompile(`</(?:sourcecode|artwork|pre)>(?s:.*)$`)
	endOfCDATA = regexp.MustCompile(`\]\]>(?s:.*)$`)
	entity     = regexp.MustCompile(`&(?:lt|gt|amp|quot|apos|#[0-9]+|#[xX][0-9A-Fa-f]+);`)
)

// formatBlock replaces the lines of a block by its formatted text: the first line gets all of it, and the
// others become empty. The margin, the tags, and blank lines at the ends stay. A block with markup or
// entities inside is left alone, and so are an empty one and a quotation of Markdown. An error has its place
// in the file.
func (d *document) formatBlock(b bnf.Block) error {
	// The block is before + lead + margin and text + tail + after: of these only the text changes.
	block := strings.Join(d.lines[b.First-1:b.Last], "")
	before, after := "", ""
	if !d.tagged && strings.HasPrefix(strings.TrimSpace(block), ">") {
		return nil // a quotation of Markdown
	}
	if d.tagged {
		before = openingTag.FindString(firstLine(block))
		block = block[len(before):]
		last := strings.LastIndexByte(strings.TrimRight(block, "\r\n"), '\n') + 1
		closing := closingTag
		if strings.Contains(before, "<![CDATA[") {
			closing = endOfCDATA
		}
		if i := closing.FindStringIndex(block[last:]); i != nil {
			block, after = block[:last+i[0]], block[last+i[0]:]
		}
	}
	inElement := strings.Contains(before, "<") && !strings.Contains(before, "CDATA")
	if d.tagged && entity.MatchString(block) || inElement && strings.Contains(block, "<") {
		return nil // markup inside: where its parts would stand is not for a formatter to decide
	}
	lead, text, tail := splitBlank(block, before == "")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	margin := commonMargin(lines)
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], margin)
	}
	formatted, err := ABNF(d.file, []byte(strings.Join(lines, "\n")), d.known)
	if err != nil {
		if e, ok := err.(*expr.Error); ok {
			e.Pos.Line += b.First - 1 + strings.Count(before+lead, "\n")
			e.Pos.Col += len(margin)
		}
		return err
	}
	end := "\n"
	if strings.Contains(block, "\r\n") {
		end = "\r\n"
	}
	var out []string
	for line := range strings.Lines(string(formatted)) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" {
			line = margin + line
		}
		out = append(out, line)
	}
	all := before + lead + strings.Join(out, end) + tail + after
	d.lines[b.First-1] = all
	for i := b.First; i < b.Last; i++ {
		d.lines[i] = ""
	}
	return nil
}

// splitBlank splits a block into its text and the blank lines and blanks around it, which belong to the document. The
// blanks before the first line of the text are a part of it: they are its margin. If the block follows a tag in a line,
// wholeLine is false, and blanks between the two are no margin.
func splitBlank(block string, wholeLine bool) (lead, text, tail string) {
	text = strings.TrimLeft(block, " \t\r\n")
	lead = block[:len(block)-len(text)]
	if i := strings.LastIndexByte(lead, '\n'); i >= 0 || wholeLine {
		lead, text = lead[:i+1], lead[i+1:]+text
	}
	trimmed := strings.TrimRight(text, " \t\r\n")
	return lead, trimmed, text[len(trimmed):]
}

// firstLine returns the first line of a text.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// commonMargin returns the longest run of blanks that all lines begin with, not counting lines of blanks; ""
// if there is no other line.
func commonMargin(lines []string) string {
	margin, any := "", false
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		own := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if !any {
			margin, any = own, true
			continue
		}
		for !strings.HasPrefix(own, margin) {
			margin = margin[:len(margin)-1]
		}
	}
	return margin
}
