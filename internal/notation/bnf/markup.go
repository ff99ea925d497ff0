package bnf

import "strings"

// A markupScanner splits XML and HTML into texts and tags, just enough to find blocks and their contents (Extensible
// Markup Language 1.0, sections 2.4 to 2.8; HTML, section 13.1). It reports no faults: markup that is not well-formed
// is text. It looks at each byte once, unless something is not closed.
type markupScanner struct {
	text string
	at   int
	html bool
}

// A markupKind is a kind of token of XML or HTML.
type markupKind byte

const (
	markupText    markupKind = iota // with references in it
	markupLiteral                   // a section of CDATA
	markupOpen                      // a tag that opens an element
	markupClose                     // a tag that closes one
	markupEmpty                     // a tag of an element without content
	markupComment                   // a comment, a DOCTYPE or an instruction
)

// A markupToken is a text, a tag, a CDATA section or a comment; a DOCTYPE or an instruction counts as a comment.
type markupToken struct {
	kind       markupKind
	name       string // of the element; in lower case for HTML
	text       string // of a tag, all that follows the name; otherwise what stands between the marks; "" for a DOCTYPE
	begin, end int    // offsets; of all of a tag or a DOCTYPE, and otherwise of text
}

// next returns the token that follows, a text, a tag, a CDATA section or a comment, and goes past it; ok is false at
// the end. A comment, an instruction, a DOCTYPE or a section that is not closed goes on to the end of the document; a
// tag that is not closed is text. A "<" that begins nothing else begins a text, so that two texts can follow each
// other. In HTML there is no CDATA, and the contents of a script or a style sheet are passed over with the opening tag.
func (s *markupScanner) next() (t markupToken, ok bool) {
	rest := s.text[s.at:]
	begin := s.at
	// until returns a token that ends with an end, which belongs to it, or with the document.
	until := func(kind markupKind, opening, end string) (markupToken, bool) {
		n := strings.Index(rest[len(opening):], end)
		inner, size := rest[len(opening):], len(rest)
		if n >= 0 {
			inner, size = inner[:n], len(opening)+n+len(end)
		}
		s.at += size
		return markupToken{
			kind: kind, text: inner, begin: begin + len(opening), end: begin + len(opening) + len(inner),
		}, true
	}
	switch {
	case rest == "":
		return markupToken{}, false
	case strings.HasPrefix(rest, "<!--"):
		return until(markupComment, "<!--", "-->")
	case strings.HasPrefix(rest, cdata) && !s.html:
		return until(markupLiteral, cdata, cdataEnd)
	case strings.HasPrefix(rest, "<?"):
		if s.html { // HTML has no instructions, and takes this for a comment
			return until(markupComment, "<?", ">")
		}
		return until(markupComment, "<?", "?>")
	case len(rest) > 9 && strings.EqualFold(rest[:9], "<!doctype"):
		s.at += doctypeLength(rest)
		return markupToken{kind: markupComment, begin: begin, end: s.at}, true
	}
	if t, ok := s.tag(rest); ok {
		return t, true
	}
	n := strings.IndexByte(rest[1:], '<') + 1
	if n == 0 {
		n = len(rest)
	}
	s.at += n
	return markupToken{kind: markupText, text: rest[:n], begin: begin, end: s.at}, true
}

// doctypeLength returns the length of the DOCTYPE declaration that s begins with, the declarations in its brackets
// included; all of s if it is not closed. A ">" in quotes or in a comment does not close it.
func doctypeLength(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			if n := strings.IndexByte(s[i+1:], s[i]); n >= 0 {
				i += n + 1
			}
		case '[':
			depth++
		case ']':
			depth--
		case '>':
			if depth <= 0 {
				return i + 1
			}
		case '<':
			if strings.HasPrefix(s[i:], "<!--") {
				if n := strings.Index(s[i:], "-->"); n >= 0 {
					i += n + len("-->") - 1
				}
			}
		}
	}
	return len(s)
}

// tag returns the tag that rest begins with, and goes past it as next does; ok is false if rest begins with none, and
// nothing is passed. rest is the text from s.at on, and not empty.
func (s *markupScanner) tag(rest string) (t markupToken, ok bool) {
	t = markupToken{kind: markupOpen, begin: s.at}
	i := 1
	if strings.HasPrefix(rest, "</") {
		t.kind, i = markupClose, 2
	}
	if rest[0] != '<' || len(rest) <= i || !isLetter(rest[i]) && rest[i] != '_' {
		return t, false
	}
	n := span(rest[i:], func(c byte) bool {
		return c > ' ' && c != '>' && c != '/' && c != '<' && c != '"' && c != '\'' && c != '='
	})
	t.name = rest[i : i+n]
	behind := i + n
	if behind < len(rest) && !endsTagName(rest[behind]) {
		return t, false
	}
	// A ">" in the value of an attribute does not end the tag, so quoted values are passed over.
	for i = behind; i < len(rest) && rest[i] != '>'; i++ {
		if c := rest[i]; c == '"' || c == '\'' {
			shut := strings.IndexByte(rest[i+1:], c)
			if shut < 0 {
				return t, false
			}
			i += shut + 1
		} else if c == '<' {
			return t, false
		}
	}
	if i == len(rest) {
		return t, false
	}
	t.text = rest[behind:i]
	if strings.HasSuffix(t.text, "/") && t.kind == markupOpen {
		t.kind = markupEmpty
	}
	s.at += i + 1
	t.end = s.at
	if s.html {
		t.name = strings.ToLower(t.name)
		if t.kind == markupOpen && (t.name == "script" || t.name == "style") {
			s.skipElement(t.name)
		}
	}
	return t, true
}

// endsTagName reports whether a byte ends the name in a tag.
func endsTagName(c byte) bool { return strings.IndexByte(" \t\r\n/>", c) >= 0 }

// skipElement goes to the next tag that closes an element of this name, in either case, or to the end of the text if
// there is none. It looks at no other tags, and does not go past the one that it finds.
func (s *markupScanner) skipElement(name string) {
	const mark = "</"
	for {
		n := strings.Index(s.text[s.at:], mark)
		if n < 0 {
			s.at = len(s.text)
			return
		}
		s.at += n
		rest := s.text[s.at+len(mark):]
		if len(rest) > len(name) && strings.EqualFold(rest[:len(name)], name) && endsTagName(rest[len(name)]) {
			return
		}
		s.at += len(mark)
	}
}

// attribute returns the value of an attribute of a tag, without its quotes and with its references as they are
// written; "" if the tag does not have it, or it has no value. The case of the name does not matter. Of several with
// one name the first counts.
func (t markupToken) attribute(name string) string {
	for rest := t.text; ; {
		rest = strings.TrimLeft(rest, " \t\r\n/")
		n := span(rest, func(c byte) bool { return c > ' ' && c != '=' && c != '/' })
		if n == 0 {
			return ""
		}
		key := rest[:n]
		rest = strings.TrimLeft(rest[n:], " \t\r\n")
		value := ""
		if strings.HasPrefix(rest, "=") {
			rest = strings.TrimLeft(rest[1:], " \t\r\n")
			if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
				value, rest, _ = strings.Cut(rest[1:], rest[:1])
			} else {
				n := span(rest, func(c byte) bool { return c > ' ' })
				value, rest = rest[:n], rest[n:]
			}
		}
		if strings.EqualFold(key, name) {
			return value
		}
	}
}
