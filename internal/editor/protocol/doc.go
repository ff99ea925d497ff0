// Package protocol has the types of the Language Server Protocol, as far as package editor speaks it. They are
// generated from the protocol's own description: see generate.
//
// Names are the protocol's, but for ID, URI and URL in Go's spelling. A position is a line and a column, both from 0;
// what a column counts is negotiated.
package protocol

// A DocumentURI names a document: "file:///home/me/mail.abnf".
type DocumentURI string
