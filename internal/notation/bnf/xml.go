package bnf

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// In xml2rfc's format (RFC 7991) grammars stand in <sourcecode> and <artwork>, whose attribute type names the
// language; in version 2 they have none. Markup inside is taken out, and a reference to another document becomes its
// name in brackets. "&name;" and "&#10;" stand for text, but in a section of CDATA they stand for themselves
// (Extensible Markup Language 1.0, sections 4.1 and 2.7). A name is one of the five that XML has, or is declared by
// the document.

const cdata, cdataEnd = "<![CDATA[", "]]>"

// xmlNames are the references that each document has.
var xmlNames = map[string]string{"lt": "<", "gt": ">", "quot": `"`, "apos": "'", "amp": "&"}

// xmlDeclared matches the declaration of a reference: <!ENTITY nbsp "&#160;">.
var xmlDeclared = pattern(`<!ENTITY\s+([A-Za-z_:][\w:.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>`)

// xmlReference matches what looks like a reference.
var xmlReference = pattern(`&(#[0-9]+|#x[0-9A-Fa-f]+|[A-Za-z_:][\w:.-]*);`)

// isBlockXML reports whether an element is a block.
func isBlockXML(name string) bool { return name == "sourcecode" || name == "artwork" }

// isReferenceXML reports whether an element stands for a reference to a document or a section.
func isReferenceXML(name string) bool { return name == "xref" || name == "relref" || name == "eref" }

// An xmlReader goes through a document.
type xmlReader struct {
	*opener
	scanner markupScanner
	names   map[string]string // that the document declares; nil before the first is looked for
}

// xml adds the passages of the XML source of a document, with those of the documents that it includes. It panics as
// resolve does.
func (o *opener) xml() {
	r := &xmlReader{opener: o, scanner: markupScanner{text: o.file.text}}
	for {
		t, ok := r.scanner.next()
		switch {
		case !ok:
			return
		case (t.kind == markupOpen || t.kind == markupEmpty) && isBlockXML(t.name):
			r.readBlock(t)
		case (t.kind == markupOpen || t.kind == markupEmpty) && t.name == "xi:include" &&
			t.attribute("parse") != "text":
			r.includeXML(t)
		}
	}
}

// includeXML reads the document that an <xi:include> names into r.doc, in place. An address (://) and an entry of the
// reference list (reference.*) are passed over silently; a document that is not read is noted in r.doc.lost. It panics
// as resolve does.
func (r *xmlReader) includeXML(t markupToken) {
	name := t.attribute("href")
	if strings.Contains(name, "://") || strings.HasPrefix(path.Base(name), "reference.") {
		return // it includes an entry of the list of references
	}
	f := r.include(name, r.file.at(t.begin))
	if f == nil {
		return
	}
	inner := *r.opener
	inner.file, inner.depth = f, r.depth+1
	inner.xml()
}

// readBlock reads the element that tag opens, up to its end, and adds it to the passages, whatever its mark: its type
// in lower case, or ABNF if that names no language and its name ends in .abnf. Before its own text it puts the lines
// of the file that its attribute src includes. Comments and each <cref> are left out. An element that is not closed
// takes the rest of the file, which is noted. In a block of ABNF an unknown reference is an error, by a panic.
func (r *xmlReader) readBlock(tag markupToken) {
	p := &passage{mark: strings.ToLower(tag.attribute("type")), at: r.file.at(tag.begin)}
	if name := tag.attribute("name"); isNoMark(p.mark) && strings.EqualFold(path.Ext(name), ".abnf") {
		p.mark = ABNF
	}
	if src := tag.attribute("src"); src != "" {
		if f := r.include(src, p.at); f != nil {
			p.addLines(f)
		}
	}
	var text placedText
	end := tag.end
	for depth, open := 1, tag.kind == markupOpen; open; { // depth counts elements of the same name in each other
		t, ok := r.scanner.next()
		if !ok {
			r.noteLost(p.at, "the <%s> that begins here is not closed: its lines are read up to the end of the file",
				tag.name)
			end = len(r.file.text)
			break
		}
		switch {
		case t.kind == markupText:
			r.resolve(&text, t, p.isABNF())
		case t.kind == markupLiteral:
			text.copy(t.text, t.begin)
		case t.kind == markupEmpty && isReferenceXML(t.name):
			text.put(referenceText(t), t.begin)
		case t.kind == markupOpen && isReferenceXML(t.name):
			r.reference(&text, t, p.isABNF())
		case t.kind == markupOpen && t.name == "cref": // a comment of an author
			r.scanner.skipElement(t.name)
		case t.kind == markupOpen && t.name == tag.name:
			depth++
		case t.kind == markupClose && t.name == tag.name:
			depth--
			end, open = t.begin, depth > 0
		}
	}
	lines, from := text.lines(r.file, end)
	p.lines, p.from = append(p.lines, lines...), append(p.from, from...)
	r.addPassage(p)
}

// referenceText returns the text that a reference to another document is shown as: an address as it is, and any other
// target in brackets; "" if it has no target.
func referenceText(t markupToken) string {
	target := t.attribute("target")
	if target == "" || strings.Contains(target, "://") {
		return target
	}
	return "[" + target + "]"
}

// reference reads a reference to another document, which tag opens, past the next tag that closes an element, or to
// the end, and adds its text to text or, where it has none, what referenceText returns. It panics as resolve does;
// strict is as there.
func (r *xmlReader) reference(text *placedText, tag markupToken, strict bool) {
	before := len(text.text)
	for {
		t, ok := r.scanner.next()
		if !ok || t.kind == markupClose {
			break
		}
		if t.kind == markupText {
			r.resolve(text, t, strict)
		} else if t.kind == markupLiteral {
			text.copy(t.text, t.begin)
		}
	}
	if len(text.text) == before {
		text.put(referenceText(tag), tag.begin)
	}
}

// resolve adds a text to text, with its character and entity references resolved. An unknown reference stays as it is
// or, if strict, is an error that resolve panics with.
func (r *xmlReader) resolve(text *placedText, t markupToken, strict bool) {
	at := 0
	for _, m := range xmlReference().FindAllStringSubmatchIndex(t.text, -1) {
		text.copy(t.text[at:m[0]], t.begin+at)
		value, ok := r.valueOfReference(t.text[m[2]:m[3]])
		switch {
		case !ok && !strict:
			value = t.text[m[0]:m[1]]
		case !ok:
			panic(r.unknownReference(t.text[m[0]:m[1]], t.begin+m[0]))
		}
		text.put(value, t.begin+m[0])
		at = m[1]
	}
	text.copy(t.text[at:], t.begin+at)
}

// unknownReference returns the error for a reference to no character, or to a name that neither XML nor the document
// defines. reference is all of it, from "&" to ";".
func (r *xmlReader) unknownReference(reference string, offset int) error {
	pos := r.file.at(offset)
	if reference[1] == '#' {
		return expr.Errorf(pos, "unexpected %q, which is no character", reference)
	}
	name := reference[1 : len(reference)-1]
	external := regexp.MustCompile(`<!ENTITY\s+` + regexp.QuoteMeta(name) + `\s+(?:SYSTEM|PUBLIC)\s`)
	if external.MatchString(r.file.text) {
		return expr.Errorf(pos,
			"unexpected %q, which the document declares as a file of its own; expected the text of the file",
			reference)
	}
	return expr.Errorf(pos, "unexpected %q, which the document does not declare; expected what it stands for, or %s",
		reference, fmt.Sprintf("<!ENTITY %s \"...\">", name))
}

// valueOfReference returns the text of a reference, given what stands between its "&" and ";". ok is false if neither
// XML nor the document, not one that it includes, defines it, or its number is that of no character. A declared text
// is returned as it stands, unless it is a single numeric reference, which is read.
func (r *xmlReader) valueOfReference(name string) (text string, ok bool) {
	if digits, numeric := strings.CutPrefix(name, "#"); numeric {
		base := 10
		if hex, ok := strings.CutPrefix(digits, "x"); ok {
			digits, base = hex, 16
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) || n == 0 {
			return "", false
		}
		return string(rune(n)), true
	}
	if text, ok := xmlNames[name]; ok {
		return text, true
	}
	if r.names == nil {
		r.names = map[string]string{}
		for _, m := range xmlDeclared().FindAllStringSubmatch(r.doc.file.text, -1) {
			r.names[m[1]] = m[2] + m[3]
		}
	}
	text, ok = r.names[name]
	if m := xmlReference().FindStringSubmatch(text); ok && m != nil && strings.HasPrefix(m[1], "#") && m[0] == text {
		return r.valueOfReference(m[1])
	}
	return text, ok
}
