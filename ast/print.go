package ast

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// String returns the tree as [Tree.WriteText] writes it.
func (t *Tree) String() string {
	var b strings.Builder
	_ = t.WriteText(&b) // a strings.Builder does not fail
	return b.String()
}

// WriteText writes the tree, one node a line, each indented by two spaces more than its parent: the
// RFC's name of the production, the span, and the text as [Quote] returns it.
//
//	hostport 7..18 "host.dom:80"
//	  host 7..15 "host.dom"
//
// The form is stable. WriteText fails only if w does.
func (t *Tree) WriteText(w io.Writer) error {
	for depth, n := range t.Root().All() {
		_, err := fmt.Fprintf(w, "%*s%s %d..%d %s\n", 2*depth, "", n.Name(), n.Start(), n.End(), Quote(n.Text()))
		if err != nil {
			return err
		}
	}
	return nil
}

// String returns the production's name, the span and the text, as in `path 9..22 "/pub/www/doc"`:
// the line of [Tree.WriteText]. It is safe for a terminal. A text of more than 200 bytes is cut
// off. The result is "no node" for the zero Node.
func (n Node) String() string {
	const most = 200 // bytes of the text
	if n.IsZero() {
		return "no node"
	}
	text := n.Text()
	quoted := Quote(text[:min(len(text), most)])
	if len(text) > most {
		quoted += "..."
	}
	return fmt.Sprintf("%s %d..%d %s", n.Name(), n.Start(), n.End(), quoted)
}

// MarshalJSON returns the tree as JSON, in this form and order of keys:
//
//	{"grammar":"rfc1630","input":"...","tree":
//	  {"production":"url_path","name":"path","start":0,"end":3,"text":"...","children":[...]}}
//
// "production" is the production's ID. "name" is the RFC's spelling, omitted if it equals the ID.
// "children" is omitted if there are none. The output is ASCII. An input or text that is not UTF-8
// is given as "input_base64" or "text_base64" instead. A tree without nodes has "tree":null, and one without
// a grammar has no "grammar". The form is stable. The error is always nil.
func (t Tree) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 64+2*len(t.Source)+96*len(t.Nodes))
	b = append(b, '{')
	if t.Grammar != nil {
		b = append(b, `"grammar":`...)
		b = append(quote.AppendString(b, t.Grammar.Name), ',')
	}
	b = quote.AppendMember(b, "input", t.Source)
	b = append(b, `,"tree":`...)
	if len(t.Nodes) == 0 {
		return append(b, "null}"...), nil
	}
	last := -1 // depth of the node that is still open
	for depth, n := range t.Root().All() {
		if depth > last {
			if depth > 0 {
				b = append(b, `,"children":[`...)
			}
		} else {
			b = closeNodes(b, last-depth)
			b = append(b, ',')
		}
		last = depth
		b = appendNode(b, n)
	}
	b = closeNodes(b, last)
	return append(b, '}'), nil
}

// appendNode appends the members of a node other than its children, and leaves the object open.
func appendNode(b []byte, n Node) []byte {
	p := n.Production()
	b = append(b, `{"production":`...)
	b = quote.AppendString(b, p.ID)
	if p.Name != p.ID {
		b = append(b, `,"name":`...)
		b = quote.AppendString(b, p.Name)
	}
	b = append(b, `,"start":`...)
	b = strconv.AppendInt(b, int64(n.Start()), 10)
	b = append(b, `,"end":`...)
	b = strconv.AppendInt(b, int64(n.End()), 10)
	b = append(b, ',')
	return quote.AppendMember(b, "text", n.Text())
}

// closeNodes closes the open node and this many of its ancestors, with their lists of children.
func closeNodes(b []byte, ancestors int) []byte {
	b = append(b, '}')
	for range ancestors {
		b = append(b, "]}"...)
	}
	return b
}
