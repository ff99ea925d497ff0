package editor

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/compile/format"
	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

func init() {
	announce(func(c *protocol.ServerCapabilities) { c.DocumentFormattingProvider = true })
	handle("textDocument/formatting", (*call).formatting)
}

// formatting returns the edits that lay the document out as bnfcheck fmt does. The width is that of RFCs, whatever
// the editor's options are. It refuses, with the reason, a document in a notation that is not formatted, and one that
// cannot be read or has a mistake, be it in its settings. It has the effects of open for files that the document
// includes.
func (c *call) formatting(p protocol.DocumentFormattingParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	r := n.reading()
	if r.failed != nil {
		return nil, refusedRequest("%s cannot be formatted: %v", n.name, r.failed)
	}
	if r.kind != catalog.ABNF && r.kind != catalog.RFC && r.kind != catalog.Pigeon {
		return nil, refusedRequest("only ABNF and PEGs of pigeon are formatted")
	}
	if len(r.wrong) > 0 {
		return nil, refusedRequest("%s cannot be formatted: %v", n.name, r.wrong[0])
	}
	notation := bnf.Notation{Include: n.include, Budget: newBudget(c.ctx, 4)}
	out, err := format.File(n.name, []byte(n.text), r.kind, notation)
	if err != nil {
		return nil, refusedRequest("%v", err)
	}
	return n.editTo(string(out)), nil
}

// editTo returns the edits that turn the text into another: none if they are equal, and otherwise one for the lines
// between the first and the last that differ.
func (n *snapshot) editTo(text string) []protocol.TextEdit {
	if text == n.text {
		return []protocol.TextEdit{}
	}
	before, after := strings.SplitAfter(n.text, "\n"), strings.SplitAfter(text, "\n")
	same, start := 0, 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		start += len(before[same])
		same++
	}
	tail, end := 0, 0
	for tail < min(len(before), len(after))-same && before[len(before)-1-tail] == after[len(after)-1-tail] {
		end += len(before[len(before)-1-tail])
		tail++
	}
	return []protocol.TextEdit{{
		Range:   n.lines.rangeOf(outline.Span{Start: start, End: len(n.text) - end}),
		NewText: text[start : len(text)-end],
	}}
}
