package editor

import "github.com/bnfcheck/bnfcheck/internal/editor/protocol"

func init() {
	announce(func(c *protocol.ServerCapabilities) { c.DefinitionProvider = true })
	handle("textDocument/definition", (*call).definition)
}

// definition returns the places where the name at a position is defined, in the document or in the file that it is
// taken from: several if =/ adds to a production of the document, one in another file, or none. It returns nil where no
// name stands. For another file it has the effects of exists.
func (c *call) definition(p protocol.DefinitionParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	at, ok := n.nameAt(p.Position)
	if !ok {
		return nil, nil
	}
	return n.definitionsOf(at.key, at.name), nil
}
