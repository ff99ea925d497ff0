package editor

import (
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

func init() {
	announce(func(c *protocol.ServerCapabilities) { c.ReferencesProvider, c.DocumentHighlightProvider = true, true })
	handle("textDocument/references", (*call).references)
	handle("textDocument/documentHighlight", (*call).highlight)
}

// references returns the places of the name at a position, in any case if the notation ignores case; those that
// define it only if the editor asks for declarations. There are none if there is no name.
func (c *call) references(p protocol.ReferenceParams) (any, error) {
	list := []protocol.Location{}
	err := c.eachUse(p.Position, func(n *snapshot, r protocol.Range, defines bool) {
		if !defines || p.Context.IncludeDeclaration {
			list = append(list, protocol.Location{URI: n.uri, Range: r})
		}
	})
	return list, err
}

// highlight returns all places of the name at a position, the defining ones included, which are marked as writing.
func (c *call) highlight(p protocol.DocumentHighlightParams) (any, error) {
	list := []protocol.DocumentHighlight{}
	err := c.eachUse(p.Position, func(n *snapshot, r protocol.Range, defines bool) {
		kind := protocol.DocumentHighlightKindRead
		if defines {
			kind = protocol.DocumentHighlightKindWrite
		}
		list = append(list, protocol.DocumentHighlight{Range: r, Kind: kind})
	})
	return list, err
}

// eachUse calls visit for each place of the name at a position; defines says that the name of a production is defined
// there. It calls it for none if there is no name, and only for that place if it is prose in angle brackets. It fails
// only if the document is not open.
func (c *call) eachUse(p protocol.Position, visit func(n *snapshot, r protocol.Range, defines bool)) error {
	n, err := c.document()
	if err != nil {
		return err
	}
	at, ok := n.nameAt(p)
	if !ok {
		return nil
	}
	r := n.reading()
	defines := r.definingTokens()
	uses := r.names().uses[at.key]
	if uses == nil { // prose: this place alone
		uses = []int{at.token}
	}
	for _, i := range uses {
		visit(n, n.lines.rangeOf(r.outline.NameSpan(i)), defines[i])
	}
	return nil
}

// definingTokens returns the indices of the tokens that are the names of productions where these are defined.
func (r *reading) definingTokens() map[int]bool {
	set := make(map[int]bool, len(r.outline.Rules))
	for _, rule := range r.outline.Rules {
		set[rule.Name] = true
	}
	return set
}
