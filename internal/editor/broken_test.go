package editor

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What follows are clients that do not keep to the protocol. The server goes on, and what it knows of the text is what
// the messages say in the order in which they came.

// The ends of ranges may lie between the halves of a character of UTF-16: they are moved in front of it. What the
// server has then is told by a hover over the string.
func TestHalfCharacters(t *testing.T) {
	for _, row := range []struct {
		from, to uint32
		typed    string
		want     string // the text of the string
	}{
		{6, 6, "x", "x\U0001F600b"},
		{5, 6, "x", "x\U0001F600b"},
		{6, 7, "x", "xb"},
		{6, 8, "x", "x"},
		{5, 7, "\U0001F601", "\U0001F601b"},
		{8, 6, "x", "\U0001F600bx"}, // ends before it begins: nothing is replaced
	} {
		c := newClient(t, nil, "")
		c.open("a.abnf", "", "a = \"\U0001F600b\" b\n")
		r := protocol.Range{Start: protocol.Position{Character: row.from}, End: protocol.Position{Character: row.to}}
		c.change("a.abnf", &r, row.typed)
		if got := c.hoverText("a.abnf", protocol.Position{Character: 5}); !strings.Contains(got, `%s"`+row.want+`"`) {
			t.Errorf("%d to %d: %s has no %q", row.from, row.to, got, row.want)
		}
		must.Do(t, c.quit())
	}
}

// Changes are made in the order in which they come, whatever their versions are; diagnostics have the version that the
// editor gave last.
func TestVersionsOutOfOrder(t *testing.T) {
	c := newClient(t, nil, "")
	c.open("a.abnf", "", "a = \"x\"\n")
	for _, row := range []struct {
		version int32
		text    string
	}{{9, "b = \"x\"\n"}, {3, "c = \"x\"\n"}, {3, "d = \"x\"\n"}, {-1, "e = missing\n"}} {
		c.version["a.abnf"] = row.version - 1
		c.change("a.abnf", nil, row.text)
		var list []protocol.DocumentSymbol
		c.ask("textDocument/documentSymbol", map[string]any{"textDocument": c.document("a.abnf")}, &list)
		if len(list) != 1 || list[0].Name != row.text[:1] {
			t.Errorf("version %d: %v", row.version, list)
		}
	}
	if list := c.diagnostics("a.abnf", 1); len(list) != 1 || list[0].Code != "undefined" {
		t.Errorf("diagnostics: %v", list)
	}
	must.Do(t, c.quit())
}

// A document that is too large is not looked at, and is again when it is shorter; none of it is an error for what else
// is open.
func TestHugeDocument(t *testing.T) {
	c := newClient(t, nil, "")
	c.open("small.abnf", "", "a = missing\n")
	c.open("a.abnf", "", strings.Repeat("; a line of a comment\n", maxDocument/20))
	list := c.diagnostics("a.abnf", 1)
	if len(list) != 1 || !strings.Contains(list[0].Message, "is not looked at") {
		t.Errorf("diagnostics: %.300v", list)
	}
	for _, method := range []string{"textDocument/documentSymbol", "textDocument/semanticTokens/full", "textDocument/codeLens", "textDocument/documentLink"} {
		c.ask(method, map[string]any{"textDocument": c.document("a.abnf")}, nil)
	}
	err := c.try("textDocument/formatting", map[string]any{"textDocument": c.document("a.abnf")}, nil)
	if err == nil || !strings.Contains(err.Error(), "is not looked at") {
		t.Errorf("formatting: %v", err)
	}
	c.change("a.abnf", nil, "a = missing\n")
	for _, name := range []string{"a.abnf", "small.abnf"} {
		if list := c.diagnostics(name, 1); len(list) != 1 || list[0].Code != "undefined" {
			t.Errorf("%s: %v", name, list)
		}
	}
	must.Do(t, c.quit())
}

// A proof without a second file is refused with the name of what is missing.
func TestNothingBeside(t *testing.T) {
	c := newClient(t, nil, "")
	c.open("a.abnf", "", "a = \"x\"\n")
	c.open("b.peg", "", "b <- 'x'\n")
	for name, missing := range map[string]string{"a.abnf": "no PEG", "b.peg": "no grammar"} {
		arguments := []any{string(c.uri(name))}
		err := c.try("workspace/executeCommand", map[string]any{"command": commandProve, "arguments": arguments}, nil)
		if err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must.Do(t, c.quit())
}

// Documents are opened twice, closed twice and changed unopened. The last text that was opened counts.
func TestOpenedTwice(t *testing.T) {
	c := newClient(t, nil, "")
	c.tell("textDocument/didClose", map[string]any{"textDocument": c.document("a.abnf")})
	c.change("a.abnf", nil, "a = \"never opened\"\n")
	if err := c.try("textDocument/documentSymbol", map[string]any{"textDocument": c.document("a.abnf")}, nil); codeOf(err) != jsonrpc2.CodeInvalidParams {
		t.Errorf("not open: %v", err)
	}
	c.open("a.abnf", "", "a = \"x\"\n")
	c.open("a.abnf", "", "b = \"x\"\n")
	var list []protocol.DocumentSymbol
	c.ask("textDocument/documentSymbol", map[string]any{"textDocument": c.document("a.abnf")}, &list)
	if len(list) != 1 || list[0].Name != "b" {
		t.Errorf("opened twice: %v", list)
	}
	for range 2 {
		c.tell("textDocument/didClose", map[string]any{"textDocument": c.document("a.abnf")})
	}
	must.Do(t, c.quit())
}

// codeOf returns the number of an error of the server, 0 for none.
func codeOf(err error) int64 {
	if e, ok := errors.AsType[*jsonrpc2.Error](err); ok {
		return e.Code
	}
	return 0
}

// A request that the editor no longer wants ends, with the error that the protocol has for that, however long it would
// have computed. A cancellation of what is not asked is ignored.
func TestCanceledRequest(t *testing.T) {
	c := newClient(t, nil, "")
	c.open("a.abnf", "", nested(100))
	c.diagnostics("a.abnf", 1)
	for _, id := range []string{`77`, `"a"`, `null`, `{}`} {
		c.tell("$/cancelRequest", json.RawMessage(`{"id": `+id+`}`))
	}
	canceled := 0
	for i := range 20 {
		id := jsonrpc2.ID{Num: uint64(1000 + i)}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		call, err := c.conn.DispatchCall(ctx, "textDocument/hover", map[string]any{"textDocument": c.document("a.abnf"), "position": protocol.Position{}}, jsonrpc2.PickID(id))
		must.Do(t, err)
		c.tell("$/cancelRequest", map[string]any{"id": id})
		switch err := call.Wait(ctx, nil); codeOf(err) {
		case int64(protocol.LSPErrorCodesRequestCancelled):
			canceled++
		case 0: // it was answered before
			must.Do(t, err)
		default:
			t.Errorf("canceled: %v", err)
		}
		cancel()
	}
	if canceled == 0 {
		t.Error("no request was canceled")
	}
	must.Do(t, c.quit())
}
