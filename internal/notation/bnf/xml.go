package bnf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// In a block of xml2rfc's format "&name;" and "&#10;" stand for text, but in a section of CDATA they stand for themselves
// (Extensible Markup Language 1.0, sections 4.1 and 2.7). A name is one of the five that XML has, or is declared by the document.

const cdata, cdataEnd = "<![CDATA[", "]]>"

// xmlNames are the references that each document has.
var xmlNames = map[string]string{"lt": "<", "gt": ">", "quot": `"`, "apos": "'", "amp": "&"}

// xmlDeclared matches the declaration of a reference: <!ENTITY nbsp "&#160;">.
var xmlDeclared = pattern(`<!ENTITY\s+([A-Za-z_:][\w:.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>`)

// xmlReference matches what looks like a reference.
var xmlReference = pattern(`&(#[0-9]+|#x[0-9A-Fa-f]+|[A-Za-z_:][\w:.-]*);`)

// An xmlText is the blocks of a document, which are resolved in their order.
type xmlText struct {
	file    string
	lines   []string
	names   map[string]string // that the document declares; nil before the first is looked for
	literal bool              // in a section of CDATA, which is longer than a line
	left    int               // how many bytes stand before the line at hand
}

// resolve returns the text that a line of a block stands for, up to a tag that ends the block.
func (x *xmlText) resolve(number int, line string) (out string, ends bool, err error) {
	var b strings.Builder
	for rest := line; rest != "" && !ends; {
		if x.literal {
			text, behind, ended := strings.Cut(rest, cdataEnd)
			b.WriteString(text)
			rest, x.literal = behind, !ended
			continue
		}
		text, behind, begins := strings.Cut(rest, cdata)
		if tag := strings.Index(text, "</"); tag >= 0 {
			text, begins, ends = text[:tag], false, true
		}
		resolved, err := x.references(expr.Pos{File: x.file, Line: number, Col: x.left + len(line) - len(rest) + 1}, text)
		if err != nil {
			return "", false, err
		}
		b.WriteString(strings.ReplaceAll(resolved, cdataEnd, ""))
		rest, x.literal = behind, begins
	}
	return b.String(), ends, nil
}

// references returns a text with what its references stand for.
func (x *xmlText) references(pos expr.Pos, text string) (string, error) {
	var b strings.Builder
	at := 0
	for _, m := range xmlReference().FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		value, ok := x.value(text[m[2]:m[3]])
		if !ok {
			pos.Col += m[0]
			if text[m[2]] == '#' {
				return "", expr.Errorf(pos, "unexpected %q, which is no character", text[m[0]:m[1]])
			}
			return "", expr.Errorf(pos, "unexpected %q, which the document does not declare; expected what it stands for, or <!ENTITY %s \"...\">",
				text[m[0]:m[1]], text[m[2]:m[3]])
		}
		b.WriteString(value)
		at = m[1]
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

// value returns what a reference stands for; ok is false if nothing says so.
func (x *xmlText) value(name string) (text string, ok bool) {
	if digits, numeric := strings.CutPrefix(name, "#"); numeric {
		base := 10
		if hex, ok := strings.CutPrefix(digits, "x"); ok {
			digits, base = hex, 16
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil || !utf8.ValidRune(rune(n)) || n > utf8.MaxRune || n == 0 {
			return "", false
		}
		return string(rune(n)), true
	}
	if text, ok := xmlNames[name]; ok {
		return text, true
	}
	if x.names == nil {
		x.names = map[string]string{}
		for _, m := range xmlDeclared().FindAllStringSubmatch(strings.Join(x.lines, "\n"), -1) {
			x.names[m[1]] = m[2] + m[3]
		}
	}
	text, ok = x.names[name]
	if r := xmlReference().FindStringSubmatch(text); ok && r != nil && strings.HasPrefix(r[1], "#") && r[0] == text {
		return x.value(r[1])
	}
	return text, ok
}
