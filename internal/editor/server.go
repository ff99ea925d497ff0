package editor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

// The transport is github.com/sourcegraph/jsonrpc2: one module without dependencies of its own, which keeps the calls
// of both sides apart and leaves the order of messages to its user. go.lsp.dev/jsonrpc2 would bring a second module
// and its own JSON; github.com/creachadair/jrpc2 imports net/http through expvar.
//
// Notifications are handled in the order in which they come, before the next message is read. A request gets the
// snapshot of that moment, and then runs while others do. At most maxRunning of them compute at a time, while lint
// looks at one document.

const (
	maxRunning = 2
	maxWaiting = 256
)

// Options are set by the program that runs the server.
type Options struct {
	Version string
	Log     io.Writer // for messages that the editor shows nobody; nil for nothing
	Alive   func()    // called for every message and whenever a computation is done; nil for nothing
}

// Serve speaks the protocol until the editor ends it, the input ends, or ctx does. It returns after all computations
// have ended, and closes neither in nor out. It fails if the editor has not shut the server down before: with the
// error of a message that is not in the protocol, if that ended it.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newServer(ctx, o)
	stream := &stream{in: bufio.NewReader(in), out: out, alive: s.signalLife}
	s.conn = jsonrpc2.NewConn(ctx, stream, s, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(s.ready)
	select {
	case <-s.conn.DisconnectNotify(): // the client is gone
	case <-s.exited: // or has asked to exit
	}
	cancel()
	<-s.conn.DisconnectNotify()
	s.working.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch err := stream.failed(); {
	case s.shutDown:
		return nil
	case err != nil && err != io.EOF:
		return err
	}
	return errors.New("the editor ended without shutting the server down")
}

// A stream is both directions of the conversation. It remembers why reading ended.
type stream struct {
	in    *bufio.Reader
	out   io.Writer
	alive func()
	mu    sync.Mutex
	err   error
}

// ReadObject reads a message into v, and gives a sign of life. It keeps an error for failed.
func (s *stream) ReadObject(v any) error {
	err := codec{}.ReadObject(s.in, v)
	s.alive()
	if err != nil {
		s.mu.Lock()
		s.err = err
		s.mu.Unlock()
	}
	return err
}

// WriteObject gives a sign of life, and writes a message.
func (s *stream) WriteObject(v any) error {
	s.alive()
	return codec{}.WriteObject(s.out, v)
}

// Close closes nothing: standard input and output are the caller's.
func (s *stream) Close() error { return nil }

// failed returns why reading ended, [io.EOF] at the end of the input, or nil if reading has not ended.
func (s *stream) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// A server answers one editor.
type server struct {
	ctx     context.Context
	options Options
	conn    *jsonrpc2.Conn // once ready is closed: the first message can come before
	ready   chan struct{}
	exited  chan struct{}
	working sync.WaitGroup
	running chan struct{} // holds a value for each request, or first step of diagnostics, that computes
	linting chan struct{} // holds a value while lint, or a proof after it, computes; no request waits for that

	publishing sync.Mutex // held while diagnostics are sent, so that none are sent for a version that is gone

	mu          sync.Mutex
	initialized bool
	shutDown    bool
	client      protocol.ClientCapabilities
	images      bool     // the editor shows images in hovers
	results     bool     // the editor shows what commands return
	utf8        bool     // columns are bytes
	folders     []string // of the workspace; "" for one that is no file
	documents   map[protocol.DocumentURI]*document
	requests    map[jsonrpc2.ID]context.CancelFunc // those that wait or compute
}

// newServer returns a server that has not been initialized.
func newServer(ctx context.Context, o Options) *server {
	return &server{
		ctx: ctx, options: o, ready: make(chan struct{}), exited: make(chan struct{}),
		running: make(chan struct{}, maxRunning), linting: make(chan struct{}, 1),
		documents: map[protocol.DocumentURI]*document{}, requests: map[jsonrpc2.ID]context.CancelFunc{},
	}
}

// signalLife tells the program that the server is at work: see Options.Alive.
func (s *server) signalLife() {
	if s.options.Alive != nil {
		s.options.Alive()
	}
}

// logf writes a line to the log of the options, if there is one.
func (s *server) logf(format string, args ...any) {
	if s.options.Log != nil {
		fmt.Fprintf(s.options.Log, "bnfcheck lsp: "+format+"\n", args...)
	}
}

// A call is a request to answer, with the document that it is about as it was when the request came. snapshot is nil
// if the request is about no document that is open; document tells, and what is called after it relies on that.
type call struct {
	*server
	ctx      context.Context
	snapshot *snapshot
}

// A handler answers a request.
type handler struct {
	answer func(c *call, params json.RawMessage) (any, error)
	about  func(params json.RawMessage) protocol.DocumentURI // "" if it is about no document
}

// handlers has the handler of each request.
var handlers = map[string]handler{}

// handle registers f as the answer to the requests with a method. Their params name a document, and are refused if
// they are no P. The init of each feature calls it.
func handle[P any](method string, f func(c *call, params P) (any, error)) {
	handlers[method] = handler{
		answer: func(c *call, text json.RawMessage) (any, error) {
			var params P
			if err := json.Unmarshal(text, &params); err != nil {
				return nil, invalidRequest("%v", err)
			}
			return f(c, params)
		},
		about: func(text json.RawMessage) protocol.DocumentURI {
			var params struct {
				TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
			}
			_ = json.Unmarshal(text, &params) // a request that is none is refused when it is answered
			return params.TextDocument.URI
		},
	}
}

// invalidRequest returns the error for a request that makes no sense.
func invalidRequest(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// refusedRequest returns the error for a request that cannot be carried out, for a person to read.
func refusedRequest(format string, args ...any) error {
	return &jsonrpc2.Error{Code: int64(protocol.LSPErrorCodesRequestFailed), Message: fmt.Sprintf(format, args...)}
}

// Handle takes a message, and returns when the next one may be read: when a notification is carried out, and when a
// request has been given the document that it is about. Its answer may come later, but for initialize and shutdown,
// which Handle carries out itself. A request that cannot be answered now, or by anybody, is refused at once. Handle
// takes the server's lock, and has the effects of handleNotification.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	<-s.ready
	params := json.RawMessage("null")
	if r.Params != nil {
		params = *r.Params
	}
	if r.Notif {
		s.handleNotification(r.Method, params)
		return
	}
	fail := func(code int64, format string, args ...any) {
		_ = conn.ReplyWithError(ctx, r.ID, &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	// Messages are handled one after the other, and only here do more requests begin to wait. So decisions by these
	// values stay right after the lock is released.
	s.mu.Lock()
	initialized, shutDown, waiting := s.initialized, s.shutDown, len(s.requests)
	_, twice := s.requests[r.ID]
	s.mu.Unlock()
	h, known := handlers[r.Method]
	switch {
	case r.Method == "initialize" && !initialized:
		result, err := s.initialize(params)
		s.reply(ctx, r.ID, result, err)
		return
	case r.Method == "initialize":
		fail(jsonrpc2.CodeInvalidRequest, "initialize was called before")
		return
	case !initialized:
		fail(int64(protocol.ErrorCodesServerNotInitialized), "initialize comes first")
		return
	case r.Method == "shutdown":
		s.mu.Lock()
		s.shutDown = true
		s.mu.Unlock()
		s.reply(ctx, r.ID, nil, nil)
		return
	case shutDown:
		fail(jsonrpc2.CodeInvalidRequest, "the server is shut down")
		return
	case !known:
		fail(jsonrpc2.CodeMethodNotFound, "no method %q", r.Method)
		return
	case waiting >= maxWaiting:
		fail(int64(protocol.LSPErrorCodesServerCancelled), "more than %d requests wait", maxWaiting)
		return
	case twice:
		fail(jsonrpc2.CodeInvalidRequest, "a request with this ID is being answered")
		return
	}
	s.startCall(r.ID, h, params)
}

// startCall answers a request in a goroutine of its own, about the document as it is now. Until the answer is sent,
// s.requests has the function that cancels the request. The request ends early if it is canceled, or if the document
// changes or is closed. startCall takes the server's lock, which the caller must not hold.
func (s *server) startCall(id jsonrpc2.ID, h handler, params json.RawMessage) {
	ctx, cancel := context.WithCancel(s.ctx)
	c := &call{server: s, ctx: ctx}
	release := func() bool { return true }
	uri := h.about(params)
	s.mu.Lock()
	s.requests[id] = cancel
	if d := s.documents[uri]; d != nil {
		c.snapshot = d.now
		release = context.AfterFunc(d.now.ctx, cancel)
	}
	s.mu.Unlock()
	s.working.Go(func() {
		defer cancel()
		defer release()
		result, err := s.compute(c, h, params)
		s.mu.Lock()
		delete(s.requests, id)
		s.mu.Unlock()
		s.reply(s.ctx, id, result, err)
	})
}

// compute waits for the turn of a request, and answers it. A passed limit is its error, and so is a defect of this
// program, which ends the request and not the server. When the context of c ends, compute stops waiting or computing,
// and fails with c.stoppedError.
func (s *server) compute(c *call, h handler, params json.RawMessage) (result any, err error) {
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-c.ctx.Done():
		return nil, c.stoppedError()
	}
	defer func() {
		if c.ctx.Err() != nil {
			result, err = nil, c.stoppedError()
		}
	}()
	defer s.containPanic("a request", &err)
	defer budget.Catch(&err)
	return h.answer(c, params)
}

// containPanic turns a panic into an error, and logs its stack. It must be deferred.
func (s *server) containPanic(in string, err *error) {
	if p := recover(); p != nil {
		s.logf("a defect in %s: %v\n%s", in, p, debug.Stack())
		*err = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("a defect of bnfcheck: %v", p)}
	}
}

// stoppedError returns the error of a call whose context ended: ContentModified if the text has changed or was
// closed, and otherwise RequestCancelled, since the editor wants no answer.
func (c *call) stoppedError() error {
	if c.snapshot != nil && c.snapshot.ctx.Err() != nil {
		return &jsonrpc2.Error{Code: int64(protocol.LSPErrorCodesContentModified), Message: "the text has changed"}
	}
	return &jsonrpc2.Error{Code: int64(protocol.LSPErrorCodesRequestCancelled), Message: "canceled"}
}

// reply sends the answer to a request: the result, or err if that is not nil. An error that is not one of the
// protocol is sent as RequestFailed, with its text. A result that cannot be sent is logged.
func (s *server) reply(ctx context.Context, id jsonrpc2.ID, result any, err error) {
	if err == nil {
		if err = s.conn.Reply(ctx, id, result); err != nil {
			s.logf("an answer: %v", err)
		}
		return
	}
	e, ok := errors.AsType[*jsonrpc2.Error](err)
	if !ok {
		e = &jsonrpc2.Error{Code: int64(protocol.LSPErrorCodesRequestFailed), Message: err.Error()}
	}
	_ = s.conn.ReplyWithError(ctx, id, e)
}

// notify sends a notification. If that fails it is logged, unless the server has ended.
func (s *server) notify(method string, params any) {
	if err := s.conn.Notify(s.ctx, method, params); err != nil && s.ctx.Err() == nil {
		s.logf("%s: %v", method, err)
	}
}

// showMessage shows a person a message.
func (s *server) showMessage(kind protocol.MessageType, message string) {
	s.notify("window/showMessage", protocol.ShowMessageParams{Type: kind, Message: message})
}

// handleNotification carries out a notification; an error is logged, since nobody gets it. Unknown ones are ignored,
// as the protocol demands, and before initialize all but exit. That one closes s.exited. It takes s.publishing and the
// server's lock.
func (s *server) handleNotification(method string, params json.RawMessage) {
	s.mu.Lock()
	initialized := s.initialized
	s.mu.Unlock()
	var err error
	switch {
	case method == "exit":
		s.mu.Lock()
		defer s.mu.Unlock()
		select {
		case <-s.exited:
			// an earlier exit has closed it
		default:
			close(s.exited)
		}
		return
	case !initialized:
		return
	case method == "$/cancelRequest":
		err = s.cancelRequest(params)
	case method == "textDocument/didOpen":
		err = s.didOpen(params)
	case method == "textDocument/didChange":
		err = s.didChange(params)
	case method == "textDocument/didClose":
		err = s.didClose(params)
	case method == "workspace/didChangeWatchedFiles":
		err = s.watchedFilesChanged(params)
	case method == "textDocument/didSave":
		s.otherFilesChanged("") // documents may have read the file, which is another on the disk now
	}
	if err != nil {
		s.logf("%s: %v", method, err)
	}
}

// cancelRequest ends the computation of a request, which then fails. An unknown request is ignored. cancelRequest fails
// only for a malformed message, and takes the server's lock.
func (s *server) cancelRequest(params json.RawMessage) error {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.requests[p.ID]; cancel != nil {
		cancel()
	}
	return nil
}

// capabilities has the functions that the init of each feature announces.
var capabilities []func(c *protocol.ServerCapabilities)

// announce has f fill in a capability that initialize announces. The init of each feature calls it.
func announce(f func(c *protocol.ServerCapabilities)) { capabilities = append(capabilities, f) }

// initialize notes the capabilities of the editor, its options images and results, and the folders that are open, or
// the one root of an older editor, and returns what the server can do. It chooses UTF-8 for columns if the editor
// offers it, and otherwise UTF-16. It must be called once: Handle refuses a second request. It fails only for a
// malformed message. It takes the server's lock.
func (s *server) initialize(text json.RawMessage) (any, error) {
	var p protocol.InitializeParams
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, invalidRequest("%v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initialized, s.client = true, p.Capabilities
	encoding := protocol.PositionEncodingKindUTF16
	if g := p.Capabilities.General; g != nil {
		for _, e := range g.PositionEncodings {
			if e == protocol.PositionEncodingKindUTF8 {
				encoding, s.utf8 = e, true
			}
		}
	}
	for _, f := range p.WorkspaceFolders {
		s.folders = append(s.folders, pathOf(protocol.DocumentURI(f.URI)))
	}
	if len(s.folders) == 0 && p.RootURI != nil { // an older editor, which knows one folder only
		s.folders = append(s.folders, pathOf(*p.RootURI))
	}
	if o, ok := p.InitializationOptions.(map[string]any); ok {
		s.images, _ = o["images"].(bool)
		s.results, _ = o["results"].(bool)
	}
	result := protocol.InitializeResult{ServerInfo: &protocol.ServerInfo{Name: "bnfcheck", Version: s.options.Version}}
	result.Capabilities.PositionEncoding = encoding
	result.Capabilities.TextDocumentSync = &protocol.TextDocumentSyncOptions{
		OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental, Save: true,
	}
	for _, f := range capabilities {
		f(&result.Capabilities)
	}
	return result, nil
}
