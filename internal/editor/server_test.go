package editor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestAnswers carries out the scripts of testdata and compares the answers. A script has a line for each question:
//
//	open FILE [LANGUAGE]                    and change FILE LINE:COL-LINE:COL "TEXT"
//	first FILE, lint FILE [N]               the diagnostics of the first step, of the second, or of the Nth
//	hover FILE LINE:COL                     likewise definition, references, highlight, complete, actions, select
//	rename FILE LINE:COL NAME               the text that results
//	symbols FILE                            likewise fold, links, hints, tokens, lenses, format
//
// Lines and columns are from 1, columns in UTF-16.
func TestAnswers(t *testing.T) {
	files := must.Of(filepath.Glob("testdata/*.golden"))(t)
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".golden"), func(t *testing.T) {
			texts := map[string]string{}
			for _, name := range strings.Fields(goldentest.Read(t, file, "input files")) {
				texts[name] = goldentest.Read(t, file, "input "+name)
			}
			c := newClient(t, texts, `{"workspace": {"workspaceEdit": {"documentChanges": true}}}`)
			var b strings.Builder
			for line := range strings.Lines(goldentest.Read(t, file, "input script")) {
				line = strings.TrimSpace(line)
				if line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				fmt.Fprintf(&b, "> %s\n%s", line, c.carryOut(line, texts))
			}
			must.Do(t, c.quit())
			answers := strings.ReplaceAll(b.String(), string(uriOf(c.folder)), "FOLDER")
			goldentest.Check(t, file, goldentest.Output("answers", answers))
		})
	}
}

var lineCol = regexp.MustCompile(`^(\d+):(\d+)$`)

// parsePosition reads LINE:COL.
func parsePosition(t testing.TB, s string) protocol.Position {
	t.Helper()
	m := lineCol.FindStringSubmatch(s)
	if m == nil {
		t.Fatalf("%q is no LINE:COL", s)
	}
	line, _ := strconv.Atoi(m[1])
	col, _ := strconv.Atoi(m[2])
	return protocol.Position{Line: uint32(line - 1), Character: uint32(col - 1)}
}

func showPosition(p protocol.Position) string { return fmt.Sprintf("%d:%d", p.Line+1, p.Character+1) }
func showRange(r protocol.Range) string       { return showPosition(r.Start) + "-" + showPosition(r.End) }

// indented returns a text as lines with a margin.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
	return b.String()
}

// carryOut carries out a line of a script and returns the answer.
func (c *client) carryOut(line string, texts map[string]string) string {
	c.t.Helper()
	words := strings.Fields(line)
	verb, name := words[0], words[1]
	at := func() protocol.Position { return parsePosition(c.t, words[2]) }
	document := c.document(name)
	place := map[string]any{"textDocument": document}
	if len(words) > 2 && lineCol.MatchString(words[2]) {
		place["position"] = at()
	}
	problem := func(err error) string {
		e, ok := errors.AsType[*jsonrpc2.Error](err)
		if !ok {
			c.t.Fatal(err)
		}
		return fmt.Sprintf("  refused: %s\n", e.Message)
	}
	var b strings.Builder
	switch verb {
	case "open":
		language := ""
		if len(words) > 2 {
			language = words[2]
		}
		c.open(name, language, texts[name])
	case "change":
		from, to, _ := strings.Cut(words[2], "-")
		text := must.Of(strconv.Unquote(strings.Join(words[3:], " ")))(c.t)
		r := protocol.Range{Start: parsePosition(c.t, from), End: parsePosition(c.t, to)}
		c.change(name, &r, text)
	case "first", "lint":
		n := map[string]int{"first": 1, "lint": 2}[verb]
		if len(words) > 2 {
			n = must.Of(strconv.Atoi(words[2]))(c.t)
		}
		for _, d := range c.diagnostics(name, n) {
			fmt.Fprintf(&b, "  %s %v %v: %s\n", showRange(d.Range), []string{"", "error", "warning", "note", "hint"}[d.Severity], d.Code, strings.ReplaceAll(d.Message, "\n", "\n    "))
			for _, r := range d.RelatedInformation {
				fmt.Fprintf(&b, "    see %s\n", showRange(r.Location.Range))
			}
		}
	case "hover":
		var h *protocol.Hover
		c.ask("textDocument/hover", place, &h)
		if h != nil {
			b.WriteString("  " + showRange(*h.Range) + "\n" + indented(h.Contents.Value))
		}
	case "definition", "references":
		place["context"] = map[string]any{"includeDeclaration": true}
		var list []protocol.Location
		c.ask("textDocument/"+verb, place, &list)
		for _, l := range list {
			fmt.Fprintf(&b, "  %s %s\n", c.nameOf(l.URI), showRange(l.Range))
		}
	case "highlight":
		var list []protocol.DocumentHighlight
		c.ask("textDocument/documentHighlight", place, &list)
		for _, h := range list {
			fmt.Fprintf(&b, "  %s %s\n", showRange(h.Range), map[protocol.DocumentHighlightKind]string{2: "read", 3: "write"}[h.Kind])
		}
	case "rename":
		place["newName"] = words[3]
		var edit protocol.WorkspaceEdit
		if err := c.try("textDocument/rename", place, &edit); err != nil {
			return problem(err)
		}
		for _, d := range edit.DocumentChanges {
			b.WriteString(indented(apply(c.text[c.nameOf(d.TextDocument.URI)], d.Edits)))
		}
	case "format":
		var edits []protocol.TextEdit
		place["options"] = map[string]any{"tabSize": 8, "insertSpaces": true}
		if err := c.try("textDocument/formatting", place, &edits); err != nil {
			return problem(err)
		}
		b.WriteString(indented(apply(c.text[name], edits)))
	case "symbols":
		var list []protocol.DocumentSymbol
		c.ask("textDocument/documentSymbol", place, &list)
		for _, s := range list {
			fmt.Fprintf(&b, "  %s %s %s: %s\n", showRange(s.Range), showRange(s.SelectionRange), s.Name, s.Detail)
		}
	case "fold":
		var list []protocol.FoldingRange
		c.ask("textDocument/foldingRange", place, &list)
		for _, f := range list {
			fmt.Fprintf(&b, "  %d-%d %s\n", f.StartLine+1, f.EndLine+1, f.Kind)
		}
	case "select":
		place["positions"] = []protocol.Position{at()}
		var list []*protocol.SelectionRange
		c.ask("textDocument/selectionRange", place, &list)
		for s := list[0]; s != nil; s = s.Parent {
			fmt.Fprintf(&b, "  %s\n", showRange(s.Range))
		}
	case "links":
		var list []protocol.DocumentLink
		c.ask("textDocument/documentLink", place, &list)
		for _, l := range list {
			fmt.Fprintf(&b, "  %s %s\n", showRange(l.Range), l.Target)
		}
	case "hints":
		place["range"] = protocol.Range{End: protocol.Position{Line: 1 << 20}}
		var list []protocol.InlayHint
		c.ask("textDocument/inlayHint", place, &list)
		for _, h := range list {
			fmt.Fprintf(&b, "  %s %s\n", showPosition(h.Position), h.Label)
		}
	case "tokens":
		var list protocol.SemanticTokens
		c.ask("textDocument/semanticTokens/full", place, &list)
		b.WriteString(showTokens(c.text[name], list.Data))
	case "complete":
		var list protocol.CompletionList
		c.ask("textDocument/completion", place, &list)
		slices.SortFunc(list.Items, func(a, b protocol.CompletionItem) int { return strings.Compare(a.SortText, b.SortText) })
		const most = 12
		for _, i := range list.Items[:min(len(list.Items), most)] {
			fmt.Fprintf(&b, "  %s: %s\n", i.Label, i.Detail)
		}
		if more := len(list.Items) - most; more > 0 {
			b.WriteString("  and more\n")
		}
	case "actions":
		place["range"] = protocol.Range{Start: at(), End: at()}
		place["context"] = map[string]any{"diagnostics": []any{}}
		var list []protocol.CodeAction
		c.ask("textDocument/codeAction", place, &list)
		for _, a := range list {
			fmt.Fprintf(&b, "  %s: %s\n", a.Kind, a.Title)
			for _, d := range a.Edit.DocumentChanges {
				b.WriteString(indented(indented(apply(c.text[name], d.Edits))))
			}
		}
	case "lenses":
		var list []protocol.CodeLens
		c.ask("textDocument/codeLens", place, &list)
		for _, l := range list {
			fmt.Fprintf(&b, "  %s %s: %s\n", showRange(l.Range), l.Command.Title, l.Command.Command)
		}
	case "click":
		var list []protocol.CodeLens
		c.ask("textDocument/codeLens", place, &list)
		number := must.Of(strconv.Atoi(words[2]))(c.t)
		var said string
		command := list[number-1].Command
		if err := c.try("workspace/executeCommand", map[string]any{"command": command.Command, "arguments": command.Arguments}, &said); err != nil {
			return problem(err)
		}
		b.WriteString(indented(said))
	default:
		c.t.Fatalf("no verb %q", verb)
	}
	return b.String()
}

// apply returns a text with edits made, from the last to the first.
func apply(text string, edits []protocol.TextEdit) string {
	x := newLineIndex(text, false)
	slices.SortStableFunc(edits, func(a, b protocol.TextEdit) int { return x.span(b.Range).Start - x.span(a.Range).Start })
	for _, e := range edits {
		at := x.span(e.Range)
		text = text[:at.Start] + e.NewText + text[at.End:]
	}
	return text
}

// showTokens returns semantic tokens, one a line, with their text.
func showTokens(text string, data []uint32) string {
	var b strings.Builder
	x := newLineIndex(text, false)
	var line, col uint32
	for i := 0; i+4 < len(data); i += 5 {
		if data[i] > 0 {
			col = 0
		}
		line, col = line+data[i], col+data[i+1]
		from := x.offset(protocol.Position{Line: line, Character: col})
		to := x.offset(protocol.Position{Line: line, Character: col + data[i+2]})
		fmt.Fprintf(&b, "  %d:%d %s %s", line+1, col+1, tokenTypes[data[i+3]], text[from:to])
		for k, m := range tokenModifiers {
			if data[i+4]&(1<<k) != 0 {
				b.WriteString(" " + string(m))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Outside of the order that the protocol has, and without a meaning, requests are refused and notifications ignored.
func TestLifecycle(t *testing.T) {
	c := newClient(t, map[string]string{"a.abnf": "a = \"x\"\n"}, "")
	code := func(err error) int64 {
		if e, ok := errors.AsType[*jsonrpc2.Error](err); ok {
			return e.Code
		}
		t.Fatalf("no error of the protocol: %v", err)
		return 0
	}
	for _, row := range []struct {
		method, params string
		code           int64
	}{
		{"initialize", `{"capabilities": {}}`, jsonrpc2.CodeInvalidRequest},
		{"textDocument/nothing", `{}`, jsonrpc2.CodeMethodNotFound},
		{"textDocument/hover", `{"textDocument": {"uri": "file:///nowhere.abnf"}, "position": {"line": 0, "character": 0}}`, jsonrpc2.CodeInvalidParams},
		{"textDocument/hover", `[1]`, jsonrpc2.CodeInvalidParams},
	} {
		if got := code(c.try(row.method, json.RawMessage(row.params), nil)); got != row.code {
			t.Errorf("%s %s: %d, not %d", row.method, row.params, got, row.code)
		}
	}
	c.tell("textDocument/didChange", json.RawMessage(`{"textDocument": {"uri": "file:///nowhere.abnf", "version": 1}, "contentChanges": []}`))
	c.tell("textDocument/nothing", json.RawMessage(`{}`))
	c.ask("shutdown", nil, nil)
	if got := code(c.try("textDocument/hover", json.RawMessage(`{}`), nil)); got != jsonrpc2.CodeInvalidRequest {
		t.Errorf("after shutdown: %d", got)
	}
	c.tell("exit", nil)
	must.Do(t, <-c.ended)
}

// A defect in the background ends what it computes for one version, and no more: the place that it held is free again.
func TestPlacesAfterDefects(t *testing.T) {
	s := newServer(t.Context(), Options{})
	n := s.newSnapshot(t.Context(), func() {}, &document{uri: "untitled:a"}, 1, "a = \"x\"\n")
	for range maxRunning {
		var err error
		func() {
			defer s.containPanic("a test", &err)
			s.computeIn(s.running, n, func() { panic("a defect") })
		}()
		if err == nil {
			t.Error("the defect is not contained")
		}
	}
	if len(s.running) != 0 {
		t.Errorf("%d of %d places are taken after defects", len(s.running), maxRunning)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	old := s.newSnapshot(ended, cancel, &document{uri: "untitled:a"}, 1, "")
	if s.computeIn(s.running, old, func() { t.Error("computed for a version that is gone") }) {
		t.Error("a version that is gone has a place")
	}
	if len(s.running) != 0 {
		t.Error("a version that is gone holds a place")
	}
}
