package atomicfile

import (
	"crypto/rand"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Every temporary file and folder of a process is noted here as long as it exists, so that a process that has to end
// at once can remove them all: deferred calls do not run then. A process that is killed leaves them. They are locked
// as long as it lives, so the next process that writes beside them knows what it may remove: a name of this form that
// nobody has locked.

var (
	mu    sync.Mutex
	noted = map[string]bool{}
)

// note records the name of a temporary file, which is to be removed if the program is stopped.
func note(name string) {
	mu.Lock()
	defer mu.Unlock()
	noted[name] = true
}

// drop removes a temporary file, or a folder with all that is in it, and what is noted of it.
func drop(name string) error {
	mu.Lock()
	delete(noted, name)
	mu.Unlock()
	return os.RemoveAll(name)
}

// forget removes what is noted of a temporary file that has its own name now, or was never there.
func forget(name string) {
	mu.Lock()
	defer mu.Unlock()
	delete(noted, name)
}

// DiscardAll removes the temporary files and folders of this process. It is for a process that ends at once: whoever
// still writes one fails.
func DiscardAll() {
	mu.Lock()
	names := noted
	noted = map[string]bool{}
	mu.Unlock()
	for name := range names {
		os.RemoveAll(name)
	}
}

// How the names of temporary files and folders begin and end. Between them stand nameLength characters of rand.Text.
const (
	filePrefix, fileSuffix     = ".bnfcheck-", ".tmp"
	folderPrefix, folderSuffix = "bnfcheck-", ".folder"
	nameLength                 = 12
)

// newName returns a random name for a temporary file or folder, between a prefix and a suffix.
func newName(prefix, suffix string) string { return prefix + rand.Text()[:nameLength] + suffix }

// isTemporary reports whether a name is one that newName returns.
func isTemporary(name, prefix, suffix string) bool {
	name, begins := strings.CutPrefix(name, prefix)
	name, ends := strings.CutSuffix(name, suffix)
	return begins && ends && len(name) == nameLength && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// sweep removes the temporary files or folders in dir that processes have left which are no more: those whose names
// have this form, and whose kind is this: 0 for a file. What it cannot remove stays.
func sweep(dir, prefix, suffix string, kind fs.FileMode) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if f.Type() == kind && isTemporary(f.Name(), prefix, suffix) {
			removeUnlocked(filepath.Join(dir, f.Name()))
		}
	}
}

// Folder makes a temporary folder, which remove removes with all that is in it. It removes those that processes which
// were killed have left.
func Folder() (name string, remove func() error, err error) {
	dir := os.TempDir()
	sweep(dir, folderPrefix, folderSuffix, fs.ModeDir)
	for {
		name = filepath.Join(dir, newName(folderPrefix, folderSuffix))
		if err := os.Mkdir(name, 0o700); err != nil {
			return "", nil, err
		}
		note(name)
		unlock, ok := lock(name)
		if !ok { // it was swept before it was locked
			forget(name)
			continue
		}
		return name, func() error {
			defer unlock()
			return drop(name)
		}, nil
	}
}
