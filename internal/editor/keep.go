package editor

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

// A finding of an earlier version is kept until lint is done with this one, if its production has the same text. It
// is then shown at the same place in the production. If a name in its message has come to mean something else, it is
// wrong for that moment.

// A keptFinding has its place relative to the production that it is in.
type keptFinding struct {
	finding lint.Finding
	offset  int // from the beginning of the production
}

// remember sets n.done, and keeps the findings that are in productions for later versions, in place of those kept so
// far. If there is a later version already, what is kept stays as it is. It takes the locks of the server and of n.
func (n *snapshot) remember(l *linted) {
	o := n.reading().outline
	kept := map[string][]keptFinding{}
	for _, f := range l.findings {
		if f.Pos.File != n.name {
			continue
		}
		at := n.lines.place(f.Pos)
		i := o.RuleAt(at)
		if i < 0 {
			continue
		}
		own := o.Span(o.Rules[i])
		if at > own.End {
			continue
		}
		text := o.Text[own.Start:own.End]
		kept[text] = append(kept[text], keptFinding{f, at - own.Start})
	}
	n.mu.Lock()
	n.done = l
	n.mu.Unlock()
	n.server.mu.Lock()
	defer n.server.mu.Unlock()
	if d := n.documents[n.uri]; d != nil && n.ctx.Err() == nil {
		d.kept = kept
	}
}

// keptDiagnostics returns the findings of earlier versions about productions that this version has unchanged, at
// their places in this version. It leaves out undefined names, unless the document is a PEG or could not be
// read, since firstFindings knows these better; and, of findings that have moved to another line, the ones whose text
// names a line. It takes the server's lock.
func (n *snapshot) keptDiagnostics() (list []protocol.Diagnostic) {
	n.server.mu.Lock()
	var kept map[string][]keptFinding
	if d := n.documents[n.uri]; d != nil {
		kept = d.kept
	}
	n.server.mu.Unlock()
	if len(kept) == 0 {
		return nil
	}
	r := n.reading()
	o := r.outline
	decided := r.opened != nil && !r.opened.Grammar.Ordered // then firstFindings has told which names are undefined
	for _, rule := range o.Rules {
		own := o.Span(rule)
		for _, k := range kept[o.Text[own.Start:own.End]] {
			if decided && k.finding.Code == lint.Undefined {
				continue
			}
			at := own.Start + k.offset
			p := n.lines.position(at)
			f := k.finding
			moved := int(p.Line)+1 != f.Pos.Line
			f.Pos.Line, f.Pos.Col = int(p.Line)+1, at-n.lines.starts[p.Line]+1
			namesLines := func(text string) bool { return strings.Contains(text, "line ") }
			if moved && (namesLines(f.Message) || slices.ContainsFunc(f.Detail, namesLines)) {
				continue // that line may have moved as well
			}
			list = append(list, n.diagnosticOf(f))
		}
	}
	return list
}
