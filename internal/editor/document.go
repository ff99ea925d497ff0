package editor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

// maxDocument caps the bytes of a document that is read. A larger one is open, with its size as its only diagnostic.
const maxDocument = 4 << 20

// maxOpen caps the documents that are open. Further ones are ignored, and logged.
const maxOpen = 200

// A document is a text that the editor has open.
type document struct {
	uri       protocol.DocumentURI
	language  string
	now       *snapshot
	unsettled bool                     // the next version reads the settings in other files again
	kept      map[string][]keptFinding // by text of the production, the findings of the last version that lint finished
}

// pathOf returns the path of a file on this machine that a URI names, or "" for any other URI.
func pathOf(uri protocol.DocumentURI) string {
	u, err := url.Parse(string(uri))
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	path := filepath.FromSlash(u.Path)
	if len(path) > 2 && path[2] == ':' && filepath.VolumeName(path[1:]) != "" { // a drive, which only Windows has
		path = path[1:]
	}
	return path
}

// uriOf returns the URI of a file.
func uriOf(path string) protocol.DocumentURI {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return protocol.DocumentURI((&url.URL{Scheme: "file", Path: path}).String())
}

// didOpen begins a document, in place of one that is open with this URI. Documents that have used its file are read
// again. It fails, and opens nothing, for a malformed message, and if maxOpen others are open. It takes the server's
// lock.
func (s *server) didOpen(text json.RawMessage) error {
	var p protocol.DidOpenTextDocumentParams
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	d := p.TextDocument
	s.mu.Lock()
	if old := s.documents[d.URI]; old != nil {
		old.now.cancel()
	} else if len(s.documents) >= maxOpen {
		s.mu.Unlock()
		return fmt.Errorf("%s is not looked at: %d documents are open", d.URI, maxOpen)
	}
	s.documents[d.URI] = &document{uri: d.URI, language: d.LanguageID}
	s.replaceSnapshot(s.documents[d.URI], d.Version, d.Text)
	s.mu.Unlock()
	s.otherFilesChanged(d.URI)
	return nil
}

// replaceSnapshot gives a document its next version, ends what is computed for the one before, and starts to look at
// the new one in the background. The caller holds s.mu.
func (s *server) replaceSnapshot(d *document, version int32, text string) {
	if d.now != nil {
		d.now.cancel()
	}
	ctx, cancel := context.WithCancel(s.ctx)
	d.now = s.newSnapshot(ctx, cancel, d, version, text)
	s.lookInBackground(d.now)
}

// didChange changes a document. A change without a range is the whole text; a range is one of the text after the
// changes before it. Documents that have used its file are read again. didChange fails, and changes nothing, for a
// malformed message, if the document is not open, or if after some change it has more than maxMessage bytes. It
// takes the server's lock.
func (s *server) didChange(text json.RawMessage) error {
	var p protocol.DidChangeTextDocumentParams
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	s.mu.Lock()
	d := s.documents[p.TextDocument.URI]
	if d == nil {
		s.mu.Unlock()
		return fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	content := newEditedText(d.now.text, s.utf8)
	for _, change := range p.ContentChanges {
		if change.Range == nil {
			content = newEditedText(change.Text, s.utf8)
		} else {
			content.replace(*change.Range, change.Text)
		}
		if content.size > maxMessage {
			s.mu.Unlock()
			return errors.New("the document is larger than a message can be")
		}
	}
	s.replaceSnapshot(d, p.TextDocument.Version, content.String())
	s.mu.Unlock()
	s.otherFilesChanged(p.TextDocument.URI)
	return nil
}

// didClose ends a document, removes its diagnostics, and has documents that have used its file read it from the
// disk. It fails for a malformed message, and if the document is not open. It takes s.publishing and the server's
// lock.
func (s *server) didClose(text json.RawMessage) error {
	var p protocol.DidCloseTextDocumentParams
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	uri := p.TextDocument.URI
	s.publishing.Lock()
	defer s.publishing.Unlock()
	s.mu.Lock()
	d := s.documents[uri]
	if d != nil {
		d.now.cancel()
		delete(s.documents, uri)
	}
	s.mu.Unlock()
	if d == nil {
		return fmt.Errorf("%s is not open", uri)
	}
	s.notify("textDocument/publishDiagnostics", protocol.PublishDiagnosticsParams{
		URI: uri, Diagnostics: []protocol.Diagnostic{},
	})
	s.otherFilesChanged(uri)
	return nil
}

// otherFilesChanged makes a new version, with the same text, of each document that has used the file with this URI.
// For "", and for the URI of a text that is no file, it does so for each that has used any other file. It takes the
// server's lock.
func (s *server) otherFilesChanged(uri protocol.DocumentURI) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.documents {
		if d.uri != uri && d.now.hasUsed(pathOf(uri)) {
			s.replaceSnapshot(d, d.now.version, d.now.text)
		}
	}
}

// watchedFilesChanged takes the news that files on the disk have changed. Whichever they are, each document that has
// used any other file is read anew. If a Go file or a lock is among them, all documents are, since these files can
// say how any grammar is read. It fails only for a malformed message, and takes the server's lock.
func (s *server) watchedFilesChanged(text json.RawMessage) error {
	var p protocol.DidChangeWatchedFilesParams
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	mayBeSettings := func(change protocol.FileEvent) bool { return mayHoldSettings(pathOf(change.URI)) }
	if !slices.ContainsFunc(p.Changes, mayBeSettings) {
		s.otherFilesChanged("")
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.documents {
		d.unsettled = true
		s.replaceSnapshot(d, d.now.version, d.now.text)
	}
	return nil
}
