package bnf

import (
	"html"
	"path"
	"slices"
	"strings"
)

// A page of HTML holds grammars in <pre> or <xmp>, as rfc-editor's pages, ReSpec and Bikeshed write ABNF, or in tables
// with a production in each row, as W3C's specifications have their EBNF. Markup inside is taken out: a <dfn> or an <a>
// is its text.

// IsHTML reports whether a document is a page of HTML.
func IsHTML(src []byte) bool { return pageHTML().Match(src) }

// IsPage reports whether a file is a page of HTML, by its name or its text.
func IsPage(file string, src []byte) bool {
	ending := strings.ToLower(path.Ext(file))
	return ending == ".html" || ending == ".htm" || IsHTML(src)
}

var pageHTML = pattern(`(?i)^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b`)

// putHTML adds a text of HTML, which begins at offset in the file, with its character references resolved: as in HTML
// some need no ";", as in "&amp x". What HTML does not know stays as it is. What "&" begins has, as a whole, the
// place of the "&".
func (t *placedText) putHTML(text string, offset int) {
	for text != "" {
		n := strings.IndexByte(text, '&')
		if n < 0 {
			n = len(text)
		}
		t.copy(text[:n], offset)
		text, offset = text[n:], offset+n
		if text == "" {
			return
		}
		size := 1 + span(text[1:], func(c byte) bool { return isLetter(c) || isDigit(c) || c == '#' })
		if size < len(text) && text[size] == ';' {
			size++
		}
		t.put(html.UnescapeString(text[:size]), offset)
		text, offset = text[size:], offset+size
	}
}

// codeClasses are classes of blocks that are written in another language.
var codeClasses = []string{
	"idl", "js", "javascript", "html", "xml", "css", "json", "http", "cddl", "java", "c", "cpp", "python",
	"example", "svg",
}

// markOfClasses returns the language that the classes of an element name, in lower case and without "language-" or
// "lang-" before it: the first that is a notation of grammars if there is one, else the last that has such a prefix or
// is one of codeClasses, else "".
func markOfClasses(classes string) string {
	other := ""
	for class := range strings.FieldsSeq(strings.ToLower(classes)) {
		name := strings.TrimPrefix(strings.TrimPrefix(class, "language-"), "lang-")
		if p := (&passage{mark: name}); p.isGrammar() {
			return name
		}
		if name != class || slices.Contains(codeClasses, class) {
			other = name
		}
	}
	return other
}

// markOfElement returns the language that an element names, by its classes or, as Bikeshed and others do, by an
// attribute.
func markOfElement(t markupToken) string {
	words := t.attribute("class")
	for _, name := range []string{"highlight", "lang", "data-lang", "data-language"} {
		words += " " + t.attribute(name)
	}
	return markOfClasses(words)
}

// html adds the blocks of a page, each <pre> and <xmp>, to the document's passages, whatever their marks. A block
// without a mark takes that of the last <div> or <figure> before it, unless one has ended since.
func (o *opener) html() {
	s := markupScanner{text: o.file.text, html: true}
	around := "" // the mark for the blocks that follow
	for {
		t, ok := s.next()
		switch {
		case !ok:
			return
		case t.kind == markupOpen && (t.name == "div" || t.name == "figure"):
			around = markOfElement(t)
		case t.kind == markupClose && (t.name == "div" || t.name == "figure"):
			around = ""
		case t.kind == markupOpen && (t.name == "pre" || t.name == "xmp"):
			o.readPre(&s, t, around)
		}
	}
}

// readPre reads the block that tag opens, up to its end, and adds it to the passages, unless all its lines are blank.
// If the tag names no language, around is the mark, that of the element around the block, or else that of a <code>
// inside. The lines of a file that the block includes come before its own. A block that is not closed takes the rest
// of the document, which is noted.
func (o *opener) readPre(s *markupScanner, tag markupToken, around string) {
	p := &passage{mark: markOfElement(tag), at: o.file.at(tag.begin)}
	if p.mark == "" {
		p.mark = around
	}
	// An included file comes before the text of the block.
	if name := tag.attribute("data-include"); name != "" {
		if f := o.include(name, p.at); f != nil {
			p.addLines(f)
		}
	}
	var text placedText
	if tag.name == "xmp" { // whose text has no tags and no references
		from := s.at
		s.skipElement("xmp")
		text.copy(s.text[from:s.at], from)
	}
	end := len(s.text)
	for open := true; open; {
		t, ok := s.next()
		if !ok {
			o.noteLost(p.at, "the <%s> that begins here is not closed: its lines are read up to the end of the file",
				tag.name)
			break
		}
		switch {
		case t.kind == markupText:
			text.putHTML(t.text, t.begin)
		case t.kind == markupOpen && t.name == "code" && p.mark == "": // <pre><code class="language-abnf">
			p.mark = markOfElement(t)
		case t.name == "br":
			text.put("\n", t.begin)
		case t.kind == markupClose && t.name == tag.name:
			end, open = t.begin, false
		}
	}
	lines, from := text.lines(o.file, end)
	p.lines, p.from = append(p.lines, lines...), append(p.from, from...)
	o.addPassage(p)
}

// Boundaries in the text of a page; textOfHTML says where they stand. A production ends at either. After tableEBNF a
// production may begin; after proseEBNF, text that looks like a production is prose.
const (
	tableEBNF = "\f"
	proseEBNF = "\v"
)

// boundaries has the text that stands for the tags of an element.
var boundaries = map[string]string{
	"td": " ", "th": " ", "br": " ",
	"p": proseEBNF, "li": proseEBNF, "dt": proseEBNF, "dd": proseEBNF, "blockquote": proseEBNF,
	"h1": proseEBNF, "h2": proseEBNF, "h3": proseEBNF, "h4": proseEBNF, "h5": proseEBNF, "h6": proseEBNF,
	"caption": proseEBNF,
	"table":   tableEBNF, "thead": tableEBNF, "tbody": tableEBNF, "tfoot": tableEBNF, "pre": tableEBNF,
	"div": tableEBNF, "section": tableEBNF, "body": tableEBNF,
}

// A pageText is the text of a page as it is collected.
type pageText struct {
	placedText
	rows []int // where the open rows of tables begin
}

// textOfHTML returns the text of a page, with boundaries around everything that may be a production: in place of the
// tags in boundaries, and around rows of tables as endRow has it. Character references are resolved.
func textOfHTML(f *fileText) *placedText {
	s := markupScanner{text: f.text, html: true}
	var p pageText
	for {
		t, ok := s.next()
		switch {
		case !ok:
			p.endRow(len(f.text))
			return &p.placedText
		case t.kind == markupText:
			p.putHTML(t.text, t.begin)
			continue
		case t.name == "tr" && t.kind == markupOpen:
			p.endRow(t.begin)
			p.rows = append(p.rows, len(p.text))
		case t.name == "tr" && t.kind == markupClose:
			p.endRow(t.begin)
		case t.name == "table" && t.kind == markupOpen: // in a cell
			p.rows = append(p.rows, len(p.text))
		case t.name == "table" && t.kind == markupClose:
			p.endRow(t.begin)
			p.endRow(t.begin)
		}
		p.put(boundaries[t.name], t.begin)
	}
}

// endRow ends the innermost row, if one is open; offset is the place of the tag that ends it. A row with "::=" in it
// begins a production: tableEBNF is put before it. One that is empty, whose first cell is empty or that begins with a
// bar goes on with the last, and gets no boundary. Any other is a heading or a remark, and prose, whatever its
// markup: proseEBNF is put before it and tableEBNF after it.
func (p *pageText) endRow(offset int) {
	if len(p.rows) == 0 {
		return
	}
	from := p.rows[len(p.rows)-1]
	p.rows = p.rows[:len(p.rows)-1]
	row := string(p.text[from:])
	cells := strings.TrimLeft(row, "\n\r\t\u00a0")
	text := strings.Trim(row, " \n\r\t\f\v\u00a0")
	switch {
	case strings.Contains(row, "::="):
		p.insert(from, tableEBNF, offset)
	case text == "", text[0] == '|', strings.HasPrefix(cells, "  "): // two tags of an empty cell
	default:
		p.insert(from, proseEBNF, offset)
		p.put(tableEBNF, offset)
	}
}

// insert puts a boundary, which is one byte, before the byte at from. Its place in the file is that of this byte, or
// offset at the end of the text.
func (p *pageText) insert(from int, boundary string, offset int) {
	if from < len(p.text) {
		offset = p.offset[from]
	}
	p.text = slices.Insert(p.text, from, boundary[0])
	p.offset = slices.Insert(p.offset, from, offset)
}
