package editor

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

func init() {
	announce(func(c *protocol.ServerCapabilities) {
		c.RenameProvider = &protocol.RenameOptions{PrepareProvider: true}
	})
	handle("textDocument/prepareRename", (*call).prepareRename)
	handle("textDocument/rename", (*call).rename)
}

// renameable returns the name at a position. It refuses a position without a name, and a name that no production of
// the text has.
func (c *call) renameable(p protocol.Position) (n *snapshot, at pointed, err error) {
	if n, err = c.document(); err != nil {
		return nil, at, err
	}
	at, ok := n.nameAt(p)
	if !ok {
		return nil, at, refusedRequest("there is no name here")
	}
	if n.reading().names().definitions[at.key] == nil {
		return nil, at, refusedRequest("%s is not defined in this file", at.name)
	}
	return n, at, nil
}

// prepareRename returns the name that would be renamed, and its range. It refuses what renameable refuses.
func (c *call) prepareRename(p protocol.PrepareRenameParams) (any, error) {
	n, at, err := c.renameable(p.Position)
	if err != nil {
		return nil, err
	}
	return struct {
		Range       protocol.Range `json:"range"`
		Placeholder string         `json:"placeholder"`
	}{n.lines.rangeOf(at.span), at.name}, nil
}

// rename returns the edits that replace a name wherever it stands in this document, in any case if the notation
// ignores case, and also in the setting bnfcheck:start and in comments that put it in backquotes. It is refused where
// renameable refuses the old name, and if the text would then mean something else: if the new name is no name in this
// notation, or means another production or is used already. Where the notation ignores case, a change of case alone is
// not refused. rename takes the server's lock.
func (c *call) rename(p protocol.RenameParams) (any, error) {
	n, at, err := c.renameable(p.Position)
	if err != nil {
		return nil, err
	}
	r := n.reading()
	o := r.outline
	if !isNameIn(r.kind, p.NewName) {
		return nil, refusedRequest("%q is no name in this notation", p.NewName)
	}
	key := o.Key(p.NewName)
	if key != at.key { // otherwise only the case changes, and the name means what it meant
		switch names := r.names(); {
		case names.definitions[key] != nil:
			return nil, refusedRequest("%s is defined already", p.NewName)
		case names.uses[key] != nil:
			return nil, refusedRequest("%s is used already, and would mean this production", p.NewName)
		case r.opened != nil && !r.opened.Grammar.Ordered && bnf.IsCoreName(p.NewName):
			return nil, refusedRequest("%s is a core rule of ABNF (RFC 5234, appendix B.1)", p.NewName)
		case n.ruleNamed(p.NewName) != nil:
			return nil, refusedRequest("%s means a production of another file already", p.NewName)
		}
	}
	edits := []protocol.TextEdit{}
	for _, i := range r.names().uses[at.key] {
		edits = append(edits, protocol.TextEdit{Range: n.lines.rangeOf(o.NameSpan(i)), NewText: p.NewName})
	}
	for i, t := range o.Tokens {
		if t.Kind == outline.Comment {
			edits = append(edits, n.renamesInComment(i, at.key, p.NewName)...)
		}
	}
	version := n.version
	return n.editOf(edits, &version), nil
}

// renamesInComment returns the edits that replace a name in a comment by another: in bnfcheck:start NAME, and in
// `NAME`. key is that of the old name.
func (n *snapshot) renamesInComment(token int, key, name string) (edits []protocol.TextEdit) {
	o := n.reading().outline
	text, start := o.TextOf(token), o.Tokens[token].Start
	replace := func(from, to int) {
		if o.Key(text[from:to]) == key {
			edits = append(edits, protocol.TextEdit{
				Range: n.lines.rangeOf(outline.Span{Start: start + from, End: start + to}), NewText: name,
			})
		}
	}
	for _, in := range settingsIn(text) {
		if in.key == "start" {
			replace(in.value.Start, in.value.End)
		}
	}
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '`')
		if open < 0 {
			return edits
		}
		open += at + 1
		shut := strings.IndexByte(text[open:], '`')
		if shut < 0 {
			return edits
		}
		replace(open, open+shut)
		at = open + shut + 1
	}
}

// isNameIn reports whether a text is one name in a notation. Where names stand in angle brackets, the text is without
// them.
func isNameIn(kind catalog.Kind, text string) bool {
	sign := " ::= "
	if kind.IsPEG() {
		sign = " = "
	}
	inText := text
	if kind == catalog.Naur || kind == catalog.RBNF {
		inText = "<" + text + ">"
	}
	o := outline.Of(kind, inText+sign, []outline.Span{{Start: 0, End: len(inText + sign)}})
	return len(o.Rules) == 1 && o.NameOf(0) == text && o.Rules[0].Name == 0 && len(o.Tokens) == 2
}
