package editor

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

func init() {
	announce(func(c *protocol.ServerCapabilities) {
		c.CodeActionProvider = &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix}}
	})
	handle("textDocument/codeAction", (*call).actions)
}

// A fix is a change of the text that mends a finding. It is offered at the place of the finding.
type fix struct {
	title string
	at    outline.Span
	text  string
	whole bool // the finding is known to go away with it
}

// actions offers the fixes for the mistakes and findings in a part of the text, unless the editor wants other kinds of
// actions only. It does not wait for lint, since editors ask at every move of the cursor: it uses what lint has found
// so far. At a name that nothing defines it reads other files: see importsOf.
func (c *call) actions(p protocol.CodeActionParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	list := []protocol.CodeAction{}
	if len(p.Context.Only) > 0 && !slices.ContainsFunc(p.Context.Only, func(k protocol.CodeActionKind) bool {
		return k == protocol.CodeActionKindQuickFix || k == protocol.CodeActionKindEmpty
	}) {
		return list, nil
	}
	// A cursor is a range without length: it touches the token that it is in, and the one that ends there.
	part := n.lines.span(p.Range)
	touches := func(pos expr.Pos) bool {
		own := n.lines.span(n.rangeAt(pos))
		return own.Start <= part.End && part.Start <= own.End
	}
	r := n.reading()
	for _, e := range r.wrong {
		if touches(e.Pos) {
			for _, f := range c.fixesOfSyntax(e) {
				list = append(list, n.actionOf(f, n.syntaxDiagnostic(e)))
			}
		}
	}
	for _, f := range n.foundSoFar() {
		if f.Pos.File != n.name || !touches(f.Pos) {
			continue
		}
		for _, x := range c.fixesOf(f) {
			list = append(list, n.actionOf(x, n.diagnosticOf(f)))
		}
	}
	return list, nil
}

// actionOf returns a fix as an action that mends d, preferred if it mends all of it. It takes the server's lock.
func (n *snapshot) actionOf(f fix, d protocol.Diagnostic) protocol.CodeAction {
	edit := protocol.TextEdit{Range: n.lines.rangeOf(f.at), NewText: f.text}
	version := n.version
	return protocol.CodeAction{
		Title: f.title, Kind: protocol.CodeActionKindQuickFix, Diagnostics: []protocol.Diagnostic{d},
		IsPreferred: f.whole,
		Edit:        n.editOf([]protocol.TextEdit{edit}, &version),
	}
}

// editOf returns edits of the document in the form that the editor accepts. version, which only one of the two
// forms has, is that of the text that the edits are for. It takes the server's lock, which the caller must not
// hold.
func (n *snapshot) editOf(edits []protocol.TextEdit, version *int32) *protocol.WorkspaceEdit {
	n.server.mu.Lock()
	w := n.client.Workspace
	n.server.mu.Unlock()
	if w != nil && w.WorkspaceEdit != nil && w.WorkspaceEdit.DocumentChanges {
		return &protocol.WorkspaceEdit{DocumentChanges: []protocol.TextDocumentEdit{{
			TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{URI: n.uri, Version: version}, Edits: edits,
		}}}
	}
	return &protocol.WorkspaceEdit{Changes: map[protocol.DocumentURI][]protocol.TextEdit{n.uri: edits}}
}

// fixesOf returns the fixes of a finding, if any are known. For a name that nothing defines it reads other files of
// the folder, and has the effects of importsOf.
func (c *call) fixesOf(f lint.Finding) (list []fix) {
	n := c.snapshot
	o := n.reading().outline
	at := n.lines.place(f.Pos)
	i := o.At(at + 1) // + 1: at its first byte, At may return the token before
	switch {
	case f.Mended != "":
		if rule := o.RuleAt(at); rule >= 0 {
			if right, ok := rightOf(o, o.Rules[rule]); ok {
				list = append(list, fix{"Put the alternatives in an order that loses nothing", right, f.Mended, true})
			}
		}
	case f.Code == lint.LetterCase && i >= 0 && o.Tokens[i].Kind == outline.String &&
		strings.HasPrefix(o.TextOf(i), `"`):
		start := o.Tokens[i].Start
		list = append(list, fix{
			"Match " + o.TextOf(i) + " in this case only (RFC 7405)", outline.Span{Start: start, End: start},
			"%s", false,
		})
	case f.Code == lint.Undefined && i >= 0 && o.NameOf(i) != "":
		list = append(list, c.importsOf(o.NameOf(i))...)
	}
	return list
}

// rightOf returns the place of the right-hand side of a production. ok is false if there is none, or if it must not
// be replaced: if there is a comment in the production, or if its name has another definition, with =/ or by mistake.
func rightOf(o *outline.Outline, r outline.Rule) (s outline.Span, ok bool) {
	own := o.Span(r)
	defined := -1
	for i := r.Name + 1; i < r.Last && o.Tokens[i].Start < own.End; i++ { // tokens after own.End are comments
		switch {
		case o.Tokens[i].Kind == outline.Comment:
			return s, false
		case defined < 0 && o.Tokens[i].Kind == outline.Defines:
			defined = i
		}
	}
	if defined < 0 || defined+1 >= r.Last || len(o.Definitions()[o.Key(o.NameOf(r.Name))]) > 1 {
		return s, false
	}
	return outline.Span{Start: o.Tokens[defined+1].Start, End: own.End}, true
}

// mostBeside caps the files of the folder that are searched for a missing name.
const mostBeside = 50

// importsOf offers to import a name into a file of ABNF from each file of ABNF in its folder that defines it. It
// reads at most mostBeside files, the first by name, and leaves out those that cannot be read. For a document in
// another notation, and for one that is no file, there are none. It has the effects of open.
func (c *call) importsOf(name string) (list []fix) {
	n := c.snapshot
	r := n.reading()
	if r.kind != catalog.ABNF || n.path == "" {
		return nil
	}
	root, err := os.OpenRoot(filepath.Dir(n.path))
	if err != nil {
		return nil
	}
	defer root.Close()
	folder, err := root.Open(".")
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(0)
	slices.Sort(names) // so that the same files are looked at each time
	looked := 0
	for _, file := range names {
		if filepath.Ext(file) != ".abnf" || file == n.name || looked == mostBeside {
			continue
		}
		looked++
		_, text, err := n.open(file)
		if err != nil {
			continue
		}
		o := outline.Of(catalog.ABNF, string(text), []outline.Span{{Start: 0, End: len(text)}})
		if o.Definitions()[o.Key(name)] == nil {
			continue
		}
		list = append(list, fix{
			"Import " + name + " from " + file, outline.Span{},
			"; bnfcheck:import " + name + "=" + file + "#" + name + "\n", false,
		})
	}
	return list
}

// countWithHyphen matches a count that is written as a range: 1-3DIGIT.
var countWithHyphen = regexp.MustCompile(`\b([0-9]+)(-)([0-9]+)[ \t]*[A-Za-z("<%\[]`)

// fixesOfSyntax returns the fixes of a mistake in ABNF, at most one: in the production with the mistake, counts written
// with a hyphen get a "*". It was tried: the production can be read with it.
func (c *call) fixesOfSyntax(e *expr.Error) (list []fix) {
	n := c.snapshot
	r := n.reading()
	if r.kind != catalog.ABNF && r.kind != catalog.RFC {
		return nil
	}
	rule := r.outline.RuleAt(n.lines.place(e.Pos))
	if rule < 0 {
		return nil
	}
	own := r.outline.Span(r.outline.Rules[rule])
	text := n.text[own.Start:own.End]
	fixed, last := "", 0
	for _, m := range countWithHyphen.FindAllStringSubmatchIndex(text, -1) {
		if m[2] > 0 && (text[m[2]-1] == '.' || text[m[2]-1] == '-' || isWord(text[m[2]-1])) {
			continue // in a value or a name
		}
		fixed += text[last:m[4]] + "*"
		last = m[5]
	}
	if last == 0 {
		return nil
	}
	fixed += text[last:]
	o := catalog.Usual
	o.Kind = catalog.ABNF
	o.Notation.Budget = newBudget(c.ctx, 8)
	if _, err := catalog.Read(n.name, []byte(fixed+"\n"), o); err != nil {
		return nil
	}
	return []fix{{`Write the count with "*"`, own, fixed, true}}
}

// isWord reports whether a byte can stand in a name or a value.
func isWord(b byte) bool {
	return b == '%' || b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}
