package site

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// This file turns a page of GitHub's Markdown into HTML. The links are changed in between, while the page is a
// tree, so that what looks like a link in a block of code stays what it is.

// Raw HTML is kept: the pages are the project's own, and have line breaks in cells and comments.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// A page is a source that was parsed.
type page struct {
	source, file, group string // as in source
	title               string // its first heading
	label               string // in the list of pages

	text     []byte
	tree     ast.Node // resolveLinks changes the targets of links in it
	headings []heading
	links    []link
}

// A heading begins a section.
type heading struct {
	Level    int
	ID, Text string
	at       ast.Node // in the tree of the page
}

// A link is a link or an image in the tree of a page.
type link struct {
	target string              // as it is written, with what follows "#"
	image  bool                // else it is a link
	set    func(target string) // replaces the target in the tree
}

// convert parses a page, collects its headings and links, and sets its title and label. It fails if the first heading
// is not of the first level, or there is none.
func convert(s source) (*page, error) {
	p := &page{source: s.source, file: s.file, group: s.group, text: s.text}
	context := parser.NewContext(parser.WithIDs(&anchors{used: map[string]int{}}))
	p.tree = markdown.Parser().Parse(text.NewReader(s.text), parser.WithContext(context))
	err := ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			b, _ := id.([]byte)
			p.headings = append(p.headings, heading{n.Level, string(b), plainText(n, s.text), n})
		case *ast.Link:
			p.addLink(&n.Destination, false)
		case *ast.Image:
			p.addLink(&n.Destination, true)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	if len(p.headings) == 0 || p.headings[0].Level != 1 {
		return nil, fmt.Errorf("the page does not begin with a title")
	}
	p.title = p.headings[0].Text
	p.label = p.title
	if label, ok := labels[s.source]; ok {
		p.label = label
	}
	return p, nil
}

// emptyHeader is the head of a column that has none: to a reader of the screen it is a cell like others.
var emptyHeader = regexp.MustCompile(`<th( style="[^"]*")?></th>`)

// addLink adds a link whose target is stored in the tree at destination, where set replaces it.
func (p *page) addLink(destination *[]byte, image bool) {
	set := func(target string) { *destination = []byte(target) }
	p.links = append(p.links, link{string(*destination), image, set})
}

// renderHTML returns the body of the page as HTML, with its links as the tree has them: resolveLinks must come before.
// Tables and blocks of code may be wider than the window, and so each is a box that scrolls by itself and, to scroll
// with the keyboard, can be focused. Empty heads of columns become cells: see emptyHeader.
func (p *page) renderHTML() string {
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, p.text, p.tree); err != nil {
		panic(err) // a buffer takes everything
	}
	out := b.String()
	out = strings.ReplaceAll(out, "<table>", `<div class="wide" role="group" aria-label="table" tabindex="0"><table>`)
	out = strings.ReplaceAll(out, "</table>", "</table></div>")
	out = emptyHeader.ReplaceAllString(out, "<td></td>")
	return strings.ReplaceAll(out, "<pre>", `<pre tabindex="0">`)
}

// secondLevel returns the headings of the second level.
func (p *page) secondLevel() (list []heading) {
	for _, h := range p.headings {
		if h.Level == 2 {
			list = append(list, h)
		}
	}
	return list
}

// plainText returns the text of a node, code included, without marks. Its words are separated by single blanks. Raw
// HTML and bare addresses have no text here.
func plainText(n ast.Node, src []byte) string {
	var b strings.Builder
	// The function never fails, so that Walk does not.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(src))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				b.Write(line.Value(src))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// anchors gives headings the IDs that GitHub gives them, which the links between the pages are written for: letters in
// lower case, digits, "-" and "_" stay, a blank becomes "-", and the rest goes; a second heading of one ID ends in
// "-1", or in the next number that makes an ID of its own. used has every ID, with the last number tried after it.
type anchors struct{ used map[string]int }

// Generate returns the ID of a heading, from the Markdown of its text, and enters it in a.used.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(string(value))) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '-', r == '_':
			b.WriteRune(r)
		}
	}
	plain := b.String()
	id := plain
	for a.isUsed(id) {
		a.used[plain]++
		id = fmt.Sprintf("%s-%d", plain, a.used[plain])
	}
	a.used[id] = 0
	return []byte(id)
}

// Put reserves an ID that a heading has from elsewhere.
func (a *anchors) Put(value []byte) {
	if id := string(value); !a.isUsed(id) {
		a.used[id] = 0
	}
}

// isUsed reports whether a heading has an ID already.
func (a *anchors) isUsed(id string) bool {
	_, ok := a.used[id]
	return ok
}
