package editor

import (
	"regexp"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

func init() {
	announce(func(c *protocol.ServerCapabilities) { c.DocumentLinkProvider = &protocol.DocumentLinkOptions{} })
	handle("textDocument/documentLink", (*call).links)
}

// citation matches an RFC and a section of it, as comments and prose cite them: [RFC9110], RFC 5322 section 3.4,
// "[RFC3986], Section 3.2.2".
var citation = regexp.MustCompile(`\[?\bRFC[ -]?([0-9]{1,5})\b\]?(?:,?\s+(?:[Ss]ection|§)\s*([0-9]+(?:\.[0-9]+)*))?`)

// mostLinks caps the links of a document.
const mostLinks = 1000

// rfcURL returns the address of an RFC, at a section if that is not "".
func rfcURL(number, section string) string {
	url := "https://www.rfc-editor.org/rfc/rfc" + strings.TrimLeft(number, "0")
	if section != "" {
		url += "#section-" + section
	}
	return url
}

// links returns links to the RFCs that comments and prose in the grammar cite, each to the section if one is cited with
// it: the first mostLinks. A number of zeros alone gets none.
func (c *call) links(p protocol.DocumentLinkParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	o := n.reading().outline
	list := []protocol.DocumentLink{}
	for i, t := range o.Tokens {
		if t.Kind != outline.Comment && t.Kind != outline.Prose {
			continue
		}
		text := o.TextOf(i)
		for _, m := range citation.FindAllStringSubmatchIndex(text, -1) {
			section := ""
			if m[4] >= 0 {
				section = text[m[4]:m[5]]
			}
			number := text[m[2]:m[3]]
			if strings.Trim(number, "0") == "" || len(list) == mostLinks {
				continue
			}
			list = append(list, protocol.DocumentLink{
				Range:   n.lines.rangeOf(outline.Span{Start: t.Start + m[0], End: t.Start + m[1]}),
				Target:  rfcURL(number, section),
				Tooltip: "RFC " + number,
			})
		}
	}
	return list, nil
}
