package editor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

func init() {
	announce(func(c *protocol.ServerCapabilities) { c.CompletionProvider = &protocol.CompletionOptions{} })
	handle("textDocument/completion", (*call).completion)
}

// completion lists the names that can stand at a position, those of this text first: the productions, and the names
// that are used and not defined. At the beginning of a line it lists only the latter. Elsewhere in ABNF there are also
// the core rules and, once two letters are typed, the productions of RFCs that others import. There are no names in
// comments, values, strings and code, nor any that do not contain what was typed.
func (c *call) completion(p protocol.CompletionParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	r := n.reading()
	o := r.outline
	offset := n.lines.offset(p.Position)
	none := protocol.CompletionList{Items: []protocol.CompletionItem{}}
	typed := outline.Span{Start: offset, End: offset}
	if i := o.At(offset); i >= 0 {
		t := o.Tokens[i]
		inside := t.End > offset // of a string or of code; after its end a name may begin
		switch {
		case o.NameOf(i) != "":
			typed = o.NameSpan(i)
		case t.Kind == outline.Comment, t.Kind == outline.Value:
			return none, nil
		case inside && (t.Kind == outline.Code || t.Kind == outline.String):
			return none, nil
		}
	}
	begun := strings.ToLower(n.text[typed.Start:max(typed.Start, offset)])
	w := &completer{n: n, span: n.lines.rangeOf(typed), begun: begun, said: map[string]bool{}, list: none}
	names := r.names()
	if _, beginsLine := slices.BinarySearch(n.lines.starts, typed.Start); beginsLine {
		w.addUndefined(names)
		return w.list, nil
	}
	for _, rule := range o.Rules {
		w.add("0", o.NameOf(rule.Name), shapeOf(o, rule), o.CommentOf(rule))
	}
	w.addUndefined(names)
	if !o.Folds() { // only names of ABNF ignore case
		return w.list, nil
	}
	for _, core := range bnf.CoreRules() {
		w.add("2", core.Name, "a core rule: "+strings.TrimPrefix(core.Printed, core.Name), "RFC 5234, appendix B.1")
	}
	const enough = 2 // letters, so that the list is not that of all RFCs
	if len(begun) < enough {
		w.list.IsIncomplete = true
		return w.list, nil
	}
	for _, g := range bnf.Standards() {
		for _, rule := range g.Rules {
			if bnf.IsCore(rule) {
				continue
			}
			title := strings.ToUpper(g.Name[:min(3, len(g.Name))]) + " " + g.Name[min(3, len(g.Name)):]
			w.add("3", rule.Name, "of "+title, "")
		}
	}
	return w.list, nil
}

// A completer collects names that contain what was typed.
type completer struct {
	n     *snapshot
	span  protocol.Range          // of the name that is being typed, which a chosen one replaces
	begun string                  // what was typed of it before the cursor, in lower case
	said  map[string]bool         // the names in list, in lower case
	list  protocol.CompletionList // those collected so far
}

// mostCompletions caps the names that are offered.
const mostCompletions = 500

// add offers a name, once, if it contains what was typed, in whatever case. Editors sort names by order, and then by
// themselves, in lower case. After mostCompletions names it only marks the list as incomplete.
func (w *completer) add(order, name, detail, comment string) {
	key := strings.ToLower(name)
	if w.said[key] || !strings.Contains(key, w.begun) {
		return
	}
	if len(w.list.Items) == mostCompletions {
		w.list.IsIncomplete = true
		return
	}
	w.said[key] = true
	item := protocol.CompletionItem{
		Label: name, Kind: protocol.CompletionItemKindFunction, Detail: detail, SortText: order + key,
		TextEdit: &protocol.TextEdit{Range: w.span, NewText: name},
	}
	if comment != "" {
		item.Documentation = &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: escapeProse(comment)}
	}
	w.list.Items = append(w.list.Items, item)
}

// addUndefined offers the names that are used and have no production, neither here nor in other files, in the order of
// their keys. It leaves out one that stands only where it is being typed.
func (w *completer) addUndefined(all *names) {
	o := w.n.reading().outline
	for _, key := range slices.Sorted(maps.Keys(all.uses)) {
		uses := all.uses[key]
		first := uses[0]
		own := w.n.lines.rangeOf(o.NameSpan(first))
		if all.definitions[key] != nil || len(uses) == 1 && own == w.span || w.n.ruleNamed(o.NameOf(first)) != nil {
			continue
		}
		w.add("1", o.NameOf(first), fmt.Sprintf("not defined; used in line %d", own.Start.Line+1), "")
	}
}
