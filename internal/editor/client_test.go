package editor

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// patience is how long a test waits for the server.
const patience = 60 * time.Second

// A client is an editor at the other end of an in-memory pipe.
type client struct {
	t       testing.TB
	conn    *jsonrpc2.Conn
	folder  string
	ended   chan error
	version map[string]int32
	text    map[string]string // of open documents, by name

	mu        sync.Mutex
	published map[string][]protocol.PublishDiagnosticsParams // by name
	news      chan struct{}
	messages  []string
	requests  []string // of the server to the client
}

// newClient starts a server in a folder with files, and says hello. The options are what the client can do, as JSON.
func newClient(t testing.TB, files map[string]string, options string) *client {
	t.Helper()
	return newClientWith(t, files, options, "{}")
}

// newClientWith is newClient for a client that says something else about itself, too: the options of initialize.
func newClientWith(t testing.TB, files map[string]string, options, own string) *client {
	t.Helper()
	folder := must.Of(filepath.EvalSymlinks(t.TempDir()))(t)
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	c := &client{
		t: t, folder: folder, ended: make(chan error, 1), version: map[string]int32{}, text: map[string]string{},
		published: map[string][]protocol.PublishDiagnosticsParams{}, news: make(chan struct{}, 1),
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		c.ended <- Serve(ctx, toServer, fromServer, Options{Version: "test", Log: testLog{t}})
		fromServer.Close()
	}()
	c.conn = jsonrpc2.NewConn(ctx, pipe{bufio.NewReader(toClient), fromClient}, c, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	t.Cleanup(func() {
		fromClient.Close()
		cancel()
	})
	if options == "" {
		options = "{}"
	}
	init := fmt.Sprintf(`{"processId": null, "rootUri": %q, "capabilities": %s, "initializationOptions": %s,
		"workspaceFolders": [{"uri": %[1]q, "name": "test"}]}`, uriOf(folder), options, own)
	c.ask("initialize", json.RawMessage(init), nil)
	c.tell("initialized", json.RawMessage("{}"))
	return c
}

// testLog fails a test for what the server logs, since that is a defect or a client's mistake.
type testLog struct{ testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "defect") {
		l.Errorf("%s", b)
	}
	return len(b), nil
}

// A pipe is the client's end.
type pipe struct {
	in  *bufio.Reader
	out io.WriteCloser
}

func (p pipe) ReadObject(v any) error  { return codec{}.ReadObject(p.in, v) }
func (p pipe) WriteObject(v any) error { return codec{}.WriteObject(p.out, v) }
func (p pipe) Close() error            { return p.out.Close() }

// Handle takes what the server says by itself.
func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Method == "textDocument/publishDiagnostics":
		var p protocol.PublishDiagnosticsParams
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			c.t.Error(err)
		}
		name := c.nameOf(p.URI)
		c.published[name] = append(c.published[name], p)
	case r.Method == "window/showMessage":
		var p protocol.ShowMessageParams
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.messages = append(c.messages, p.Message)
	case !r.Notif:
		c.requests = append(c.requests, r.Method)
		go conn.Reply(ctx, r.ID, nil)
	}
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// ask sends a request and decodes the answer. An error of the server ends the test.
func (c *client) ask(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// try sends a request, and returns the error of the server.
func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

// tell sends a notification.
func (c *client) tell(method string, params any) {
	c.t.Helper()
	must.Do(c.t, c.conn.Notify(context.Background(), method, params))
}

// uri returns the URI of a file of the test.
func (c *client) uri(name string) protocol.DocumentURI {
	return uriOf(filepath.Join(c.folder, filepath.FromSlash(name)))
}

// nameOf returns the name of a file of the test.
func (c *client) nameOf(uri protocol.DocumentURI) string {
	return strings.TrimPrefix(string(uri), string(uriOf(c.folder))+"/")
}

// document returns what a request about a file begins with.
func (c *client) document(name string) protocol.TextDocumentIdentifier {
	return protocol.TextDocumentIdentifier{URI: c.uri(name)}
}

// open opens a document with a text.
func (c *client) open(name, language, text string) {
	c.t.Helper()
	c.forget(name)
	c.version[name]++
	c.text[name] = text
	c.tell("textDocument/didOpen", protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: c.uri(name), LanguageID: language, Version: c.version[name], Text: text,
	}})
}

// change replaces a part of a document.
func (c *client) change(name string, r *protocol.Range, text string) {
	c.t.Helper()
	c.forget(name)
	c.version[name]++
	if r == nil {
		c.text[name] = text
	} else {
		x := newLineIndex(c.text[name], false)
		at := x.span(*r)
		c.text[name] = c.text[name][:at.Start] + text + c.text[name][at.End:]
	}
	c.tell("textDocument/didChange", protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{URI: c.uri(name), Version: c.version[name]},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{{Range: r, Text: text}},
	})
}

// forget forgets what was published of a document.
func (c *client) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.published[name] = nil
}

// diagnostics waits until the diagnostics of the newest version were published n times, and returns the last.
func (c *client) diagnostics(name string, n int) []protocol.Diagnostic {
	c.t.Helper()
	late := time.After(patience)
	for {
		c.mu.Lock()
		var mine []protocol.PublishDiagnosticsParams
		for _, p := range c.published[name] {
			if p.Version != nil && *p.Version == c.version[name] {
				mine = append(mine, p)
			}
		}
		c.mu.Unlock()
		if len(mine) >= n {
			return mine[n-1].Diagnostics
		}
		select {
		case <-c.news:
		case <-late:
			c.t.Fatalf("%s: no diagnostics of version %d", name, c.version[name])
		}
	}
}

// quit ends the conversation, and returns the error of the server.
func (c *client) quit() error {
	c.t.Helper()
	c.ask("shutdown", nil, nil)
	c.tell("exit", nil)
	select {
	case err := <-c.ended:
		return err
	case <-time.After(patience):
		c.t.Fatal("the server does not end")
		return nil
	}
}
