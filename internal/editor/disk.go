package editor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

// errOutside reports a file that a document names and that must not be read.
var errOutside = errors.New("it is outside of the folder that is open")

// rootOf returns the folder that files are read from for a document, folders below it included: the innermost folder
// of the workspace that contains it, or else its own. It is "" for a text that is no file. It takes the server's
// lock, which the caller must not hold.
func (n *snapshot) rootOf() string {
	if n.path == "" {
		return ""
	}
	own := filepath.Dir(n.path)
	n.server.mu.Lock()
	defer n.server.mu.Unlock()
	root := ""
	for _, folder := range n.folders {
		if folder == "" || len(folder) <= len(root) {
			continue
		}
		if rel, err := filepath.Rel(folder, own); err == nil && filepath.IsLocal(rel) {
			root = folder
		}
	}
	if root == "" {
		return own
	}
	return root
}

// resolve returns three paths for a file that the document names, by a name relative to the folder of the document: the
// path of the file, that of the document's root (see rootOf), and that of the file relative to the root. It does not
// fail if there is no such file. It fails if the document is no file, with errOutside for an absolute name or one that
// leads out of the root, and with [catalog.ErrInGit] for what git keeps. It takes the server's lock, as rootOf does.
func (n *snapshot) resolve(name string) (path, root, below string, err error) {
	if n.path == "" {
		return "", "", "", errors.New("a text that is no file has no files beside it")
	}
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return "", "", "", errOutside
	}
	path = filepath.Join(filepath.Dir(n.path), name)
	root = n.rootOf()
	below, err = filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(below) {
		return "", "", "", errOutside
	}
	if infile.IsInGit(path) {
		return "", "", "", catalog.ErrInGit
	}
	return path, root, below, nil
}

// open returns the path and the text of a file that the document names: the text in the editor, if it is open there,
// and otherwise that on the disk. It fails as resolve and readRegular do, in words without the path. It enters the
// path in n.used, also if there is no such file, and takes the locks of the server and of n.
func (n *snapshot) open(name string) (path string, text []byte, err error) {
	path, root, below, err := n.resolve(name)
	if err != nil {
		return "", nil, err
	}
	n.mu.Lock()
	n.used[path] = true
	n.mu.Unlock()
	if open := n.openAs(path); open != nil {
		return path, []byte(open.text), nil
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return "", nil, withoutPath(err)
	}
	defer r.Close()
	text, err = readRegular(r, below)
	return path, text, err
}

// openAs returns the snapshot of the document that the editor has open for a file, or nil if there is none. Of several,
// whose URIs spell one path in several ways, it is that of the first URI in the order of their bytes. It takes the
// server's lock.
func (n *snapshot) openAs(path string) *snapshot {
	n.server.mu.Lock()
	defer n.server.mu.Unlock()
	var first *document
	for uri, d := range n.documents {
		if pathOf(uri) == path && (first == nil || uri < first.uri) {
			first = d
		}
	}
	if first == nil {
		return nil
	}
	return first.now
}

// readRegular reads a regular file below a root. It fails as [infile.OpenInRoot] does, and if the file has more than
// maxDocument bytes or cannot be read; the text is then of no use. Its errors have no path: see withoutPath.
func readRegular(r *os.Root, name string) ([]byte, error) {
	f, err := infile.OpenInRoot(r, name)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err == nil && len(text) > maxDocument {
		err = fmt.Errorf("it has more than %d bytes", maxDocument)
	}
	return text, withoutPath(err)
}

// withoutPath returns err, an error about a file, without the path, which the message around it names. For a file that
// does not exist it returns an error that no longer matches [fs.ErrNotExist], and for a path that leads out of the root
// errOutside. An error without a path, and nil, is returned as it is.
func withoutPath(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no such file")
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		if strings.Contains(e.Err.Error(), "escapes") {
			return errOutside
		}
		return e.Err
	}
	return err
}

// include reads a file that the document includes, which must be in or below its folder. It fails as open does, and
// has the effects of that.
func (n *snapshot) include(name string) ([]byte, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, errOutside
	}
	_, text, err := n.open(name)
	return text, err
}

// exists reports whether a file that the document names is a regular one, or open in the editor. It is false for one
// that must not be read. It enters the path in n.used, and takes the locks of the server and of n.
func (n *snapshot) exists(name string) bool {
	path, root, below, err := n.resolve(name)
	if err != nil {
		return false
	}
	n.mu.Lock()
	n.used[path] = true
	n.mu.Unlock()
	if n.openAs(path) != nil {
		return true
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return false
	}
	defer r.Close()
	info, err := r.Stat(below)
	return err == nil && info.Mode().IsRegular() && infile.CheckWithin(path) == nil
}

// uriOfFile returns the URI of a file that a reader names in places: that of the document for its name and for "",
// or that of a file below its root. ok is false for any other name, such as that of a built-in grammar. It has the
// effects of exists, and takes the same locks.
func (n *snapshot) uriOfFile(name string) (uri protocol.DocumentURI, ok bool) {
	if name == n.name || name == "" {
		return n.uri, true
	}
	path, _, _, err := n.resolve(name)
	if err != nil || !n.exists(name) {
		return "", false
	}
	return uriOf(path), true
}
