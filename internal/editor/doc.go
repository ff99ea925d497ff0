// Package editor is a language server for grammars. It answers what an editor asks while a person types, with the
// packages that the commands use.
//
// # One text, one snapshot
//
// A document that the editor has open is a [document]; each of its versions is a [snapshot], which never changes. A
// snapshot is divided into tokens at once (package outline), which never fails. Results that need the meaning are
// computed when they are first asked for, and kept: the grammar ([snapshot.reading]) and the findings of lint
// ([snapshot.linted]). A request gets the snapshot of the moment at which it arrived, so answers never mix two
// versions.
//
// The next key ends a snapshot: its context is canceled, every computation with its grammar stops at the next look at
// its budget, and a request that waits for it fails with ContentModified; editors then ask again.
//
// # Locks
//
// A function that takes the server's lock must not be called by one who holds it. Comments say which do, but for the
// functions that answer requests, which are called without a lock, and for the first call of [snapshot.reading]. The
// lock of a snapshot is held for a look at its fields alone; it may be taken while the server's lock is held.
//
// # A broken text
//
// A grammar is broken while it is typed. If it cannot be read, the productions that the errors are in are replaced by
// blanks, and the rest is read: see read.go. So the text before and after a mistake is known, in its place.
//
// # Trust
//
// Opening a folder runs no program, uses no network, and reads no file outside the folder of the workspace, or that
// of the document if it is in none: every file is opened through [os.Root], which also holds for links. A program
// runs only when a person clicks: see lens.go.
//
// # Bounds
//
// A message has at most [maxMessage] bytes. A document of more than [maxDocument] bytes stays open, but is not read.
// Each computation has a budget of its own, and at most [maxWaiting] requests wait. Only the last snapshot of a
// document is kept.
//
// Each feature is a file, which registers its requests in its init. The function that answers a request fails if the
// document that it is about is not open; a comment says what else it refuses.
package editor
