package editor

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

func init() {
	announce(func(c *protocol.ServerCapabilities) { c.InlayHintProvider = true })
	handle("textDocument/inlayHint", (*call).hints)
}

// hints shows, in a part of the text, the characters that values stand for and, at the name of a production, how many
// of its alternatives never match, as unreachable counts them. A value that [value.shortText] has no signs for gets
// none. hints does not wait for lint: see [server.refreshHints].
func (c *call) hints(p protocol.InlayHintParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	o := n.reading().outline
	part := n.lines.span(p.Range)
	list := []protocol.InlayHint{}
	for i, t := range o.Tokens {
		if t.Kind != outline.Value || t.End < part.Start || t.Start > part.End {
			continue
		}
		v, ok := valueOf(o.TextOf(i))
		if !ok {
			continue
		}
		if text := v.shortText(); text != "" { // "" if it cannot be shown in a few signs
			list = append(list, protocol.InlayHint{
				Position: n.lines.position(t.End), Label: text, PaddingLeft: true,
				Tooltip: o.TextOf(i) + ": " + v.String(),
			})
		}
	}
	unreachable := n.unreachable()
	for _, rule := range slices.Sorted(maps.Keys(unreachable)) {
		count := unreachable[rule]
		name := o.Tokens[o.Rules[rule].Name]
		if name.Start < part.Start || name.End > part.End {
			continue
		}
		list = append(list, protocol.InlayHint{
			Position: n.lines.position(name.End), PaddingLeft: true,
			Label: fmt.Sprintf("%s unreachable", layout.Plural(count, "alternative")),
		})
	}
	return list, nil
}

// foundSoFar returns the findings of lint, or nothing before lint is done or after it has failed. The caller must
// not change them.
func (n *snapshot) foundSoFar() []lint.Finding {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done == nil {
		return nil
	}
	return n.done.findings
}

// unreachable returns, by the index of the production in the outline, how many findings lint has of alternatives that
// are without effect: that never match, or add nothing. One finding counts once, also if it is about several
// alternatives, or about an optional part that adds nothing. There is no entry for a production without any, and none
// before lint is done.
func (n *snapshot) unreachable() map[int]int {
	o := n.reading().outline
	counts := map[int]int{}
	for _, f := range n.foundSoFar() {
		if f.Code != lint.NeverMatches && f.Code != lint.AddsNothing || f.Pos.File != n.name {
			continue
		}
		if i := o.RuleAt(n.lines.place(f.Pos)); i >= 0 {
			counts[i]++
		}
	}
	return counts
}
